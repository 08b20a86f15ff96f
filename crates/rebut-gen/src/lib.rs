//! Generators: code that draws choices and builds values.
//!
//! [`Generator`] is a value that describes values, made by functions with plural names and
//! refined by methods; [`Generate`] is implemented by types that have a generator of their
//! own. A generator is a function of what it draws and draws only what its value needs: it
//! never looks at a clock, a thread or a random number of its own, and all bias towards
//! interesting values is the driver's.
//!
//! # Example
//! ```
//! use rebut_choice::{Drive, Random, Source};
//! use rebut_gen::{Generator, any, integers, vecs};
//!
//! let digits = vecs(integers::<u8>().max_value(9)).min_size(1);
//! let mut source = Source::new(Drive::Random(Box::new(Random::new(1))));
//! let drawn = digits.draw(&mut source);
//! assert!(!drawn.is_empty() && drawn.iter().all(|&d| d <= 9));
//! let _anything: (bool, Option<String>) = any().draw(&mut source);
//! ```

mod code;
mod generator;

pub use code::{Code, ShowCode, ShowDebug, ShowNothing, Shown, ToCode};
pub use generator::{Any, Boxed, Filter, FlatMap, FromFn, Generate, Generator, Map, any, compose};
