//! Generated functions and other values that cannot be cloned.

use crate::fault::tick;

#[derive(Debug, rebut::Generate)]
pub struct Once {
    pub n: u8,
    pub text: String,
}

pub struct Machine {
    seen: Vec<Once>,
}

#[rebut::contract]
impl Machine {
    pub fn new(first: Once) -> Machine {
        tick("new");
        Machine { seen: vec![first] }
    }

    pub fn feed(&mut self, once: Once) -> u8 {
        tick("feed");
        let n = once.n;
        self.seen.push(once);
        n
    }

    pub fn look(&self, once: &Once) -> Option<Once> {
        tick("look");
        self.seen.first().map(|first| Once { n: first.n, text: once.text.clone() })
    }

    pub fn map(&self, map: impl FnMut(&Once) -> u8) -> Vec<u8> {
        tick("map");
        self.seen.iter().map(map).collect()
    }
}
