//! Logic bombs: functions that do something special for few inputs, or for none.
//!
//! The idea is from Xu, Kuang, Zhou and Lyu (2018), "Benchmarking the capability of symbolic
//! execution tools with logic bombs": a bomb isolates one thing that is hard to reason about
//! (an index, a loop, a float, a hash), so that what an explorer says of it can be judged. The
//! bombs here are written anew, for Rust.
//!
//! A function that returns `bool` says whether it goes off. Others compute something about which
//! a property makes a claim.

pub mod arrays;
pub mod bits;
pub mod control;
pub mod floats;
pub mod hashes;
pub mod loops;
pub mod numbers;
pub mod texts;
