//! The imports of an instrumented module: the hooks, and the host side of Rebut's guest interface
//! (`rebut-choice/src/host.rs`, `rebut-run/src/wasm_guest.rs`).

use rebut_choice::{ChoiceKind, Domain, Role, wire};
use rebut_protocol::wasm::{self, EntryFlags, ObservationPart, StopCode, WideDraw};
use wasmtime::{Caller, ExternType, Linker, Module, Val, WasmBacktrace, WasmTy};

use super::replay::ShownValue;
use super::{Description, State};
use crate::hooks::{self, Halt, Hooks, Operand};
use crate::instrument::Frame;
use crate::observe::{PartBytes, constant};
use crate::op::Type;
use crate::record::Bound;
use crate::trace::{Failure, Outcome};

type Host<'a> = Caller<'a, State>;

/// A pointer or a length of the module: an integer of 32 or of 64 bits.
trait PointerSize: WasmTy {
    /// Returns the number; the largest if it does not fit, where no memory is.
    fn get(self) -> usize;
}

impl PointerSize for u32 {
    fn get(self) -> usize {
        usize::try_from(self).unwrap_or(usize::MAX)
    }
}

impl PointerSize for u64 {
    fn get(self) -> usize {
        usize::try_from(self).unwrap_or(usize::MAX)
    }
}

/// Returns an address or a length as hooks know it. The largest memory is far below 32 bits.
fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Ends the run if a hook returned a [`Halt`].
fn halt<T>(caller: &mut Host<'_>, result: Result<T, Halt>) -> wasmtime::Result<T> {
    result.map_err(|halt| {
        caller.data_mut().halt = Some(halt);
        wasmtime::Error::msg("the run was ended")
    })
}

pub(super) fn operand(shadow: i32, bits: i64) -> Operand {
    Operand { shadow: shadow as u32, bits: bits as u64 }
}

pub(super) fn narrow(shadow: i32, bits: i32) -> Operand {
    Operand { shadow: shadow as u32, bits: u64::from(bits as u32) }
}

/// Calls a function with the memory of the module.
fn with_memory<T>(caller: &mut Host<'_>, act: impl FnOnce(&mut State, &mut [u8]) -> T) -> T {
    match caller.data().memory {
        Some(memory) => {
            let (bytes, state) = memory.data_and_store_mut(&mut *caller);
            act(state, bytes)
        }
        None => act(caller.data_mut(), &mut []),
    }
}

/// Calls a function with the shadow memory.
pub(super) fn with_shadow<T>(
    caller: &mut Host<'_>,
    act: impl FnOnce(&mut State, &mut [u8]) -> T,
) -> T {
    match caller.data().shadow {
        Some(memory) => {
            let (bytes, state) = memory.data_and_store_mut(&mut *caller);
            act(state, bytes)
        }
        None => act(caller.data_mut(), &mut []),
    }
}

/// Defines the hooks.
pub(crate) fn hooks(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    let module = hooks::MODULE;
    linker.func_wrap(module, "unary", |mut c: Host<'_>, op: i32, s: i32, v: i64| {
        c.data_mut().recorder.unary(op as u32, operand(s, v)) as i32
    })?;
    linker.func_wrap(
        module,
        "binary",
        |mut c: Host<'_>, op: i32, s: i32, v: i64, t: i32, w: i64| {
            c.data_mut().recorder.binary(op as u32, operand(s, v), operand(t, w)) as i32
        },
    )?;
    linker.func_wrap(
        module,
        "guard",
        |mut c: Host<'_>, site: i32, op: i32, s: i32, v: i64, t: i32, w: i64| {
            let recorder = &mut c.data_mut().recorder;
            recorder.guard(site as u32, op as u32, operand(s, v), operand(t, w));
        },
    )?;
    linker.func_wrap(
        module,
        "select",
        |mut c: Host<'_>, ty: i32, s: i32, v: i32, a: i32, x: i64, b: i32, y: i64| {
            let ty = Type::from_code(ty);
            let recorder = &mut c.data_mut().recorder;
            recorder.select(ty, narrow(s, v), operand(a, x), operand(b, y)) as i32
        },
    )?;
    linker.func_wrap(module, "branch", |mut c: Host<'_>, site: i32, s: i32, v: i32| {
        let result = c.data_mut().recorder.branch(site as u32, narrow(s, v));
        halt(&mut c, result)
    })?;
    linker.func_wrap(module, "switch", |mut c: Host<'_>, site: i32, s: i32, v: i32| {
        let result = c.data_mut().recorder.switch(site as u32, narrow(s, v));
        halt(&mut c, result)
    })?;
    linker.func_wrap(module, "concretize", |mut c: Host<'_>, site: i32, s: i32, v: i64| {
        let result = c.data_mut().recorder.concretize(site as u32, operand(s, v));
        halt(&mut c, result)
    })?;
    linker.func_wrap(
        module,
        "load",
        |mut c: Host<'_>, site: i32, op: i32, at: i32, s: i32, offset: i32| {
            let result = with_memory(&mut c, |state, memory| {
                let address = narrow(s, at);
                state.recorder.load(site as u32, op as u32, address, offset as u32, memory)
            });
            halt(&mut c, result).map(|shadow| shadow as i32)
        },
    )?;
    linker.func_wrap(
        module,
        "target",
        |mut c: Host<'_>, op: i32, at: i64, s: i32, offset: i32| {
            with_memory(&mut c, |state, memory| {
                state.recorder.target(op as u32, operand(s, at), offset as u32, memory);
            });
        },
    )?;
    linker.func_wrap(
        module,
        "store",
        |mut c: Host<'_>, site: i32, op: i32, at: i32, s: i32, offset: i32, t: i32, v: i64| {
            let (address, value) = (narrow(s, at), operand(t, v));
            let result = with_shadow(&mut c, |state, taint| {
                let (site, op, offset) = (site as u32, op as u32, offset as u32);
                state.recorder.store(site, op, address, offset, value, taint)
            });
            halt(&mut c, result)
        },
    )?;
    linker.func_wrap(module, "copy", |mut c: Host<'_>, to: i32, from: i32, length: i32| {
        with_shadow(&mut c, |state, taint| {
            state.recorder.copy(to as u32, from as u32, length as u32, taint);
        });
    })?;
    linker.func_wrap(module, "fill", |mut c: Host<'_>, to: i32, s: i32, v: i32, length: i32| {
        with_shadow(&mut c, |state, taint| {
            state.recorder.fill(to as u32, narrow(s, v), length as u32, taint);
        });
    })?;
    linker.func_wrap(module, "expose", |mut c: Host<'_>, f: i32, at: i32, length: i32| {
        if !c.data().recorder.is_symbolic(at as u32, length as u32) {
            return Ok(());
        }
        c.data_mut().deoptimized = Some(f as u32);
        halt(&mut c, Err(Halt::Deoptimize))
    })?;
    linker.func_wrap(module, "deoptimize", |mut c: Host<'_>, f: i32| -> wasmtime::Result<()> {
        // After a panic has begun, nothing is recorded and the quick version is good enough.
        if !c.data().recorder.is_recording() {
            return Ok(());
        }
        c.data_mut().deoptimized = Some(f as u32);
        halt(&mut c, Err(Halt::Deoptimize))
    })?;
    linker.func_wrap(module, "missing", |mut c: Host<'_>, f: i32, is_stub: i32| {
        let is_recording = c.data().recorder.is_recording();
        if is_stub == 0 && !is_recording {
            return Ok(());
        }
        c.data_mut().missing = Some((f as u32, is_recording));
        halt(&mut c, Err(Halt::Missing))
    })?;
    linker.func_wrap(module, "unsupported", |mut c: Host<'_>, f: i32| {
        let state = c.data_mut();
        if let Some(doubt) = state.layout.doubtful.get(&(f as u32)) {
            state.recorder.record_doubt(doubt.clone());
        }
        let what = state.layout.unsupported.get(&(f as u32)).copied();
        // A panic hook may use anything; it is not part of the test.
        let Some(what) = what.filter(|_| state.recorder.is_recording()) else { return Ok(()) };
        state.outcome = Some(Outcome::Unsupported(what.to_owned()));
        note_calls(&mut c);
        halt(&mut c, Err(Halt::Stopped))
    })?;
    linker.func_wrap(module, "hashing", |mut c: Host<'_>| {
        c.data_mut().hashes = true;
    })?;
    linker.func_wrap(module, "exhausted", |mut c: Host<'_>| -> wasmtime::Result<()> {
        halt(&mut c, Err(Halt::Exhausted))
    })?;
    linker.func_wrap(module, "arguments", |mut c: Host<'_>, a: i32, b: i32, o: i32| {
        c.data_mut().arguments = [a as u32, b as u32, o as u32];
    })?;
    linker.func_wrap(module, "answer", |mut c: Host<'_>| {
        std::mem::take(&mut c.data_mut().answer) as i32
    })?;
    linker.func_wrap(module, "panicking", |mut c: Host<'_>| panicking(&mut c))?;
    super::intrinsics::hooks(linker)
}

/// Stops recording, and saves which functions were called so far.
fn panicking(caller: &mut Host<'_>) {
    if !caller.data().recorder.is_recording() {
        return;
    }
    with_shadow(caller, |state, shadow| {
        state.recorder.panicking();
        state.marks_at_panic = shadow.get(state.layout.function_flags()).map(<[u8]>::to_vec);
    });
}

/// Defines the functions that tests import. All other imports end the run.
pub(super) fn guest(
    linker: &mut Linker<State>,
    module: &Module,
    is_memory64: bool,
) -> wasmtime::Result<()> {
    if is_memory64 {
        provided::<u64>(linker)?
    } else {
        provided::<u32>(linker)?
    }
    refuse(linker, module)
}

/// Defines Rebut's functions for modules with this type of pointers and lengths.
fn provided<P: PointerSize>(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    let name = wasm::IMPORT_MODULE;
    linker.func_wrap(
        name,
        "draw",
        |mut c: Host<'_>, min: i64, max: i64, origin: i64, kind: i32| {
            let (kind, role) = known(&mut c, wire::unpack_kind(kind))?;
            Ok(c.data_mut().draw([min, max, origin], kind, role))
        },
    )?;
    linker.func_wrap(name, "draw_wide", |mut c: Host<'_>, numbers: P, kind: i32| {
        let (kind, role) = known(&mut c, wire::unpack_kind(kind))?;
        draw_wide(&mut c, short(numbers.get()), kind, role);
        wasmtime::Result::Ok(())
    })?;
    linker.func_wrap(name, "open", |mut c: Host<'_>, label: i64| {
        let label = known(&mut c, wire::unpack_label(label))?;
        c.data_mut().open(label);
        wasmtime::Result::Ok(())
    })?;
    linker.func_wrap(name, "close", |mut c: Host<'_>| c.data_mut().close())?;
    linker.func_wrap(
        name,
        "stop",
        |mut c: Host<'_>, code: i32, at: P, length: P| -> wasmtime::Result<()> {
            let message = text(&mut c, at, length);
            let code = known(&mut c, StopCode::from_wire(code as u32))?;
            c.data_mut().outcome = Some(match code {
                StopCode::Rejected => Outcome::Rejected(message),
                StopCode::Misuse => Outcome::Misuse(message),
                StopCode::TooLarge => Outcome::Rejected("the input is too large".into()),
                StopCode::Found => Outcome::Found,
                StopCode::Internal => Outcome::Internal(message),
            });
            halt(&mut c, Err(Halt::Stopped))
        },
    )?;
    linker.func_wrap(name, "failing", |mut c: Host<'_>| {
        panicking(&mut c);
        let ends = c.data().ends_when_failing;
        halt(&mut c, if ends { Err(Halt::Stopped) } else { Ok(()) })
    })?;
    linker.func_wrap(
        name,
        "panicked",
        |mut c: Host<'_>, at: P, len: P, file: P, file_len: P, line: i32, column: i32| {
            let (message, file) = (text(&mut c, at, len), text(&mut c, file, file_len));
            let state = c.data_mut();
            state.recorder.panicking();
            let (line, column) = (line as u32, column as u32);
            let failure = Failure { message, file, line, column };
            state.outcome.get_or_insert(Outcome::Failed(failure));
        },
    )?;
    linker.func_wrap(
        name,
        "describe",
        |mut c: Host<'_>, at: P, len: P, file: P, file_len: P, line: i32, flags: i32| {
            let flags = EntryFlags(flags as u32);
            let description = Description {
                path: text(&mut c, at, len),
                file: text(&mut c, file, file_len),
                line: line as u32,
                has_specification: flags.has(EntryFlags::SPECIFICATION),
                is_exists: flags.has(EntryFlags::EXISTS),
                is_not_exists: flags.has(EntryFlags::NOT_EXISTS),
                should_panic: flags.has(EntryFlags::SHOULD_PANIC),
                is_ignored: flags.has(EntryFlags::IGNORED),
            };
            c.data_mut().description = Some(description);
        },
    )?;
    linker.func_wrap(
        name,
        "shown",
        |mut c: Host<'_>, at: P, len: P, ty: P, ty_len: P, code: P, code_len: P| {
            let (name, type_name) = (text(&mut c, at, len), text(&mut c, ty, ty_len));
            let code = text(&mut c, code, code_len);
            c.data_mut().shown.push(ShownValue { name, type_name, code });
        },
    )?;
    linker.func_wrap(name, "changed", |mut c: Host<'_>, nth: i32, code: P, code_len: P| {
        let code = text(&mut c, code, code_len);
        if let Some(shown) = c.data_mut().shown.get_mut(nth as u32 as usize) {
            shown.code = code;
        }
    })?;
    linker.func_wrap(name, "observe", |mut c: Host<'_>, packed: i32, at: P, length: P| {
        let (part, slot) = known(&mut c, ObservationPart::unpack(packed as u32))?;
        observe(&mut c, part, slot, [at.get(), length.get()]);
        wasmtime::Result::Ok(())
    })?;
    linker.func_wrap(name, "observes", |c: Host<'_>, slot: i32| {
        u32::from(c.data().listener.wants(slot as u32))
    })?;
    Ok(())
}

/// Returns a decoded value, or ends the run if the module uses a code that this host does not know.
fn known<T>(caller: &mut Host<'_>, decoded: Option<T>) -> wasmtime::Result<T> {
    decoded.map_or_else(
        || {
            let message = "the test was built with another version of `rebut` than this command";
            caller.data_mut().outcome = Some(Outcome::Internal(message.into()));
            halt(caller, Err(Halt::Stopped))
        },
        Ok,
    )
}

/// Receives a part of an observation: a name, or a number that may be symbolic.
fn observe(caller: &mut Host<'_>, part: ObservationPart, slot: u32, [at, length]: [usize; 2]) {
    with_memory(caller, |state, memory| {
        if !state.recorder.is_recording() {
            return;
        }
        let bytes = memory.get(at..at.saturating_add(length)).unwrap_or_default();
        let text = || String::from_utf8_lossy(bytes).into_owned();
        let term = part.is_value().then(|| {
            let term = state.recorder.observed(short(at), short(bytes.len()), memory);
            term.unwrap_or_else(|| constant(&mut state.recorder.pool, bytes))
        });
        state.listener.receive(part, slot, &PartBytes { text: &text, term });
    });
}

/// Defines the imports that no host function implements: calling one ends the run.
fn refuse(linker: &mut Linker<State>, module: &Module) -> wasmtime::Result<()> {
    for import in module.imports() {
        let (from, name) = (import.module(), import.name());
        let ExternType::Func(ty) = import.ty() else { continue };
        if from == wasm::IMPORT_MODULE || from == hooks::MODULE {
            continue;
        }
        let what = match from {
            "env" => format!("calls the foreign function `{name}`"),
            _ => format!("calls `{name}` of `{from}`"),
        };
        linker.func_new(from, name, ty, move |mut c: Host<'_>, _: &[Val], _: &mut [Val]| {
            c.data_mut().outcome = Some(Outcome::Unsupported(what.clone()));
            note_calls(&mut c);
            halt(&mut c, Err(Halt::Stopped))
        })?;
    }
    Ok(())
}

/// Saves the active calls, for the message about what is unsupported.
fn note_calls(caller: &mut Host<'_>) {
    let stack = WasmBacktrace::force_capture(&*caller);
    let frames = stack.frames().iter().filter_map(|frame| {
        let offset = u32::try_from(frame.module_offset()?).ok()?;
        Some(Frame { function: frame.func_index(), offset })
    });
    caller.data_mut().frames = frames.collect();
}

/// Reads a string from the memory of the module.
fn text(caller: &mut Host<'_>, at: impl PointerSize, length: impl PointerSize) -> String {
    with_memory(caller, |_, memory| {
        let (at, length) = (at.get(), length.get());
        let bytes = at.checked_add(length).and_then(|end| memory.get(at..end));
        String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned()
    })
}

/// Answers a draw whose domain needs 128 bits. Its numbers are in the memory, as [`WideDraw`]
/// defines.
fn draw_wide(caller: &mut Host<'_>, numbers: u32, kind: ChoiceKind, role: Role) {
    let address = |index| numbers.wrapping_add(WideDraw::offset(index));
    let answer = address(WideDraw::ANSWER);
    let bytes = WideDraw::SIZE as u32;
    let shadow = with_memory(caller, |state, memory| {
        let indices = [WideDraw::MIN, WideDraw::MAX, WideDraw::ORIGIN];
        let [min, max, origin] = indices.map(|index| wide(memory, address(index)));
        let number = state.choose(Domain { min, max, origin, kind, role });
        let [least, greatest] =
            [(WideDraw::MIN, min), (WideDraw::MAX, max)].map(|(index, number)| {
                let shadow = state.recorder.read(address(index), bytes, memory);
                Bound { shadow, number }
            });
        let at = answer as usize;
        if let Some(place) = memory.get_mut(at..at + 16) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        state.recorder.draw(number, [least, greatest], 128)
    });
    with_shadow(caller, |state, taint| state.recorder.write(answer, shadow, bytes, taint));
}

fn wide(memory: &[u8], at: u32) -> i128 {
    let at = at as usize;
    let bytes = memory.get(at..at + 16).and_then(|bytes| bytes.try_into().ok());
    i128::from_le_bytes(bytes.unwrap_or_default())
}
