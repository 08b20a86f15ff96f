//! Stories of targeted search. Each module has a system, a generator of its inputs that knows
//! nothing of the search, and a property that says with [`rebut::maximize`] or
//! [`rebut::minimize`] what it aims at. The tests beside them show what is found.
//!
//! - [`sensors`]: a network whose messages take too many hops;
//! - [`machine`]: a machine that leaks secrets, in six ways;
//! - [`routing`]: a routing tree that wastes energy, or saves it;
//! - [`energy`]: radio nodes that wake up at the worst moments;
//! - [`worst_case`]: the slowest input of a sort, and of the standard library's hash table.
//!
//! The first three are the problems of the papers that targeted property-based testing comes
//! from (Löscher and Sagonas 2017 and 2018), defined so that figures can be compared; the
//! benches measure them. Each of these also has a neighbor function as a person would write
//! it, to compare with the one that Rebut builds from the choices of a run.

pub mod sensors;

pub mod machine;

pub mod routing;

pub mod energy;

pub mod worst_case;
