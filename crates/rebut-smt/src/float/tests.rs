//! Compares the terms with the arithmetic of the machine, and solves queries about floats.

mod properties;
mod solving;
