//! Properties that meet a difference between an explored module and a native program, and twins
//! that come near one without depending on it.

#[cfg(test)]
mod states;

#[cfg(test)]
mod floats;
#[cfg(test)]
mod machines;
pub mod targets;
