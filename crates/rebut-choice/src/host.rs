//! The host of a test that is explored.
//!
//! Exploration builds a test for WebAssembly and runs it in an engine that follows each choice
//! through the code. There the source asks the host, and what the host answers is taken as it
//! is: to check it would be a branch on a choice, and one more path to explore. For the same
//! reason nothing is recorded here. The host has the tape.
//!
//! All functions of the wasm import module `rebut` are declared here, and nowhere else.
#![expect(unsafe_code, reason = "functions of another module can only be declared as unsafe")]

use crate::{Domain, Kind, Label, Role, Shape, Stop};

mod imports {
    #[link(wasm_import_module = "rebut")]
    unsafe extern "C" {
        pub(super) safe fn draw(min: i64, max: i64, origin: i64, shape: i32) -> i64;
        pub(super) fn draw_wide(numbers: *mut [i128; 4], shape: i32);
        pub(super) safe fn open(label: i64);
        pub(super) safe fn close();
        pub(super) fn stop(kind: i32, text: *const u8, length: usize);
        pub(super) safe fn failing();
        pub(super) fn panicked(
            message: *const u8,
            message_length: usize,
            file: *const u8,
            file_length: usize,
            line: u32,
            column: u32,
        );
        pub(super) fn describe(
            path: *const u8,
            path_length: usize,
            file: *const u8,
            file_length: usize,
            line: u32,
            flags: u32,
        );
        pub(super) fn shown(
            name: *const u8,
            name_length: usize,
            type_name: *const u8,
            type_length: usize,
            code: *const u8,
            code_length: usize,
        );
        pub(super) fn changed(nth: u32, code: *const u8, code_length: usize);
        pub(super) fn observe(what: u32, bytes: *const u8, length: usize);
        pub(super) safe fn observes(slot: u32) -> u32;
    }
}

/// Asks for a number of a domain.
pub(crate) fn choose(domain: &Domain) -> i128 {
    let shape = shape_of(domain);
    // Steps away from a value are for a search; there is none here.
    let max = if domain.role == Role::Steps { domain.min } else { domain.max };
    match (i64::try_from(domain.min), i64::try_from(max), i64::try_from(domain.origin)) {
        (Ok(min), Ok(max), Ok(origin)) => i128::from(imports::draw(min, max, origin, shape)),
        _ => {
            let mut numbers = [domain.min, max, domain.origin, 0];
            // SAFETY: the host reads the first three numbers and writes the fourth.
            unsafe { imports::draw_wide(&raw mut numbers, shape) };
            numbers[3]
        }
    }
}

/// The character of a number that the host chose from a domain of characters.
#[expect(unnecessary_transmutes, reason = "what is meant for it checks the number in debug builds")]
pub(crate) fn char_of(number: i128) -> char {
    const GAP_START: u32 = 0xD800;
    let number = number as u32;
    let scalar = number.wrapping_add(u32::from(number >= GAP_START) << 11);
    // SAFETY: the host chose a number of a domain of characters, and with the gap of the
    // surrogates left out each is a scalar value.
    unsafe { std::mem::transmute::<u32, char>(scalar) }
}

fn shape_of(domain: &Domain) -> i32 {
    let kind = match domain.kind {
        Kind::Boolean => 0,
        Kind::Integer => 1,
        Kind::Char => 2,
        Kind::Float32 => 3,
        Kind::Float64 => 4,
    };
    let role = match domain.role {
        Role::Value => 0,
        Role::Alternative => 1,
        Role::Length => 2,
        Role::Presence => 3,
        Role::Index => 4,
        Role::Steps => 5,
    };
    kind | role << 8
}

/// A span begins.
pub(crate) fn open(label: Label) {
    let shape = match label.shape() {
        Shape::Group => 0,
        Shape::Sequence => 1,
        Shape::Recursive => 2,
    };
    imports::open(shape << 32 | i64::from(label.id()));
}

/// The innermost span ends.
pub(crate) fn close() {
    imports::close();
}

/// Ends the case.
pub(crate) fn stop(stop: &Stop) -> ! {
    match stop {
        Stop::Rejected(why) => end(0, why),
        Stop::Misuse(what) => end(1, what),
        Stop::TooLarge => end(2, ""),
        Stop::Internal(what) => end(4, what),
    }
}

/// Ends the case: the input is one of those that are sought.
pub fn found() -> ! {
    end(3, "")
}

fn end(kind: i32, text: &str) -> ! {
    // SAFETY: the host reads the text and keeps nothing of it.
    unsafe { imports::stop(kind, text.as_ptr(), text.len()) };
    std::process::abort()
}

/// Says that the test fails: what is done from here on only puts it into words.
pub fn failing() {
    imports::failing();
}

/// Says with what the test failed, and where, if that is known.
pub fn panicked(message: &str, file: &str, line: u32, column: u32) {
    // SAFETY: the host reads the texts and keeps nothing of them.
    unsafe {
        imports::panicked(message.as_ptr(), message.len(), file.as_ptr(), file.len(), line, column);
    }
}

/// Says what a test is called, where it is, and what is to be known about it.
pub fn describe(path: &str, file: &str, line: u32, flags: u32) {
    // SAFETY: the host reads the texts and keeps nothing of them.
    unsafe {
        imports::describe(path.as_ptr(), path.len(), file.as_ptr(), file.len(), line, flags);
    }
}

/// Shows a value that was drawn: its name, its type if that is known, and the value as code.
pub fn shown(name: &str, type_name: &str, code: &str) {
    // SAFETY: the host reads the texts and keeps nothing of them.
    unsafe {
        imports::shown(
            name.as_ptr(),
            name.len(),
            type_name.as_ptr(),
            type_name.len(),
            code.as_ptr(),
            code.len(),
        );
    }
}

/// Says that a value that was shown is written otherwise by now.
pub fn changed(nth: usize, code: &str) {
    // SAFETY: the host reads the text and keeps nothing of it.
    unsafe { imports::changed(nth as u32, code.as_ptr(), code.len()) };
}

/// Tells a part of an observation; `what` says which, and what the bytes are. The host reads the
/// bytes as the code left them, symbols and all.
pub fn observe(what: u32, bytes: &[u8]) {
    // SAFETY: the host reads the bytes and keeps nothing of them.
    unsafe { imports::observe(what, bytes.as_ptr(), bytes.len()) };
}

/// Whether the host wants to know what is in a slot. The answer is plain: no path depends on it.
#[must_use]
pub fn observes(slot: u32) -> bool {
    imports::observes(slot) != 0
}
