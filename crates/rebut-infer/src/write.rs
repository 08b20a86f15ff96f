//! Writes laws as tests or as contracts.

mod claim_code;
pub(crate) mod contract;
mod owned_value;
pub(crate) mod panic_conditions;
mod selection;
pub(crate) mod test;
mod test_code;
mod test_names;
mod test_slots;

pub(crate) use test_code::{ClaimIndex, module};
