//! Words and number formats that all outputs share.

use rebut_protocol::verdicts::VerdictCode;

use crate::markup::cut;
use crate::model::{Property, ReportedInput, Value};

/// Returns a verdict in one word. The terminal, the HTML report and `explore` use the same words.
pub(crate) fn verdict(code: Option<VerdictCode>) -> &'static str {
    match code {
        Some(VerdictCode::Proved) => "PROVED",
        Some(VerdictCode::Passed | VerdictCode::Exists | VerdictCode::Panicked) => "PASS",
        Some(VerdictCode::Failed | VerdictCode::NotFound | VerdictCode::NotPanicked) => "FAIL",
        Some(VerdictCode::Flaky) => "FLAKY",
        Some(
            VerdictCode::Vacuous
            | VerdictCode::TooManyRejected
            | VerdictCode::TooSlow
            | VerdictCode::NotCovered,
        ) => "VACUOUS",
        Some(VerdictCode::Misuse | VerdictCode::InternalError) => "ERROR",
        _ => "UNKNOWN",
    }
}

/// Returns the complaint of a verdict that is not simply a failure of the code under test, as a
/// predicate of the property: "is flaky".
pub(crate) fn complaint(code: Option<VerdictCode>) -> Option<&'static str> {
    Some(match code? {
        VerdictCode::Flaky => "is flaky",
        VerdictCode::Vacuous => "tested nothing",
        VerdictCode::TooManyRejected => "rejects too many inputs",
        VerdictCode::TooSlow => "is too slow",
        VerdictCode::Misuse => "uses Rebut incorrectly",
        VerdictCode::NotCovered => "does not reach its `cover!` target",
        VerdictCode::NotFound => "found no matching input",
        VerdictCode::NotPanicked => "did not panic",
        VerdictCode::InternalError => "hit an internal error in Rebut",
        VerdictCode::Unfinished => "did not finish",
        _ => return None,
    })
}

/// How good a verdict is; determines its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Good,
    Bad,
    Doubtful,
}

pub(crate) fn tone(property: &Property) -> Tone {
    match verdict(property.code()) {
        "PASS" | "PROVED" => Tone::Good,
        "FAIL" | "ERROR" => Tone::Bad,
        _ => Tone::Doubtful,
    }
}

/// Formats a time for people.
pub(crate) fn moment(time: &str) -> String {
    let seconds = time.split('.').next().unwrap_or(time);
    format!("{} UTC", seconds.replace('T', " ").trim_end_matches('Z'))
}

/// The maximum number of characters of a failure in one line. Arbitrary; the rest is cut.
const SUMMARY_MAX: usize = 160;

/// Describes a failure in one line.
pub(crate) fn summarize_failure(input: &ReportedInput) -> String {
    let broke = describe_failure(input);
    let (shown, is_cut) = crate::markup::cut(broke.lines().next().unwrap_or_default(), SUMMARY_MAX);
    format!("{shown}{}", if is_cut { " …" } else { "" })
}

/// Describes a failure, or a matching input.
pub(crate) fn describe_failure(input: &ReportedInput) -> String {
    let message = input.message.trim_end();
    let did = match input.kind.as_str() {
        "wrong-result" if message == "returned false" => return "returned false".to_owned(),
        "wrong-result" => return format!("returned an error: {message}"),
        "witness" => return "returned true: a matching input exists".to_owned(),
        "panic" => "panicked",
        "abort" => "aborted the process",
        "stack-overflow" => "overflowed its stack",
        "out-of-memory" => "ran out of memory",
        "hang" => "did not end within its deadline",
        "exit" => "exited the process",
        other => other,
    };
    let place = input.location.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
    if message.is_empty() { format!("{did}{place}") } else { format!("{did}{place}: {message}") }
}

/// Describes how an input was found, in the words of the report on the terminal.
pub(crate) fn how_found(property: &Property, input: &ReportedInput) -> String {
    let seed = property.seed;
    let case = input.case.unwrap_or_default();
    let how = match input.by.as_str() {
        "simplest" => "the simplest case".to_owned(),
        "random" => format!("random testing, case {case}, seed {seed}"),
        "search" => format!("targeted search, case {case}, seed {seed}"),
        "exhaustive" => "enumerating the inputs".to_owned(),
        "example" => format!("example {}", case.saturating_add(1)),
        "database" if input.kind == "witness" => "saved input".to_owned(),
        "database" => "saved failure".to_owned(),
        "front" => "targeted search, from the best cases of an earlier run".to_owned(),
        "replay" => "replay string".to_owned(),
        "shrinking" => format!("shrinking another failure, seed {seed}"),
        "journal" => "an earlier run that did not finish".to_owned(),
        "explore" => "exploration".to_owned(),
        other => other.to_owned(),
    };
    match (input.shrink_executions, input.shrink_gave_up) {
        (0, _) => how,
        (n, false) => format!("{how}; shrunk in {}", counted(n, "run", "runs")),
        (n, true) => {
            format!(
                "{how}; shrinking stopped after {} (`shrink_max`, or a minute)",
                counted(n, "run", "runs")
            )
        }
    }
}

/// Returns the shell command that replays an input, or `None` unless every part of it has the form
/// that Rebut writes. Events may contain anything, and people paste this into a shell.
pub(crate) fn replay_command(property: &Property, input: &ReportedInput) -> Option<String> {
    let (command, word) = (input.command.as_deref()?, input.replay.as_deref()?);
    if is_plain_command(command) && is_replay_word(word) {
        return Some(format!("REBUT_REPLAY={word} {command}"));
    }
    replay(property, word)
}

/// Returns whether a command starts cargo and has no character that a shell acts on.
fn is_plain_command(command: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:@+=,~".contains(c);
    let mut words = command.split(' ');
    words.next() == Some("cargo")
        && words.all(|word| {
            let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
            first.chars().all(is_plain) && rest.chars().all(|c| is_plain(c) || c == '#')
        })
}

/// Returns the shell command for any replay string; see [`replay_command`].
pub(crate) fn replay(property: &Property, word: &str) -> Option<String> {
    let name = property.test_name()?;
    let target = property.selection().map(|words| words.join(" ") + " ").unwrap_or_default();
    is_replay_word(word)
        .then(|| format!("REBUT_REPLAY={word} cargo test {target}{name} -- --exact"))
}

/// Returns whether a replay string has only the characters that Rebut writes.
pub(crate) fn is_replay_word(word: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '~');
    !word.is_empty() && word.chars().all(is_plain)
}

/// Formats an input as `let` statements, with its notes as comments.
pub(crate) fn let_lines(input: &ReportedInput) -> String {
    let mut text = String::new();
    for value in &input.values {
        let typed = if value.type_name.is_empty() { "" } else { ": " };
        let (code, is_cut) = cut(&value.code, 4000);
        let rest = if is_cut {
            format!(" /* .. {} bytes in total */", value.code.len())
        } else {
            String::new()
        };
        text += &format!("let {}{typed}{} = {code}{rest};\n", value.name, value.type_name);
    }
    for note in &input.notes {
        text += &format!("// {}\n", cut(&note.replace('\n', "\n// "), 4000).0);
    }
    text
}

/// Returns the `#[example(..)]` attribute that keeps the input, or `None` if it does not fit on a
/// line or is not a reproducible failure.
pub(crate) fn example(input: &ReportedInput) -> Option<String> {
    let is_writable = !input.values.is_empty()
        && input.by != "example"
        && input.kind != "witness"
        && input.rate.is_none()
        && input.values.iter().all(|value| !value.type_name.is_empty());
    // A literal is also a `String`.
    let code = |value: &'_ Value| match value.code.strip_suffix(".to_string()") {
        Some(literal) if value.type_name == "String" && literal.starts_with('"') => {
            literal.to_owned()
        }
        _ => value.code.clone(),
    };
    let codes: Vec<String> = input.values.iter().map(code).collect();
    let is_one_line = codes.iter().all(|code| !code.contains('\n'));
    (is_writable && is_one_line).then(|| format!("#[example({})]", codes.join(", ")))
}

/// Formats `1234567` as `1,234,567`.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (nth, digit) in digits.chars().enumerate() {
        if nth > 0 && (digits.len() - nth).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number with the singular or plural of a noun.
pub(crate) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// Formats a duration for people.
pub(crate) fn time(ms: f64) -> String {
    match ms {
        ms if ms < 10.0 => format!("{ms:.1} ms"),
        ms if ms < 1000.0 => format!("{ms:.0} ms"),
        ms if ms < 60_000.0 => format!("{:.1} s", ms / 1e3),
        ms => format!("{:.0} min {:.0} s", (ms / 60_000.0).floor(), (ms % 60_000.0) / 1e3),
    }
}

/// Formats a value of an objective with about six significant digits.
pub(crate) fn value(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        format!("{value}")
    } else if size != 0.0 && !(1e-4..1e15).contains(&size) {
        format!("{value:.3e}")
    } else if value.fract() == 0.0 {
        format!("{value}")
    } else {
        let digits = (5.0 - size.log10().floor()).clamp(0.0, 9.0) as usize;
        let text = format!("{value:.digits$}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

/// Formats a share in percent.
pub(crate) fn percent(part: u64, of: u64) -> String {
    format!("{:.1}%", 100.0 * part as f64 / of.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_printed_with_few_digits() {
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!([count(0), count(999)], ["0", "999"]);
        let values = [0.0, 0.1 + 0.2, 1234.5678, -3.0, 1e300, 1e-9, f64::NEG_INFINITY];
        assert_eq!(
            values.map(value),
            ["0", "0.3", "1234.57", "-3", "1.000e300", "1.000e-9", "-inf"]
        );
        assert_eq!(
            [3.21, 75.0, 2500.0, 61_000.0].map(time),
            ["3.2 ms", "75 ms", "2.5 s", "1 min 1 s"]
        );
    }

    #[test]
    fn example_is_written_only_if_it_can_be_kept() {
        let value = |type_name: &str, code: &str| {
            let name = "n".to_owned();
            Value { name, type_name: type_name.to_owned(), code: code.to_owned() }
        };
        let input = |values: Vec<Value>| ReportedInput { values, ..ReportedInput::default() };
        let kept = example(&input(vec![value("u8", "3"), value("bool", "true")]));
        assert_eq!(kept.as_deref(), Some("#[example(3, true)]"));
        assert_eq!(example(&input(vec![value("", "3")])), None);
        assert_eq!(example(&input(vec![value("Mock", "Mock::new({\n})")])), None);
        let long = "x".repeat(300);
        let kept = example(&input(vec![value("String", &long)]));
        assert_eq!(kept, Some(format!("#[example({long})]")));
        let kept = example(&input(vec![value("String", "\"a\".to_string()")]));
        assert_eq!(kept.as_deref(), Some("#[example(\"a\")]"));
        assert_eq!(example(&input(Vec::new())), None);
    }

    #[test]
    fn replay_commands_contain_no_shell_syntax_from_events() {
        let property = Property { name: "demo::a".to_owned(), ..Property::default() };
        let word = |word: &str| replay(&property, word);
        assert_eq!(word("r1.A-_"), Some("REBUT_REPLAY=r1.A-_ cargo test a -- --exact".to_owned()));
        assert_eq!(word("r1;rm"), None);
        let input = |command: &str| ReportedInput {
            command: Some(command.to_owned()),
            replay: Some("r1.A.x3f9".to_owned()),
            ..ReportedInput::default()
        };
        let command = "cargo test -p demo --lib --features x,y tests::r#match -- --exact";
        let plain = replay_command(&property, &input(command));
        assert_eq!(plain, Some(format!("REBUT_REPLAY=r1.A.x3f9 {command}")));
        for odd in ["cargo test; rm", "rm a", "cargo test #a", "cargo $(rm)", "cargo 'a b'"] {
            let built = replay_command(&property, &input(odd));
            assert_eq!(built.as_deref(), Some("REBUT_REPLAY=r1.A.x3f9 cargo test a -- --exact"));
        }
        let property = Property { name: "demo::a; rm".to_owned(), ..Property::default() };
        assert_eq!(replay(&property, "r1.A"), None);
        let replayed = |package: &str, target: &str| {
            let [name, package, target] = ["demo::a", package, target].map(str::to_owned);
            replay(&Property { name, package, target, ..Property::default() }, "r1.A")
        };
        let with =
            |selection: &str| Some(format!("REBUT_REPLAY=r1.A cargo test {selection}a -- --exact"));
        assert_eq!(replayed("my-demo", "lib"), with("-p my-demo --lib "));
        assert_eq!(replayed("demo", "test round-trip"), with("-p demo --test round-trip "));
        assert_eq!(replayed("demo", "bin a; rm"), with(""));
        assert_eq!(replayed("$(rm)", "lib"), with(""));
    }
}
