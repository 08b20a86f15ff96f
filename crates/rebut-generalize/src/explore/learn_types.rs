//! Finds the types of values, which the compiler infers.
//!
//! Each value is passed through a function that notes its type, and the tests run once. A value for
//! which that does not compile, such as one in a constant, stays unchanged.

use crate::explore::build_variants::build_or_drop_parameters;
use crate::package::edit::Edit;
use crate::package::edited_package::EditedPackage;
use crate::package::notes;
use crate::plan::{Parameter, Plan};
use crate::read::value::ParameterType;
use crate::reasons::WhyKept;
use rebut_cli::exit::Failure;
use rebut_native::{TestName, TestResult};

/// Gives each parameter its type, and drops those that cannot have one.
pub(crate) fn learn_types(package: &EditedPackage, plans: &mut [Plan]) -> Result<(), Failure> {
    let edits = |plan: &Plan, nth: usize| type_probe(&package.text, plan, nth);
    let built = build_or_drop_parameters(package, plans, &edits)?;
    let Some(program) = built else { return Ok(()) };
    let names: Vec<Vec<TestName>> =
        plans.iter().map(|plan| program.names_of(&plan.unit_test)).collect();
    let open = plans.iter().zip(&names).filter(|(plan, _)| plan.is_open());
    let tests: Vec<TestName> = open.flat_map(|(_, names)| names.clone()).collect();
    let (results, notes) = program.run_unit_tests(&tests)?;
    for (nth, (plan, names)) in plans.iter_mut().zip(&names).enumerate() {
        if !plan.is_open() {
            continue;
        }
        let own: Vec<Option<&TestResult>> = names.iter().map(|name| results.get(name)).collect();
        if let Some(why) = why_kept(&own) {
            plan.give_up(why);
        }
        for (site, parameter) in plan.parameters.iter_mut().enumerate() {
            let name = notes.types.get(&(nth, site));
            parameter.ty = name.and_then(|name| ParameterType::parse(name));
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

/// Returns why a test with these results stays unchanged, if it does. A test that was not run has no
/// result.
fn why_kept(results: &[Option<&TestResult>]) -> Option<WhyKept> {
    let is_stuck = |result: &Option<&TestResult>| {
        matches!(
            result,
            None | Some(TestResult::Crashed { .. } | TestResult::Hung | TestResult::Missing)
        )
    };
    if results.is_empty() {
        Some(WhyKept::NotBuilt)
    } else if results.iter().any(is_stuck) {
        Some(WhyKept::DidNotFinish)
    } else if results.iter().all(|result| matches!(result, Some(TestResult::Passed))) {
        None
    } else {
        Some(WhyKept::FailsUnchanged)
    }
}

/// Returns the edits that let each value of a test note its type.
fn type_probe(text: &str, plan: &Plan, nth: usize) -> Vec<Edit> {
    let values = plan.parameters.iter().enumerate().map(|(site, parameter)| {
        let range = parameter.site.range.clone();
        let code = notes::value_code(nth, site, &text[range.clone()]);
        Edit::new(range, code)
    });
    let end = plan.unit_test.item.end;
    let others = [
        Edit::new(plan.unit_test.attribute.clone(), "#[test] #[allow(warnings)]"),
        Edit::new(end..end, notes::module_code(nth)),
    ];
    values.chain(others).collect()
}
