//! Tests without shadows, in plain wasmtime: draws are answered by the simplest number.

use wasmtime::{Config, Engine, Extern, ExternType, Func, Instance, Linker, Module, Store, Val};

/// A compiled module.
#[derive(Debug)]
pub(crate) struct Plain {
    engine: Engine,
    module: Module,
    linker: Linker<State>,
}

/// What the host knows of a run.
#[derive(Debug, Default)]
struct State {
    draws: usize,
    panicked: bool,
}

impl Plain {
    /// Compiles a module.
    pub(crate) fn new(wasm: &[u8]) -> wasmtime::Result<Plain> {
        let mut config = Config::new();
        config.wasm_memory64(true);
        let engine = Engine::new(&config)?;
        let module = Module::new(&engine, wasm)?;
        let mut linker: Linker<State> = Linker::new(&engine);
        for import in module.imports() {
            let ExternType::Func(ty) = import.ty() else { continue };
            let (module, name) = (import.module().to_owned(), import.name().to_owned());
            let function = name.clone();
            linker.func_new(&module, &name, ty, move |mut caller, arguments, results| {
                match (function.as_str(), arguments) {
                    ("draw", [_, _, origin, _]) => {
                        caller.data_mut().draws += 1;
                        results[0] = *origin;
                    }
                    ("panicked", _) => caller.data_mut().panicked = true,
                    _ => {}
                }
                Ok(())
            })?;
        }
        Ok(Plain { engine, module, linker })
    }

    /// Runs a test once, in a new instance; fails unless it draws and passes.
    pub(crate) fn run(&self, test: &str) -> wasmtime::Result<()> {
        let mut store = Store::new(&self.engine, State::default());
        let instance: Instance = self.linker.instantiate(&mut store, &self.module)?;
        let test: Option<Func> = instance.get_export(&mut store, test).and_then(Extern::into_func);
        let test = test.ok_or_else(|| wasmtime::Error::msg("there is no such test"))?;
        test.call(&mut store, &[Val::I32(1)], &mut [])?;
        if store.data().panicked || store.data().draws == 0 {
            return Err(wasmtime::Error::msg("the test did not do its work"));
        }
        Ok(())
    }
}
