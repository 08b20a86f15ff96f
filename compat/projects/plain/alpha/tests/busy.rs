//! Properties that need 50 ms of CPU time, with a deadline that a busy machine exceeds.

macro_rules! busy {
    ($($name:ident)*) => {$(
        #[rebut::test(deadline = "300ms", cases = 20)]
        fn $name(number: u64) {
            let begun = std::time::Instant::now();
            let mut value = number;
            // About 50 ms in a debug build, whatever the clock says.
            for n in 0..400_000_u64 {
                value = std::hint::black_box(value.wrapping_mul(31).wrapping_add(n));
            }
            std::hint::black_box((value, begun));
        }
    )*};
}

busy!(a01 a02 a03 a04 a05 a06 a07 a08 a09 a10 a11 a12 a13 a14 a15 a16 a17 a18 a19 a20 a21 a22 a23 a24);
