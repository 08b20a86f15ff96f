//! A builder that is passed by value.

use crate::fault::tick;

#[derive(Debug, Default)]
pub struct Request {
    name: String,
    retries: u8,
    tags: Vec<&'static str>,
}

#[rebut::contract]
impl Request {
    pub fn named(name: &str) -> Request {
        tick("named");
        Request { name: name.to_owned(), ..Request::default() }
    }

    #[must_use]
    #[requires(retries < 100)]
    pub fn retries(mut self, retries: u8) -> Self {
        tick("retries");
        self.retries = retries;
        self
    }

    #[must_use]
    #[requires(self.tags.len() < 2)]
    pub fn tag(mut self) -> Self {
        tick("tag");
        self.tags.push("tag");
        self
    }

    pub fn send(self) -> Result<String, u8> {
        tick("send");
        if self.retries > 3 { Err(self.retries) } else { Ok(self.name) }
    }
}
