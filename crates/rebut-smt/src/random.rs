//! Pseudo-random numbers (SplitMix64; Steele, Lea and Flood 2014), to spread models.

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

    /// A number up to `max`.
    pub(crate) fn up_to(&mut self, max: u128) -> u128 {
        let number = u128::from(self.next()) << 64 | u128::from(self.next());
        max.checked_add(1).map_or(number, |count| number % count)
    }
}
