//! Names that end with an underscore, and results of built-in types.

use crate::fault::tick;

#[derive(Debug, Default)]
pub struct Program_ {
    count: u8,
}

#[rebut::contract]
impl Program_ {
    pub fn new_() -> Program_ {
        tick("new_");
        Program_::default()
    }

    pub fn merge_(&mut self, other_: &Program_, by: &dyn Fn(&mut Program_, u8) -> u8) {
        tick("merge_");
        self.count = by(self, other_.count).max(1);
    }

    pub fn add(&mut self, number: u32, is_twice: bool) {
        tick("add");
        self.count = self.count.wrapping_add(number as u8).rotate_left(u32::from(is_twice));
    }
}

#[rebut::contract]
pub fn double(n: u32) -> u32 {
    tick("double");
    n.wrapping_mul(2)
}

#[rebut::contract]
pub fn even(n: u32) -> bool {
    tick("even");
    n % 2 == 0
}
