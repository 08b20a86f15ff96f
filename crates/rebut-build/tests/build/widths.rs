//! Modules with a `usize` of 64 bits, and the fallback with 32.

use std::fs;

use rebut_build::{Module, Request, Target, Toolchain};
use wasmparser::{Parser, Payload};

use crate::support;

/// The bits of an address of a module.
fn address_width(module: &Module) -> Option<u32> {
    let bytes = fs::read(&module.path).expect("the module");
    let memories = Parser::new(0).parse_all(&bytes).filter_map(|payload| match payload {
        Ok(Payload::MemorySection(section)) => section.into_iter().next(),
        _ => None,
    });
    let memory = memories.flatten().next()?;
    Some(if memory.memory64 { 64 } else { 32 })
}

/// The standard library for 32 bits is built here and nowhere else in the tests.
#[test]
fn modules_have_the_pointer_width_of_the_toolchain() {
    for width in [64, 32] {
        let found = Toolchain::find_with_width(width, &mut |_| ());
        let Some(toolchain) = support::present(found) else { continue };
        assert_eq!(toolchain.pointer_width(), width);
        let built = support::build(&toolchain, "plain", Request::default()).expect("it builds");
        let module = support::module(&built, &Target::Lib);
        assert_eq!(module.pointer_width, width);
        assert_eq!(address_width(module), Some(width));
    }
}
