//! The functions whose results differ between the explored module and the native program.
//!
//! # The mathematical library
//!
//! Operators of floats, `sqrt`, `floor`, `ceil`, `trunc`, `round`, `rint`, `fma`, `fmod`, `fdim`
//! and `copysign` have exactly one result by IEEE 754, and `powi` is the same sequence of products
//! in every build. The functions in [`INEXACT`] have none: WebAssembly has no mathematical library,
//! so the compiler's own (a port of musl's) is linked there, while a native program calls that of
//! the system. Both are within about one unit in the last place of the true result, and often on
//! different sides of it. They are recognized by their names, which are those of C and not mangled.
//! A function with a mangled name (of a crate such as `libm`) is the same code in both programs.
//!
//! Every call of such a function raises the doubt, also with constant arguments: the boundary of a
//! comparison with the result moves by a last bit, and no run needs to be on that boundary. A call
//! that the compiler evaluated itself is not in the module, and has the same result in both.
//!
//! # Questions about the machine
//!
//! [`ANSWERS`] work in WebAssembly, but give an answer of their own. Functions that cannot work at
//! all end the run instead (`rebut_build::unsupported_call`). Constants such as
//! `std::env::consts::OS` are not calls; they are found in the sources.

use std::borrow::Cow;

use super::Doubt;

/// The functions of C's mathematical library without an exact result, for 64 bits; those for 32
/// bits have an `f` at the end.
const INEXACT: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "erf",
    "erfc", "exp", "exp10", "exp2", "expm1", "hypot", "lgamma", "log", "log10", "log1p", "log2",
    "pow", "sin", "sincos", "sinh", "tan", "tanh", "tgamma",
];

/// Functions of the standard library that answer differently, and what they answer. The first part
/// is looked for in the mangled name, because few names are worth demangling.
const ANSWERS: &[(&str, &str, &str)] = &[
    ("available_parallelism", "std::thread::", "the number of processors"),
    ("is_absolute", "std::path::Path", "whether a path is absolute"),
    ("is_absolute", "std::sys::path::", "whether a path is absolute"),
    ("decode_error_kind", "std::sys::", "the meaning of an error code of the system"),
    ("error_string", "std::sys::", "the text of an error of the system"),
    ("is_terminal", "std::sys::", "whether a stream is a terminal"),
    ("6Thread4name", "std::thread::", "the name of the thread"),
];

/// Returns the doubt that a call of a function raises, given its symbol.
pub(crate) fn doubt_of_call(symbol: &str) -> Option<Doubt> {
    if !symbol.starts_with("_Z") && !symbol.starts_with("_R") {
        // `lgamma_r` returns the sign through a pointer.
        let plain = symbol.strip_suffix("_r").unwrap_or(symbol);
        let wide = plain.strip_suffix('f').filter(|wide| INEXACT.contains(wide));
        let is_inexact = wide.is_some() || INEXACT.contains(&plain);
        return is_inexact.then(|| Doubt::Math(wide.unwrap_or(plain).to_owned()));
    }
    let mut answers = ANSWERS.iter().filter(|(part, ..)| symbol.contains(part)).peekable();
    answers.peek()?;
    let name = plain_name(symbol);
    let name = name.trim_start_matches('<');
    let answer = answers.find(|(_, owner, _)| name.starts_with(owner));
    answer.map(|(.., what)| Doubt::Target((*what).to_owned()))
}

/// Returns a symbol as a path of Rust.
pub(crate) fn plain_name(symbol: &str) -> String {
    // LLVM appends a suffix to copies of a function and to parts of a variable.
    let symbol = symbol.split(".llvm.").next().unwrap_or(symbol);
    let end = symbol.find('.').filter(|_| symbol.starts_with('_')).unwrap_or(symbol.len());
    addr2line::demangle_auto(Cow::Borrowed(&symbol[..end]), None).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_functions_of_c_without_an_exact_result_raise_a_doubt() {
        let math = |name: &str| Some(Doubt::Math(name.to_owned()));
        for (symbol, expected) in [
            ("sin", math("sin")),
            ("sinf", math("sin")),
            ("erf", math("erf")),
            ("lgamma_r", math("lgamma")),
            ("sqrt", None),
            ("fma", None),
            ("fmod", None),
            ("round", None),
            ("__powidf2", None),
            ("_RNvNtNtNtCslI1GThcOss0_17compiler_builtins4math9libm_math3sin3sin", None),
            ("_ZN4libm4math3sin3sin17h0123456789abcdefE", None),
        ] {
            assert_eq!(doubt_of_call(symbol), expected, "{symbol}");
        }
    }

    #[test]
    fn questions_about_the_machine_raise_a_doubt() {
        let target = |what: &str| Some(Doubt::Target(what.to_owned()));
        let path = "whether a path is absolute";
        for (symbol, expected) in [
            (
                "_RNvNtNtCsiC0RuLrJTHX_3std6thread9functions21available_parallelism",
                target("the number of processors"),
            ),
            ("_RNvMs16_NtCsiC0RuLrJTHX_3std4pathNtB6_4Path11is_absolute", target(path)),
            ("_ZN3std4path4Path11is_absolute17h0123456789abcdefE", target(path)),
            (
                "_RNvMs_NtNtCsiC0RuLrJTHX_3std6thread6threadNtB4_6Thread4name",
                target("the name of the thread"),
            ),
            ("_ZN4mine4Path11is_absolute17h0123456789abcdefE", None),
            ("_RNvNtCsiC0RuLrJTHX_3std4path4join", None),
        ] {
            assert_eq!(doubt_of_call(symbol), expected, "{symbol}");
        }
    }
}
