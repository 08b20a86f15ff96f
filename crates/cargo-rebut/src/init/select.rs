//! Selects the tests to write: the claims about a crate with the best results in a trial.

use super::Changes;
use super::crate_under_test::CrateUnderTest;
use super::draft::{TestCode, TextConsumer};
use super::facts;
use super::laws::{Claim, ClaimBasis, claims};
use super::package::{Package, PropertyFile};
use super::texts::{TextSource, learn, literals};
use super::trial::{
    CandidateFile, CandidateId, Runner, TestEnd, TrialBuild, TrialResult, build_written,
    expects_change, needs_prelude, needs_regex, without_probes,
};
use crate::words::init as words;
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::words::say;
use rebut_manifest::{with_feature, without_feature};
use rebut_native::formatted;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::{Duration, Instant};

/// A test that is written for the user.
#[derive(Clone, Debug)]
pub(super) struct SelectedTest {
    pub(super) claim: Claim,
    pub(super) code: TestCode,
    /// `None` if it was not run.
    pub(super) result: Option<TrialResult>,
}

/// The selected tests, and the numbers of other candidates.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    pub(super) tests: Vec<SelectedTest>,
    /// Guesses for which a trial found a counterexample.
    pub(super) wrong_guesses: Vec<String>,
    pub(super) tried: usize,
    pub(super) not_built: usize,
    pub(super) rejected: usize,
}

/// The maximum number of tests in the file. A product decision: enough to show different claims,
/// few enough to read. Further candidates are dropped.
const TESTS_MAX: usize = 3;

/// The number of claims that are built together. Arbitrary. The next group is built only if too few
/// claims of the last one are good.
const GROUP_SIZE: usize = 24;

/// The maximum number of groups. Arbitrary. Claims after the last group are not tried.
const GROUPS_MAX: usize = 4;

/// The time limit for all tests of a trial together. Arbitrary. At the limit, the selection uses
/// the results so far.
const RUNS_MAX: Duration = Duration::from_secs(120);

/// Runs trials of candidates, and selects the best.
pub(super) struct Selector<'a> {
    pub(super) package: &'a Package,
    pub(super) file: &'a PropertyFile,
    pub(super) subject: CrateUnderTest,
    pub(super) changes: &'a mut Changes,
    /// The remaining time for tests.
    time_left: Duration,
}

impl<'a> Selector<'a> {
    pub(super) fn new(
        package: &'a Package,
        file: &'a PropertyFile,
        changes: &'a mut Changes,
    ) -> Selector<'a> {
        let subject = CrateUnderTest::read(package);
        Selector { package, file, subject, changes, time_left: RUNS_MAX }
    }

    /// Selects the best tests that compile, run, and reach their assertions.
    pub(super) fn select(&mut self) -> Result<Selection, Failure> {
        let mut selection = Selection::default();
        if self.subject.api.functions.is_empty() && self.subject.api.types.is_empty() {
            return Ok(selection);
        }
        say(&words::trying(&self.package.name));
        self.learn_facts(&facts::trait_checks(&self.subject.api))?;
        self.learn_facts(&facts::type_checks(&self.subject.api))?;
        let texts = self.learn_texts(&self.subject.consumers())?;
        let all = claims(&self.subject.api, &texts, &self.subject.prose);
        self.set_regex_for(&all)?;
        let mut candidates = Vec::new();
        for group in all.chunks(GROUP_SIZE).take(GROUPS_MAX) {
            self.try_group(group, &mut selection, &mut candidates)?;
            if different_tests(&candidates).len() >= TESTS_MAX || self.time_left.is_zero() {
                break;
            }
        }
        selection.tests = best_tests(&candidates);
        Ok(selection)
    }

    /// Adds the facts whose code compiles.
    fn learn_facts(&mut self, checks: &[facts::FactCheck]) -> Result<(), Failure> {
        if checks.is_empty() {
            return Ok(());
        }
        let mut candidates = CandidateFile::default();
        let numbers: Vec<CandidateId> =
            checks.iter().map(|check| candidates.add_fact(&check.code)).collect();
        match candidates.build(self.package, self.file)? {
            TrialBuild::Binary(_) => {}
            TrialBuild::Nothing => return Ok(()),
            TrialBuild::Broken(error) => return Err(build_failure(&error)),
        }
        let facts = checks.iter().zip(numbers);
        let facts = facts.filter(|(_, number)| !candidates.is_dropped(*number));
        self.subject.api.impls.extend(facts.map(|(check, _)| check.fact.clone()));
        Ok(())
    }

    /// Learns which strings the parsers of the crate accept.
    fn learn_texts(
        &mut self,
        consumers: &[(TextConsumer, String)],
    ) -> Result<BTreeMap<TextConsumer, TextSource>, Failure> {
        let mut texts = BTreeMap::new();
        let literals = literals(&self.package.folder);
        if consumers.is_empty() || literals.all.is_empty() {
            return Ok(texts);
        }
        let mut candidates = CandidateFile::default();
        for (consumer, expression) in consumers {
            candidates.add_consumer(consumer.clone(), expression);
        }
        let binary = match candidates.build(self.package, self.file)? {
            TrialBuild::Binary(binary) => binary,
            TrialBuild::Nothing => return Ok(texts),
            TrialBuild::Broken(error) => return Err(build_failure(&error)),
        };
        let runner = Runner { package: self.package, binary: &binary };
        for (number, consumer) in candidates.consumers().into_iter().enumerate() {
            let mut failure = None;
            let learned = learn(&literals.all, &mut |texts| {
                let questions: Vec<(usize, &str)> =
                    texts.iter().map(|text| (number, text.as_str())).collect();
                let answers = runner.accepts(&questions);
                answers.unwrap_or_else(|error| {
                    failure = Some(error);
                    Vec::new()
                })
            });
            if let Some(failure) = failure {
                return Err(failure);
            }
            let can_use = |source: &TextSource| !source.needs_regex() || self.allows_regex();
            if let Some(source) = learned.filter(can_use) {
                texts.insert(consumer, source);
            }
        }
        Ok(texts)
    }

    /// Whether tests can use regular expressions. An existing dependency is not changed.
    fn allows_regex(&self) -> bool {
        self.package.rebut.as_ref().is_none_or(|rebut| rebut.has_regex)
    }

    /// Enables the feature `regex` of Rebut if one of these claims needs it, and disables it
    /// otherwise.
    fn set_regex_for(&mut self, all: &[Claim]) -> Result<(), Failure> {
        let needs = |code: &TestCode| {
            needs_regex(&code.test) || code.helpers.iter().any(|helper| needs_regex(helper))
        };
        self.set_regex(all.iter().flat_map(|claim| &claim.variants).any(needs))
    }

    fn set_regex(&mut self, is_needed: bool) -> Result<(), Failure> {
        if self.package.rebut.is_some() {
            return Ok(());
        }
        let manifest = &self.package.manifest;
        let text = fs::read_to_string(manifest).unwrap_or_default();
        let changed = match is_needed {
            true => with_feature(&text, "regex"),
            false => without_feature(&text, "regex"),
        };
        match changed {
            Some(changed) if changed != text => self.changes.write(manifest, &changed),
            _ => Ok(()),
        }
    }

    /// Builds and runs a group of claims, and rates their results.
    fn try_group(
        &mut self,
        group: &[Claim],
        selection: &mut Selection,
        found: &mut Vec<RatedTest>,
    ) -> Result<(), Failure> {
        let mut candidates = CandidateFile::default();
        let mut numbers: Vec<Vec<CandidateId>> = Vec::new();
        for claim in group {
            let variants = claim.variants.iter();
            let variants = variants.map(|code| candidates.add_test(&code.test, &code.helpers));
            numbers.push(variants.collect());
        }
        selection.tried += group.len();
        let binary = match candidates.build(self.package, self.file)? {
            TrialBuild::Binary(binary) => binary,
            TrialBuild::Nothing => {
                selection.not_built += group.len();
                return Ok(());
            }
            TrialBuild::Broken(error) => return Err(build_failure(&error)),
        };
        let runner = Runner { package: self.package, binary: &binary };
        for (claim, numbers) in group.iter().zip(&numbers) {
            let built: Vec<usize> =
                (0..numbers.len()).filter(|nth| !candidates.is_dropped(numbers[*nth])).collect();
            if built.is_empty() {
                selection.not_built += 1;
                continue;
            }
            let selected = different_tests(found);
            let is_return = matches!(claim.basis, ClaimBasis::Returns { .. });
            // A test that only checks for panics adds little to tests of laws.
            let is_enough = selected.len() >= TESTS_MAX || (is_return && !selected.is_empty());
            if is_enough || self.time_left.is_zero() {
                break;
            }
            let mut attempts = Vec::new();
            for nth in built {
                let test = format!("{}::{}", candidates.module(numbers[nth]), claim.name);
                let begun = Instant::now();
                let result = runner.run(&test, self.time_left)?;
                self.time_left = self.time_left.saturating_sub(begun.elapsed());
                let rating = self.rate(claim, &claim.variants[nth], &result);
                attempts.push((rating, nth, result));
                if matches!(rating, ClaimRating::Good | ClaimRating::Finding) {
                    break;
                }
            }
            // The best variant counts: a law may hold for small numbers only.
            let best = attempts.into_iter().min_by_key(|(rating, nth, _)| (*rating, *nth));
            let Some((rating, nth, result)) = best else { continue };
            match rating {
                ClaimRating::Weak => selection.rejected += 1,
                ClaimRating::Wrong => selection.wrong_guesses.push(claim.about.clone()),
                _ => {}
            }
            let test = SelectedTest {
                claim: claim.clone(),
                code: claim.variants[nth].clone(),
                result: Some(result),
            };
            found.push(RatedTest { rating, test });
        }
        Ok(())
    }

    fn rate(&self, claim: &Claim, code: &TestCode, result: &TrialResult) -> ClaimRating {
        match &result.end {
            TestEnd::Passed if expects_change(&code.test) && result.changed == 0 => {
                ClaimRating::Weak
            }
            TestEnd::Passed if result.is_meaningful() => ClaimRating::Good,
            TestEnd::Passed | TestEnd::Rejected | TestEnd::NoResult => ClaimRating::Weak,
            TestEnd::Failed { is_inside, .. } => match claim.basis {
                // A value that no constructor returns may be invalid.
                ClaimBasis::Promised if !code.is_open => ClaimRating::Finding,
                ClaimBasis::Returns { is_promised: true } if *is_inside && !code.is_open => {
                    ClaimRating::Finding
                }
                _ if *is_inside && self.subject.is_undocumented(claim) => ClaimRating::Finding,
                _ if *is_inside => ClaimRating::Panics,
                _ => ClaimRating::Wrong,
            },
        }
    }

    /// Writes the selected tests, builds them again, and runs them in their final file.
    pub(super) fn write(&mut self, selection: &mut Selection) -> Result<(), Failure> {
        while !selection.tests.is_empty() {
            let text = file_text(self.package, &selection.tests);
            let needs = needs_regex(&text);
            self.set_regex(needs)?;
            let text = formatted(&text).unwrap_or(text);
            self.changes.write(&self.file.path, &text)?;
            match build_written(self.package, self.file)? {
                Ok(binary) => {
                    let runner = Runner { package: self.package, binary: &binary };
                    let before = selection.tests.len();
                    let mut tests = Vec::new();
                    for mut test in selection.tests.drain(..) {
                        let result = runner.run(&test.claim.name, RUNS_MAX)?;
                        let expected = test.result.as_ref().map(|trial| is_passed(&trial.end));
                        if expected == Some(is_passed(&result.end)) {
                            test.result = Some(result);
                            tests.push(test);
                        }
                    }
                    selection.tests = tests;
                    if selection.tests.len() == before {
                        return Ok(());
                    }
                }
                // A candidate that compiled in a trial fails here only if names clash.
                Err(_) => {
                    selection.tests.pop();
                }
            }
        }
        Ok(())
    }
}

fn is_passed(end: &TestEnd) -> bool {
    *end == TestEnd::Passed
}

fn build_failure(error: &str) -> Failure {
    say(error.trim_end());
    Failure::new(Exit::Build, words::others_do_not_build())
}

/// The result of a trial for a claim, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ClaimRating {
    /// The test fails, and the crate promises that it does not.
    Finding,
    /// The test passes, and compares different values.
    Good,
    /// The crate panics, perhaps on purpose.
    Panics,
    /// The test passes but tests little.
    Weak,
    /// The test finds a counterexample, so the guess is wrong.
    Wrong,
}

#[derive(Clone, Debug)]
struct RatedTest {
    rating: ClaimRating,
    test: SelectedTest,
}

/// The tests to write: first different laws about different parts of the crate, then others.
fn best_tests(found: &[RatedTest]) -> Vec<SelectedTest> {
    let mut tests = different_tests(found);
    let mut others = found.iter().filter(|one| one.rating == ClaimRating::Good);
    while tests.len() < TESTS_MAX
        && let Some(other) = others.next()
    {
        let is_known = tests.iter().any(|one| one.claim.name == other.test.claim.name);
        let is_weak = matches!(other.test.claim.basis, ClaimBasis::Returns { .. });
        if !is_known && !is_weak && !clashes(&tests, &other.test) {
            tests.push(other.test.clone());
        }
    }
    let panics = found.iter().find(|one| one.rating == ClaimRating::Panics);
    if tests.is_empty() {
        tests.extend(panics.map(|one| one.test.clone()));
    }
    tests
}

/// One law of each kind for each part of the crate.
fn different_tests(found: &[RatedTest]) -> Vec<SelectedTest> {
    let mut tests: Vec<SelectedTest> = Vec::new();
    let mut subjects = BTreeSet::new();
    for rating in [ClaimRating::Finding, ClaimRating::Good] {
        for one in found.iter().filter(|one| one.rating == rating).map(|one| &one.test) {
            // A test that only checks for panics adds little to tests of laws.
            let is_return = matches!(one.claim.basis, ClaimBasis::Returns { .. });
            let is_weak = rating == ClaimRating::Good && is_return && !tests.is_empty();
            let is_dropped = tests.len() >= TESTS_MAX || is_weak || clashes(&tests, one);
            if !is_dropped && subjects.insert((one.claim.kind, owner(&one.claim.subject))) {
                tests.push(one.clone());
            }
        }
    }
    tests
}

/// Whether a test has a helper with the name of another helper of these tests.
fn clashes(tests: &[SelectedTest], other: &SelectedTest) -> bool {
    let known = tests.iter().flat_map(|one| &one.code.helpers);
    let is_other =
        |known: &String, code: &String| first_name(known) == first_name(code) && known != code;
    known.into_iter().any(|known| other.code.helpers.iter().any(|code| is_other(known, code)))
}

/// The type of a method, the module of a function, or the type itself.
fn owner(subject: &str) -> String {
    let plain = subject.split('<').next().unwrap_or(subject);
    match plain.rsplit_once("::") {
        Some((before, name)) if name.starts_with(|first: char| !first.is_uppercase()) => {
            before.to_owned()
        }
        _ => plain.to_owned(),
    }
}

/// The name of the first function or enum in some code.
fn first_name(code: &str) -> String {
    let line = code.lines().find(|line| line.starts_with("fn ") || line.starts_with("enum "));
    let words = line.unwrap_or_default().split([' ', '(']);
    words.into_iter().nth(1).unwrap_or_default().to_owned()
}

/// The text of a file with tests.
pub(super) fn file_text(package: &Package, tests: &[SelectedTest]) -> String {
    let mut body = String::new();
    let mut seen = BTreeSet::new();
    for one in tests {
        for helper in &one.code.helpers {
            if seen.insert(helper.clone()) {
                body.push_str(helper);
                body.push('\n');
            }
        }
        body.push_str(&without_probes(&one.code.test));
        body.push('\n');
    }
    let prelude = match (needs_prelude(&body), package.is_edition_2015) {
        (false, _) => "",
        (true, false) => "use rebut::prelude::*;\n\n",
        (true, true) => "extern crate rebut;\n\nuse self::rebut::prelude::*;\n\n",
    };
    format!("{}{prelude}{}\n", words::HEAD, body.trim_end())
}
