//! Where functions are in a file.

use super::subject::Part;
use syn::Item;
use syn::spanned::Spanned as _;

/// The functions of a file, with the modules of the file that each is in.
pub(super) fn functions(text: &str) -> Vec<(Vec<String>, Part)> {
    let mut found = Vec::new();
    if let Ok(file) = syn::parse_file(text) {
        collect(&file.items, &mut Vec::new(), &mut found);
    }
    found
}

fn collect(items: &[Item], modules: &mut Vec<String>, found: &mut Vec<(Vec<String>, Part)>) {
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
