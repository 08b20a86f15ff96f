extern crate rebut;

#[derive(Debug, Clone, rebut::Generate)]
pub struct Pair {
    pub first: u8,
    pub second: Option<String>,
}

#[rebut::mock]
pub trait Clock {
    fn now(&self) -> u64;
}

#[cfg(test)]
mod tests {
    use super::{Clock, MockClock, Pair};

    #[rebut::test]
    fn pairs(pair: Pair) {
        assert!(pair.first < 200);
    }

    #[rebut::test]
    fn clocks(clock: MockClock) {
        assert!(clock.now() < 1000);
    }
}
