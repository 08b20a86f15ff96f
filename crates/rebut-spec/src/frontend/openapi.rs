//! OpenAPI 3.0 and 3.1: a `generate` for each operation, with its parameters and the body of its
//! request.

use super::build::At;
use super::json::Json;
use super::schema::{Schemas, identifier};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::Datum;

const METHODS: &[&str] = &["get", "put", "post", "delete", "patch", "options", "head", "trace"];

/// Translates an API to statements.
pub(super) fn translate(json: &Json, diagnostics: &mut Vec<Diagnostic>) -> Vec<Datum> {
    let mut schemas = Schemas::new(json, diagnostics);
    let mut outlines = Vec::new();
    for (path, span, methods) in json.get("paths").map(Json::fields).unwrap_or_default() {
        for (method, _, operation) in
            methods.fields().iter().filter(|(method, _, _)| METHODS.contains(&method.as_str()))
        {
            let name = operation
                .text_of("operationId")
                .map_or_else(|| identifier(&format!("{method}{path}")), identifier);
            let shared = methods.get("parameters").map(Json::items).unwrap_or_default();
            let own = operation.get("parameters").map(Json::items).unwrap_or_default();
            let parameters: Vec<Json> = shared.iter().chain(own).cloned().collect();
            outlines.extend(request(&mut schemas, json, &name, *span, &parameters, operation));
        }
    }
    if outlines.is_empty() {
        let message = "this API has no operation with parameters or a JSON body";
        schemas.diagnostics.push(
            Diagnostic::error(json.span, message)
                .help("inputs are generated for the operations under `paths`"),
        );
    }
    let mut statements = schemas.statements;
    statements.extend(outlines);
    statements
}

/// Returns the `generate` of an operation, or `None` if it has no parameters and no JSON body.
fn request(
    schemas: &mut Schemas<'_, '_>,
    root: &Json,
    name: &str,
    span: Span,
    parameters: &[Json],
    operation: &Json,
) -> Option<Datum> {
    let at = At(span);
    let request = format!("{name}-request");
    let mut fields: Vec<(String, Datum)> = Vec::new();
    for parameter in parameters {
        let parameter = resolved(root, parameter);
        let Some((field, schema)) = parameter.text_of("name").zip(parameter.get("schema")) else {
            continue;
        };
        let helper = format!("{name}-{}", identifier(field));
        schemas.declare_whole(&helper, schema);
        let inner = at.name(&helper);
        let required = parameter.get("required").is_some_and(Json::is_true);
        fields.push((field.to_owned(), if required { inner } else { at.form("Option", [inner]) }));
    }
    let body = operation.get("requestBody").map(|body| resolved(root, body));
    let content = body.and_then(|body| body.get("content"));
    let schema = content.and_then(|content| {
        let json = content.fields().iter().find(|(kind, _, _)| kind.contains("json"));
        json.and_then(|(_, _, media)| media.get("schema"))
    });
    if let Some(schema) = schema {
        let helper = format!("{name}-body");
        schemas.declare_whole(&helper, schema);
        fields.push(("body".to_owned(), at.name(&helper)));
    }
    if fields.is_empty() {
        return None;
    }
    schemas.statements.push(at.form("declare", [at.name(&request), at.blank(at.name("Object"))]));
    for (field, blank) in fields {
        let with = at.form("with", [at.text(&field), at.blank(blank)]);
        schemas.statements.push(at.form("specify", [at.name(&request), with]));
    }
    let output = at.form("output", [at.name(&request)]);
    Some(at.form("generate", [at.name(name), at.int(10), output]))
}

fn resolved<'j>(root: &'j Json, json: &'j Json) -> &'j Json {
    let target =
        json.text_of("$ref").and_then(|reference| reference.strip_prefix('#')).and_then(|path| {
            path.split('/')
                .filter(|step| !step.is_empty())
                .try_fold(root, |json, step| json.get(step))
        });
    target.unwrap_or(json)
}
