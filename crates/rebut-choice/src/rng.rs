//! The random numbers of all drivers: xoshiro256++ (Blackman and Vigna 2019), seeded through
//! SplitMix64. It is small, fast, and the same on every platform, so that a seed always means the
//! same run.

/// A pseudo-random number generator whose stream depends on its seed alone.
///
/// # Examples
/// ```
/// use rebut_choice::Rng;
/// let (mut a, mut b) = (Rng::new(1), Rng::new(1));
/// assert_eq!(a.bits(), b.bits());
/// ```
#[derive(Clone, Debug)]
pub struct Rng {
    state: [u64; 4],
}

/// Mixes the bits of a number, with one step of SplitMix64.
///
/// # Examples
/// ```
/// use rebut_choice::mix;
/// assert_ne!(mix(1) >> 32, mix(2) >> 32);
/// ```
#[must_use]
pub fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Rng {
    /// Creates a generator with the stream of `seed`.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Rng;
    /// assert_ne!(Rng::new(1).bits(), Rng::new(2).bits());
    /// ```
    #[must_use]
    pub fn new(seed: u64) -> Rng {
        let a = mix(seed);
        let b = mix(a);
        let c = mix(b);
        Rng { state: [a, b, c, mix(c)] }
    }

    /// Returns 64 random bits.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Rng;
    /// let mut rng = Rng::new(1);
    /// assert_ne!(rng.bits(), rng.bits());
    /// ```
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let shifted = b << 17;
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ shifted, d.rotate_left(45)];
        result
    }

    /// Returns a number below `bound`, or 0 if `bound` is 0. The bias of the multiplication
    /// method, less than `bound / 2^64`, does not matter here.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Rng;
    /// assert!(Rng::new(1).below(6) < 6);
    /// ```
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// Returns a number from 0 to `max`, inclusive.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Rng;
    /// assert!(Rng::new(1).up_to(5) <= 5);
    /// ```
    #[inline]
    pub fn up_to(&mut self, max: u128) -> u128 {
        if max < u128::from(u64::MAX) {
            u128::from(self.below(max as u64 + 1))
        } else {
            let wide = (u128::from(self.bits()) << 64) | u128::from(self.bits());
            if max == u128::MAX { wide } else { wide % (max + 1) }
        }
    }

    /// Returns a number from `min` to `max`, inclusive.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Rng;
    /// assert!((-3..=3).contains(&Rng::new(1).between(-3, 3)));
    /// ```
    #[inline]
    pub fn between(&mut self, min: i128, max: i128) -> i128 {
        min.wrapping_add(self.up_to(max.wrapping_sub(min) as u128) as i128)
    }

    /// Returns true with a probability of `n` in 256.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Rng;
    /// let mut rng = Rng::new(1);
    /// let heads = (0..1000).filter(|_| rng.chance(128)).count();
    /// assert!((400..600).contains(&heads));
    /// ```
    #[inline]
    pub fn chance(&mut self, n: u8) -> bool {
        n > 0 && ((self.bits() >> 56) as u8) < n
    }

    /// Returns a number from 0.0 up to but not including 1.0.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Rng;
    /// assert!((0.0..1.0).contains(&Rng::new(1).unit()));
    /// ```
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns one of the items, or `None` if there are none.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Rng;
    /// let mut rng = Rng::new(1);
    /// assert!(rng.pick(&["a", "b"]).is_some());
    /// assert_eq!(rng.pick::<u8>(&[]), None);
    /// ```
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len() as u64) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_range_and_reach_both_ends() {
        let mut rng = Rng::new(1);
        let drawn: Vec<i128> = (0..1000).map(|_| rng.between(-3, 3)).collect();
        assert!(drawn.iter().all(|n| (-3..=3).contains(n)));
        assert!(drawn.contains(&-3) && drawn.contains(&3));
        assert!((0..100).any(|_| rng.between(i128::MIN, i128::MAX) < 0));
        assert_eq!(rng.below(1), 0);
        assert!(!Rng::new(2).chance(0));
    }
}
