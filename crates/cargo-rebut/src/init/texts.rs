//! Strings that parsers accept: found among the literals of a package, and generalized.
//!
//! A property of a parser is useless if no input parses, and random text rarely does. The
//! documentation and the tests of a crate contain inputs that parse. This module therefore runs
//! each parser on all string literals of the package. It generalizes an accepted literal by
//! replacing its digits and letters: whatever the parser still accepts becomes part of a pattern.
//! This is grammar inference from examples with a membership oracle (Bastani et al., "Synthesizing
//! Program Input Grammars", 2017), reduced to runs of characters.

mod learn;
mod mine;

pub(super) use learn::learn;
pub(super) use mine::{Literals, literals};

/// A generator of strings that a parser accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TextSource {
    /// The parser accepts any text.
    Any,
    /// The parser accepts the examples, and strings that match one of the patterns.
    Some { examples: Vec<String>, patterns: Vec<String> },
}

/// The maximum length of a generator inside the attribute of a parameter, in characters. Arbitrary:
/// so that it fits on a line. A longer one becomes a function.
const INLINE_MAX: usize = 48;

impl TextSource {
    /// Whether it needs the feature `regex` of `rebut`.
    pub(super) fn needs_regex(&self) -> bool {
        matches!(self, TextSource::Some { patterns, .. } if !patterns.is_empty())
    }

    /// Whether there are enough different strings for a useful test.
    pub(super) fn is_varied(&self) -> bool {
        match self {
            TextSource::Any => true,
            TextSource::Some { examples, patterns } => !patterns.is_empty() || examples.len() >= 3,
        }
    }

    /// The code of the generator, if it is short enough for an attribute.
    pub(super) fn inline(&self) -> Option<String> {
        let code = match self {
            TextSource::Any => "strings()".to_owned(),
            source => source.code(),
        };
        (code.len() <= INLINE_MAX).then_some(code)
    }

    /// A function that returns the generator.
    pub(super) fn function(&self, name: &str, accepts: &str) -> String {
        format!(
            "/// Strings that {accepts}.\nfn {name}() -> impl Generator<Value = String> \
             {{\n    {}\n}}\n",
            self.code()
        )
    }

    fn code(&self) -> String {
        let TextSource::Some { examples, patterns } = self else { return "strings()".to_owned() };
        let quoted: Vec<String> = examples.iter().map(|text| format!("{text:?}")).collect();
        let sampled = format!("sampled_from([{}]).map(String::from)", quoted.join(", "));
        let mut all: Vec<String> = patterns
            .iter()
            .map(|pattern| format!("strings_matching({})", literal(pattern)))
            .collect();
        if !examples.is_empty() {
            all.push(sampled);
        }
        match all.as_slice() {
            [one] => one.clone(),
            all => format!("one_of!({})", all.join(", ")),
        }
    }
}

/// A pattern as a readable literal.
fn literal(pattern: &str) -> String {
    match (pattern.contains('\\'), pattern.contains('"')) {
        (true, false) => format!("r\"{pattern}\""),
        _ => format!("{pattern:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generators_are_printed_as_code() {
        let source = |examples: &[&str], patterns: &[&str]| TextSource::Some {
            examples: examples.iter().map(|&text| text.to_owned()).collect(),
            patterns: patterns.iter().map(|&text| text.to_owned()).collect(),
        };
        let one = source(&[], &[r"[0-9]{1,3}\.[0-9]{1,3}"]);
        assert_eq!(one.inline().as_deref(), Some(r#"strings_matching(r"[0-9]{1,3}\.[0-9]{1,3}")"#));
        let many = source(&["a \"b\"", "c"], &["[a-z]{1,6}"]);
        assert_eq!(many.inline(), None);
        assert_eq!(
            many.function("word_strings", "are a valid `Word`"),
            "/// Strings that are a valid `Word`.\nfn word_strings() -> impl Generator<Value = String> \
             {\n    one_of!(strings_matching(\"[a-z]{1,6}\"), sampled_from([\"a \\\"b\\\"\", \
             \"c\"]).map(String::from))\n}\n"
        );
    }
}
