//! What is to become of a test: its parameters, or why there are none.

use super::objects::Object;
use super::sites::{self, Found, Site};
use super::splice::Edit;
use super::subject::{Part, Subject};
use super::value::{Type, Value};
use crate::words;

/// A test on its way.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) subject: Subject,
    /// The parameters, in the order in which they stand in the test.
    pub(super) parameters: Vec<Parameter>,
    /// Why it cannot be generalized.
    pub(super) why_not: Option<String>,
    /// Whether it is of no use without mocks.
    needs_mocks: bool,
    /// What the compiler says of a mock that was dropped.
    mock_error: String,
}

/// A value that is promoted.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) site: Site,
    /// Other places where it stands.
    pub(super) also: Vec<Site>,
    /// None until it is known.
    pub(super) of: Option<Type>,
}

impl Parameter {
    pub(super) fn new(site: Site, of: Option<Type>) -> Parameter {
        Parameter { site, also: Vec::new(), of }
    }

    pub(super) fn name(&self) -> &str {
        &self.site.name
    }

    /// Whether it only says what comes out.
    pub(super) fn is_expected(&self) -> bool {
        self.site.is_expected && self.also.iter().all(|site| site.is_expected)
    }

    /// As it is declared.
    pub(super) fn declaration(&self) -> String {
        let of = self.of.as_ref().map(Type::code).unwrap_or_default();
        let is_mut = if self.site.is_mut { "mut " } else { "" };
        format!("{is_mut}{}: {of}", self.site.name)
    }

    /// What stands before the declaration: sizes and indices are not drawn from all numbers of
    /// their type, since most of these are more than there is memory.
    pub(super) fn bound(&self) -> String {
        match (&self.of, &self.site.value) {
            (Some(Type::Int { name, .. }), Value::Int(own)) if name == "usize" => {
                let enough = |most: &i128| *most >= own.saturating_mul(2);
                let mut powers = (2..=9).map(|power| 10_i128.pow(power));
                let most = powers.find(enough);
                most.map(|most| format!("#[generate(max_value = {})] ", spaced(most)))
                    .unwrap_or_default()
            }
            _ => String::new(),
        }
    }

    /// What makes the body name it in place of the value.
    fn edit(&self) -> Edit {
        match &self.site.binding {
            Some(binding) => Edit::new(binding.clone(), ""),
            None => Edit::new(self.site.part.clone(), self.site.named(&self.site.name)),
        }
    }

    /// The same for other places.
    pub(super) fn other_edits(&self) -> impl Iterator<Item = Edit> {
        let name = self.site.name.as_str();
        self.also.iter().map(move |site| Edit::new(site.part.clone(), site.named(name)))
    }

    pub(super) fn is_scalar(&self) -> bool {
        self.of.as_ref().is_some_and(Type::is_scalar)
    }

    pub(super) fn is_sequence(&self) -> bool {
        self.of.as_ref().is_some_and(Type::is_sequence)
    }

    pub(super) fn is_mock(&self) -> bool {
        matches!(self.of, Some(Type::Mock(_)))
    }

    /// Joins another place with the same value.
    pub(super) fn join(&mut self, other: Parameter) {
        let before = std::mem::replace(&mut self.also, other.also);
        self.also.splice(0..0, before.into_iter().chain([other.site]));
        // What it is called: as it is bound, or as what goes in.
        let rank = |site: &Site| (site.binding.is_none(), site.is_expected, site.base.is_empty());
        let best = (0..self.also.len()).min_by_key(|nth| rank(&self.also[*nth]));
        if let Some(best) = best.filter(|nth| rank(&self.also[*nth]) < rank(&self.site)) {
            std::mem::swap(&mut self.site, &mut self.also[best]);
        }
    }
}

/// A number with its thousands apart.
fn spaced(number: i128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (nth, digit) in digits.chars().enumerate() {
        if nth > 0 && (digits.len() - nth).is_multiple_of(3) && digits.len() > 4 {
            text.push('_');
        }
        text.push(digit);
    }
    text
}

impl Plan {
    pub(super) fn new(subject: Subject) -> Plan {
        let sites = subject.found.sites.iter().cloned();
        let parameters = sites.map(|site| Parameter::new(site, None)).collect();
        let why_not = subject.why_not.clone();
        Plan { subject, parameters, why_not, needs_mocks: false, mock_error: String::new() }
    }

    /// Whether it can still be generalized.
    pub(super) fn is_open(&self) -> bool {
        self.why_not.is_none()
    }

    pub(super) fn give_up(&mut self, why: impl Into<String>) {
        self.why_not.get_or_insert(why.into());
    }

    /// The parameters in the order in which they are explored: those of one choice first, so
    /// that each of these is always the same choice, and mocks last.
    pub(super) fn explored(&self) -> Vec<&Parameter> {
        let mut all: Vec<&Parameter> = self.parameters.iter().collect();
        all.sort_by_key(|parameter| (!parameter.is_scalar(), parameter.is_mock()));
        all
    }

    /// Gives up if there was a point in mocks only, and there are none.
    pub(super) fn check_mocks(&mut self) {
        if self.needs_mocks && self.mocks().next().is_none() {
            self.give_up(words::does_not_build(&self.mock_error));
        }
    }

    /// The parameters that are mocks.
    pub(super) fn mocks(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(|parameter| parameter.is_mock())
    }

    /// The same test with mocks of these types in place of these objects.
    pub(super) fn with_mocks(&self, objects: &[(&Object, String)]) -> Plan {
        let is_outside = |site: &Site| {
            let holds = |part: &Part| part.start <= site.part.start && site.part.end <= part.end;
            !objects.iter().any(|(object, _)| holds(&object.site.part))
        };
        let outside = |parameter: &Parameter| {
            let all = [&parameter.site].into_iter().chain(&parameter.also);
            let mut kept = all.filter(|site| is_outside(site)).cloned();
            let site = kept.next()?;
            Some(Parameter { site, also: kept.collect(), of: parameter.of.clone() })
        };
        let mut parameters: Vec<Parameter> = self.parameters.iter().filter_map(outside).collect();
        parameters.extend(objects.iter().map(|(object, mock)| {
            Parameter::new(object.site.clone(), Some(Type::Mock(mock.clone())))
        }));
        parameters.sort_by_key(|parameter| parameter.site.part.start);
        let subject = self.subject.clone();
        let mock_error = String::new();
        let mut plan = Plan { subject, parameters, why_not: None, needs_mocks: true, mock_error };
        plan.rename();
        plan
    }

    /// Drops parameters, and gives up if none is left.
    pub(super) fn keep(&mut self, is_kept: impl Fn(&Parameter) -> bool, why: &str) {
        self.parameters.retain(is_kept);
        if self.parameters.is_empty() {
            self.give_up(why);
        }
    }

    /// What makes the body name the parameters: the first place of each, then the others. Lines
    /// stay where they are.
    pub(super) fn edits(&self, text: &str) -> Vec<Edit> {
        let first = self.parameters.iter().map(Parameter::edit);
        let all = first.chain(self.parameters.iter().flat_map(Parameter::other_edits));
        all.map(|edit| edit.with_lines(text)).collect()
    }

    /// The place of each edit: the parameter, and which of its other places it is.
    fn owners(&self) -> Vec<(usize, Option<usize>)> {
        let first = (0..self.parameters.len()).map(|nth| (nth, None));
        let others = self.parameters.iter().enumerate().flat_map(|(nth, parameter)| {
            (0..parameter.also.len()).map(move |other| (nth, Some(other)))
        });
        first.chain(others).collect()
    }

    /// How many edits name parameters.
    pub(super) fn places(&self) -> usize {
        self.owners().len()
    }

    /// Gives parameters names again, after some were joined.
    pub(super) fn rename(&mut self) {
        let Found { taken, rebound, .. } = &self.subject.found;
        for parameter in self.parameters.iter_mut().filter(|one| !one.also.is_empty()) {
            let site = &mut parameter.site;
            // Another place may see another binding of the name.
            if site.is_mut || rebound.contains(&site.base) {
                site.binding = None;
                site.is_mut = false;
            }
        }
        let mut sites: Vec<&mut Site> =
            self.parameters.iter_mut().map(|parameter| &mut parameter.site).collect();
        sites::name(&mut sites, taken);
    }

    /// Drops what an error of the compiler is about; false if it is about something else. `parts`
    /// has where the values of the parameters are in the text that was built, `item` the test.
    pub(super) fn blame(
        &mut self,
        wrong: &super::bench::Wrong,
        parts: &[Part],
        item: &Part,
    ) -> bool {
        let touches = |a: &Part, b: &Part| a.start < b.end && b.start < a.end;
        if !wrong.parts.iter().any(|part| touches(part, item)) || !self.is_open() {
            return false;
        }
        // The smallest place says best what it is about.
        let mut places: Vec<&Part> =
            wrong.parts.iter().filter(|part| touches(part, item)).collect();
        places.sort_by_key(|part| part.len());
        let owners = self.owners();
        let guilty = places.iter().find_map(|place| {
            let found: Vec<usize> = (0..parts.len().min(owners.len()))
                .filter(|nth| touches(&parts[*nth], place))
                .collect();
            let is_some = !found.is_empty() && found.len() < parts.len().max(2);
            is_some.then(|| found.into_iter().map(|nth| owners[nth]).collect::<Vec<_>>())
        });
        let guilty = guilty.unwrap_or_else(|| {
            // What is of another type, or borrowed, is the most likely to be wrong elsewhere.
            let ways: [fn(&Parameter) -> bool; 3] =
                [Parameter::is_mock, |parameter| !parameter.is_scalar(), |_| true];
            let that = |is_it: fn(&Parameter) -> bool| {
                let all = (0..self.parameters.len()).filter(|nth| is_it(&self.parameters[*nth]));
                all.map(|nth| (nth, None)).collect::<Vec<_>>()
            };
            ways.into_iter().map(that).find(|some| !some.is_empty()).unwrap_or_default()
        });
        if guilty.iter().any(|(nth, _)| self.parameters[*nth].is_mock()) {
            self.mock_error.clone_from(&wrong.message);
        }
        self.drop_places(&guilty);
        if self.parameters.is_empty() {
            self.give_up(words::does_not_build_with_parameters(&wrong.message));
        }
        true
    }

    /// Drops places of parameters; a list becomes its elements, if these are known.
    fn drop_places(&mut self, guilty: &[(usize, Option<usize>)]) {
        let mut kept = Vec::new();
        for (nth, mut parameter) in std::mem::take(&mut self.parameters).into_iter().enumerate() {
            let is_kept = |place: Option<usize>| !guilty.contains(&(nth, place));
            let mut other = 0;
            parameter.also.retain(|_| {
                other += 1;
                is_kept(Some(other - 1))
            });
            if is_kept(None) {
                kept.push(parameter);
                continue;
            }
            if let Some(Type::Slice(of) | Type::Vec(of)) = &parameter.of {
                let elements = parameter.site.split().into_iter();
                kept.extend(elements.map(|site| Parameter::new(site, Some((**of).clone()))));
            }
            if !parameter.also.is_empty() {
                parameter.site = parameter.also.remove(0);
                kept.push(parameter);
            }
        }
        self.parameters = kept;
        self.rename();
    }
}
