//! The file format of a stored case.
//!
//! ```text
//! rebut case 1
//! test my_crate::module::round_trips
//! origin panic src/lib.rs:3:9
//! kind panic
//! shrunk yes
//! build debug
//! message assertion failed: a == b
//! let list: Vec<u8> = vec![1, 2]
//! tape 6
//! (s1f i2 i1 i2 ) c120
//! ```
//!
//! A message of several lines takes one `message` line for each, and so do several builds. Files of
//! earlier versions have no `build` line. Line ends, other control
//! characters and backslashes are escaped as in Rust. The number after `tape` is the number of
//! its tokens, which reveals a truncated file.

use std::fmt::Write as _;

use rebut_choice::Tape;

use super::StoredCase;
use crate::case_log::ShownValue;
use crate::outcome::FailureKind;
use crate::strings;

/// The first line without the version.
const TITLE: &str = "rebut case ";
/// The version of the format.
const VERSION: &str = "1";
/// The maximum width of the lines of a tape, for diffs that fit on a screen. Arbitrary.
const WIDTH: usize = 96;

/// Returns the content of the file of a case.
#[inline(never)]
pub(super) fn write(test: &str, case: &StoredCase) -> String {
    let mut text = format!("{TITLE}{VERSION}\n");
    let mut line = |key: &str, value: &str| {
        text.push_str(key);
        text.push_str(if value.is_empty() { "" } else { " " });
        text.push_str(value);
        text.truncate(text.trim_end().len());
        strings::push(&mut text, '\n');
    };
    line("test", &escape(test, ""));
    line("origin", &escape(&case.failure_key, ""));
    line("kind", case.kind.name());
    line("shrunk", if case.shrunk { "yes" } else { "no" });
    for build in &case.builds {
        line("build", &escape(build, ""));
    }
    for part in strings::split(&case.message, "\n") {
        line("message", &escape(part, ""));
    }
    for value in &case.values {
        line("let", &write_value(value));
    }
    line("tape", &case.tape.tokens().len().to_string());
    let mut width = 0;
    for token in strings::split(&case.tape.to_text(), " ") {
        let separator = match width {
            0 => "",
            _ if width + token.len() < WIDTH => " ",
            _ => "\n",
        };
        width = if separator == "\n" { 0 } else { width + separator.len() } + token.len();
        text.push_str(separator);
        text.push_str(token);
    }
    strings::push(&mut text, '\n');
    text
}

fn write_value(value: &ShownValue) -> String {
    let name = escape(&value.name, " :=");
    let code = escape(&value.code, "");
    if value.type_name.is_empty() {
        format!("{name} = {code}")
    } else {
        format!("{name}: {} = {code}", escape(&value.type_name, "="))
    }
}

/// Returns the name in the line of the test; empty if there is none.
pub(super) fn test_of(text: &str) -> &str {
    strings::lines(text).into_iter().find_map(|line| line.strip_prefix("test ")).unwrap_or_default()
}

/// Parses a file. Returns `None` if it belongs to another test.
#[inline(never)]
pub(super) fn read(id: &str, test: &str, text: &str) -> Result<Option<StoredCase>, String> {
    let (first, body) = strings::split_once(text, "\n").unwrap_or((text, ""));
    let version = first.trim_end().strip_prefix(TITLE).ok_or("not a case file of Rebut")?;
    if version != VERSION {
        return Err(format!(
            "unsupported format version {version}; this version of Rebut reads {VERSION}"
        ));
    }
    let mut fields = CaseFields::default();
    let lines = strings::lines(body);
    let mut at = 0;
    let tokens = loop {
        let line = lines.get(at).ok_or("the line `tape` is missing")?;
        at += 1;
        let (key, value) = strings::split_once(line, " ").unwrap_or((line, ""));
        if key == "tape" {
            break strings::number(value).ok_or("the length of the tape is not a number")?;
        }
        fields.set(key, value)?;
    };
    let tape = strings::joined(&lines[at..], " ");
    // Count before parsing the tape, which adds missing brackets. Only the missing line end
    // reveals a truncated number.
    let count = tape.split_ascii_whitespace().count() as u64;
    if count != tokens {
        return Err(format!("the tape has {count} tokens instead of {tokens}"));
    }
    if !text.ends_with('\n') {
        return Err("the last line is truncated".to_owned());
    }
    let tape = Tape::from_text(&tape).map_err(|error| error.to_string())?;
    if fields.test.as_deref() != Some(test) {
        return Ok(None);
    }
    Ok(Some(StoredCase {
        id: id.to_owned(),
        failure_key: fields.failure_key.ok_or("the line `origin` is missing")?,
        kind: fields.kind.ok_or("the line `kind` is missing")?,
        message: strings::joined(&fields.message, "\n"),
        values: fields.values,
        tape,
        shrunk: fields.shrunk,
        builds: fields.builds,
    }))
}

#[derive(Default)]
struct CaseFields {
    test: Option<String>,
    failure_key: Option<String>,
    kind: Option<FailureKind>,
    shrunk: bool,
    builds: Vec<String>,
    message: Vec<String>,
    values: Vec<ShownValue>,
}

impl CaseFields {
    #[inline(never)]
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "test" => self.test = Some(unescape(value)),
            "origin" => self.failure_key = Some(unescape(value)),
            "kind" => {
                let kind = FailureKind::from_name(value);
                self.kind = Some(kind.ok_or_else(|| format!("unknown kind of failure `{value}`"))?);
            }
            "shrunk" => self.shrunk = value == "yes",
            "build" => self.builds.push(unescape(value)),
            "message" => self.message.push(unescape(value)),
            "let" => {
                let value =
                    read_value(value).ok_or_else(|| format!("invalid line `let {value}`"))?;
                self.values.push(value);
            }
            _ => return Err(format!("unknown line `{key}`")),
        }
        Ok(())
    }
}

fn read_value(text: &str) -> Option<ShownValue> {
    // A name contains no unescaped space and a type no unescaped `=`. At the end of a line, ` = `
    // has lost its last space.
    let (left, code) = strings::split_once(text, " =")?;
    let (name, type_name) = strings::split_once(left, ": ").unwrap_or((left, ""));
    let code = code.strip_prefix(' ').unwrap_or(code);
    Some(ShownValue { name: unescape(name), type_name: unescape(type_name), code: unescape(code) })
}

/// Returns whether this is the text that Rebut writes for a case. Version control may have changed
/// the line ends.
#[inline(never)]
pub(super) fn is_own(test: &str, case: &StoredCase, text: &str) -> bool {
    strings::replaced(text, "\r\n", "\n") == write(test, case)
}

/// Escapes characters that would end the line, invisible characters, and the characters in
/// `also`.
#[inline(never)]
pub(super) fn escape(text: &str, also: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let last = text.len();
    for (at, c) in text.char_indices() {
        let is_last = at + c.len_utf8() == last;
        match c {
            '\\' => escaped.push_str("\\\\"),
            c if also.contains(c) => {
                strings::push(&mut escaped, '\\');
                strings::push(&mut escaped, c);
            }
            c if c.is_control()
                || (is_last && c.is_whitespace())
                || is_invisible_or_line_end(c) =>
            {
                let _ = write!(escaped, "\\u{{{:x}}}", u32::from(c));
            }
            c => strings::push(&mut escaped, c),
        }
    }
    escaped
}

/// Returns whether a character ends a line in some programs or changes the direction of the text
/// after it.
fn is_invisible_or_line_end(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Undoes [`escape`]. Drops the backslash of an unknown escape.
#[inline(never)]
fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = strings::find(rest, "\\") {
        plain.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let code = rest.strip_prefix("u{").and_then(|code| strings::split_once(code, "}"));
        let character = code.and_then(|(digits, after)| Some((strings::character(digits)?, after)));
        if let Some((character, after)) = character {
            strings::push(&mut plain, character);
            rest = after;
        } else if let Some(character) = rest.chars().next() {
            strings::push(&mut plain, character);
            rest = &rest[character.len_utf8()..];
        }
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::sample;

    fn round_trip(case: &StoredCase) {
        let text = write("a::b", case);
        assert!(text.ends_with('\n') && !text.contains('\r'));
        assert!(text.lines().all(|line| line == line.trim_end()), "{text:?}");
        assert_eq!(read(&case.id, "a::b", &text), Ok(Some(case.clone())), "{text}");
        let windows = text.replace('\n', "\r\n");
        assert_eq!(read(&case.id, "a::b", &windows), Ok(Some(case.clone())), "{text}");
        assert!(is_own("a::b", case, &text) && is_own("a::b", case, &windows), "{text}");
    }

    #[test]
    fn files_without_a_build_are_readable() {
        let case = StoredCase { builds: Vec::new(), ..sample("x") };
        let text = write("a::b", &case);
        assert!(!text.contains("build"), "{text}");
        round_trip(&case);
        round_trip(&StoredCase { builds: vec!["debug".into(), "release".into()], ..sample("x") });
    }

    #[test]
    fn edited_files_are_recognized() {
        let text = write("a::b", &sample("x"));
        for edited in [
            text.replace("shrunk yes", "shrunk  yes"),
            text.replace("kind panic\n", "kind panic\nkind panic\n"),
            text.replace("tape 6\n", "tape 06\n"),
            text.replace("(s1f i2", "(s1f  i2"),
            text.replace("(s1f i2", "(s1f\ni2"),
            text.replace("build debug\nmessage x\n", "message x\nbuild debug\n"),
            format!("{text}\n"),
        ] {
            assert_ne!(edited, text);
            if let Ok(Some(case)) = read("id", "a::b", &edited) {
                assert!(!is_own("a::b", &case, &edited), "{edited}");
            }
        }
    }

    #[test]
    fn cases_are_readable_text() {
        let expected = "rebut case 1\n\
                        test a::b\n\
                        origin panic src/lib.rs:3:9\n\
                        kind panic\n\
                        shrunk yes\n\
                        build debug\n\
                        message left: 1\n\
                        message  right: 2\n\
                        let list: Vec<u8> = vec![1, 2]\n\
                        let draw_1 = \"x\"\n\
                        tape 6\n\
                        (s1f i2 i1 i2 ) c120\n";
        assert_eq!(write("a::b", &sample("left: 1\n right: 2")), expected);
        round_trip(&sample("left: 1\n right: 2"));
    }

    #[test]
    fn every_message_and_value_round_trips() {
        let texts = [
            "",
            "\n",
            "a\r\nb\\",
            " x ",
            "tape 5",
            "\t",
            "é\u{2028}\u{202E}\0",
            "a = b: c \\= d",
            "\\u{41}",
            "\\",
            "\n\n",
        ];
        for text in texts {
            let mut case = sample(text);
            round_trip(&case);
            case.values[0].code = text.to_owned();
            round_trip(&case);
            case.values[0].type_name = text.to_owned();
            round_trip(&case);
            case.values[0].name = text.to_owned();
            round_trip(&case);
            case.failure_key = text.to_owned();
            round_trip(&case);
        }
        let mut case = sample("x");
        case.values[0].type_name = "Box<dyn Iterator<Item = u8>>".into();
        round_trip(&case);
    }

    #[test]
    fn long_tapes_are_wrapped() {
        let mut case = sample("x");
        let tape: Vec<String> = (0..500).map(|n| format!("i{n}")).collect();
        case.tape = Tape::from_text(&tape.join(" ")).expect("a valid tape");
        round_trip(&case);
        assert!(write("a::b", &case).lines().all(|line| line.len() <= WIDTH));
        case.tape = Tape::default();
        round_trip(&case);
    }

    #[test]
    fn errors_name_the_problem() {
        let text = write("a::b", &sample("x"));
        let check = |text: &str, expected: &str| {
            assert_eq!(read("id", "a::b", text), Err(expected.to_owned()), "{text}");
        };
        check("", "not a case file of Rebut");
        check("\0\u{1}", "not a case file of Rebut");
        check("rebut case 2\n", "unsupported format version 2; this version of Rebut reads 1");
        check("rebut case 1\n", "the line `tape` is missing");
        check("rebut case 1\n<<<<<<< HEAD\n", "unknown line `<<<<<<<`");
        check(&text.replace("kind panic", "kind fun"), "unknown kind of failure `fun`");
        check(&text.replace("kind panic\n", ""), "the line `kind` is missing");
        check(&text.replace(" c120", ""), "the tape has 5 tokens instead of 6");
        check(&text.replace(" c120", " z"), "invalid token `z` in the tape");
        assert_eq!(read("id", "a::c", &text), Ok(None));
    }

    #[test]
    fn truncated_files_are_errors() {
        let text = write("a::b", &sample("x \\u{41}"));
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            assert!(read("id", "a::b", &text[..end]).is_err(), "cut off at {end}");
            let _ = read("id", "a::b", &text.replacen(&text[end..=end], "\\u{", 1));
        }
    }
}
