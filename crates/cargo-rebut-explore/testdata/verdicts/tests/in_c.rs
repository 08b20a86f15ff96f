//! Calls a function in C that is not there.

unsafe extern "C" {
    fn magnitude_in_c(number: std::ffi::c_int) -> std::ffi::c_int;
}

fn magnitude(number: i32) -> i32 {
    // SAFETY: the function reads and writes no memory.
    unsafe { magnitude_in_c(number) }
}

#[rebut::test]
fn calls_c(#[from(rebut::integers().in_range(-1000..=1000))] number: i32) {
    assert!(magnitude(number) >= 0);
}

#[rebut::test]
fn calls_no_c(number: u8) {
    assert!(number < 200 || number % 2 < 2);
}
