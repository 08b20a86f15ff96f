//! The items that generated code names. They are not part of the public interface and may change
//! without notice.

use rebut_choice::Tape;
pub use rebut_choice::{Constants, Label, Source};
pub use rebut_contract as contract;
pub use rebut_gen::*;
pub use rebut_macros::{Configured, overflow_checks};
pub use rebut_run::prelude;
pub use rebut_run::{
    CargoTarget, Case, Claim, ClaimSites, EventLevel, Example, Inputs, Isolation, PropertyResult,
    ReachedSites, SearchMode, Settings, Test, Verbosity, WitnessResult, assume, check_configured,
    cover, expect_panic, keep_settings, label, mined, note, report_of_test, run_test,
};
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use rebut_run::{enter, observe, stand_in};
use rebut_search::Strategy;

pub use crate::__cargo_target as cargo_target;

/// Returns the package and the target being compiled. It is a macro because cargo sets these
/// environment variables for the compiler of each crate.
#[doc(hidden)]
#[macro_export]
macro_rules! __cargo_target {
    () => {
        $crate::__private::CargoTarget::new(
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_MANIFEST_DIR"),
            ::core::option_env!("CARGO_BIN_NAME"),
            ::core::option_env!("CARGO_TARGET_TMPDIR"),
        )
        .checking_overflows($crate::__private::overflow_checks!())
    };
}

/// The methods of `Returned`. Generated code imports all of them, because the type of the result
/// selects the one that applies.
pub mod returned {
    pub use rebut_run::{
        Returned, ReturnedOther as _, ReturnedProperty as _, ReturnedResult as _,
        ReturnedResultOfTermination as _, ReturnedTermination as _,
    };
}

/// The methods of `Shown`. Generated code imports all of them, because the type of the value selects
/// the one that applies.
pub mod show {
    pub use rebut_gen::{ShowCode as _, ShowDebug as _, ShowNothing as _};
}

/// Boxes the strategy that the function in `search = ..` returns.
pub fn strategy<S: Strategy + 'static>(make: fn(u64) -> S, steps: u64) -> Box<dyn Strategy> {
    Box::new(make(steps))
}

/// Generates a value with the generator in an attribute.
#[inline]
pub fn draw<G: AsGenerator>(generator: G, source: &mut Source) -> G::Value {
    generator.draw_value(source)
}

/// Returns a source that replays a tape, such as the answers of mocks.
///
/// # Panics
/// If the string is not a tape.
pub fn replayed(tape: &str) -> Source {
    match Tape::from_replay_string(tape) {
        Ok(tape) => Source::replay(&tape),
        Err(error) => panic!("`{tape}` is not a tape: {error}"),
    }
}

/// The items that the expansion of `proptest!` names.
#[cfg(feature = "proptest")]
pub mod proptest {
    use std::time::Duration;

    pub use rebut_gen::proptest_expansion::{Config, TestCaseResult, any, outcome, strategies};
    use rebut_gen::proptest_expansion::{Limits, limits};
    use rebut_run::Settings;

    /// Applies a configuration of proptest.
    pub fn configure(config: Config, settings: &mut Settings) {
        let Limits { cases, shrink_max, deadline_ms, seed, is_kept } = limits(config);
        settings.cases = cases.or(settings.cases);
        settings.shrink_max = shrink_max.unwrap_or(settings.shrink_max);
        settings.deadline = deadline_ms.map_or(settings.deadline, Duration::from_millis);
        settings.seed = seed.or(settings.seed);
        settings.database &= is_kept;
    }
}

/// The items of the standard library that generated code names. A `#![no_std]` crate cannot name
/// them itself. (A re-export of `std` as a whole would change how the compiler prints types.)
pub mod std {
    pub use ::std::{column, file, format, line, vec};

    pub mod borrow {
        pub use ::std::borrow::{Cow, ToOwned};
    }
    pub mod boxed {
        pub use ::std::boxed::Box;
    }
    pub mod cell {
        pub use ::std::cell::RefCell;
    }
    pub mod ffi {
        pub use ::std::ffi::{CString, OsString};
    }
    pub mod hash {
        pub use ::std::hash::{DefaultHasher, RandomState};
    }
    pub mod path {
        pub use ::std::path::PathBuf;
    }
    pub mod rc {
        pub use ::std::rc::Rc;
    }
    pub mod string {
        pub use ::std::string::{String, ToString};
    }
    pub mod sync {
        pub use ::std::sync::Arc;
    }
}

/// Panics in the sources of each engine, for tests.
pub mod canaries {
    pub use rebut_choice::canary as choice;
    pub use rebut_contract::canary as contract;
    pub use rebut_gen::canary as gen_;
    pub use rebut_search::canary as search;
}
