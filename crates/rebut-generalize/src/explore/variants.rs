//! The variants of a test that are built on the way: with parameters, to explore it, and with one
//! call for each path, to run it natively. Lines keep their numbers in both.

use crate::package::edit::Edit;
use crate::package::edited_package::EditedPackage;
use crate::package::notes::{self, CaseId};
use crate::plan::{Parameter, Plan};
use crate::read::value::{LiteralValue, ParameterType};

/// Returns the edits that give a test its parameters, in the order of exploration.
pub(crate) fn property_edits(package: &EditedPackage, plan: &Plan) -> Vec<Edit> {
    let rebut = &package.rebut;
    let setting = match rebut.as_str() {
        "rebut" => String::new(),
        other => format!("(crate = ::{other})"),
    };
    let attribute = format!("#[::{rebut}::test{setting}] #[allow(warnings)]");
    with_parameters(package, plan, attribute, |parameter| {
        let (bound, declaration) = (parameter.bound_attribute(), parameter.declaration());
        format!("{}{bound}{declaration}", generator_attribute(package, parameter))
    })
}

/// Returns the name of the test that runs a path.
pub(crate) fn case_name(case: CaseId) -> String {
    format!("rebut_case_{}_{}", case.plan, case.path)
}

/// An input of a path.
#[derive(Clone, Debug)]
pub(crate) struct PathInput {
    /// The number of the path.
    pub(crate) path: usize,
    /// The code of the values, in the order of the parameters.
    pub(crate) values: Vec<String>,
    /// The answers of mocks, as a tape.
    pub(crate) answers: Option<String>,
}

/// Returns the edits that add one test for each of these inputs.
pub(crate) fn case_edits(
    package: &EditedPackage,
    plan: &Plan,
    nth: usize,
    inputs: &[PathInput],
) -> Vec<Edit> {
    let mut edits =
        with_parameters(package, plan, "#[allow(warnings)]".to_owned(), Parameter::declaration);
    let mut code = notes::module_code(nth);
    for PathInput { path, values, answers } in inputs {
        let lets: String = plan
            .parameters
            .iter()
            .zip(values)
            .filter(|(parameter, _)| !parameter.is_mock())
            .map(|(parameter, value)| binding(parameter, value))
            .collect();
        let explored = plan.explored();
        let names: Vec<&str> = explored.iter().map(|parameter| parameter.name()).collect();
        let call = format!("{}({})", plan.unit_test.function(), names.join(", "));
        let call = match plan.unit_test.has_result {
            true => format!("{call}.expect(\"the test returned an error\");"),
            false => format!("{call};"),
        };
        let case = CaseId { plan: nth, path: *path };
        let body = match answers {
            None => format!("{lets}{call}"),
            Some(answers) => {
                let mocks = replayed_mocks(package, plan, answers);
                format!("{lets}{mocks}{}", with_mocks_noted(package, plan, case, &call))
            }
        };
        let (name, body) = (case_name(case), notes::run_code(case, &body));
        code.push_str(&format!(" #[test] #[allow(warnings)] fn {name}() {{ {body} }}"));
    }
    let end = plan.unit_test.item.end;
    edits.push(Edit::new(end..end, code));
    edits
}

/// Returns statements that create the mocks of a test, with answers from a tape.
fn replayed_mocks(package: &EditedPackage, plan: &Plan, answers: &str) -> String {
    let private = format!("::{}::__private", package.rebut);
    let mut text = format!("let mut rebut_answers = {private}::replayed({answers:?}); ");
    for mock in plan.mocks() {
        let (name, ty) =
            (mock.name(), mock.ty.as_ref().map(ParameterType::code).unwrap_or_default());
        text.push_str(&format!(
            "let {name}: {ty} = {private}::Generate::generate(&mut rebut_answers); "
        ));
    }
    text
}

/// Returns a call after which each mock is noted as code, with the answers that it gave.
fn with_mocks_noted(package: &EditedPackage, plan: &Plan, case: CaseId, call: &str) -> String {
    let private = format!("::{}::__private", package.rebut);
    let mocks = plan.parameters.iter().enumerate().filter(|(_, parameter)| parameter.is_mock());
    let codes: Vec<String> = mocks
        .map(|(nth, mock)| format!("({nth}, {private}::Code::of(&{}))", mock.name()))
        .collect();
    let (codes, resolve) = (codes.join(", "), format!("{private}::code::resolve"));
    notes::mocks_code(case, &format!("[{codes}]"), &resolve, call)
}

fn binding(parameter: &Parameter, value: &str) -> String {
    let name = parameter.name();
    match &parameter.ty {
        // A crate without the standard library has no `vec!`.
        Some(ty @ ParameterType::Slice(_)) => {
            let list = value.trim_start_matches("vec!");
            format!("let {name}: {} = &{list}[..]; ", ty.code())
        }
        Some(ty) => format!("let {name}: {} = {value}; ", ty.code()),
        None => String::new(),
    }
}

/// Returns an attribute with the generator of a parameter. Strings are explored with characters
/// like those of the test. Otherwise each character would add a decision about its encoding, which
/// is far too many.
fn generator_attribute(package: &EditedPackage, parameter: &Parameter) -> String {
    if parameter.ty.as_ref().is_some_and(ParameterType::is_half_explored) {
        return "#[generate(max_value = i128::MAX as u128)] ".to_owned();
    }
    let LiteralValue::Text(own) = &parameter.site.value else { return String::new() };
    let characters = if own.chars().all(|c| (' '..='~').contains(&c)) {
        "in_range(' '..='~')"
    } else if own.is_ascii() {
        "in_range('\\0'..='\\x7F')"
    } else {
        return String::new();
    };
    let rebut = &package.rebut;
    format!("#[from(::{rebut}::strings().alphabet(::{rebut}::chars().{characters}))] ")
}

/// Returns the edits that give a test its parameters, each with this declaration.
fn with_parameters(
    package: &EditedPackage,
    plan: &Plan,
    attribute: String,
    declaration: impl Fn(&Parameter) -> String,
) -> Vec<Edit> {
    let mut edits = plan.edits(&package.text);
    let declarations: Vec<String> =
        plan.explored().iter().map(|parameter| declaration(parameter)).collect();
    edits.push(Edit::new(plan.unit_test.attribute.clone(), attribute));
    edits.extend(without_should_panic(package, plan));
    edits.push(Edit::new(plan.unit_test.parameters.clone(), declarations.join(", ")));
    edits
}

/// Removes `#[should_panic]`, because the end of the test itself is of interest. Lines keep their
/// numbers.
fn without_should_panic(package: &EditedPackage, plan: &Plan) -> Option<Edit> {
    let range = plan.unit_test.panics.as_ref()?.attribute.clone();
    Some(Edit::new(range, "").with_lines(&package.text))
}
