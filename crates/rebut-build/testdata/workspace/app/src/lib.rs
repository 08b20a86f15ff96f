//! A member of a workspace whose tests depend on what cannot be built for WebAssembly.

/// Twice as much, if that is on.
pub fn double(number: u8) -> u32 {
    if cfg!(feature = "doubling") { base::twice(number) } else { u32::from(number) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rebut::test]
    fn twice_is_even(number: u8) {
        assert_eq!(double(number) % 2, 0);
    }
}
