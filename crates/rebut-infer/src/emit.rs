//! Laws as tests that a person would have written.
//!
//! One test for each function and guard: the state, what is assumed of it, what it looked like,
//! the call, and all that is claimed then. A test is put together from claims that can be taken
//! out one by one: what does not compile, or does not hold natively, is.

use super::explored::Found;
use super::naming;
use super::owned::{bare, owned};
use super::probe::{Probe, Slot};
use super::subject::{Parameter, Start, Subject};
use super::tidy;
use super::types;
use rebut_concolic::infer::{Claim, Law, Names, Proof};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A test.
pub(crate) struct Test {
    /// The function it is about; empty for what is so in all states.
    pub(crate) method: String,
    pub(crate) name: String,
    pub(crate) guard: Vec<String>,
    pub(crate) claims: Vec<Claimed>,
    /// How sure it is, in words.
    pub(crate) proof: String,
    /// How often cases may be rejected, if that is more often than usual.
    pub(crate) is_rare: bool,
    state: Vec<String>,
    first: String,
    /// Its own parameters behind those of the state.
    given: Vec<String>,
    free: Vec<Parameter>,
    guard_lets: Vec<(String, String)>,
    call: Call,
}

/// What is called.
#[derive(Clone)]
enum Call {
    Nothing,
    /// A constructor: the variable, and the call.
    Makes(String, String),
    /// The call, how its result is kept, and whether there is one.
    Changes {
        call: String,
        kept: String,
        has_result: bool,
    },
    /// The call is in the claim.
    Panics,
}

/// One claim of a test.
#[derive(Clone)]
pub(crate) struct Claimed {
    /// As statements.
    pub(crate) statements: Vec<String>,
    /// What was before the call and has to be kept for it.
    lets: Vec<(String, String)>,
    free: Vec<Parameter>,
    uses_result: bool,
    words: String,
}

/// When an application of an observer does not panic, in terms of other observers: `about` is what
/// is known of the observer. None if that cannot be said.
pub(crate) fn shown_if(
    subject: &Subject,
    about: &Found,
    probe: &Probe,
    nth: usize,
) -> Option<Vec<String>> {
    let cases = about.inferred.panics_if.as_ref()?;
    let names = Applied { subject, about, probe, nth };
    Some(cases.iter().map(|case| negated(case, &names)).collect())
}

/// Writes what is known of an observer as what is so of one application of it.
struct Applied<'a> {
    subject: &'a Subject,
    about: &'a Found,
    probe: &'a Probe,
    nth: usize,
}

impl Names for Applied<'_> {
    fn code(&self, slot: u32) -> String {
        match self.about.probe.slots.get(slot as usize) {
            Some(Slot::Given(parameter)) => {
                self.probe.argument_of(self.nth, *parameter).unwrap_or_default()
            }
            Some(own @ Slot::Before(nth)) => {
                let call = self.about.probe.application(self.subject, *nth);
                owned(&call, &slot_type(self.about, *own))
            }
            _ => String::new(),
        }
    }

    fn type_of(&self, slot: u32) -> String {
        bare(self.about.inferred.types.get(slot as usize).map_or("", String::as_str))
    }
}

/// The conditions under which the constructor that states begin with does not panic, in terms of
/// its parameters; none if that cannot be said.
pub(crate) fn begun_if(subject: &Subject, all: &[Found]) -> Vec<String> {
    let Start::Reached(constructor) = &subject.start else { return Vec::new() };
    let Some(calm) = calm(all, &constructor.name) else { return Vec::new() };
    let names = Render::new(subject, calm, Time::Guard);
    let cases = calm.inferred.panics_if.iter().flatten();
    cases.map(|case| negated(case, &names)).collect()
}

/// All tests of a type: what is so in all states, then function by function, the most general
/// first.
pub(crate) fn tests(subject: &Subject, all: &[Found]) -> Vec<Test> {
    let mut tests: Vec<Test> = Vec::new();
    for found in all {
        if let Some(test) = of_states(subject, found) {
            merge(&mut tests, test);
        }
    }
    for found in all {
        let calm = calm(all, &found.probe.method.name);
        for law in tidy::laws(found) {
            let is_told = matches!(law.claim, Claim::Panics(_))
                && calm.is_some_and(|calm| calm.probe.name != found.probe.name);
            if is_told
                || tidy::is_said_better(subject, all, found, law)
                || tidy::is_told_in_full(all, found, law)
                || tidy::is_left_to_hashes(all, found, law)
            {
                continue;
            }
            if let Some(test) = of_law(subject, found, law, calm) {
                merge(&mut tests, test);
            }
        }
    }
    named(&mut tests);
    tests
}

/// Adds a test, to the one with the same guard if there is one.
fn merge(tests: &mut Vec<Test>, test: Test) {
    let is_same = |other: &&mut Test| {
        other.method == test.method && other.guard == test.guard && other.call.is_like(&test.call)
    };
    let Some(other) = tests.iter_mut().find(is_same) else {
        tests.push(test);
        return;
    };
    for claim in test.claims {
        if !other.claims.iter().any(|known| known.statements == claim.statements) {
            other.claims.push(claim);
        }
    }
    for free in test.free {
        if !other.free.iter().any(|known| known.name == free.name) {
            other.free.push(free);
        }
    }
}

impl Call {
    fn is_like(&self, other: &Call) -> bool {
        matches!(self, Call::Panics) == matches!(other, Call::Panics)
    }
}

/// What is so in all states, as far as no argument of the function is spoken of.
fn of_states(subject: &Subject, found: &Found) -> Option<Test> {
    if found.probe.is_constructor() {
        return None;
    }
    let mut claims = Vec::new();
    for claim in &found.inferred.states {
        let is_of_arguments =
            claim.slots().iter().any(|slot| match found.probe.slots.get(*slot as usize) {
                Some(Slot::Before(nth)) => {
                    let probe = &found.probe;
                    !probe.given_in(*nth).is_empty() || !probe.needed_by(*nth).is_empty()
                }
                Some(Slot::Free(_)) => false,
                _ => true,
            });
        if !is_of_arguments {
            claims.push(claimed(subject, found, claim, Time::State));
        }
    }
    if claims.is_empty() {
        return None;
    }
    // Nothing changes it here.
    let given = |parameter: &String| parameter.trim_start_matches("mut ").to_owned();
    Some(Test {
        method: String::new(),
        name: String::new(),
        guard: Vec::new(),
        claims,
        proof: proof(subject, found),
        is_rare: false,
        state: subject.state_parameters().iter().map(given).collect(),
        first: subject.state_lines().replacen("let mut ", "let ", 1),
        given: Vec::new(),
        free: Vec::new(),
        guard_lets: Vec::new(),
        call: Call::Nothing,
    })
}

/// A test of one law; none if it cannot be said when the call panics. What keeps the call from
/// panicking is said in the same way in all tests of a function, as `calm` has it.
fn of_law(subject: &Subject, found: &Found, law: &Law, calm: Option<&Found>) -> Option<Test> {
    let probe = &found.probe;
    let mut guard = probe.assumed.clone();
    let mut guard_lets = Vec::new();
    if law.unless_it_panics {
        let calm = calm?;
        let render = Render::new(subject, calm, Time::Guard);
        for case in calm.inferred.panics_if.as_ref()? {
            let condition = negated(case, &render);
            if !guard.contains(&condition) {
                guard.push(condition);
            }
        }
        guard_lets.extend(lets(subject, calm, &render.used.into_inner().old));
    }
    let render = Render::new(subject, found, Time::Guard);
    guard.extend(law.guard.iter().map(|part| part.condition(&render)));
    let used = render.used.into_inner();
    guard_lets.extend(lets(subject, found, &used.old));
    let call = probe.call_text(subject);
    let claims = match &law.claim {
        Claim::Panics(message) => vec![panics(&call, message)],
        claim => vec![claimed(subject, found, &tidy::claim(found, law, claim), Time::Claim)],
    };
    let result_type = slot_type(found, Slot::Result);
    let call = match &law.claim {
        Claim::Panics(_) => Call::Panics,
        _ if probe.is_constructor() => Call::Makes(subject.variable(), call),
        _ => {
            let kept = owned(&call, &result_type);
            Call::Changes { call, kept, has_result: probe.method.output.is_some() }
        }
    };
    let is_made = !probe.is_constructor();
    Some(Test {
        method: probe.method.name.clone(),
        name: guard_name(probe, law),
        guard,
        claims,
        proof: proof(subject, found),
        is_rare: false,
        state: if is_made { subject.state_parameters() } else { Vec::new() },
        first: if is_made { subject.state_lines() } else { String::new() },
        given: probe.given_parameters(),
        free: used.free.iter().map(|nth| probe.free[*nth].clone()).collect(),
        guard_lets,
        call,
    })
}

/// That not all of these are so.
fn negated(case: &[Claim], names: &dyn Names) -> String {
    match case {
        [one] => match one.not() {
            Some(contrary) => contrary.condition(names),
            None => format!("!({})", one.condition(names)),
        },
        several => {
            let parts: Vec<String> = several.iter().map(|part| part.condition(names)).collect();
            format!("!({})", parts.join(" && "))
        }
    }
}

/// The probe of a function that says most simply when it panics, if one does.
pub(crate) fn calm<'f>(all: &'f [Found], method: &str) -> Option<&'f Found> {
    let speaks_of_free = |found: &Found, claim: &Claim| {
        claim.slots().iter().any(|slot| match found.probe.slots.get(*slot as usize) {
            Some(Slot::Free(_)) => true,
            Some(Slot::Before(nth)) => !found.probe.free_in(*nth).is_empty(),
            _ => false,
        })
    };
    let effort = |found: &&Found| {
        let cases = found.inferred.panics_if.iter().flatten();
        let conditions: Vec<&Claim> = cases.flatten().collect();
        let is_about_others = conditions.iter().any(|claim| speaks_of_free(found, claim));
        (is_about_others, conditions.len())
    };
    let own = all.iter().filter(|found| found.probe.method.name == method);
    let knows =
        own.filter(|found| found.inferred.panics_if.is_some() && found.probe.focus.is_none());
    knows.min_by_key(effort)
}

fn guard_name(probe: &Probe, law: &Law) -> String {
    let parts: Vec<String> = law.guard.iter().map(|part| naming::condition(probe, part)).collect();
    parts.join("_and_")
}

fn panics(call: &str, message: &str) -> Claimed {
    // Numbers in it are those of one case.
    let message: String =
        message.chars().take_while(|c| !c.is_ascii_digit() && *c != '\n').collect();
    let message = message.trim_end();
    let said = if message.len() < 3 { String::new() } else { format!(", {message:?}") };
    Claimed {
        statements: vec![format!("rebut::assert_panics!({call}{said});")],
        lets: Vec::new(),
        free: Vec::new(),
        uses_result: false,
        words: "panics".to_owned(),
    }
}

/// A claim as text, by which claims of different probes can be compared.
pub(crate) fn text_of(subject: &Subject, found: &Found, claim: &Claim) -> String {
    claim.assertion(&Render::new(subject, found, Time::Claim)).join(" ")
}

fn claimed(subject: &Subject, found: &Found, claim: &Claim, time: Time) -> Claimed {
    let render = Render::new(subject, found, time);
    let statements = claim.assertion(&render);
    let used = render.used.into_inner();
    Claimed {
        statements,
        lets: lets(subject, found, &used.old),
        free: used.free.iter().map(|nth| found.probe.free[*nth].clone()).collect(),
        uses_result: used.result,
        words: naming::claim(&found.probe, claim),
    }
}

/// The lines that keep what applications gave before the call.
fn lets(subject: &Subject, found: &Found, old: &BTreeSet<usize>) -> Vec<(String, String)> {
    let of = |nth: &usize| {
        let call = found.probe.application(subject, *nth);
        let value = owned(&call, &slot_type(found, Slot::Before(*nth)));
        (found.probe.old_name(*nth), value)
    };
    old.iter().map(of).collect()
}

/// The type of a slot as the compiler names it; empty if it is not known.
fn slot_type(found: &Found, slot: Slot) -> String {
    let place = found.probe.slots.iter().position(|other| *other == slot);
    place.and_then(|place| found.inferred.types.get(place)).cloned().unwrap_or_default()
}

/// How sure the laws of a probe are.
fn proof(subject: &Subject, found: &Found) -> String {
    let paths = match found.inferred.paths {
        1 => "1 path".to_owned(),
        paths => format!("{paths} paths"),
    };
    let (states, limit, is_reached) = match &subject.start {
        _ if found.probe.is_constructor() => ("calls", found.probe.method.limit(), false),
        Start::Reached(constructor) => ("states", constructor.limit(), true),
        Start::Drawn(_) | Start::Fields(..) => ("states", String::new(), false),
    };
    match found.inferred.proof {
        Proof::All => format!("Proved for all {states}{limit}: {paths}."),
        Proof::UpTo(length) if is_reached => {
            format!("Proved for all states{limit} within {length} steps of a constructor: {paths}.")
        }
        Proof::UpTo(length) if limit.is_empty() => {
            format!("Proved for all {states} with at most {length} elements: {paths}.")
        }
        Proof::UpTo(length) => {
            format!("Proved for all {states}{limit} and at most {length} elements: {paths}.")
        }
        Proof::Held(cases) => format!("Checked on {cases} paths, but not on all."),
    }
}

/// When an expression is evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Time {
    /// Before the call, and nothing has been kept.
    Guard,
    /// There is no call.
    State,
    /// After the call.
    Claim,
}

/// Writes slots in a test.
struct Render<'a> {
    subject: &'a Subject,
    found: &'a Found,
    time: Time,
    used: RefCell<Used>,
}

/// What was spoken of.
#[derive(Default)]
struct Used {
    old: BTreeSet<usize>,
    free: BTreeSet<usize>,
    result: bool,
}

impl<'a> Render<'a> {
    fn new(subject: &'a Subject, found: &'a Found, time: Time) -> Render<'a> {
        Render { subject, found, time, used: RefCell::default() }
    }

    fn application(&self, nth: usize, slot: Slot) -> String {
        let probe = &self.found.probe;
        let mut used = self.used.borrow_mut();
        used.free.extend(probe.free_in(nth));
        used.old.extend(probe.needed_by(nth));
        owned(&probe.application(self.subject, nth), &slot_type(self.found, slot))
    }
}

impl Names for Render<'_> {
    fn code(&self, slot: u32) -> String {
        let probe = &self.found.probe;
        match probe.slots.get(slot as usize).copied() {
            Some(Slot::Given(nth)) => argument(&probe.method.parameters[nth]),
            Some(Slot::Free(nth)) => {
                self.used.borrow_mut().free.insert(nth);
                argument(&probe.free[nth])
            }
            Some(slot @ Slot::Before(nth)) => {
                let call = self.application(nth, slot);
                if self.time == Time::Claim {
                    self.used.borrow_mut().old.insert(nth);
                    probe.old_name(nth)
                } else {
                    call
                }
            }
            Some(slot @ Slot::After(nth)) => self.application(nth, slot),
            Some(Slot::Result) => {
                self.used.borrow_mut().result = true;
                "result".to_owned()
            }
            None => String::new(),
        }
    }

    fn type_of(&self, slot: u32) -> String {
        bare(self.found.inferred.types.get(slot as usize).map_or("", String::as_str))
    }
}

/// An argument as an expression that owns it.
fn argument(parameter: &Parameter) -> String {
    let name = &parameter.name;
    let lent = types::without_reference(&parameter.ty);
    match (matches!(parameter.ty, syn::Type::Reference(_)), types::is_copied(lent)) {
        (false, true) => name.clone(),
        (true, true) => format!("*{name}"),
        (false, false) => format!("{name}.clone()"),
        (true, false) => match lent {
            syn::Type::Slice(_) => format!("{name}.to_vec()"),
            syn::Type::Path(path) if path.path.is_ident("str") => format!("{name}.to_owned()"),
            _ => format!("{name}.clone()"),
        },
    }
}

/// Gives tests their names: by the guard, or else by what is claimed first.
fn named(tests: &mut [Test]) {
    const LONG: usize = 64;
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for test in tests {
        let mut words = match (test.method.is_empty(), test.name.is_empty()) {
            (true, _) => "always".to_owned(),
            (false, true) => {
                let first = test.claims.first().map(|claim| claim.words.clone());
                format!("{}_{}", test.method, first.unwrap_or_default())
            }
            (false, false) => {
                let is_panic = matches!(test.call, Call::Panics);
                let panics = if is_panic { "_panics" } else { "" };
                format!("{}{panics}_when_{}", test.method, test.name)
            }
        };
        if words.len() > LONG {
            let end = words[..LONG].rfind('_').unwrap_or(LONG);
            words.truncate(end);
        }
        let words = words.trim_end_matches('_').to_owned();
        let mut name = words.clone();
        let mut nth = 2;
        while !taken.insert(name.clone()) {
            name = format!("{words}_{nth}");
            nth += 1;
        }
        test.name = name;
    }
}

impl Test {
    /// The test as text, in lines that `at` can find again: of each line of it, which claim it
    /// belongs to.
    pub(crate) fn write(&self) -> (String, Vec<Option<usize>>) {
        let mut text = String::new();
        let mut of: Vec<Option<usize>> = Vec::new();
        let mut line = |line: &str, claim: Option<usize>| {
            for line in line.lines() {
                let _ = writeln!(text, "{line}");
                of.push(claim);
            }
        };
        line(&format!("/// {}", self.proof), None);
        let settings = if self.is_rare { "(rejections_max = 200)" } else { "" };
        line(&format!("#[rebut::test{settings}]"), None);
        line(&format!("fn {}({}) {{", self.name, self.parameters()), None);
        line(&self.first, None);
        let mut known: BTreeSet<&str> = BTreeSet::new();
        for (name, value) in &self.guard_lets {
            if known.insert(name) {
                line(&format!("let {name} = {value};"), None);
            }
        }
        for condition in &self.guard {
            line(&format!("rebut::assume!({condition});"), None);
        }
        for (name, value) in self.claims.iter().flat_map(|claim| &claim.lets) {
            if known.insert(name) {
                line(&format!("let {name} = {value};"), None);
            }
        }
        line(&self.call_line(), None);
        for (nth, claim) in self.claims.iter().enumerate() {
            let has_own_names = claim.statements.len() > 1 && self.claims.len() > 1;
            if has_own_names {
                line("{", Some(nth));
            }
            for statement in &claim.statements {
                line(statement, Some(nth));
            }
            if has_own_names {
                line("}", Some(nth));
            }
        }
        line("}", None);
        (text, of)
    }

    fn parameters(&self) -> String {
        let mut free: Vec<&Parameter> = Vec::new();
        for parameter in self.free.iter().chain(self.claims.iter().flat_map(|claim| &claim.free)) {
            if !free.iter().any(|known| known.name == parameter.name) {
                free.push(parameter);
            }
        }
        let free = free.iter().map(|free| format!("{}: {}", free.name, types::text(&free.ty)));
        let state = self.state.iter().map(|parameter| match &self.call {
            Call::Nothing => parameter.trim_start_matches("mut ").to_owned(),
            _ => parameter.clone(),
        });
        state.chain(self.given.iter().cloned()).chain(free).collect::<Vec<_>>().join(", ")
    }

    fn call_line(&self) -> String {
        let uses_result = self.claims.iter().any(|claim| claim.uses_result);
        match &self.call {
            Call::Nothing | Call::Panics => String::new(),
            Call::Makes(variable, call) => format!("let {variable} = {call};"),
            Call::Changes { kept, .. } if uses_result => format!("let result = {kept};"),
            Call::Changes { call, has_result: true, .. } => format!("let _ = {call};"),
            Call::Changes { call, .. } => format!("{call};"),
        }
    }
}

/// A test by its number, and a claim of it.
pub(crate) type Place = (usize, Option<usize>);

/// Tests as a module; of each of its lines, which claim of which test it belongs to.
pub(crate) fn module(
    subject: &Subject,
    name: &str,
    tests: &[Test],
) -> (String, Vec<Option<Place>>) {
    let mut text = format!(
        "#[cfg(test)]\nmod {name} {{\n{}\n{}",
        subject.module.seen(),
        subject.state_items()
    );
    let mut of: Vec<Option<Place>> = text.lines().map(|_| None).collect();
    for (nth, test) in tests.iter().enumerate() {
        let (written, lines) = test.write();
        text.push_str(&written);
        text.push('\n');
        of.extend(lines.into_iter().map(|claim| Some((nth, claim))));
        of.push(None);
    }
    text.push_str("}\n");
    of.push(None);
    (text, of)
}
