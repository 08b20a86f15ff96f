//! The outputs of explored tests: text, JSON lines, graphs, events, and inputs to keep.

pub(crate) mod coverage;
pub(crate) mod dot;
pub(crate) mod events;
pub(crate) mod inputs;
pub(crate) mod json;
pub(crate) mod text;
