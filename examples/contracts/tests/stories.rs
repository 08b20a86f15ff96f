//! The bug of each example is found.

use rebut::{Check, Program, Report, Subject};
use rebut_contract_examples::{editor, lru, observers, tree};

fn report<S: Subject + ?Sized + 'static>(failures: usize) -> Report {
    let check = Check::new("program").seed(1).cases(20_000).configure(|settings| settings.failures_max = failures);
    check.run(|case| {
        let program = case.draw_as("program", rebut::any::<Program<S>>());
        program.run();
    })
}

#[test]
fn a_subscriber_that_comes_while_others_are_told_is_missed() {
    let text = report::<observers::Events>(1).to_string();
    println!("{text}");
}

#[test]
fn an_eviction_that_inserts_leaves_too_many() {
    let text = report::<lru::Lru>(1).to_string();
    println!("{text}");
}

#[test]
fn an_order_that_contradicts_itself_hides_a_key() {
    let text = report::<tree::Tree>(1).to_string();
    println!("{text}");
}

#[test]
fn every_category_of_bugs_is_found_in_the_editor() {
    let text = report::<editor::Editor>(8).to_string();
    println!("{text}");
}
