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
        let _ = ring_2_model.append(&mut ring_model);
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

/// A correct type and a correct model. Both change their arguments.
mod agreeing {
    use std::cell::{Cell, RefCell};
    use std::rc::Rc;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Debug, Default)]
    pub struct Stack(Vec<u8>);

    #[derive(Clone, Debug, Default)]
    pub struct Model(Vec<u8>);

    /// A program gets it from a call, and cannot copy it.
    #[derive(Debug, PartialEq)]
    pub struct Token(Cell<u8>);

    impl Model {
        pub fn new() -> Model {
            Model::default()
        }

        pub fn raise(&mut self, n: &Cell<u8>) -> u8 {
            n.set(n.get().wrapping_add(1));
            self.0.push(n.get());
            n.get()
        }

        fn extend(&mut self, list: &RefCell<Vec<u8>>) -> usize {
            list.borrow_mut().push(1);
            self.0.extend(list.borrow().iter());
            list.borrow().len()
        }

        fn append(&mut self, other: &mut Vec<u8>) -> u8 {
            self.0.append(other);
            self.0.last().copied().unwrap_or(7)
        }

        fn change(&mut self, change: &dyn Fn(u8) -> u8) {
            let first = change(self.0.len() as u8);
            self.0.push(first);
            self.0.push(change(first));
        }
    }

    #[rebut::contract]
    #[model(Model, self.0 == model.0)]
    impl Stack {
        pub fn new() -> Stack {
            Stack::default()
        }

        pub fn raise(&mut self, n: &Cell<u8>) -> u8 {
            n.set(n.get().wrapping_add(1));
            self.0.push(n.get());
            n.get()
        }

        #[model(model.extend(&list))]
        pub fn share(&mut self, list: Rc<RefCell<Vec<u8>>>) -> usize {
            list.borrow_mut().push(1);
            self.0.extend(list.borrow().iter());
            list.borrow().len()
        }

        #[model({ let mut n = n.lock().expect("not poisoned"); *n = n.wrapping_add(1); model.0.push(*n); *n })]
        pub fn lock(&mut self, n: Arc<Mutex<u8>>) -> u8 {
            let mut n = n.lock().expect("not poisoned");
            *n = n.wrapping_add(1);
            self.0.push(*n);
            *n
        }

        #[model(model.append(other))]
        pub fn append(&mut self, other: &mut Vec<u8>) -> u8 {
            self.0.append(other);
            self.0.last().copied().unwrap_or(7)
        }

        #[model(model.change(change))]
        pub fn change(&mut self, change: &dyn Fn(u8) -> u8) {
            let first = change(self.0.len() as u8);
            self.0.push(first);
            self.0.push(change(first));
        }

        #[model(Token(Cell::new(model.0.len() as u8)))]
        pub fn token(&self) -> Token {
            Token(Cell::new(self.0.len() as u8))
        }

        #[model({ model.0.push(token.0.get()); token.0.set(0) })]
        pub fn spend(&mut self, token: &Token) {
            self.0.push(token.0.take());
        }
    }
}

#[test]
fn a_model_gets_arguments_of_its_own() {
    use agreeing::Stack;
    assert_eq!(failure::<Stack>(), None);
    assert_eq!(
        rebut::Program::<Stack>::left_out(),
        [
            "Stack::spend: the object and its model need a value of type `Token` each, and a program \
          can only pass the same one to both"
        ]
    );
}
