//! Formats models as JSON, lines of JSON, CSV, readable text and Rust code.

use crate::cli::Format;
use crate::input_cache::Inputs;
use crate::rust;
use rebut_spec::Environment;
use serde_json::{Map, Value};
use std::fmt::Write;

type Outlines<'a> = [(&'a Environment, Inputs)];

/// Formats all models. With several outlines, the models are listed under the names of the
/// outlines.
pub(crate) fn format(format: Format, outlines: &Outlines<'_>) -> String {
    match format {
        Format::Json => json(outlines),
        Format::Jsonl => json_lines(outlines),
        Format::Csv => outlines.iter().map(|(_, inputs)| table(&inputs.models)).collect(),
        Format::Text => {
            outlines.iter().map(|(environment, inputs)| text(environment, &inputs.models)).collect()
        }
        Format::Rust => outlines
            .iter()
            .map(|(environment, inputs)| rust::constant(environment, &inputs.models))
            .collect(),
    }
}

fn json(outlines: &Outlines<'_>) -> String {
    let whole = match outlines {
        [(_, only)] => Value::Array(only.models.clone()),
        several => {
            let named = several.iter().map(|(environment, inputs)| {
                (environment.name.to_string(), Value::Array(inputs.models.clone()))
            });
            Value::Object(named.collect())
        }
    };
    let mut text = serde_json::to_string_pretty(&whole).unwrap_or_default();
    text.push('\n');
    text
}

fn json_lines(outlines: &Outlines<'_>) -> String {
    let mut lines = String::new();
    for (environment, inputs) in outlines {
        for model in &inputs.models {
            let line = if outlines.len() == 1 {
                model.to_string()
            } else {
                serde_json::json!({ "outline": &*environment.name, "input": model }).to_string()
            };
            lines.push_str(&line);
            lines.push('\n');
        }
    }
    lines
}

fn text(environment: &Environment, models: &[Value]) -> String {
    let mut shown = format!("{}\n", environment.name);
    for (at, model) in models.iter().enumerate() {
        let fields = model.as_object().map(|fields| {
            let fields = fields.iter().map(|(name, value)| format!("{name} = {value}"));
            fields.collect::<Vec<_>>().join(", ")
        });
        let _ = writeln!(shown, "{:>4}. {}", at + 1, fields.unwrap_or_else(|| model.to_string()));
    }
    shown
}

/// Each nested field has its own column: `event.name`, `items[0]`.
fn table(models: &[Value]) -> String {
    let rows: Vec<Map<String, Value>> = models.iter().map(flat).collect();
    let mut columns: Vec<String> = Vec::new();
    for row in &rows {
        for name in row.keys() {
            if !columns.contains(name) {
                columns.push(name.clone());
            }
        }
    }
    let mut lines = columns.iter().map(|name| cell(name)).collect::<Vec<_>>().join(",") + "\n";
    for row in &rows {
        let cells = columns.iter().map(|name| match row.get(name) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => cell(text),
            Some(other) => cell(&other.to_string()),
        });
        lines += &(cells.collect::<Vec<_>>().join(",") + "\n");
    }
    lines
}

fn flat(model: &Value) -> Map<String, Value> {
    let mut row = Map::new();
    flatten(model, "", &mut row);
    row
}

fn flatten(value: &Value, name: &str, row: &mut Map<String, Value>) {
    match value {
        Value::Object(fields) => {
            for (field, value) in fields {
                let name = if name.is_empty() { field.clone() } else { format!("{name}.{field}") };
                flatten(value, &name, row);
            }
        }
        Value::Array(items) => {
            for (at, value) in items.iter().enumerate() {
                flatten(value, &format!("{name}[{at}]"), row);
            }
        }
        other => {
            row.insert(name.to_owned(), other.clone());
        }
    }
}

/// Formats a cell according to RFC 4180.
fn cell(text: &str) -> String {
    // A cell with a separator is quoted. An empty text is quoted too, to distinguish it from an
    // absent value.
    if text.is_empty()
        || text.contains([',', '"', '\n', '\r'])
        || text.starts_with(' ')
        || text.ends_with(' ')
    {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn tables_have_columns_for_nested_fields() {
        let models = [
            json!({"a": {"b": 1, "c": "x,y"}, "d": [true, null]}),
            json!({"a": {"b": 2}, "d": [], "e": ""}),
        ];
        assert_eq!(table(&models), "a.b,a.c,d[0],d[1],e\n1,\"x,y\",true,,\n2,,,,\"\"\n");
    }
}
