//! The backtrace of a panic, if `RUST_BACKTRACE` asks for one.
//!
//! Rebut captures it only where it reports the case: resolving the names takes milliseconds. As in
//! the standard library, `RUST_BACKTRACE=1` leaves out the frames of the runtime, and here also
//! those of Rebut: those that run the case, those that report a broken contract, and those between
//! the property and the code that a generated program calls. `RUST_BACKTRACE=full` shows all of them.

use std::backtrace::Backtrace;
use std::fmt::Write as _;

use crate::strings::{find, lines};

/// Captures the backtrace of this thread, called in a panic hook. The title is its first line.
#[inline(never)]
pub(crate) fn capture(title: &str) -> Option<String> {
    let wanted = std::env::var("RUST_BACKTRACE").unwrap_or_default();
    let frames = match wanted.as_str() {
        "" | "0" => return None,
        "full" => format!("{:#}", Backtrace::force_capture()),
        _ => shortened(&Backtrace::force_capture().to_string()),
    };
    Some(format!("{title}\n{}\n", frames.trim_end()))
}

/// The last frame of a panic: the code under test called it. The standard library changes its
/// names, so each of several is enough.
const PANIC: [&str; 4] =
    ["__rust_end_short_backtrace", "rust_begin_unwind", "core::panicking::", "std::panicking::"];
/// The first frame that called the property.
const CALLER: [&str; 2] = ["rebut_run::", "__rust_begin_short_backtrace"];
/// The frames of the runtime around a call through a pointer or with `catch_unwind`.
const RUNTIME: [&str; 6] = [
    "__rust_try",
    "catch_unwind<",
    "core::ops::function::",
    "do_call<",
    "std::panic::catch_unwind",
    "std::panicking::",
];
/// The crates of Rebut that users' tests build, without `rebut-`.
const CRATES: [&str; 6] = ["choice", "contract", "gen", "protocol", "run", "search"];

/// Returns whether a frame is one of Rebut or of the runtime. An inlined function has a name without
/// its crate, so the location counts too.
fn is_internal(name: &str, places: &[&str]) -> bool {
    let name = name.trim_start_matches('<');
    let is_closure_of_runtime =
        name.starts_with("core::panic::unwind_safe::") || name.starts_with("alloc::boxed::Box<F");
    is_closure_of_runtime
        || RUNTIME.iter().any(|begin| name.starts_with(begin))
        || CRATES.iter().any(|one| {
            // The table of a contract is code in the crate of the user.
            let own = ["rebut_", one, "::"].concat();
            let is_implemented = |by: &str| find(name, &[by, &own].concat()).is_some();
            let is_place = |place: &&str| match find(place, &["rebut-", one].concat()) {
                // A published crate has its version in the name of the directory.
                Some(at) => {
                    let rest = &place[at + "rebut-".len() + one.len()..];
                    let rest =
                        rest.trim_start_matches(|c: char| "-.".contains(c) || c.is_ascii_digit());
                    rest.starts_with("/src/") || rest.starts_with("\\src\\")
                }
                None => false,
            };
            name.starts_with(&own)
                || is_implemented(" as ")
                || is_implemented("impl ")
                || places.iter().any(is_place)
        })
}

/// Returns the frames between the panic and the code that runs cases, without those of Rebut. Returns
/// all of them if their names are unknown.
#[inline(never)]
fn shortened(backtrace: &str) -> String {
    let mut frames: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in lines(backtrace) {
        match name_of_frame(line) {
            Some(name) => frames.push((name, Vec::new())),
            None => {
                if let Some((_, places)) = frames.last_mut() {
                    places.push(line);
                }
            }
        }
    }
    let is_any = |name: &str, parts: &[&str]| parts.iter().any(|part| find(name, part).is_some());
    let begin = frames.iter().position(|(name, _)| is_any(name, &PANIC)).map_or(0, |first| {
        let is_panic = |frame: &&(&str, Vec<&str>)| is_any(frame.0, &PANIC);
        // A panic while another one unwinds has the frames of both.
        first + frames[first..].iter().take_while(is_panic).count()
    });
    let end = frames[begin..].iter().position(|(name, _)| is_any(name, &CALLER));
    let end = end.map_or(frames.len(), |end| begin + end);
    let mut text = String::new();
    let shown = frames[begin..end].iter().filter(|(name, places)| !is_internal(name, places));
    for (nth, (name, places)) in shown.enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{nth:4}: {name}");
        for place in places {
            let _ = writeln!(text, "{place}");
        }
    }
    text
}

/// Returns the name in a line such as `  12: core::panicking::panic_fmt`.
fn name_of_frame(line: &str) -> Option<&str> {
    let rest = line.trim_start();
    let name = rest.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let is_frame = name.len() < rest.len();
    name.strip_prefix(": ").filter(|_| is_frame)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_the_runtime_and_of_rebut_are_left_out() {
        let backtrace = "\
   0: rebut_run::backtrace::capture
             at ./src/backtrace.rs:17:1
   1: std::panicking::panic_with_hook
   2: std::sys::backtrace::__rust_end_short_backtrace
   3: __rustc::rust_begin_unwind
   4: core::panicking::panic_fmt
             at /rustc/0/library/core/src/panicking.rs:80:14
   5: demo::check
             at ./src/lib.rs:3:5
   6: demo::prop::{{closure}}
   7: core::ops::function::FnOnce::call_once
  10: rebut_run::execute::run
             at ./src/execute.rs:1:1
  11: std::thread::lifecycle::spawn
";
        let expected =
            "   0: demo::check\n             at ./src/lib.rs:3:5\n   1: demo::prop::{{closure}}\n";
        assert_eq!(shortened(backtrace), expected);
        let of_program = "\
   0: std::sys::backtrace::__rust_end_short_backtrace
   1: core::panicking::panic_fmt
   2: fail
             at /home/me/.cargo/registry/src/index/rebut-contract-0.1.0/src/blame.rs:3:5
   3: rebut_contract::blame::Call::break_ensures
   4: demo::Stack::push::{{closure}}
             at ./src/lib.rs:3:5
   5: call_once<demo::Stack>
             at /home/me/rebut/crates/rebut-contract/src/blame.rs:4:5
   6: demo::Stack::push
   7: demo::_::<impl rebut_contract::table::Contracted for demo::Stack>::register::{{closure}}
   8: core::ops::function::FnOnce::call_once
   9: rebut_contract::program::run::call
  10: do_call<core::panic::unwind_safe::AssertUnwindSafe<rebut_contract::program::run>>
  11: demo::prop
  12: <core::panic::unwind_safe::AssertUnwindSafe<F> as core::ops::function::FnOnce<()>>::call_once
  13: rebut_run::execute::run
  14: demo::main
";
        let expected = "   0: demo::Stack::push::{{closure}}\n             at ./src/lib.rs:3:5\n   \
                        1: demo::Stack::push\n   2: demo::prop\n";
        assert_eq!(shortened(of_program), expected);
        assert_eq!(
            shortened("   0: <unknown>\n   1: <unknown>\n"),
            "   0: <unknown>\n   1: <unknown>\n"
        );
        assert_eq!(shortened("disabled backtrace"), "");
    }
}
