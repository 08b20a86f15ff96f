//! Compiles and runs tests and contracts natively, and drops the parts that fail.

pub(crate) mod contract;
mod native_run;
pub(crate) mod test;
