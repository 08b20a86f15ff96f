//! Conditions of the compiler (`cfg`), and their results for two targets.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Predicate {
    All(Vec<Predicate>),
    Any(Vec<Predicate>),
    Not(Box<Predicate>),
    /// A name, or a name with a value.
    Option(String, Option<String>),
    /// `true` or `false`.
    Literal(bool),
}

impl Predicate {
    /// Parses the tokens between the parentheses of `cfg(..)`; `None` if they are not a condition.
    pub(super) fn parse(tokens: TokenStream) -> Option<Predicate> {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        match tokens.as_slice() {
            [TokenTree::Ident(name)] => Some(match name.to_string().as_str() {
                "true" => Predicate::Literal(true),
                "false" => Predicate::Literal(false),
                "_" => return None,
                name => Predicate::Option(name.to_owned(), None),
            }),
            [TokenTree::Ident(name), TokenTree::Punct(equals), TokenTree::Literal(value)]
                if equals.as_char() == '=' =>
            {
                let value = value.to_string().trim_matches('"').to_owned();
                Some(Predicate::Option(name.to_string(), Some(value)))
            }
            [TokenTree::Ident(name), TokenTree::Group(group)]
                if group.delimiter() == Delimiter::Parenthesis =>
            {
                let mut parts = split(group.stream()).into_iter().map(Predicate::parse);
                Some(match name.to_string().as_str() {
                    "all" => Predicate::All(parts.collect::<Option<_>>()?),
                    "any" => Predicate::Any(parts.collect::<Option<_>>()?),
                    "not" => Predicate::Not(Box::new(parts.next()??)),
                    _ => return None,
                })
            }
            _ => None,
        }
    }

    /// The result, if it is known.
    fn result(&self, value: &dyn Fn(&str, Option<&str>) -> Option<bool>) -> Option<bool> {
        match self {
            Predicate::Literal(literal) => Some(*literal),
            Predicate::Option(name, of) => value(name, of.as_deref()),
            Predicate::Not(inner) => inner.result(value).map(|result| !result),
            Predicate::All(parts) => {
                let results: Vec<Option<bool>> =
                    parts.iter().map(|part| part.result(value)).collect();
                if results.contains(&Some(false)) {
                    return Some(false);
                }
                results.iter().all(Option::is_some).then_some(true)
            }
            Predicate::Any(parts) => {
                let results: Vec<Option<bool>> =
                    parts.iter().map(|part| part.result(value)).collect();
                if results.contains(&Some(true)) {
                    return Some(true);
                }
                results.iter().all(Option::is_some).then_some(false)
            }
        }
    }
}

/// Splits tokens at commas.
pub(super) fn split(tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    for token in tokens {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == ',' => parts.push(TokenStream::new()),
            _ => parts.iter_mut().last().into_iter().for_each(|part| part.extend([token.clone()])),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The options that the compiler sets for the explored target and for that of the machine.
#[derive(Clone, Debug, Default)]
pub(super) struct Targets {
    explored: BTreeSet<String>,
    native: BTreeSet<String>,
}

/// Options whose names begin in this way are set by the compiler for a target, and those that are
/// not set are false.
const OF_TARGETS: [&str; 2] = ["target_", "panic"];

/// Names that the compiler sets for families of targets.
const FAMILIES: [&str; 4] = ["unix", "windows", "wasm", "overflow_checks"];

/// Names that no build of a test sets.
const NEVER_SET: [&str; 4] = ["doc", "doctest", "miri", "rust_analyzer"];

impl Targets {
    /// Reads two outputs of `rustc --print cfg`.
    pub(super) fn new(explored: &str, native: &str) -> Targets {
        let read = |text: &str| text.lines().map(str::to_owned).collect();
        let mut targets = Targets { explored: read(explored), native: read(native) };
        // Set by our own build, so that `getrandom` builds.
        targets.explored.insert("getrandom_backend=\"custom\"".to_owned());
        targets
    }

    /// Whether a condition may have different results for the two targets. `of_build_script` are
    /// options that may be set for one of them only.
    pub(super) fn differ(&self, predicate: &Predicate, of_build_script: &BTreeSet<String>) -> bool {
        let result = |set: &BTreeSet<String>, is_native: bool| {
            predicate.result(&|name, of| match of_build_script.contains(name) {
                true => Some(is_native),
                false => self.value(set, name, of),
            })
        };
        if self.native.is_empty() {
            return mentions(predicate, of_build_script);
        }
        result(&self.explored, false) != result(&self.native, true)
    }

    fn value(&self, set: &BTreeSet<String>, name: &str, of: Option<&str>) -> Option<bool> {
        let is_of_target = OF_TARGETS.iter().any(|prefix| name.starts_with(prefix))
            || FAMILIES.contains(&name)
            || name == "getrandom_backend";
        if NEVER_SET.contains(&name) {
            return Some(false);
        }
        let entry = of.map_or_else(|| name.to_owned(), |of| format!("{name}=\"{of}\""));
        // The dev profile of a native test and the explored build both check overflows.
        (is_of_target && name != "overflow_checks").then(|| set.contains(&entry))
    }
}

/// Whether a condition mentions an option of the target or of a build script.
fn mentions(predicate: &Predicate, of_build_script: &BTreeSet<String>) -> bool {
    match predicate {
        Predicate::All(parts) | Predicate::Any(parts) => {
            parts.iter().any(|part| mentions(part, of_build_script))
        }
        Predicate::Not(inner) => mentions(inner, of_build_script),
        Predicate::Option(name, _) => {
            OF_TARGETS.iter().any(|prefix| name.starts_with(prefix))
                || FAMILIES.contains(&name.as_str())
                || of_build_script.contains(name)
        }
        Predicate::Literal(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differ(text: &str) -> bool {
        let explored = "panic=\"abort\"\ntarget_arch=\"wasm32\"\ntarget_endian=\"little\"\n\
                        target_family=\"wasm\"\ntarget_pointer_width=\"32\"\n\
                        target_has_atomic=\"64\"\ndebug_assertions\n";
        let native = "panic=\"unwind\"\ntarget_arch=\"x86_64\"\ntarget_endian=\"little\"\n\
                      target_family=\"unix\"\ntarget_pointer_width=\"64\"\nunix\n\
                      target_has_atomic=\"64\"\ndebug_assertions\n";
        let predicate = Predicate::parse(text.parse().expect("tokens"));
        let of_build_script = BTreeSet::from(["has_threads".to_owned()]);
        Targets::new(explored, native).differ(&predicate.expect("a condition"), &of_build_script)
    }

    #[test]
    fn only_conditions_with_two_results_differ() {
        for text in [
            "unix",
            "not(unix)",
            "target_arch = \"x86_64\"",
            "target_pointer_width = \"64\"",
            "any(windows, target_family = \"unix\")",
            "all(feature = \"fast\", target_arch = \"x86_64\")",
            "panic = \"unwind\"",
            "not(has_threads)",
        ] {
            assert!(differ(text), "{text}");
        }
        for text in [
            "windows",
            "not(windows)",
            "test",
            "feature = \"std\"",
            "any(test, not(windows))",
            "target_endian = \"little\"",
            "target_has_atomic = \"64\"",
            "target_pointer_width = \"16\"",
            "debug_assertions",
            "has_files",
            "miri",
            "all(miri, unix)",
            "any(unix, target_family = \"wasm\")",
            "true",
        ] {
            assert!(!differ(text), "{text}");
        }
    }

    #[test]
    fn other_tokens_are_not_parsed() {
        for text in ["", "_", "a b", "a = b", "some(x)"] {
            assert_eq!(Predicate::parse(text.parse().expect("tokens")), None, "{text}");
        }
    }
}
