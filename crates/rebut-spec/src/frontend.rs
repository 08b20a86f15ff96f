//! Other ways to say what inputs are legal: JSON specifications, JSON Schema, OpenAPI.
//!
//! Each is translated to statements of the language, with the places of the JSON file, so
//! that what comes after is the same for all of them. A program can `import` such a file.

mod build;
mod json;
mod openapi;
mod schema;
mod simple;

use crate::diagnostic::Diagnostic;
use crate::syntax::Datum;
use json::Json;

/// Translates a JSON file.
pub(crate) fn translate(file: u32, text: &str, diagnostics: &mut Vec<Diagnostic>) -> Vec<Datum> {
    let json = json::read(file, text, diagnostics);
    let has = |name: &str| json.get(name).is_some();
    if has("openapi") {
        openapi::translate(&json, diagnostics)
    } else if has("$schema")
        || has("$defs")
        || has("properties")
        || has("$ref")
        || json.text_of("type").is_some()
    {
        schema::translate(&json, diagnostics)
    } else {
        simple::translate(&json, diagnostics)
    }
}

/// The nodes of a file in which names are known.
fn unknown(json: &Json, message: impl Into<String>, help: &str) -> Diagnostic {
    Diagnostic::error(json.span, message).help(help)
}
