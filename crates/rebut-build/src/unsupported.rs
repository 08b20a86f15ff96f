//! Functions of the standard library that do not work in WebAssembly.
//!
//! The standard library has all its functions there, but those that need an operating system
//! panic, return an error, or find nothing: no files, no variables, no input. A test that calls one
//! behaves differently than in an ordinary build, so exploration must stop at the call.

use std::fmt::Write as _;

/// Describes why a function of the standard library is unsupported in WebAssembly, from its mangled
/// name; `None` for all other functions.
///
/// # Example
/// ```
/// use rebut_build::unsupported_call;
/// let now = "_RNvMNtCsebHcaeoSrxy_3std4timeNtB2_7Instant3now";
/// assert_eq!(unsupported_call(now), Some("reads the clock"));
/// assert_eq!(unsupported_call("_ZN3std4path4Path4join17h0123456789abcdefE"), None);
/// ```
#[must_use]
pub fn unsupported_call(symbol: &str) -> Option<&'static str> {
    // LLVM appends a suffix to copies of a function.
    let symbol = symbol.split(".llvm.").next().unwrap_or(symbol);
    let mut name = String::new();
    write!(name, "{:#}", rustc_demangle::demangle(symbol)).ok()?;
    let path = plain_path(&name);
    let rest = path.strip_prefix("std::")?;
    if REFUSALS.iter().any(|refusal| is_below(rest, refusal)) {
        return Some(refused(&name));
    }
    let found = UNSUPPORTED.iter().find(|(prefix, _)| is_below(rest, prefix))?;
    (!SUPPORTED.iter().any(|prefix| is_below(rest, prefix))).then_some(found.1)
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
const SYSTEM: &str = "needs an operating system";

/// Paths below `std::` that need an operating system, with the reason.
const UNSUPPORTED: &[(&str, &str)] = &[
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

/// The functions with which the standard library refuses what a platform lacks. Only a call of one
/// of them is left if the function that refuses is inlined into the test.
const REFUSALS: [&str; 4] = [
    "sys::pal::wasm::common::unsupported",
    "sys::pal::wasm::common::unsupported_err",
    "sys::pal::unsupported::common::unsupported",
    "sys::pal::unsupported::common::unsupported_err",
];

/// Describes what is refused, from the type of the result in the name of the instance:
/// `unsupported::<std::sys::net::connection::unsupported::TcpStream>`. The other function has none.
fn refused(name: &str) -> &'static str {
    let known = [("::net::", NETWORK), ("::fs::", FILE), ("::process::", PROCESS)];
    let found = known.iter().find(|(part, _)| name.contains(part));
    found.map_or(SYSTEM, |(_, reason)| reason)
}

/// Exceptions to [`UNSUPPORTED`]: these need no operating system, or have an answer of their own.
/// Exploration knows that such an answer differs from the native one.
const SUPPORTED: &[&str] = &[
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
    "sys::thread::unsupported::available_parallelism",
    "sys::pal::wasm::thread::available_parallelism",
];

/// Whether a path is `ancestor` or below it; compares whole names.
fn is_below(path: &str, ancestor: &str) -> bool {
    let rest = path.strip_prefix(ancestor);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Turns a demangled name into a plain path, without generic arguments and traits:
/// `<std::time::Instant>::now` becomes `std::time::Instant::now`, and
/// `<std::fs::File as std::io::Read>::read` becomes `std::fs::File::read`.
fn plain_path(name: &str) -> String {
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
    // `::<T>` leaves a trailing `::`.
    while plain.ends_with("::") {
        plain.truncate(plain.len() - 2);
    }
    plain.replace("::::", "::")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demangled_names_become_plain_paths() {
        for (name, path) in [
            ("<std::time::Instant>::now", "std::time::Instant::now"),
            ("std::env::var::<&str>", "std::env::var"),
            ("<std::fs::File as std::io::Read>::read", "std::fs::File::read"),
            ("<alloc::vec::Vec<std::fs::File>>::push", "alloc::vec::Vec::push"),
            ("std::fs::read::inner", "std::fs::read::inner"),
            ("<std::fs::OpenOptions>::open::<&std::path::Path>", "std::fs::OpenOptions::open"),
        ] {
            assert_eq!(plain_path(name), path);
        }
    }

    #[test]
    fn functions_that_need_an_operating_system_are_unsupported() {
        for (symbol, reason) in [
            ("_ZN3std6thread9lifecycle15spawn_unchecked17h00ea510770b88e27E", Some(THREAD)),
            ("_RNvNtNtCsebHcaeoSrxy_3std6thread9functions5sleep", Some(WAIT)),
            ("_RINvNtCs9sZ8GxQ1ES9_3std3env3varReEB4_", Some(ENVIRONMENT)),
            ("_RNvNvNtCs9sZ8GxQ1ES9_3std2fs4read5inner", Some(FILE)),
            ("_RNvMsl_NtCs9sZ8GxQ1ES9_3std2fsNtB5_11OpenOptions3new", None),
            ("_RNvMs1_NtNtCs9sZ8GxQ1ES9_3std2io5stdioNtB5_5Stdin9read_line", Some(INPUT)),
            ("_RNvNtNtCs9sZ8GxQ1ES9_3std2io5stdio6__print", None),
            ("_RNvNtNtNtCs9sZ8GxQ1ES9_3std3sys6random11unsupported19hashmap_random_keys", None),
            (
                "_RINvNtNtNtNtCs3ksmVxnaIPJ_3std3sys3pal4wasm6common11unsupportedNtNtNtNtB8_3net10connection11unsupported9TcpStreamEBa_",
                Some(NETWORK),
            ),
            ("_RNvNtNtNtNtCs3ksmVxnaIPJ_3std3sys3pal4wasm6common15unsupported_err", Some(SYSTEM)),
            ("rebut_test_reads_a_file_3", None),
            ("", None),
        ] {
            assert_eq!(unsupported_call(symbol), reason, "{symbol}");
        }
    }
}
