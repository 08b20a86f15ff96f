//! Rebut tested by Rebut: properties of tapes, drivers, shrinking, explanations, code and the
//! database, for generators that are themselves drawn. Last come the canaries: properties that
//! do not hold, one for each engine, and it is a failure if they seem to. That of isolation is
//! in `fixture/crashes.rs`.

mod shapes;

use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::path::PathBuf;

use rebut::choice::{AnyDriver, Exhaustive, Fallback, Random, Replay, Rng, Token};
use rebut::database::{Database, FileDatabase, MemoryDatabase, StoredCase};
use rebut::generators::Boxed;
use rebut::prelude::*;
use rebut::report::{
    Counterexample, Failure, FailureKind, FoundBy, Location, Report, ShownValue, Verdict,
};
use rebut::search::{Neighborhood, Operator};
use rebut::{Check, Code, Tape, any};
use shapes::{Claim, Shape, Value, draw};

fn random(seed: u64) -> AnyDriver {
    AnyDriver::Random(Box::new(Random::new(seed)))
}

fn replay(tape: &Tape) -> AnyDriver {
    AnyDriver::Replay(Box::new(Replay::new(tape, Fallback::Simplest)))
}

/// A value and its tape; the case is given up if a filter rejects it.
fn drawn(generator: &Boxed<'_, Value>, seed: u64) -> (Value, Tape) {
    let (value, tape) = draw(generator, random(seed));
    assume!(value.is_some(), "not rejected");
    (value.expect("assumed"), tape)
}

// Tapes.

#[rebut::test(cases = 300)]
fn a_seed_draws_one_value(shape: Shape, seed: u64) {
    let generator = shape.generator();
    assert_eq!(draw(&generator, random(seed)), draw(&generator, random(seed)));
    let (value, tape) = drawn(&generator, seed);
    assert!(shape.contains(&value), "{value:?}");
    cover!("many choices", tape.len() > 10);
}

#[rebut::test(cases = 300)]
fn text_of_a_tape_round_trips(shape: Shape, seed: u64) {
    let (value, tape) = drawn(&shape.generator(), seed);
    let text = tape.to_text();
    let read = Tape::from_text(&text).expect("what was written");
    assert_eq!(read.to_text(), text);
    assert_eq!(draw(&shape.generator(), replay(&read)), (Some(value), tape));
}

#[rebut::test(cases = 300)]
fn a_replay_string_draws_the_same(shape: Shape, seed: u64) {
    let (value, tape) = drawn(&shape.generator(), seed);
    let word = tape.to_replay_string();
    let read = Tape::from_replay_string(&word).expect("what was written");
    assert_eq!(read.to_replay_string(), word);
    assert!(word.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b)), "{word}");
    assert_eq!(draw(&shape.generator(), replay(&read)), (Some(value), tape));
}

#[rebut::test(cases = 300)]
fn a_tape_draws_what_it_recorded(shape: Shape, seed: u64) -> bool {
    draws_what_it_recorded(&shape.generator(), seed)
}

fn draws_what_it_recorded(generator: &Boxed<'_, Value>, seed: u64) -> bool {
    let (value, tape) = drawn(generator, seed);
    draw(generator, replay(&tape)) == (Some(value), tape)
}

#[rebut::test]
fn any_text_is_a_tape_or_refused(
    text: String,
    #[generate(matches = "([bicef(]?[gs]?-?[0-9a-f]{0,4}\\)? ?){0,6}")] similar: String,
    #[generate(matches = "r1\\.[A-Za-z0-9_-]{0,30}")] word: String,
) {
    for text in [text, similar] {
        let _ = Tape::from_replay_string(&text);
        if let Ok(tape) = Tape::from_text(&text) {
            assert_eq!(Tape::from_text(&tape.to_text()), Ok(tape));
        }
    }
    if let Ok(tape) = Tape::from_replay_string(&word) {
        assert_eq!(Tape::from_replay_string(&tape.to_replay_string()), Ok(tape));
    }
}

/// A change of a tape at places that are taken modulo its length.
#[derive(Clone, Debug, Generate)]
enum Edit {
    Delete {
        at: u16,
        #[generate(max_value = 5)]
        count: u16,
    },
    Copy {
        from: u16,
        to: u16,
        #[generate(max_value = 5)]
        count: u16,
    },
    Swap {
        a: u16,
        b: u16,
    },
    Set {
        at: u16,
        number: i128,
    },
    Cut {
        at: u16,
    },
}

fn edited(tape: &Tape, edits: &[Edit]) -> Tape {
    let mut tokens = tape.tokens().to_vec();
    for edit in edits {
        let length = tokens.len();
        if length == 0 {
            break;
        }
        let place = |at: u16| usize::from(at) % length;
        match *edit {
            Edit::Delete { at, count } => {
                let start = place(at);
                tokens.drain(start..(start + usize::from(count)).min(length));
            }
            Edit::Copy { from, to, count } => {
                let start = place(from);
                let copied = tokens[start..(start + usize::from(count)).min(length)].to_vec();
                tokens.splice(place(to)..place(to), copied);
            }
            Edit::Swap { a, b } => tokens.swap(place(a), place(b)),
            Edit::Set { at, number } => {
                if let Token::Choice(choice) = &mut tokens[place(at)] {
                    choice.number = number;
                }
            }
            Edit::Cut { at } => tokens.truncate(place(at)),
        }
    }
    Tape::new(tokens)
}

#[rebut::test]
fn an_edited_tape_draws_a_value_in_range(
    shape: Shape,
    seed: u64,
    #[generate(min_size = 1, max_size = 5)] edits: Vec<Edit>,
) {
    let generator = shape.generator();
    let (_, tape) = drawn(&generator, seed);
    let changed = edited(&tape, &edits);
    let fallback = Fallback::Random(Box::new(Random::new(seed)));
    for drive in [replay(&changed), AnyDriver::Replay(Box::new(Replay::new(&changed, fallback)))] {
        let (value, tape) = draw(&generator, drive);
        let Some(value) = value else { continue };
        assert!(shape.contains(&value), "{value:?}");
        let in_domain = |choice: &rebut::choice::Choice| choice.domain.contains(choice.number);
        assert!(tape.choices().all(in_domain));
        assert_eq!(draw(&generator, replay(&tape)), (Some(value), tape));
    }
    cover!("changed", changed != tape, at_least 30 %);
}

#[rebut::test(cases = 300)]
fn tapes_are_ordered(shape: Shape, seeds: [u64; 3]) {
    let generator = shape.generator();
    let [a, b, c] = seeds.map(|seed| drawn(&generator, seed).1);
    assert_eq!(a.compare(&b), b.compare(&a).reverse());
    assert_eq!(a.compare(&a), Ordering::Equal);
    if a.compare(&b).is_le() && b.compare(&c).is_le() {
        assert!(a.compare(&c).is_le());
    }
    let (_, simplest) = draw(&generator, AnyDriver::Simplest);
    if simplest.len() == a.len() {
        assert!(simplest.compare(&a).is_le(), "{} {}", simplest.to_text(), a.to_text());
    }
}

// Drivers.

/// All values in the order of the walk; none if there are more than that.
fn walk(generator: &Boxed<'_, Value>, max: usize) -> Option<Vec<(Option<Value>, Tape)>> {
    let mut walk = Box::new(Exhaustive::default());
    let mut all = Vec::new();
    while all.len() < max {
        let mut source = Source::new(AnyDriver::Exhaustive(walk));
        all.push(shapes::draw_from(generator, &mut source));
        let AnyDriver::Exhaustive(back) = source.into_driver() else {
            unreachable!("it is given back")
        };
        walk = back;
        if !walk.advance() {
            return Some(all);
        }
    }
    None
}

#[rebut::test(cases = 300)]
fn a_walk_visits_every_input_once(#[from(any::<Shape>().map(Shape::tamed))] shape: Shape) {
    const MAX: u128 = 2_000;
    let size = shape.size();
    assume!(size < MAX, "few inputs");
    let all = walk(&shape.generator(), MAX as usize).expect("as few as were counted");
    assert_eq!(all.len() as u128, size);
    let tapes: HashSet<String> = all.iter().map(|(_, tape)| tape.to_text()).collect();
    assert_eq!(tapes.len(), all.len());
    assert!(all.iter().flat_map(|(value, _)| value).all(|value| shape.contains(value)));
    assert!(all[0].1.is_simplest());
    cover!("more than a few", size > 20);
}

/// Not always: how many inputs there are is estimated before they are walked.
#[rebut::test(cases = 100)]
fn properties_with_few_inputs_are_proved(#[from(any::<Shape>().map(Shape::tamed))] shape: Shape) {
    let size = shape.size();
    assume!(size <= 200, "few inputs");
    let report = Check::new("inner").run(|case| shape.contains(&case.draw(shape.generator())));
    match report.verdict {
        Verdict::Proved { inputs } => assert_eq!(u128::from(inputs), size),
        _ => assert!(report.verdict.is_success(), "{report}"),
    }
    let is_proved = matches!(report.verdict, Verdict::Proved { .. });
    cover!("proved", is_proved, at_least 75 %);
}

// Shrinking and explaining.

/// Runs a claim about drawn values, beginning with a tape.
fn check_from(tape: &Tape, shape: &Shape, claim: &Claim) -> Report {
    let word = tape.to_replay_string();
    let check = Check::new("inner").configure(|settings| {
        settings.replay = Some(word);
        settings.explain = false;
    });
    check.run(|case| claim.holds(&case.draw(shape.generator())))
}

fn only(report: &Report) -> &Counterexample {
    match &report.verdict {
        Verdict::Failed(found) => &found[0],
        _ => panic!("not refuted: {report}"),
    }
}

#[rebut::test(cases = 200)]
fn shrunk_cases_fail_and_are_simpler_and_cannot_be_shrunk(
    shape: Shape,
    claim: Claim,
    #[generate(max_value = 1000)] seed: u64,
) {
    let generator = shape.generator();
    let starts = (seed..seed + 40).filter_map(|seed| {
        let (value, tape) = draw(&generator, random(seed));
        value.filter(|value| !claim.holds(value)).map(|_| tape)
    });
    let start = starts.max_by(Tape::compare);
    assume!(start.is_some(), "the claim can be refuted");
    let start = start.expect("assumed");

    let report = check_from(&start, &shape, &claim);
    let told = only(&report);
    // The tape has a span around the draw, which the generator alone does not open.
    let flat = Tape::from_replay_string(&told.tape.to_replay_string()).expect("a tape");
    let (value, again) = draw(&generator, replay(&flat));
    assert!(value.is_some_and(|value| !claim.holds(&value)), "{report}");
    assert_eq!(again.compare(&told.tape), Ordering::Equal);
    assert!(told.tape.compare(&start).is_le(), "{report}\n{}", start.to_text());
    cover!("shrunk", told.tape.compare(&start).is_lt(), at_least 30 %);

    let second = check_from(&told.tape, &shape, &claim);
    let second = only(&second);
    assert!(told.shrink_gave_up || second.tape == told.tape, "{report}\n{}", second.tape.to_text());
}

/// Fails if some numbers are large enough, whatever the others are.
#[rebut::test(cases = 200)]
fn free_parts_do_not_matter(
    #[generate(min_size = 1, max_size = 5)] needed: Vec<Option<std::num::NonZero<u8>>>,
) {
    let start = Tape::from_text(&"i255 ".repeat(needed.len())).expect("a tape");
    let check = Check::new("inner").configure(|s| s.replay = Some(start.to_replay_string()));
    let report = check.run(|case| {
        let numbers: Vec<u8> =
            needed.iter().map(|_| case.draw_as("number", integers::<u8>())).collect();
        !needed.iter().zip(&numbers).all(|(needed, &n)| needed.is_none_or(|least| n >= least.get()))
    });
    let told = only(&report);
    let shown = |n: usize| told.values[n].code.as_str();
    for (n, needed) in needed.iter().enumerate() {
        let free =
            told.free.iter().any(|part| part.value == n && part.bytes == (0..shown(n).len()));
        assert_eq!(free, needed.is_none(), "{report}");
        assert_eq!(shown(n), needed.map_or(0, |least| least.get()).to_string());
    }
    cover!("some are free", !told.free.is_empty());
}

#[rebut::test(cases = 200)]
fn numbers_that_depend_on_each_other_are_not_free(gap: u8) {
    let start = Tape::from_text(&format!("i0 i{gap}")).expect("a tape");
    let check = Check::new("inner").configure(|s| s.replay = Some(start.to_replay_string()));
    let report = check.run(|case| {
        let [a, b] = ["a", "b"].map(|name| case.draw_as(name, integers::<i32>()));
        a.wrapping_add(i32::from(gap)) != b
    });
    assert!(only(&report).free.is_empty(), "{report}");
}

// What is written and read.

/// The text of a literal of Rust.
fn unquoted(code: &str, quote: char) -> Option<String> {
    let mut characters = code.strip_prefix(quote)?.strip_suffix(quote)?.chars();
    let mut text = String::new();
    while let Some(c) = characters.next() {
        if c == quote {
            return None;
        }
        if c != '\\' {
            text.push(c);
            continue;
        }
        text.push(match characters.next()? {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '0' => '\0',
            'u' => {
                let code: String = characters.by_ref().take_while(|&c| c != '}').collect();
                char::from_u32(u32::from_str_radix(code.strip_prefix('{')?, 16).ok()?)?
            }
            quoted => quoted,
        });
    }
    Some(text)
}

#[rebut::test]
fn code_says_the_value(n: i128, x: f64, c: char, text: String, list: Vec<i16>, o: Option<bool>) {
    assert_eq!(Code::of(&n).parse(), Ok(n));
    match Code::of(&x).strip_prefix("f64::") {
        None => assert_eq!(Code::of(&x).parse().map(f64::to_bits), Ok(x.to_bits())),
        Some("NAN") => assert!(x.is_nan()),
        Some("INFINITY") => assert_eq!(x, f64::INFINITY),
        Some("NEG_INFINITY") => assert_eq!(x, f64::NEG_INFINITY),
        Some(other) => panic!("{other}"),
    }
    assert_eq!(unquoted(&Code::of(&c), '\''), Some(c.to_string()));
    assert_eq!(unquoted(&Code::of(text.as_str()), '"'), Some(text));
    let code = Code::of(&list);
    let inside =
        code.strip_prefix("vec![").and_then(|code| code.strip_suffix(']')).expect("a list");
    let read: Vec<i16> = match inside.split_once("; ") {
        Some((one, count)) => vec![one.parse().expect("a number"); count.parse().expect("a size")],
        None if inside.is_empty() => Vec::new(),
        None => inside.split(", ").map(|n| n.parse().expect("a number")).collect(),
    };
    assert_eq!(read, list);
    assert_eq!(Code::of(&o), format!("{o:?}"));
}

fn failures() -> impl Generator<Value = Failure> {
    let kinds = ["panic", "wrong-result", "abort", "hang", "exit"];
    let location = (any::<String>(), any::<u32>(), any::<u32>())
        .map(|(file, line, column)| Location { file, line, column });
    let parts = (sampled_from(kinds), any::<String>(), options(location));
    parts.map(|(kind, message, location)| {
        let kind = FailureKind::from_name(kind).expect("a kind");
        Failure::new(kind, &message, location)
    })
}

fn shown_values() -> impl Generator<Value = Vec<ShownValue>> {
    let texts = (any::<String>(), any::<String>(), any::<String>());
    vecs(texts.map(|(name, type_name, code)| ShownValue { name, type_name, code })).max_size(3)
}

/// A folder for one case, removed when it ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        let name = format!("ourselves-{}", std::process::id());
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&path).expect("a folder below `target`");
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[rebut::test(cases = 60)]
fn databases_give_back_what_they_were_given(
    test: String,
    #[from(failures())] failure: Failure,
    #[from(shown_values())] values: Vec<ShownValue>,
    shape: Shape,
    seed: u64,
    shrunk: bool,
) {
    let (_, tape) = drawn(&shape.generator(), seed);
    // What is read back knows nothing of domains.
    let tape = Tape::from_text(&tape.to_text()).expect("what was written");
    let case = StoredCase::new(&failure, &values, &tape, shrunk);
    let scratch = Scratch::new();
    let files = FileDatabase::new(scratch.0.to_str().expect("UTF-8"));
    for database in [&files as &dyn Database, &MemoryDatabase::default()] {
        database.save(&test, &case).expect("a place to write");
        assert_eq!(database.load(&test), std::slice::from_ref(&case));
        assert!(database.load(&format!("{test}x")).is_empty());
        database.remove(&test, &case.id).expect("it can be removed");
        assert!(database.load(&test).is_empty());
        assert!(database.take_warnings().is_empty());
    }
}

// Search.

/// A temperature from 0 to 1.
fn temperatures() -> impl Generator<Value = f64> {
    integers::<u32>().max_value(100).map(|percent| f64::from(percent) / 100.0)
}

/// What a generator makes of an edited tape, with random choices where it has none.
fn follow(generator: &Boxed<'_, Value>, tape: Tape, seed: u64) -> (Option<Value>, Tape) {
    let fallback = Fallback::Random(Box::new(Random::new(seed)));
    draw(generator, AnyDriver::Replay(Box::new(Replay::from_owned(tape, fallback))))
}

#[rebut::test(cases = 300)]
fn neighbors_are_values_of_the_generator(
    shape: Shape,
    seed: u64,
    #[from(temperatures())] temperature: f64,
    #[generate(min_value = 1, max_value = 20)] places: usize,
) {
    let generator = shape.generator();
    let (_, tape) = drawn(&generator, seed);
    let near = Neighborhood::new(tape);
    for operator in near.operators() {
        let edited = near.edit(operator, temperature, places, &mut Rng::new(seed));
        let (value, recorded) = follow(&generator, edited, seed);
        let Some(value) = value else { continue };
        assert!(shape.contains(&value), "{operator:?}: {value:?}");
        assert_eq!(draw(&generator, replay(&recorded)), (Some(value), recorded), "{operator:?}");
    }
    cover!("something can be edited", !near.operators().is_empty());
}

#[rebut::test(cases = 300)]
fn an_edit_that_applies_changes_something_sooner_or_later(shape: Shape, seed: u64) {
    let generator = shape.generator();
    let (_, tape) = drawn(&generator, seed);
    let near = Neighborhood::new(tape.clone());
    for operator in near.operators() {
        // The others put parts in the place of parts, which may be equal.
        use Operator::{Delete, Duplicate, Grow, Insert, Nudge, Redraw, Switch};
        if !matches!(operator, Delete | Duplicate | Grow | Insert | Nudge | Redraw | Switch) {
            continue;
        }
        let changes = |n: u64| near.edit(operator, 1.0, 1, &mut Rng::new(n)) != tape;
        assert!((0..100).any(changes), "{operator:?} changes nothing of {}", tape.to_text());
    }
}

// Canaries.

#[test]
fn the_random_driver_refutes() {
    let report = Check::new("canary").seed(3).run(|case| case.draw(integers::<u64>()) < 1 << 50);
    assert!(matches!(only(&report).found_by, FoundBy::Random(1..)), "{report}");
}

#[test]
fn the_exhaustive_driver_refutes() {
    let report = Check::new("canary").seed(3).run(|case| {
        let (a, b) = case.draw((integers::<u16>().max_value(499), booleans()));
        (a, b) != (317, true)
    });
    assert_eq!(only(&report).found_by, FoundBy::Exhaustive, "{report}");
}

#[test]
fn the_shrinker_shrinks() {
    let report = Check::new("canary").seed(3).run(|case| case.draw(integers::<u32>()) < 54_321);
    assert_eq!(only(&report).values[0].code, "54321", "{report}");
}

#[test]
fn the_explanation_marks_what_is_free_and_nothing_else() {
    let report = Check::new("canary").seed(3).run(|case| {
        let (n, _) = case.draw((integers::<u32>(), integers::<u32>()));
        n < 77
    });
    let told = only(&report);
    assert_eq!(told.values[0].code, "(77, 0)");
    let free: Vec<&str> =
        told.free.iter().map(|part| &told.values[0].code[part.bytes.clone()]).collect();
    assert_eq!(free, ["0"], "{report}");
}

#[test]
fn a_generator_that_is_no_function_of_its_tape_is_caught() {
    let calls = Cell::new(0);
    let generator = integers::<i64>().map(|n| {
        calls.set(calls.get() + 1);
        Value::Integer(n ^ calls.get())
    });
    assert!(!draws_what_it_recorded(&generator.boxed(), 1));
}

#[test]
fn a_shape_that_lies_about_its_range_is_caught() {
    let (narrow, wide) = (Shape::Integer { min: 0, max: 9 }, Shape::Integer { min: 0, max: 10 });
    let report = Check::new("canary").run(|case| narrow.contains(&case.draw(wide.generator())));
    assert_eq!(only(&report).values[0].code, "Integer(10)", "{report}");
}
