#[cfg(test)]
mod tests {
    #[rebut::test]
    fn fails(number: u32) {
        assert!(number < 300);
    }
}
