//! `cargo rebut infer`: what a type does, in terms of what can be seen of it.

mod probe;
mod sources;
mod subject;
mod types;
