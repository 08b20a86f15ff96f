//! `overflow_checks!`: whether the crate that is being compiled checks overflows.
//!
//! There is no stable `cfg` for that, and a program can find out only by a panic. A panic calls the
//! hook of the user, which may end the process. The compiler that expands this macro knows it: from
//! its own arguments.

use proc_macro2::TokenStream;
use quote::quote;

/// Expands to `Some(true)`, `Some(false)`, or `None` if the arguments are unknown.
pub(crate) fn expand() -> TokenStream {
    let arguments = std::env::args_os().filter_map(|argument| argument.into_string().ok());
    let arguments: Vec<String> = arguments.collect();
    // On some systems a library does not see the arguments of its process.
    if arguments.is_empty() {
        return quote!(::core::option::Option::None);
    }
    let checks = has_overflow_checks(&with_files(arguments));
    quote!(::core::option::Option::Some(#checks))
}

/// Replaces `@path` by the lines of that file. Cargo writes one if there are too many arguments.
fn with_files(arguments: Vec<String>) -> Vec<String> {
    let mut all = Vec::new();
    for argument in arguments {
        match argument.strip_prefix('@').and_then(|path| std::fs::read_to_string(path).ok()) {
            Some(text) => all.extend(text.lines().map(str::to_owned)),
            None => all.push(argument),
        }
    }
    all
}

/// Returns whether a compiler with these arguments checks overflows. The last of several options
/// decides. Without one it does if it has debug assertions, and these depend on the optimization.
fn has_overflow_checks(arguments: &[String]) -> bool {
    let (mut overflows, mut assertions, mut optimizes) = (None, None, false);
    let mut is_option = false;
    for argument in arguments {
        let option = match argument.as_str() {
            option if std::mem::take(&mut is_option) => option,
            "-C" | "--codegen" => {
                is_option = true;
                continue;
            }
            "-O" => "opt-level=3",
            other => match other.strip_prefix("--codegen=").or(other.strip_prefix("-C")) {
                Some(option) => option,
                None => continue,
            },
        };
        let (name, value) = option.split_once('=').unwrap_or((option, "yes"));
        let is_on = matches!(value, "y" | "yes" | "on" | "true");
        match name.replace('_', "-").as_str() {
            "overflow-checks" => overflows = Some(is_on),
            "debug-assertions" => assertions = Some(is_on),
            "opt-level" => optimizes = value != "0",
            _ => {}
        }
    }
    overflows.or(assertions).unwrap_or(!optimizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overflow_checks_follow_from_the_arguments() {
        for (arguments, expected) in [
            ("rustc src/lib.rs", true),
            ("rustc -C debuginfo=2", true),
            ("rustc -C opt-level=3", false),
            ("rustc -O", false),
            ("rustc -Copt-level=0", true),
            ("rustc -C opt-level=3 -C debug-assertions=on", true),
            ("rustc -C debug-assertions=off", false),
            ("rustc --codegen=opt-level=s --codegen overflow-checks", true),
            ("rustc -C overflow-checks=off -C debug_assertions=on", false),
            ("rustc -C overflow-checks=off -C overflow_checks=on", true),
            ("rustc --cfg overflow-checks -C opt-level=2", false),
        ] {
            let all: Vec<String> = arguments.split(' ').map(str::to_owned).collect();
            assert_eq!(has_overflow_checks(&all), expected, "{arguments}");
        }
    }

    #[test]
    fn files_of_arguments_are_read() {
        let path = std::env::temp_dir().join(format!("rebut-arguments-{}", std::process::id()));
        std::fs::write(&path, "-C\noverflow-checks=off\n").expect("a file");
        let arguments = vec!["rustc".to_owned(), format!("@{}", path.display())];
        let all = with_files(arguments);
        std::fs::remove_file(&path).expect("the file");
        assert_eq!(all, ["rustc", "-C", "overflow-checks=off"]);
        assert!(!has_overflow_checks(&all));
    }
}
