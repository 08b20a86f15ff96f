//! Tests with rows of values, as `rstest` and `test_case` write them.
//!
//! `#[case(1, "a")]` on the function is a row: it has a value for each parameter with `#[case]`.
//! `#[values(1, 2)]` on a parameter multiplies the rows. `#[test_case(1, "a")]` is a row for the
//! first parameters. Each row is a test of its own in a module with the name of the function, and
//! Rebut generates the other parameters.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, FnArg, ItemFn, LitStr, Meta, PatType, Result, Token};

use super::is_example;
use crate::name_value::{Errors, as_text};
use crate::written;

/// One test of a function with rows.
pub(super) struct Row {
    /// The names of its modules, except for the one of the function, and its own name.
    pub(super) path: Vec<Ident>,
    /// For each parameter its value, if the row has one.
    pub(super) values: Vec<Option<Expr>>,
    /// The attributes of this row alone.
    pub(super) attributes: Vec<Attribute>,
}

impl Row {
    /// Returns the path of the test of this row of a function.
    pub(super) fn name(&self, function: &Ident) -> String {
        let names = [function].into_iter().chain(&self.path);
        names.map(Ident::to_string).collect::<Vec<_>>().join("::")
    }
}

/// The attributes of rows on a function, as written.
pub(super) struct Rows {
    rows: Vec<WrittenRow>,
    /// How many parameters the rows of `#[test_case]` have values for.
    first: usize,
}

struct WrittenRow {
    attribute: Attribute,
    name: Option<String>,
    values: Vec<Expr>,
    attributes: Vec<Attribute>,
}

impl Rows {
    /// Removes the rows from the attributes of a function.
    pub(super) fn take(function: &mut ItemFn) -> Result<Rows> {
        let mut errors = Errors::default();
        let (mut rows, mut first) = (Vec::<WrittenRow>::new(), None);
        let mut others = Vec::new();
        for attribute in std::mem::take(&mut function.attrs) {
            let is_case = attribute.path().segments.first().is_some_and(|one| one.ident == "case");
            let parsed = match is_case {
                true => errors.ok(case(&attribute)),
                false if is_test_case(&attribute) => errors.ok(test_case(&attribute)),
                false => {
                    others.push(attribute);
                    continue;
                }
            };
            let Some(mut row) = parsed else { continue };
            if !is_case {
                let expected = *first.get_or_insert(row.values.len());
                if row.values.len() != expected {
                    errors.push(
                        &row.attribute,
                        format!(
                            "this row has {} values, the first row {expected}",
                            row.values.len()
                        ),
                    );
                }
            }
            // As with rstest, attributes before a row belong to it.
            let (own, of_all) = others.drain(..).partition(is_of_row);
            row.attributes = own;
            function.attrs.extend(of_all);
            rows.push(row);
        }
        function.attrs.extend(others);
        errors.finish(Rows { rows, first: first.unwrap_or(0) })
    }

    /// Returns whether parameter number `n` has its values in rows.
    pub(super) fn contain(&self, n: usize, input: &PatType) -> bool {
        n < self.first || input.attrs.iter().any(is_value)
    }

    /// Returns the tests; an empty list for a function without rows.
    pub(super) fn tests(self, function: &ItemFn) -> Result<Vec<Row>> {
        let inputs: Vec<&PatType> = function
            .sig
            .inputs
            .iter()
            .filter_map(|input| match input {
                FnArg::Typed(input) => Some(input),
                FnArg::Receiver(_) => None,
            })
            .collect();
        let marked = |name: &'static str| {
            let inputs = inputs.iter().enumerate();
            inputs.filter(move |(_, input)| input.attrs.iter().any(|one| one.path().is_ident(name)))
        };
        let columns: Vec<usize> = marked("case").map(|(n, _)| n).collect();
        let mut errors = Errors::default();
        if let (true, Some((_, input))) = (self.rows.is_empty(), marked("case").next()) {
            errors.push(
                &input.pat,
                "this parameter takes its values from rows, and there is none; write them above \
                 the function: `#[case(1)]`",
            );
        }
        let first: Vec<usize> = (0..self.first).collect();
        if self.first > inputs.len() {
            errors.push(&function.sig.ident, "the rows have more values than there are parameters");
            return errors.finish(Vec::new());
        }
        let width = self.rows.len().to_string().len();
        let mut tests = Vec::new();
        for (n, row) in self.rows.iter().enumerate() {
            let is_case = !is_test_case(&row.attribute);
            let columns = if is_case { &columns } else { &first };
            errors.ok(row.check_count(columns.len()));
            let number = format!("case_{:0width$}", n + 1);
            let name = match &row.name {
                None => number,
                Some(name) if is_case => format!("{number}_{name}"),
                Some(name) => name.clone(),
            };
            let mut values = vec![None; inputs.len()];
            for (column, value) in columns.iter().zip(&row.values) {
                values[*column] = Some(value.clone());
            }
            let path = vec![Ident::new(&name, function.sig.ident.span())];
            tests.push(Row { path, values, attributes: row.attributes.clone() });
        }
        for (n, input) in marked("values") {
            let Some(all) = errors.ok(values_of(input)) else { continue };
            if tests.is_empty() {
                let (path, values) = (Vec::new(), vec![None; inputs.len()]);
                tests.push(Row { path, values, attributes: Vec::new() });
            }
            tests = product(&tests, n, input, &all);
        }
        errors.finish(tests)
    }
}

/// Returns whether an attribute gives a parameter the values of rows.
pub(super) fn is_value(attribute: &Attribute) -> bool {
    attribute.path().is_ident("case") || attribute.path().is_ident("values")
}

fn is_test_case(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|segment| segment.ident == "test_case")
}

/// Returns whether an attribute before a row is only about this row.
fn is_of_row(attribute: &Attribute) -> bool {
    let shared = ["doc", "cfg", "allow", "expect", "warn", "deny", "forbid"];
    !is_example(attribute) && !shared.iter().any(|name| attribute.path().is_ident(name))
}

impl WrittenRow {
    fn check_count(&self, expected: usize) -> Result<()> {
        let given = self.values.len();
        if given == expected {
            return Ok(());
        }
        if expected == 0 {
            return Err(Error::new_spanned(
                &self.attribute,
                "no parameter takes the values of this row; mark those that do: `#[case] n: u8`",
            ));
        }
        let parameters = if expected == 1 { "parameter has" } else { "parameters have" };
        let values = if given == 1 { "value" } else { "values" };
        let message =
            format!("{expected} {parameters} `#[case]`, but this row has {given} {values}");
        Err(Error::new_spanned(&self.attribute, message))
    }
}

/// Parses `#[case(1, "a")]` or `#[case::name(1, "a")]`.
fn case(attribute: &Attribute) -> Result<WrittenRow> {
    let Meta::List(list) = &attribute.meta else {
        return Err(Error::new_spanned(
            attribute,
            "expected a value for each parameter with `#[case]`: `#[case(1, \"a\")]`",
        ));
    };
    let name = list.path.segments.iter().nth(1).map(|segment| segment.ident.to_string());
    let values = list.parse_args_with(Punctuated::<Expr, Token![,]>::parse_terminated)?;
    let (attribute, values) = (attribute.clone(), values.into_iter().collect());
    Ok(WrittenRow { attribute, name, values, attributes: Vec::new() })
}

/// Parses `#[test_case(1, "a"; "name")]`.
fn test_case(attribute: &Attribute) -> Result<WrittenRow> {
    let tokens = match &attribute.meta {
        Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    };
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let is_end = |tree: &TokenTree| matches!(tree, TokenTree::Punct(end) if end.as_char() == ';');
    let mut parts = trees.split(is_end);
    let values = parts.next().unwrap_or_default();
    let is_arrow = |trees: &[TokenTree]| trees[0].to_string() == "=" && trees[1].to_string() == ">";
    if let Some(arrow) = values.windows(2).position(is_arrow) {
        return Err(Error::new_spanned(
            values[arrow..].iter().cloned().collect::<TokenStream>(),
            "a property checks its result itself; take the expected value as a parameter and \
             write `assert_eq!` in the body, or `#[should_panic]` before the row",
        ));
    }
    let name = match parts.next() {
        None => None,
        Some(name) => {
            let name: TokenStream = name.iter().cloned().collect();
            let text: LitStr = syn::parse2(name)?;
            Some(words(&text.value()))
                .filter(|words| !words.is_empty())
                .map(|words| name_of(&words))
        }
    };
    let values =
        Punctuated::<Expr, Token![,]>::parse_terminated.parse2(values.iter().cloned().collect())?;
    let (attribute, values) = (attribute.clone(), values.into_iter().collect());
    Ok(WrittenRow { attribute, name, values, attributes: Vec::new() })
}

/// Parses `#[values(1, 2)]` of a parameter.
fn values_of(input: &PatType) -> Result<Vec<Expr>> {
    let mut all = Vec::new();
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("values")) {
        let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
        let values = match &attribute.meta {
            Meta::List(list) => list.parse_args_with(parser)?,
            _ => Punctuated::new(),
        };
        if values.is_empty() {
            let message = "expected the values of this parameter: `#[values(1, 2)]`";
            return Err(Error::new_spanned(attribute, message));
        }
        all.extend(values);
    }
    Ok(all)
}

/// Repeats the rows for each value of parameter number `n`.
fn product(tests: &[Row], n: usize, input: &PatType, all: &[Expr]) -> Vec<Row> {
    let parameter = words(&input.pat.to_token_stream().to_string());
    let width = all.len().to_string().len();
    let mut product = Vec::new();
    for test in tests {
        for (nth, value) in all.iter().enumerate() {
            let text = words(&written::text(&value.to_token_stream()));
            let name = format!("{parameter}_{:0width$}_{text}", nth + 1);
            let name = Ident::new(name.trim_end_matches('_'), Span::call_site());
            let mut values = test.values.clone();
            values[n] = Some(value.clone());
            let path = test.path.iter().cloned().chain([name]).collect();
            product.push(Row { path, values, attributes: test.attributes.clone() });
        }
    }
    product
}

/// Turns a string into the end of a name, with `_` for everything that names cannot contain.
fn words(text: &str) -> String {
    /// Longer names are hard to read in the output of tests; a number makes them unique.
    const LENGTH_MAX: usize = 40;
    let is_word = |letter: char| letter.is_ascii_alphanumeric();
    let words = text.split(|letter| !is_word(letter)).filter(|word| !word.is_empty());
    let mut name = words.collect::<Vec<_>>().join("_").to_lowercase();
    name.truncate(LENGTH_MAX);
    name
}

/// Returns words as a name of their own: no number and no keyword.
fn name_of(words: &str) -> String {
    match syn::parse_str::<Ident>(words) {
        Ok(_) => words.to_owned(),
        Err(_) => format!("_{words}"),
    }
}

/// Returns a value as code for the type of its parameter, as `#[example]` accepts it.
pub(super) fn text_of(value: &Expr, is_string: bool) -> String {
    let text = written::text(&value.to_token_stream());
    match as_text(value) {
        Some(_) if is_string => format!("{text}.to_string()"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[track_caller]
    fn check(function: TokenStream, expected: &str) {
        let mut function: ItemFn = syn::parse2(function).expect("a function");
        let tests = Rows::take(&mut function).and_then(|rows| rows.tests(&function));
        let found = match tests {
            Err(error) => error.into_iter().map(|error| error.to_string()).collect(),
            Ok(tests) => tests.iter().map(text).collect::<Vec<_>>(),
        };
        assert_eq!(found.join("\n"), expected);
    }

    fn text(row: &Row) -> String {
        let path: Vec<_> = row.path.iter().map(ToString::to_string).collect();
        let values = row.values.iter().map(|value| match value {
            Some(value) => value.to_token_stream().to_string(),
            None => "?".to_owned(),
        });
        let attributes = row.attributes.iter().map(|one| one.to_token_stream().to_string());
        let values = values.collect::<Vec<_>>().join(", ");
        format!("{} ({values}) {}", path.join("::"), attributes.collect::<String>())
            .trim_end()
            .to_owned()
    }

    #[test]
    fn rows_have_values_for_the_marked_parameters() {
        check(
            quote! {
                #[case(1, "a")]
                #[should_panic]
                #[case::large(2, "b")]
                #[ignore]
                fn f(#[case] n: u8, list: Vec<u8>, #[case] text: &str) {}
            },
            "case_1 (1, ?, \"a\")\ncase_2_large (2, ?, \"b\") # [should_panic]",
        );
        check(
            quote!(
                fn f(n: u8) {}
            ),
            "",
        );
    }

    #[test]
    fn values_multiply_the_rows() {
        check(
            quote! {
                #[case(true)]
                fn f(#[case] a: bool, #[values(-1, 2)] b: i8, #[values(Some(3))] c: Option<u8>) {}
            },
            "case_1::b_1_1::c_1_some_3 (true, - 1, Some (3))\n\
             case_1::b_2_2::c_1_some_3 (true, 2, Some (3))",
        );
        check(
            quote!(
                fn f(#[values(1)] n: u8, m: u8) {}
            ),
            "n_1_1 (1, ?)",
        );
    }

    #[test]
    fn rows_of_test_case_are_for_the_first_parameters() {
        check(
            quote! {
                #[test_case(1, 2; "one, two")]
                #[test_case(3, 4)]
                fn f(a: u8, b: u8, c: u8) {}
            },
            "one_two (1, 2, ?)\ncase_2 (3, 4, ?)",
        );
        check(
            quote!(
                #[test_case(1 => 2)]
                fn f(a: u8) {}
            ),
            "a property checks its result itself; take the expected value as a parameter and \
             write `assert_eq!` in the body, or `#[should_panic]` before the row",
        );
    }

    #[test]
    fn rows_that_do_not_fit_are_refused() {
        check(
            quote!(
                #[case(1)]
                fn f(a: u8) {}
            ),
            "no parameter takes the values of this row; mark those that do: `#[case] n: u8`",
        );
        check(
            quote!(
                #[case(1)]
                fn f(#[case] a: u8, #[case] b: u8) {}
            ),
            "2 parameters have `#[case]`, but this row has 1 value",
        );
        check(
            quote!(
                fn f(#[case] a: u8) {}
            ),
            "this parameter takes its values from rows, and there is none; write them above the \
             function: `#[case(1)]`",
        );
        check(
            quote!(
                #[test_case(1)]
                #[test_case(1, 2)]
                fn f(a: u8, b: u8) {}
            ),
            "this row has 2 values, the first row 1",
        );
    }
}
