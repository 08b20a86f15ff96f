//! Writes laws as tests that a person could have written.
//!
//! # From a law to a test
//!
//! A law is a guard and a claim about slots. For `Stack::push`, one law may be
//!
//! ```text
//! guard: !before(is_full)      claim: after(len) == before(len) + 1
//! ```
//!
//! and another one, with the same guard, `after(peek) == Some(item)`. They become one test:
//!
//! ```text
//! /// Proved for all states within 3 steps of a constructor: 7 paths.
//! #[rebut::test]
//! fn push_when_not_is_full(steps: Vec<Step>, item: u8) {
//!     let mut stack = reached(steps);                     // the state
//!     rebut::assume!(!stack.is_full());                   // the guard
//!     let old_len = stack.len();                          // a value that a claim compares with
//!     stack.push(item);                                   // the call
//!     assert_eq!(stack.len(), old_len + 1);               // the claims
//!     assert_eq!(stack.peek().copied(), Some(item));
//! }
//! ```
//!
//! - A slot is written by `TestSlots`, and where it is written decides how. In a guard, a slot
//!   before the call is a call of its observer. In a claim it is a variable, `old_len`: the object
//!   has changed by then. `TestSlots` records which variables and free values the code needs, and
//!   only these appear in the test. A variable owns its value (`owned_value`), as the call needs
//!   the object.
//! - If the method may panic although the guard is true, the law is about calls that do not
//!   panic. The condition for that is added to the guard. All laws of a method take it from the
//!   same probe ([`simplest_panic_condition`]). If there is no such condition, the law has no test.
//! - Laws of a method with the same guard are merged ([`merge`]), across probes, too.
//! - Claims that are true in all states become one test, `always`, without a call.
//!
//! # Which claim is to blame
//!
//! A test is checked natively before it is shown (`check`). A claim that does not compile or fails
//! there is dropped, and the others stay. So [`LawTest::code`] returns, for each line of the test,
//! the claim that it belongs to: the location of an error or a panic leads to the claim. Claims of
//! several statements are in braces if the test has other claims, so that each can be dropped
//! without the others.

use crate::explore::ExploredProbe;
use crate::laws::{Claim, Law, Proof};
use crate::probe::{Probe, ProbeSlot};
use crate::read::subject::{Parameter, StateSource, Subject};
use crate::write::owned_value::owned;
use crate::write::panic_conditions::{negated, simplest_panic_condition};
use crate::write::selection;
use crate::write::test_names;
use crate::write::test_slots::{Moment, TestSlots};
use std::collections::BTreeSet;

/// A test of one or more laws with the same guard.
pub(crate) struct LawTest {
    /// The method that is called; empty for claims about all states.
    pub(crate) method: String,
    pub(crate) name: String,
    pub(crate) guard: Vec<String>,
    pub(crate) claims: Vec<TestClaim>,
    /// How far the laws are proved, as a sentence.
    pub(crate) proof: String,
    /// Whether the guard rejects so many cases that the test needs a higher limit.
    pub(crate) is_rare: bool,
    /// The parameters and lines that create the state.
    pub(super) state_parameters: Vec<String>,
    pub(super) state_lines: String,
    /// The parameters that are arguments of the call.
    pub(super) call_parameters: Vec<String>,
    /// The free values that the guard uses.
    pub(super) free: Vec<Parameter>,
    /// The variables that the guard uses.
    pub(super) guard_variables: Vec<Variable>,
    pub(super) call: TestCall,
}

/// A variable with a value from before the call.
#[derive(Clone)]
pub(crate) struct Variable {
    pub(super) name: String,
    pub(super) value: String,
}

/// The call of a test.
#[derive(Clone)]
pub(super) enum TestCall {
    /// There is none: the claims are about all states.
    None,
    Constructor {
        variable: String,
        call: String,
    },
    Modifier {
        call: String,
        /// The call as an expression that owns its result.
        owned_call: String,
        has_result: bool,
    },
    /// The call panics, so it is a part of the claim.
    Panic,
}

/// One claim of a test.
#[derive(Clone)]
pub(crate) struct TestClaim {
    /// The claim as statements.
    pub(crate) statements: Vec<String>,
    /// The variables that it uses.
    pub(super) variables: Vec<Variable>,
    /// The free values that it uses.
    pub(super) free: Vec<Parameter>,
    pub(super) has_result: bool,
    /// The claim as part of the name of a test.
    pub(super) name: String,
}

/// Returns all tests of a type: claims about all states, then the laws of each method, the most
/// general first.
pub(crate) fn law_tests(subject: &Subject, all: &[ExploredProbe]) -> Vec<LawTest> {
    let mut tests: Vec<LawTest> = Vec::new();
    for explored in all {
        if let Some(test) = test_of_states(subject, explored) {
            merge(&mut tests, test);
        }
    }
    for explored in all {
        for law in selection::selected_laws(subject, all, explored) {
            if selection::is_determined_by_other_probe(all, explored, law) {
                continue;
            }
            let panics = simplest_panic_condition(all, &explored.probe.method.name);
            if let Some(test) = test_of_law(subject, explored, law, panics) {
                merge(&mut tests, test);
            }
        }
    }
    test_names::name_tests(&mut tests);
    tests
}

/// Adds a test, or its claims to the test with the same guard.
fn merge(tests: &mut Vec<LawTest>, test: LawTest) {
    let is_same = |other: &&mut LawTest| {
        let is_panic = |call: &TestCall| matches!(call, TestCall::Panic);
        other.method == test.method
            && other.guard == test.guard
            && is_panic(&other.call) == is_panic(&test.call)
    };
    let Some(other) = tests.iter_mut().find(is_same) else {
        tests.push(test);
        return;
    };
    for claim in test.claims {
        if !other.claims.iter().any(|known| known.statements == claim.statements) {
            other.claims.push(claim);
        }
    }
    for free in test.free {
        if !other.free.iter().any(|known| known.name == free.name) {
            other.free.push(free);
        }
    }
}

/// Returns a test of the claims about all states that use no argument of the call.
fn test_of_states(subject: &Subject, explored: &ExploredProbe) -> Option<LawTest> {
    let probe = &explored.probe;
    if probe.is_constructor() {
        return None;
    }
    let depends_on_call = |number: &u32| match probe.slot(*number) {
        Some(ProbeSlot::Before(nth)) => {
            probe.has_call_argument(nth) || !probe.earlier_arguments(nth).is_empty()
        }
        Some(ProbeSlot::Free(_)) => false,
        _ => true,
    };
    let claims = explored.inferred.states.iter();
    let claims = claims.filter(|claim| !claim.slots().iter().any(depends_on_call));
    let claims: Vec<TestClaim> =
        claims.map(|claim| test_claim(subject, explored, claim, Moment::AnyState)).collect();
    if claims.is_empty() {
        return None;
    }
    // No call changes the object here.
    let immutable = |parameter: &String| parameter.trim_start_matches("mut ").to_owned();
    Some(LawTest {
        method: String::new(),
        name: String::new(),
        guard: Vec::new(),
        claims,
        proof: proof(subject, explored),
        is_rare: false,
        state_parameters: subject.state_parameters().iter().map(immutable).collect(),
        state_lines: subject.state_lines().replacen("let mut ", "let ", 1),
        call_parameters: Vec::new(),
        free: Vec::new(),
        guard_variables: Vec::new(),
        call: TestCall::None,
    })
}

/// Returns a test of one law; `None` if the call may panic and no condition describes when.
/// `panics` is the probe that describes the panics of the method.
fn test_of_law(
    subject: &Subject,
    explored: &ExploredProbe,
    law: &Law,
    panics: Option<&ExploredProbe>,
) -> Option<LawTest> {
    let probe = &explored.probe;
    let mut guard = probe.assumptions.clone();
    let mut guard_variables = Vec::new();
    if law.unless_it_panics {
        let panics = panics?;
        let slots = TestSlots::new(subject, panics, Moment::BeforeCall);
        for case in panics.inferred.panics_if.as_ref()? {
            let condition = negated(case, &slots);
            if !guard.contains(&condition) {
                guard.push(condition);
            }
        }
        guard_variables.extend(variables(subject, panics, &slots.into_used().earlier));
    }
    let slots = TestSlots::new(subject, explored, Moment::BeforeCall);
    guard.extend(law.guard.iter().map(|part| part.condition(&slots)));
    let used = slots.into_used();
    guard_variables.extend(variables(subject, explored, &used.earlier));
    let call = probe.call_code(subject);
    let claim = match &law.claim {
        Claim::Panics(message) => panic_claim(&call, message),
        claim => {
            let claim = selection::simplified_claim(law, claim);
            test_claim(subject, explored, &claim, Moment::AfterCall)
        }
    };
    let has_state = !probe.is_constructor();
    Some(LawTest {
        method: probe.method.name.clone(),
        name: guard_name(probe, law),
        guard,
        claims: vec![claim],
        proof: proof(subject, explored),
        is_rare: false,
        state_parameters: if has_state { subject.state_parameters() } else { Vec::new() },
        state_lines: if has_state { subject.state_lines() } else { String::new() },
        call_parameters: probe.call_parameters(),
        free: used.free.iter().map(|nth| probe.free[*nth].clone()).collect(),
        guard_variables,
        call: test_call(subject, explored, law, call),
    })
}

fn test_call(subject: &Subject, explored: &ExploredProbe, law: &Law, call: String) -> TestCall {
    let probe = &explored.probe;
    match &law.claim {
        Claim::Panics(_) => TestCall::Panic,
        _ if probe.is_constructor() => TestCall::Constructor { variable: subject.variable(), call },
        _ => {
            let result = probe.slot_number(ProbeSlot::Result);
            let result_type = result.and_then(|result| explored.slot_type(result));
            let owned_call = owned(&call, result_type);
            TestCall::Modifier { call, owned_call, has_result: probe.method.output.is_some() }
        }
    }
}

fn guard_name(probe: &Probe, law: &Law) -> String {
    let parts: Vec<String> =
        law.guard.iter().map(|part| test_names::condition(probe, part)).collect();
    parts.join("_and_")
}

/// Returns the claim that a call panics. The message is cut before the first number, which may be
/// different in another case.
fn panic_claim(call: &str, message: &str) -> TestClaim {
    let message: String =
        message.chars().take_while(|c| !c.is_ascii_digit() && *c != '\n').collect();
    let message = message.trim_end();
    let expected = if message.len() < 3 { String::new() } else { format!(", {message:?}") };
    TestClaim {
        statements: vec![format!("rebut::assert_panics!({call}{expected});")],
        variables: Vec::new(),
        free: Vec::new(),
        has_result: false,
        name: "panics".to_owned(),
    }
}

/// Returns a claim as text, by which claims of different probes can be compared.
pub(super) fn claim_text(subject: &Subject, explored: &ExploredProbe, claim: &Claim) -> String {
    claim.assertion(&TestSlots::new(subject, explored, Moment::AfterCall)).join(" ")
}

fn test_claim(
    subject: &Subject,
    explored: &ExploredProbe,
    claim: &Claim,
    moment: Moment,
) -> TestClaim {
    let slots = TestSlots::new(subject, explored, moment);
    let statements = claim.assertion(&slots);
    let used = slots.into_used();
    TestClaim {
        statements,
        variables: variables(subject, explored, &used.earlier),
        free: used.free.iter().map(|nth| explored.probe.free[*nth].clone()).collect(),
        has_result: used.has_result,
        name: test_names::claim(&explored.probe, claim),
    }
}

/// Returns the variables for the results of applications before the call.
fn variables(
    subject: &Subject,
    explored: &ExploredProbe,
    applications: &BTreeSet<usize>,
) -> Vec<Variable> {
    let probe = &explored.probe;
    let variable = |nth: &usize| {
        let call = probe.application_code(subject, *nth);
        let number = probe.slot_number(ProbeSlot::Before(*nth));
        let type_name = number.and_then(|number| explored.slot_type(number));
        Variable { name: probe.old_name(*nth), value: owned(&call, type_name) }
    };
    applications.iter().map(variable).collect()
}

/// Returns how far the laws of a probe are proved, as a sentence.
fn proof(subject: &Subject, explored: &ExploredProbe) -> String {
    let paths = match explored.inferred.paths {
        1 => "1 path".to_owned(),
        paths => format!("{paths} paths"),
    };
    let (states, limit, has_steps) = match &subject.states {
        _ if explored.probe.is_constructor() => {
            ("calls", explored.probe.method.size_limit(), false)
        }
        StateSource::Constructor(constructor) => ("states", constructor.size_limit(), true),
        StateSource::Generator(_) | StateSource::Fields(..) => ("states", String::new(), false),
    };
    match explored.inferred.proof {
        Proof::All => format!("Proved for all {states}{limit}: {paths}."),
        Proof::UpTo(length) if has_steps => {
            format!("Proved for all states{limit} within {length} steps of a constructor: {paths}.")
        }
        Proof::UpTo(length) if limit.is_empty() => {
            format!("Proved for all {states} with at most {length} elements: {paths}.")
        }
        Proof::UpTo(length) => {
            format!("Proved for all {states}{limit} and at most {length} elements: {paths}.")
        }
        Proof::Held(cases) => format!("Checked on {cases} paths, but not on all."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::Expr;
    use crate::probe::probes_of_type;
    use crate::read::subject_reader::subject_in;
    use expect_test::{Expect, expect};

    const STACK: &str = "
        #[derive(Generate)] struct Stack { items: Vec<u8> }
        impl Stack {
            pub fn push(&mut self, item: u8) -> bool { true }
            pub fn len(&self) -> usize { 0 }
            pub fn is_full(&self) -> bool { true }
            pub fn peek(&self) -> Option<&u8> { None }
            pub fn contains(&self, item: u8) -> bool { true }
        }
    ";

    /// The slots of the probe of `push`: its argument, a free value, the observers before the call
    /// (`contains` twice), the result, and the observers after the call.
    const TYPES: [&str; 13] = [
        "u8",
        "u8",
        "usize",
        "bool",
        "core::option::Option<&u8>",
        "bool",
        "bool",
        "bool",
        "usize",
        "bool",
        "core::option::Option<&u8>",
        "bool",
        "bool",
    ];
    const ITEM: u32 = 0;
    const LEN: u32 = 2;
    const IS_FULL: u32 = 3;
    const CONTAINS_OTHER: u32 = 6;
    const RESULT: u32 = 7;
    const LEN_AFTER: u32 = 8;
    const IS_FULL_AFTER: u32 = 9;
    const PEEK_AFTER: u32 = 10;
    const CONTAINS_OTHER_AFTER: u32 = 12;

    fn law(guard: &[Claim], claim: Claim) -> Law {
        Law { guard: guard.to_vec(), claim, unless_it_panics: false }
    }

    /// Checks the tests of laws of `push`.
    fn check(laws: Vec<Law>, expected: Expect) {
        let subject = subject_in(STACK, "Stack");
        let probe = probes_of_type(&subject).remove(0);
        assert_eq!(probe.slots.len(), TYPES.len());
        let explored = [ExploredProbe::with_laws(probe, laws, &TYPES)];
        let tests = law_tests(&subject, &explored);
        expected.assert_eq(&tests.iter().map(|test| test.code().0).collect::<Vec<_>>().join("\n"));
    }

    #[test]
    fn laws_with_the_same_guard_are_one_test() {
        let not_full = [Claim::Boolean(IS_FULL, false)];
        let grown = Expr::Linear { slot: LEN, times: 1, plus: 1 };
        let some_item = Expr::Holding("Some".to_owned(), Box::new(Expr::Slot(ITEM)));
        let laws = vec![
            law(&not_full, Claim::Same(Expr::Slot(LEN_AFTER), grown)),
            law(&not_full, Claim::Same(Expr::Slot(PEEK_AFTER), some_item)),
        ];
        check(
            laws,
            expect![[r#"
            /// Proved for all states: 1 path.
            #[rebut::test]
            fn push_when_not_is_full(mut stack: Stack, item: u8) {
            rebut::assume!(!stack.is_full());
            let old_len = stack.len();
            let _ = stack.push(item);
            assert_eq!(stack.len(), old_len + 1);
            assert_eq!(stack.peek().copied(), Some(item));
            }
        "#]],
        );
    }

    #[test]
    fn results_and_free_values_appear_only_where_they_are_used() {
        let full = [Claim::Boolean(IS_FULL, true)];
        let unchanged = |after, before| Claim::Same(Expr::Slot(after), Expr::Slot(before));
        let laws = vec![
            law(&full, Claim::Boolean(RESULT, false)),
            law(&full, unchanged(CONTAINS_OTHER_AFTER, CONTAINS_OTHER)),
        ];
        check(
            laws,
            expect![[r#"
            /// Proved for all states: 1 path.
            #[rebut::test]
            fn push_when_is_full(mut stack: Stack, item: u8, other_item: u8) {
            rebut::assume!(stack.is_full());
            let old_contains_other_item = stack.contains(other_item);
            let result = stack.push(item);
            assert!(!result);
            assert_eq!(stack.contains(other_item), old_contains_other_item);
            }
        "#]],
        );
    }

    #[test]
    fn a_value_that_the_guard_fixes_is_written_as_a_constant() {
        let unchanged = Claim::Same(Expr::Slot(IS_FULL_AFTER), Expr::Slot(IS_FULL));
        check(
            vec![law(&[Claim::Boolean(IS_FULL, true)], unchanged)],
            expect![[r#"
            /// Proved for all states: 1 path.
            #[rebut::test]
            fn push_when_is_full(mut stack: Stack, item: u8) {
            rebut::assume!(stack.is_full());
            let _ = stack.push(item);
            assert!(stack.is_full());
            }
        "#]],
        );
    }

    #[test]
    fn a_panic_is_a_claim_about_the_call() {
        let full = [Claim::Boolean(IS_FULL, true)];
        let panics = Claim::Panics("no room for 7".to_owned());
        check(
            vec![law(&full, panics)],
            expect![[r#"
            /// Proved for all states: 1 path.
            #[rebut::test]
            fn push_panics_when_is_full(mut stack: Stack, item: u8) {
            rebut::assume!(stack.is_full());
            rebut::assert_panics!(stack.push(item), "no room for");
            }
        "#]],
        );
    }

    #[test]
    fn lines_belong_to_their_claims() {
        let subject = subject_in(STACK, "Stack");
        let probe = probes_of_type(&subject).remove(0);
        let laws = vec![
            law(&[], Claim::Boolean(RESULT, true)),
            law(&[], Claim::Boolean(IS_FULL_AFTER, false)),
        ];
        let explored = [ExploredProbe::with_laws(probe, laws, &TYPES)];
        let tests = law_tests(&subject, &explored);
        let (text, lines) = crate::write::module(&subject, "inferred", &tests);
        assert_eq!(text.lines().count(), lines.len());
        for (line, claim) in text.lines().zip(lines) {
            let claim = claim.and_then(|index| index.claim);
            let expected = match line {
                "assert!(result);" => Some(0),
                "assert!(!stack.is_full());" => Some(1),
                _ => None,
            };
            assert_eq!(claim, expected, "{line}");
        }
    }
}
