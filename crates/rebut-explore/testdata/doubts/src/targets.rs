//! Code that is compiled for some targets only.

#[cfg(target_os = "linux")]
const LIMIT: u32 = 200;
#[cfg(not(target_os = "linux"))]
const LIMIT: u32 = 100;

#[cfg(not(windows))]
const SEPARATOR: u8 = b'/';
#[cfg(windows)]
const SEPARATOR: u8 = b'\\';

fn limited(number: u32) -> u32 {
    number.min(LIMIT)
}

fn separated(number: u8) -> bool {
    number == SEPARATOR
}

#[cfg(unix)]
fn step() -> u32 {
    1
}

#[cfg(not(unix))]
#[inline(never)]
fn step() -> u32 {
    2
}

#[inline(never)]
fn is_supported() -> bool {
    cfg!(target_os = "linux") || cfg!(target_arch = "wasm32")
}

const IS_LINUX: bool = cfg!(target_os = "linux");

fn is_refused(number: u8) -> bool {
    IS_LINUX && number == 77
}

/// Only the other code of this module is executed.
#[cfg(unix)]
pub fn never_called() -> u32 {
    LIMIT + step()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut::prelude::*;

    #[rebut::test]
    fn conditional_constant(number: u32) {
        assert!(limited(number) <= 200);
    }

    #[rebut::test]
    fn conditional_function(number: u8) {
        assert!(u32::from(number) + step() > 0);
    }

    #[rebut::test]
    fn conditional_expression(number: u8) {
        assert!(is_supported() || number > 0);
    }

    #[rebut::test]
    fn conditional_code_that_vanishes(number: u8) {
        if cfg!(target_os = "linux") {
            assert!(number != 77);
        }
    }

    #[rebut::test]
    fn conditional_call_that_vanishes(number: u8) {
        assert!(!is_refused(number));
    }

    #[rebut::test]
    fn condition_with_one_result(number: u8) {
        assert!(!separated(number) || number == b'/');
    }

    #[rebut::test]
    fn target_constants(number: u8) {
        assert!(std::env::consts::OS.len() < 1000 || number == 0);
    }

    #[rebut::test]
    fn constants_of_mathematics(number: u8) {
        assert!(std::f64::consts::PI < 4.0 || number == 0);
    }
}
