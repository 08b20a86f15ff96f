//! Binds parameters to their original value, or to an expression of other parameters.

use crate::decide::atoms::{Atom, widened};
use crate::decide::path_end::PathEnd;
use crate::decide::questions::{PathQuestions, REGIONS_MAX, Region};
use crate::explore::sequences::Element;
use crate::read::value::ParameterType;
use rebut_smt::Term;

/// The largest constant in an expression, as in `a + 3`. Larger ones are likely a coincidence.
/// Arbitrary.
const CONSTANT_MAX: u128 = 3;

/// The replacement of a parameter in a written test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Binding {
    /// Its original value.
    OwnValue,
    /// This Rust expression.
    Expression(String),
}

/// An expression of parameters as Rust code and as a term.
type CodeAndTerm = (String, Term);

impl PathQuestions<'_> {
    /// Binds parameters that have one value, or equal an expression, on every passing path.
    pub(crate) fn bind(&mut self) {
        let passing = self.paths_that(|end| end == PathEnd::Passes);
        self.bind_on(&passing);
    }

    /// Binds parameters that have one value, or equal an expression, on the path of the original
    /// values. The test then claims less than all passing paths allow.
    pub(crate) fn bind_on_own_path(&mut self) {
        self.bind_on(&[self.paths.own]);
    }

    fn bind_on(&mut self, passing: &[usize]) {
        let count = self.plan.parameters.len();
        (self.bindings, self.binding_terms) = (vec![None; count], vec![None; count]);
        let some = passing.iter().take(REGIONS_MAX);
        let regions: Vec<Region> = some.map(|path| self.region(*path)).collect();
        for nth in 0..count {
            let Some(is_own) = self.has_own_value(nth) else { continue };
            if regions.iter().all(|region| self.is_implied(region, is_own)) {
                self.set_binding(nth, Binding::OwnValue, is_own);
            }
        }
        for nth in 0..count {
            if self.bindings[nth].is_none() && self.plan.parameters[nth].is_expected() {
                self.express(nth, &regions);
            }
        }
    }

    fn set_binding(&mut self, nth: usize, binding: Binding, term: Term) {
        (self.bindings[nth], self.binding_terms[nth]) = (Some(binding), Some(term));
    }

    /// Binds every parameter to its original value, then frees those for which the test passes with
    /// other values too. Returns whether any was freed.
    pub(crate) fn bind_all_but_some(&mut self) -> bool {
        let count = self.plan.parameters.len();
        for nth in (0..count).filter(|nth| !self.plan.parameters[*nth].is_mock()) {
            self.bindings[nth] = Some(Binding::OwnValue);
            self.binding_terms[nth] = self.has_own_value(nth);
        }
        let mut passing = self.paths_that(|end| end == PathEnd::Passes);
        passing.truncate(REGIONS_MAX);
        let mut is_any_free = self.plan.mocks().next().is_some();
        for nth in 0..count {
            let Some(is_own) = self.binding_terms[nth] else { continue };
            (self.bindings[nth], self.binding_terms[nth]) = (None, None);
            let inside: Vec<Region> =
                passing.iter().filter_map(|path| self.restricted(*path, |_| true)).collect();
            let is_fixed = inside.iter().all(|region| self.is_implied(region, is_own));
            if is_fixed || self.assumption_to_pass().is_none() {
                self.set_binding(nth, Binding::OwnValue, is_own);
            } else {
                is_any_free = true;
            }
        }
        is_any_free
    }

    /// Binds expected results to an input with the same original value. Returns whether there is
    /// one. This is a guess: the test then claims less than all passing paths allow.
    pub(crate) fn guess_bindings(&mut self) -> bool {
        let mut is_any = false;
        for nth in 0..self.plan.parameters.len() {
            let parameter = &self.plan.parameters[nth];
            let Some(variable) = self.variables[nth] else { continue };
            if self.bindings[nth].is_some() || !parameter.is_expected() {
                continue;
            }
            let Some(ty) = parameter.ty.clone() else { continue };
            let own = parameter.site.value.clone();
            let same = (0..self.plan.parameters.len()).find_map(|other| {
                let input = &self.plan.parameters[other];
                let is_same = self.bindings[other].is_none()
                    && !input.is_expected()
                    && input.site.value == own;
                if is_same { self.as_type(other, &ty) } else { None }
            });
            let Some((text, input)) = same else { continue };
            let is_equal = self.paths.pool.eq(variable, input);
            self.set_binding(nth, Binding::Expression(text), is_equal);
            is_any = true;
        }
        is_any
    }

    /// Returns the parameters without a binding.
    pub(crate) fn free_parameters(&self) -> Vec<usize> {
        (0..self.bindings.len()).filter(|nth| self.bindings[*nth].is_none()).collect()
    }

    /// Returns the parameters that are inputs, and not expected results.
    pub(crate) fn input_parameters(&self) -> Vec<usize> {
        let is_input = |nth: &usize| !self.plan.parameters[*nth].is_expected();
        (0..self.bindings.len()).filter(is_input).collect()
    }

    /// Returns the region of a path, restricted to some of the bindings. `None` if it is empty.
    pub(super) fn restricted(
        &mut self,
        path: usize,
        is_applied: impl Fn(usize) -> bool,
    ) -> Option<Region> {
        let mut region = self.region(path);
        for nth in (0..self.bindings.len()).filter(|nth| is_applied(*nth)) {
            if self.bindings[nth].is_none() {
                continue;
            }
            let is_equal = self.binding_terms[nth]?;
            region = self.narrowed(&region, is_equal);
        }
        let always = self.paths.pool.bool(true);
        (!self.is_refuted(&region, always)).then_some(region)
    }

    /// Whether some input of a path agrees with the bindings.
    pub(crate) fn agrees_with_bindings(&mut self, path: usize) -> bool {
        self.restricted(path, |_| true).is_some()
    }

    /// Binds an expected result to an expression of inputs that it is equal to in all regions.
    fn express(&mut self, nth: usize, regions: &[Region]) {
        let others: Vec<usize> = (0..self.plan.parameters.len())
            .filter(|other| *other != nth && self.bindings[*other].is_none())
            .filter(|other| !self.plan.parameters[*other].is_expected())
            .collect();
        for (text, is_equal) in self.expressions(nth, &others) {
            if regions.iter().all(|region| self.is_implied(region, is_equal)) {
                return self.set_binding(nth, Binding::Expression(text), is_equal);
            }
        }
        for Element { text, is_equal, exists } in self.elements(nth, &others) {
            let mut both = regions.iter().flat_map(|region| [(region, exists), (region, is_equal)]);
            if both.all(|(region, term)| self.is_implied(region, term)) {
                return self.set_binding(nth, Binding::Expression(text), is_equal);
            }
        }
    }

    /// Returns expressions of the type of a parameter, each with the condition that the parameter
    /// is equal to it.
    fn expressions(&mut self, nth: usize, others: &[usize]) -> Vec<CodeAndTerm> {
        let Some(variable) = self.variables[nth] else { return self.equal_texts(nth, others) };
        match self.ty(nth).cloned() {
            Some(ParameterType::Bool) => {
                let atoms = self.atoms(others);
                let pool = &mut self.paths.pool;
                let one = pool.bits(1, 1);
                let is_set = pool.eq(variable, one);
                let mut found = Vec::new();
                for Atom { text, negated, term, .. } in atoms {
                    let differs = pool.xor(is_set, term);
                    found.push((text, pool.not(differs)));
                    found.push((negated, differs));
                }
                found
            }
            Some(ty) => self.arithmetic(variable, &ty, others),
            None => Vec::new(),
        }
    }

    /// Returns the other strings or lists of the same type.
    fn equal_texts(&mut self, nth: usize, others: &[usize]) -> Vec<CodeAndTerm> {
        let Some(own) = self.sequences[nth].clone() else { return Vec::new() };
        let mut found = Vec::new();
        for other in others {
            let Some(sequence) = self.sequences[*other].clone() else { continue };
            if self.ty(*other) != self.ty(nth) {
                continue;
            }
            let is_equal = own.is_equal(&mut self.paths.pool, &sequence);
            found.push((self.plan.parameters[*other].name().to_owned(), is_equal));
        }
        found
    }

    /// Returns other numbers, their sums, differences and products, the simplest first.
    fn arithmetic(
        &mut self,
        variable: Term,
        ty: &ParameterType,
        others: &[usize],
    ) -> Vec<CodeAndTerm> {
        let mut operands: Vec<CodeAndTerm> = Vec::new();
        for other in others {
            operands.extend(self.as_type(*other, ty));
            operands.extend(self.length_as(*other, ty));
        }
        let pool = &mut self.paths.pool;
        let mut found: Vec<CodeAndTerm> = operands.clone();
        if ty.is_int() {
            for (nth, (a, x)) in operands.iter().enumerate() {
                for (b, y) in &operands[nth + 1..] {
                    found.push((format!("{a} + {b}"), pool.bv_add(*x, *y)));
                    found.push((format!("{a} * {b}"), pool.bv_mul(*x, *y)));
                    found.push((format!("{a} - {b}"), pool.bv_sub(*x, *y)));
                    found.push((format!("{b} - {a}"), pool.bv_sub(*y, *x)));
                }
                let width = pool.width(*x);
                for number in 1..=CONSTANT_MAX {
                    let constant = pool.bits(width, number);
                    found.push((format!("{a} + {number}"), pool.bv_add(*x, constant)));
                    found.push((format!("{a} - {number}"), pool.bv_sub(*x, constant)));
                    if number > 1 {
                        found.push((format!("{a} * {number}"), pool.bv_mul(*x, constant)));
                    }
                }
                if matches!(ty, ParameterType::Int { is_signed: true, .. }) {
                    found.push((format!("-{a}"), pool.bv_neg(*x)));
                }
            }
        }
        let width = pool.width(variable);
        found.retain(|(_, term)| pool.width(*term) == width);
        found.into_iter().map(|(text, term)| (text, pool.eq(variable, term))).collect()
    }

    /// Returns a parameter of one choice as a value of a type: itself, or converted from a narrower
    /// integer. `usize` is never converted, because its width depends on the machine.
    fn as_type(&mut self, nth: usize, ty: &ParameterType) -> Option<CodeAndTerm> {
        let term = self.variables[nth]?;
        let name = self.plan.parameters[nth].name();
        match (self.ty(nth)?, ty) {
            (own, ty) if own == ty => Some((name.to_owned(), term)),
            (
                ParameterType::Int { is_signed, bits, name: from },
                ParameterType::Int { is_signed: to_signed, bits: to, name: type_name },
            ) if bits < to
                && (!is_signed || *to_signed)
                && !from.ends_with("size")
                && !type_name.ends_with("size") =>
            {
                let (is_signed, by) = (*is_signed, to - bits);
                let text = format!("{type_name}::from({name})");
                Some((text, widened(&mut self.paths.pool, is_signed, by, term)))
            }
            _ => None,
        }
    }

    /// Returns the length of a borrowed text or list as a value of a type. An owned list was moved,
    /// so the test cannot use it anymore.
    fn length_as(&self, nth: usize, ty: &ParameterType) -> Option<CodeAndTerm> {
        let is_borrowed =
            matches!(self.ty(nth), Some(ParameterType::Text | ParameterType::Slice(_)));
        let sequence = self.sequences[nth].as_ref().filter(|_| is_borrowed)?;
        sequence.length_as(self.plan.parameters[nth].name(), ty)
    }

    /// Returns the first and last elements of borrowed lists of numbers.
    fn elements(&mut self, nth: usize, others: &[usize]) -> Vec<Element> {
        let ty = self.ty(nth).filter(|ty| ty.is_int()).cloned();
        let (Some(value), Some(ty)) = (self.variables[nth], ty) else { return Vec::new() };
        let mut found = Vec::new();
        for other in others {
            let is_fitting =
                matches!(self.ty(*other), Some(ParameterType::Slice(element)) if **element == ty);
            let sequence = self.sequences[*other].as_ref().filter(|_| is_fitting);
            let Some(sequence) = sequence else { continue };
            let name = self.plan.parameters[*other].name();
            found.extend(sequence.first_and_last(&mut self.paths.pool, name, value));
        }
        found
    }
}
