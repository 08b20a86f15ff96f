#[derive(Clone, Debug, facade::rebut::Generate)]
#[generate(crate = facade::rebut)]
pub struct Pair(u8, u8);

#[cfg(test)]
mod tests {
    use super::*;
    use facade::rebut;

    #[rebut::test(crate = facade::rebut)]
    fn pairs(pair: Pair) {
        assert!(pair.0 < 200);
    }
}
