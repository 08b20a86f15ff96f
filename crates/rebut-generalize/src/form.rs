//! The forms in which a test is built on the way: with parameters, to be explored, and with one
//! call for each path, to see what it does natively. Lines stay where they are in both.

use super::bench::Bench;
use super::plan::{Parameter, Plan};
use super::splice::Edit;
use super::value::{Type, Value};

/// With parameters, those of one choice first.
pub(super) fn explored(bench: &Bench, plan: &Plan) -> Vec<Edit> {
    let rebut = &bench.rebut;
    let setting = match rebut.as_str() {
        "rebut" => String::new(),
        other => format!("(crate = ::{other})"),
    };
    let attribute = format!("#[::{rebut}::test{setting}] #[allow(warnings)]");
    with_parameters(bench, plan, attribute)
}

/// What the call of a path is named, and how it is recognized.
pub(super) fn case_name(plan: usize, path: usize) -> String {
    format!("rebut_case_{plan}_{path}")
}

/// What stands before what a mock answered.
pub(super) const MOCK: &str = "@@rebut-mock ";

/// An input of a path.
#[derive(Clone, Debug)]
pub(super) struct Input {
    /// The number of the path.
    pub(super) path: usize,
    /// The code of the values, in the order of the parameters.
    pub(super) values: Vec<String>,
    /// What mocks answer.
    pub(super) answers: Option<String>,
}

/// With one call for each of these inputs. Mocks say what they answered, as code.
pub(super) fn called(bench: &Bench, plan: &Plan, nth: usize, inputs: &[Input]) -> Vec<Edit> {
    let mut edits = with_parameters(bench, plan, "#[allow(warnings)]".to_owned());
    let mut calls = String::new();
    for Input { path, values, answers } in inputs {
        let mut lets: String = plan
            .parameters
            .iter()
            .zip(values)
            .filter(|(parameter, _)| !parameter.is_mock())
            .map(|(parameter, value)| binding(parameter, value))
            .collect();
        let explored = plan.explored();
        let names: Vec<&str> = explored.iter().map(|parameter| parameter.name()).collect();
        let call = format!("{}({})", plan.subject.function(), names.join(", "));
        let call = match plan.subject.has_result {
            true => format!("{call}.expect(\"the test returned an error\");"),
            false => format!("{call};"),
        };
        let mut call = call;
        if let Some(answers) = answers {
            lets.push_str(&mocks(bench, plan, answers));
            call = told(bench, plan, &call, &format!("{MOCK}{nth} {path}"));
        }
        let name = case_name(nth, *path);
        calls.push_str(&format!(" #[test] #[allow(warnings)] fn {name}() {{ {lets}{call} }}"));
    }
    let end = plan.subject.item.end;
    edits.push(Edit::new(end..end, calls));
    edits
}

/// Makes the mocks of a test answer what is on a tape.
fn mocks(bench: &Bench, plan: &Plan, answers: &str) -> String {
    let private = format!("::{}::__private", bench.rebut);
    let mut text = format!("let mut rebut_answers = {private}::replayed({answers:?}); ");
    for mock in plan.mocks() {
        let (name, of) = (mock.name(), mock.of.as_ref().map(Type::code).unwrap_or_default());
        text.push_str(&format!(
            "let {name}: {of} = {private}::Generate::generate(&mut rebut_answers); "
        ));
    }
    text
}

/// A call after which each mock says what it answered: behind the mark, its place among the
/// parameters and the code.
fn told(bench: &Bench, plan: &Plan, call: &str, mark: &str) -> String {
    let private = format!("::{}::__private", bench.rebut);
    let mocks = plan.parameters.iter().enumerate().filter(|(_, parameter)| parameter.is_mock());
    let codes: Vec<String> = mocks
        .map(|(place, mock)| format!("({place}, {private}::Code::of(&{}))", mock.name()))
        .collect();
    let codes = codes.join(", ");
    format!(
        "extern crate std as rebut_std; let rebut_codes = [{codes}]; \
         let rebut_end = rebut_std::panic::catch_unwind(\
         rebut_std::panic::AssertUnwindSafe(move || {{ {call} }})); \
         for (place, code) in rebut_codes {{ rebut_std::eprintln!(\"{mark} {{place}} {{:?}}\", \
         {private}::code::resolve(&code)); }} \
         if let Err(end) = rebut_end {{ rebut_std::panic::resume_unwind(end) }}"
    )
}

fn binding(parameter: &Parameter, value: &str) -> String {
    let name = parameter.name();
    match &parameter.of {
        // Without the standard library there is no `vec!`.
        Some(of @ Type::Slice(_)) => {
            let list = value.trim_start_matches("vec!");
            format!("let {name}: {} = &{list}[..]; ", of.code())
        }
        Some(of) => format!("let {name}: {} = {value}; ", of.code()),
        None => String::new(),
    }
}

/// Texts are explored with characters like those of the test: how each is encoded would be a
/// decision otherwise, of which there are very many.
fn generator(bench: &Bench, parameter: &Parameter) -> String {
    if parameter.of.as_ref().is_some_and(Type::is_halved) {
        return "#[generate(max_value = i128::MAX as u128)] ".to_owned();
    }
    let Value::Text(own) = &parameter.site.value else { return String::new() };
    let characters = if own.chars().all(|c| (' '..='~').contains(&c)) {
        "in_range(' '..='~')"
    } else if own.is_ascii() {
        "in_range('\\0'..='\\x7F')"
    } else {
        return String::new();
    };
    let rebut = &bench.rebut;
    format!("#[from(::{rebut}::strings().alphabet(::{rebut}::chars().{characters}))] ")
}

fn with_parameters(bench: &Bench, plan: &Plan, attribute: String) -> Vec<Edit> {
    let mut edits = plan.edits(&bench.text);
    let is_drawn = attribute.contains("::test");
    let declared: Vec<String> = plan
        .explored()
        .iter()
        .map(|parameter| match is_drawn {
            true => {
                let (bound, declared) = (parameter.bound(), parameter.declaration());
                format!("{}{bound}{declared}", generator(bench, parameter))
            }
            false => parameter.declaration(),
        })
        .collect();
    edits.push(Edit::new(plan.subject.attribute.clone(), attribute));
    edits.extend(without_panic(bench, plan));
    edits.push(Edit::new(plan.subject.parameters.clone(), declared.join(", ")));
    edits
}

/// Without `#[should_panic]`: how it ends is looked at. Lines stay where they are.
fn without_panic(bench: &Bench, plan: &Plan) -> Option<Edit> {
    let part = plan.subject.panics.as_ref()?.attribute.clone();
    Some(Edit::new(part, "").with_lines(&bench.text))
}
