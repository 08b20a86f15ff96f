//! Claims that tests can make about a crate, the ones most likely to be useful first.
//!
//! These are the claims that an engineer would test first in an unknown crate: a written value can
//! be read again, a collection behaves like one of the standard library, normalizing twice changes
//! nothing. Names and types suggest a claim; a trial decides about it.

mod collections;
mod functions;
mod inverses;
mod models;
mod values;
mod words;

#[cfg(test)]
mod tests;

use super::api::{Api, Call};
use super::draft::{Draft, InputDomain, TestCode, TextConsumer, ValueRange};
use super::texts::TextSource;
use std::collections::{BTreeMap, BTreeSet};

/// Why a claim is expected to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ClaimBasis {
    /// The crate promises it, for example to parse what it prints. A counterexample is a bug.
    Promised,
    /// Names or types suggest it. A counterexample shows that the guess is wrong.
    Guessed,
    /// A call returns without a panic. A function promises this if it returns `Option` or `Result`
    /// and its documentation mentions no conditions.
    Returns { is_promised: bool },
}

/// The kind of a law. A first file should have laws of different kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LawKind {
    Text,
    Inverse,
    Number,
    Model,
    Items,
    Parts,
    Twice,
    Sort,
    Commutative,
    Search,
    Standard,
    Agreement,
    Order,
    Conversion,
    Getter,
    Range,
    Sum,
    Returns,
}

/// Writes the statements of a test; returns `None` if that is not possible for the crate.
type WriteTest<'a> = Box<dyn Fn(&mut Draft<'a>) -> Option<()> + 'a>;

/// A claim that is not drafted yet. It can be drafted for different inputs.
struct Law<'a> {
    kind: LawKind,
    /// The name of the test.
    name: String,
    /// The function or type that the test is about, as tests name it.
    subject: String,
    /// The end of a sentence that begins with "tests that".
    about: String,
    basis: ClaimBasis,
    /// Higher is better.
    score: i32,
    write: WriteTest<'a>,
}

/// A claim about a crate, with one or more tests that state it for different inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    pub(super) kind: LawKind,
    pub(super) name: String,
    pub(super) subject: String,
    pub(super) about: String,
    pub(super) basis: ClaimBasis,
    score: i32,
    /// The widest inputs first.
    pub(super) variants: Vec<TestCode>,
}

/// The maximum number of drafts of a claim. Arbitrary: each is compiled and perhaps run. Further
/// drafts are not tried.
const VARIANTS_MAX: usize = 5;

/// All claims about a crate, the best first.
pub(super) fn claims(
    api: &Api,
    texts: &BTreeMap<TextConsumer, TextSource>,
    prose: &str,
) -> Vec<Claim> {
    let finder = LawFinder::new(api, prose);
    let mut laws: Vec<Law<'_>> = Vec::new();
    finder.round_trips(&mut laws);
    finder.parsers(&mut laws);
    finder.inverses(&mut laws);
    finder.collections(&mut laws);
    finder.models(&mut laws);
    finder.functions(&mut laws);
    finder.values(&mut laws);
    let mut claims: Vec<Claim> =
        laws.iter().filter_map(|law| draft_claim(api, texts, law)).collect();
    claims.sort_by_key(|claim| std::cmp::Reverse(claim.score));
    let mut names = BTreeSet::new();
    claims.retain(|claim| names.insert(claim.name.clone()));
    claims
}

/// Drafts a law for all domains of inputs that make a difference.
fn draft_claim<'a>(
    api: &'a Api,
    texts: &'a BTreeMap<TextConsumer, TextSource>,
    law: &Law<'a>,
) -> Option<Claim> {
    let docs = sentence(&law.about);
    let draft = |range: ValueRange, recipe: usize| {
        let mut draft = Draft::new(api, InputDomain { range, recipe, texts });
        (law.write)(&mut draft)?;
        Some(draft.finish(&law.name, &docs))
    };
    let mut variants: Vec<TestCode> = Vec::new();
    let first = draft(ValueRange::Any, 0)?;
    let recipes = first.recipes.clamp(1, 3);
    let ranges = match first.has_ranges {
        true => vec![ValueRange::Any, ValueRange::Moderate, ValueRange::Small],
        false => vec![ValueRange::Any],
    };
    // Try other recipes first, then narrower inputs.
    let wide = (0..recipes).map(|recipe| (ValueRange::Any, recipe));
    let narrow =
        ranges.iter().skip(1).flat_map(|range| (0..recipes).map(move |recipe| (*range, recipe)));
    for (range, recipe) in wide.chain(narrow) {
        let Some(code) = draft(range, recipe) else { continue };
        let is_new = !variants.iter().any(|known| known.test == code.test);
        if variants.len() < VARIANTS_MAX && is_new {
            variants.push(code);
        }
    }
    Some(Claim {
        kind: law.kind,
        name: law.name.clone(),
        subject: law.subject.clone(),
        about: law.about.clone(),
        basis: law.basis,
        score: law.score,
        variants,
    })
}

/// Turns a phrase into a sentence.
fn sentence(about: &str) -> String {
    let mut characters = about.chars();
    match characters.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), characters.as_str()),
        None => String::new(),
    }
}

/// Finds laws in the interface of a crate.
struct LawFinder<'a> {
    api: &'a Api,
    calls: Vec<Call<'a>>,
    prose: String,
}

impl<'a> LawFinder<'a> {
    fn new(api: &'a Api, prose: &str) -> LawFinder<'a> {
        let calls = api.functions.iter().flat_map(|function| api.calls(function)).collect();
        LawFinder { api, calls, prose: prose.to_owned() }
    }

    /// How important a name is for the crate: more if its documentation mentions it often, less if
    /// it is deep in the module tree.
    fn weight(&self, subject: &str) -> i32 {
        let name = subject.rsplit("::").next().unwrap_or(subject);
        let name = name.split(['<', '(']).next().unwrap_or(name);
        let mentions = self
            .prose
            .split(|character: char| !character.is_alphanumeric() && character != '_')
            .filter(|word| *word == name)
            .count();
        let depth = subject.split('<').next().unwrap_or(subject).matches("::").count();
        let mentions = i32::try_from(mentions.min(6)).unwrap_or(6);
        mentions - 2 * i32::try_from(depth.saturating_sub(1).min(4)).unwrap_or(4)
    }

    /// The code that names the function of a call.
    fn subject(&self, call: &Call<'_>) -> String {
        use super::api::CallStyle;
        let name = &call.function.name;
        match &call.function.how {
            CallStyle::Free(path) => self.api.path(path),
            CallStyle::Inherent => {
                let owner = call.owner.as_ref().and_then(|owner| self.api.type_code(owner));
                format!("{}::{name}", owner.unwrap_or_default())
            }
            CallStyle::Trait(path) => format!("{}::{name}", self.api.path(path)),
        }
    }
}

/// The prefix of a test name. It contains the type of a method (`codec_decode` for `decode` of
/// `Codec`), because two types can have methods with the same name.
fn test_name(call: &Call<'_>) -> String {
    use super::draft::snake_case;
    use super::ty::Ty;
    let name = snake_case(&call.function.name);
    match (&call.owner, &call.function.how) {
        (Some(Ty::Own(item, _)), super::api::CallStyle::Inherent) => {
            format!("{}_{name}", snake_case(item.last().map_or("", String::as_str)))
        }
        _ => name,
    }
}
