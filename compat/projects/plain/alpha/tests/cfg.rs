#[rebut::test]
fn conditional(first: u8, #[cfg(feature = "extra")] second: u8, #[cfg(not(feature = "extra"))] third: u8) {
    #[cfg(feature = "extra")]
    assert!(u16::from(first) + u16::from(second) < 600);
    #[cfg(not(feature = "extra"))]
    assert!(u16::from(first) + u16::from(third) < 600);
}

#[rebut::test]
fn allowed(#[allow(unused)] first: u8, #[cfg_attr(all(), allow(unused))] second: u8) {}
