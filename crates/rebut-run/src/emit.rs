//! Writes a counterexample as an ordinary `#[test]` that needs no Rebut.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use crate::property::Test;
use crate::verdict::{Counterexample, Found};

/// Writes the test of a counterexample below the target folder; where to, if it could be
/// written and there is something to write.
pub(crate) fn write(test: &Test, told: &Counterexample) -> Option<String> {
    let can_be_written = !told.values.is_empty()
        && !test.body.is_empty()
        && told.rate.is_none()
        && !matches!(told.found, Found::Example(_));
    if !can_be_written {
        return None;
    }
    let folder = target_folder()?.join("rebut").join("tests");
    fs::create_dir_all(&folder).ok()?;
    let path = folder.join(format!("{}.rs", test.path.replace("::", "__")));
    fs::write(&path, source(test, told)).ok()?;
    Some(path.display().to_string())
}

/// `target` of the build that this binary comes from.
fn target_folder() -> Option<PathBuf> {
    let binary = std::env::current_exe().ok()?;
    binary.ancestors().nth(3).map(PathBuf::from)
}

/// The source of the test.
fn source(test: &Test, told: &Counterexample) -> String {
    let name = test.path.rsplit("::").next().unwrap_or("property");
    let failure = &told.failure;
    let what = failure.message.lines().next().unwrap_or_default();
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "// {} ({}:{})", test.path, test.file, test.line);
    let _ = writeln!(text, "// {}: {what}", failure.kind);
    let return_type = test.return_type.trim_start_matches("->").trim();
    let returns_bool = return_type.contains("bool");
    let signature = match return_type {
        "" => String::new(),
        _ if returns_bool => String::new(),
        other => format!(" -> {other}"),
    };
    let _ = writeln!(text, "#[test]\nfn {name}_regression(){signature} {{");
    for value in &told.values {
        let _ = writeln!(text, "    let {}: {} = {};", value.name, value.type_name, value.code);
    }
    let body = indented(test.body);
    if returns_bool {
        let body = body.replace('\n', "\n    ");
        let _ = writeln!(text, "    let holds = (|| -> {return_type} {{\n    {body}\n    }})();");
        let claim = if return_type == "bool" { "holds" } else { "matches!(holds, Ok(true))" };
        let _ = writeln!(text, "    assert!({claim});");
    } else {
        let _ = writeln!(text, "{body}");
    }
    text.push_str("}\n");
    text
}

/// The body with the indentation it has in a function at the outermost level.
fn indented(body: &str) -> String {
    let lines: Vec<&str> = body.trim_matches('\n').lines().collect();
    let indentation = |line: &&str| line.len() - line.trim_start().len();
    let common = lines
        .iter()
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .map(indentation)
        .min()
        .unwrap_or(0);
    let cut = |line: &str| line.get(common.min(indentation(&line))..).unwrap_or(line).to_owned();
    let lines: Vec<String> = lines
        .iter()
        .map(|line| cut(line).trim_end().to_owned())
        .map(|line| if line.is_empty() { line } else { format!("    {line}") })
        .collect();
    lines.join("\n").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::indented;

    #[test]
    fn bodies_are_moved_to_the_outermost_level() {
        let body = "\n            let a = 1;\n            if a == 1 {\n                f();\n            }\n";
        assert_eq!(indented(body), "    let a = 1;\n    if a == 1 {\n        f();\n    }");
    }
}
