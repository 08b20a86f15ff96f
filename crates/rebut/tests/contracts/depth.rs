//! Blame at each depth of higher-order use.
//!
//! Each trait is called by the one before it: the program calls the code, which calls a `First`
//! of the program, which calls a `Second` of the code, which calls a `Third` of the program.

use std::cell::Cell;

use super::{blamed, failure};

mod by_hand {
    #[rebut::contract]
    pub trait First {
        #[requires(n < 100)]
        #[ensures(result >= n)]
        fn first(&self, n: u32, next: &mut dyn Second) -> u32;
    }

    #[rebut::contract]
    pub trait Second {
        #[requires(n < 100)]
        #[ensures(result >= n)]
        fn second(&mut self, n: u32, next: &dyn Third) -> u32;
    }

    #[rebut::contract]
    pub trait Third {
        #[requires(n < 100)]
        #[ensures(result >= n)]
        fn third(&self, n: u32) -> u32;
    }

    pub struct Code;
    pub struct GivenFirst {
        pub asks: u32,
        pub answers: u32,
    }

    #[rebut::contract]
    impl Code {
        #[requires(n < 100)]
        #[ensures(result >= n)]
        #[program(skip)]
        pub fn run(&self, n: u32, first: &dyn First, asks: u32, answers: u32) -> u32 {
            let mut second = CodeSecond;
            let _ = first.first(asks, &mut second);
            answers
        }
    }

    pub struct CodeSecond;

    #[rebut::contract]
    impl Second for CodeSecond {
        fn second(&mut self, n: u32, next: &dyn Third) -> u32 {
            next.third(n)
        }
    }

    #[rebut::contract]
    impl First for GivenFirst {
        fn first(&self, _n: u32, next: &mut dyn Second) -> u32 {
            next.second(self.asks, &Last { answers: self.answers })
        }
    }

    pub struct Last {
        pub answers: u32,
    }

    #[rebut::contract]
    impl Third for Last {
        fn third(&self, _n: u32) -> u32 {
            self.answers
        }
    }
}

#[test]
fn blame_is_right_at_every_depth() {
    use by_hand::{Code, GivenFirst};
    let run = |n: u32, asks: u32, given: (u32, u32), answers: u32| {
        let given = GivenFirst { asks: given.0, answers: given.1 };
        blamed(|| Code.run(n, &given, asks, answers))
    };
    // Depth 1: what is called first.
    let text = run(100, 0, (0, 0), 0);
    assert!(
        text.contains("`Code::run` requires") && text.contains("at fault: its caller"),
        "{text}"
    );
    let text = run(5, 0, (0, 0), 4);
    assert!(
        text.contains("`Code::run` ensures") && text.contains("at fault: `Code::run`"),
        "{text}"
    );
    // Depth 2: what it was given.
    let text = run(0, 100, (0, 0), 0);
    assert!(
        text.contains("`GivenFirst::first` requires") && text.contains("at fault: `Code::run`"),
        "{text}"
    );
    let text = run(0, 7, (0, 5), 7);
    assert!(
        text.contains("`GivenFirst::first` ensures")
            && text.contains("at fault: `GivenFirst::first`"),
        "{text}"
    );
    // Depth 3: what that was given in turn.
    let text = run(0, 0, (100, 0), 0);
    assert!(
        text.contains("`CodeSecond::second` requires")
            && text.contains("at fault: `GivenFirst::first`"),
        "{text}"
    );
    // Depth 4: and once more.
    let text = run(0, 0, (7, 6), 7);
    assert!(
        text.contains("`Last::third` ensures") && text.contains("at fault: `Last::third`"),
        "{text}"
    );
    assert!(
        text.contains(
            "call path: Code::run > GivenFirst::first > CodeSecond::second > Last::third"
        ),
        "{text}"
    );
}

/// The same through programs: at each depth, one party asks for too much or answers too little.
mod generated {
    use super::{bug_at, reached};

    #[rebut::contract]
    pub trait First {
        #[requires(n < 100)]
        #[ensures(result >= n)]
        fn first(&self, n: u8, second: &mut dyn Second) -> u8;
    }

    #[rebut::contract]
    pub trait Second {
        #[requires(n < 100)]
        #[ensures(result >= n)]
        fn second(&mut self, n: u8, third: &dyn Third) -> u8;
    }

    #[rebut::contract]
    pub trait Third {
        #[requires(n < 100)]
        #[ensures(result >= n)]
        fn third(&self, n: u8) -> u8;
    }

    pub struct Code;

    #[rebut::contract]
    impl Code {
        pub fn new() -> Code {
            Code
        }

        #[requires(n < 100)]
        #[ensures(result >= n)]
        pub fn run(&mut self, n: u8, first: Box<dyn First>) -> u8 {
            reached(1);
            let answer = first.first(if bug_at(2) { 100 } else { n }, &mut CodeSecond);
            reached(2);
            if bug_at(1) { n.saturating_sub(1) } else { answer }
        }
    }

    pub struct CodeSecond;

    #[rebut::contract]
    impl Second for CodeSecond {
        fn second(&mut self, n: u8, third: &dyn Third) -> u8 {
            reached(3);
            let answer = third.third(if bug_at(4) { 100 } else { n });
            reached(4);
            if bug_at(3) { n.saturating_sub(1) } else { answer }
        }
    }
}

thread_local! {
    static BUG: Cell<u8> = const { Cell::new(0) };
    static REACHED: Cell<[u32; 5]> = const { Cell::new([0; 5]) };
}

fn bug_at(depth: u8) -> bool {
    BUG.get() == depth
}

fn reached(depth: usize) {
    let mut counts = REACHED.get();
    counts[depth] += 1;
    REACHED.set(counts);
}

/// What is found if the code is wrong at this depth.
fn found(depth: u8) -> Option<String> {
    BUG.set(depth);
    let found = failure::<generated::Code>();
    BUG.set(0);
    found
}

#[track_caller]
fn check(depth: u8, broken: &str, blame: &str, path: &str) {
    let report = found(depth).expect("a failure");
    assert!(report.contains(&format!("contract violated: {broken}")), "{report}");
    assert!(report.contains(&format!("at fault: {blame} (code under test)")), "{report}");
    assert!(report.contains(&format!("call path: {path}")), "{report}");
}

#[test]
fn at_depth_one_the_code_is_to_blame_for_what_it_ensures() {
    check(1, "`Code::run` ensures `result >= n`", "`Code::run`", "Code::run");
}

#[test]
fn at_depth_two_the_code_is_to_blame_for_what_a_callback_requires() {
    check(2, "`First::first` requires `n < 100`", "`Code::run`", "Code::run > First::first");
}

#[test]
fn at_depth_three_the_code_is_to_blame_for_what_it_handed_to_a_callback() {
    check(
        3,
        "`CodeSecond::second` ensures `result >= n`",
        "`CodeSecond::second`",
        "Code::run > First::first > CodeSecond::second",
    );
}

#[test]
fn at_depth_four_the_code_is_to_blame_for_what_it_asks_of_a_callback_of_a_callback() {
    check(
        4,
        "`Third::third` requires `n < 100`",
        "`CodeSecond::second`",
        "Code::run > First::first > CodeSecond::second > Third::third",
    );
}

/// Programs ask for too much (at depths one and three) and answer too little (at two and four)
/// all the time.
#[test]
fn violations_by_programs_at_any_depth_are_not_failures() {
    REACHED.set([0; 5]);
    assert_eq!(found(0), None);
    let counts = REACHED.get();
    assert!(counts[1..].iter().all(|&count| count > 20), "{counts:?}");
    assert!(counts[1] > counts[2], "some callback must have answered too little: {counts:?}");
    assert!(counts[3] > counts[4], "some callback must have answered too little: {counts:?}");
}

#[test]
fn a_trait_object_that_is_lent_is_called_in_the_printed_program() {
    let report = found(4).expect("a failure");
    assert!(
        report.contains("fn first(&self, _n: u8, second: &mut dyn Second) -> u8 {"),
        "{report}"
    );
    assert!(report.contains("second.second(0, &GeneratedThird);"), "{report}");
}
