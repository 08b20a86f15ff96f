//! Its library itself depends on what cannot be built for WebAssembly.

/// Waits.
pub fn wait() {
    blocked::wait();
}

#[cfg(test)]
mod tests {
    #[rebut::test]
    fn waits(number: u8) {
        super::wait();
        assert!(number < 255);
    }
}
