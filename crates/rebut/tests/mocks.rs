//! What `#[rebut::mock]` accepts, what mocks answer, and how they are written.

#![allow(missing_docs, unreachable_pub)]

use rebut::Check;
use rebut::any;
use rebut::prelude::*;
use rebut::report::{Report, Verdict};

/// The values of the only counterexample, as code.
fn written(report: &Report) -> String {
    match &report.verdict {
        Verdict::Failed(found) => {
            found[0].values.iter().map(|value| value.code.as_str()).collect::<Vec<_>>().join("\n")
        }
        other => panic!("{other:?}"),
    }
}

fn run(property: impl Fn(&mut rebut::Case)) -> Report {
    let check = Check::new("mock").seed(1);
    check.configure(|settings| settings.failures_max = 1).run(property)
}

mod numbers {
    use super::*;

    /// The example of the paper.
    #[rebut::mock]
    pub trait NumberProvider {
        fn number(&self) -> i32;
    }

    fn compute(x: &dyn NumberProvider) -> i32 {
        (10 / (i64::from(x.number()) + i64::from(x.number()))).unsigned_abs() as i32
    }

    #[test]
    fn a_division_by_zero_is_found_and_written() {
        let report = run(|case| {
            let x = case.draw_as("x", any::<MockNumberProvider>());
            assert!(compute(&x) >= 0);
        });
        assert_eq!(
            written(&report),
            "MockNumberProvider::new({
        #[derive(Debug, Default)]
        struct Answers;
        impl NumberProvider for Answers {
            fn number(&self) -> i32 {
                0
            }
        }
        Answers
    })"
        );
    }

    #[test]
    fn answers_that_differ_are_told_apart_by_the_call() {
        let report = run(|case| {
            let x = case.draw_as("x", any::<MockNumberProvider>());
            assert!(x.number() < 7 || x.number() >= 3);
        });
        assert!(
            written(&report).contains(
                "match self.number.replace(self.number.get() + 1) {
                    0 => 7,
                    1 => 0,
                    _ => unreachable!(\"called 2 times\"),
                }"
            ),
            "{}",
            written(&report)
        );
    }

    /// What is printed compiles, and does what the mock did.
    #[test]
    #[should_panic(expected = "attempt to divide by zero")]
    fn printed_mocks_fail_the_same_test() {
        let x: MockNumberProvider = MockNumberProvider::new({
            #[derive(Debug, Default)]
            struct Answers {
                number: std::cell::Cell<usize>,
            }
            impl NumberProvider for Answers {
                fn number(&self) -> i32 {
                    match self.number.replace(self.number.get() + 1) {
                        0 => 1,
                        1 => -1,
                        _ => unreachable!("called 2 times"),
                    }
                }
            }
            Answers::default()
        });
        assert!(compute(&x) >= 0);
    }

    #[rebut::test]
    #[should_panic(expected = "attempt to divide by zero")]
    fn a_mock_can_be_lent_as_an_object(#[from(MockNumberProvider::wild())] x: &dyn NumberProvider) {
        assert!(compute(x) >= 0);
    }

    #[test]
    fn friendly_mocks_are_not_to_blame() {
        let report = run(|case| {
            let x = case.draw_as("x", MockNumberProvider::friendly());
            assert!(compute(&x) >= 0);
        });
        assert!(report.verdict.is_success(), "{report}");
    }

    /// This fails whatever the mock says.
    #[test]
    fn failures_that_are_not_of_the_mock_stay() {
        let report = run(|case| {
            let x = case.draw_as("x", MockNumberProvider::friendly());
            let limit = case.draw_as("limit", integers::<u8>());
            let number = x.number();
            assert!(limit < 10, "{number}");
            assert!(number != 5);
        });
        assert!(written(&report).ends_with("\n10"), "{report}");
    }
}

mod readers {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Generate)]
    pub enum Broken {
        Interrupted,
        Gone,
    }

    #[rebut::mock(name = FakeReader)]
    pub trait Reader: std::fmt::Debug + Send + Sync {
        #[from(results(integers().max_value(buffer.len()), any()))]
        fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Broken>;

        #[pure]
        fn len(&self) -> usize;

        #[pure]
        #[assume(result == (self.len() == 0), "only what has no length is empty")]
        fn is_empty(&self) -> bool;

        #[assume(earlier.iter().all(|(_, known)| *known < result))]
        #[generate(max_value = 100)]
        fn tick(&self, by: u8) -> u32;

        #[assume(nth < 2 || !result)]
        fn more(&mut self) -> bool;

        fn twice(&self) -> usize {
            self.len().saturating_mul(2)
        }
    }

    fn assert_shared<T: Send + Sync>(_: &T) {}

    #[rebut::test]
    fn rules_are_kept(mut reader: FakeReader, #[generate(max_value = 9)] size: usize) {
        assert_shared(&reader);
        let mut buffer = vec![0; size];
        assert!(reader.read(&mut buffer).is_ok_and(|read| read <= size) || size <= 9);
        assert_eq!(reader.is_empty(), reader.len() == 0);
        assert_eq!(reader.len(), reader.len());
        assert_eq!(reader.twice(), reader.len().saturating_mul(2));
        let (first, second) = (reader.tick(1), reader.tick(1));
        assert!(first < second);
        let more = [reader.more(), reader.more(), reader.more(), reader.more()];
        assert!(!more[2] && !more[3]);
    }

    #[test]
    fn answers_follow_the_tape_although_rules_ask_for_more() {
        let report = run(|case| {
            let reader = case.draw_as("reader", any::<FakeReader>());
            assert!(reader.is_empty() || reader.len() < 3);
        });
        let text = written(&report);
        assert!(text.contains("fn len(&self) -> usize {\n                3\n"), "{text}");
        assert!(text.contains("fn is_empty(&self) -> bool {\n                false\n"), "{text}");
        assert!(text.contains("unreachable!(\"never called\")"), "{text}");
    }

    #[test]
    fn a_change_makes_pure_methods_forget() {
        let report = run(|case| {
            let mut reader = case.draw_as("reader", any::<FakeReader>());
            let before = reader.len();
            let _ = reader.read(&mut []);
            assert_eq!(before, reader.len());
        });
        assert!(written(&report).contains("self.len.fetch_add(1"), "{report}");
    }

    #[test]
    fn errors_are_answers_too() {
        let report = run(|case| {
            let mut reader = case.draw_as("reader", any::<FakeReader>());
            assert!(reader.read(&mut [0; 4]) != Err(Broken::Gone));
        });
        assert!(written(&report).contains("Err(Broken::Gone)"), "{report}");
    }

    #[test]
    fn a_mock_answers_on_its_own_thread_alone() {
        let report = run(|case| {
            let reader = case.draw_as("reader", any::<FakeReader>());
            let other = std::thread::spawn(move || reader.len());
            if let Err(payload) = other.join() {
                std::panic::resume_unwind(payload);
            }
        });
        assert!(report.to_string().contains("called on another thread"), "{report}");
    }
}

mod keys {
    use super::*;

    /// Equal objects hash alike.
    #[rebut::mock]
    pub trait Key {
        #[pure]
        fn hash(&self) -> u64;

        #[assume(!result || self.hash() == other.hash(), "equal keys hash alike")]
        fn equals(&self, other: &dyn Key) -> bool;
    }

    #[rebut::test]
    fn equal_keys_hash_alike(x: MockKey, y: MockKey) {
        assert!(!x.equals(&y) || x.hash() == y.hash());
    }

    #[test]
    fn keys_that_are_not_equal_may_hash_alike_too() {
        let report = run(|case| {
            let x = case.draw_as("x", any::<MockKey>());
            let y = case.draw_as("y", any::<MockKey>());
            assert!(x.equals(&y) || x.hash() != y.hash());
        });
        assert!(report.has_failed(), "{report}");
    }

    /// A rule must not ask what may say something else each time.
    #[rebut::mock]
    pub trait Moody {
        fn mood(&self) -> u8;

        #[assume(self.mood() > 3)]
        fn speak(&self) -> u8;
    }

    #[test]
    fn rules_ask_pure_methods_only() {
        let report = run(|case| {
            case.draw_as("x", any::<MockMoody>()).speak();
        });
        assert!(report.to_string().contains("a rule calls `mood`"), "{report}");
    }
}

mod generic {
    use super::*;

    #[rebut::mock(pure, with(K = u8, Value = Option<String>))]
    pub trait Store<K> {
        type Value;

        fn get(&self, key: K) -> Self::Value;

        fn find(&self, text: &str, keys: &[K]) -> Result<Self::Value, bool>;
    }

    #[rebut::test]
    fn the_same_arguments_get_the_same_answer(store: MockStore, key: u8, text: String) {
        assert_eq!(store.get(key), store.get(key));
        assert_eq!(store.find(&text, &[key]), store.find(&text, &[key]));
    }

    #[test]
    fn other_arguments_may_get_other_answers() {
        let report = run(|case| {
            let store = case.draw_as("store", any::<MockStore>());
            assert_eq!(store.get(1), store.get(2));
        });
        let text = written(&report);
        assert!(text.contains("impl Store<u8> for Answers"), "{text}");
        assert!(text.contains("type Value = Option<String>;"), "{text}");
        assert!(text.contains("fn get(&self, key: u8) -> Self::Value"), "{text}");
        assert!(text.contains("match key { 2 => Some(\"\".to_string()), _ => None }"), "{text}");
    }

    #[rebut::mock(of = std::io::Write)]
    trait Write {
        #[generate(results(integers().max_value(buf.len()), just(())).map(|result| {
            result.map_err(|()| std::io::Error::other("full"))
        }))]
        fn write(&mut self, buf: &[u8]) -> std::io::Result<usize>;

        #[generate(value = Ok(()))]
        fn flush(&mut self) -> std::io::Result<()>;
    }

    pub mod real {
        pub trait Worker<T> {
            type Error;
            fn run(&mut self, job: &T) -> Result<u8, Self::Error>;
        }
    }

    #[rebut::mock(of = real::Worker<u8>, with(Error = String))]
    trait Worker {
        type Error;
        fn run(&mut self, job: &u8) -> Result<u8, Self::Error>;
    }

    #[test]
    fn traits_of_others_have_parameters_and_associated_types() {
        use real::Worker as _;
        let report = run(|case| {
            let mut worker = case.draw_as("worker", any::<MockWorker>());
            assert_ne!(worker.run(&1), Err(String::new()));
        });
        let text = written(&report);
        assert!(text.contains("impl real::Worker<u8> for Answers"), "{text}");
        assert!(text.contains("type Error = String;"), "{text}");
    }

    #[rebut::test]
    fn traits_of_others_can_be_described(mut sink: MockWrite, text: String) {
        use std::io::Write as _;
        let written = sink.write(text.as_bytes());
        assert!(written.is_err() || written.is_ok_and(|count| count <= text.len()));
        assert!(sink.flush().is_ok());
    }
}

mod buffers {
    use super::*;

    #[rebut::mock]
    pub trait Port {
        /// Writes as many bytes as it says.
        #[generate(results(integers().max_value(buffer.len()), just(())))]
        fn read(&mut self, #[drawn(result.unwrap_or(0))] buffer: &mut [u8]) -> Result<usize, ()>;

        fn fill(&self, #[drawn] all: &mut [bool; 2], #[drawn] text: &mut String);

        #[assume(earlier.iter().all(|(_, before)| *before <= result))]
        fn now(&self) -> u32;
    }

    #[test]
    fn drawn_parameters_of_mocks_are_generated_and_written() {
        let report = run(|case| {
            let mut port = case.draw_as("port", any::<MockPort>());
            let mut buffer = [9; 4];
            let read = port.read(&mut buffer).unwrap_or(0);
            assert!(buffer[read..].iter().all(|byte| *byte == 9), "the rest is as it was");
            assert!(buffer[..read].iter().all(|byte| *byte < 5), "too much");
        });
        let text = written(&report);
        assert!(report.to_string().contains("too much"), "{report}");
        assert!(text.contains("{ buffer[..1].clone_from_slice(&vec![5]); Ok(1) }"), "{text}");
        assert!(
            text.contains("fn read(&mut self, buffer: &mut [u8]) -> Result<usize, ()>"),
            "{text}"
        );
    }

    #[test]
    fn several_values_are_drawn_and_written() {
        let report = run(|case| {
            let port = case.draw_as("port", any::<MockPort>());
            let (mut all, mut text) = ([false; 2], String::new());
            port.fill(&mut all, &mut text);
            assert!(!all[1] || text.is_empty());
        });
        let text = written(&report);
        let expected = "{ *all = [false, true]; *text = \"a\".to_string(); () }";
        assert!(text.contains(expected), "{text}");
    }

    /// README.md says so.
    #[rebut::test]
    fn a_clock_that_never_goes_back_can_be_subtracted(port: MockPort) {
        let start = port.now();
        assert!(port.now() - start < u32::MAX || start == 0);
    }
}

/// Answers that only `Debug` prints.
mod only_debug {
    use super::*;

    #[derive(Clone, Debug, PartialEq, rebut::Generate)]
    #[generate(no_code)]
    pub enum Status {
        Again,
        Done { code: u8 },
    }

    #[rebut::mock]
    pub trait Worker {
        fn run(&self) -> Result<Status, String>;
        fn size(&self) -> u8;
    }

    #[test]
    fn answers_that_only_debug_prints_are_not_kept() {
        let report = run(|case| {
            let worker = case.draw_as("worker", rebut::any::<MockWorker>());
            assert_eq!(worker.run(), Ok(Status::Again));
        });
        let kept = report.to_string();
        let kept = kept.lines().find(|line| line.contains("cannot be written here")).expect("why");
        assert!(kept.contains("only_debug::Status"), "{report}");
        let report = run(|case| {
            let worker = case.draw_as("worker", rebut::any::<MockWorker>());
            assert_eq!(worker.size(), 0);
        });
        assert!(!report.to_string().contains("cannot be written here"), "{report}");
    }
}
