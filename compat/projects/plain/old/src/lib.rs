#[derive(Debug, Clone, rebut::Generate)]
pub struct Pair {
    pub r#type: u8,
    pub second: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::Pair;

    #[rebut::test]
    fn r#match(pair: Pair) {
        assert!(pair.r#type < 200);
    }
}
