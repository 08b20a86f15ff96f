//! What is to become of a test: its parameters, or why there are none.

use super::sites::Site;
use super::splice::Edit;
use super::subject::{Part, Subject};
use super::value::Type;

/// A test on its way.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) subject: Subject,
    /// The parameters, in the order in which they stand in the test.
    pub(super) parameters: Vec<Parameter>,
    /// Why it cannot be generalised.
    pub(super) why_not: Option<String>,
}

/// A value that is promoted.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) site: Site,
    /// None until it is known.
    pub(super) of: Option<Type>,
}

impl Parameter {
    pub(super) fn name(&self) -> &str {
        &self.site.name
    }

    /// As it is declared.
    pub(super) fn declaration(&self) -> String {
        let of = self.of.as_ref().map(Type::code).unwrap_or_default();
        let is_mut = if self.site.is_mut { "mut " } else { "" };
        format!("{is_mut}{}: {of}", self.site.name)
    }

    /// What makes the body name it in place of the value.
    pub(super) fn edit(&self, text: &str) -> Edit {
        match &self.site.binding {
            // Lines stay where they are.
            Some(binding) => {
                let lines = text[binding.clone()].matches('\n').count();
                Edit::new(binding.clone(), "\n".repeat(lines))
            }
            None => Edit::new(self.site.part.clone(), self.site.name.clone()),
        }
    }

    pub(super) fn is_scalar(&self) -> bool {
        self.of.as_ref().is_some_and(Type::is_scalar)
    }
}

impl Plan {
    pub(super) fn new(subject: Subject) -> Plan {
        let parameters = subject.sites.iter().cloned();
        let parameters = parameters.map(|site| Parameter { site, of: None }).collect();
        let why_not = subject.why_not.clone();
        Plan { subject, parameters, why_not }
    }

    /// Whether it can still be generalised.
    pub(super) fn is_open(&self) -> bool {
        self.why_not.is_none()
    }

    pub(super) fn give_up(&mut self, why: impl Into<String>) {
        self.why_not.get_or_insert(why.into());
    }

    /// The parameters in the order in which they are explored: those of one choice first, so
    /// that each of these is always the same choice.
    pub(super) fn explored(&self) -> Vec<&Parameter> {
        let (mut scalars, others): (Vec<&Parameter>, Vec<&Parameter>) =
            self.parameters.iter().partition(|parameter| parameter.is_scalar());
        scalars.extend(others);
        scalars
    }

    /// Drops parameters, and gives up if none is left.
    pub(super) fn keep(&mut self, is_kept: impl Fn(&Parameter) -> bool, why: &str) {
        self.parameters.retain(is_kept);
        if self.parameters.is_empty() {
            self.give_up(why);
        }
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
        let guilty = places.iter().find_map(|place| {
            let found: Vec<usize> =
                (0..parts.len()).filter(|nth| touches(&parts[*nth], place)).collect();
            (!found.is_empty() && found.len() < parts.len().max(2)).then_some(found)
        });
        let guilty = guilty.unwrap_or_else(|| {
            // What is borrowed is the most likely to be wrong elsewhere.
            let borrowed = |parameter: &Parameter| !parameter.is_scalar();
            let some = (0..self.parameters.len()).filter(|nth| borrowed(&self.parameters[*nth]));
            let some: Vec<usize> = some.collect();
            if some.is_empty() { (0..self.parameters.len()).collect() } else { some }
        });
        let mut nth = 0;
        self.parameters.retain(|_| {
            nth += 1;
            !guilty.contains(&(nth - 1))
        });
        if self.parameters.is_empty() {
            self.give_up(format!("with parameters it does not compile: {}", wrong.message));
        }
        true
    }
}
