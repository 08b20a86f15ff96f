#[cfg(test)]
mod tests {
    #[rebut::test]
    fn in_a_macro_crate(number: u32) {
        assert!(number < 80);
    }
}
