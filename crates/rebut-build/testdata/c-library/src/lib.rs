//! A crate that links a library in C by name.

/// A number of the library.
#[must_use]
pub fn level() -> i32 {
    // SAFETY: the function reads and writes no memory.
    unsafe { level_of_library() }
}

#[link(name = "someone_elses")]
unsafe extern "C" {
    fn level_of_library() -> std::ffi::c_int;
}

#[cfg(test)]
mod tests {
    #[rebut::test]
    fn levels_are_low(n: i32) {
        assert!(super::level() < 9 || n > 9);
    }
}
