#![no_std]

#[derive(Clone, Debug, rebut::Generate)]
pub enum Shape {
    Point,
    Circle { radius: u16 },
}

#[rebut::mock]
pub trait Clock {
    fn now(&self) -> u64;
}

#[derive(Clone, Debug)]
pub struct Counter(u32);

#[rebut::contract]
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

    #[rebut::test]
    fn shapes(shape: Shape) {
        assert!(!matches!(shape, Shape::Circle { radius } if radius > 100));
    }

    #[rebut::test]
    fn clocks(clock: MockClock) -> bool {
        clock.now() < u64::MAX
    }

    #[rebut::exists]
    fn some(number: u8) -> bool {
        number == 77
    }

    #[rebut::test]
    fn counts(program: rebut::Program<Counter>) {
        program.run();
    }
}
