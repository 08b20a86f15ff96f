//! Tests of the input language through its public API.

mod broken;
mod common;
mod language;
mod models;
mod random;
mod reference;
mod schemas;
