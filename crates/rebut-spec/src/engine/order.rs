//! The order in which a known number of values is listed: spread out, each index once.
//!
//! The step is about 0.618 of the size (the golden ratio) and coprime to it. Such steps visit
//! each index once and leave no large gap at any time (a Kronecker sequence). A shuffle would
//! need memory for all indices; this needs none, so a set may have 2^100 members.

/// All indices below a size, each once. The seed picks the first one.
#[derive(Clone, Debug)]
pub(crate) struct Permutation {
    size: u128,
    step: u128,
    at: u128,
    left: u128,
}

impl Permutation {
    pub(crate) fn new(size: u128, seed: u64) -> Self {
        // Larger sizes are cut at 2^100, so that the products below fit into 128 bits.
        let size = size.min(1 << 100);
        let wanted = size / 1000 * 618 + size % 1000 * 618 / 1000;
        let step = (wanted.max(1)..).find(|step| gcd(*step, size) == 1).unwrap_or(1);
        let at =
            if size == 0 { 0 } else { u128::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) % size };
        Self { size, step: step % size.max(1), at, left: size }
    }
}

impl Iterator for Permutation {
    type Item = u128;

    fn next(&mut self) -> Option<u128> {
        self.left = self.left.checked_sub(1)?;
        let index = self.at;
        self.at = (self.at + self.step) % self.size;
        Some(index)
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visits_each_index_once() {
        for size in [0, 1, 2, 3, 10, 97, 1000] {
            let mut seen: Vec<u128> = Permutation::new(size, 7).collect();
            seen.sort_unstable();
            assert!(seen.into_iter().eq(0..size));
        }
    }

    #[test]
    fn the_first_indices_are_spread() {
        let first: Vec<u128> = Permutation::new(1 << 32, 0).take(8).collect();
        for quarter in 0..4 {
            assert!(first.iter().any(|index| index >> 30 == quarter), "{first:?}");
        }
    }
}
