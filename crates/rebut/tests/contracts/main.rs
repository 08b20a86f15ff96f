//! What `#[rebut::contract]` accepts and who it blames.

#![allow(missing_docs, unreachable_pub, clippy::new_without_default, clippy::type_complexity)]

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use rebut::{Check, Contracted, Program};

mod clauses;
mod conversions;
mod depth;
mod functions;
mod long;
mod models;
mod names;
mod scopes;
mod shapes;

/// The message of the panic, without the object.
fn blamed<T: std::fmt::Debug>(run: impl FnOnce() -> T) -> String {
    let payload = catch_unwind(AssertUnwindSafe(run)).expect_err("a broken contract");
    let text = payload.downcast_ref::<String>().cloned().unwrap_or_default();
    let lines = text.lines().filter(|line| !line.contains("object:"));
    lines.map(str::trim).collect::<Vec<_>>().join("; ")
}

mod first_order {
    #[derive(Clone, Debug, PartialEq)]
    pub struct Account {
        pub balance: i64,
        pub limit: i64,
    }

    #[rebut::contract]
    #[invariant(self.balance >= -self.limit, "the limit is kept")]
    impl Account {
        #[ensures(result.balance == 0)]
        pub fn new(limit: u16) -> Self {
            Account { balance: 0, limit: i64::from(limit) }
        }

        #[requires(amount > 0)]
        #[ensures(self.balance == old(self.balance) - amount, ret == self.balance)]
        pub fn withdraw(&mut self, amount: i64) -> i64 {
            self.balance -= amount;
            self.balance
        }

        #[ensures(result >= 0)]
        pub fn missing(&self) -> i64 {
            self.balance
        }

        #[program(skip)]
        #[expect(dead_code, reason = "programs skip it")]
        pub fn parts(&self) -> std::slice::Iter<'_, u8> {
            [].iter()
        }

        pub fn close(self) -> i64 {
            self.balance
        }
    }

    #[rebut::contract]
    #[requires(!list.is_empty())]
    #[ensures(list.contains(&result))]
    pub fn first(list: &[u32]) -> u32 {
        list[0]
    }
}

#[test]
fn a_caller_is_blamed_for_requires_and_the_code_for_the_rest() {
    use first_order::{Account, first};
    assert_eq!(
        blamed(|| Account::new(5).withdraw(0)),
        "contract violated: `Account::withdraw` requires `amount > 0`; at fault: its caller; \
         call path: Account::withdraw"
    );
    assert_eq!(
        blamed(|| Account::new(5).withdraw(6)),
        "contract violated: `Account::withdraw` keeps `the limit is kept`; \
         at fault: `Account::withdraw` (code under test); call path: Account::withdraw"
    );
    let mut account = Account::new(5);
    account.withdraw(5);
    assert_eq!(
        blamed(|| account.missing()),
        "contract violated: `Account::missing` ensures `result >= 0`; \
         at fault: `Account::missing` (code under test); call path: Account::missing"
    );
    assert_eq!(first(&[3]), 3);
    assert!(blamed(|| first(&[])).contains("`first` requires `!list.is_empty()`"));
}

mod callbacks {
    pub struct Code;

    #[rebut::contract]
    impl Code {
        pub fn new() -> Code {
            Code
        }

        /// Is wrong for a function that answers 255.
        pub fn apply(
            &self,
            #[requires(_0 < 10)]
            #[ensures(result > 0)]
            f: impl Fn(u8) -> u8,
            n: u8,
        ) -> u8 {
            f(n)
        }

        pub fn boxed(&self, f: Box<dyn FnMut(&mut Vec<u8>) -> bool>) -> usize {
            let mut f = f;
            let mut list = Vec::new();
            while list.len() < 3 && f(&mut list) {
                list.push(1);
            }
            list.len()
        }

        pub fn borrowed(&self, f: &mut dyn FnMut(&str)) {
            f("a");
        }
    }
}

#[test]
fn callbacks_have_contracts_of_their_own() {
    let code = callbacks::Code::new();
    assert_eq!(code.apply(|n| n + 1, 3), 4);
    let text = blamed(|| code.apply(|n| n, 10));
    assert!(
        text.contains("`Code::apply::f` requires `_0 < 10`; at fault: `Code::apply`"),
        "{text}"
    );
    let text = blamed(|| code.apply(|n| n, 0));
    assert!(text.contains("`Code::apply::f` ensures `result > 0`"), "{text}");
    assert!(text.contains("at fault: an argument"), "{text}");
}

fn failure<S: Contracted + ?Sized + 'static>() -> Option<String> {
    let report = Check::new("program").seed(3).cases(3000).run(|case| {
        case.draw_as("program", rebut::any::<Program<S>>()).run();
    });
    report.has_failed().then(|| report.to_string())
}

#[test]
fn a_function_asked_for_what_it_does_not_take_is_the_codes_fault() {
    let report = failure::<callbacks::Code>().expect("a failure");
    assert!(report.contains("`Code::apply::f` requires `_0 < 10`"), "{report}");
    assert!(report.contains("code.apply(Box::new(move |_a0: u8| -> u8 {"), "{report}");
}

#[test]
fn invariants_are_broken_by_programs() {
    let report = failure::<first_order::Account>().expect("a failure");
    assert!(report.contains("keeps `the limit is kept`"), "{report}");
    assert!(report.contains("account.withdraw(1);"), "{report}");
}

/// A list that holds its own borrow while it calls back.
mod shared {
    use super::{Rc, RefCell};

    #[rebut::contract]
    pub trait Listener {
        fn heard(&self, n: u8);

        fn is_deaf(&self) -> bool {
            false
        }
    }

    pub struct Room {
        heard: Vec<u8>,
    }

    #[rebut::contract]
    impl Room {
        pub fn shared() -> Rc<RefCell<Room>> {
            Rc::new(RefCell::new(Room { heard: Vec::new() }))
        }

        pub fn note(&mut self, n: u8) {
            self.heard.push(n);
        }

        pub fn tell(room: Rc<RefCell<Room>>, listener: Box<dyn Listener>) {
            let open = room.borrow_mut();
            if !listener.is_deaf() {
                listener.heard(open.heard.len() as u8);
            }
        }
    }
}

#[test]
fn a_cell_that_is_borrowed_while_code_calls_back_is_found() {
    let report = failure::<shared::Room>().expect("a failure");
    assert!(
        report.contains("RefCell was borrowed while code outside of it was called"),
        "{report}"
    );
    assert!(report.contains("self.room.borrow_mut().note(0);"), "{report}");
}

mod generic {
    #[derive(Debug)]
    pub struct Bag<T> {
        items: Vec<T>,
    }

    #[rebut::contract(with(T = u16))]
    impl<T: Clone + PartialEq> Bag<T> {
        pub fn new() -> Bag<T> {
            Bag { items: Vec::new() }
        }

        #[ensures(self.items.len() == old(self.items.len()) + 1)]
        pub fn add(&mut self, item: T) {
            if !self.items.contains(&item) {
                self.items.push(item);
            }
        }

        pub fn get(&self, index: usize) -> Option<&T> {
            self.items.get(index)
        }

        pub fn first(&self) -> &str {
            "first"
        }
    }
}

#[test]
fn generic_types_are_instantiated_as_told() {
    let report = failure::<generic::Bag<u16>>().expect("a failure");
    assert!(report.contains("bag.add(0);\n        bag.add(0);"), "{report}");
}

/// A method that hardly any program can call.
mod rare {
    pub struct Safe;

    #[rebut::contract]
    impl Safe {
        pub fn new() -> Safe {
            Safe
        }

        #[requires(code == 123_456_789)]
        pub fn open(&mut self, code: u64) {
            let _ = code;
        }
    }
}

#[test]
fn a_pre_condition_that_is_hardly_ever_true_is_reported() {
    let report = Check::new("program").seed(3).cases(300).run(|case| {
        case.draw_as("program", rebut::any::<Program<rare::Safe>>()).run();
    });
    let text = report.to_string();
    assert!(
        text.contains("`Safe::open` requires `code == 123_456_789`: true in 0.0% of"),
        "{text}"
    );
}
