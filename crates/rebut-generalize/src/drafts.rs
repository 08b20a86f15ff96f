//! Decides which tests a test becomes.

use super::bench::Bench;
use super::kinds::{End, Panic};
use super::logic::{Fix, Logic, Simple};
use super::native::Native;
use super::paths::Paths;
use super::plan::Plan;
use super::value::Type;
use super::write::{self, Draft, Drawn, Kind};
use crate::words;
use rebut_concolic::Budget;
use std::collections::BTreeSet;

/// At most so many examples are written.
const EXAMPLES_MAX: usize = 12;

/// What a test becomes.
#[derive(Debug)]
pub(super) struct Outcome {
    /// The tests to write; the original stays if none of them passes as it does.
    pub(super) drafts: Vec<Draft>,
    /// For each draft, whether it is proved for all inputs; none if it only has examples.
    pub(super) proofs: Vec<Option<bool>>,
    pub(super) findings: Vec<Finding>,
    /// Why the test stays as it is.
    pub(super) why_not: Option<String>,
    /// What is worth knowing.
    pub(super) notes: Vec<String>,
    /// How many kinds of paths end like this: those that pass and take the same sides of
    /// branches are one, and those that panic at the same place.
    pub(super) counts: Vec<(End, usize)>,
}

impl Outcome {
    /// Whether the test became one for more than its examples.
    pub(super) fn is_general(&self) -> bool {
        let is_it = |draft: &Draft| draft.kind == Kind::Passes && draft.drawn != Drawn::None;
        self.drafts.iter().any(is_it)
    }
}

/// A mistake of the code under test.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) panic: Panic,
    /// The names and values of the parameters.
    pub(super) input: Vec<(String, String)>,
    /// The values of the run that found it; what stands in `input` may read better.
    pub(super) as_run: Vec<String>,
    /// Whether mocks are among them.
    pub(super) has_mocks: bool,
}

/// Decides about one test.
pub(super) fn decide(
    bench: &Bench,
    plan: &Plan,
    paths: &mut Paths,
    natives: &[Native],
    budget: &Budget,
) -> Outcome {
    let ends: Vec<End> = natives.iter().map(|native| native.end).collect();
    let is_complete = paths.is_complete;
    let mut logic = Logic::new(plan, paths, &ends, budget);
    logic.fix();
    let mut author = Author {
        bench,
        plan,
        natives,
        logic,
        outcome: Outcome {
            drafts: Vec::new(),
            proofs: Vec::new(),
            findings: Vec::new(),
            why_not: None,
            notes: Vec::new(),
            counts: Vec::new(),
        },
    };
    author.count();
    let is_general = author.write_passing();
    author.write_panicking();
    if is_general && plan.subject.panics.is_none() {
        author.write_opposite();
    }
    author.find();
    if !is_complete {
        author.outcome.notes.push(words::NOT_ALL_PATHS.to_owned());
    }
    author.outcome
}

struct Author<'a> {
    bench: &'a Bench,
    plan: &'a Plan,
    natives: &'a [Native],
    logic: Logic<'a>,
    outcome: Outcome,
}

impl Author<'_> {
    fn that(&self, end: End) -> Vec<usize> {
        (0..self.natives.len()).filter(|nth| self.natives[*nth].end == end).collect()
    }

    fn count(&mut self) {
        for end in [End::Passes, End::Refuses, End::Assertion, End::Mistake, End::Unknown] {
            let paths = self.that(end);
            let kinds = match end {
                End::Passes | End::Unknown => self.kinds(&paths),
                _ => self.places(&paths),
            };
            let count = kinds.len();
            self.outcome.counts.push((end, count));
            if end == End::Unknown && count > 0 {
                self.outcome.notes.push(words::other_ends(count));
            }
        }
    }

    /// The kinds of these paths; the test's own comes first.
    fn kinds(&self, paths: &[usize]) -> Vec<Vec<usize>> {
        let own = self.logic.paths.own;
        let mut kinds: Vec<Vec<usize>> = Vec::new();
        for kind in self.logic.paths.kinds() {
            let kind: Vec<usize> = kind.into_iter().filter(|path| paths.contains(path)).collect();
            match kind.contains(&own) {
                _ if kind.is_empty() => {}
                true => kinds.insert(0, vec![own]),
                false => kinds.push(kind),
            }
        }
        kinds
    }

    /// Paths by the place of their panic.
    fn places(&self, paths: &[usize]) -> Vec<Vec<usize>> {
        let mut places: Vec<Vec<usize>> = Vec::new();
        let place =
            |path: usize| self.natives[path].panic.as_ref().map(|panic| (&panic.file, panic.line));
        for path in paths {
            match places.iter_mut().find(|known| place(known[0]) == place(*path)) {
                Some(known) => known.push(*path),
                None => places.push(vec![*path]),
            }
        }
        places
    }

    /// The values of parameters on paths, without those that are fixed; one for each kind of
    /// path that passes, or for each place of a panic.
    fn examples(&mut self, paths: &[usize], fixes: &[Option<Fix>]) -> Vec<Vec<String>> {
        self.logic.renew();
        let free: Vec<usize> = (0..fixes.len()).filter(|nth| fixes[*nth].is_none()).collect();
        let mut examples: Vec<Vec<String>> = Vec::new();
        let is_passing = paths.iter().all(|path| self.natives[*path].end == End::Passes);
        let kinds = if is_passing { self.kinds(paths) } else { self.places(paths) };
        for kind in kinds {
            let Some(input) = self.input(&kind, fixes) else { continue };
            let example: Vec<String> = free.iter().map(|nth| input[*nth].clone()).collect();
            if !examples.contains(&example) {
                examples.push(example);
            }
        }
        if examples.len() > EXAMPLES_MAX {
            let more = examples.len() - EXAMPLES_MAX;
            self.outcome.notes.push(words::more_examples(more));
            examples.truncate(EXAMPLES_MAX);
        }
        examples
    }

    /// The values of an input of one of these paths: those of the test, as far as they go there.
    fn input(&mut self, paths: &[usize], fixes: &[Option<Fix>]) -> Option<Vec<String>> {
        let parameters = &self.plan.parameters;
        let own = |nth: usize| {
            let code = &self.bench.text[parameters[nth].site.part.clone()];
            match &parameters[nth].of {
                Some(Type::Mock(path)) => format!("{path}::new({code})"),
                _ => code.to_owned(),
            }
        };
        let Simple { path, kept, numbers } = self.logic.simplest(paths, fixes)?;
        let value = |nth: usize| match (kept[nth], numbers[nth]) {
            _ if parameters[nth].is_mock() => own(nth),
            (true, _) => own(nth),
            (false, Some(number)) => parameters[nth].of.as_ref().map_or_else(
                || self.logic.paths.all[path].values[nth].clone(),
                |of| of.code_of(number).unwrap_or(self.logic.paths.all[path].values[nth].clone()),
            ),
            (false, None) => self.logic.paths.all[path].values[nth].clone(),
        };
        let given = |nth: usize| write::given(&parameters[nth], value(nth));
        Some((0..parameters.len()).map(given).collect())
    }

    fn push(&mut self, draft: Draft, is_proved: Option<bool>) {
        self.outcome.proofs.push(is_proved);
        self.outcome.drafts.push(draft.renumbered(self.plan));
    }

    /// The test for the paths that pass; whether it is one for more than its examples.
    fn write_passing(&mut self) -> bool {
        if self.write_general() {
            return true;
        }
        let on_all = (self.logic.fixes.clone(), self.logic.equal.clone());
        let ways: [fn(&mut Logic<'_>) -> bool; 3] = [
            |logic| logic.guess(),
            |logic| {
                logic.fix_on_own();
                true
            },
            |logic| logic.fix_all_but_some(),
        ];
        for way in ways {
            self.logic.renew();
            if way(&mut self.logic) && self.write_general() {
                return true;
            }
        }
        (self.logic.fixes, self.logic.equal) = on_all;
        let passing = self.that(End::Passes);
        if self.logic.free().is_empty() {
            self.outcome.why_not = Some(words::ONLY_OWN_VALUES.to_owned());
        } else {
            self.write_table(&passing);
        }
        false
    }

    /// The test for those passing paths on which parameters are what they are now said to be.
    fn write_general(&mut self) -> bool {
        let own = self.logic.paths.own;
        if self.logic.free().is_empty() || !self.logic.is_meant(own) {
            return false;
        }
        let Some(assumption) = self.logic.passing() else { return false };
        let passing = self.that(End::Passes).into_iter();
        let meant: Vec<usize> = passing.filter(|path| self.logic.is_meant(*path)).collect();
        let fixes = self.logic.fixes.clone();
        let examples = self.examples(&meant, &fixes);
        let name = self.plan.subject.function().to_owned();
        let (kind, text) = (Kind::Passes, assumption.text.clone());
        let draft = Draft::new(kind, name, fixes, text, examples, Drawn::Usual);
        self.push(draft, Some(assumption.is_proved));
        true
    }

    /// A test for its examples only.
    fn write_table(&mut self, passing: &[usize]) {
        if self.plan.subject.panics.is_some() {
            self.outcome.why_not = Some(words::NO_SIMPLE_CONDITION.to_owned());
            return;
        }
        let is_own = |fix: &Option<Fix>| fix.clone().filter(|fix| *fix == Fix::Own);
        let fixes: Vec<Option<Fix>> = self.logic.fixes.iter().map(is_own).collect();
        let examples = self.examples(passing, &fixes);
        if examples.len() < 2 {
            self.outcome.why_not = Some(words::NO_SIMPLE_CONDITION.to_owned());
            return;
        }
        self.outcome.notes.push(words::A_TABLE.to_owned());
        let name = self.plan.subject.function().to_owned();
        let kind = Kind::Passes;
        self.push(Draft::new(kind, name, fixes, None, examples, Drawn::None), None);
    }

    /// What parameters are in a test of how paths end: all that go in are parameters of it.
    fn fixes_of_ending(&self) -> Vec<Option<Fix>> {
        let inputs = self.logic.inputs();
        let fix = |nth: usize| {
            if inputs.contains(&nth) {
                return None;
            }
            Some(self.logic.fixes[nth].clone().unwrap_or(Fix::Own))
        };
        (0..self.plan.parameters.len()).map(fix).collect()
    }

    /// The test for the paths on which the code under test refuses its input.
    fn write_panicking(&mut self) {
        let refused = self.that(End::Refuses);
        if refused.is_empty() {
            return;
        }
        if self.plan.subject.has_result || self.logic.inputs().is_empty() {
            self.outcome.notes.push(words::REFUSED_WITHOUT_TEST.to_owned());
            return;
        }
        self.logic.renew();
        let (kept, condition) = self.logic.ending(&refused);
        if kept.is_empty() {
            return;
        }
        let fixes = self.fixes_of_ending();
        let examples = self.examples(&kept, &fixes);
        let messages = self.messages(&kept);
        let drawn = if condition.is_some() { Drawn::Usual } else { Drawn::None };
        let text = condition.as_ref().and_then(|assumption| assumption.text.clone());
        let name = format!("{}_panics", self.plan.subject.function());
        let draft = Draft::new(Kind::Panics(messages), name, fixes, text, examples, drawn);
        self.push(draft, condition.map(|assumption| assumption.is_proved));
    }

    /// The test for the paths on which one assertion fails.
    fn write_opposite(&mut self) {
        let failing = self.that(End::Assertion);
        let Some(statement) = self.statement_of(&failing) else { return };
        let Some(Some(_)) = self.outcome.drafts.first().map(|draft| &draft.assumption) else {
            return;
        };
        let part = &self.plan.subject.statements[statement];
        if write::opposite(&self.bench.text, part).is_none() || self.plan.subject.has_result {
            return;
        }
        self.logic.renew();
        let (kept, condition) = self.logic.ending(&failing);
        let Some(assumption) = condition.filter(|_| !kept.is_empty()) else { return };
        let fixes = self.fixes_of_ending();
        // An element that is not there has no opposite.
        if fixes.iter().flatten().any(|fix| matches!(fix, Fix::As(text) if text.contains('['))) {
            return;
        }
        let examples = self.examples(&kept, &fixes);
        let (kind, text) = (Kind::Opposite(statement), assumption.text);
        let name = format!("{}_fails_otherwise", self.plan.subject.function());
        let draft = Draft::new(kind, name, fixes, text, examples, Drawn::Usual);
        self.push(draft, Some(assumption.is_proved));
    }

    /// The one statement of the test in which all of these paths end.
    fn statement_of(&self, paths: &[usize]) -> Option<usize> {
        let text = &self.bench.text;
        let line_of = |at: usize| text[..at].matches('\n').count() + 1;
        let lines: BTreeSet<usize> = paths
            .iter()
            .map(|path| self.natives[*path].panic.as_ref().map_or(0, |panic| panic.line))
            .collect();
        let statements = &self.plan.subject.statements;
        let mut fitting = statements.iter().enumerate().filter(|(_, part)| {
            let (first, last) = (line_of(part.start), line_of(part.end));
            lines.iter().all(|line| (first..=last).contains(line))
        });
        let (statement, _) = fitting.next().filter(|_| !lines.is_empty())?;
        fitting.next().is_none().then_some(statement)
    }

    /// What panics say, as far as it does not depend on the input.
    fn messages(&self, paths: &[usize]) -> Vec<String> {
        let mut by_place: Vec<((String, usize), Vec<&str>)> = Vec::new();
        for panic in paths.iter().filter_map(|path| self.natives[*path].panic.as_ref()) {
            let place = (panic.file.clone(), panic.line);
            let message = panic.message.lines().next().unwrap_or_default();
            match by_place.iter_mut().find(|(known, _)| *known == place) {
                Some((_, messages)) => messages.push(message),
                None => by_place.push((place, vec![message])),
            }
        }
        let mut found: Vec<String> = Vec::new();
        for (_, messages) in by_place {
            let message = common(&messages);
            if message.len() < 4 {
                // Nothing can be said of all of them.
                return Vec::new();
            }
            if !found.contains(&message) {
                found.push(message);
            }
        }
        found
    }

    /// The input of a path that was run natively.
    fn as_run(&self, path: usize) -> Vec<String> {
        let mut values = self.logic.paths.all[path].values.clone();
        for (place, code) in &self.natives[path].mocks {
            values[*place].clone_from(code);
        }
        values
    }

    /// The mistakes of the code under test, one for each place.
    fn find(&mut self) {
        self.logic.renew();
        let mut places = BTreeSet::new();
        for path in self.that(End::Mistake) {
            let Some(panic) = self.natives[path].panic.clone() else { continue };
            if places.insert((panic.file.clone(), panic.line)) {
                let names =
                    self.plan.parameters.iter().map(|parameter| parameter.name().to_owned());
                let as_run = self.as_run(path);
                let has_mocks = self.plan.mocks().next().is_some();
                let simpler = if has_mocks { None } else { self.input(&[path], &[]) };
                let input = names.zip(simpler.unwrap_or_else(|| as_run.clone())).collect();
                self.outcome.findings.push(Finding { panic, input, as_run, has_mocks });
            }
        }
    }
}

/// What messages of one place have in common at their beginnings; of one message alone, what
/// stands before the first number or quoted text.
fn common(messages: &[&str]) -> String {
    let first = messages.first().copied().unwrap_or_default();
    let mut end = first.find(|c: char| c.is_ascii_digit() || c == '"').unwrap_or(first.len());
    for other in messages {
        let same = first.char_indices().zip(other.chars()).find(|((_, a), b)| a != b);
        end = end.min(same.map_or(first.len().min(other.len()), |((at, _), _)| at));
    }
    first[..end].trim_end_matches([' ', ':', '-', '(', '`']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_messages_stays_what_does_not_depend_on_the_input() {
        assert_eq!(common(&["the index is out of range: 3"]), "the index is out of range");
        assert_eq!(common(&["bad -1", "bad -2"]), "bad");
        assert_eq!(common(&["negative"]), "negative");
        assert_eq!(common(&[]), "");
    }
}
