//! The rest of the standard library: references, pointers, cells, times, addresses, paths, ranges, streams.
//!
//! Each file defines for its types how to generate them and how to print them as code.

mod addresses;
mod cells;
mod flow;
mod paths;
mod pointers;
mod ranges;
mod references;
mod streams;
pub(crate) mod times;

pub use addresses::{ip_addresses, ipv4_addresses, ipv6_addresses, socket_addresses};
pub use paths::{Paths, paths};
pub use ranges::{Ranges, ranges};
pub use references::{REFERENCES_FULL, lend};
pub use times::{Durations, SystemTimes, durations, system_times};
