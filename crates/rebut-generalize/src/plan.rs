//! A plan: a unit test with the parameters that it gets.
//!
//! Every step works on plans. `explore` finds the types and merges parameters, errors of the
//! compiler remove some, and `decide` binds others to a value or an expression.

use crate::package::edit::{Edit, TextRange, overlaps};
use crate::package::edited_package::BuildError;
use crate::read::literals::{self, PromotableValues, ValueSite};
use crate::read::mockable::MockableObject;
use crate::read::unit_test::UnitTest;
use crate::read::value::{LiteralValue, ParameterType};
use crate::reasons::WhyKept;

/// A unit test with the parameters that it gets.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) unit_test: UnitTest,
    /// The parameters, in the order of the test.
    pub(crate) parameters: Vec<Parameter>,
    /// Why the test cannot be generalized.
    pub(crate) why_kept: Option<WhyKept>,
    /// Whether the plan is useless without mocks.
    needs_mocks: bool,
    /// The compiler's message about a mock that was dropped.
    mock_error: String,
}

/// A value that becomes a parameter.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) site: ValueSite,
    /// Other occurrences of the value, which the parameter replaces too.
    pub(crate) other_sites: Vec<ValueSite>,
    /// The type; `None` until `learn_types` has run.
    pub(crate) ty: Option<ParameterType>,
}

impl Parameter {
    pub(crate) fn new(site: ValueSite, ty: Option<ParameterType>) -> Parameter {
        Parameter { site, other_sites: Vec::new(), ty }
    }

    pub(crate) fn name(&self) -> &str {
        &self.site.name
    }

    /// Whether it is an expected result only.
    pub(crate) fn is_expected(&self) -> bool {
        self.site.is_expected && self.other_sites.iter().all(|site| site.is_expected)
    }

    /// Returns its declaration.
    pub(crate) fn declaration(&self) -> String {
        let ty = self.ty.as_ref().map(ParameterType::code).unwrap_or_default();
        let is_mut = if self.site.is_mut { "mut " } else { "" };
        format!("{is_mut}{}: {ty}", self.site.name)
    }

    /// Returns an attribute that limits the generated values. Most values of `usize` are useless as
    /// sizes and indices: no memory is that large. The limit is the least power of ten, from 100
    /// on, that is at least twice the original value. The powers are arbitrary.
    pub(crate) fn bound_attribute(&self) -> String {
        match (&self.ty, &self.site.value) {
            (Some(ParameterType::Int { name, .. }), LiteralValue::Int(own)) if name == "usize" => {
                let enough = |most: &i128| *most >= own.saturating_mul(2);
                let mut powers = (2..=9).map(|power| 10_i128.pow(power));
                let most = powers.find(enough);
                most.map(|most| format!("#[generate(max_value = {})] ", grouped_digits(most)))
                    .unwrap_or_default()
            }
            _ => String::new(),
        }
    }

    /// Returns the edit that replaces its value by its name.
    fn edit(&self) -> Edit {
        match &self.site.binding {
            Some(binding) => Edit::new(binding.clone(), ""),
            None => Edit::new(self.site.range.clone(), self.site.replacement(&self.site.name)),
        }
    }

    /// Returns the edits that replace the other occurrences of its value.
    pub(crate) fn other_edits(&self) -> impl Iterator<Item = Edit> {
        let name = self.site.name.as_str();
        self.other_sites
            .iter()
            .map(move |site| Edit::new(site.range.clone(), site.replacement(name)))
    }

    pub(crate) fn is_scalar(&self) -> bool {
        self.ty.as_ref().is_some_and(ParameterType::is_scalar)
    }

    pub(crate) fn is_sequence(&self) -> bool {
        self.ty.as_ref().is_some_and(ParameterType::is_sequence)
    }

    pub(crate) fn is_mock(&self) -> bool {
        matches!(self.ty, Some(ParameterType::Mock(_)))
    }

    /// Merges another parameter with the same value into this one.
    pub(crate) fn merge(&mut self, other: Parameter) {
        let before = std::mem::replace(&mut self.other_sites, other.other_sites);
        self.other_sites.splice(0..0, before.into_iter().chain([other.site]));
        // The first site names the parameter. A `let` has the best name, then an input.
        let rank = |site: &ValueSite| {
            (site.binding.is_none(), site.is_expected, site.base_name.is_empty())
        };
        let best = (0..self.other_sites.len()).min_by_key(|nth| rank(&self.other_sites[*nth]));
        if let Some(best) = best.filter(|nth| rank(&self.other_sites[*nth]) < rank(&self.site)) {
            std::mem::swap(&mut self.site, &mut self.other_sites[best]);
        }
    }
}

/// Returns a number with an underscore between groups of three digits.
fn grouped_digits(number: i128) -> String {
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
    pub(crate) fn new(unit_test: UnitTest) -> Plan {
        let sites = unit_test.values.sites.iter().cloned();
        let parameters = sites.map(|site| Parameter::new(site, None)).collect();
        let why_kept = unit_test.why_kept.clone();
        Plan { unit_test, parameters, why_kept, needs_mocks: false, mock_error: String::new() }
    }

    /// Whether the test can still be generalized.
    pub(crate) fn is_open(&self) -> bool {
        self.why_kept.is_none()
    }

    /// Leaves the test unchanged. The first reason counts.
    pub(crate) fn give_up(&mut self, why: WhyKept) {
        self.why_kept.get_or_insert(why);
    }

    /// Returns the parameters in the order in which they are explored. Parameters of one choice
    /// come first, so that each of them has the same draw on every path. Mocks come last.
    pub(crate) fn explored(&self) -> Vec<&Parameter> {
        let mut all: Vec<&Parameter> = self.parameters.iter().collect();
        all.sort_by_key(|parameter| (!parameter.is_scalar(), parameter.is_mock()));
        all
    }

    /// Gives up if the plan needs mocks and has none.
    pub(crate) fn check_mocks(&mut self) {
        if self.needs_mocks && self.mocks().next().is_none() {
            self.give_up(WhyKept::DoesNotCompile(self.mock_error.clone()));
        }
    }

    /// Returns the parameters that are mocks.
    pub(crate) fn mocks(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(|parameter| parameter.is_mock())
    }

    /// Returns the plan with mocks in place of these objects, each with the path of its mock.
    pub(crate) fn with_mocks(&self, objects: &[(&MockableObject, String)]) -> Plan {
        let is_outside = |site: &ValueSite| {
            let contains =
                |range: &TextRange| range.start <= site.range.start && site.range.end <= range.end;
            !objects.iter().any(|(object, _)| contains(&object.site.range))
        };
        let outside = |parameter: &Parameter| {
            let sites = [&parameter.site].into_iter().chain(&parameter.other_sites);
            let mut kept = sites.filter(|site| is_outside(site)).cloned();
            let site = kept.next()?;
            Some(Parameter { site, other_sites: kept.collect(), ty: parameter.ty.clone() })
        };
        let mut parameters: Vec<Parameter> = self.parameters.iter().filter_map(outside).collect();
        parameters.extend(objects.iter().map(|(object, mock)| {
            Parameter::new(object.site.clone(), Some(ParameterType::Mock(mock.clone())))
        }));
        parameters.sort_by_key(|parameter| parameter.site.range.start);
        let unit_test = self.unit_test.clone();
        let mock_error = String::new();
        let mut plan =
            Plan { unit_test, parameters, why_kept: None, needs_mocks: true, mock_error };
        plan.rename();
        plan
    }

    /// Drops the other parameters, and gives up if none is left.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(&Parameter) -> bool, why: WhyKept) {
        self.parameters.retain(is_kept);
        if self.parameters.is_empty() {
            self.give_up(why);
        }
    }

    /// Returns the edits that replace values by parameters: the first site of each, then the
    /// others. Lines keep their numbers.
    pub(crate) fn edits(&self, text: &str) -> Vec<Edit> {
        let first = self.parameters.iter().map(Parameter::edit);
        let all = first.chain(self.parameters.iter().flat_map(Parameter::other_edits));
        all.map(|edit| edit.with_lines(text)).collect()
    }

    /// Returns the owner of each edit: the index of the parameter, and of the other site.
    fn edit_owners(&self) -> Vec<(usize, Option<usize>)> {
        let first = (0..self.parameters.len()).map(|nth| (nth, None));
        let others = self.parameters.iter().enumerate().flat_map(|(nth, parameter)| {
            (0..parameter.other_sites.len()).map(move |other| (nth, Some(other)))
        });
        first.chain(others).collect()
    }

    /// Returns the number of edits that replace values.
    pub(crate) fn edit_count(&self) -> usize {
        self.edit_owners().len()
    }

    /// Names the parameters again, after some were merged or dropped.
    pub(crate) fn rename(&mut self) {
        let PromotableValues { used_names, rebound_names, .. } = &self.unit_test.values;
        for parameter in self.parameters.iter_mut().filter(|one| !one.other_sites.is_empty()) {
            let site = &mut parameter.site;
            // At another site, the name may refer to another binding.
            if site.is_mut || rebound_names.contains(&site.base_name) {
                site.binding = None;
                site.is_mut = false;
            }
        }
        let mut sites: Vec<&mut ValueSite> =
            self.parameters.iter_mut().map(|parameter| &mut parameter.site).collect();
        literals::assign_names(&mut sites, used_names);
    }

    /// Drops the parameters that an error of the compiler is about. Returns whether the error is
    /// about this test. In the text that was built, `ranges` are the edits that replace values,
    /// and `item` is the test.
    pub(crate) fn drop_blamed(
        &mut self,
        error: &BuildError,
        ranges: &[TextRange],
        item: &TextRange,
    ) -> bool {
        let mut places: Vec<&TextRange> =
            error.ranges.iter().filter(|range| overlaps(range, item)).collect();
        if places.is_empty() || !self.is_open() {
            return false;
        }
        // The shortest range is the most precise.
        places.sort_by_key(|range| range.len());
        let owners = self.edit_owners();
        let guilty = places.iter().find_map(|place| {
            let found: Vec<usize> = (0..ranges.len().min(owners.len()))
                .filter(|nth| overlaps(&ranges[*nth], place))
                .collect();
            let is_some = !found.is_empty() && found.len() < ranges.len().max(2);
            is_some.then(|| found.into_iter().map(|nth| owners[nth]).collect::<Vec<_>>())
        });
        let guilty = guilty.unwrap_or_else(|| {
            // The error is elsewhere in the test. A mock, then a borrowed or owned sequence, is
            // the most likely cause.
            let suspects: [fn(&Parameter) -> bool; 3] =
                [Parameter::is_mock, |parameter| !parameter.is_scalar(), |_| true];
            let parameters_that = |is_suspect: fn(&Parameter) -> bool| {
                let indices = 0..self.parameters.len();
                let found = indices.filter(|nth| is_suspect(&self.parameters[*nth]));
                found.map(|nth| (nth, None)).collect::<Vec<_>>()
            };
            let mut groups = suspects.into_iter().map(parameters_that);
            groups.find(|group| !group.is_empty()).unwrap_or_default()
        });
        if guilty.iter().any(|(nth, _)| self.parameters[*nth].is_mock()) {
            self.mock_error.clone_from(&error.message);
        }
        self.drop_sites(&guilty);
        if self.parameters.is_empty() {
            self.give_up(WhyKept::DoesNotCompileWithParameters(error.message.clone()));
        }
        true
    }

    /// Drops sites of parameters. A list becomes its elements, if these are known.
    fn drop_sites(&mut self, guilty: &[(usize, Option<usize>)]) {
        let mut kept = Vec::new();
        for (nth, mut parameter) in std::mem::take(&mut self.parameters).into_iter().enumerate() {
            let is_kept = |other_site: Option<usize>| !guilty.contains(&(nth, other_site));
            let mut other = 0;
            parameter.other_sites.retain(|_| {
                other += 1;
                is_kept(Some(other - 1))
            });
            if is_kept(None) {
                kept.push(parameter);
                continue;
            }
            if let Some(ParameterType::Slice(ty) | ParameterType::Vec(ty)) = &parameter.ty {
                let elements = parameter.site.split().into_iter();
                kept.extend(elements.map(|site| Parameter::new(site, Some((**ty).clone()))));
            }
            if !parameter.other_sites.is_empty() {
                parameter.site = parameter.other_sites.remove(0);
                kept.push(parameter);
            }
        }
        self.parameters = kept;
        self.rename();
    }
}
