#[derive(Clone, Debug, rb::Generate)]
pub struct Pair(u8, u8);

#[rb::mock]
pub trait Clock {
    fn now(&self) -> u64;
}

#[derive(Clone, Debug)]
pub struct Counter(u32);

#[rb::contract]
impl Counter {
    pub fn new() -> Counter {
        Counter(0)
    }

    #[ensures(self.0 == old(self.0) + 1)]
    pub fn add(&mut self) {
        self.0 += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rb::test]
    fn pairs(pair: Pair, clock: MockClock) {
        rb::assume!(clock.now() > 0);
        assert!(pair.0 < 200);
    }

    #[rb::test]
    fn counts(program: rb::Program<Counter>) {
        program.run();
    }
}
