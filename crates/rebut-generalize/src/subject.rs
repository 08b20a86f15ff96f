//! Tests as they stand in a file: where each is, and which of its values can be promoted.

use super::sites::{self, Found, Names};
use crate::words;
use std::ops::Range;
use syn::spanned::Spanned as _;
use syn::{Attribute, Item, ItemFn, ReturnType, Signature, Stmt};

/// A part of a file, in bytes.
pub(super) type Part = Range<usize>;

/// An ordinary test.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    /// The modules of the file that it is in, and its name.
    pub(super) path: Vec<String>,
    /// The line of its name.
    pub(super) line: usize,
    /// All of it, attributes and documentation too.
    pub(super) item: Part,
    /// `#[test]`.
    pub(super) attribute: Part,
    /// The lines before its body.
    pub(super) head: Range<usize>,
    /// Between the parentheses of its parameters.
    pub(super) parameters: Part,
    /// Between the braces of its body.
    pub(super) body: Part,
    /// The statements of its body.
    pub(super) statements: Vec<Part>,
    /// What it says of the panic that it expects, if it expects one.
    pub(super) panics: Option<Panics>,
    /// Whether it returns a `Result`.
    pub(super) has_result: bool,
    /// What can be promoted.
    pub(super) found: Found,
    /// Why it cannot be generalized, as far as that can be seen.
    pub(super) why_not: Option<String>,
}

/// `#[should_panic]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Panics {
    pub(super) attribute: Part,
    /// What is in the message.
    pub(super) message: Option<String>,
}

impl Subject {
    /// The name of the function.
    pub(super) fn function(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }

    /// As it is asked for, within the file.
    pub(super) fn full_path(&self) -> String {
        self.path.join("::")
    }

    /// Whether a line of the file is in the test.
    pub(super) fn has_line(&self, text: &str, line: usize) -> bool {
        let line_of = |at: usize| text[..at.min(text.len())].matches('\n').count() + 1;
        (line_of(self.item.start)..=line_of(self.item.end)).contains(&line)
    }
}

/// The tests of a file; an error of syntax otherwise.
pub(super) fn subjects(text: &str, names: &Names) -> syn::Result<Vec<Subject>> {
    let file = syn::parse_file(text)?;
    let mut found = Vec::new();
    collect(&file.items, &mut Vec::new(), text, names, &mut found);
    Ok(found)
}

fn collect(
    items: &[Item],
    modules: &mut Vec<String>,
    text: &str,
    names: &Names,
    found: &mut Vec<Subject>,
) {
    for item in items {
        match item {
            Item::Fn(function) => found.extend(subject(function, modules, text, names)),
            Item::Mod(module) => {
                let Some((_, items)) = &module.content else { continue };
                modules.push(module.ident.to_string());
                collect(items, modules, text, names, found);
                modules.pop();
            }
            _ => {}
        }
    }
}

fn subject(function: &ItemFn, modules: &[String], text: &str, names: &Names) -> Option<Subject> {
    let attribute = function.attrs.iter().find(|attribute| attribute.path().is_ident("test"))?;
    let Signature { ident, paren_token, .. } = &function.sig;
    let inside = |whole: Part| whole.start + 1..whole.end - 1;
    let body = inside(function.block.brace_token.span.join().byte_range());
    let why_not = why_not(function);
    let found = match why_not {
        None => sites::of(&function.block, text, names),
        Some(_) => Found::default(),
    };
    let why_not = why_not.or_else(|| {
        let has_none = found.sites.is_empty() && found.objects.is_empty();
        has_none.then(|| words::NO_VALUES.to_owned())
    });
    let start = function.attrs.iter().map(|attribute| attribute.span().byte_range().start);
    let own = function.span().byte_range();
    Some(Subject {
        path: modules.iter().cloned().chain([ident.to_string()]).collect(),
        line: ident.span().start().line,
        item: start.min().unwrap_or(own.start).min(own.start)..own.end,
        attribute: attribute.span().byte_range(),
        head: function.attrs.first().map_or(ident.span(), syn::spanned::Spanned::span).start().line
            ..function.block.brace_token.span.open().start().line + 1,
        parameters: inside(paren_token.span.join().byte_range()),
        body,
        statements: function.block.stmts.iter().map(part_of).collect(),
        panics: panics(&function.attrs),
        has_result: !matches!(function.sig.output, ReturnType::Default),
        found,
        why_not,
    })
}

/// The panic that attributes expect.
fn panics(attributes: &[Attribute]) -> Option<Panics> {
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
    Some(Panics { attribute: found.span().byte_range(), message })
}

fn part_of(statement: &Stmt) -> Part {
    statement.span().byte_range()
}

/// Why a test cannot be generalized whatever is in it.
fn why_not(function: &ItemFn) -> Option<String> {
    let has = |name: &str| {
        let is_named = |attribute: &&Attribute| attribute.path().is_ident(name);
        function.attrs.iter().find(is_named).is_some()
    };
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
    let why = if has("ignore") {
        "it is ignored"
    } else if function.sig.asyncness.is_some() {
        "it is `async`"
    } else if !returns_result {
        "it returns something other than a `Result`"
    } else if !function.sig.inputs.is_empty() {
        "it has parameters already"
    } else {
        return None;
    };
    Some(why.to_owned())
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
    fn tests_are_found_in_modules_with_why_they_cannot_be_generalized() {
        let found = subjects(TEXT, &Names::default()).expect("it parses");
        let told: Vec<(String, Option<&str>)> =
            found.iter().map(|subject| (subject.full_path(), subject.why_not.as_deref())).collect();
        assert_eq!(
            told,
            [
                ("tests::adds".to_owned(), None),
                ("tests::panics".to_owned(), None),
                ("tests::waits".to_owned(), Some("it is `async`")),
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
