//! What there is not in WebAssembly.
//!
//! The standard library has all its functions there, but those that need an operating system
//! panic, or return an error, or answer as if there were nothing: no files, no variables, no
//! input. A test that calls one does something else than in an ordinary build, so nothing can be
//! said about it.

use std::fmt::Write as _;

/// What a function of the standard library does that cannot be done in WebAssembly, by the name
/// that the module has for it; none for all other functions.
///
/// # Example
/// ```
/// use rebut_build::beyond;
/// assert_eq!(beyond("_RNvMNtCsebHcaeoSrxy_3std4timeNtB2_7Instant3now"), Some("reads the clock"));
/// assert_eq!(beyond("_ZN3std4path4Path4join17h0123456789abcdefE"), None);
/// ```
#[must_use]
pub fn beyond(symbol: &str) -> Option<&'static str> {
    // Copies of one function have a suffix.
    let symbol = symbol.split(".llvm.").next().unwrap_or(symbol);
    let mut name = String::new();
    write!(name, "{:#}", rustc_demangle::demangle(symbol)).ok()?;
    let name = plain(&name);
    let rest = name.strip_prefix("std::")?;
    let found = FUNCTIONS.iter().find(|(begin, _)| is_at(rest, begin))?;
    (!HARMLESS.iter().any(|begin| is_at(rest, begin))).then_some(found.1)
}

const THREAD: &str = "starts a thread";
const CLOCK: &str = "reads the clock";
const WAIT: &str = "waits for time to pass";
const FILE: &str = "uses the file system";
const ENVIRONMENT: &str = "looks at the environment of the process";
const NETWORK: &str = "uses the network";
const PROCESS: &str = "starts a process";
const EXIT: &str = "ends the process";
const INPUT: &str = "reads the standard input";

/// Beginnings of names, behind `std::`.
const FUNCTIONS: &[(&str, &str)] = &[
    ("thread::lifecycle::spawn_unchecked", THREAD),
    ("thread::Builder::spawn", THREAD),
    ("thread::builder::Builder::spawn", THREAD),
    ("thread::spawn", THREAD),
    ("thread::functions::spawn", THREAD),
    ("thread::scoped::Scope::spawn", THREAD),
    ("thread::sleep", WAIT),
    ("thread::functions::sleep", WAIT),
    ("thread::park_timeout", WAIT),
    ("thread::functions::park_timeout", WAIT),
    ("time::Instant::now", CLOCK),
    ("time::Instant::elapsed", CLOCK),
    ("time::SystemTime::now", CLOCK),
    ("time::SystemTime::elapsed", CLOCK),
    ("fs", FILE),
    ("env", ENVIRONMENT),
    ("net", NETWORK),
    ("process::Command", PROCESS),
    ("process::exit", EXIT),
    ("process::id", ENVIRONMENT),
    ("io::stdio::Stdin", INPUT),
    ("io::stdio::StdinLock", INPUT),
    ("io::stdio::StdinRaw", INPUT),
    ("sys::thread::unsupported", THREAD),
    ("sys::pal::wasm::thread", THREAD),
    ("sys::time::unsupported", CLOCK),
    ("sys::pal::wasm::time", CLOCK),
    ("sys::fs", FILE),
    ("sys::env", ENVIRONMENT),
    ("sys::env_consts", ENVIRONMENT),
    ("sys::args", ENVIRONMENT),
    ("sys::paths", ENVIRONMENT),
    ("sys::net", NETWORK),
    ("sys::process", PROCESS),
    ("sys::pipe", PROCESS),
];

/// What begins in the same way and needs no operating system.
const HARMLESS: &[&str] = &[
    "fs::OpenOptions::new",
    "fs::OpenOptions::read",
    "fs::OpenOptions::write",
    "fs::OpenOptions::append",
    "fs::OpenOptions::truncate",
    "fs::OpenOptions::create",
    "fs::OpenOptions::create_new",
    "fs::DirBuilder::new",
    "fs::DirBuilder::recursive",
    "env::split_paths",
    "env::join_paths",
    "sys::fs::common",
];

/// Whether a path begins with another, whole names compared.
fn is_at(path: &str, begin: &str) -> bool {
    let rest = path.strip_prefix(begin);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// A demangled name as a plain path: without types in angle brackets, and of a method the type
/// it belongs to: `<std::time::Instant>::now` is `std::time::Instant::now`, and
/// `<std::fs::File as std::io::Read>::read` is `std::fs::File::read`.
fn plain(name: &str) -> String {
    let mut plain = String::new();
    let mut depth = 0usize;
    let mut is_trait = false;
    let (own, inner) = match name.strip_prefix('<') {
        Some(rest) => (rest, 1usize),
        None => (name, 0),
    };
    let mut inner = inner;
    for (at, c) in own.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if depth > 0 => depth -= 1,
            '>' if inner > 0 => {
                inner = 0;
                is_trait = false;
            }
            _ if depth > 0 => {}
            ' ' if inner > 0 && own[at..].starts_with(" as ") => is_trait = true,
            _ if is_trait => {}
            c => plain.push(c),
        }
    }
    // What is left of `::<T>`.
    while plain.ends_with("::") {
        plain.truncate(plain.len() - 2);
    }
    plain.replace("::::", "::")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_paths() {
        for (name, path) in [
            ("<std::time::Instant>::now", "std::time::Instant::now"),
            ("std::env::var::<&str>", "std::env::var"),
            ("<std::fs::File as std::io::Read>::read", "std::fs::File::read"),
            ("<alloc::vec::Vec<std::fs::File>>::push", "alloc::vec::Vec::push"),
            ("std::fs::read::inner", "std::fs::read::inner"),
            ("<std::fs::OpenOptions>::open::<&std::path::Path>", "std::fs::OpenOptions::open"),
        ] {
            assert_eq!(plain(name), path);
        }
    }

    #[test]
    fn what_needs_an_operating_system_is_known_by_its_name() {
        for (symbol, what) in [
            ("_ZN3std6thread9lifecycle15spawn_unchecked17h00ea510770b88e27E", Some(THREAD)),
            ("_RNvNtNtCsebHcaeoSrxy_3std6thread9functions5sleep", Some(WAIT)),
            ("_RINvNtCs9sZ8GxQ1ES9_3std3env3varReEB4_", Some(ENVIRONMENT)),
            ("_RNvNvNtCs9sZ8GxQ1ES9_3std2fs4read5inner", Some(FILE)),
            ("_RNvMsl_NtCs9sZ8GxQ1ES9_3std2fsNtB5_11OpenOptions3new", None),
            ("_RNvMs1_NtNtCs9sZ8GxQ1ES9_3std2io5stdioNtB5_5Stdin9read_line", Some(INPUT)),
            ("_RNvNtNtCs9sZ8GxQ1ES9_3std2io5stdio6__print", None),
            ("_RNvNtNtNtCs9sZ8GxQ1ES9_3std3sys6random11unsupported19hashmap_random_keys", None),
            ("rebut_test_reads_a_file_3", None),
            ("", None),
        ] {
            assert_eq!(beyond(symbol), what, "{symbol}");
        }
    }
}
