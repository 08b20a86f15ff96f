//! Front ends for other formats: JSON specifications, JSON Schema and OpenAPI, as JSON or YAML.
//!
//! Each is translated to statements of the language that carry the spans of the original file.
//! So everything after reading is the same for all formats, messages included. A program can
//! `import` such a file.

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

/// The syntax of a file that is not a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileFormat {
    Json,
    Yaml,
}

impl FileFormat {
    /// Determines the format by the file extension. Returns `None` for a program.
    pub(crate) fn from_path(path: &Path) -> Option<Self> {
        let end = path.extension()?.to_str()?.to_ascii_lowercase();
        match end.as_str() {
            "json" => Some(Self::Json),
            "yaml" | "yml" => Some(Self::Yaml),
            _ => None,
        }
    }
}

/// Translates a file to statements. The format is recognized by its keywords.
pub(crate) fn translate(
    file: u32,
    text: &str,
    format: FileFormat,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Datum> {
    let json = match format {
        FileFormat::Json => json::read(file, text, diagnostics),
        FileFormat::Yaml => yaml::read(file, text, diagnostics),
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

/// Creates an error at a value.
fn error_at(json: &Json, message: impl Into<String>, help: &str) -> Diagnostic {
    Diagnostic::error(json.span, message).help(help)
}
