//! The platforms that exploration runs on.
//!
//! Tests are built for the platform where a `usize` has as many bits as natively: 64 on nearly all
//! machines. Rust distributes no standard library for that one. Where none can be built, and where
//! the user asks for it, tests are built for the other platform.

use std::env;
use std::fmt;

use crate::Problem;

/// The environment variable that forces a width: `32` or `64`.
const WIDTH_VARIABLE: &str = "REBUT_EXPLORE_POINTER_WIDTH";

/// A platform that tests can be explored on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Platform {
    /// A `usize` has 64 bits.
    Wasm64,
    /// A `usize` has 32 bits.
    Wasm32,
}

impl Platform {
    /// All platforms.
    pub(crate) const ALL: [Platform; 2] = [Platform::Wasm64, Platform::Wasm32];

    /// The name that rustc gives it.
    pub(crate) fn triple(self) -> &'static str {
        match self {
            Platform::Wasm64 => "wasm64-unknown-unknown",
            Platform::Wasm32 => "wasm32-unknown-unknown",
        }
    }

    /// The bits of a `usize`.
    pub(crate) fn pointer_width(self) -> u32 {
        match self {
            Platform::Wasm64 => 64,
            Platform::Wasm32 => 32,
        }
    }

    /// The flags of the compiler that crates need on this platform.
    ///
    /// Few crates know `wasm64`. Many have code for `wasm32` that is right here too, and that the
    /// code for all other architectures is not: it uses an operating system. So both conditions are
    /// true, and the width is that of the platform.
    pub(crate) fn flags(self) -> &'static [&'static str] {
        match self {
            Platform::Wasm64 => {
                &["--cfg=target_arch=\"wasm32\"", "-Aexplicit_builtin_cfgs_in_flags"]
            }
            Platform::Wasm32 => &[],
        }
    }

    /// The environment variable that names the linker to cargo.
    pub(crate) fn linker_variable(self) -> String {
        let triple = self.triple().to_uppercase().replace('-', "_");
        format!("CARGO_TARGET_{triple}_LINKER")
    }

    /// The platforms to try, the best first: all, or the one that the user forces.
    pub(crate) fn wanted() -> Result<Vec<Platform>, Problem> {
        match env::var(WIDTH_VARIABLE) {
            Ok(width) if !width.is_empty() => Platform::of_width(&width),
            _ => Ok(Platform::by_preference(usize::BITS)),
        }
    }

    /// All platforms, that with the width of this machine first.
    fn by_preference(native_width: u32) -> Vec<Platform> {
        let mut platforms = Platform::ALL.to_vec();
        platforms.sort_by_key(|platform| platform.pointer_width() != native_width);
        platforms
    }

    pub(crate) fn of_width(width: &str) -> Result<Vec<Platform>, Problem> {
        let is_this = |platform: &Platform| platform.pointer_width().to_string() == width;
        let found: Vec<Platform> = Platform::ALL.into_iter().filter(is_this).collect();
        if found.is_empty() {
            let problem = format!("{WIDTH_VARIABLE} is `{width}`, but must be `32` or `64`");
            return Err(Problem::request(problem));
        }
        Ok(found)
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.triple())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forced_width_leaves_one_platform() {
        for platform in Platform::ALL {
            let width = platform.pointer_width().to_string();
            assert_eq!(Platform::of_width(&width).ok(), Some(vec![platform]));
            assert!(platform.triple().contains(&width));
        }
        let problem = Platform::of_width("16").expect_err("there is no such platform");
        assert!(problem.to_string().contains("must be `32` or `64`"), "{problem}");
    }

    #[test]
    fn the_width_of_this_machine_is_preferred() {
        for platform in Platform::ALL {
            assert_eq!(Platform::by_preference(platform.pointer_width()).first(), Some(&platform));
        }
    }

    #[test]
    fn the_linker_variable_is_that_of_cargo() {
        let variable = Platform::Wasm64.linker_variable();
        assert_eq!(variable, "CARGO_TARGET_WASM64_UNKNOWN_UNKNOWN_LINKER");
    }
}
