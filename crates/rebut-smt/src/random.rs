//! Pseudo-random numbers that spread models over the solutions.
//!
//! The generator is SplitMix64 (Steele, Lea and Flood 2014). `rebut-choice` has the same one; the
//! crate `rebut-smt` has its own because it depends on no other crate of Rebut.

#[derive(Clone, Copy, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn bit(&mut self) -> bool {
        self.next() & 1 == 1
    }

    /// Returns a number from 0 to `max`, inclusive.
    pub(crate) fn up_to(&mut self, max: u128) -> u128 {
        let number = u128::from(self.next()) << 64 | u128::from(self.next());
        max.checked_add(1).map_or(number, |count| number % count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix64_returns_the_published_numbers() {
        let mut random = Random::new(1_234_567);
        let numbers = [(); 3].map(|()| random.next());
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn up_to_stays_within_its_bound() {
        let mut random = Random::new(1);
        let numbers: Vec<u128> = (0..100).map(|_| random.up_to(2)).collect();
        assert!((0..=2).all(|number| numbers.contains(&number)));
        assert!(numbers.iter().all(|number| *number <= 2));
        random.up_to(u128::MAX);
    }
}
