//! Turns the function of a property, as it is written in its file, into a test for one input.

use super::header::text_of;
use std::fs;
use std::path::Path;
use syn::spanned::Spanned as _;
use syn::{Item, ItemFn, ReturnType};

/// The function of a property, from its source.
#[derive(Debug)]
pub struct PropertyFunction {
    name: String,
    is_async: bool,
    /// The return type; empty if it is not written.
    output: String,
    /// The body with its braces.
    body: String,
}

/// Returns the function whose name is in this line of a file, or `None` if there is none.
#[must_use]
pub fn find_function(root: &Path, file: &str, line: u32) -> Option<PropertyFunction> {
    let source = fs::read_to_string(root.join(file)).ok()?;
    let parsed = syn::parse_file(&source).ok()?;
    let function = find_item(&parsed.items, line as usize)?;
    let output = match &function.sig.output {
        ReturnType::Default => String::new(),
        ReturnType::Type(_, ty) => text_of(&source, ty.span())?,
    };
    Some(PropertyFunction {
        name: function.sig.ident.to_string().trim_start_matches("r#").to_owned(),
        is_async: function.sig.asyncness.is_some(),
        output,
        body: text_of(&source, function.block.span())?,
    })
}

fn find_item(items: &[Item], line: usize) -> Option<&ItemFn> {
    items.iter().find_map(|item| match item {
        Item::Fn(function) => (function.sig.ident.span().start().line == line).then_some(function),
        Item::Mod(module) => find_item(&module.content.as_ref()?.1, line),
        _ => None,
    })
}

impl PropertyFunction {
    /// Returns a test with this number for the input of these `let` statements, or `None` if the
    /// test needs an async runtime.
    #[must_use]
    pub fn test(&self, number: usize, lets: &str) -> Option<String> {
        let PropertyFunction { name, output, body, is_async } = self;
        if *is_async {
            return None;
        }
        let (signature, call) = match output.as_str() {
            "" => (String::new(), body.clone()),
            "bool" => (String::new(), format!("assert!((|| -> bool {body})());")),
            other if is_result_of_bool(other) => {
                let call = format!("assert!(matches!((|| -> {other} {body})(), Ok(true)));");
                (String::new(), call)
            }
            other => (format!(" -> {other}"), body.clone()),
        };
        let start = format!("#[test]\nfn {name}_path_{number}(){signature} {{\n");
        Some(format!("{start}{lets}{call}\n}}\n"))
    }
}

fn is_result_of_bool(output: &str) -> bool {
    let inside = output.split_once("Result<").map(|(_, inside)| inside.trim_start());
    inside.and_then(|inside| inside.strip_prefix("bool")).is_some_and(|rest| {
        rest.trim_start().is_empty() || rest.trim_start().starts_with([',', '>'])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(output: &str, expected: &str) {
        let function = PropertyFunction {
            name: "holds".to_owned(),
            is_async: false,
            output: output.to_owned(),
            body: "{ f(x) }".to_owned(),
        };
        assert_eq!(function.test(2, "let x: u8 = 1;\n").as_deref(), Some(expected));
    }

    #[test]
    fn a_wrong_result_fails_the_test() {
        check("", "#[test]\nfn holds_path_2() {\nlet x: u8 = 1;\n{ f(x) }\n}\n");
        check(
            "bool",
            "#[test]\nfn holds_path_2() {\nlet x: u8 = 1;\nassert!((|| -> bool { f(x) })());\n}\n",
        );
        check(
            "Result<(), E>",
            "#[test]\nfn holds_path_2() -> Result<(), E> {\nlet x: u8 = 1;\n{ f(x) }\n}\n",
        );
        check(
            "io::Result<bool>",
            "#[test]\nfn holds_path_2() {\nlet x: u8 = 1;\nassert!(matches!((|| -> io::Result<bool> { f(x) })(), Ok(true)));\n}\n",
        );
    }
}
