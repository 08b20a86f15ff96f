//! Methods with the names of methods of traits that every type has, or that this type has.

use std::fmt;

use crate::fault::tick;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl AsRef<u8> for Level {
    fn as_ref(&self) -> &u8 {
        &self.0
    }
}

#[rebut::contract]
impl Level {
    pub fn new() -> Level {
        tick("new");
        Level(0)
    }

    pub fn raise(&mut self) {
        tick("raise");
        self.0 = self.0.wrapping_add(1);
    }

    pub fn into(&mut self, x: u8) -> u8 {
        tick("into");
        self.0.wrapping_add(x)
    }

    pub fn try_into(&self, x: u8) -> u8 {
        tick("try_into");
        self.0.wrapping_add(x)
    }

    pub fn into_iter(&mut self, x: u8) -> u8 {
        tick("into_iter");
        self.0.wrapping_add(x)
    }

    pub fn borrow(&mut self, x: u8) -> u8 {
        tick("borrow");
        self.0.wrapping_add(x)
    }

    pub fn borrow_mut(&self, x: u8) -> u8 {
        tick("borrow_mut");
        self.0.wrapping_add(x)
    }

    pub fn to_owned(&mut self, x: u8) -> u8 {
        tick("to_owned");
        self.0.wrapping_add(x)
    }

    pub fn to_string(&mut self, x: u8) -> u8 {
        tick("to_string");
        self.0.wrapping_add(x)
    }

    pub fn clone_from(&mut self, x: u8) -> u8 {
        tick("clone_from");
        self.0.wrapping_add(x)
    }

    pub fn cmp(&mut self, x: u8) -> u8 {
        tick("cmp");
        self.0.wrapping_add(x)
    }

    pub fn partial_cmp(&mut self, x: u8) -> u8 {
        tick("partial_cmp");
        self.0.wrapping_add(x)
    }

    pub fn eq(&mut self, x: u8) -> u8 {
        tick("eq");
        self.0.wrapping_add(x)
    }

    pub fn ne(&self, x: u8) -> u8 {
        tick("ne");
        self.0.wrapping_add(x)
    }

    pub fn lt(&mut self, x: u8) -> u8 {
        tick("lt");
        self.0.wrapping_add(x)
    }

    pub fn max(&self, x: u8) -> u8 {
        tick("max");
        self.0.wrapping_add(x)
    }

    pub fn min(&mut self, x: u8) -> u8 {
        tick("min");
        self.0.wrapping_add(x)
    }

    pub fn clamp(self, x: u8) -> u8 {
        tick("clamp");
        self.0.wrapping_add(x)
    }

    pub fn as_ref(&mut self, x: u8) -> u8 {
        tick("as_ref");
        self.0.wrapping_add(x)
    }

    pub fn as_mut(&self, x: u8) -> u8 {
        tick("as_mut");
        self.0.wrapping_add(x)
    }

    pub fn fmt(&mut self, x: u8) -> u8 {
        tick("fmt");
        self.0.wrapping_add(x)
    }

    pub fn drop(&mut self, x: u8) -> u8 {
        tick("drop");
        self.0.wrapping_add(x)
    }

    pub fn count(&self, x: u8) -> u8 {
        tick("count");
        self.0.wrapping_add(x)
    }

    pub fn next(&mut self, x: u8) -> u8 {
        tick("next");
        self.0.wrapping_add(x)
    }

    pub fn hash(&self, x: u8) -> u8 {
        tick("hash");
        self.0.wrapping_add(x)
    }

    pub fn type_id(&self, x: u8) -> u8 {
        tick("type_id");
        self.0.wrapping_add(x)
    }
}
