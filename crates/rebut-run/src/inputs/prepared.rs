//! Reads the inputs that `cargo rebut generate` wrote to `.rebut/inputs/` next to a
//! specification, if the specification has not changed since.

use std::path::{Path, PathBuf};

use super::Inputs;
use super::json::Json;
use crate::folder;
use crate::strings;

/// The maximum size of a file in bytes, so that no file exhausts the memory. Arbitrary. A larger
/// file counts as missing.
const LENGTH_MAX: u64 = 1 << 28;

/// Returns the models prepared for a test. The error explains how to prepare them.
#[inline(never)]
pub(super) fn load(home: &Path, inputs: &Inputs) -> Result<Vec<Json>, String> {
    let file = home.join(inputs.spec);
    if !file.is_file() {
        return Err(format!(
            "specification not found: `{}`\nhelp: the path starts at the directory of `Cargo.toml`",
            inputs.spec
        ));
    }
    let mut kept = Vec::new();
    for path in files_beside(&file) {
        let text = folder::read(&path, LENGTH_MAX);
        // An unreadable file, or one of another program, counts as missing.
        let Some(json) = text.ok().and_then(|text| Json::parse(&text).ok()) else { continue };
        if is_for_test(&json, &file, inputs) {
            kept.push(json);
        }
    }
    if kept.is_empty() {
        let why = format!("no inputs are prepared for `{}`", inputs.spec);
        return Err(with_command(&why, inputs));
    }
    kept.retain(|json| is_current(json, &file));
    let Some(chosen) = kept.first() else {
        let why = format!("`{}` has changed since its inputs were prepared", inputs.spec);
        return Err(with_command(&why, inputs));
    };
    if kept.len() > 1 {
        let mut names = Vec::new();
        for json in &kept {
            names.push(text_of(json, "outline"));
        }
        return Err(format!(
            "`{}` has several outlines\nhelp: specify `outline = \"{}\"`, or one of `{}`",
            inputs.spec,
            names[0],
            strings::joined(&names[1..], "`, `")
        ));
    }
    models(chosen, inputs)
}

/// Returns the first models, up to the requested number.
fn models(kept: &Json, inputs: &Inputs) -> Result<Vec<Json>, String> {
    let mut models = kept.get("models").and_then(Json::as_list).unwrap_or_default().to_vec();
    let Some(number) = inputs.number else { return Ok(models) };
    let requested = match kept.get("number") {
        Some(Json::Number(number)) => strings::number(number).unwrap_or(0),
        _ => 0,
    };
    // If fewer were found than requested, there are no more.
    if number as u64 > requested && text_of(kept, "verdict") == "complete" {
        let why = format!(
            "{requested} inputs of `{}` were requested when they were prepared, but the test needs \
             {number}",
            inputs.spec
        );
        return Err(with_command(&why, inputs));
    }
    models.truncate(number);
    Ok(models)
}

fn text_of<'a>(json: &'a Json, name: &str) -> &'a str {
    json.get(name).and_then(Json::as_text).unwrap_or_default()
}

/// Returns the files that may contain inputs of a specification.
fn files_beside(file: &Path) -> Vec<PathBuf> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned() + ".";
    let kept = file.with_file_name(".rebut").join("inputs");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(kept).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(&stem) && name.ends_with(".json") {
            found.push(entry.path());
        }
    }
    found.sort();
    found
}

/// Returns whether the inputs belong to this specification and differ as the test requires.
fn is_for_test(json: &Json, file: &Path, inputs: &Inputs) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    text_of(json, "file") == name
        && text_of(json, "differ") == inputs.differ
        && (inputs.outline.is_empty() || text_of(json, "outline") == inputs.outline)
}

/// Returns whether no source file has changed.
fn is_current(json: &Json, file: &Path) -> bool {
    let sources = json.get("sources").and_then(Json::as_list).unwrap_or_default();
    let is_same = |source: &Json| {
        let path = file.with_file_name(text_of(source, "file"));
        let text = folder::read(&path, LENGTH_MAX);
        // Version control may convert line ends to those of the system.
        let hash = text.map(|text| folder::hash(&strings::replaced(&text, "\r\n", "\n")));
        hash.is_ok_and(|hash| hash == text_of(source, "hash"))
    };
    !sources.is_empty() && sources.iter().all(is_same)
}

/// Adds the command to run to a reason.
fn with_command(why: &str, inputs: &Inputs) -> String {
    let mut command = format!("cargo rebut generate {}", quoted(inputs.spec));
    if !inputs.outline.is_empty() {
        command += &format!(" {}", quoted(inputs.outline));
    }
    if let Some(number) = inputs.number {
        command += &format!(" -n {number}");
    }
    if !inputs.differ.is_empty() {
        command += &format!(" --differ {}", quoted(inputs.differ));
    }
    format!(
        "{why}\nhelp: run `{command}` in the directory of `Cargo.toml` \
         (the command is in the package `cargo-rebut`)"
    )
}

/// Quotes a word for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", strings::replaced(word, "'", "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::scratch::Scratch;

    fn inputs() -> Inputs {
        Inputs {
            spec: "a.rebut",
            outline: "",
            number: None,
            differ: "",
            blanks: &[],
            random: false,
        }
    }

    /// Writes the files that the command would write.
    fn prepare(scratch: &Scratch, outline: &str, of: &str, more: &str) {
        let kept = scratch.path().join(".rebut/inputs");
        std::fs::create_dir_all(&kept).expect("a folder");
        let hash = folder::hash(of);
        let text = format!(
            r#"{{"file":"a.rebut","outline":"{outline}","differ":"","number":3,
                "sources":[{{"file":"a.rebut","hash":"{hash}"}}],{more}"models":[1,2,3]}}"#
        );
        std::fs::write(kept.join(format!("a.{outline}.json")), text).expect("a file");
    }

    fn shown(scratch: &Scratch, inputs: &Inputs) -> String {
        match load(scratch.path(), inputs) {
            Ok(models) => Json::List(models).show(),
            Err(why) => why,
        }
    }

    #[test]
    fn inputs_of_changed_specifications_are_refused() {
        let scratch = Scratch::new();
        let wrong = shown(&scratch, &inputs());
        assert!(wrong.starts_with("specification not found: `a.rebut`"), "{wrong}");
        std::fs::write(scratch.path().join("a.rebut"), "old").expect("a file");
        let wrong = shown(&scratch, &inputs());
        assert!(wrong.contains("\nhelp: run `cargo rebut generate a.rebut` in"), "{wrong}");
        prepare(&scratch, "all", "old", "");
        assert_eq!(shown(&scratch, &inputs()), "[1, 2, 3]");
        prepare(&scratch, "all", "two\nlines", "");
        std::fs::write(scratch.path().join("a.rebut"), "two\r\nlines").expect("a file");
        assert_eq!(shown(&scratch, &inputs()), "[1, 2, 3]");
        std::fs::write(scratch.path().join("a.rebut"), "new").expect("a file");
        let wrong = shown(&scratch, &inputs());
        assert!(wrong.starts_with("`a.rebut` has changed since"), "{wrong}");
    }

    #[test]
    fn at_most_the_requested_number_is_loaded() {
        let scratch = Scratch::new();
        std::fs::write(scratch.path().join("a.rebut"), "text").expect("a file");
        prepare(&scratch, "all", "text", r#""verdict":"complete","#);
        assert_eq!(shown(&scratch, &Inputs { number: Some(2), ..inputs() }), "[1, 2]");
        let wrong = shown(&scratch, &Inputs { number: Some(9), ..inputs() });
        assert!(wrong.contains("3 inputs") && wrong.contains("a.rebut -n 9`"), "{wrong}");
        prepare(&scratch, "all", "text", r#""verdict":"largest","#);
        assert_eq!(shown(&scratch, &Inputs { number: Some(9), ..inputs() }), "[1, 2, 3]");
    }

    #[test]
    fn several_outlines_must_be_named() {
        let scratch = Scratch::new();
        std::fs::write(scratch.path().join("a.rebut"), "text").expect("a file");
        prepare(&scratch, "far", "text", "");
        prepare(&scratch, "near", "text", "");
        let wrong = shown(&scratch, &inputs());
        assert!(wrong.contains("`outline = \"far\"`, or one of `near`"), "{wrong}");
        assert_eq!(shown(&scratch, &Inputs { outline: "near", ..inputs() }), "[1, 2, 3]");
        let wrong = shown(&scratch, &Inputs { outline: "b c", differ: "n 'x", ..inputs() });
        assert!(wrong.contains(r"generate a.rebut 'b c' --differ 'n '\''x'`"), "{wrong}");
    }

    mod mutations {
        use super::*;
        use rebut_testkit::mutations::{Clock, for_each, growth};

        #[test]
        fn prepared_inputs_are_read_or_refused() {
            let scratch = Scratch::new();
            std::fs::write(scratch.path().join("a.rebut"), "text").expect("a file");
            prepare(
                &scratch,
                "all",
                "text",
                r#""verdict":"complete","more":[[1.5e3,"\u00e9",null]],"#,
            );
            let path = scratch.path().join(".rebut/inputs/a.all.json");
            let text = std::fs::read(&path).expect("a file");
            for_each("prepared inputs", &[&text], &mut |text| {
                std::fs::write(&path, text).expect("a file");
                let loaded = load(scratch.path(), &inputs());
                assert!(path.is_file());
                loaded.is_ok()
            });
            let model = r#"{"name":"x\u00e9","list":[1,2.5,-3e2,true,null]},"#;
            let make =
                |bytes: usize| format!("[{}1]", model.repeat(bytes / model.len())).into_bytes();
            growth("prepared inputs", Clock::Thread, 1 << 19, &make, &mut |text| {
                Json::parse(std::str::from_utf8(text).expect("UTF-8")).expect("valid JSON");
            });
        }
    }
}
