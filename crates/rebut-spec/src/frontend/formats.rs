//! Formats and patterns of JSON Schema, as regular expressions that must match a whole string.

/// Converts a pattern of JSON Schema, which may match anywhere, to one that must match the whole
/// string.
pub(super) fn unanchored(pattern: &str) -> String {
    let start = if pattern.starts_with('^') { "" } else { "(?s:.*)" };
    let escaped = pattern.chars().rev().skip(1).take_while(|c| *c == '\\').count() % 2 == 1;
    let end = if pattern.ends_with('$') && !escaped { "" } else { "(?s:.*)" };
    if start.is_empty() && end.is_empty() {
        return pattern.to_owned();
    }
    let inner = pattern.strip_prefix('^').unwrap_or(pattern);
    let inner = if end.is_empty() { inner.strip_suffix('$').unwrap_or(inner) } else { inner };
    format!("{start}(?:{inner}){end}")
}

/// Returns a regular expression for a format. It describes only the commonly used part of the
/// format, so every generated string has the format, but not every string of the format matches.
pub(super) fn format_pattern(format: &str) -> Option<&'static str> {
    Some(match format {
        "uuid" => "[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
        "email" => "[a-z0-9]+([._+-][a-z0-9]+)*@[a-z0-9]+(-[a-z0-9]+)*(\\.[a-z]{2,6}){1,2}",
        "hostname" => "[a-z0-9]+(-[a-z0-9]+)*(\\.[a-z0-9]+(-[a-z0-9]+)*)*",
        "ipv4" => {
            "((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
        }
        "uri" | "url" => {
            "https?://[a-z0-9]+(-[a-z0-9]+)*(\\.[a-z]{2,6}){1,2}(:[1-9][0-9]{1,3})?(/[a-zA-Z0-9_.~-]+)*/?(\\?[a-z]+=[a-zA-Z0-9]*)?"
        }
        "ipv6" => {
            "([1-9a-f][0-9a-f]{0,3}:){7}[1-9a-f][0-9a-f]{0,3}|([1-9a-f][0-9a-f]{0,3}:){1,5}(:[1-9a-f][0-9a-f]{0,3}){1,2}|::1"
        }
        "uri-reference" => "(/[a-zA-Z0-9_.~-]+)+/?(\\?[a-z]+=[a-zA-Z0-9]*)?(#[a-z]+)?",
        "json-pointer" => "(/[a-zA-Z0-9_]+)*",
        "duration" => "P[1-9][0-9]{0,2}[DWMY]|PT[1-9][0-9]?[HMS]",
        "time" => "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z",
        "byte" => "([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?",
        _ => return None,
    })
}

/// Formats that do not restrict strings, or that are handled as types.
pub(super) const WITHOUT_PATTERN: &[&str] =
    &["date", "date-time", "int32", "int64", "float", "double", "binary", "password"];
