//! The text of a report.
//!
//! The first two lines of a failure have the form of rustc's errors, so that editors and
//! terminals that link rustc's errors to the source link these too. Advice is on `help:` lines.

use std::fmt::{self, Write as _};

use rebut_gen::code::{CUT, TypeNote, TypeNoteKind};
use rebut_protocol::test_path::TestPath;
use rebut_search::Objective;

use crate::advice;
use crate::case_log::ShownValue;
use crate::claim::{Claim, message_of_panic};
use crate::claims;
use crate::escapes::{self, one_line, printable};
use crate::folder;
use crate::isolate::NO_CHILD;
use crate::outcome::{FailureKind, Location};
use crate::rerun;
use crate::runner::most_first;
use crate::strings;
use crate::style::Style;
use crate::verdict::{
    CaseCount, Counterexample, CoverCount, FailureRate, FoundBy, ParetoValue, Report, Statistics,
    Verdict,
};
use crate::width;
use crate::wrap::{Wrapped, has_comment, wrap};

/// The maximum number of characters of a value: about 40 lines. Longer values are truncated; the
/// saved failure has all choices. A product decision.
const VALUE_MAX: usize = 4000;
/// The maximum number of lines of output, the last ones. A product decision.
const OUTPUT_LINES_MAX: usize = 50;
/// The width of the longest label, `found by:`.
const LABEL_WIDTH: usize = 9;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Style::Plain))
    }
}

impl Report {
    /// Renders the report in a style.
    #[inline(never)]
    pub(crate) fn render(&self, style: Style) -> String {
        let mut page = Page { report: self, style, text: String::new() };
        page.report();
        style.shown(&page.text)
    }

    /// Renders the lines after the verdict, each preceded by a line break.
    pub(crate) fn summary(&self) -> String {
        let mut page = Page { report: self, style: Style::Plain, text: String::new() };
        page.summary();
        printable(&page.text)
    }

    /// Returns the name of the test: in its harness, or as set by the code that made the check.
    fn name(&self) -> &str {
        match &self.command {
            Some(_) => TestPath::new(&self.property).harness_name(),
            None => &self.property,
        }
    }

    /// Describes the inputs of an enumeration. A test cannot distinguish two functions that give the
    /// same answers, and only answers are enumerated.
    fn all_inputs(&self, inputs: u64) -> String {
        match (inputs, self.statistics.has_answers) {
            (1, false) => "the only input".to_owned(),
            (1, true) => "all inputs, which the test cannot distinguish".to_owned(),
            (_, false) => format!("all {inputs} inputs"),
            (_, true) => format!("all {inputs} inputs that the test can distinguish"),
        }
    }

    #[inline(never)]
    fn found_by(&self, counterexample: &Counterexample) -> String {
        let seed = self.seed;
        let is_witness = counterexample.failure.kind == FailureKind::Witness;
        let by = match counterexample.found_by {
            FoundBy::Random(0) => "the simplest case".to_owned(),
            FoundBy::Random(case) => format!("random testing, case {case}, seed {seed}"),
            FoundBy::Search(case) => format!("targeted search, case {case}, seed {seed}"),
            FoundBy::Exhaustive => "enumerating the inputs".to_owned(),
            FoundBy::Example(nth) => format!("example {}", nth + 1),
            FoundBy::Input(nth) => match &self.specification {
                Some(file) => format!("input {} of {file}", nth + 1),
                None => format!("input {}", nth + 1),
            },
            FoundBy::Database if is_witness => "saved input".to_owned(),
            FoundBy::Database => "saved failure".to_owned(),
            FoundBy::Front => "targeted search, from the best cases of an earlier run".to_owned(),
            FoundBy::Replay => "replay string".to_owned(),
            FoundBy::Exploration => "exploration".to_owned(),
            FoundBy::Shrinking => format!("shrinking another failure, seed {seed}"),
            FoundBy::Journal => "an earlier run that did not finish".to_owned(),
        };
        match (counterexample.shrink_executions, counterexample.shrink_gave_up) {
            (0, _) => by,
            (n, false) => format!("{by}; shrunk in {}", strings::counted(n, "run")),
            (n, true) => {
                let limit =
                    if counterexample.shrink_timed_out { "a minute" } else { "`shrink_max`" };
                let runs = strings::counted(n, "run");
                format!("{by}; shrinking stopped after {runs} ({limit})")
            }
        }
    }
}

/// A report that is being written.
struct Page<'a> {
    report: &'a Report,
    style: Style,
    text: String,
}

// Writing to a string cannot fail, so this code ignores the results of `write!`.
impl Page<'_> {
    fn report(&mut self) {
        let Report { verdict, claim, seed, statistics, .. } = self.report;
        let property = one_line(&self.report.property);
        let is_absence = *claim == Claim::NotExists;
        match verdict {
            Verdict::Failed(found) | Verdict::Flaky(found) => {
                for (n, counterexample) in found.iter().enumerate() {
                    if n > 0 {
                        strings::push(&mut self.text, '\n');
                    }
                    self.counterexample(counterexample, n, found.len());
                }
            }
            Verdict::Proved { inputs } => {
                let what = if is_absence { "no matching input in " } else { "" };
                let _ = write!(self.text, "{property}: proved ({what}{})", self.report.all_inputs(*inputs));
                self.summary();
            }
            Verdict::Passed { cases } => {
                let cases = strings::counted(*cases, "case");
                let what = if is_absence { "no matching input in " } else { "" };
                let time = if statistics.is_time_up { " in one second" } else { "" };
                let _ = write!(self.text, "{property}: passed ({what}{cases}{time}, seed {seed})");
                self.summary();
            }
            Verdict::Exists(witness) => {
                let _ = writeln!(self.text, "{property}: found a matching input\n");
                self.values(witness);
                strings::push(&mut self.text, '\n');
                self.labels(witness);
            }
            Verdict::NotFound { cases, is_complete } => {
                self.header("found no matching input", "");
                self.text.push_str("\n  ");
                let _ = match is_complete {
                    true => write!(self.text, "proved: no match in {}", self.report.all_inputs(*cases)),
                    false => {
                        let cases = strings::counted(*cases, "case");
                        write!(self.text, "no match in {cases}, seed {seed}")
                    }
                };
                self.summary();
                strings::push(&mut self.text, '\n');
                self.help(if *is_complete {
                    "weaken the condition, or generate other inputs (bounds, `#[from(..)]`)"
                } else if statistics.best_cases.is_empty() {
                    "add `rebut::maximize(..)` as a score, raise `steps`, or narrow the generators"
                } else {
                    "raise `steps`, or narrow the generators (bounds, `#[from(..)]`)"
                });
            }
            Verdict::Panicked(found) => {
                let _ = writeln!(self.text, "{property}: panicked, as expected\n");
                self.values(found);
                let _ = writeln!(self.text, "\n  {}\n", failure_text(found, self.style));
                self.labels(found);
            }
            Verdict::NotPanicked { cases, is_complete } => {
                self.header("did not panic", "");
                self.text.push_str("\n  ");
                let _ = match is_complete {
                    true => write!(self.text, "proved: no panic in {}", self.report.all_inputs(*cases)),
                    false => {
                        let cases = strings::counted(*cases, "case");
                        write!(self.text, "no panic in {cases}, seed {seed}")
                    }
                };
                self.summary();
                strings::push(&mut self.text, '\n');
                self.help(if *is_complete {
                    "remove `#[should_panic]`, or generate other inputs (bounds, `#[from(..)]`)"
                } else {
                    "remove `#[should_panic]`, raise `cases`, or narrow the generators (bounds, `#[from(..)]`)"
                });
            }
            Verdict::Vacuous(why) if statistics.valid > 0 => {
                self.complaint("reached none of its checks", why, claims::ADVICE);
            }
            Verdict::Vacuous(why) if statistics.too_large > 0 => self.complaint(
                "generated only inputs that are too large",
                why,
                "generate smaller values (`max_size`, `#[from(..)]`); a case has at most 65536 choices",
            ),
            Verdict::Vacuous(why) if statistics.rejected.is_empty() => {
                self.complaint("ran no cases", why, "raise `cases` or `time_budget`");
            }
            Verdict::Vacuous(why) => self.complaint(
                "rejected every input",
                why,
                "weaken the assumption, or generate inputs that satisfy it (bounds, `#[from(..)]`)",
            ),
            Verdict::NotCovered(why) => self.complaint(
                "does not reach its `cover!` target",
                why,
                "generate inputs that satisfy the condition more often (bounds, weights, `#[from(..)]`)",
            ),
            Verdict::TooManyRejected(why) => self.complaint(
                "rejects too many inputs",
                why,
                "generate inputs that satisfy the assumption (bounds, `map`, `flat_map`), or raise `rejections_max`",
            ),
            Verdict::TooSlow(why) => self.complaint(
                "is too slow",
                why,
                "raise `time_budget`, or make a case faster",
            ),
            Verdict::Misuse(what) => self.complaint("uses Rebut incorrectly", what, ""),
            Verdict::InternalError(what) if what.starts_with(NO_CHILD) => self.complaint(
                "could not run",
                what,
                "raise the limits of this process, or set `isolate = \"never\"`",
            ),
            Verdict::InternalError(what) => self.complaint(
                "hit an internal error in Rebut",
                what,
                "this is a bug in Rebut, not in your code; please report it with the lines above",
            ),
        }
    }

    /// Writes the error and its location, in the form of rustc.
    fn header(&mut self, what: &str, number: &str) {
        let code = self.style.error(&format!("error[{}]", self.report.verdict.code()));
        let title =
            self.style.title(&format!(": `{}` {what}{number}", one_line(self.report.name())));
        let (arrow, location) = (self.style.label("-->"), format_location(&self.report.location));
        let _ = writeln!(self.text, "{code}{title}\n  {arrow} {location}");
    }

    fn help(&mut self, advice: &str) {
        let _ = write!(self.text, "  {} {advice}", self.style.help("help:"));
    }

    /// Writes a verdict that is not a failure of the code under test. Lines of `why` may be
    /// advice too.
    fn complaint(&mut self, what: &str, why: &str, advice: &str) {
        self.header(what, "");
        for line in strings::lines(&printable(why)) {
            strings::push(&mut self.text, '\n');
            match line.strip_prefix("help: ") {
                Some(advice) => self.help(advice),
                None => self.text.extend(["  ", line]),
            }
        }
        if !advice.is_empty() {
            strings::push(&mut self.text, '\n');
            self.help(advice);
        }
    }

    #[inline(never)]
    fn counterexample(&mut self, counterexample: &Counterexample, nth: usize, of: usize) {
        let number = if of > 1 { format!(" (failure {} of {of})", nth + 1) } else { String::new() };
        self.header(if counterexample.rate.is_some() { "is flaky" } else { "failed" }, &number);
        strings::push(&mut self.text, '\n');
        self.values(counterexample);
        let _ = writeln!(self.text, "\n  {}\n", failure_text(counterexample, self.style));
        if let Claim::Panics(expected) = self.report.claim
            && !message_of_panic(counterexample).contains(expected)
        {
            self.help(&format!(
                "the message does not contain `{expected}`, which the test expects"
            ));
            self.text.push_str("\n\n");
        }
        if let Some(advice) = advice::about(&counterexample.failure.message) {
            self.help(advice);
            self.text.push_str("\n\n");
        }
        if !counterexample.backtrace.is_empty() {
            for line in strings::lines(&printable(&counterexample.backtrace)) {
                let _ = writeln!(self.text, "  {line}");
            }
            strings::push(&mut self.text, '\n');
        }
        self.output(counterexample);
        self.labels(counterexample);
    }

    /// Writes what the case printed, unless the message contains it.
    fn output(&mut self, counterexample: &Counterexample) {
        let text = match self.style {
            Style::Plain => printable(&escapes::plain(&counterexample.output)),
            Style::Colored => escapes::only_colors(&counterexample.output),
        };
        let mut printed = strings::lines(text.trim_matches('\n'));
        printed.retain(|line| !is_of_runtime(line));
        let message = &counterexample.failure.message;
        let is_in_message = |line: &&str| strings::find(message, line.trim()).is_some();
        if printed.iter().all(is_in_message) {
            return;
        }
        let omitted = printed.len().saturating_sub(OUTPUT_LINES_MAX);
        self.text.push_str("  output of this case");
        if omitted > 0 {
            let _ = write!(self.text, ", the last {OUTPUT_LINES_MAX} lines");
        }
        self.text.push_str(":\n");
        for line in &printed[omitted..] {
            let _ = writeln!(self.text, "    {line}");
        }
        strings::push(&mut self.text, '\n');
    }

    /// Writes the values as code, with marks where other values fail too, and the notes.
    fn values(&mut self, counterexample: &Counterexample) {
        for (nth, value) in counterexample.values.iter().enumerate() {
            let before = value.declaration();
            let wrapped = wrap(&value.code, 4 + strings::count(&before), 4);
            let marks = marks(counterexample, nth, &wrapped, &before);
            let text = format!("{before}{};", truncated(&wrapped.text, &value.code));
            for (nth, line) in strings::lines(&text).into_iter().enumerate() {
                let indent = if nth == 0 { "    " } else { indent_below(line) };
                let _ = writeln!(self.text, "{indent}{line}");
                if let Some(line) = marks.iter().find(|line| line.nth == nth) {
                    let meaning = if line.continues { "" } else { MARKED };
                    let marks = format!("{} {meaning}", line.carets);
                    let marks = self.style.label(marks.trim_end());
                    let _ = writeln!(self.text, "{indent}{marks}");
                }
            }
        }
        if counterexample.values.is_empty() && counterexample.tape.is_empty() {
            self.text.push_str("    // no input\n");
        }
        for note in &counterexample.notes {
            let _ = writeln!(
                self.text,
                "    // {}",
                strings::replaced(&printable(note), "\n", "\n    // ")
            );
        }
    }

    /// Writes how the failure was found and how to reproduce it.
    #[inline(never)]
    fn labels(&mut self, counterexample: &Counterexample) {
        let report = self.report;
        self.label("found by:", &report.found_by(counterexample));
        if counterexample.passes_alone {
            self.label("flaky:", "the same input passes in a new process; the test depends on what earlier cases left there");
        } else if let Some(FailureRate { failures, runs }) = counterexample.rate {
            let rate = format!("failed in {failures} of {} of the same input", reruns(runs));
            self.label("flaky:", &format!("{rate}; {DEPENDS}"));
        }
        let word = counterexample.tape.to_replay_string();
        if let Some(folder) = report.saved.get(&word) {
            self.label("saved to:", folder);
        }
        if !counterexample.tape.is_empty() {
            let replay = match &report.command {
                Some(command) => {
                    let word = rerun::with_identity(&word, &report.identity);
                    format!("REBUT_REPLAY={word} {command}")
                }
                None => format!("Check::replay(\"{word}\")"),
            };
            self.label("replay:", &replay);
        }
        let is_example = matches!(counterexample.found_by, FoundBy::Example(_));
        let is_incomplete = counterexample.values.is_empty() || counterexample.is_incomplete;
        if is_incomplete || is_example || counterexample.rate.is_some() {
            return;
        }
        if let Some(note) = counterexample.doubtful_type(&report.property) {
            self.label("keep:", &why_not_kept(note));
            return;
        }
        if let Some(example) = example(counterexample) {
            let example = report.names.example(&example);
            self.label("keep:", example.as_deref().unwrap_or(NO_PRELUDE));
        }
        if let Some(path) = report.emitted.get(&word) {
            self.label("test:", path);
        }
    }

    fn label(&mut self, name: &str, text: &str) {
        let name = format!("{name:LABEL_WIDTH$}");
        let _ = writeln!(self.text, "  {} {text}", self.style.label(&name));
    }

    #[inline(never)]
    fn summary(&mut self) {
        let Statistics {
            rejected, too_large, labels, covers, valid, best_cases, operations, ..
        } = &self.report.statistics;
        for best in best_cases {
            let name = best_value_name(best.is_maximum, &best.label);
            if best.value.is_nan() {
                let _ = write!(self.text, "\n  {name}: none, every reported value was NaN");
                continue;
            }
            let _ = write!(self.text, "\n  {name}: {}", strings::float(best.value));
            if let Some(target) = best.needed {
                let is_reached =
                    if best.is_maximum { best.value >= target } else { best.value <= target };
                let target = strings::float(target);
                let _ = match is_reached {
                    true => {
                        write!(self.text, " (target {target} reached, but the test still passes)")
                    }
                    false => write!(self.text, " (target {target})"),
                };
            }
            for value in &best.values {
                let before = format!("let {} = ", value.name);
                let wrapped = wrap(&value.code, 4 + before.len(), 4);
                let text = truncated(&wrapped.text, &value.code);
                let _ = write!(self.text, "\n    {before}");
                for (nth, line) in strings::lines(&text).into_iter().enumerate() {
                    let line_break = if nth == 0 { "" } else { "\n" };
                    let indent = if nth == 0 { "" } else { indent_below(line) };
                    let _ = write!(self.text, "{line_break}{indent}{line}");
                }
                strings::push(&mut self.text, ';');
            }
            if best.not_numbers > 0 {
                let cases = strings::counted(best.not_numbers, "case");
                let _ = write!(self.text, "\n    {cases} reported NaN and were not used");
            }
        }
        self.front();
        for line in self.report.statistics.checked() {
            let _ = write!(self.text, "\n  {line}");
        }
        for CaseCount { name, cases } in rejected {
            let _ = write!(self.text, "\n  {cases} rejected by `{name}`");
        }
        if *too_large > 0 {
            let _ =
                write!(self.text, "\n  {} grew too large", strings::counted(*too_large, "case"));
        }
        let share = |count: u64, of: u64| 100.0 * count as f64 / of.max(1) as f64;
        for operation in operations {
            if operation.is_rare() {
                let (name, attempts) = (operation.name, operation.attempts);
                let share = share(operation.successes, attempts);
                let _ = write!(self.text, "\n  {name}: true in {share:.1}% of {attempts} attempts");
            }
        }
        for CaseCount { name, cases } in most_first(labels) {
            let _ = write!(self.text, "\n  {:5.1}% {name}", share(*cases, *valid));
        }
        for CoverCount { name, required_percent, hits, cases } in covers {
            let share = share(*hits, *cases);
            let _ = write!(
                self.text,
                "\n  {share:5.1}% {name} (at least {required_percent}% required)"
            );
        }
    }

    /// Writes the Pareto front of several objectives.
    #[inline(never)]
    fn front(&mut self) {
        // A product decision; the saved front has all cases.
        const SHOWN_MAX: usize = 8;
        let Statistics { front, best_cases, .. } = &self.report.statistics;
        if best_cases.len() < 2 || front.len() < 2 {
            return;
        }
        let _ = write!(self.text, "\n  Pareto front ({} cases):", front.len());
        for case in front.iter().take(SHOWN_MAX) {
            let mut values = Vec::new();
            for ParetoValue { label, value } in &case.values {
                let label = if label.is_empty() { SCORE } else { label };
                values.push(format!("{} {}", on_one_line(label), strings::float(*value)));
            }
            let _ = write!(self.text, "\n    {}", strings::joined(&values, ", "));
        }
        if front.len() > SHOWN_MAX {
            let _ = write!(self.text, "\n    and {} more", front.len() - SHOWN_MAX);
        }
    }
}

/// Returns whether the Rust runtime printed a line when the process died. The kind of the failure
/// has the same information.
fn is_of_runtime(line: &str) -> bool {
    ["has overflowed its stack", "fatal runtime error:", "thread caused non-unwinding panic"]
        .iter()
        .any(|part| strings::find(line, part).is_some())
}

const NO_PRELUDE: &str =
    "cannot be written here: without the prelude of `std`, an attribute cannot name the value";
/// The meaning of a mark. It claims no more than what was tried.
const MARKED: &str = "other values tried here fail too";
/// The reason why the same input may pass and fail.
const DEPENDS: &str = "the test depends on time, threads or global state";
/// The name of an objective without a name.
const SCORE: &str = "score";

fn reruns(runs: u32) -> String {
    strings::counted(runs.into(), "rerun")
}

/// Returns why a value with this type is not offered to be kept, and what to do.
fn why_not_kept(TypeNote { kind, type_name, module, .. }: &TypeNote) -> String {
    match kind {
        TypeNoteKind::PrivateFields | TypeNoteKind::Named => {
            format!("cannot be written here: the fields of `{type_name}` are private to `{module}`")
        }
        TypeNoteKind::OutOfScope => {
            format!("cannot be written here: import `{type_name}` of `{module}` next to the test")
        }
        TypeNoteKind::OnlyDebug => format!(
            "cannot be written here: `{type_name}` is printed by `Debug`; derive or implement \
             `rebut::ToCode` for it"
        ),
    }
}

/// Returns the attribute that makes every run try the input, or `None` if it does not fit on one
/// line.
fn example(counterexample: &Counterexample) -> Option<String> {
    let mut values = Vec::new();
    for value in &counterexample.values {
        let is_shown = !value.type_name.is_empty()
            && strings::find(&value.code, "\n").is_none()
            && !has_comment(&value.code);
        values.push(is_shown.then_some(shortest_code(value))?);
    }
    Some(format!("#[example({})]", strings::joined(&values, ", ")))
}

/// Returns the code of a value as an example may have it: a literal is also a `String`.
fn shortest_code(value: &ShownValue) -> &str {
    match value.code.strip_suffix(".to_string()") {
        Some(literal) if value.type_name == "String" && literal.starts_with('"') => literal,
        _ => &value.code,
    }
}

/// Returns the label for the best value of an objective.
pub(crate) fn objective_name(objective: &Objective) -> String {
    best_value_name(objective.utility(1.0) > 0.0, &objective.label)
}

fn best_value_name(is_maximum: bool, label: &str) -> String {
    let which = if is_maximum { "highest" } else { "lowest" };
    format!("{which} {}", if label.is_empty() { SCORE.to_owned() } else { on_one_line(label) })
}

/// Puts a user-defined name on one line.
fn on_one_line(label: &str) -> String {
    printable(&strings::joined(&strings::lines(label), " "))
}

/// The marks under a line of a value.
struct MarkedLine {
    nth: usize,
    carets: String,
    /// Whether the last part continues on the next line.
    continues: bool,
}

/// Returns, for each line of a value with marked parts, a line with `^` under them. `before` is
/// the declaration before the value on its first line.
#[inline(never)]
fn marks(
    counterexample: &Counterexample,
    value: usize,
    wrapped: &Wrapped,
    before: &str,
) -> Vec<MarkedLine> {
    let mut marks: Vec<MarkedLine> = Vec::new();
    if strings::count(&wrapped.text) > VALUE_MAX {
        return marks;
    }
    for part in counterexample.free.iter().filter(|part| part.value == value) {
        let found = wrapped.find(&part.bytes);
        let last_line = found.len().saturating_sub(1);
        for (line, found) in found.into_iter().enumerate() {
            let lines = strings::split(&wrapped.text[..found.start], "\n");
            let (nth, last) = (lines.len() - 1, lines.last().copied().unwrap_or_default());
            let column = width::of(last) + if nth == 0 { width::of(before) } else { 0 };
            let continues = line < last_line;
            if marks.last().is_none_or(|line| line.nth != nth) {
                marks.push(MarkedLine { nth, carets: String::new(), continues });
            }
            let Some(line) = marks.last_mut() else { continue };
            line.continues = continues;
            let gap = column.saturating_sub(line.carets.len());
            let width = width::of(&wrapped.text[found]).max(1);
            let _ = write!(line.carets, "{:gap$}{}", "", "^".repeat(width));
        }
    }
    marks
}

/// Returns the code of a value, truncated if it is very long.
fn truncated(text: &str, code: &str) -> String {
    match text.char_indices().nth(VALUE_MAX) {
        None => text.to_owned(),
        Some((end, _)) => format!("{} /* .. {} in total */", &text[..end], length(code)),
    }
}

/// Returns what to write before a line of a value that is not its first. Code that Rebut writes is
/// indented. A line of the user must not look like one of the report.
fn indent_below(line: &str) -> &'static str {
    if line.starts_with("    ") || line.is_empty() { "" } else { "        " }
}

/// Describes the length of the code of a value.
fn length(code: &str) -> String {
    match code.strip_suffix(CUT) {
        Some(kept) => format!("more than {} bytes", kept.len()),
        None => format!("{} bytes", code.len()),
    }
}

/// Formats a location. The path of a dependency may begin with the home directory.
fn format_location(location: &Location) -> String {
    one_line(&folder::without_home(&location.to_string()))
}

#[inline(never)]
fn failure_text(counterexample: &Counterexample, style: Style) -> String {
    let failure = &counterexample.failure;
    let message = match (style, &counterexample.styled_message) {
        (Style::Colored, Some(styled)) => escapes::only_colors(styled.trim_end()),
        _ => printable(failure.message.trim_end()),
    };
    let message = strings::replaced(&message, "\n", "\n    ");
    let location = match &failure.location {
        Some(location) => format!(" at {}", format_location(location)),
        None => String::new(),
    };
    match failure.kind {
        FailureKind::WrongResult if message == "returned false" => "returned false".to_owned(),
        FailureKind::WrongResult => format!("returned an error:\n    {message}"),
        FailureKind::Witness => "returned true: a matching input exists".to_owned(),
        kind if message.is_empty() => format!("{kind}{location}"),
        // The message of a panic comes from the user and may be long; the others are short.
        FailureKind::Panic => format!("panicked{location}:\n    {message}"),
        kind => format!("{kind}{location}: {message}"),
    }
}
