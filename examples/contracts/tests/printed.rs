//! The programs that `stories.rs` prints, compiled and run: they fail as they say.

#![allow(unused, missing_docs, clippy::all)]

#[rustfmt::skip]
mod printed {
    mod bitset;
    mod capacity;
    mod editor_default;
    mod editor_documentation;
    mod editor_final;
    mod editor_first_order;
    mod editor_missing_requires;
    mod editor_new;
    mod lru;
    mod observer;
    mod observers;
    mod queue;
    mod reentrant;
    mod tree;
}
