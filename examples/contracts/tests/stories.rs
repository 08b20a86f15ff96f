//! The bug of each example is found, blamed on who made it, shrunk, and printed as a test. The
//! printed tests are kept in `printed/`, where they are compiled and run: `printed.rs`.
//!
//! `UPDATE_EXPECT=1 cargo test -p rebut-contract-examples` writes them anew.

use expect_test::{ExpectFile, expect_file};
use rebut::report::{Counterexample, Verdict};
use rebut::{Check, Contracted, Program};
use rebut_contract_examples::stack::{capacity, observer, reentrant, repaired};
use rebut_contract_examples::{bitset, editor, lru, observers, queue, tree};

fn failures<S: Contracted + ?Sized + 'static>(
    seed: u64,
    cases: u64,
    most: usize,
) -> Vec<Counterexample> {
    let check = Check::new("program").seed(seed).cases(cases);
    let check = check.configure(|settings| settings.failures_max = most);
    let report = check.run(|case| {
        case.draw_as("program", rebut::any::<Program<S>>()).run();
    });
    match report.verdict {
        Verdict::Failed(found) => found,
        Verdict::Passed { .. } => Vec::new(),
        other => panic!("{other:?}"),
    }
}

/// The counterexample as a test of its own.
fn printed(module: &str, found: &Counterexample) -> String {
    let code = &found.values[0].code;
    let inside = code.strip_prefix("rebut::Program::new(|| {\n").expect("a program");
    let inside = inside.strip_suffix("    })").expect("a program");
    let lines = inside.lines().map(|line| line.strip_prefix("    ").unwrap_or(line));
    let body: String = lines.map(|line| format!("{line}\n")).collect();
    // An implementor that is written by hand is no party of its own, so the clause may be found
    // broken in the call around the one that a drawn implementor made.
    let message = found.failure.message.lines().next().unwrap_or_default();
    let message = message.strip_prefix("contract violated: ").map_or(message, clause);
    // The model is written out in the program, and asserted.
    let message = match message.starts_with("broken model: ") {
        true => "assertion",
        false => message,
    };
    format!(
        "use rebut_contract_examples::{module}::*;\n\n#[test]\n\
         #[should_panic(expected = {message:?})]\nfn fails() {{\n{body}}}\n"
    )
}

/// The condition in the first line of a broken contract.
fn clause(line: &str) -> &str {
    line.find("` ").map_or(line, |end| &line[end + 2..]).split_once(' ').map_or(line, |(_, it)| it)
}

/// The first failure: says so, blames as expected, and is printed like the file.
fn check<S: Contracted + ?Sized + 'static>(module: &str, said: &str, expected: &ExpectFile) {
    let found = failures::<S>(1, 5000, 1);
    let found = found.first().expect("a failure");
    assert!(found.failure.message.contains(said), "{}", found.failure.message);
    expected.assert_eq(&printed(module, found));
}

#[test]
fn a_capacity_of_one_too_many_overflows_the_stack() {
    check::<capacity::BoundedStack>(
        "stack::capacity",
        "index out of bounds",
        &expect_file!["printed/capacity.rs"],
    );
}

#[test]
fn an_observer_without_contract_breaks_what_push_ensures() {
    check::<observer::BoundedStack>(
        "stack::observer",
        "`BoundedStack::push` ensures `!self.is_empty()`\n  at fault: `BoundedStack::push`",
        &expect_file!["printed/observer.rs"],
    );
}

#[test]
fn an_observer_that_pushes_makes_push_n_break_what_push_requires() {
    check::<reentrant::BoundedStack>(
        "stack::reentrant",
        "`BoundedStack::push` requires `self.capacity() >= 1`\n  at fault: `BoundedStack::push_n`",
        &expect_file!["printed/reentrant.rs"],
    );
}

#[test]
fn repaired_stack_has_no_failure() {
    assert!(failures::<repaired::BoundedStack>(1, 2000, 1).is_empty());
}

#[test]
fn subscriber_that_joins_during_a_notification_is_missed() {
    check::<observers::Events>(
        "observers",
        "`every subscriber is notified` is false before `Events::count`\n  at fault: `Events::tell`",
        &expect_file!["printed/observers.rs"],
    );
}

#[test]
fn an_eviction_that_inserts_leaves_too_many() {
    check::<lru::Lru>(
        "lru",
        "`Lru::insert` ensures `self.len() <= self.capacity`",
        &expect_file!["printed/lru.rs"],
    );
}

#[test]
fn an_order_that_contradicts_itself_hides_a_key() {
    check::<tree::Tree>("tree", "the key is in the leaf", &expect_file!["printed/tree.rs"]);
}

#[test]
fn a_set_of_bits_differs_from_its_model() {
    check::<bitset::BitSet>(
        "bitset",
        "broken model: after `BitSet::remove`, `self.len() == model.len()` is false",
        &expect_file!["printed/bitset.rs"],
    );
}

#[test]
fn a_state_machine_finds_that_a_queue_grows_wrongly() {
    check::<queue::Machine>(
        "queue",
        "assertion `left == right` failed",
        &expect_file!["printed/queue.rs"],
    );
}

/// The categories of the paper's Figure 8, and what tells that such a bug was found.
#[test]
fn every_category_of_bugs_is_found_in_the_editor() {
    // A run does not go on for long once it has found something.
    let found: Vec<Counterexample> =
        (1..=12).flat_map(|seed| failures::<editor::Editor>(seed, 5000, 8)).collect();
    let categories = [
        (
            "documentation",
            "`Editor::is_empty` ensures",
            expect_file!["printed/editor_documentation.rs"],
        ),
        (
            "first order",
            "a character before the position",
            expect_file!["printed/editor_first_order.rs"],
        ),
        ("default", "there is a keymap", expect_file!["printed/editor_default.rs"]),
        (
            "missing pre-condition",
            "`Editor::delete` requires `!self.is_write_locked()`\n  at fault: `Editor::clear`",
            expect_file!["printed/editor_missing_requires.rs"],
        ),
        (
            "should be final",
            "requires `self.hooks.in_edit_sequence()`\n  at fault: `Editor::undo`",
            expect_file!["printed/editor_final.rs"],
        ),
        (
            "initialization",
            "the len is 0 but the index is 0",
            expect_file!["printed/editor_new.rs"],
        ),
    ];
    let is_known = |one: &Counterexample| {
        categories.iter().any(|(_, said, _)| one.failure.message.contains(said))
    };
    assert!(found.iter().all(is_known), "{found:?}");
    for (category, said, expected) in categories {
        let one = found.iter().find(|found| found.failure.message.contains(said));
        let one = one.unwrap_or_else(|| panic!("nothing of the category {category}"));
        expected.assert_eq(&printed("editor", one));
    }
}
