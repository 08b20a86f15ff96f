extern crate rebut;

use self::rebut::prelude::*;
use super::*;

// expect: failed
#[rebut::test]
fn camel_case_starts_with_lower_case(#[from(strings().alphabet(chars().one_of("aZ1_")).min_size(1).max_size(5))] text: String) {
    let camel = to_camel_case(&text);
    assert!(camel.chars().next().map_or(true, |c| c.is_lowercase()), "{}", camel);
}

// expect: passed
#[rebut::test]
fn foreign_keys_are_recognized(#[from(strings().alphabet('a'..='z').min_size(1))] text: String) {
    assert!(is_foreign_key(&to_foreign_key(&text)));
}

/// A list of names that are unique in snake case.
#[derive(Debug)]
pub struct Names(Vec<String>);

#[rebut::contract]
impl Names {
    /// No names.
    pub fn new() -> Names {
        Names(vec![])
    }

    /// Adds a name.
    #[ensures(self.0.len() == old(self.0.len()) + 1, "every name is new")]
    pub fn add(&mut self, name: &str, accept: &dyn Fn(&str) -> bool) -> Result<usize, String> {
        let name = to_snake_case(name);
        if self.0.contains(&name) || !accept(&name) {
            return Err(name);
        }
        self.0.push(name);
        Ok(self.0.len())
    }
}

// expect: failed: every name is new
#[rebut::test]
fn names_are_unique(program: rebut::Program<Names>) {
    program.run();
}
