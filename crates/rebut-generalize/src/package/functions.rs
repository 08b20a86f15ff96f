//! Finds the functions of a file.

use crate::package::edit::TextRange;
use syn::Item;
use syn::spanned::Spanned as _;

/// Returns the functions of a file, each with its path within the file.
pub(crate) fn functions(text: &str) -> Vec<(Vec<String>, TextRange)> {
    let mut found = Vec::new();
    if let Ok(file) = syn::parse_file(text) {
        collect(&file.items, &mut Vec::new(), &mut found);
    }
    found
}

fn collect(items: &[Item], modules: &mut Vec<String>, found: &mut Vec<(Vec<String>, TextRange)>) {
    for item in items {
        match item {
            Item::Fn(function) => {
                let path = modules.iter().cloned().chain([function.sig.ident.to_string()]);
                found.push((path.collect(), function.span().byte_range()));
            }
            Item::Mod(module) => {
                let Some((_, items)) = &module.content else { continue };
                modules.push(module.ident.to_string());
                collect(items, modules, found);
                modules.pop();
            }
            _ => {}
        }
    }
}
