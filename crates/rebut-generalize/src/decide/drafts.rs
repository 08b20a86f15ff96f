//! Decides which tests a test becomes, as drafts.

use crate::decide::bindings::Binding;
use crate::decide::native_runs::NativeRun;
use crate::decide::path_end::PathEnd;
use crate::decide::questions::PathQuestions;
use crate::decide::readable_input::ReadableInput;
use crate::explore::paths::ExploredPaths;
use crate::package::edited_package::EditedPackage;
use crate::package::notes::Panic;
use crate::plan::Plan;
use crate::read::value::ParameterType;
use crate::reasons::{Note, WhyKept};
use crate::write::draft::{self, Draft, DraftKind, GeneratedInputs};
use rebut_concolic::Budget;
use std::collections::BTreeSet;

/// Write at most this many examples of a test. A note has the number of the others. Arbitrary.
const EXAMPLES_MAX: usize = 12;
/// A panic message of fewer bytes is not checked: it would match by chance. Arbitrary.
const MESSAGE_MIN: usize = 4;

/// The decision on a test.
#[derive(Debug)]
pub(crate) struct Decision {
    /// The tests to write. The original stays if no draft replaces it.
    pub(crate) drafts: Vec<Draft>,
    /// For each draft, whether it is proved for all inputs; `None` if it only has examples.
    pub(crate) proofs: Vec<Option<bool>>,
    pub(crate) findings: Vec<Finding>,
    /// Why the original stays.
    pub(crate) why_kept: Option<WhyKept>,
    pub(crate) notes: Vec<Note>,
    /// The number of kinds of paths with each end. Passing paths that take the same branch
    /// sides are one kind, and so are paths that panic at the same location.
    pub(crate) end_counts: Vec<(PathEnd, usize)>,
}

impl Decision {
    /// Whether a draft replaces the test, and runs more than its examples.
    pub(crate) fn is_general(&self) -> bool {
        let is_general = |draft: &Draft| {
            draft.kind == DraftKind::Passes && draft.generated != GeneratedInputs::None
        };
        self.drafts.iter().any(is_general)
    }
}

/// A bug of the code under test.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) panic: Panic,
    /// The names and values of the parameters.
    pub(crate) input: Vec<(String, String)>,
    /// The values of the run that found it. Those of `input` may be more readable.
    pub(crate) values_run: Vec<String>,
    /// Whether there are mocks among the parameters.
    pub(crate) has_mocks: bool,
}

/// Decides on one test.
pub(crate) fn decide(
    package: &EditedPackage,
    plan: &Plan,
    paths: &mut ExploredPaths,
    natives: &[NativeRun],
    budget: &Budget,
) -> Decision {
    let ends: Vec<PathEnd> = natives.iter().map(|native| native.end).collect();
    let is_complete = paths.is_complete;
    let mut questions = PathQuestions::new(plan, paths, &ends, budget);
    questions.bind();
    let mut drafter = Drafter {
        package,
        plan,
        natives,
        questions,
        decision: Decision {
            drafts: Vec::new(),
            proofs: Vec::new(),
            findings: Vec::new(),
            why_kept: None,
            notes: Vec::new(),
            end_counts: Vec::new(),
        },
    };
    drafter.count_ends();
    let is_general = drafter.draft_passing();
    drafter.draft_panicking();
    if is_general && plan.unit_test.panics.is_none() {
        drafter.draft_opposite();
    }
    drafter.collect_findings();
    if !is_complete {
        drafter.decision.notes.push(Note::UnexploredPaths);
    }
    drafter.decision
}

struct Drafter<'a> {
    package: &'a EditedPackage,
    plan: &'a Plan,
    natives: &'a [NativeRun],
    questions: PathQuestions<'a>,
    decision: Decision,
}

impl Drafter<'_> {
    fn paths_with_end(&self, end: PathEnd) -> Vec<usize> {
        (0..self.natives.len()).filter(|nth| self.natives[*nth].end == end).collect()
    }

    fn count_ends(&mut self) {
        let ends = [
            PathEnd::Passes,
            PathEnd::Refuses,
            PathEnd::Assertion,
            PathEnd::Mistake,
            PathEnd::Unknown,
        ];
        for end in ends {
            let paths = self.paths_with_end(end);
            let kinds = match end {
                PathEnd::Passes | PathEnd::Unknown => self.kinds(&paths),
                _ => self.by_panic_location(&paths),
            };
            let count = kinds.len();
            self.decision.end_counts.push((end, count));
            if end == PathEnd::Unknown && count > 0 {
                self.decision.notes.push(Note::OtherNativeEnds(count));
            }
        }
    }

    /// Groups these paths by kind. The path of the original values comes first.
    fn kinds(&self, paths: &[usize]) -> Vec<Vec<usize>> {
        let own = self.questions.paths.own;
        let mut kinds: Vec<Vec<usize>> = Vec::new();
        for kind in self.questions.paths.kinds() {
            let kind: Vec<usize> = kind.into_iter().filter(|path| paths.contains(path)).collect();
            match kind.contains(&own) {
                _ if kind.is_empty() => {}
                true => kinds.insert(0, vec![own]),
                false => kinds.push(kind),
            }
        }
        kinds
    }

    /// Groups these paths by the location of their panic.
    fn by_panic_location(&self, paths: &[usize]) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let location =
            |path: usize| self.natives[path].panic.as_ref().map(|panic| (&panic.file, panic.line));
        for path in paths {
            match groups.iter_mut().find(|known| location(known[0]) == location(*path)) {
                Some(known) => known.push(*path),
                None => groups.push(vec![*path]),
            }
        }
        groups
    }

    /// Returns values of the free parameters: one row for each kind of passing paths, or for each
    /// location of a panic.
    fn examples(&mut self, paths: &[usize], bindings: &[Option<Binding>]) -> Vec<Vec<String>> {
        self.questions.reset_queries();
        let free: Vec<usize> = (0..bindings.len()).filter(|nth| bindings[*nth].is_none()).collect();
        let mut examples: Vec<Vec<String>> = Vec::new();
        let is_passing = paths.iter().all(|path| self.natives[*path].end == PathEnd::Passes);
        let groups = if is_passing { self.kinds(paths) } else { self.by_panic_location(paths) };
        for group in groups {
            let Some(input) = self.input(&group, bindings) else { continue };
            let example: Vec<String> = free.iter().map(|nth| input[*nth].clone()).collect();
            if !examples.contains(&example) {
                examples.push(example);
            }
        }
        if examples.len() > EXAMPLES_MAX {
            let more = examples.len() - EXAMPLES_MAX;
            self.decision.notes.push(Note::MoreExamples(more));
            examples.truncate(EXAMPLES_MAX);
        }
        examples
    }

    /// Returns the values of a readable input of one of these paths, as code.
    fn input(&mut self, paths: &[usize], bindings: &[Option<Binding>]) -> Option<Vec<String>> {
        let parameters = &self.plan.parameters;
        let own = |nth: usize| {
            let code = &self.package.text[parameters[nth].site.range.clone()];
            match &parameters[nth].ty {
                Some(ParameterType::Mock(path)) => format!("{path}::new({code})"),
                _ => code.to_owned(),
            }
        };
        let ReadableInput { path, is_own, numbers } =
            self.questions.readable_input(paths, bindings)?;
        let explored = &self.questions.paths.all[path].values;
        let value = |nth: usize| {
            if parameters[nth].is_mock() || is_own[nth] {
                return own(nth);
            }
            let (ty, number) = (parameters[nth].ty.as_ref(), numbers[nth]);
            let code = ty.zip(number).and_then(|(ty, number)| ty.code_of_choice(number));
            code.unwrap_or_else(|| explored[nth].clone())
        };
        let example = |nth: usize| draft::as_example(&parameters[nth], value(nth));
        Some((0..parameters.len()).map(example).collect())
    }

    fn push(&mut self, draft: Draft, is_proved: Option<bool>) {
        self.decision.proofs.push(is_proved);
        self.decision.drafts.push(draft.renumbered(self.plan));
    }

    /// Drafts the test for the passing paths. Returns whether it runs more than its examples.
    fn draft_passing(&mut self) -> bool {
        if self.draft_general() {
            return true;
        }
        // Other bindings, each of which claims less than the one before.
        let attempts: [fn(&mut PathQuestions<'_>) -> bool; 3] = [
            |questions| questions.guess_bindings(),
            |questions| {
                questions.bind_on_own_path();
                true
            },
            |questions| questions.bind_all_but_some(),
        ];
        let PathQuestions { bindings, binding_terms, .. } = &self.questions;
        let on_all_paths = (bindings.clone(), binding_terms.clone());
        for bind in attempts {
            self.questions.reset_queries();
            if bind(&mut self.questions) && self.draft_general() {
                return true;
            }
        }
        (self.questions.bindings, self.questions.binding_terms) = on_all_paths;
        let passing = self.paths_with_end(PathEnd::Passes);
        if self.questions.free_parameters().is_empty() {
            self.decision.why_kept = Some(WhyKept::OnlyOwnValues);
        } else {
            self.draft_table(&passing);
        }
        false
    }

    /// Drafts the test for those passing paths that agree with the bindings.
    fn draft_general(&mut self) -> bool {
        let own = self.questions.paths.own;
        if self.questions.free_parameters().is_empty() || !self.questions.agrees_with_bindings(own)
        {
            return false;
        }
        let Some(assumption) = self.questions.assumption_to_pass() else { return false };
        let passing = self.paths_with_end(PathEnd::Passes).into_iter();
        let passing: Vec<usize> =
            passing.filter(|path| self.questions.agrees_with_bindings(*path)).collect();
        let bindings = self.questions.bindings.clone();
        let examples = self.examples(&passing, &bindings);
        let name = self.plan.unit_test.function().to_owned();
        let (kind, text) = (DraftKind::Passes, assumption.text.clone());
        let draft = Draft::new(kind, name, bindings, text, examples, GeneratedInputs::Usual);
        self.push(draft, Some(assumption.is_proved));
        true
    }

    /// Drafts a test that runs its examples only.
    fn draft_table(&mut self, passing: &[usize]) {
        if self.plan.unit_test.panics.is_some() {
            self.decision.why_kept = Some(WhyKept::NoSimpleCondition);
            return;
        }
        let own_value =
            |binding: &Option<Binding>| binding.clone().filter(|one| *one == Binding::OwnValue);
        let bindings: Vec<Option<Binding>> =
            self.questions.bindings.iter().map(own_value).collect();
        let examples = self.examples(passing, &bindings);
        if examples.len() < 2 {
            self.decision.why_kept = Some(WhyKept::NoSimpleCondition);
            return;
        }
        self.decision.notes.push(Note::ExamplesOnly);
        let name = self.plan.unit_test.function().to_owned();
        let kind = DraftKind::Passes;
        let draft = Draft::new(kind, name, bindings, None, examples, GeneratedInputs::None);
        self.push(draft, None);
    }

    /// Returns bindings for a test of another end: all inputs are free, and expected results are
    /// bound.
    fn bindings_of_results(&self) -> Vec<Option<Binding>> {
        let inputs = self.questions.input_parameters();
        let binding = |nth: usize| {
            if inputs.contains(&nth) {
                return None;
            }
            Some(self.questions.bindings[nth].clone().unwrap_or(Binding::OwnValue))
        };
        (0..self.plan.parameters.len()).map(binding).collect()
    }

    /// Drafts the test for the paths on which the code under test rejects its input.
    fn draft_panicking(&mut self) {
        let refused = self.paths_with_end(PathEnd::Refuses);
        if refused.is_empty() {
            return;
        }
        if self.plan.unit_test.has_result || self.questions.input_parameters().is_empty() {
            self.decision.notes.push(Note::NoTestOfRejections);
            return;
        }
        self.questions.reset_queries();
        let (taken, condition) = self.questions.assumption_to_take(&refused);
        if taken.is_empty() {
            return;
        }
        let bindings = self.bindings_of_results();
        let examples = self.examples(&taken, &bindings);
        let messages = self.messages(&taken);
        let generated = match condition {
            Some(_) => GeneratedInputs::Usual,
            None => GeneratedInputs::None,
        };
        let text = condition.as_ref().and_then(|assumption| assumption.text.clone());
        let name = format!("{}_panics", self.plan.unit_test.function());
        let kind = DraftKind::Panics(messages);
        let draft = Draft::new(kind, name, bindings, text, examples, generated);
        self.push(draft, condition.map(|assumption| assumption.is_proved));
    }

    /// Drafts the test for the paths on which one assertion fails: it claims the opposite.
    fn draft_opposite(&mut self) {
        let failing = self.paths_with_end(PathEnd::Assertion);
        let Some(statement) = self.statement_of(&failing) else { return };
        let Some(Some(_)) = self.decision.drafts.first().map(|draft| &draft.assumption) else {
            return;
        };
        let range = &self.plan.unit_test.statements[statement];
        if draft::opposite(&self.package.text, range).is_none() || self.plan.unit_test.has_result {
            return;
        }
        self.questions.reset_queries();
        let (taken, condition) = self.questions.assumption_to_take(&failing);
        let Some(assumption) = condition.filter(|_| !taken.is_empty()) else { return };
        let bindings = self.bindings_of_results();
        // `list[0]` panics if the list is empty, so the opposite claim would not be about it.
        let is_element = |binding: &Binding| match binding {
            Binding::Expression(text) => text.contains('['),
            Binding::OwnValue => false,
        };
        if bindings.iter().flatten().any(is_element) {
            return;
        }
        let examples = self.examples(&taken, &bindings);
        let (kind, text) = (DraftKind::Opposite(statement), assumption.text);
        let name = format!("{}_fails_otherwise", self.plan.unit_test.function());
        let draft = Draft::new(kind, name, bindings, text, examples, GeneratedInputs::Usual);
        self.push(draft, Some(assumption.is_proved));
    }

    /// Returns the statement of the test in which all of these paths end, if there is one.
    fn statement_of(&self, paths: &[usize]) -> Option<usize> {
        let text = &self.package.text;
        let line_of = |at: usize| text[..at].matches('\n').count() + 1;
        let lines: BTreeSet<usize> = paths
            .iter()
            .map(|path| self.natives[*path].panic.as_ref().map_or(0, |panic| panic.line))
            .collect();
        let statements = &self.plan.unit_test.statements;
        let mut fitting = statements.iter().enumerate().filter(|(_, range)| {
            let (first, last) = (line_of(range.start), line_of(range.end));
            lines.iter().all(|line| (first..=last).contains(line))
        });
        let (statement, _) = fitting.next().filter(|_| !lines.is_empty())?;
        fitting.next().is_none().then_some(statement)
    }

    /// Returns the parts of the panic messages that do not depend on the input. Empty if some
    /// message has no such part.
    fn messages(&self, paths: &[usize]) -> Vec<String> {
        let mut by_location: Vec<((&str, usize), Vec<&str>)> = Vec::new();
        for panic in paths.iter().filter_map(|path| self.natives[*path].panic.as_ref()) {
            let location = (panic.file.as_str(), panic.line);
            let message = panic.message.lines().next().unwrap_or_default();
            match by_location.iter_mut().find(|(known, _)| *known == location) {
                Some((_, messages)) => messages.push(message),
                None => by_location.push((location, vec![message])),
            }
        }
        let mut found: Vec<String> = Vec::new();
        for (_, messages) in by_location {
            let message = common_beginning(&messages);
            if message.len() < MESSAGE_MIN {
                return Vec::new();
            }
            if !found.contains(&message) {
                found.push(message);
            }
        }
        found
    }

    /// Returns the input of a path that was run natively.
    fn values_run(&self, path: usize) -> Vec<String> {
        let mut values = self.questions.paths.all[path].values.clone();
        for (parameter, code) in &self.natives[path].mocks {
            values[*parameter].clone_from(code);
        }
        values
    }

    /// Collects the bugs of the code under test, one for each location.
    fn collect_findings(&mut self) {
        self.questions.reset_queries();
        let mut locations = BTreeSet::new();
        for path in self.paths_with_end(PathEnd::Mistake) {
            let Some(panic) = self.natives[path].panic.clone() else { continue };
            if locations.insert((panic.file.clone(), panic.line)) {
                let names =
                    self.plan.parameters.iter().map(|parameter| parameter.name().to_owned());
                let values_run = self.values_run(path);
                let has_mocks = self.plan.mocks().next().is_some();
                let readable = if has_mocks { None } else { self.input(&[path], &[]) };
                let input = names.zip(readable.unwrap_or_else(|| values_run.clone())).collect();
                self.decision.findings.push(Finding { panic, input, values_run, has_mocks });
            }
        }
    }
}

/// Returns the common beginning of the messages of one location, up to the first number or quoted
/// text.
fn common_beginning(messages: &[&str]) -> String {
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
    fn messages_are_cut_where_they_depend_on_the_input() {
        assert_eq!(
            common_beginning(&["the index is out of range: 3"]),
            "the index is out of range"
        );
        assert_eq!(common_beginning(&["bad -1", "bad -2"]), "bad");
        assert_eq!(common_beginning(&["negative"]), "negative");
        assert_eq!(common_beginning(&[]), "");
    }
}
