//! Other ways to say what inputs are legal: JSON specifications, JSON Schema, OpenAPI, each
//! written as JSON or as YAML.
//!
//! Each is translated to statements of the language, with the places of the JSON file, so
//! that what comes after is the same for all of them. A program can `import` such a file.

mod build;
mod formats;
mod json;
mod openapi;
mod schema;
mod simple;
mod yaml;

use crate::diagnostic::Diagnostic;
use crate::syntax::Datum;
use json::Json;
use std::path::Path;

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    Json,
    Yaml,
}

impl Written {
    /// By the end of a file's name; none if it is a program.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let end = path.extension()?.to_str()?.to_ascii_lowercase();
        match end.as_str() {
            "json" => Some(Self::Json),
            "yaml" | "yml" => Some(Self::Yaml),
            _ => None,
        }
    }
}

/// Translates a file.
pub(crate) fn translate(
    file: u32,
    text: &str,
    written: Written,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Datum> {
    let json = match written {
        Written::Json => json::read(file, text, diagnostics),
        Written::Yaml => yaml::read(file, text, diagnostics),
    };
    let has = |name: &str| json.get(name).is_some();
    if has("openapi") {
        openapi::translate(&json, diagnostics)
    } else if has("$schema")
        || has("$defs")
        || has("properties")
        || has("$ref")
        || has("allOf")
        || has("anyOf")
        || has("oneOf")
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
