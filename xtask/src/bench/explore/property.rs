//! Reads the properties of a set, and what is true of each.
//!
//! A comment above a property says whether it holds on x86-64 Linux, and how that is known:
//! `// false (rare): 3, "x"; 4, "y"` has the arguments of cases for which it fails, in the order in
//! which one process runs them, and `// true: why` has a reason. `// true (open): why` is one whose
//! proof may be refused, because a difference of the platforms really applies to it.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;

use quote::ToTokens as _;
use syn::spanned::Spanned as _;

/// The truth about a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    /// It holds, and why.
    Holds {
        /// Whether the proof may be refused.
        may_stay_open: bool,
        why: String,
    },
    /// It fails for some of these arguments.
    Fails {
        /// How hard the failure is to find.
        effort: String,
        /// The arguments of each case, as code.
        cases: Vec<String>,
    },
}

/// A property.
#[derive(Clone, Debug)]
pub(super) struct Property {
    /// The name of its file, which is its class or its crate.
    pub(super) file: String,
    pub(super) name: String,
    pub(super) truth: Truth,
    /// Expressions of random values for the parameters.
    pub(super) draws: Vec<String>,
}

impl Property {
    /// The name of the file and of the function.
    pub(super) fn path(&self) -> String {
        format!("{}::{}", self.file, self.name)
    }

    pub(super) fn fails(&self) -> bool {
        matches!(self.truth, Truth::Fails { .. })
    }

    /// Whether it should be proved.
    pub(super) fn has_proof(&self) -> bool {
        matches!(self.truth, Truth::Holds { may_stay_open: false, .. })
    }
}

/// A file of properties.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) name: String,
    pub(super) properties: Vec<Property>,
    /// The file with plain functions instead of properties.
    pub(super) plain: String,
}

/// Reads all files of a directory, except the root module, in alphabetical order.
pub(super) fn sources(folder: &Path) -> Result<Vec<Source>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{folder:?}: {error}"))?;
    let mut sources = BTreeMap::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.extension().is_none_or(|extension| extension != "rs") || name == "main" {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|error| format!("{path:?}: {error}"))?;
        let source = source(&name, &text).map_err(|why| format!("{path:?}: {why}"))?;
        sources.insert(name, source);
    }
    Ok(sources.into_values().collect())
}

fn source(name: &str, text: &str) -> Result<Source, String> {
    let file = syn::parse_file(text).map_err(|error| {
        let at = error.span().start();
        format!("cannot be parsed, {}:{}: {error}", at.line, at.column)
    })?;
    let lines: Vec<&str> = text.lines().collect();
    let mut properties = Vec::new();
    let mut edits: Vec<(Range<usize>, &str)> = Vec::new();
    for item in &file.items {
        let syn::Item::Fn(function) = item else { continue };
        if !function.attrs.iter().any(is_of_rebut) {
            continue;
        }
        let function_name = function.sig.ident.to_string();
        let first_line = function.span().start().line;
        let truth = truth(&lines[..first_line - 1])
            .ok_or_else(|| format!("nothing above `{function_name}` says whether it holds"))?;
        let start = function.sig.span().byte_range().start;
        edits.push((start..start, "pub(crate) "));
        let attributes = function.attrs.iter().filter(|attribute| is_of_rebut(attribute));
        edits.extend(attributes.map(|attribute| (attribute.span().byte_range(), "")));
        let mut draws = Vec::new();
        for input in &function.sig.inputs {
            let syn::FnArg::Typed(input) = input else { continue };
            edits.extend(input.attrs.iter().map(|one| (one.span().byte_range(), "")));
            draws.push(draw(input)?);
        }
        properties.push(Property { file: name.to_owned(), name: function_name, truth, draws });
    }
    let mut plain = text.to_owned();
    edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    edits.into_iter().for_each(|(range, new)| plain.replace_range(range, new));
    let plain = plain.replace("rebut::prelude", "crate::values");
    Ok(Source { name: name.to_owned(), properties, plain })
}

fn is_of_rebut(attribute: &syn::Attribute) -> bool {
    attribute.path().segments.first().is_some_and(|segment| segment.ident == "rebut")
}

/// Reads the comment in the lines that end right above a property.
fn truth(above: &[&str]) -> Option<Truth> {
    let comments = above.iter().rev().take_while(|line| line.trim_start().starts_with("//"));
    comments.filter_map(|line| mark(line.trim_start().strip_prefix("// ")?)).next()
}

fn mark(comment: &str) -> Option<Truth> {
    if let Some(why) = comment.strip_prefix("true: ") {
        return Some(Truth::Holds { may_stay_open: false, why: why.to_owned() });
    }
    if let Some(why) = comment.strip_prefix("true (open): ") {
        return Some(Truth::Holds { may_stay_open: true, why: why.to_owned() });
    }
    let (effort, cases) = comment.strip_prefix("false (")?.split_once("): ")?;
    let cases = cases.split("; ").map(|case| case.trim().to_owned()).collect();
    Some(Truth::Fails { effort: effort.to_owned(), cases })
}

/// An expression of a random value for a parameter.
fn draw(input: &syn::PatType) -> Result<String, String> {
    let mut options = String::new();
    for attribute in &input.attrs {
        let syn::Meta::List(list) = &attribute.meta else { continue };
        let tokens = &list.tokens;
        if attribute.path().is_ident("from") {
            return Ok(format!("Source::pick(&({tokens}), random)"));
        }
        options = tokens.to_string();
    }
    let size = match options.split_once('=') {
        Some((key, size)) if key.trim() == "max_size" => size.trim().to_owned(),
        None if options.is_empty() => "SIZE".to_owned(),
        _ => return Err(format!("the plain program does not know `{options}`")),
    };
    let ty = input.ty.to_token_stream();
    Ok(format!("<{ty} as Value>::value(random, {size})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_say_what_is_true() {
        let fails = |effort: &str, cases: &[&str]| Truth::Fails {
            effort: effort.to_owned(),
            cases: cases.iter().map(|case| (*case).to_owned()).collect(),
        };
        let holds = |may_stay_open, why: &str| Truth::Holds { may_stay_open, why: why.to_owned() };
        assert_eq!(mark("true: it is."), Some(holds(false, "it is.")));
        assert_eq!(mark("true (open): it is."), Some(holds(true, "it is.")));
        assert_eq!(mark("false (rare): 1, 2; 3, 4"), Some(fails("rare", &["1, 2", "3, 4"])));
        assert_eq!(mark("falsehoods are not marked"), None);
    }

    #[test]
    fn plain_files_have_no_trace_of_rebut() {
        let text = "use rebut::prelude::*;\n// true: so.\n#[rebut::test(cases = 3)]\nfn one(\
                    #[from(1..=3)] a: u8, b: &str, #[generate(max_size = 4)] c: Vec<u8>) {}\n";
        let source = source("file", text).expect("a file");
        assert!(source.plain.contains("use crate::values::*;"), "{}", source.plain);
        assert!(source.plain.contains("pub(crate) fn one( a: u8, b: &str,  c: Vec<u8>) {}"));
        assert!(!source.plain.contains("rebut"), "{}", source.plain);
        assert_eq!(
            source.properties[0].draws,
            [
                "Source::pick(&(1 ..= 3), random)",
                "<& str as Value>::value(random, SIZE)",
                "<Vec < u8 > as Value>::value(random, 4)"
            ]
        );
        assert!(super::source("file", "#[rebut::test]\nfn one() {}").is_err());
    }
}
