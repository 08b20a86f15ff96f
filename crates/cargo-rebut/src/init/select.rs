//! Chooses the tests that stay: of all claims about a crate, the best that hold in a trial.

use super::Changes;
use super::api::{Api, Function, How, View};
use super::draft::{Code, Consumer};
use super::facts;
use super::laws::{Claim, Standing, claims};
use super::package::{Package, Place};
use super::source::{Conditions, Module, modules};
use super::texts::{Literals, TextSource, learn, literals};
use super::trial::{
    Built, Candidates, Measured, Number, Outcome, Runner, build_written, expects_change,
    needs_prelude, needs_regex, plain,
};
use super::ty::Ty;
use crate::words::init as words;
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::words::say;
use rebut_manifest::{with_feature, without_feature};
use rebut_native::formatted;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::{Duration, Instant};

/// A test that stays.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) claim: Claim,
    pub(super) code: Code,
    /// None if it was not run.
    pub(super) measured: Option<Measured>,
}

/// What came of all candidates.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    pub(super) kept: Vec<Kept>,
    /// Guesses that are wrong.
    pub(super) wrong: Vec<String>,
    pub(super) tried: usize,
    pub(super) not_built: usize,
    pub(super) rejected: usize,
}

/// A first file has at most this many tests: enough to show what can be claimed, few enough to
/// be read.
const TESTS_MAX: usize = 3;

/// Claims are tried in groups: the next one only if too few of the last stay.
const GROUP: usize = 24;

const GROUPS_MAX: usize = 4;

/// Every function that takes text and can refuse it is asked about literals, up to this many.
const CONSUMERS_MAX: usize = 40;

/// All tests of a trial together run at most this long.
const RUNS_MAX: Duration = Duration::from_secs(120);

/// What there is to make claims about.
#[derive(Debug)]
pub(super) struct Subject {
    api: Api,
    /// The words of the documentation of the crate itself.
    prose: String,
}

impl Subject {
    /// Whether nothing says what a test may not do: neither the crate nor what it is about has
    /// documentation. Then signatures promise what they say.
    fn is_silent(&self, claim: &Claim) -> bool {
        let name = claim.subject.rsplit("::").next().unwrap_or_default();
        let is_documented = |function: &Function| !function.docs.trim().is_empty();
        let mut all = self.api.functions.iter().filter(|function| function.name == name);
        self.prose.trim().is_empty() && !all.any(is_documented)
    }
}

impl Subject {
    pub(super) fn read(package: &Package) -> Subject {
        let conditions = Conditions::of_host(&package.features);
        let (file, root, view) = match (&package.library, &package.program) {
            (Some(library), _) => (Some(&library.file), library.name.as_str(), View::Outside),
            (None, program) => (program.as_ref(), "crate", View::Inside),
        };
        let read: Vec<Module> = file.map(|file| modules(file, &conditions)).unwrap_or_default();
        let mut prose = read.first().map(|root| root.docs.clone()).unwrap_or_default();
        prose.push_str(&fs::read_to_string(package.folder.join("README.md")).unwrap_or_default());
        Subject { api: Api::read(&read, &conditions, root, view), prose }
    }

    /// Everything that takes a text and can refuse it, as an expression that is true if it does
    /// not.
    fn consumers(&self) -> Vec<(Consumer, String)> {
        let mut found: Vec<(Consumer, String)> = Vec::new();
        for item in self.api.types.keys() {
            let Some(ty) = self.api.instance(item) else { continue };
            let Some(code) = self.api.type_code(&ty) else { continue };
            if self.api.implements(&ty, "FromStr") {
                let expression = format!("text.parse::<{code}>().is_ok()");
                found.push((Consumer::Parse(item.clone()), expression));
            }
        }
        for function in &self.api.functions {
            found.extend(self.consumer(function));
        }
        found.truncate(CONSUMERS_MAX);
        found
    }

    fn consumer(&self, function: &Function) -> Option<(Consumer, String)> {
        let call = self.api.calls(function).into_iter().next()?;
        let [(_, ty)] = call.parameters.as_slice() else { return None };
        let method = match &call.output {
            Ty::Std("Result", _) => "is_ok",
            Ty::Std("Option", _) => "is_some",
            _ => return None,
        };
        let argument = match ty {
            Ty::Ref(of) if **of == Ty::Str => "text",
            Ty::Ref(_) if ty.is_bytes() => "text.as_bytes()",
            Ty::String => "text.to_owned()",
            _ => return None,
        };
        let path = match (&function.how, function.receiver) {
            (How::Free(path), _) => self.api.path(path),
            (How::Inherent, None) => {
                format!("{}::{}", self.api.path_code(call.owner.as_ref()?)?, function.name)
            }
            _ => return None,
        };
        let expression = format!("{path}({argument}).{method}()");
        Some((Consumer::Function(path), expression))
    }

    /// Texts of the documentation, for a test that is not built: nobody can be asked.
    fn documented_texts(&self) -> BTreeMap<Consumer, TextSource> {
        let mut found = BTreeMap::new();
        for (item, definition) in &self.api.types {
            let methods = self.api.functions.iter().filter(
                |function| matches!(&function.owner, Some(Ty::Own(owner, _)) if owner == item),
            );
            let docs: Vec<&str> = std::iter::once(definition.docs.as_str())
                .chain(methods.map(|function| function.docs.as_str()))
                .chain([self.prose.as_str()])
                .collect();
            let examples = Literals::in_examples_of(&docs.join("\n"), definition.name());
            let source = TextSource::Some {
                examples: examples.into_iter().take(4).collect(),
                patterns: Vec::new(),
            };
            if source.is_varied() {
                found.insert(Consumer::Parse(item.clone()), source);
            }
        }
        found
    }

    /// The best test by its looks, for those who do not want to build.
    pub(super) fn unbuilt(&self) -> Option<Kept> {
        let texts = self.documented_texts();
        let claim = claims(&self.api, &texts, &self.prose).into_iter().next()?;
        let code = claim.variants.first()?.clone();
        Some(Kept { claim, code, measured: None })
    }
}

/// Tries candidates out and chooses.
pub(super) struct Selector<'a> {
    pub(super) package: &'a Package,
    pub(super) place: &'a Place,
    pub(super) subject: Subject,
    pub(super) changes: &'a mut Changes,
    /// How long tests may still run.
    left: Duration,
}

impl<'a> Selector<'a> {
    pub(super) fn new(
        package: &'a Package,
        place: &'a Place,
        changes: &'a mut Changes,
    ) -> Selector<'a> {
        let subject = Subject::read(package);
        Selector { package, place, subject, changes, left: RUNS_MAX }
    }

    /// The best tests that compile, run, and reach their assertions.
    pub(super) fn select(&mut self) -> Result<Selection, Failure> {
        let mut selection = Selection::default();
        if self.subject.api.functions.is_empty() && self.subject.api.types.is_empty() {
            return Ok(selection);
        }
        say(&words::trying(&self.package.name));
        self.learn_facts(&facts::of_traits(&self.subject.api))?;
        self.learn_facts(&facts::of_types(&self.subject.api))?;
        let texts = self.learn(&self.subject.consumers())?;
        let all = claims(&self.subject.api, &texts, &self.subject.prose);
        self.set_regex(&all)?;
        let mut candidates = Vec::new();
        for group in all.chunks(GROUP).take(GROUPS_MAX) {
            self.try_group(group, &mut selection, &mut candidates)?;
            if different(&candidates).len() >= TESTS_MAX || self.left.is_zero() {
                break;
            }
        }
        selection.kept = chosen(&candidates);
        Ok(selection)
    }

    /// Asks the compiler what is so.
    fn learn_facts(&mut self, questions: &[facts::Question]) -> Result<(), Failure> {
        if questions.is_empty() {
            return Ok(());
        }
        let mut candidates = Candidates::default();
        let numbers: Vec<Number> =
            questions.iter().map(|question| candidates.fact(&question.code)).collect();
        match candidates.build(self.package, self.place)? {
            Built::Binary(_) => {}
            Built::Nothing => return Ok(()),
            Built::Broken(said) => return Err(broken(&said)),
        }
        let known = questions.iter().zip(numbers);
        let known = known.filter(|(_, number)| !candidates.is_dropped(*number));
        self.subject.api.impls.extend(known.map(|(question, _)| question.fact.clone()));
        Ok(())
    }

    /// Asks everything that takes text which texts it takes.
    fn learn(
        &mut self,
        consumers: &[(Consumer, String)],
    ) -> Result<BTreeMap<Consumer, TextSource>, Failure> {
        let mut texts = BTreeMap::new();
        let literals = literals(&self.package.folder);
        if consumers.is_empty() || literals.all.is_empty() {
            return Ok(texts);
        }
        let mut candidates = Candidates::default();
        for (consumer, expression) in consumers {
            candidates.consumer(consumer.clone(), expression);
        }
        let binary = match candidates.build(self.package, self.place)? {
            Built::Binary(binary) => binary,
            Built::Nothing => return Ok(texts),
            Built::Broken(said) => return Err(broken(&said)),
        };
        let runner = Runner { package: self.package, binary: &binary };
        for (number, consumer) in candidates.consumers().into_iter().enumerate() {
            let mut failure = None;
            let learned = learn(&literals.all, &mut |asked| {
                let questions: Vec<(usize, &str)> =
                    asked.iter().map(|text| (number, text.as_str())).collect();
                let answers = runner.ask(&questions);
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

    /// Whether patterns can be used: a dependency that is there already is left as it is.
    fn allows_regex(&self) -> bool {
        self.package.rebut.as_ref().is_none_or(|rebut| rebut.has_regex)
    }

    /// Turns the feature `regex` of Rebut on if a test needs it, and off if none does.
    fn set_regex(&mut self, all: &[Claim]) -> Result<(), Failure> {
        let needs = |code: &Code| {
            needs_regex(&code.test) || code.helpers.iter().any(|helper| needs_regex(helper))
        };
        self.regex(all.iter().flat_map(|claim| &claim.variants).any(needs))
    }

    fn regex(&mut self, is_needed: bool) -> Result<(), Failure> {
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

    /// Builds and runs some claims, and keeps what says something.
    fn try_group(
        &mut self,
        group: &[Claim],
        selection: &mut Selection,
        found: &mut Vec<Found>,
    ) -> Result<(), Failure> {
        let mut candidates = Candidates::default();
        let mut numbers: Vec<Vec<Number>> = Vec::new();
        for claim in group {
            let of_claim = claim.variants.iter();
            let of_claim = of_claim.map(|code| candidates.test(&code.test, &code.helpers));
            numbers.push(of_claim.collect());
        }
        selection.tried += group.len();
        let binary = match candidates.build(self.package, self.place)? {
            Built::Binary(binary) => binary,
            Built::Nothing => {
                selection.not_built += group.len();
                return Ok(());
            }
            Built::Broken(said) => return Err(broken(&said)),
        };
        let runner = Runner { package: self.package, binary: &binary };
        for (claim, numbers) in group.iter().zip(&numbers) {
            let built: Vec<usize> =
                (0..numbers.len()).filter(|nth| !candidates.is_dropped(numbers[*nth])).collect();
            if built.is_empty() {
                selection.not_built += 1;
                continue;
            }
            let kept = different(found);
            let is_return = matches!(claim.standing, Standing::Returns { .. });
            // What does not panic is not kept beside laws.
            let is_enough = kept.len() >= TESTS_MAX || (is_return && !kept.is_empty());
            if is_enough || self.left.is_zero() {
                break;
            }
            let mut attempts = Vec::new();
            for nth in built {
                let test = format!("{}::{}", candidates.module(numbers[nth]), claim.name);
                let begun = Instant::now();
                let measured = runner.run(&test, self.left)?;
                self.left = self.left.saturating_sub(begun.elapsed());
                let judged = self.judged(claim, &claim.variants[nth], &measured);
                attempts.push((judged, nth, measured));
                if matches!(judged, Judged::Good | Judged::Finding) {
                    break;
                }
            }
            // The best attempt counts: of a law that holds for small numbers only, that one.
            let best = attempts.into_iter().min_by_key(|(judged, nth, _)| (*judged, *nth));
            let Some((judged, nth, measured)) = best else { continue };
            match judged {
                Judged::Weak => selection.rejected += 1,
                Judged::Wrong => selection.wrong.push(claim.about.clone()),
                _ => {}
            }
            let kept = Kept {
                claim: claim.clone(),
                code: claim.variants[nth].clone(),
                measured: Some(measured),
            };
            found.push(Found { judged, kept });
        }
        Ok(())
    }

    fn judged(&self, claim: &Claim, code: &Code, measured: &Measured) -> Judged {
        match &measured.outcome {
            Outcome::Passed if expects_change(&code.test) && measured.changed == 0 => Judged::Weak,
            Outcome::Passed if measured.says_something() => Judged::Good,
            Outcome::Passed | Outcome::Rejected | Outcome::Lost => Judged::Weak,
            Outcome::Failed { is_inside, .. } => match claim.standing {
                // Values that no constructor makes prove nothing.
                Standing::Promised if !code.is_open => Judged::Finding,
                Standing::Returns { is_promised: true } if *is_inside && !code.is_open => {
                    Judged::Finding
                }
                _ if *is_inside && self.subject.is_silent(claim) => Judged::Finding,
                _ if *is_inside => Judged::Panics,
                _ => Judged::Wrong,
            },
        }
    }

    /// Writes the tests that stay, builds them once more, and runs them where they are.
    pub(super) fn write(&mut self, selection: &mut Selection) -> Result<(), Failure> {
        while !selection.kept.is_empty() {
            let text = file_text(self.package, &selection.kept);
            let needs = needs_regex(&text);
            self.regex(needs)?;
            let text = formatted(&text).unwrap_or(text);
            self.changes.write(&self.place.path, &text)?;
            match build_written(self.package, self.place)? {
                Ok(binary) => {
                    let runner = Runner { package: self.package, binary: &binary };
                    let before = selection.kept.len();
                    let mut kept = Vec::new();
                    for mut one in selection.kept.drain(..) {
                        let measured = runner.run(&one.claim.name, RUNS_MAX)?;
                        let expected = one.measured.as_ref().map(|known| is_passed(&known.outcome));
                        if expected == Some(is_passed(&measured.outcome)) {
                            one.measured = Some(measured);
                            kept.push(one);
                        }
                    }
                    selection.kept = kept;
                    if selection.kept.len() == before {
                        return Ok(());
                    }
                }
                // What compiles among candidates compiles alone, except for a clash of names.
                Err(_) => {
                    selection.kept.pop();
                }
            }
        }
        Ok(())
    }
}

fn is_passed(outcome: &Outcome) -> bool {
    *outcome == Outcome::Passed
}

fn broken(said: &str) -> Failure {
    say(said.trim_end());
    Failure::new(Exit::Build, words::others_do_not_build())
}

/// What a trial means for a claim, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Judged {
    /// It failed, and the crate promises that it does not.
    Finding,
    /// It holds, and says something.
    Good,
    /// It panicked in the crate, which may be meant.
    Panics,
    /// It says nothing.
    Weak,
    /// The guess was wrong.
    Wrong,
}

#[derive(Clone, Debug)]
struct Found {
    judged: Judged,
    kept: Kept,
}

/// The tests that stay, of what was found: first different laws about different parts of the
/// crate, then others.
fn chosen(found: &[Found]) -> Vec<Kept> {
    let mut kept = different(found);
    let mut others = found.iter().filter(|one| one.judged == Judged::Good);
    while kept.len() < TESTS_MAX
        && let Some(other) = others.next()
    {
        let is_known = kept.iter().any(|one| one.claim.name == other.kept.claim.name);
        let says_little = matches!(other.kept.claim.standing, Standing::Returns { .. });
        if !is_known && !says_little && !clashes(&kept, &other.kept) {
            kept.push(other.kept.clone());
        }
    }
    let panics = found.iter().find(|one| one.judged == Judged::Panics);
    if kept.is_empty() {
        kept.extend(panics.map(|one| one.kept.clone()));
    }
    kept
}

/// One law of each kind for each part of the crate.
fn different(found: &[Found]) -> Vec<Kept> {
    let mut kept: Vec<Kept> = Vec::new();
    let mut subjects = BTreeSet::new();
    for judged in [Judged::Finding, Judged::Good] {
        for one in found.iter().filter(|one| one.judged == judged).map(|one| &one.kept) {
            // That something does not panic says little beside laws.
            let is_return = matches!(one.claim.standing, Standing::Returns { .. });
            let says_little = judged == Judged::Good && is_return && !kept.is_empty();
            let is_full = kept.len() >= TESTS_MAX || says_little || clashes(&kept, one);
            if !is_full && subjects.insert((one.claim.kind, owner(&one.claim.subject))) {
                kept.push(one.clone());
            }
        }
    }
    kept
}

/// Whether a test needs other items of the same names as tests that are there.
fn clashes(kept: &[Kept], other: &Kept) -> bool {
    let known = kept.iter().flat_map(|one| &one.code.helpers);
    let is_other =
        |known: &String, code: &String| first_name(known) == first_name(code) && known != code;
    known.into_iter().any(|known| other.code.helpers.iter().any(|code| is_other(known, code)))
}

/// The type of a method, or the module of a function; a type is its own.
fn owner(subject: &str) -> String {
    let plain = subject.split('<').next().unwrap_or(subject);
    match plain.rsplit_once("::") {
        Some((before, name)) if name.starts_with(|first: char| !first.is_uppercase()) => {
            before.to_owned()
        }
        _ => plain.to_owned(),
    }
}

/// The name of a function or type.
fn first_name(code: &str) -> String {
    let line = code.lines().find(|line| line.starts_with("fn ") || line.starts_with("enum "));
    let words = line.unwrap_or_default().split([' ', '(']);
    words.into_iter().nth(1).unwrap_or_default().to_owned()
}

/// A file with tests.
pub(super) fn file_text(package: &Package, kept: &[Kept]) -> String {
    let mut body = String::new();
    let mut seen = BTreeSet::new();
    for one in kept {
        for helper in &one.code.helpers {
            if seen.insert(helper.clone()) {
                body.push_str(helper);
                body.push('\n');
            }
        }
        body.push_str(&plain(&one.code.test));
        body.push('\n');
    }
    let prelude = match (needs_prelude(&body), package.is_edition_2015) {
        (false, _) => "",
        (true, false) => "use rebut::prelude::*;\n\n",
        (true, true) => "extern crate rebut;\n\nuse self::rebut::prelude::*;\n\n",
    };
    format!("{}{prelude}{}\n", words::HEAD, body.trim_end())
}
