//! The bounded stack: its bugs are found, blamed, shrunk and printed; the repaired one holds.

use expect_test::{Expect, expect};
use rebut::{Check, Program};
use rebut_contract_examples::stack::{capacity, observer, reentrant, repaired};

fn check<S: rebut::Subject + ?Sized + 'static>(seed: u64, expected: Expect) {
    let report = Check::new("stack").seed(seed).cases(5000).run(|case| {
        let program = case.draw_as("program", rebut::any::<Program<S>>());
        program.run();
    });
    expected.assert_eq(&report.to_string());
}

#[test]
fn bug_1_is_found() {
    check::<capacity::BoundedStack>(
        1,
        expect![[r#"
            error[R001]: stack fails (examples/contracts/tests/stack.rs:8)

                let program = rebut::Program::new(|| {
                    let mut bounded_stack = BoundedStack::new();
                    let capacity = bounded_stack.capacity();
                    bounded_stack.push_n(capacity, 0);
                });

              panicked at examples/contracts/src/stack/capacity.rs:34:9: index out of bounds: the len is 10000 but the index is 10000
              found: random case 44, seed 1; shrunk in 18 executions
              replay: Check::replay("r1.AgYEAAAA")
        "#]],
    );
}

#[test]
fn bug_2_is_found() {
    check::<observer::BoundedStack>(
        1,
        expect![[r#"
            error[R001]: stack fails (examples/contracts/tests/stack.rs:8)

                let program = rebut::Program::new(|| {
                    let mut bounded_stack = BoundedStack::new();
                    struct GeneratedObserver;
                    impl Observer for GeneratedObserver {
                        fn after_push(&self, stack: &mut BoundedStack, item: u8) {
                            stack.pop();
                        }
                    }
                    bounded_stack.add_observer(std::rc::Rc::new(GeneratedObserver));
                    bounded_stack.push(0);
                });

              panicked at examples/contracts/src/stack/observer.rs:30:15: broken contract: `BoundedStack::push` ensures `!self.is_empty()`
                  blame: `BoundedStack::push`, which is code under test
                  object: a stack of 0 items and 1 observers
                  call path: the program > BoundedStack::push
              found: random case 30, seed 1; shrunk in 46 executions
              replay: Check::replay("r1.BAgCAgQAAgAAAA")
        "#]],
    );
}

#[test]
fn bug_3_is_found() {
    check::<reentrant::BoundedStack>(
        1,
        expect![[r#"
            error[R001]: stack fails (examples/contracts/tests/stack.rs:8)

                let program = rebut::Program::new(|| {
                    let mut bounded_stack = BoundedStack::new();
                    struct GeneratedObserver { fuel: std::cell::Cell<u32> }
                    impl Observer for GeneratedObserver {
                        fn after_push(&self, stack: &mut BoundedStack, item: u8) {
                            if self.fuel.get() == 0 {
                                return;
                            }
                            self.fuel.set(self.fuel.get() - 1);
                            let capacity = stack.capacity();
                            stack.push_n(capacity, 0);
                        }
                    }
                    bounded_stack.add_observer(std::rc::Rc::new(GeneratedObserver { fuel: std::cell::Cell::new(2) }));
                    bounded_stack.push(0);
                });

              panicked at examples/contracts/src/stack/reentrant.rs:31:16: broken contract: `BoundedStack::push` requires `self.capacity() >= 1`
                  blame: `BoundedStack::push_n`, which is code under test
                  object: a stack of 10000 items and 1 observers
                  call path: the program > BoundedStack::push > Observer::after_push > BoundedStack::push_n > BoundedStack::push
              found: random case 125, seed 1; shrunk in 51 executions
              replay: Check::replay("r1.BAgEAgYABAAAAAIAAAA")
        "#]],
    );
}

#[test]
fn the_repaired_stack_holds() {
    check::<repaired::BoundedStack>(1, expect!["stack: held for 5000 cases"]);
}
