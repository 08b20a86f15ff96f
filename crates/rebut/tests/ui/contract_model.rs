//! What is wrong with a model is said where it is.

pub struct List;

#[rebut::contract]
#[model]
impl List {
    pub fn new() -> List {
        List
    }
}

pub struct Set;

#[rebut::contract]
impl Set {
    #[model(model.len())]
    pub fn len(&self) -> usize {
        0
    }
}

pub struct Bag;

#[rebut::contract]
#[model(Vec<u8>)]
impl Bag {
    #[model(skip)]
    pub fn new() -> Bag {
        Bag
    }

    pub fn retain(&mut self, keep: impl Fn(&u8) -> bool) {
        let _ = keep(&0);
    }

    pub fn fill(&mut self, list: &mut Vec<u8>) {
        list.push(0);
    }

    #[model]
    pub fn clear(&mut self) {}

    #[model(skip)]
    #[model(model.len())]
    pub fn len(&self) -> usize {
        0
    }
}

fn main() {}
