//! Writes a counterexample as an ordinary `#[test]` that does not need Rebut.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use rebut_protocol::test_path::TestPath;

use crate::arithmetic;
use crate::claim::Claim;
use crate::escapes::printable;
use crate::folder;
use crate::outcome::{Failure, FailureKind};
use crate::prelude::NamesAtTest;
use crate::property::Test;
use crate::rerun;
use crate::strings;
use crate::tokens::lines_of_code;
use crate::verdict::{Counterexample, FoundBy};
use crate::wrap::{has_comment, wrap};

/// Writes a test for each counterexample into one file below the target directory. Returns its
/// path, or `None` if there is nothing to write. An error explains why it could not be written.
#[inline(never)]
pub(crate) fn write(
    test: &Test,
    counterexamples: &[Counterexample],
) -> Result<Option<PathBuf>, String> {
    let mut tests = Vec::new();
    for counterexample in counterexamples {
        if can_be_emitted(test, counterexample) {
            tests.push(source(test, counterexample, tests.len()));
        }
    }
    if tests.is_empty() {
        return Ok(None);
    }
    let target = folder::target().ok_or_else(folder::no_target)?;
    let home = target.join("rebut");
    let key = test.target.key_in_workspace(test.path, test.file);
    let name = own_name(&home, &folder::file_name(&key), &test.target.running_manifest_dir());
    let directory = home.join("tests");
    let path = directory.join(format!("{name}.rs"));
    let written = fs::create_dir_all(&directory)
        .and_then(|()| fs::write(&path, strings::joined(&tests, "\n")));
    match written {
        Ok(()) => Ok(Some(path)),
        Err(error) => {
            Err(format!("cannot write the regression test {}: {error}", folder::shown(&path)))
        }
    }
}

/// Returns a name for the file of a test that no other package uses. Workspaces may share a target
/// directory, and have packages with the same name. The first one gets the short name, and a file
/// in `owners` has its directory.
fn own_name(home: &Path, name: &str, manifest_dir: &str) -> String {
    let owners = home.join("owners");
    let owner = owners.join(name);
    match folder::read(&owner, OWNER_MAX) {
        Ok(other) if other != manifest_dir && Path::new(&other).is_dir() => {
            format!("{name}-{}", folder::hash(manifest_dir))
        }
        Ok(known) if known == manifest_dir => name.to_owned(),
        _ => {
            // Without this file, another package would overwrite the test.
            let _ = fs::create_dir_all(&owners).and_then(|()| fs::write(&owner, manifest_dir));
            name.to_owned()
        }
    }
}

/// The maximum length of the path of a directory in bytes; longer than any system allows.
const OWNER_MAX: u64 = 1 << 16;

/// Returns whether a test without Rebut would fail as the property does.
pub(crate) fn can_be_emitted(test: &Test, counterexample: &Counterexample) -> bool {
    !counterexample.values.is_empty()
        && !counterexample.is_incomplete
        && !test.body.is_empty()
        && counterexample.rate.is_none()
        && fails_without_rebut(&counterexample.failure)
        && counterexample.doubtful_type(test.path).is_none()
        && !matches!(counterexample.found_by, FoundBy::Example(_))
        // A value that is not shown cannot be pasted.
        && counterexample.values.iter().all(|value| !has_comment(&value.code))
}

/// Returns whether an ordinary test fails in this way. It has no limit of memory, and one that exits
/// with code 0 ends its test program as if all tests had passed.
fn fails_without_rebut(failure: &Failure) -> bool {
    match failure.kind {
        FailureKind::OutOfMemory => false,
        FailureKind::Exit => !failure.message.ends_with("code 0"),
        _ => true,
    }
}

/// Returns the source of test number `nth` of a property.
#[inline(never)]
fn source(test: &Test, counterexample: &Counterexample, nth: usize) -> String {
    let name = TestPath::new(test.path).plain_function();
    let number = if nth == 0 { String::new() } else { format!("_{}", nth + 1) };
    let failure = &counterexample.failure;
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "// {} ({}:{})", test.path, test.file, test.line);
    let selection = rerun::selection(test);
    if !selection.is_empty() {
        let _ = writeln!(text, "// cargo test {selection}");
    }
    for line in strings::lines(&what_happened(failure)) {
        let _ = writeln!(text, "{}", format!("// {line}").trim_end());
    }
    let return_type = test.return_type.strip_prefix("->").unwrap_or(test.return_type).trim();
    let returns_bool = returns_bool(return_type);
    let signature = match return_type {
        "" => String::new(),
        _ if returns_bool || returns_value(return_type) => String::new(),
        other => format!(" -> {other}"),
    };
    text.push_str("#[test]\n");
    if arithmetic::may_be_refused(test.body, &counterexample.values) {
        let _ = writeln!(text, "{}", arithmetic::ATTRIBUTE);
    }
    if !test.attributes.is_empty() {
        let _ = writeln!(text, "{}", test.attributes);
    }
    let _ = writeln!(text, "fn {name}_regression{number}(){signature} {{");
    let names = NamesAtTest::new(Some(test));
    if let Some(statements) = statements_of_program(test, counterexample) {
        return text + &names.imports(&statements) + &statements + "}\n";
    }
    let mut values = String::new();
    for value in &counterexample.values {
        let before = format!("    let {}: {} = ", value.name, value.type_name);
        let wrapped = wrap(&names.translated(&value.code), strings::count(&before), 4);
        let _ = writeln!(values, "{before}{};", wrapped.text);
    }
    text.push_str(&names.imports(&values));
    text.push_str(&values);
    let body = indented(test.body);
    if returns_bool {
        let body = inside_block(&body);
        let (name, not) = match test.claim {
            Claim::NotExists => ("is_match", "!"),
            _ => ("passed", ""),
        };
        let is_bool = return_type == "bool";
        // Only `return` needs a closure.
        let (begin, end) = match is_bool && !has_word(test.body, "return") {
            true => (String::from("{"), "}"),
            false => (format!("(|| -> {return_type} {{"), "})()"),
        };
        let _ = writeln!(text, "    let {name} = {begin}\n    {body}\n    {end};");
        let claim = if is_bool { name.to_owned() } else { format!("matches!({name}, Ok(true))") };
        let _ = writeln!(text, "    assert!({not}{claim});");
    } else if returns_value(return_type) {
        let body = inside_block(&body);
        let _ = writeln!(text, "    let result = (|| -> {return_type} {{\n    {body}\n    }})();");
        let _ = writeln!(text, "    assert!(result.is_ok(), \"{{:?}}\", result.err());");
    } else {
        let _ = writeln!(text, "{body}");
    }
    text.push_str("}\n");
    text
}

/// Describes a failure in the comment above its test, in as many lines as the message has.
fn what_happened(failure: &Failure) -> String {
    let kind = failure.kind;
    let message = printable(failure.message.trim_end());
    match kind {
        FailureKind::Witness => kind.to_string(),
        FailureKind::WrongResult if message == "returned false" => message,
        _ if message.is_empty() => kind.to_string(),
        _ => format!("{kind}: {message}"),
    }
}

/// Returns the statements of the program if the property does nothing but run it. They fail
/// without Rebut.
fn statements_of_program(test: &Test, counterexample: &Counterexample) -> Option<String> {
    let [value] = counterexample.values.as_slice() else { return None };
    let run = format!("{}.run()", value.name);
    if test.body.trim().trim_end_matches(';') != run {
        return None;
    }
    let inside = value.code.strip_prefix("rebut::Program::new(|| {\n")?.strip_suffix("    })")?;
    let mut text = String::new();
    for line in lines_of_code(inside) {
        text.push_str(line.strip_prefix("    ").unwrap_or(line));
        strings::push(&mut text, '\n');
    }
    Some(text)
}

/// Returns whether code has a word, or something that looks like it.
fn has_word(code: &str, word: &str) -> bool {
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    code.split(|c| !is_part(c)).any(|part| part == word)
}

/// Returns whether the type is `bool` or a `Result` of it.
fn returns_bool(return_type: &str) -> bool {
    let inside = strings::split_once(return_type, "Result<").map(|(_, inside)| inside.trim_start());
    let is_bool = |text: &str| {
        text.strip_prefix("bool").is_some_and(|rest| {
            rest.trim_start().is_empty() || rest.trim_start().starts_with([',', '>'])
        })
    };
    inside.map_or(return_type == "bool", is_bool)
}

/// Returns whether the type is a `Result` with a value that a test of the standard harness cannot
/// return.
fn returns_value(return_type: &str) -> bool {
    let Some((_, inside)) = strings::split_once(return_type, "Result<") else { return false };
    let first = inside.trim_start();
    let known = ["()", "!", "bool", "ExitCode", "std::process::ExitCode"];
    !known.iter().any(|known| {
        let rest = first.strip_prefix(known).map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with([',', '>']))
    })
}

/// Returns the body with the indentation of a function at the outermost level. The inside of
/// strings does not change.
#[inline(never)]
fn indented(body: &str) -> String {
    // A file may have the line ends of Windows, which the compiler also reads as `\n`.
    let body = &strings::replaced(body, "\r\n", "\n");
    // A line that begins after the brace has lost its indentation.
    let begins_behind_brace = !body.trim_start_matches(' ').starts_with('\n');
    let body = if begins_behind_brace { body.trim_start() } else { body.trim_start_matches(' ') };
    let lines = lines_of_code(body.trim_matches('\n'));
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let mut common = usize::MAX;
    for line in lines.iter().skip(usize::from(begins_behind_brace)) {
        if !line.trim().is_empty() {
            common = common.min(indentation(line));
        }
    }
    if common == usize::MAX {
        common = 0;
    }
    let mut text = String::new();
    for line in lines {
        let cut = line.get(common.min(indentation(line))..).unwrap_or(line).trim_end();
        if !cut.is_empty() {
            text.push_str("    ");
            text.push_str(cut);
        }
        strings::push(&mut text, '\n');
    }
    text.truncate(text.trim_end().len());
    text
}

/// Returns a body with the indentation of a block inside of a function.
fn inside_block(body: &str) -> String {
    strings::joined(&lines_of_code(body), "\n    ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::scratch::Scratch;

    #[test]
    fn packages_that_share_a_target_directory_have_files_of_their_own() {
        let home = Scratch::new();
        let packages = ["one", "two"].map(|name| {
            let package = home.path().join(name);
            fs::create_dir(&package).expect("a directory");
            package.display().to_string()
        });
        let [one, two] = packages.each_ref();
        assert_eq!(own_name(home.path(), "demo__a", one), "demo__a");
        assert_eq!(own_name(home.path(), "demo__a", one), "demo__a");
        let other = own_name(home.path(), "demo__a", two);
        assert_eq!(other, format!("demo__a-{}", folder::hash(two)));
        assert_eq!(own_name(home.path(), "demo__b", two), "demo__b");
        fs::remove_dir(one).expect("a directory");
        assert_eq!(own_name(home.path(), "demo__a", two), "demo__a", "the other one is gone");
    }

    #[test]
    fn words_are_whole() {
        assert!(has_word("if n { return true; }", "return"));
        assert!(!has_word("returned(n) || no_return", "return"));
    }

    #[test]
    fn the_comment_says_once_what_happened() {
        let what = |kind, message: &str| {
            what_happened(&Failure { kind, message: message.to_owned(), location: None })
        };
        assert_eq!(what(FailureKind::Witness, "returned true"), "returned true");
        assert_eq!(what(FailureKind::WrongResult, "returned false"), "returned false");
        assert_eq!(what(FailureKind::WrongResult, "Empty"), "returned a failure: Empty");
        assert_eq!(what(FailureKind::Hang, ""), "did not end within its deadline");
        assert_eq!(what(FailureKind::Panic, "a\n  left: 1"), "panicked: a\n  left: 1");
    }

    #[test]
    fn one_line_is_indented_once() {
        assert_eq!(indented("\n        f();\n    "), "    f();");
        assert_eq!(indented(" f() "), "    f()");
        assert_eq!(indented(" f();\n        g();\n    "), "    f();\n    g();");
    }

    #[test]
    fn bodies_are_moved_to_the_outermost_level() {
        let body = "\n            let a = 1;\n            if a == 1 {\n                f();\n            }\n";
        assert_eq!(indented(body), "    let a = 1;\n    if a == 1 {\n        f();\n    }");
    }

    #[test]
    fn strings_that_span_lines_keep_their_characters() {
        for literal in [
            "\"a  \n  b\n\"",
            "r#\"\"\n \\\n  b\"#",
            "b\"a\n\t b\"",
            "c\"a\n  b \n\"",
            "br\"a\n b\"",
        ] {
            let body = format!(
                "\n        let quote = ('\"', '\\'', b'\"'); // it's \"\n        /* \" /* \n */\n \
                 \" */ let a: &'static _ = {literal};   \n        f(a);\n    "
            );
            for text in [indented(&body), inside_block(&indented(&body))] {
                assert!(text.contains(&format!("= {literal};\n")), "{text}");
            }
            let with_returns = body.replace('\n', "\r\n");
            assert_eq!(indented(&with_returns), indented(&body), "Windows");
        }
        assert_eq!(
            indented("\n        f(\"a\nb\");\n        g();\n"),
            "    f(\"a\nb\");\n    g();"
        );
    }

    #[test]
    fn results_of_other_values_are_no_results_of_tests() {
        for yes in ["Result<u8, E>", "io::Result<Vec<()>>", "Result<( u8, ()), E>"] {
            assert!(returns_value(yes), "{yes}");
        }
        for no in ["", "bool", "Result<(), E>", "io::Result<()>", "Result<ExitCode, E>", "Result"] {
            assert!(!returns_value(no), "{no}");
        }
    }

    #[test]
    fn only_results_of_bool_return_a_bool() {
        for yes in ["bool", "Result<bool, E>", "io::Result<bool>", "Result<bool , Vec<u8>>"] {
            assert!(returns_bool(yes), "{yes}");
        }
        for no in ["()", "Result<(), bool>", "Result<(), Vec<bool>>", "Result<boolean, E>"] {
            assert!(!returns_bool(no), "{no}");
        }
    }
}
