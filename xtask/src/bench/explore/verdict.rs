//! The verdicts that `cargo rebut explore --format json` prints. Only this module knows their
//! words.

use serde_json::Value;

/// The verdict on a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It holds for all inputs.
    Proved,
    /// A native run fails.
    Failed,
    /// No explored path fails, but that proves nothing, and why.
    Held(Vec<String>),
    /// It is not decided, and why.
    Unknown(Vec<String>),
    /// The test rejects all inputs.
    Vacuous,
    /// There was none before the limit of time.
    Missing,
}

/// Why a failure does not count.
const FAILS_ELSEWHERE: &str = "it fails in WebAssembly alone";

impl Verdict {
    /// Reads a line. Returns the name of the test and the verdict.
    pub(super) fn parse(line: &str) -> Result<(String, Verdict), String> {
        let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let test = value["test"].as_str().ok_or_else(|| format!("no test in `{line}`"))?;
        let verdict = value["verdict"].as_str().unwrap_or_default();
        let reasons = reasons(&value);
        let verdict = match verdict {
            "proved" => Verdict::Proved,
            "held" => Verdict::Held(reasons),
            "fails" | "failed" | "absent" if fails_natively(&value) => Verdict::Failed,
            "fails" | "failed" => Verdict::Unknown(vec![FAILS_ELSEWHERE.to_owned()]),
            "vacuous" => Verdict::Vacuous,
            "unknown" => Verdict::Unknown(reasons),
            other => return Err(format!("unknown verdict `{other}` of `{test}`")),
        };
        Ok((test.to_owned(), verdict))
    }

    pub(super) fn reasons(&self) -> &[String] {
        match self {
            Verdict::Held(reasons) | Verdict::Unknown(reasons) => reasons,
            _ => &[],
        }
    }
}

/// A failure without a list of native runs is one of a native run.
fn fails_natively(value: &Value) -> bool {
    value["fails_natively"].as_array().is_none_or(|runs| runs.iter().any(|run| *run == true))
}

/// The reasons for which nothing is proved. Assumptions are among them: the set has no property
/// that may assume anything.
fn reasons(value: &Value) -> Vec<String> {
    let lists = ["limits", "reasons", "reason", "doubts"].into_iter().map(|key| &value[key]);
    let texts = lists.flat_map(|list| match list {
        Value::Array(texts) => texts.iter().filter_map(Value::as_str).collect(),
        Value::String(text) => vec![text.as_str()],
        _ => Vec::new(),
    });
    texts.map(str::to_owned).collect()
}

/// A reason without numbers and locations, so that equal ones can be counted.
pub(super) fn kind_of(reason: &str) -> String {
    let mut kind = String::new();
    let words = reason.split(": ").next().unwrap_or(reason);
    for character in words.chars() {
        let character = if character.is_ascii_digit() { 'N' } else { character };
        if character != 'N' || !kind.ends_with('N') {
            kind.push(character);
        }
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Verdict {
        Verdict::parse(line).expect("a verdict").1
    }

    #[test]
    fn lines_are_verdicts() {
        assert_eq!(of(r#"{"test": "a", "verdict": "proved"}"#), Verdict::Proved);
        let fails = r#"{"test": "a", "verdict": "fails", "fails_natively": [false, true]}"#;
        assert_eq!(of(fails), Verdict::Failed);
        let elsewhere = r#"{"test": "a", "verdict": "fails", "fails_natively": [false]}"#;
        assert_eq!(of(elsewhere).reasons(), [FAILS_ELSEWHERE]);
        let unknown = r#"{"test": "a", "verdict": "unknown", "limits": ["the limit of 9 runs"]}"#;
        assert_eq!(of(unknown), Verdict::Unknown(vec!["the limit of 9 runs".to_owned()]));
        assert!(Verdict::parse(r#"{"test": "a", "verdict": "holds"}"#).is_err());
        assert!(Verdict::parse("proved").is_err());
    }

    #[test]
    fn reasons_are_counted_without_their_numbers() {
        assert_eq!(kind_of("it calls f: src/lib.rs:12"), "it calls f");
        assert_eq!(kind_of("the limit of 10000 runs"), "the limit of N runs");
    }
}
