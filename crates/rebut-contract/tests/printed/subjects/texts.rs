//! Borrowed text, bytes and slices.

use crate::fault::tick;

#[derive(Clone, Debug, Default)]
pub struct Texts {
    lines: Vec<String>,
    bytes: Vec<u8>,
}

#[rebut::contract]
impl Texts {
    pub fn new(first: &str) -> Self {
        tick("new");
        Texts { lines: vec![first.to_owned()], bytes: Vec::new() }
    }

    #[requires(!line.is_empty())]
    pub fn add(&mut self, line: &str) -> usize {
        tick("add");
        self.lines.push(line.to_owned());
        self.lines.len()
    }

    #[ensures(self.bytes.len() < 4)]
    pub fn extend(&mut self, bytes: &[u8]) {
        tick("extend");
        self.bytes.extend_from_slice(bytes);
    }

    pub fn bytes(&self) -> &[u8] {
        tick("bytes");
        &self.bytes
    }

    pub fn first(&self) -> &str {
        tick("first");
        &self.lines[0]
    }

    pub fn last(&self) -> Option<&String> {
        tick("last");
        self.lines.last()
    }

    pub fn sort(&self, numbers: &mut [u16], by: &[String]) -> Vec<u8> {
        tick("sort");
        numbers.sort_unstable();
        by.iter().flat_map(|text| text.bytes()).collect()
    }

    pub fn take(&mut self, owned: String, list: Vec<u8>, one: &u32, boxed: Box<str>) -> bool {
        tick("take");
        self.bytes.extend(list.iter().take(2));
        owned.len() as u32 == *one && boxed.is_empty()
    }
}
