//! Collections whose behavior `cargo rebut infer` puts into tests: three after those of .NET 1.1
//! on which AxiomMeister was measured, two that have something to hide, one that cannot begin
//! anyhow, and one that tells of errors.

pub mod account;
pub mod array_list;
pub mod bag;
pub mod hashtable;
pub mod lamp;
pub mod ring;
pub mod stack;
