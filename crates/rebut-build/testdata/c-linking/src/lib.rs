//! A crate that calls a library in C.

/// A number of the library.
#[must_use]
pub fn magnitude(number: i32) -> i32 {
    // SAFETY: the function reads and writes no memory.
    unsafe { magnitude_in_c(number) }
}

unsafe extern "C" {
    fn magnitude_in_c(number: std::ffi::c_int) -> std::ffi::c_int;
}

#[cfg(test)]
mod tests {
    #[rebut::test]
    fn magnitudes_are_not_negative(#[from(rebut::integers().in_range(-1000..=1000))] n: i32) {
        assert!(super::magnitude(n) >= 0);
    }

    #[rebut::test]
    fn needs_no_c(n: u8) {
        assert!(n < 200 || n % 2 < 2);
    }
}
