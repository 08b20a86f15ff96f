//! Functions, types and parameters with the names of each other.

use crate::fault::tick;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format(pub u8);

impl rebut::Generate for Format {
    fn generate(source: &mut rebut::Source) -> Format {
        Format(u8::generate(source))
    }
}

impl rebut::ToCode for Format {
    fn to_code(&self, code: &mut rebut::Code) {
        code.push("Format(");
        self.0.to_code(code);
        code.push(")");
    }
}

/// Has the name of a variable.
pub const FORMAT: u8 = 1;

/// A function with the name that a variable of its result would have.
#[rebut::contract]
pub fn format(n: u8) -> Format {
    tick("format");
    Format(n)
}

#[rebut::contract]
pub fn vec(formats: &[Format]) -> Vec<Format> {
    tick("vec");
    formats.to_vec()
}

#[rebut::contract]
pub fn r#match(r#type: u8, r#fn: u8) -> u8 {
    tick("match");
    r#type.wrapping_add(r#fn)
}

#[rebut::contract]
pub fn apply(vec: u8, act: impl Fn(u8, u8) -> u8) -> u8 {
    tick("apply");
    act(vec, act(vec, 0))
}

#[rebut::contract]
pub fn a0(n: u8) -> u8 {
    tick("a0");
    n
}

#[rebut::contract]
#[ensures(result != 3)]
pub fn fuel(result: u8) -> u8 {
    tick("fuel");
    result
}

#[rebut::contract]
pub fn some(format: Format, drop: Option<Format>) -> bool {
    tick("some");
    drop == Some(format)
}
