//! Tests of the input language as its users see it.

mod broken;
mod common;
mod language;
mod models;
mod random;
mod reference;
mod schemas;
