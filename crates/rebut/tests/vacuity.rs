//! Bodies of properties as people write them, and whether Rebut notices that they check nothing.
//!
//! Each body depends on `parse`. It runs once while `parse` always fails, with the expected result in
//! the table, and once while `parse` always succeeds. Then every body must check something: this
//! second run is the canary of the first.

// The bodies are as people write them, not as clippy likes them.
#![expect(
    clippy::single_match,
    clippy::collapsible_if,
    clippy::vec_init_then_push,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::assertions_on_constants,
    clippy::never_loop,
    clippy::map_err_ignore,
    clippy::diverging_sub_expression,
    clippy::unnecessary_map_on_constructor,
    reason = "shapes of published tests"
)]

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

mod listening {
    use std::cell::Cell;

    use rebut::__private::Test;

    thread_local! {
        static HEARD: Cell<Option<Test>> = const { Cell::new(None) };
    }

    pub(crate) fn hear(test: fn()) -> Test {
        test();
        HEARD.take().expect("a test calls the runner")
    }

    pub(crate) mod __private {
        pub(crate) use rebut::__private::*;

        pub(crate) fn run_test(test: &Test) {
            super::HEARD.set(Some(*test));
        }
    }
}

static PARSES: AtomicBool = AtomicBool::new(false);

#[derive(Clone, Debug, PartialEq)]
struct Parsed(String);

impl Parsed {
    fn check(&self) {
        assert_eq!(write(self).len(), self.0.len());
    }

    fn agree(&self, n: u32) {
        assert_eq!(self.0, encode(n));
    }

    fn touch(&self) {}

    fn give_up(&self) -> ! {
        panic!("{self:?}")
    }
}

fn parse(text: &str) -> Result<Parsed, String> {
    match PARSES.load(Ordering::Relaxed) {
        true => Ok(Parsed(text.to_owned())),
        false => Err("no".to_owned()),
    }
}

fn try_parse(text: &str) -> Option<Parsed> {
    parse(text).ok()
}

fn is_valid(text: &str) -> bool {
    parse(text).is_ok()
}

fn parts(text: &str) -> Vec<Parsed> {
    parse(text).into_iter().collect()
}

fn write(parsed: &Parsed) -> String {
    parsed.0.clone()
}

fn check_roundtrip(parsed: &Parsed) {
    assert_eq!(write(parsed), parsed.0);
}

fn process(_: &Parsed) {}

fn encode(n: u32) -> String {
    n.to_string()
}

fn decode(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("not a number: {text}"))
}

fn err(message: &str) -> Result<(), String> {
    Err(message.to_owned())
}

struct Counter(usize);

impl Counter {
    fn assertions(&self) -> usize {
        self.0
    }
}

macro_rules! stop {
    ($message:literal) => {
        panic!($message)
    };
}

macro_rules! the {
    ($value:expr) => {
        match $value {
            Ok(value) => value,
            Err(error) => panic!("{error}"),
        }
    };
}

fn fill(text: &mut String, n: u8) {
    text.push_str(&n.to_string());
}

fn fill_all(text: Option<&mut String>, n: u8) {
    text.into_iter().for_each(|text| fill(text, n));
}

fn fail(n: u8) -> ! {
    panic!("{n}")
}

fn give_up(n: u8) -> ! {
    panic!("{n}")
}

macro_rules! append {
    ($text:expr, $n:expr) => {
        $text.push_str(&$n.to_string())
    };
}

fn has_simd() -> bool {
    false
}

macro_rules! same {
    ($a:expr, $b:expr) => {
        if $a != $b {
            panic!("not the same")
        }
    };
}

/// The expected result while nothing parses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// The test fails, because no case checks anything.
    Vacuous,
    /// The test passes with a warning: what no case reaches are only calls.
    Warned,
    /// The test passes with a warning: something may be a check, and no other one is reached.
    Doubtful,
    /// Something is checked.
    Passes,
    /// Nothing is known.
    Unknown,
}

use Expected::{Doubtful, Passes, Unknown, Vacuous, Warned};

macro_rules! shapes {
    ($($expected:ident $name:ident($($parameters:tt)*) $(-> $output:ty)? { $($body:tt)* })*) => {
        mod bodies {
            #[allow(unused_imports, reason = "not all bodies use all items")]
            use super::*;
            $(
                #[rebut::test(crate = crate::listening)]
                pub(super) fn $name($($parameters)*) $(-> $output)? { $($body)* }
            )*
        }

        const SHAPES: &[(&str, fn(), Expected)] =
            &[$((stringify!($name), bodies::$name as fn(), $expected)),*];
    };
}

shapes! {
    // Assertions in a branch.
    Vacuous if_let(s: String) {
        if let Ok(x) = parse(&s) {
            assert_eq!(write(&x), s);
        }
    }
    Vacuous if_let_without_semicolon(s: String) { if let Ok(x) = parse(&s) { assert_eq!(write(&x), s) } }
    Vacuous if_is_ok(s: String) {
        if parse(&s).is_ok() {
            assert!(is_valid(&s));
        }
    }
    Vacuous let_else_return(s: String) {
        let Ok(x) = parse(&s) else { return };
        assert_eq!(write(&x), s);
    }
    Vacuous match_with_empty_arm(s: String) {
        match parse(&s) {
            Ok(x) => assert_eq!(write(&x), s),
            _ => {}
        }
    }
    Vacuous match_with_unit_arm(s: String) {
        match parse(&s) {
            Ok(x) => {
                let again = write(&x);
                assert_eq!(again, s);
            }
            Err(_) => (),
        }
    }
    Vacuous match_binds_or_returns(s: String) {
        let x = match parse(&s) {
            Ok(x) => x,
            Err(_) => return,
        };
        assert_eq!(write(&x), s);
    }
    Vacuous early_return(s: String) {
        if !is_valid(&s) {
            return;
        }
        assert_eq!(s.len(), s.len());
    }
    Vacuous let_chain_of_conditions(s: String, n: u8) {
        if n < 255 {
            if let Some(x) = try_parse(&s) {
                if n < 250 {
                    assert_eq!(write(&x), s);
                }
            }
        }
    }
    Vacuous loop_over_nothing(s: String) {
        for x in parts(&s) {
            assert_eq!(write(&x), s);
        }
    }
    Vacuous loop_over_filtered(list: Vec<String>) {
        for s in list.iter().filter(|s| is_valid(s)) {
            assert!(parse(s).is_ok());
        }
        rebut::assume!(!list.is_empty());
    }
    Vacuous loop_with_continue(list: Vec<String>) {
        rebut::assume!(!list.is_empty());
        for s in &list {
            let Ok(x) = parse(s) else { continue };
            assert_eq!(write(&x), *s);
        }
    }
    Vacuous while_let(s: String) {
        let mut rest = parts(&s);
        while let Some(x) = rest.pop() {
            assert_eq!(write(&x), s);
        }
    }
    Vacuous closure_that_never_runs(s: String) {
        parse(&s).iter().for_each(|x| assert_eq!(write(x), s));
    }
    Vacuous closure_with_a_block(s: String) {
        let _ = parse(&s).map(|x| {
            assert_eq!(write(&x), s);
        });
    }
    Vacuous assertion_by_path(s: String) {
        if let Ok(x) = parse(&s) {
            std::assert_eq!(write(&x), s);
        }
    }
    Vacuous debug_assertion(s: String) {
        if let Ok(x) = parse(&s) {
            debug_assert_eq!(write(&x), s);
        }
    }
    Vacuous assertion_in_a_block(s: String) {
        if let Ok(x) = parse(&s) {
            {
                assert_eq!(write(&x), s);
            }
        }
    }
    Vacuous macro_of_its_own(s: String) {
        if let Ok(x) = parse(&s) {
            same!(write(&x), s);
        }
    }
    Vacuous helper_in_a_branch(s: String) {
        if let Ok(x) = parse(&s) {
            check_roundtrip(&x);
        }
        let _ = s.len();
    }
    Vacuous method_helper_in_a_branch(s: String) {
        if let Ok(x) = parse(&s) {
            x.check();
        }
    }
    Vacuous helper_without_semicolon(s: String) { if let Ok(x) = parse(&s) { check_roundtrip(&x) } }
    Vacuous helper_in_an_arm(s: String) {
        match parse(&s) {
            Ok(x) => check_roundtrip(&x),
            Err(_) => {}
        }
    }
    Vacuous printing_is_no_check(s: String) {
        print!("{}", &s[..0]);
        match parse(&s) {
            Ok(x) => assert_eq!(write(&x), s),
            Err(error) => print!("{}", &error[2..]),
        }
    }
    Vacuous labels_are_no_check(s: String) {
        rebut::label!("{} bytes", s.len());
        rebut::maximize(s.len());
        if let Ok(x) = parse(&s) {
            assert_eq!(write(&x), s);
        }
    }
    Vacuous setup_is_no_check(s: String) {
        let mut list = Vec::new();
        list.push(s.clone());
        list.sort();
        let number: u8 = "7".parse().unwrap();
        if let Ok(x) = parse(&s) {
            assert_eq!(write(&x), list[usize::from(number - 7)]);
        }
    }
    Vacuous assertion_on_a_thread(s: String) {
        if let Ok(x) = parse(&s) {
            std::thread::spawn(move || assert_eq!(write(&x), s)).join().unwrap();
        }
    }
    Vacuous panic_in_an_unreached_condition(s: String) {
        if let Ok(x) = parse(&s) {
            if write(&x) != s {
                panic!("not the same");
            }
        }
    }
    Vacuous expectation_of_the_value(s: String) {
        if let Ok(x) = parse(&s) {
            write(&x).strip_prefix(&s).expect("the same");
        }
    }

    // Ways from the input to a condition.
    Vacuous flows_captured(n: u8) {
        let text = format!("{n}x");
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_captured_with_format(n: u8) {
        let text = format!("{n:>3}");
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_captured_width(n: u8) {
        let width = usize::from(n); let text = format!("{:>width$}", 1);
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_captured_in_a_raw_string(n: u8) {
        let text = format!(r#"{n:?}"#);
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_added(n: u8) {
        let mut text = String::new(); text += &n.to_string();
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_shifted(n: u8) {
        let mut sum = 0_u32; sum <<= u32::from(n % 9); let text = sum.to_string();
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_written(n: u8) {
        let mut text = String::new(); let _ = write!(text, "{n}");
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_written_by_argument(n: u8) {
        let mut text = String::new(); let _ = write!(text, "{}", n);
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_written_to_a_reference(n: u8) {
        let mut text = String::new(); let _ = writeln!(&mut text, "{n}");
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_written_and_unwrapped(n: u8) {
        let mut text = String::new(); write!(text, "{n}").unwrap();
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_to_a_field(n: u8) {
        let mut pair = (String::new(), 0); pair.0 = n.to_string(); let text = pair.0;
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_to_an_index(n: u8) {
        let mut list = [String::new()]; list[0] = n.to_string(); let text = list.concat();
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_by_an_index(n: u8) {
        let mut list = vec![0_u8; 256]; list[usize::from(n)] = 1; let text = format!("{list:?}");
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_destructured(n: u8) {
        let mut text; let rest; (text, rest) = (n.to_string(), 1); text.truncate(rest);
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_by_method(n: u8) {
        let mut text = String::new(); text.push_str(&n.to_string());
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_by_method_with_value(n: u8) {
        let mut text = String::new(); let _ = text.write_str(&n.to_string());
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_by_function(n: u8) {
        let mut text = String::new(); let () = fill(&mut text, n);
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_by_function_inside(n: u8) {
        let mut text = String::new(); let () = fill_all(Some(&mut text), n);
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_by_reference(n: u8) {
        let mut text = String::new(); let target = &mut text; target.push_str(&n.to_string());
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_by_passed_reference(n: u8) {
        let mut text = String::new(); let target = &mut text; let () = fill(target, n);
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_by_element(n: u8) {
        let mut list = [String::new()]; if let Some(last) = list.last_mut() { *last = n.to_string(); } let text = list.concat();
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_by_loop_element(n: u8) {
        let mut list = vec![0_u8; 3]; for one in &mut list { *one += n / 2; } let text = format!("{list:?}");
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_by_iterator(n: u8) {
        let mut list = vec![0_u8; 3]; for one in list.iter_mut() { *one = n; } let text = format!("{list:?}");
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_by_for_each(n: u8) {
        let mut text = String::new(); let () = (0..n).for_each(|_| text.push('a'));
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_by_count(n: u8) {
        let mut text = String::new(); for _ in 0..n { text.push('a'); }
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_by_while(n: u8) {
        let mut text = String::new(); while text.len() < usize::from(n) { text.push('a'); }
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_by_condition(n: u8) {
        let mut text = String::new(); if n > 3 { text += "a"; }
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_by_match(n: u8) {
        let mut text = String::new(); match n { 0 => text += "a", _ => text += "b" }
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_by_value_of_condition(n: u8) {
        let text = if n > 3 { "a".to_owned() } else { String::new() };
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_by_cell(n: u8) {
        let cell = std::cell::Cell::new(0); let _ = cell.replace(n); let text = cell.get().to_string();
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_by_swap(n: u8) {
        let mut text = String::new(); let mut other = n.to_string(); std::mem::swap(&mut text, &mut other);
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Doubtful flows_by_macro_of_its_own(n: u8) {
        let mut text = String::new(); let () = append!(text, n);
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_by_next_round(n: u8) {
        let mut text = String::new(); let mut last = String::new(); for _ in 0..2 { text = last.clone(); last = n.to_string(); }
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_by_shadowing(n: u8) {
        let text = n; let text = text.to_string();
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_by_extension(n: u8) {
        let mut text = String::new(); text.extend([n].iter().map(u8::to_string));
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Vacuous flows_by_entry(n: u8) {
        let mut map = std::collections::BTreeMap::new(); *map.entry(1).or_insert(0_u8) += n; let text = format!("{map:?}");
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    // Nothing leads from the input to the condition, which the machine decides.
    Passes flows_nowhere(n: u8) {
        let mut text = String::new();
        text.push('a');
        let _ = n.checked_add(1);
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }
    Passes flows_not_from_a_literal(n: u8) {
        let text = String::from("{n}");
        let _ = n;
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), text);
        }
    }

    // Functions that do not return.
    Passes diverges_by_name(n: u8, s: String) {
        if u16::from(n) > 300 {
            fail(n);
        }
        if let Ok(x) = parse(&s) {
            assert_eq!(write(&x), s);
        }
    }
    Passes diverges_in_an_arm(n: u8, s: String) {
        let _ = match u16::from(n) {
            n if n > 300 => fail(0),
            n => n,
        };
        if let Ok(x) = parse(&s) {
            assert_eq!(write(&x), s);
        }
    }
    Warned diverges(n: u8, s: String) {
        if u16::from(n) > 300 {
            give_up(n);
        }
        if let Ok(x) = parse(&s) {
            assert_eq!(write(&x), s);
        }
    }
    Warned diverges_without_semicolon(n: u8, s: String) {
        if u16::from(n) > 300 { give_up(n) }
        if let Ok(x) = parse(&s) {
            assert_eq!(write(&x), s);
        }
    }
    Warned diverges_as_an_arm(n: u8, s: String) {
        match u16::from(n) {
            0..300 => {}
            _ => give_up(n),
        }
        if let Ok(x) = parse(&s) {
            assert_eq!(write(&x), s);
        }
    }
    Warned diverges_by_a_method(n: u8, s: String) {
        if u16::from(n) > 300 {
            println!("{n}");
            Parsed(s.clone()).give_up();
        }
        if let Ok(x) = parse(&s) {
            assert_eq!(write(&x), s);
        }
    }

    // A branch that always fails: its condition is the check.
    Passes asserts_false(n: u32) {
        if decode(&encode(n)) != Ok(n) {
            assert!(false, "no round trip for {n}");
        }
    }
    Passes asserts_false_in_an_arm(n: u32) {
        match decode(&encode(n)) {
            Ok(m) if m == n => {}
            other => assert!(false, "{other:?}"),
        }
    }
    Passes asserts_false_in_let_else(n: u32) {
        let Some(_) = decode(&encode(n)).ok().filter(|m| *m == n) else {
            assert!(false, "lost");
            return;
        };
    }
    Passes asserts_false_in_a_loop(n: u32) {
        while decode(&encode(n)) != Ok(n) {
            assert!(false);
        }
    }
    Passes panics_in_a_loop(n: u32) {
        for m in decode(&encode(n)).into_iter().filter(|m| *m != n) {
            panic!("{m}");
        }
    }
    Passes asserts_the_opposite(n: u32) {
        let m = decode(&encode(n));
        if m != Ok(n) {
            println!("{m:?}");
            assert_eq!(m, Ok(n));
        }
    }
    Passes asserts_the_opposite_of_an_option(n: u32) {
        let r = decode(&encode(n)).ok().filter(|m| *m == n);
        if r.is_none() {
            assert!(r.is_some(), "lost {n}");
        }
    }
    Passes asserts_the_opposite_of_a_method(list: Vec<u32>) {
        let bad: Vec<_> = list.iter().filter(|n| decode(&encode(**n)) != Ok(**n)).collect();
        if !bad.is_empty() {
            assert!(bad.is_empty(), "{bad:?}");
        }
    }
    Passes unwraps_the_opposite(n: u32) {
        let r = decode(&encode(n));
        if r.is_err() {
            r.unwrap();
        }
    }
    Passes asserts_the_opposite_of_an_order(mut list: Vec<u32>) {
        list.sort();
        rebut::assume!(list.len() > 1);
        for pair in list.windows(2) {
            if pair[0] > pair[1] {
                assert!(pair[0] <= pair[1], "not sorted");
            }
        }
    }
    Passes returns_before_a_failure(n: u32) {
        let m = decode(&encode(n));
        if m == Ok(n) {
            return;
        }
        assert_eq!(m, Ok(n));
    }
    Passes returns_before_a_panic(n: u32) {
        if decode(&encode(n)) == Ok(n) {
            return;
        }
        unreachable!("{n}")
    }
    Passes breaks_before_a_panic(n: u32) {
        loop {
            if decode(&encode(n)) == Ok(n) {
                break;
            }
            panic!("no round trip");
        }
    }
    Passes or_panics(n: u32) {
        let ok = decode(&encode(n)) == Ok(n) || panic!("no round trip for {n}");
        if !ok {
            assert_eq!(n, 0);
        }
    }
    Passes fails_by_question_mark(n: u32) -> Result<(), Box<dyn std::error::Error>> {
        if decode(&encode(n)) != Ok(n) {
            Err("no round trip")?;
        }
        Ok(())
    }
    Passes fails_by_a_helper(n: u32) -> Result<(), String> {
        if decode(&encode(n)) == Ok(n) { Ok(()) } else { err("no round trip") }
    }
    Passes fails_by_an_early_helper(n: u32) -> Result<(), String> {
        if decode(&encode(n)) != Ok(n) {
            return err("no round trip");
        }
        Ok(())
    }
    Passes fails_by_the_error_itself(n: u32) -> Result<(), String> {
        let r = decode(&encode(n)).map(|_| ());
        if r.is_err() {
            return r;
        }
        Ok(())
    }
    Passes fails_by_a_converted_error(n: u32) -> Result<(), String> {
        if decode(&encode(n)) != Ok(n) {
            return Err("no round trip").map_err(String::from);
        }
        Ok(())
    }
    Passes fails_by_a_variable(n: u32) -> bool {
        let ok = decode(&encode(n)) == Ok(n);
        if !ok {
            return ok;
        }
        true
    }
    Passes method_helper_of_a_value(n: u32) {
        let parsed = Parsed(encode(n));
        parsed.agree(n);
        if let Ok(x) = parse(&parsed.0) {
            assert_eq!(write(&x), parsed.0);
        }
    }

    Passes fails_by_the_other_results(list: Vec<u32>) -> Result<(), String> {
        rebut::assume!(!list.is_empty());
        for n in list {
            match decode(&encode(n)).map(|_| ()) {
                Ok(()) => {}
                other => return other,
            }
        }
        Ok(())
    }
    Passes asserts_the_impossible(n: u32) {
        let m = decode(&encode(n)).unwrap_or(n);
        if m != n {
            assert_ne!(m, m, "wrong");
        }
    }

    // Something that may be a check.
    Doubtful search_for_wrong_elements(list: Vec<u32>) {
        let wrong = list.iter().find(|n| decode(&encode(**n)) != Ok(**n));
        if let Some(n) = wrong {
            assert_eq!(decode(&encode(*n)), Ok(*n));
        }
    }
    Doubtful unknown_macro_with_a_message(n: u32) {
        if decode(&encode(n)) != Ok(n) {
            stop!("no round trip");
        }
        if n.count_ones() > 32 {
            assert_eq!(n, 0);
        }
    }
    Doubtful unwrap_in_a_macro(n: u32) {
        let text = format!("{}", decode(&encode(n)).unwrap());
        if text.len() > 20 {
            assert_eq!(text, "");
        }
    }
    Doubtful value_of_an_unknown_macro(n: u32) {
        let m = the!(decode(&encode(n)));
        if m.count_ones() > 32 {
            assert_eq!(m, n);
        }
    }
    Doubtful function_that_is_passed(list: Vec<u32>) {
        let back: Vec<u32> = list.iter().map(|n| decode(&encode(*n))).map(Result::unwrap).collect();
        if back.len() > 1 << 40 {
            assert_eq!(back, list);
        }
    }
    Doubtful function_for_each(list: Vec<u32>) {
        fn agrees(n: &u32) {
            assert_eq!(decode(&encode(*n)), Ok(*n));
        }
        list.iter().for_each(agrees);
        if list.len() > 1 << 40 {
            assert!(list.is_empty());
        }
    }

    Vacuous search_for_an_element(s: String) {
        if let Some(x) = parts(&s).iter().find(|x| x.0 == s) {
            assert_eq!(write(x), s);
        }
    }

    // The right side of `&&` and `||` rarely runs.
    Vacuous check_behind_and(s: String) {
        let _ = parse(&s).is_ok() && s.strip_prefix("").unwrap() == s;
    }
    Vacuous check_behind_or(s: String) {
        let _ = parse(&s).is_err() || s.strip_prefix("").unwrap() == s;
    }
    Vacuous check_in_a_condition(s: String) {
        if parse(&s).is_ok() && s.strip_prefix("").unwrap() == s {
            drop(s);
        }
    }
    Vacuous words_that_look_like_assertions(s: String) {
        let list = Counter(s.len());
        let _ = list.assertions();
        if let Ok(x) = parse(&s) {
            assert_eq!(write(&x), s);
        }
    }

    // Results.
    Vacuous returns_true(s: String) -> bool {
        match parse(&s) {
            Ok(x) => write(&x) == s,
            Err(_) => true,
        }
    }
    Vacuous returns_true_early(s: String) -> bool {
        if parse(&s).is_err() {
            return true;
        }
        s.len() < usize::MAX
    }
    Vacuous if_else_true(s: String) -> bool {
        if let Ok(x) = parse(&s) { write(&x) == s } else { true }
    }
    Vacuous returns_ok(s: String) -> Result<(), String> {
        if let Ok(x) = parse(&s) {
            if write(&x) != s {
                return Err("not the same".to_owned());
            }
        }
        Ok(())
    }
    Vacuous returns_ok_true(s: String) -> Result<bool, String> {
        let Some(x) = try_parse(&s) else { return Ok(true) };
        Ok(write(&x) == s)
    }
    Passes boolean_result(s: String) -> bool { !is_valid(&s) || parse(&s).is_ok() }
    Passes both_branches_are_compared(s: String) -> bool {
        match parse(&s) {
            Ok(x) => write(&x) == s,
            Err(error) => error == "no",
        }
    }
    Passes result_of_a_call(s: String) -> bool { parse(&s).map_or(s.len() < usize::MAX, |x| write(&x) == s) }
    Passes returns_false_early(s: String) -> bool {
        if s.len() > 1 << 40 {
            return false;
        }
        true
    }

    // Something is checked whatever the input is.
    Passes unconditional(s: String) { assert!(parse(&s).is_ok() || parse(&s).is_err()); }
    Passes both_arms_assert(s: String) {
        match parse(&s) {
            Ok(x) => assert_eq!(write(&x), s),
            Err(error) => assert_eq!(error, "no"),
        }
    }
    Passes helper_beside_a_branch(s: String) {
        check_roundtrip(&Parsed(s.clone()));
        if let Ok(x) = parse(&s) {
            assert_eq!(write(&x), s);
        }
    }
    Passes method_helper_beside_a_branch(s: String) {
        Parsed(s.clone()).check();
        if let Ok(x) = parse(&s) {
            assert_eq!(write(&x), s);
        }
    }
    Passes macro_beside_a_branch(s: String) {
        same!(s, s.clone());
        if let Ok(x) = parse(&s) {
            assert_eq!(write(&x), s);
        }
    }
    Passes call_in_the_other_branch(s: String) {
        match parse(&s) {
            Ok(x) => assert_eq!(write(&x), s),
            Err(error) => {
                Parsed(error).touch();
            }
        }
    }
    Passes call_in_the_other_arm(s: String) {
        match parse(&s) {
            Ok(x) => assert_eq!(write(&x), s),
            Err(error) => Parsed(error).touch(),
        }
    }
    Passes panic_arm(s: String) {
        let written = match write(&Parsed(s.clone())) {
            written if written.len() == s.len() => written,
            _ => panic!("not as long"),
        };
        if let Ok(x) = parse(&written) {
            assert_eq!(write(&x), s);
        }
    }
    Passes panic_in_let_else(s: String) {
        let Some(rest) = s.strip_prefix("") else { panic!("no prefix") };
        if let Ok(x) = parse(rest) {
            assert_eq!(write(&x), s);
        }
    }
    Passes unreachable_arm(n: u8) {
        match n % 2 {
            0 | 1 => {}
            _ => unreachable!(),
        }
    }
    Passes question_mark(s: String) -> Result<(), std::fmt::Error> {
        use std::fmt::Write as _;
        let mut text = String::new();
        write!(text, "{s}")?;
        if let Ok(x) = parse(&text) {
            assert_eq!(write(&x), s);
        }
        Ok(())
    }
    Passes unwrap_of_the_input(n: u32) {
        let again: u32 = n.to_string().parse().unwrap();
        if let Ok(x) = parse(&again.to_string()) {
            assert_eq!(write(&x), n.to_string());
        }
    }
    Passes unwrap_or_else_panic(n: u32) {
        let again: u32 = n.to_string().parse().unwrap_or_else(|_| panic!("{n}"));
        if again != n {
            println!("{again}");
        }
    }
    Passes machine_has_no_simd(s: String) {
        if !has_simd() {
            return;
        }
        assert!(parse(&s).is_ok());
    }
    Passes feature_is_off(s: String) {
        if cfg!(any()) {
            assert!(parse(&s).is_ok());
        }
        let _ = &s;
    }
    Passes assertion_is_compiled_out(s: String) {
        let parsed = parse(&s);
        #[cfg(any())]
        {
            assert!(parsed.is_ok());
        }
        let _ = parsed;
    }
    Passes assertion_on_a_thread_that_runs(s: String) {
        std::thread::spawn(move || assert!(s.len() < usize::MAX)).join().unwrap();
    }
    Passes scoped_threads(s: String) {
        std::thread::scope(|scope| {
            scope.spawn(|| assert!(s.len() < usize::MAX));
        });
    }
    Passes nested_function(s: String) {
        fn compare(a: &str, b: &str) {
            assert_eq!(a, b);
        }
        compare(&s, &s);
        if let Ok(x) = parse(&s) {
            assert_eq!(write(&x), s);
        }
    }
    Passes closure_that_checks(s: String) {
        let holds = |text: &str| assert_eq!(text.len(), s.len());
        holds(&s);
        if let Ok(x) = parse(&s) {
            assert_eq!(write(&x), s);
        }
    }
    Passes fluent_assertion(s: String) {
        struct That(usize);
        impl That {
            fn is_at_least(&self, n: usize) {
                assert!(self.0 >= n);
            }
        }
        fn assert_that(n: usize) -> That {
            That(n)
        }
        assert_that(s.len()).is_at_least(0);
        if let Ok(x) = parse(&s) {
            assert_eq!(write(&x), s);
        }
    }
    Passes collected_errors(list: Vec<u8>) {
        let mut wrong = Vec::new();
        for n in &list {
            if u32::from(*n) > 255 {
                wrong.push(n);
            }
        }
        assert!(wrong.is_empty());
    }

    // A body without a check claims that it does not panic.
    Passes never_panics(s: String) { let _ = parse(&s); }
    Passes parser_never_panics(s: String) {
        if let Ok(x) = parse(&s) {
            let _ = write(&x);
        }
    }
    Passes statement_never_panics(s: String) {
        let mut list = Vec::new();
        list.push(s);
    }
    Warned call_after_return(s: String) {
        if s.len() < 1 << 40 && !PARSES.load(Ordering::Relaxed) {
            return;
        }
        process(&Parsed(s));
    }
    Warned call_in_a_loop_over_nothing(list: Vec<u8>) {
        let mut left = if PARSES.load(Ordering::Relaxed) { 1 } else { list.len() / 1000 };
        while left > 0 {
            process(&Parsed(String::new()));
            left -= 1;
        }
    }
    Warned simulated_crash(n: u32) {
        if n < 90 && PARSES.load(Ordering::Relaxed) {
            process(&Parsed(String::new()));
        }
    }
    Unknown empty(_s: String) {}
    Unknown only_a_score(s: String) { rebut::maximize(s.len()); }
}

/// Returns the report of a body as text.
fn report(test: fn(), parses: bool) -> String {
    PARSES.store(parses, Ordering::Relaxed);
    let mut test = listening::hear(test);
    test.configure = |settings| {
        (settings.cases, settings.seed, settings.database) = (Some(200), Some(1), false);
    };
    let (_, report) = rebut::__private::report_of_test(&test).expect("a report");
    format!("{report}\n{}", report.warnings.join("\n"))
}

/// All bodies run in one test, because they share the state of `parse`.
#[test]
fn bodies_that_check_nothing_fail() {
    let mut wrong = Vec::new();
    for (name, test, expected) in SHAPES {
        let found = report(*test, false);
        let is_as_expected = match expected {
            Vacuous => {
                found.starts_with("error[R003]") && found.contains("` reached none of its checks")
            }
            Warned | Doubtful => !found.contains("error[") && found.contains(" in only 0 of "),
            Passes => found.contains(": passed (200 cases") || found.contains(": proved ("),
            Unknown => found.contains(": passed (200 cases") && !found.contains(" ran in "),
        };
        if !is_as_expected {
            wrong.push(format!("{name}: expected {expected:?}\n{found}"));
        }
        // The canary: the same body, when the inputs are good.
        let found = report(*test, true);
        let checks = match expected {
            Unknown => found.contains(": passed (200 cases"),
            Doubtful => continue,
            _ => found.contains(" in every case") || found.contains(" of 200 cases"),
        };
        if !checks || found.contains("\n  0 of") || found.contains(" in 0 of ") {
            wrong.push(format!("{name}, with good inputs:\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), SHAPES.len(), wrong.join("\n"));
}
