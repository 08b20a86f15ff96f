//! Types, bounds and functions as Rust code.

use serde_json::Value;

/// Returns a function without its name.
pub(crate) fn function(details: &Value) -> String {
    let header = &details["header"];
    let mut text = String::new();
    for (key, word) in [("is_const", "const "), ("is_async", "async "), ("is_unsafe", "unsafe ")] {
        text.push_str(if header[key] == true { word } else { "" });
    }
    let inputs: Vec<String> = list(&details["sig"]["inputs"]).iter().map(parameter).collect();
    let output = output(&details["sig"]["output"]);
    let (parameters, clause) = split_generics(&details["generics"]);
    format!("{text}fn{parameters}({}){output}{clause}", inputs.join(", "))
}

fn parameter(input: &Value) -> String {
    let (name, kind) = (input[0].as_str().unwrap_or("_"), ty(&input[1]));
    match (name, kind.as_str()) {
        ("self", "Self") => "self".to_owned(),
        ("self", "&Self") => "&self".to_owned(),
        ("self", "&mut Self") => "&mut self".to_owned(),
        _ => format!("{name}: {kind}"),
    }
}

fn output(output: &Value) -> String {
    if output.is_null() { String::new() } else { format!(" -> {}", ty(output)) }
}

/// Returns the header of an `impl` block.
pub(crate) fn implementation(details: &Value) -> String {
    let (parameters, clause) = split_generics(&details["generics"]);
    let target = ty(&details["for"]);
    let name = match &details["trait"] {
        Value::Null => String::new(),
        name => format!("{} for ", path(name)),
    };
    format!("impl{parameters} {name}{target}{clause}")
}

pub(crate) fn generics(generics: &Value) -> String {
    let (parameters, clause) = split_generics(generics);
    format!("{parameters}{clause}")
}

/// Returns the part in angle brackets, and the `where` clause.
fn split_generics(generics: &Value) -> (String, String) {
    let written = list(&generics["params"]).iter();
    let written = written.filter(|one| one["kind"]["type"]["is_synthetic"] != true);
    let parameters: Vec<String> = written.map(generic_parameter).collect();
    let clauses: Vec<String> = list(&generics["where_predicates"]).iter().map(predicate).collect();
    let angled =
        if parameters.is_empty() { String::new() } else { format!("<{}>", parameters.join(", ")) };
    let clause =
        if clauses.is_empty() { String::new() } else { format!(" where {}", clauses.join(", ")) };
    (angled, clause)
}

fn generic_parameter(parameter: &Value) -> String {
    let name = text(&parameter["name"]);
    let kind = &parameter["kind"];
    if let Value::Object(constant) = &kind["const"] {
        return format!("const {name}: {}", ty(&constant["type"]));
    }
    let lifetimes = list(&kind["lifetime"]["outlives"]).iter().map(text).collect::<Vec<_>>();
    let bounds = match lifetimes.is_empty() {
        true => bounds(&kind["type"]["bounds"]),
        false => lifetimes.join(" + "),
    };
    let default = match &kind["type"]["default"] {
        Value::Null => String::new(),
        default => format!(" = {}", ty(default)),
    };
    match bounds.is_empty() {
        true => format!("{name}{default}"),
        false => format!("{name}: {bounds}{default}"),
    }
}

fn predicate(predicate: &Value) -> String {
    if let Value::Object(bound) = &predicate["bound_predicate"] {
        let higher = higher_ranked(&bound["generic_params"]);
        return format!("{higher}{}: {}", ty(&bound["type"]), bounds(&bound["bounds"]));
    }
    if let Value::Object(lifetime) = &predicate["lifetime_predicate"] {
        let outlives = list(&lifetime["outlives"]).iter().map(text).collect::<Vec<_>>();
        return format!("{}: {}", text(&lifetime["lifetime"]), outlives.join(" + "));
    }
    unknown("a predicate", predicate)
}

pub(crate) fn bounds(bounds: &Value) -> String {
    list(bounds).iter().map(bound).collect::<Vec<_>>().join(" + ")
}

fn bound(bound: &Value) -> String {
    if let Value::Object(one) = &bound["trait_bound"] {
        let modifier = if one["modifier"] == "maybe" { "?" } else { "" };
        return format!(
            "{modifier}{}{}",
            higher_ranked(&one["generic_params"]),
            path(&one["trait"])
        );
    }
    if let Value::String(lifetime) = &bound["outlives"] {
        return lifetime.clone();
    }
    if let Value::Array(captured) = &bound["use"] {
        let name =
            |one: &Value| one["lifetime"].as_str().or(one["param"].as_str()).map(str::to_owned);
        return format!("use<{}>", captured.iter().filter_map(name).collect::<Vec<_>>().join(", "));
    }
    unknown("a bound", bound)
}

fn higher_ranked(parameters: &Value) -> String {
    let names: Vec<String> = list(parameters).iter().map(|one| text(&one["name"])).collect();
    if names.is_empty() { String::new() } else { format!("for<{}> ", names.join(", ")) }
}

pub(crate) fn ty(kind: &Value) -> String {
    let Some((name, inner)) = kind.as_object().and_then(|kind| kind.iter().next()) else {
        return if kind == "infer" { "_".to_owned() } else { unknown("a type", kind) };
    };
    match name.as_str() {
        "resolved_path" => path(inner),
        "generic" | "primitive" => match text(inner).as_str() {
            "never" => "!".to_owned(),
            other => other.to_owned(),
        },
        "tuple" => match list(inner) {
            [one] => format!("({},)", ty(one)),
            parts => format!("({})", types(parts)),
        },
        "slice" => format!("[{}]", ty(inner)),
        "array" => format!("[{}; {}]", ty(&inner["type"]), text(&inner["len"])),
        "impl_trait" => format!("impl {}", bounds(inner)),
        "dyn_trait" => dyn_trait(inner),
        "function_pointer" => {
            let inputs: Vec<Value> =
                list(&inner["sig"]["inputs"]).iter().map(|one| one[1].clone()).collect();
            let output = output(&inner["sig"]["output"]);
            format!("{}fn({}){output}", higher_ranked(&inner["generic_params"]), types(&inputs))
        }
        "raw_pointer" => {
            format!(
                "*{} {}",
                if inner["is_mutable"] == true { "mut" } else { "const" },
                ty(&inner["type"])
            )
        }
        "borrowed_ref" => {
            let lifetime =
                inner["lifetime"].as_str().map(|name| format!("{name} ")).unwrap_or_default();
            let mutable = if inner["is_mutable"] == true { "mut " } else { "" };
            let target = ty(&inner["type"]);
            let is_sum = target.starts_with("dyn ") && target.contains(" + ");
            let target = if is_sum { format!("({target})") } else { target };
            format!("&{lifetime}{mutable}{target}")
        }
        "qualified_path" => qualified_path(inner),
        _ => unknown("a type", kind),
    }
}

fn dyn_trait(inner: &Value) -> String {
    let one =
        |one: &Value| format!("{}{}", higher_ranked(&one["generic_params"]), path(&one["trait"]));
    let mut parts: Vec<String> = list(&inner["traits"]).iter().map(one).collect();
    parts.extend(inner["lifetime"].as_str().map(str::to_owned));
    format!("dyn {}", parts.join(" + "))
}

fn qualified_path(inner: &Value) -> String {
    let (own, name) = (ty(&inner["self_type"]), text(&inner["name"]));
    let of = if inner["trait"].is_null() { String::new() } else { path(&inner["trait"]) };
    let is_plain = of.is_empty() || inner["self_type"].get("generic").is_some();
    let arguments = arguments(&inner["args"]);
    match is_plain {
        true => format!("{own}::{name}{arguments}"),
        false => format!("<{own} as {of}>::{name}{arguments}"),
    }
}

/// Returns a path as written, which can be `Vec<u8>` or `std::vec::Vec<u8>`, without its modules:
/// where an item is defined is not part of the API.
fn path(path: &Value) -> String {
    let name = text(&path["path"]);
    let name = name.rsplit("::").next().unwrap_or_default();
    format!("{name}{}", arguments(&path["args"]))
}

fn arguments(arguments: &Value) -> String {
    if let Value::Object(angled) = &arguments["angle_bracketed"] {
        let mut parts: Vec<String> = list(&angled["args"]).iter().map(argument).collect();
        parts.extend(list(&angled["constraints"]).iter().map(constraint));
        return if parts.is_empty() { String::new() } else { format!("<{}>", parts.join(", ")) };
    }
    if let Value::Object(call) = &arguments["parenthesized"] {
        return format!("({}){}", types(list(&call["inputs"])), output(&call["output"]));
    }
    String::new()
}

fn argument(argument: &Value) -> String {
    match argument.as_object().and_then(|argument| argument.iter().next()) {
        Some((kind, inner)) if kind == "type" => ty(inner),
        Some((kind, inner)) if kind == "lifetime" => text(inner),
        Some((kind, inner)) if kind == "const" => text(&inner["expr"]),
        _ => "_".to_owned(),
    }
}

fn constraint(constraint: &Value) -> String {
    let name = text(&constraint["name"]);
    match &constraint["binding"]["equality"]["type"] {
        Value::Null => format!("{name}: {}", bounds(&constraint["binding"]["constraint"])),
        equal => format!("{name} = {}", ty(equal)),
    }
}

fn types(types: &[Value]) -> String {
    types.iter().map(ty).collect::<Vec<_>>().join(", ")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn unknown(what: &str, value: &Value) -> ! {
    panic!("rustdoc writes {what} that this test does not know: {value}")
}
