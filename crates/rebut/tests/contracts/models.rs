//! Models in lock step, and state machines.

use super::failure;

mod lists {
    use std::collections::VecDeque;

    /// A ring that forgets to wrap when it is taken apart.
    #[derive(Clone, Debug, Default)]
    pub struct Ring {
        items: Vec<u8>,
        start: usize,
    }

    #[rebut::contract]
    #[model(VecDeque<u8>, self.len() == model.len())]
    impl Ring {
        #[model(VecDeque::with_capacity(4))]
        pub fn new() -> Ring {
            Ring::default()
        }

        pub fn of(first: u8) -> Option<Ring> {
            (first > 9).then(|| Ring { items: vec![first], start: 0 })
        }

        pub fn push_back(&mut self, item: u8) {
            self.items.push(item);
        }

        pub fn pop_front(&mut self) -> Option<u8> {
            let item = self.items.get(self.start).copied()?;
            self.start += 1;
            Some(item)
        }

        pub fn front(&self) -> Option<&u8> {
            self.items.get(self.start)
        }

        #[model(model.append(other))]
        pub fn take_all(&mut self, other: &mut Ring) {
            self.items.append(&mut other.items);
            other.start = 0;
        }

        #[model(model.iter().copied().collect::<Vec<u8>>())]
        pub fn into_vec(self) -> Vec<u8> {
            self.items[self.start..].to_vec()
        }

        #[program(skip)]
        pub fn len(&self) -> usize {
            self.items.len() - self.start
        }

        #[model(skip)]
        pub fn room(&self) -> usize {
            self.items.capacity()
        }
    }

    /// What the model lacks: a constructor that may fail.
    pub trait Of: Sized {
        fn of(first: u8) -> Option<Self>;
    }

    impl Of for VecDeque<u8> {
        fn of(first: u8) -> Option<VecDeque<u8>> {
            (first > 9).then(|| VecDeque::from([first]))
        }
    }
}

#[test]
fn a_relation_between_object_and_model_is_broken() {
    let report = failure::<lists::Ring>().expect("a failure");
    assert!(
        report.contains("after `Ring::take_all`, `self.len() == model.len()` is false"),
        "{report}"
    );
    assert!(report.contains("_model: VecDeque<u8> = VecDeque::with_capacity(4);\n"), "{report}");
    let printed = "
        ring_2.take_all(&mut ring);
        ring_2_model.append(&mut ring_model);
        assert!(ring_2.len() == ring_2_model.len());
    });";
    assert!(report.contains(printed), "{report}");
}

/// A state machine: the state is the code and what is expected of it, the operations are its
/// methods, and what they require is when they are enabled.
mod machine {
    use std::collections::BTreeMap;

    #[derive(Debug, Default)]
    pub struct Machine {
        tokens: BTreeMap<u8, bool>,
        open: usize,
    }

    #[rebut::contract]
    impl Machine {
        pub fn start() -> Machine {
            Machine::default()
        }

        #[requires(!self.tokens.contains_key(&token))]
        pub fn acquire(&mut self, token: u8) {
            self.tokens.insert(token, true);
            self.open += 1;
        }

        /// Wrong the second time.
        #[requires(self.tokens.contains_key(&token))]
        pub fn release(&mut self, token: u8) {
            self.tokens.insert(token, false);
            self.open -= 1;
            assert_eq!(self.open, self.tokens.values().filter(|is_open| **is_open).count());
        }
    }
}

#[test]
fn a_state_machine_is_a_program() {
    let report = failure::<machine::Machine>().expect("a failure");
    assert!(
        report.contains(
            "machine.acquire(0);\n        machine.release(0);\n        machine.release(0);\n"
        ),
        "{report}"
    );
}
