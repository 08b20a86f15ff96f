//! The interface between an explored test and its host.
//!
//! Exploration builds a test for WebAssembly and runs it in an engine that follows each choice
//! through the code. There the source asks the host for choices and does not check the answers: a
//! check would branch on a choice and add a path to explore. For the same reason this module
//! records nothing; the host has the tape.
//!
//! This module declares all functions of the wasm import module `rebut`. No other module declares
//! any.
#![expect(unsafe_code, reason = "imported functions need an unsafe extern block")]

use rebut_protocol::wasm::{EntryFlags, ObservationPart, StopCode, WideDraw};

use crate::text::{GAP_BITS, GAP_START};
use crate::{Domain, Label, Role, Stop, wire};

mod imports {
    use rebut_protocol::wasm::WideDraw;

    #[link(wasm_import_module = "rebut")]
    unsafe extern "C" {
        pub(super) safe fn draw(min: i64, max: i64, origin: i64, kind: i32) -> i64;
        pub(super) fn draw_wide(numbers: *mut [i128; WideDraw::COUNT], kind: i32);
        pub(super) safe fn open(label: i64);
        pub(super) safe fn close();
        pub(super) fn stop(code: u32, text: *const u8, length: usize);
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
        pub(super) fn observe(packed: u32, bytes: *const u8, length: usize);
        pub(super) safe fn observes(slot: u32) -> u32;
    }
}

/// Asks the host for a number from a domain.
pub(crate) fn choose(domain: &Domain) -> i128 {
    let kind = wire::pack_kind(domain.kind, domain.role);
    // Only a search and the shrinker take steps, and there is none of them here.
    let max = if domain.role.is_walk() { domain.min } else { domain.max };
    match (i64::try_from(domain.min), i64::try_from(max), i64::try_from(domain.origin)) {
        (Ok(min), Ok(max), Ok(origin)) => i128::from(imports::draw(min, max, origin, kind)),
        _ => {
            let mut numbers = [domain.min, max, domain.origin, 0];
            // SAFETY: the host reads the first three numbers and writes the fourth.
            unsafe { imports::draw_wide(&raw mut numbers, kind) };
            numbers[WideDraw::ANSWER]
        }
    }
}

/// Returns the character of a number that the host chose from a domain of characters.
#[expect(
    unnecessary_transmutes,
    reason = "`char::from_u32_unchecked` checks the number in debug builds"
)]
pub(crate) fn char_of(number: i128) -> char {
    let number = number as u32;
    // Like `text::char_of`, but without a branch, so that exploration does not fork here.
    let scalar = number.wrapping_add(u32::from(number >= GAP_START) << GAP_BITS);
    // SAFETY: the host chose a number from a domain of characters, and with the gap of the
    // surrogates left out each is a scalar value.
    unsafe { std::mem::transmute::<u32, char>(scalar) }
}

/// Reports that a span begins.
pub(crate) fn open(label: Label) {
    imports::open(wire::pack_label(label));
}

/// Reports that the innermost span ends.
pub(crate) fn close() {
    imports::close();
}

/// Ends the case with this reason.
pub(crate) fn stop(stop: &Stop) -> ! {
    match stop {
        Stop::Rejected(why) => end(StopCode::Rejected, why),
        Stop::Misuse(what) => end(StopCode::Misuse, what),
        Stop::TooLarge => end(StopCode::TooLarge, ""),
        Stop::Internal(what) => end(StopCode::Internal, what),
    }
}

/// Ends the case because the input matches.
pub fn found() -> ! {
    end(StopCode::Found, "")
}

fn end(code: StopCode, text: &str) -> ! {
    // SAFETY: the host reads the string and keeps no reference to it.
    unsafe { imports::stop(code.to_wire(), text.as_ptr(), text.len()) };
    std::process::abort()
}

/// Reports that the test has failed. From here on the test only describes the failure.
pub fn failing() {
    imports::failing();
}

/// Reports the message and the location of the failure. An unknown location has an empty file
/// name.
pub fn panicked(message: &str, file: &str, line: u32, column: u32) {
    // SAFETY: the host reads the strings and keeps no reference to them.
    unsafe {
        imports::panicked(message.as_ptr(), message.len(), file.as_ptr(), file.len(), line, column);
    }
}

/// Reports the path, the location and the flags of a test.
pub fn describe(path: &str, file: &str, line: u32, flags: EntryFlags) {
    // SAFETY: the host reads the strings and keeps no reference to them.
    unsafe {
        imports::describe(path.as_ptr(), path.len(), file.as_ptr(), file.len(), line, flags.0);
    }
}

/// Reports a generated value: its name, its type if known, and its code.
pub fn shown(name: &str, type_name: &str, code: &str) {
    // SAFETY: the host reads the strings and keeps no reference to them.
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

/// Reports the new code of a value that was reported before.
pub fn changed(nth: usize, code: &str) {
    // SAFETY: the host reads the string and keeps no reference to it.
    unsafe { imports::changed(nth as u32, code.as_ptr(), code.len()) };
}

/// Reports a part of an observation. `slot` is 0 except where an observation begins. The host reads
/// the bytes in memory, with their symbols.
pub fn observe(part: ObservationPart, slot: u32, bytes: &[u8]) {
    // SAFETY: the host reads the bytes and keeps no reference to them.
    unsafe { imports::observe(part.pack(slot), bytes.as_ptr(), bytes.len()) };
}

/// Returns whether the host observes this slot. The answer is concrete, so no path depends on it.
#[must_use]
pub fn observes(slot: u32) -> bool {
    imports::observes(slot) != 0
}
