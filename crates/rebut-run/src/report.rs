//! A report as text: what a person reads when a test fails.

use std::fmt::{self, Write as _};

use rebut_search::Objective;

use crate::claim::Claim;
use crate::outcome::FailureKind;
use crate::runner::most_first;
use crate::verdict::{Counterexample, Found, Report, Statistics, Verdict};
use crate::words;

/// How many characters of a value are shown on its own line before it is cut.
const VALUE_MAX: usize = 4000;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { property, place, verdict, .. } = self;
        let code = verdict.code();
        match verdict {
            Verdict::Fails(found) | Verdict::Flaky(found) => {
                for (n, counterexample) in found.iter().enumerate() {
                    if n > 0 {
                        writeln!(f)?;
                    }
                    self.write_counterexample(f, counterexample, n, found.len())?;
                }
                Ok(())
            }
            Verdict::Proved { inputs } => {
                match self.claim {
                    Claim::NotExists => write!(f, "{property}: {}", none_of(*inputs, true))?,
                    _ => {
                        write!(f, "{property}: holds for all {}", words::counted(*inputs, "input"))?
                    }
                }
                self.write_summary(f)
            }
            Verdict::Passed { cases } => {
                match self.claim {
                    Claim::NotExists => write!(f, "{property}: {}", none_of(*cases, false))?,
                    _ => write!(f, "{property}: held for {}", words::counted(*cases, "case"))?,
                }
                self.write_summary(f)
            }
            Verdict::Exists(witness) => {
                writeln!(f, "{property}: such an input exists\n")?;
                self.write_values(f, witness)?;
                writeln!(f)?;
                self.write_origin(f, witness)?;
                self.write_keep(f, witness)
            }
            Verdict::NotFound { cases, is_complete } => {
                writeln!(f, "error[{code}]: {property} finds no such input ({place})")?;
                write!(f, "  {}", none_of(*cases, *is_complete))?;
                self.write_summary(f)?;
                f.write_str(if *is_complete {
                    "\n  weaken what is sought, or draw more than these: bounds, `#[from(..)]`"
                } else if self.statistics.reached.is_empty() {
                    "\n  say how near a case comes (`rebut::maximize`), give it more `steps`, or draw inputs that are nearer: bounds, `#[from(..)]`"
                } else {
                    "\n  give it more `steps`, or draw inputs that are nearer: bounds, `#[from(..)]`"
                })
            }
            Verdict::Vacuous(why) => {
                writeln!(f, "error[{code}]: {property} tests nothing ({place})")?;
                writeln!(f, "  {why}")?;
                f.write_str(if self.statistics.too_large > 0 {
                    "  draw smaller values: `max_size`, `#[from(..)]`; a case may have 65536 choices"
                } else if self.statistics.rejected.is_empty() {
                    "  give it `cases`, and time if it has a `time_budget`"
                } else {
                    "  weaken the assumption, or draw inputs that meet it: bounds, `#[from(..)]`"
                })
            }
            Verdict::NotCovered(why) => {
                writeln!(f, "error[{code}]: {property} does not cover what it says ({place})")?;
                writeln!(f, "  {why}")?;
                write!(
                    f,
                    "  draw inputs that meet the condition more often: bounds, weights, `#[from(..)]`"
                )
            }
            Verdict::TooManyRejected(why) => {
                writeln!(f, "error[{code}]: {property} rejects too much ({place})")?;
                writeln!(f, "  {why}")?;
                write!(
                    f,
                    "  draw inputs that meet the assumption (bounds, `map`, `flat_map`), or set `rejections_max`"
                )
            }
            Verdict::TooSlow(why) => {
                write!(f, "error[{code}]: {property} is too slow ({place})\n  {why}")
            }
            Verdict::Misuse(what) => write!(f, "error[{code}]: {property} ({place})\n  {what}"),
            Verdict::InternalError(what) => write!(
                f,
                "error[{code}]: internal error of rebut while it ran {property}; this says nothing about your code\n  {what}\n  please report it"
            ),
        }
    }
}

impl Report {
    #[inline(never)]
    fn write_counterexample(
        &self,
        f: &mut fmt::Formatter<'_>,
        told: &Counterexample,
        nth: usize,
        of: usize,
    ) -> fmt::Result {
        let Report { property, place, verdict, .. } = self;
        let code = verdict.code();
        let counter = if of > 1 { format!(", failure {} of {of}", nth + 1) } else { String::new() };
        let verb = if told.rate.is_some() { "is flaky" } else { "fails" };
        writeln!(f, "error[{code}]: {property} {verb} ({place}){counter}\n")?;
        self.write_values(f, told)?;
        writeln!(f, "\n  {}", what_broke(told))?;
        self.write_origin(f, told)?;
        self.write_keep(f, told)
    }

    /// The values as code, with what can be anything, and the notes.
    fn write_values(&self, f: &mut fmt::Formatter<'_>, told: &Counterexample) -> fmt::Result {
        for (nth, value) in told.values.iter().enumerate() {
            let before = match value.type_name.as_str() {
                "" => format!("    let {} = ", value.name),
                type_name => format!("    let {}: {type_name} = ", value.name),
            };
            writeln!(f, "{before}{};", cut(&value.code))?;
            let marks = marks(told, nth, before.len());
            if !marks.is_empty() {
                writeln!(f, "{marks} can be anything")?;
            }
        }
        if told.values.is_empty() && told.tape.is_empty() {
            writeln!(f, "    // no input")?;
        }
        for note in &told.notes {
            writeln!(f, "    // {}", words::replaced(note, "\n", "\n    // "))?;
        }
        Ok(())
    }

    /// How it was found, and how to see it again.
    fn write_origin(&self, f: &mut fmt::Formatter<'_>, told: &Counterexample) -> fmt::Result {
        writeln!(f, "  found: {}", self.how_found(told))?;
        if let Some((failed, runs)) = told.rate {
            writeln!(
                f,
                "  flaky: the same choices failed in {failed} of {runs} further runs; the property depends on something that is not drawn"
            )?;
        }
        if !told.tape.is_empty() {
            let word = told.tape.to_replay_string();
            match &self.command {
                Some(command) => writeln!(f, "  replay: REBUT_REPLAY={word} {command}")?,
                None => writeln!(f, "  replay: Check::replay(\"{word}\")")?,
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn how_found(&self, told: &Counterexample) -> String {
        let seed = self.seed;
        let how = match told.found {
            Found::Random(0) => "the simplest case".to_owned(),
            Found::Random(case) => format!("random case {case}, seed {seed}"),
            Found::Search(case) => format!("search, case {case}, seed {seed}"),
            Found::Exhaustive => "trying all inputs".to_owned(),
            Found::Example(nth) => format!("`#[example]` number {}", nth + 1),
            Found::Input(nth) => match &self.specification {
                Some(file) => format!("input {} of {file}", nth + 1),
                None => format!("input {}", nth + 1),
            },
            Found::Database if told.failure.kind == FailureKind::Witness => {
                "an earlier run".to_owned()
            }
            Found::Database => "a failure of an earlier run".to_owned(),
            Found::Front => "the best cases of an earlier run".to_owned(),
            Found::Replay => "the replay string".to_owned(),
            Found::Shrinking => format!("while another failure was shrunk, seed {seed}"),
            Found::Journal => "an earlier run that did not end".to_owned(),
        };
        match (told.shrink_executions, told.shrink_gave_up) {
            (0, _) => how,
            (1, false) => format!("{how}; shrunk in 1 execution"),
            (n, false) => format!("{how}; shrunk in {n} executions"),
            (n, true) => format!("{how}; shrinking stopped after {n} executions (`shrink_max`)"),
        }
    }

    #[inline(never)]
    fn write_keep(&self, f: &mut fmt::Formatter<'_>, told: &Counterexample) -> fmt::Result {
        let is_example = matches!(told.found, Found::Example(_));
        if told.values.is_empty() || is_example || told.rate.is_some() {
            return Ok(());
        }
        if told.values.iter().all(|value| !value.type_name.is_empty()) {
            let mut values = Vec::new();
            for value in &told.values {
                values.push(value.code.as_str());
            }
            let example = words::joined(&values, ", ");
            if example.len() <= 200 && !example.contains('\n') {
                writeln!(f, "  keep: #[example({example})]")?;
            }
        }
        if let Some(path) = self.emitted.get(&told.tape.to_replay_string()) {
            writeln!(f, "  test: {path}")?;
        }
        Ok(())
    }

    #[inline(never)]
    fn write_summary(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Statistics { rejected, too_large, labels, covers, valid, reached, .. } =
            &self.statistics;
        for best in reached {
            let name = named(best.is_maximum, &best.label);
            if best.value.is_nan() {
                write!(f, "\n  {name}: none, every value reported was NaN")?;
                continue;
            }
            write!(f, "\n  {name}: {}", words::float(best.value))?;
            let needed = words::float(best.needed.unwrap_or_default());
            match best.needed {
                Some(least) if best.is_maximum && best.value < least => {
                    write!(f, " of {needed} needed")?;
                }
                Some(most) if !best.is_maximum && best.value > most => {
                    write!(f, ", {needed} needed")?;
                }
                Some(_) => {
                    write!(f, ", {needed} needed: that was reached and was not enough")?;
                }
                None => {}
            }
            for value in &best.values {
                write!(f, "\n    let {} = {};", value.name, cut(&value.code))?;
            }
            if best.not_numbers > 0 {
                let cases = words::counted(best.not_numbers, "case");
                write!(f, "\n    {cases} reported NaN and were not used")?;
            }
        }
        self.write_front(f)?;
        for (why, count) in rejected {
            write!(f, "\n  {count} rejected by `{why}`")?;
        }
        if *too_large > 0 {
            write!(f, "\n  {too_large} grew too large")?;
        }
        let share = |count: u64, of: u64| 100.0 * count as f64 / of.max(1) as f64;
        for tally in &self.statistics.tallies {
            if tally.is_rare() {
                let (what, tries) = (tally.what, tally.tries);
                let share = share(tally.done, tries);
                write!(f, "\n  {what}: true in {share:.1} % of {tries} attempts")?;
            }
        }
        for (label, count) in most_first(labels) {
            write!(f, "\n  {:5.1} % {label}", share(*count, *valid))?;
        }
        for (name, at_least, met, total) in covers {
            write!(f, "\n  {:5.1} % {name} (at least {at_least} %)", share(*met, *total))?;
        }
        Ok(())
    }
}

impl Report {
    /// What is told beside the verdict, each line after a line break.
    pub(crate) fn summary(&self) -> String {
        struct Summary<'a>(&'a Report);
        impl fmt::Display for Summary<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.write_summary(f)
            }
        }
        Summary(self).to_string()
    }

    /// What lies between the best cases of several objectives.
    #[inline(never)]
    fn write_front(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN_MAX: usize = 8;
        let front = &self.statistics.front;
        if self.statistics.reached.len() < 2 || front.len() < 2 {
            return Ok(());
        }
        write!(f, "\n  {} cases that no other beats by every objective:", front.len())?;
        for case in front.iter().take(SHOWN_MAX) {
            let mut values = Vec::new();
            for (label, value) in &case.values {
                let label = if label.is_empty() { "utility" } else { label };
                values.push(format!("{} {}", on_one_line(label), words::float(*value)));
            }
            write!(f, "\n    {}", words::joined(&values, ", "))?;
        }
        if front.len() > SHOWN_MAX {
            write!(f, "\n    and {} more", front.len() - SHOWN_MAX)?;
        }
        Ok(())
    }
}

/// Says that what was sought was not among so many cases.
fn none_of(cases: u64, is_complete: bool) -> String {
    if is_complete {
        format!("no such input exists: all {cases} were tried")
    } else {
        format!("no such input among {}", words::counted(cases, "case"))
    }
}

/// What the best value of an objective is called.
pub(crate) fn utility_name(objective: &Objective) -> String {
    named(objective.utility(1.0) > 0.0, &objective.label)
}

fn named(is_maximum: bool, label: &str) -> String {
    let which = if is_maximum { "highest" } else { "lowest" };
    format!("{which} {}", if label.is_empty() { "utility".to_owned() } else { on_one_line(label) })
}

/// A name of the user's choice, as part of a line.
fn on_one_line(label: &str) -> String {
    printable(&words::joined(&words::lines(label), " "))
}

/// A line with `^` under the free parts of a value.
#[inline(never)]
fn marks(told: &Counterexample, value: usize, indent: usize) -> String {
    let code = &told.values[value].code;
    if code.len() > VALUE_MAX || words::find(code, "\n").is_some() {
        return String::new();
    }
    let mut line = String::new();
    for part in told.free.iter().filter(|part| part.value == value) {
        let column = indent + words::count(&code[..part.bytes.start]);
        let width = words::count(&code[part.bytes.clone()]).max(1);
        let so_far = words::count(&line);
        // Writing to a string cannot fail.
        let _ =
            write!(line, "{:gap$}{}", "", "^".repeat(width), gap = column.saturating_sub(so_far));
    }
    line
}

fn cut(code: &str) -> String {
    match code.char_indices().nth(VALUE_MAX) {
        None => code.to_owned(),
        Some((end, _)) => format!("{} /* .. {} bytes in all */", &code[..end], code.len()),
    }
}

/// The text with characters that a terminal would act on, or not show, written as escapes.
pub(crate) fn printable(text: &str) -> String {
    let mut printable = String::new();
    for c in text.chars() {
        let is_plain = !c.is_control() || c == '\n' || c == '\t';
        if is_plain
            && !matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
        {
            words::push(&mut printable, c);
        } else {
            let _ = write!(printable, "{}", c.escape_unicode());
        }
    }
    printable
}

#[inline(never)]
fn what_broke(told: &Counterexample) -> String {
    let failure = &told.failure;
    let message = words::replaced(&printable(failure.message.trim_end()), "\n", "\n    ");
    let place = failure.location.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
    match failure.kind {
        FailureKind::WrongResult if message == "returned false" => "returned false".to_owned(),
        FailureKind::WrongResult => format!("returned an error: {message}"),
        FailureKind::Witness => "returned true: such an input exists".to_owned(),
        kind if message.is_empty() => format!("{kind}{place}"),
        kind => format!("{kind}{place}: {message}"),
    }
}
