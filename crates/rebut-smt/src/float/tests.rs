//! The terms against the arithmetic of the machine, and floats through the whole solver.

mod properties;
mod solving;
