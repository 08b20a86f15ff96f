//! Writes SARIF 2.1.0, which code hosts show next to the lines of code.

use serde_json::{Value as Json, json};

use crate::codes::codes;
use crate::model::{Property, Report, ReportedInput};
use crate::text::printable;
use crate::words;

impl Report {
    /// Returns a result for each failure, at the location where it occurred.
    #[must_use]
    pub fn to_sarif(&self) -> Json {
        let rules = codes().iter().filter(|code| code.code.starts_with('R')).map(|code| {
            json!({
                "id": code.code,
                "shortDescription": {"text": code.title},
                "fullDescription": {"text": code.meaning},
                "help": {"text": code.advice},
                "defaultConfiguration": {"level": "error"},
            })
        });
        let version = self.runs.first().map_or("", |run| run.rebut.as_str());
        json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": {"driver": {
                    "name": "rebut",
                    "version": version,
                    "rules": rules.collect::<Vec<_>>(),
                }},
                "columnKind": "unicodeCodePoints",
                "results": self.properties.iter().flat_map(results).collect::<Vec<_>>(),
            }],
        })
    }
}

fn results(property: &Property) -> Vec<Json> {
    if property.is_success() {
        return Vec::new();
    }
    if property.failures.is_empty() {
        let reason = property.end.as_ref().and_then(|end| end.reason.as_deref());
        let verdict = words::complaint(property.code());
        let verdict = verdict.unwrap_or_else(|| words::verdict(property.code()));
        let text = match reason {
            Some(reason) => format!("{}: {verdict}: {reason}", property.name),
            None => format!("{}: {verdict}", property.name),
        };
        return vec![result(property, &text, None, &fingerprint(property))];
    }
    let of_failure = |input: &ReportedInput| {
        let replay = words::replay_command(property, input);
        let replay = replay.map(|command| format!("\nreplay: {command}")).unwrap_or_default();
        let text = format!(
            "{}: {}\n\n{}\nfound by: {}{replay}",
            property.name,
            words::describe_failure(input),
            words::let_lines(input),
            words::how_found(property, input),
        );
        result(
            property,
            &text,
            input.location.as_deref(),
            &format!("{} {}", fingerprint(property), input.origin),
        )
    };
    property.failures.iter().map(of_failure).collect()
}

/// Returns a key that identifies the property within a repository and survives changes of the
/// code.
fn fingerprint(property: &Property) -> String {
    let words = [&property.package, &property.target, &property.name];
    let words: Vec<&str> =
        words.into_iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

fn result(property: &Property, text: &str, broke_at: Option<&str>, fingerprint: &str) -> Json {
    let here = location(&property.location);
    let locations: Vec<Json> = broke_at.and_then(location).or(here.clone()).into_iter().collect();
    let related: Vec<Json> = here.into_iter().collect();
    let verdict = property.verdict();
    let is_rule = codes().iter().any(|code| code.code == verdict && verdict.starts_with('R'));
    let mut result = json!({
        "level": "error",
        "message": {"text": printable(text)},
        "locations": locations,
        "relatedLocations": related,
        "partialFingerprints": {"rebut/v1": fingerprint},
    });
    if is_rule {
        result["ruleId"] = json!(verdict);
    }
    result
}

/// Converts a location such as `src/lib.rs:3` or `src/lib.rs:3:17`. Returns `None` for an absolute
/// path: such a file is not part of the repository.
fn location(place: &str) -> Option<Json> {
    let (before, last) = place.rsplit_once(':')?;
    let last: u64 = last.parse().ok()?;
    let with_column =
        before.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse::<u64>().ok()?)));
    let (file, region) = match with_column {
        Some((file, line)) => (file, json!({"startLine": line.max(1), "startColumn": last.max(1)})),
        None => (before, json!({"startLine": last.max(1)})),
    };
    let uri = file.replace('\\', "/");
    if uri.starts_with('/') || uri.contains(':') {
        return None;
    }
    Some(
        json!({"physicalLocation": {"artifactLocation": {"uri": encoded(&uri)}, "region": region}}),
    )
}

/// Percent-encodes a path for a URI.
fn encoded(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri += &format!("%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_positions_become_locations() {
        let place =
            |place: &str| location(place).map(|place| place["physicalLocation"].to_string());
        assert_eq!(
            place("src/a b.rs:3:17").as_deref(),
            Some(
                r#"{"artifactLocation":{"uri":"src/a%20b.rs"},"region":{"startLine":3,"startColumn":17}}"#
            )
        );
        assert_eq!(
            place("src\\lib.rs:3").as_deref(),
            Some(r#"{"artifactLocation":{"uri":"src/lib.rs"},"region":{"startLine":3}}"#)
        );
        assert_eq!(place("/rustc/library/core/src/str.rs:1:1"), None);
        assert_eq!(place("nowhere"), None);
    }
}
