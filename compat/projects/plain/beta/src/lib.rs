#[cfg(test)]
mod tests {
    #[rebut::test]
    fn same(number: u32) {
        assert!(number < 20, "beta");
    }
}
