//! Finds out the types of values: the compiler infers them, so it is asked.
//!
//! Each value is handed through a function that says its type, and the tests are run once. What
//! does not compile then, such as a value in a constant, stays as it is.

use super::bench::{Bench, Program, Wrong};
use super::plan::Plan;
use super::splice::{Edit, splice};
use super::subject::Part;
use super::value::Type;
use crate::words;
use rebut_cli::exit::Failure;
use std::collections::HashMap;

/// What stands before what a value says of itself.
const MARK: &str = "@@rebut-type ";

/// What is left does not compile for reasons of its own.
const ROUNDS_MAX: usize = 10;

/// Gives each parameter its type, and drops those that cannot have one.
pub(super) fn learn_types(bench: &Bench, plans: &mut [Plan]) -> Result<(), Failure> {
    let probed = build(bench, plans, &|plan, nth| probe(&bench.text, plan, nth))?;
    let Some(program) = probed else { return Ok(()) };
    let names: Vec<Vec<String>> =
        plans.iter().map(|plan| program.names_of(&plan.subject)).collect();
    let open = plans.iter().zip(&names).filter(|(plan, _)| plan.is_open());
    let all: Vec<String> = open.flat_map(|(_, names)| names.clone()).collect();
    let ran = program.run(&all, &[]);
    let types = types(&ran.stderr);
    for (nth, (plan, names)) in plans.iter_mut().zip(&names).enumerate() {
        if !plan.is_open() {
            continue;
        }
        match names.iter().map(|name| ran.passed.get(name)).collect::<Option<Vec<_>>>() {
            Some(passed) if passed.is_empty() => plan.give_up(words::IS_NOT_BUILT),
            Some(passed) if passed.iter().all(|passed| **passed) => {}
            Some(_) => plan.give_up(words::FAILS_AS_IT_IS),
            None => plan.give_up(words::DID_NOT_END),
        }
        for (site, parameter) in plan.parameters.iter_mut().enumerate() {
            parameter.of = types.get(&(nth, site)).and_then(|name| Type::read(name));
        }
        let can_be_drawn = |parameter: &super::plan::Parameter| {
            let of = parameter.of.as_ref();
            of.is_some_and(|of| parameter.site.value.numbers(of).is_some())
        };
        let has_none = plan.parameters.is_empty();
        plan.keep(can_be_drawn, if has_none { words::NO_VALUES } else { words::NO_TYPES });
    }
    Ok(())
}

/// Builds with edits of each open test, and drops what does not compile until it does; none if
/// nothing is left.
pub(super) fn build(
    bench: &Bench,
    plans: &mut [Plan],
    edits_of: &dyn Fn(&Plan, usize) -> Vec<Edit>,
) -> Result<Option<Program>, Failure> {
    for _ in 0..ROUNDS_MAX {
        if !plans.iter().any(Plan::is_open) {
            return Ok(None);
        }
        let (text, parts) = edited(bench, plans, edits_of);
        let wrong = match bench.program(&text)? {
            Ok(program) => return Ok(Some(program)),
            Err(wrong) => wrong,
        };
        if !blame(plans, &wrong, &parts) {
            let message = wrong.first().map(|wrong| wrong.message.clone()).unwrap_or_default();
            plans.iter_mut().for_each(|plan| plan.give_up(words::does_not_build(&message)));
        }
    }
    plans.iter_mut().for_each(|plan| plan.give_up(words::TOO_MANY_ERRORS));
    Ok(None)
}

/// The text with the edits of all open tests; where the parameters of each are then, and the
/// test itself. The first edits of a test are those of its parameters.
pub(super) fn edited(
    bench: &Bench,
    plans: &[Plan],
    edits_of: &dyn Fn(&Plan, usize) -> Vec<Edit>,
) -> (String, Vec<(Vec<Part>, Part)>) {
    let mut edits = Vec::new();
    let mut ranges = Vec::new();
    for (nth, plan) in plans.iter().enumerate() {
        let begin = edits.len();
        if plan.is_open() {
            edits.extend(edits_of(plan, nth));
        }
        ranges.push(begin..edits.len());
    }
    let (text, parts) = splice(&bench.text, &edits);
    let of = |(plan, range): (&Plan, std::ops::Range<usize>)| {
        let own = &parts[range.clone()];
        let parameters = own.iter().take(plan.places()).cloned().collect();
        let start = own.iter().map(|part| part.start).min().unwrap_or(0);
        let end = own.iter().map(|part| part.end).max().unwrap_or(0);
        // From the first edit, the attribute, to behind the last, and what is left of the body.
        let last = edits[range].iter().map(|edit| edit.part.end).max().unwrap_or(0);
        (parameters, start..end + plan.subject.item.end.saturating_sub(last))
    };
    let all = plans.iter().zip(ranges).map(of).collect();
    (text, all)
}

/// Drops what errors are about; false if that is nothing that could be dropped.
fn blame(plans: &mut [Plan], wrong: &[Wrong], parts: &[(Vec<Part>, Part)]) -> bool {
    let mut is_any = false;
    let mut blamed = vec![false; plans.len()];
    for wrong in wrong {
        for (nth, (plan, (parameters, item))) in plans.iter_mut().zip(parts).enumerate() {
            // Places count parameters as they were built.
            if !blamed[nth] && plan.blame(wrong, parameters, item) {
                blamed[nth] = true;
                is_any = true;
            }
        }
    }
    is_any
}

/// Has each value of a test say its type.
fn probe(text: &str, plan: &Plan, nth: usize) -> Vec<Edit> {
    let values = plan.parameters.iter().enumerate().map(|(site, parameter)| {
        let part = parameter.site.part.clone();
        let value = &text[part.clone()];
        Edit::new(
            part,
            format!(
                "({{ extern crate std as rebut_std; fn rebut_note<T>(value: T) -> T {{ \
                 rebut_std::eprintln!(\"{MARK}{nth} {site} {{}}\", \
                 rebut_std::any::type_name::<T>()); value }} rebut_note({value}) }})"
            ),
        )
    });
    let test = "#[test] #[allow(warnings)]";
    values.chain([Edit::new(plan.subject.attribute.clone(), test)]).collect()
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
