//! Inputs from a specification, as tapes.
//!
//! `cargo rebut generate` finds the inputs and writes them to a file next to the specification. A
//! test therefore needs neither a solver nor the input language. This module reads the inputs and
//! converts each to a tape: it generates the parameters of the test with a driver that answers
//! from the document ([`document_driver`]). From then on an input is like any other case: Rebut
//! runs, shrinks, replays and stores it.
//!
//! Invariant: an input whose values cannot be generated is reported, with the reason; no other
//! value ever replaces it ([`agree`]).

mod agree;
mod document_driver;
mod json;
mod names;
mod prepared;

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use rebut_choice::{AnyDriver, Tape};

use self::document_driver::{DocumentDriver, OpenChoices, short};
use self::json::Json;
use self::names::same_name;
use crate::execute::{self, Body};
use crate::outcome::Outcome;
use crate::strings;

/// The inputs that a test requests from a specification.
#[derive(Clone, Copy, Debug)]
pub struct Inputs {
    /// The path of the file, relative to the crate's manifest.
    pub spec: &'static str,
    /// The outline in the file; empty if the file has only one.
    pub outline: &'static str,
    /// The number of inputs; `None` for all prepared ones.
    pub number: Option<usize>,
    /// The definition of different inputs; empty to use that of the file.
    pub differ: &'static str,
    /// The blank of each parameter, by name or by path: `event.title`.
    pub blanks: &'static [&'static str],
    /// Whether to run random cases after the inputs.
    pub random: bool,
}

/// Returns the tapes of the inputs, or an error that explains the problem and the fix.
#[inline(never)]
pub(crate) fn tapes(home: &Path, inputs: &Inputs, body: &Body<'_>) -> Result<Vec<Tape>, String> {
    let models = prepared::load(home, inputs)?;
    if models.is_empty() {
        return Err(format!("`{}` has no inputs", inputs.spec));
    }
    check_blanks(&models, inputs)?;
    let mut tapes = Vec::new();
    let mut refused = Vec::new();
    for (nth, model) in models.iter().enumerate() {
        let bound = arguments(model, inputs).map(|arguments| tape(&arguments, inputs, body));
        match bound? {
            Ok(tape) => tapes.push(tape),
            Err(why) => refused.push((nth + 1, why)),
        }
    }
    let Some((nth, why)) = refused.first() else { return Ok(tapes) };
    let all = models.len();
    let others = match refused.len() {
        1 => format!("1 of the {all} inputs of `{}` does", inputs.spec),
        many => format!("{many} of the {all} inputs of `{}` do", inputs.spec),
    };
    Err(format!(
        "{others} not fit the parameters\ninput {nth}: {why}\n\
         help: give the parameter a type or a generator (`#[from(..)]`) that can produce the value, \
         or change the specification"
    ))
}

/// Returns an error for a parameter without a value in any model.
fn check_blanks(models: &[Json], inputs: &Inputs) -> Result<(), String> {
    for blank in inputs.blanks {
        let mut found = Vec::new();
        for model in models {
            find(model, "", blank, &mut found);
        }
        if found.is_empty() {
            let mut known = Vec::new();
            for model in models {
                paths(model, "", &mut known);
            }
            return Err(format!(
                "`{}` has no blank `{blank}`; it has `{}`\n\
                 help: rename the parameter, or specify its blank: `#[blank(\"{}\")]`",
                inputs.spec,
                strings::joined(&known, "`, `"),
                known.first().map_or("name", String::as_str)
            ));
        }
    }
    Ok(())
}

/// Collects the paths of all fields that are not objects.
fn paths(json: &Json, path: &str, known: &mut Vec<String>) {
    if let Json::Object(fields) = json {
        for (name, value) in fields {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            paths(value, &path, known);
        }
    } else if !known.iter().any(|other| other == path) {
        known.push(path.to_owned());
    }
}

/// Returns the value of a model for each parameter.
fn arguments(model: &Json, inputs: &Inputs) -> Result<Vec<Json>, String> {
    let mut arguments = Vec::new();
    for blank in inputs.blanks {
        let mut found = Vec::new();
        find(model, "", blank, &mut found);
        let exact = found.iter().position(|(path, _)| path == blank);
        let value = match (exact, found.as_slice()) {
            (Some(at), _) => found[at].1.clone(),
            (None, [(_, only)]) => only.clone(),
            // An optional field may be absent.
            (None, []) => Json::Null,
            (None, several) => {
                let mut paths = Vec::new();
                for (path, _) in several {
                    paths.push(path.as_str());
                }
                return Err(format!(
                    "`{blank}` could be any of `{}` in `{}`\nhelp: specify one: `#[blank(\"{}\")]`",
                    strings::joined(&paths, "`, `"),
                    inputs.spec,
                    paths[0]
                ));
            }
        };
        arguments.push(value);
    }
    Ok(arguments)
}

/// Collects the fields, at any depth, whose path ends with a blank.
fn find(json: &Json, path: &str, blank: &str, found: &mut Vec<(String, Json)>) {
    let Json::Object(fields) = json else { return };
    for (name, value) in fields {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        if ends_with(&path, blank) {
            found.push((path.clone(), value.clone()));
        }
        find(value, &path, blank, found);
    }
}

fn ends_with(path: &str, blank: &str) -> bool {
    let (path, blank) = (strings::split(path, "."), strings::split(blank, "."));
    let Some(from) = path.len().checked_sub(blank.len()) else { return false };
    path[from..].iter().zip(&blank).all(|(a, b)| same_name(a, b))
}

/// The maximum number of attempts to generate an input whose document leaves choices open.
/// Arbitrary: four choices of eight alternatives each. At the limit the input is refused with the
/// reason.
const TRIES_MAX: usize = 4096;

/// Returns the tape that generates these arguments, or the reason why there is none.
fn tape(arguments: &[Json], inputs: &Inputs, body: &Body<'_>) -> Result<Tape, String> {
    let open_choices = Rc::new(RefCell::new(OpenChoices::default()));
    let mut furthest: Option<(usize, String)> = None;
    for _ in 0..TRIES_MAX {
        let driver = DocumentDriver::new(arguments.to_vec(), Rc::clone(&open_choices));
        let drawn =
            execute::draw_parameters(body, AnyDriver::Other(Box::new(driver)), arguments.len());
        let values = drawn.log.map(|log| log.values).unwrap_or_default();
        let mut why = None;
        for (n, (value, argument)) in values.iter().zip(arguments).enumerate() {
            if !agree::agrees(&value.code, argument) {
                let code = short(&value.code);
                why = Some((n, format!("the generator produces another value, `{code}`")));
                break;
            }
        }
        let (n, why) = match (why, drawn.outcome) {
            (Some(why), _) => why,
            (None, None) => return Ok(drawn.tape),
            (None, Some(outcome)) => (values.len(), reason(outcome)),
        };
        let is_further = furthest.as_ref().is_none_or(|(other, _)| n >= *other);
        if is_further && n < arguments.len() {
            let blank = inputs.blanks[n];
            let argument = short(&arguments[n].show());
            furthest = Some((n, format!("`{blank}` is `{argument}`, but {why}")));
        }
        if !open_choices.borrow_mut().advance() {
            break;
        }
    }
    Err(furthest.map_or_else(|| "it cannot be generated".to_owned(), |(_, why)| why))
}

fn reason(outcome: Outcome) -> String {
    match outcome {
        Outcome::Rejected(why) => why.into_owned(),
        Outcome::TooLarge => "it is too large for a test case".to_owned(),
        Outcome::Misuse(what) | Outcome::Internal(what) => what,
        Outcome::Failed(failure) => format!("its generator panics: {}", failure.message),
        Outcome::Passed => "its generator makes no choices".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use rebut_choice::Source;
    use rebut_gen::{
        Code, Generate, Generator as _, ToCode, any, chars, integers, just, one_of, sampled_from,
        strings, vecs,
    };

    use super::*;
    use crate::Case;

    const INPUTS: Inputs = Inputs {
        spec: "a.json",
        outline: "",
        number: None,
        differ: "",
        blanks: &["x"],
        random: false,
    };

    /// Returns the value generated from a document, replayed from its tape, or the reason why
    /// there is none.
    fn bound<T: ToCode>(json: &str, draw: impl Fn(&mut Source) -> T) -> String {
        let body = |case: &mut Case| {
            let value = draw(case.begin_argument());
            if case.end_argument() {
                value.to_code(case.code());
                case.show_argument("x", "T");
            }
            panic!("the body is not run");
        };
        match tape(&[Json::parse(json).expect("JSON")], &INPUTS, &body) {
            Ok(tape) => {
                let mut source = Source::replay(&tape);
                // The span of the argument.
                source.span(rebut_choice::Label::ARGUMENT, |source| Code::of(&draw(source)))
            }
            Err(why) => why,
        }
    }

    fn generated<T: Generate + ToCode>(json: &str) -> String {
        bound(json, T::generate)
    }

    #[test]
    fn documents_become_tapes_of_the_types_of_the_standard_library() {
        assert_eq!(generated::<i64>("-7"), "-7");
        assert_eq!(
            generated::<u128>("340282366920938463463374607431768211455"),
            u128::MAX.to_string()
        );
        assert_eq!(generated::<f64>("0.1"), "0.1");
        assert_eq!(generated::<f32>("0.1"), "0.1");
        assert_eq!(generated::<bool>("true"), "true");
        assert_eq!(generated::<char>("\"ä\""), "'ä'");
        assert_eq!(generated::<String>("\"8:32 AM\""), "\"8:32 AM\".to_string()");
        assert_eq!(generated::<Vec<u8>>("[1, 2]"), "vec![1, 2]");
        assert_eq!(generated::<[i8; 3]>("[1, 2, 3]"), "[1, 2, 3]");
        assert_eq!(generated::<Option<u8>>("null"), "None");
        assert_eq!(generated::<Option<u8>>("3"), "Some(3)");
        assert_eq!(generated::<(Vec<u8>, bool)>("[[1, 2], true]"), "(vec![1, 2], true)");
        assert_eq!(generated::<Vec<(String, u8)>>(r#"[["a", 1]]"#), "vec![(\"a\".to_string(), 1)]");
        let map = generated::<std::collections::BTreeMap<String, u8>>(r#"{"a": 1, "b": 2}"#);
        assert!(map.contains("(\"a\".to_string(), 1), (\"b\".to_string(), 2)"), "{map}");
        let set = generated::<std::collections::HashSet<bool>>("[true, false]");
        assert!(set.contains("[true, false]"), "{set}");
    }

    type Anything = (i64, String, Vec<Option<(bool, f64)>>, [char; 2], u128, Vec<Vec<u8>>);

    fn document(value: &Anything) -> Json {
        let (number, text, list, characters, wide, lists) = value;
        let digits = |digits: String| Json::Number(digits);
        let pair = |(yes, float): &(bool, f64)| {
            Json::List(vec![Json::Bool(*yes), digits(format!("{float:?}"))])
        };
        let bytes = |bytes: &Vec<u8>| {
            Json::List(bytes.iter().map(|byte| digits(byte.to_string())).collect())
        };
        Json::List(vec![
            digits(number.to_string()),
            Json::Text(text.clone()),
            Json::List(list.iter().map(|pair_| pair_.as_ref().map_or(Json::Null, pair)).collect()),
            Json::List(characters.iter().map(|c| Json::Text(c.to_string())).collect()),
            digits(wide.to_string()),
            Json::List(lists.iter().map(bytes).collect()),
        ])
    }

    #[test]
    fn documents_of_values_generate_these_values() {
        let report = crate::Check::new("binds what was drawn").seed(1).cases(500).run(|case| {
            let value: Anything = case.draw(any());
            let is_finite = |pair: &Option<(bool, f64)>| pair.is_none_or(|(_, x)| x.is_finite());
            crate::assume(value.2.iter().all(is_finite), "JSON has only finite numbers");
            let json = document(&value);
            let drawn = bound(&json.show(), Anything::generate);
            (drawn == Code::of(&value)).then_some(()).ok_or(drawn)
        });
        assert!(report.verdict.is_success(), "{report}");
    }

    #[test]
    fn choices_without_an_answer_in_the_document_are_found_by_trying() {
        let color = sampled_from(["red", "green", "blue"]);
        assert_eq!(bound("\"blue\"", |source| color.draw(source)), "\"blue\"");
        let small = one_of([just(0u8).boxed(), integers().min_value(5).boxed()]);
        assert_eq!(bound("9", |source| small.draw(source)), "9");
        let even = any::<u8>().filter(|n| n % 2 == 0);
        assert_eq!(bound("44", |source| even.draw(source)), "44");
        let vowel = strings().alphabet(chars().one_of("aeiou")).max_size(3);
        assert_eq!(bound("\"oui\"", |source| vowel.draw(source)), "\"oui\".to_string()");
    }

    #[test]
    fn refused_inputs_are_reported_with_the_reason() {
        let wrong_type = "`x` is `\"3\"`, but the type needs a number, found a string (`\"3\"`)";
        assert_eq!(generated::<u8>("\"3\""), wrong_type);
        let range = "`x` is `300`, but the generator's numbers are from 0 to 255";
        assert_eq!(generated::<u8>("300"), range);
        assert!(generated::<u8>("1.5").contains("needs a whole number"));
        assert!(generated::<bool>("null").contains("needs a boolean"));
        assert!(generated::<(u8, u8)>("[1, 2, 3]").contains("needs a list of 2 elements"));
        assert!(generated::<Vec<bool>>("7").contains("needs a string or a list"));
        let doubled = |source: &mut Source| integers::<u8>().map(|n| n / 2).draw(source);
        assert_eq!(
            bound("4", doubled),
            "`x` is `4`, but the generator produces another value, `2`"
        );
        let odd = vecs(any::<u8>()).filter(|list| list.len() % 2 == 1);
        assert!(bound("[1, 2]", |source| odd.draw(source)).ends_with("a filter was not met"));
        assert!(bound("1", |_| 0u8).contains("the value has parts that the type lacks"));
        assert!(bound("\"zz\"", |source| strings().max_size(1).draw(source)).contains("sizes"));
    }

    #[test]
    fn blanks_are_found_by_name_at_any_depth() {
        let model =
            Json::parse(r#"{"Event": {"startTime": 1, "name": {"name": 2, "x": 5}}, "end": 3}"#);
        let model = model.expect("JSON");
        let found = |blanks: &'static [&'static str]| {
            let found = arguments(&model, &Inputs { blanks, ..INPUTS });
            found.map_or_else(|why| why, |found| Json::List(found).show())
        };
        assert_eq!(found(&["start_time", "end", "name.name", "absent"]), "[1, 3, 2, null]");
        assert_eq!(
            found(&["name"]),
            "`name` could be any of `Event.name`, `Event.name.name` in `a.json`\nhelp: specify one: \
             `#[blank(\"Event.name\")]`"
        );
        let missing =
            check_blanks(std::slice::from_ref(&model), &Inputs { blanks: &["title"], ..INPUTS });
        assert_eq!(
            missing.expect_err("no such blank"),
            "`a.json` has no blank `title`; it has `Event.startTime`, `Event.name.name`, \
             `Event.name.x`, `end`\nhelp: rename the parameter, or specify its blank: \
             `#[blank(\"Event.startTime\")]`"
        );
    }
}
