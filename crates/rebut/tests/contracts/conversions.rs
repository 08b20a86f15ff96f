//! Results that are passed on: as they are, and by conversion. Free functions, handles, aliases.

use rebut::{Check, Program};

use super::failure;

/// What is in an option or a result is passed to what takes it alone.
mod inside {
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Ticket(u32);

    #[derive(Debug, Default)]
    pub struct Desk {
        last: u32,
        served: Vec<Ticket>,
    }

    #[rebut::contract]
    impl Desk {
        pub fn new() -> Desk {
            Desk::default()
        }

        pub fn draw(&mut self, is_open: bool) -> Option<Ticket> {
            is_open.then(|| {
                self.last += 1;
                Ticket(self.last)
            })
        }

        pub fn reserve(&mut self, name: &str) -> Result<Ticket, String> {
            self.last += 1;
            if name.is_empty() { Err("nobody".to_owned()) } else { Ok(Ticket(self.last)) }
        }

        /// Wrong for the third ticket.
        pub fn serve(&mut self, ticket: Ticket) {
            assert_ne!(ticket, Ticket(3), "the third");
            self.served.push(ticket);
        }
    }
}

#[test]
fn contents_of_options_and_results_are_passed_on() {
    let report = failure::<inside::Desk>().expect("a failure");
    assert!(report.contains("the third"), "{report}");
    assert!(
        report.contains("desk.serve(draw.unwrap());")
            || report.contains("desk.serve(reserve.clone().ok().unwrap());"),
        "{report}"
    );
}

/// An object that is only had behind an option is called.
mod parts {
    #[derive(Debug)]
    pub struct Page {
        lines: u32,
    }

    #[derive(Debug, Default)]
    pub struct Book;

    #[rebut::contract]
    impl Book {
        pub fn new() -> Book {
            Book
        }

        pub fn page(&self, number: u8) -> Option<Page> {
            (number > 0).then_some(Page { lines: 0 })
        }
    }

    #[rebut::contract]
    impl Page {
        #[ensures(self.lines < 2, "a page has room for one line")]
        pub fn write(&mut self) {
            self.lines += 1;
        }
    }
}

#[test]
fn methods_are_called_on_what_is_in_an_option() {
    let report = failure::<parts::Book>().expect("a failure");
    assert!(
        report.contains(
            "let mut page = book.page(1);\n        page.as_mut().unwrap().write();\n        \
             page.as_mut().unwrap().write();\n"
        ),
        "{report}"
    );
}

/// Functions that belong to no type.
mod free {
    #[derive(Clone, Debug, PartialEq)]
    pub struct Account {
        balance: u32,
    }

    #[rebut::contract]
    impl Account {
        pub fn new() -> Account {
            Account { balance: 10 }
        }

        pub fn balance(&self) -> u32 {
            self.balance
        }
    }

    /// Wrong if more is taken than is there.
    #[rebut::contract]
    #[requires(amount > 0)]
    #[ensures(from.balance + to.balance == old(from.balance + to.balance))]
    pub fn transfer(from: &mut Account, to: &mut Account, amount: u32) {
        from.balance = from.balance.saturating_sub(amount);
        to.balance = to.balance.saturating_add(amount);
    }
}

#[test]
fn free_functions_are_statements() {
    let report = failure::<(free::Account, free::transfer)>().expect("a failure");
    assert!(report.contains("`transfer` ensures `from.balance + to.balance == old"), "{report}");
    assert!(report.contains("transfer(&mut account, &mut account_2, 11);"), "{report}");
    assert_eq!(failure::<free::Account>(), None);
}

/// Objects that are given back as trait objects, and shared ones.
mod objects {
    use std::rc::Rc;

    #[rebut::contract]
    pub trait Cursor {
        fn next(&mut self) -> Option<u8>;
    }

    #[rebut::contract]
    pub trait Shape {
        #[ensures(result < 3)]
        fn sides(&self) -> u32;
    }

    struct Count(u8);

    impl Cursor for Count {
        fn next(&mut self) -> Option<u8> {
            self.0 += 1;
            assert!(self.0 < 3, "the count has ended");
            Some(self.0)
        }
    }

    struct Triangle;

    #[rebut::contract]
    impl Shape for Triangle {
        fn sides(&self) -> u32 {
            3
        }
    }

    #[derive(Debug)]
    pub struct Maker;

    #[rebut::contract]
    impl Maker {
        pub fn new() -> Maker {
            Maker
        }

        pub fn cursor(&self) -> Box<dyn Cursor> {
            Box::new(Count(0))
        }
    }

    #[derive(Debug)]
    pub struct Drawing;

    #[rebut::contract]
    impl Drawing {
        pub fn new() -> Drawing {
            Drawing
        }

        pub fn shape(&self) -> Rc<dyn Shape> {
            Rc::new(Triangle)
        }
    }
}

#[test]
fn methods_of_boxed_trait_objects_are_called() {
    let report = failure::<objects::Maker>().expect("a failure");
    assert!(
        report.contains("let mut cursor = maker.cursor();\n        cursor.next();\n"),
        "{report}"
    );
}

#[test]
fn methods_of_shared_trait_objects_are_called() {
    let report = failure::<objects::Drawing>().expect("a failure");
    assert!(report.contains("`Triangle::sides` ensures `result < 3`"), "{report}");
    assert!(report.contains("let shape = drawing.shape();\n        shape.sides();\n"), "{report}");
}

/// A call that is skipped does not take those along that only wanted a number of it.
mod skipped {
    #[derive(Debug, Default)]
    pub struct Meter {
        readings: Vec<u8>,
        is_open: bool,
    }

    #[rebut::contract]
    impl Meter {
        pub fn new() -> Meter {
            Meter::default()
        }

        #[requires(self.is_open)]
        pub fn last(&mut self) -> u8 {
            self.readings.pop().unwrap_or(7)
        }

        #[requires(!self.is_open)]
        pub fn open(&mut self) {
            self.is_open = true;
        }

        #[ensures(!self.is_open, "nothing is added while it is open")]
        pub fn add(&mut self, visit: impl Fn(&mut Meter), reading: u8) {
            visit(self);
            self.readings.push(reading);
        }
    }
}

#[test]
fn a_value_that_is_missing_is_the_simplest() {
    let report = failure::<skipped::Meter>().expect("a failure");
    assert!(report.contains("nothing is added while it is open"), "{report}");
    assert!(
        report.contains("let mut meter = Meter::new();\n        meter.open();\n")
            || report.contains("a0.open();\n"),
        "{report}"
    );
    assert!(!report.contains("last"), "nobody needs the last reading: {report}");
}

/// What may be sent to other threads, and a callback with a name of its own.
mod threads {
    use std::fmt::Debug;
    use std::sync::Arc;

    #[rebut::contract]
    pub trait Job: Debug + Send {
        fn run(&self, pool: &mut Pool) -> u8;
    }

    #[rebut::contract(send)]
    pub trait Watch {
        fn started(&self, pool: &mut Pool);
    }

    /// What is called at the end.
    pub type AtEnd = Box<dyn FnMut(&mut Pool) -> u8 + Send>;

    #[derive(Default)]
    pub struct Pool {
        running: u8,
        watches: Vec<Arc<dyn Watch + Send + Sync>>,
    }

    #[rebut::contract]
    impl Pool {
        pub fn new() -> Pool {
            Pool::default()
        }

        #[ensures(self.running == old(self.running), "a job leaves nothing running")]
        pub fn run(&mut self, job: Box<dyn Job>, watch: Box<dyn Watch + Send>, at_end: AtEnd) {
            let mut at_end = at_end;
            watch.started(self);
            job.run(self);
            let _ = at_end(self);
        }

        pub fn start(&mut self) {
            self.running = self.running.saturating_add(1);
        }

        pub fn watch(&mut self, watch: Arc<dyn Watch + Send + Sync>) {
            self.watches.push(watch);
        }
    }

    #[rebut::contract]
    pub trait Task: Sync + Send {
        fn work(&self, n: u8) -> u8;
    }

    pub struct Elsewhere;

    #[rebut::contract]
    impl Elsewhere {
        pub fn new() -> Elsewhere {
            Elsewhere
        }

        /// Calls a task on another thread.
        #[program(changes)]
        pub fn run(&self, task: Box<dyn Task>) -> u8 {
            let worked = std::thread::spawn(move || task.work(1)).join();
            worked.expect("the task")
        }
    }
}

#[test]
fn implementors_that_are_sent_have_bodies_too() {
    let report = failure::<threads::Pool>().expect("a failure");
    assert!(report.contains("a job leaves nothing running"), "{report}");
    assert!(report.contains("#[derive(Debug)]\n        struct GeneratedJob"), "{report}");
    assert!(report.contains("Box::new(move |_a0: &mut Pool| -> u8 {"), "{report}");
}

#[test]
fn calls_on_another_thread_are_not_failures() {
    assert_eq!(failure::<threads::Elsewhere>(), None);
}

/// A type that only `Debug` prints.
mod only_debug {
    #[derive(Clone, Debug, PartialEq, rebut::Generate)]
    #[generate(no_code)]
    pub enum Color {
        Red,
        Blue(u8),
    }

    #[rebut::contract]
    pub fn paint(color: Color, list: Vec<Option<Color>>) {
        assert!(color == Color::Red || list.is_empty());
    }

    #[rebut::contract]
    pub fn ask(color: &dyn Fn() -> Color) {
        assert!(color() == Color::Red);
    }

    #[rebut::contract]
    pub fn first(n: u8) -> u8 {
        assert!(n < 3);
        n
    }
}

#[test]
fn programs_with_values_that_only_debug_prints_are_not_kept() {
    use only_debug::{ask, first, paint};
    let kept = "keep:     cannot be written here: `contracts::conversions::only_debug::Color` is \
                printed by `Debug`";
    for report in [failure::<paint>(), failure::<ask>()] {
        let report = report.expect("a failure");
        assert!(report.contains(kept), "{report}");
    }
    let report = failure::<first>().expect("a failure");
    assert!(!report.contains("cannot be written here"), "{report}");
}

/// A type in a module that the property does not import.
mod far {
    pub mod away {
        pub struct Door(u8);

        #[rebut::contract]
        impl Door {
            pub fn new() -> Door {
                Door(0)
            }

            pub fn open(&mut self) {
                self.0 += 1;
                assert!(self.0 < 2);
            }
        }
    }
}

#[test]
fn printed_types_have_the_names_that_the_property_knows() {
    let report = |names: &'static str| {
        let report = Check::new("program").seed(1).run(|case| {
            case.enter_scope("contracts::here", names);
            case.draw_as("program", rebut::any::<Program<far::away::Door>>()).run();
        });
        report.to_string()
    };
    let by_path = report("far::away::Door far::away::Door");
    assert!(by_path.contains("let mut door = far::away::Door::new();"), "{by_path}");
    let renamed = report("Gate super::far::away::Door");
    assert!(renamed.contains("let mut door = Gate::new();"), "{renamed}");
    let unknown = report("");
    assert!(unknown.contains("cannot be written here: import `Door`"), "{unknown}");
}
