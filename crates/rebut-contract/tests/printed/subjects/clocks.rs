//! Mocks as arguments.

use crate::fault::tick;

#[rebut::mock]
pub trait Clock {
    fn now(&self) -> u8;
    fn wait(&mut self, by: u8) -> Result<u8, bool>;
}

#[derive(Debug)]
pub struct Bucket<C> {
    clock: C,
    tokens: u8,
}

#[rebut::contract(with(C = MockClock))]
impl<C: Clock> Bucket<C> {
    #[requires(capacity > 0)]
    pub fn start(clock: C, capacity: u8) -> Bucket<C> {
        tick("start");
        Bucket { clock, tokens: capacity }
    }

    #[ensures(result || self.tokens != 9)]
    pub fn take(&mut self) -> bool {
        tick("take");
        self.tokens = self.tokens.wrapping_add(self.clock.now());
        self.tokens % 2 == 0
    }

    pub fn wait(&mut self, by: u8) -> Option<u8> {
        tick("wait");
        let waited = self.clock.wait(by);
        assert!(waited != Ok(4), "waited for four");
        waited.ok()
    }

    pub fn look(clock: &MockClock) -> u8 {
        tick("look");
        clock.now()
    }
}
