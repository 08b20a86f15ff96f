//! Writes the code of probes, and the calls that probes, tests and contracts share.

use crate::probe::{ObserverArgument, Probe, ProbeSlot};
use crate::read::subject::{Parameter, Subject};
use crate::read::types;
use crate::states::{path_before_name, size_limit};
use std::fmt::Write as _;
use syn::Type;

/// The name of the module of probes.
pub(crate) const MODULE: &str = "rebut_inference";

/// Returns the module of the probes, which is inserted at the end of the type's module.
pub(crate) fn module(subject: &Subject, probes: &[Probe]) -> String {
    let items = subject.state_items();
    let tests: Vec<&str> = probes.iter().map(|probe| probe.test.code.as_str()).collect();
    let tests = tests.join("\n");
    format!(
        "\n#[cfg(test)]\n#[allow(unused, clippy::all)]\nmod {MODULE} {{\n{}\n{items}{tests}}}\n",
        subject.module.test_imports()
    )
}

impl Probe {
    /// Returns the call of the method.
    pub(crate) fn call_code(&self, subject: &Subject) -> String {
        let parameters = self.method.parameters.iter();
        let arguments: Vec<String> =
            parameters.map(|parameter| passed(parameter, &parameter.ty)).collect();
        let arguments = arguments.join(", ");
        if self.is_constructor() {
            format!("{}::{}({arguments})", path_before_name(subject), self.method.name)
        } else {
            format!("{}.{}({arguments})", subject.variable(), self.method.name)
        }
    }

    /// Returns the call of an application.
    pub(crate) fn application_code(&self, subject: &Subject, nth: usize) -> String {
        let application = &self.applications[nth];
        let arguments: Vec<String> = application
            .observer
            .parameters
            .iter()
            .zip(&application.arguments)
            .map(|(parameter, argument)| self.passed(argument, &parameter.ty))
            .collect();
        format!("{}.{}({})", subject.variable(), application.observer.name, arguments.join(", "))
    }

    /// Returns one argument of an application.
    pub(crate) fn application_argument(&self, nth: usize, parameter: usize) -> Option<String> {
        let application = &self.applications[nth];
        let wanted_type = &application.observer.parameters.get(parameter)?.ty;
        Some(self.passed(application.arguments.get(parameter)?, wanted_type))
    }

    fn passed(&self, argument: &ObserverArgument, wanted_type: &Type) -> String {
        match argument {
            ObserverArgument::Argument(nth) => passed(&self.method.parameters[*nth], wanted_type),
            ObserverArgument::Free(nth) => passed(&self.free[*nth], wanted_type),
            ObserverArgument::Earlier(nth) => {
                let reference = if matches!(wanted_type, Type::Reference(_)) { "&" } else { "" };
                format!("{reference}{}", self.old_name(*nth))
            }
        }
    }

    /// Returns the variable for the result of an application before the call: `old_contains_key`
    /// for `contains` of `key`.
    pub(crate) fn old_name(&self, nth: usize) -> String {
        let application = &self.applications[nth];
        let mut name = format!("old_{}", application.observer.name.trim_start_matches("r#"));
        for argument in &application.arguments {
            let argument = match argument {
                ObserverArgument::Argument(nth) => &self.method.parameters[*nth].name,
                ObserverArgument::Free(nth) => &self.free[*nth].name,
                ObserverArgument::Earlier(nth) => &self.applications[*nth].observer.name,
            };
            // `contains_key` of `key` is `old_contains_key`, too.
            if !name.ends_with(&format!("_{argument}")) {
                let _ = write!(name, "_{argument}");
            }
        }
        name
    }

    /// Returns the parameters of a test that are arguments of the call.
    pub(crate) fn call_parameters(&self) -> Vec<String> {
        let parameters = self.method.parameters.iter().map(|parameter| {
            let limit = if self.is_constructor() { size_limit(parameter) } else { String::new() };
            format!("{limit}{}: {}", parameter.name, types::text(&parameter.ty))
        });
        parameters.collect()
    }

    /// Returns the parameters of the probe: the state, the arguments of the call, the free values.
    fn parameters(&self, subject: &Subject) -> String {
        let mut parameters = Vec::new();
        if !self.is_constructor() {
            parameters.extend(subject.state_parameters());
        }
        parameters.extend(self.call_parameters());
        parameters.extend(
            self.free.iter().map(|free| format!("{}: {}", free.name, types::text(&free.ty))),
        );
        parameters.join(", ")
    }

    /// Returns the test function.
    pub(super) fn test_code(&self, subject: &Subject) -> String {
        let mut code =
            format!("#[rebut::test]\nfn {}({}) {{\n", self.name, self.parameters(subject));
        if !self.is_constructor() {
            code.push_str(&subject.state_lines());
        }
        for (number, slot) in self.slots.iter().enumerate() {
            code.push_str(&self.observation_code(subject, number, *slot));
        }
        code.push_str("}\n");
        code
    }

    fn observation_code(&self, subject: &Subject, number: usize, slot: ProbeSlot) -> String {
        let observed = |value: &str| format!("rebut::__observe!({number}, {value});\n");
        match slot {
            ProbeSlot::Argument(nth) => observed(&format!("&{}", self.method.parameters[nth].name)),
            ProbeSlot::Free(nth) => observed(&format!("&{}", self.free[nth].name)),
            ProbeSlot::Before(nth) => {
                let call = self.application_code(subject, nth);
                let uses_it = |other: usize| self.earlier_arguments(other).contains(&nth);
                let kept = if (0..self.applications.len()).any(uses_it) {
                    let name = self.old_name(nth);
                    format!("let {name} = rebut::__observed!({number}, {call});\n")
                } else {
                    String::new()
                };
                observed(&call) + &kept
            }
            ProbeSlot::Result if self.is_constructor() => {
                let (variable, call) = (subject.variable(), self.call_code(subject));
                let ty = types::text(&subject.ty);
                format!(
                    "let {variable}: {ty};\nrebut::__observe_call!({number}, {{ {variable} = \
                     {call}; }});\n"
                )
            }
            ProbeSlot::Result => {
                format!("rebut::__observe_call!({number}, {});\n", self.call_code(subject))
            }
            ProbeSlot::After(nth) => observed(&self.application_code(subject, nth)),
        }
    }
}

/// Returns a variable as an argument of another type that its values can be passed for.
fn passed(parameter: &Parameter, wanted_type: &Type) -> String {
    let name = &parameter.name;
    let is_reference = matches!(parameter.ty, Type::Reference(_));
    match (is_reference, matches!(wanted_type, Type::Reference(_))) {
        (true, true) => name.clone(),
        (false, true) => format!("&{name}"),
        (true, false) if types::is_copied(wanted_type) => format!("*{name}"),
        (true, false) => format!("{name}.to_owned()"),
        (false, false) if types::is_copied(wanted_type) => name.clone(),
        (false, false) => format!("{name}.clone()"),
    }
}
