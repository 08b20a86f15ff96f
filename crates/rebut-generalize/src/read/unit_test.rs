//! Finds the unit tests of a file, and the parts of each.

use crate::package::edit::TextRange;
use crate::read::literals::{self, PromotableValues};
use crate::read::source_index::SourceIndex;
use crate::reasons::WhyKept;
use std::ops::Range;
use syn::spanned::Spanned as _;
use syn::{Attribute, Item, ItemFn, ReturnType, Signature, Stmt};

/// A function with `#[test]`.
#[derive(Clone, Debug)]
pub(crate) struct UnitTest {
    /// Its modules within the file, and its name.
    pub(crate) path: Vec<String>,
    /// The line of its name.
    pub(crate) line: usize,
    /// The whole function, with attributes and documentation.
    pub(crate) item: TextRange,
    /// `#[test]`.
    pub(crate) attribute: TextRange,
    /// The lines before its body.
    pub(crate) head: Range<usize>,
    /// The text between the parentheses of its parameters.
    pub(crate) parameters: TextRange,
    /// The text between the braces of its body.
    pub(crate) body: TextRange,
    /// The statements of its body.
    pub(crate) statements: Vec<TextRange>,
    /// The panic that it expects, if it expects one.
    pub(crate) panics: Option<ExpectedPanic>,
    /// Whether it returns a `Result`.
    pub(crate) has_result: bool,
    /// The values that can become parameters.
    pub(crate) values: PromotableValues,
    /// Why it cannot be generalized, if its source text shows a reason.
    pub(crate) why_kept: Option<WhyKept>,
}

/// `#[should_panic]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ExpectedPanic {
    pub(crate) attribute: TextRange,
    /// A part of the message.
    pub(crate) message: Option<String>,
}

impl UnitTest {
    /// Returns the name of the function.
    pub(crate) fn function(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }

    /// Returns its path within the file.
    pub(crate) fn full_path(&self) -> String {
        self.path.join("::")
    }

    /// Whether a line of the file belongs to the test.
    pub(crate) fn has_line(&self, text: &str, line: usize) -> bool {
        let line_of = |at: usize| text[..at.min(text.len())].matches('\n').count() + 1;
        (line_of(self.item.start)..=line_of(self.item.end)).contains(&line)
    }
}

/// Returns the tests of a file.
///
/// # Errors
/// If the file is not valid Rust.
pub(crate) fn unit_tests(text: &str, index: &SourceIndex) -> syn::Result<Vec<UnitTest>> {
    let file = syn::parse_file(text)?;
    let mut found = Vec::new();
    collect(&file.items, &mut Vec::new(), text, index, &mut found);
    Ok(found)
}

fn collect(
    items: &[Item],
    modules: &mut Vec<String>,
    text: &str,
    index: &SourceIndex,
    found: &mut Vec<UnitTest>,
) {
    for item in items {
        match item {
            Item::Fn(function) => found.extend(unit_test(function, modules, text, index)),
            Item::Mod(module) => {
                let Some((_, items)) = &module.content else { continue };
                modules.push(module.ident.to_string());
                collect(items, modules, text, index, found);
                modules.pop();
            }
            _ => {}
        }
    }
}

fn unit_test(
    function: &ItemFn,
    modules: &[String],
    text: &str,
    index: &SourceIndex,
) -> Option<UnitTest> {
    let attribute = function.attrs.iter().find(|attribute| attribute.path().is_ident("test"))?;
    let Signature { ident, paren_token, .. } = &function.sig;
    let inside = |whole: TextRange| whole.start + 1..whole.end - 1;
    let body = inside(function.block.brace_token.span.join().byte_range());
    let why_kept = why_kept(function);
    let values = match why_kept {
        None => literals::collect_values(&function.block, text, index),
        Some(_) => PromotableValues::default(),
    };
    let why_kept = why_kept.or_else(|| {
        let has_none = values.sites.is_empty() && values.objects.is_empty();
        has_none.then_some(WhyKept::NoLiterals)
    });
    let start = function.attrs.iter().map(|attribute| attribute.span().byte_range().start);
    let own = function.span().byte_range();
    Some(UnitTest {
        path: modules.iter().cloned().chain([ident.to_string()]).collect(),
        line: ident.span().start().line,
        item: start.min().unwrap_or(own.start).min(own.start)..own.end,
        attribute: attribute.span().byte_range(),
        head: function.attrs.first().map_or(ident.span(), syn::spanned::Spanned::span).start().line
            ..function.block.brace_token.span.open().start().line + 1,
        parameters: inside(paren_token.span.join().byte_range()),
        body,
        statements: function.block.stmts.iter().map(range_of).collect(),
        panics: expected_panic(&function.attrs),
        has_result: !matches!(function.sig.output, ReturnType::Default),
        values,
        why_kept,
    })
}

/// Returns the panic that the attributes expect.
fn expected_panic(attributes: &[Attribute]) -> Option<ExpectedPanic> {
    let found = attributes.iter().find(|attribute| attribute.path().is_ident("should_panic"))?;
    let text = |value: &syn::Expr| match value {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    };
    let message = match &found.meta {
        syn::Meta::NameValue(pair) => text(&pair.value),
        syn::Meta::List(_) => {
            let pair: syn::Result<syn::MetaNameValue> = found.parse_args();
            pair.ok().and_then(|pair| text(&pair.value))
        }
        syn::Meta::Path(_) => None,
    };
    Some(ExpectedPanic { attribute: found.span().byte_range(), message })
}

fn range_of(statement: &Stmt) -> TextRange {
    statement.span().byte_range()
}

/// Returns why a test cannot be generalized, whatever its body is.
fn why_kept(function: &ItemFn) -> Option<WhyKept> {
    let has = |name: &str| function.attrs.iter().any(|attribute| attribute.path().is_ident(name));
    let returns_result = match &function.sig.output {
        ReturnType::Default => true,
        ReturnType::Type(_, ty) => match &**ty {
            syn::Type::Path(path) => {
                path.path.segments.last().is_some_and(|last| last.ident == "Result")
            }
            syn::Type::Tuple(tuple) => tuple.elems.is_empty(),
            _ => false,
        },
    };
    if has("ignore") {
        Some(WhyKept::Ignored)
    } else if function.sig.asyncness.is_some() {
        Some(WhyKept::Async)
    } else if !returns_result {
        Some(WhyKept::OtherReturnType)
    } else if !function.sig.inputs.is_empty() {
        Some(WhyKept::HasParameters)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
mod tests {
    /// Kept.
    #[test]
    fn adds() {
        assert_eq!(add(1, 2), 3); // three
    }

    #[test]
    #[should_panic(expected = \"three\")]
    fn panics() {
        add(1, 2);
    }

    #[test]
    async fn waits() {}

    fn helper() {}
}
";

    #[test]
    fn unit_tests_are_found_in_modules() {
        let found = unit_tests(TEXT, &SourceIndex::default()).expect("it parses");
        let reasons: Vec<(String, Option<WhyKept>)> = found
            .iter()
            .map(|unit_test| (unit_test.full_path(), unit_test.why_kept.clone()))
            .collect();
        assert_eq!(
            reasons,
            [
                ("tests::adds".to_owned(), None),
                ("tests::panics".to_owned(), None),
                ("tests::waits".to_owned(), Some(WhyKept::Async)),
            ]
        );
        let panics = found[1].panics.as_ref().and_then(|panics| panics.message.as_deref());
        assert_eq!(panics, Some("three"));
        let adds = &found[0];
        assert!(TEXT[adds.item.clone()].starts_with("/// Kept.\n    #[test]"));
        assert_eq!(adds.head, 3..6);
        assert_eq!(&TEXT[adds.attribute.clone()], "#[test]");
        assert_eq!(&TEXT[adds.parameters.clone()], "");
        assert_eq!(&TEXT[adds.statements[0].clone()], "assert_eq!(add(1, 2), 3);");
        assert_eq!(TEXT[adds.body.clone()].trim(), "assert_eq!(add(1, 2), 3); // three");
        assert!(adds.has_line(TEXT, 6) && !adds.has_line(TEXT, 9));
    }
}
