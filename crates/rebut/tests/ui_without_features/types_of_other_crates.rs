//! Errors are reported at the type; cargo prints equal ones once. `Version` has a generator and none.

use rebut::prelude::*;

mod uuid {
    #[derive(Clone, Debug)]
    pub struct Uuid(pub [u8; 16]);
}

#[derive(Clone, Debug, Generate)]
struct Version(u8);

#[derive(Clone, Debug, Generate)]
struct Id(uuid::Uuid);

#[derive(Clone, Debug, Generate)]
struct Release {
    version: Version,
    ids: Vec<uuid::Uuid>,
}

#[derive(Clone, Debug, Generate)]
struct Span {
    start: std::time::Instant,
    next: Option<Box<Span>>,
}

fn main() {}
