//! Finds the types of values, which the compiler infers.
//!
//! Each value is passed through a function that notes its type, and the tests run once. A value for
//! which that does not compile, such as one in a constant, stays as it is.

use crate::explore::build_variants::build_or_drop_parameters;
use crate::package::edit::Edit;
use crate::package::edited_package::EditedPackage;
use crate::plan::{Parameter, Plan};
use crate::read::value::ParameterType;
use crate::reasons::WhyKept;
use rebut_cli::exit::Failure;
use std::collections::HashMap;

/// What stands before what a value says of itself.
const MARK: &str = "@@rebut-type ";

/// Gives each parameter its type, and drops those that cannot have one.
pub(crate) fn learn_types(package: &EditedPackage, plans: &mut [Plan]) -> Result<(), Failure> {
    let edits = |plan: &Plan, nth: usize| type_probe(&package.text, plan, nth);
    let built = build_or_drop_parameters(package, plans, &edits)?;
    let Some(program) = built else { return Ok(()) };
    let names: Vec<Vec<String>> =
        plans.iter().map(|plan| program.names_of(&plan.unit_test)).collect();
    let open = plans.iter().zip(&names).filter(|(plan, _)| plan.is_open());
    let all: Vec<String> = open.flat_map(|(_, names)| names.clone()).collect();
    let ran = program.run(&all, &[]);
    let types = types(&ran.stderr);
    for (nth, (plan, names)) in plans.iter_mut().zip(&names).enumerate() {
        if !plan.is_open() {
            continue;
        }
        match names.iter().map(|name| ran.passed.get(name)).collect::<Option<Vec<_>>>() {
            Some(passed) if passed.is_empty() => plan.give_up(WhyKept::NotBuilt),
            Some(passed) if passed.iter().all(|passed| **passed) => {}
            Some(_) => plan.give_up(WhyKept::FailsUnchanged),
            None => plan.give_up(WhyKept::DidNotFinish),
        }
        for (site, parameter) in plan.parameters.iter_mut().enumerate() {
            parameter.ty = types.get(&(nth, site)).and_then(|name| ParameterType::parse(name));
        }
        let can_be_generated = |parameter: &Parameter| {
            let ty = parameter.ty.as_ref();
            ty.is_some_and(|ty| parameter.site.value.choices(ty).is_some())
        };
        let has_none = plan.parameters.is_empty();
        let why = if has_none { WhyKept::NoLiterals } else { WhyKept::NoTypes };
        plan.retain(can_be_generated, why);
    }
    Ok(())
}

/// Returns the edits that let each value of a test print its type.
fn type_probe(text: &str, plan: &Plan, nth: usize) -> Vec<Edit> {
    let values = plan.parameters.iter().enumerate().map(|(site, parameter)| {
        let range = parameter.site.range.clone();
        let value = &text[range.clone()];
        Edit::new(
            range,
            format!(
                "({{ extern crate std as rebut_std; fn rebut_note<T>(value: T) -> T {{ \
                 rebut_std::eprintln!(\"{MARK}{nth} {site} {{}}\", \
                 rebut_std::any::type_name::<T>()); value }} rebut_note({value}) }})"
            ),
        )
    });
    let test = "#[test] #[allow(warnings)]";
    values.chain([Edit::new(plan.unit_test.attribute.clone(), test)]).collect()
}

/// What values said: by the test and the parameter.
fn types(said: &str) -> HashMap<(usize, usize), String> {
    let mut types = HashMap::new();
    for (_, line) in said.lines().filter_map(|line| line.split_once(MARK)) {
        let mut words = line.splitn(3, ' ');
        let mut number = || words.next()?.parse::<usize>().ok();
        if let (Some(test), Some(site)) = (number(), number()) {
            types.insert((test, site), words.next().unwrap_or_default().to_owned());
        }
    }
    types
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_values_say_is_read_from_between_other_words() {
        let said = "running\nx@@rebut-type 0 1 alloc::vec::Vec<u8>\n@@rebut-type 2 0 &str\n";
        let types = types(said);
        assert_eq!(types[&(0, 1)], "alloc::vec::Vec<u8>");
        assert_eq!(types[&(2, 0)], "&str");
        assert_eq!(types.len(), 2);
    }
}
