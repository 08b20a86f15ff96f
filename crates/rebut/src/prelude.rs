//! What most tests need: `use rebut::prelude::*;`.

pub use rebut_choice::Source;
pub use rebut_gen::*;
pub use rebut_macros::{Generate, Specify, ToCode};
pub use rebut_run::{Case, maximize, maximize_as, minimize, minimize_as, reset_search};

pub use crate::{assert_panics, assume, cover, label, note};
