//! Picks an arm by its success rate: Thompson sampling (Thompson 1933) with fading evidence.

use rebut_choice::Rng;

/// An option and the evidence about it.
#[derive(Clone, Debug)]
pub(super) struct Arm<T> {
    pub(super) option: T,
    wins: f64,
    losses: f64,
}

/// The share of the evidence of an arm that remains after each of its rewards: half of it after 138
/// rewards. The edits that help change slowly during a search. Arbitrary; in `bench search` (see
/// `adaptive.rs`), 0.99 (half after 69) needs 961, 1,137, 401 and 2,387 tests, and 0.9975 (half after
/// 277) needs 982, 1,171, 434 and 2,274.
const FADE: f64 = 0.995;

impl<T> Arm<T> {
    pub(super) fn new(option: T) -> Arm<T> {
        Arm { option, wins: 1.0, losses: 1.0 }
    }

    pub(super) fn reward(&mut self, gain: bool) {
        self.wins = 1.0 + (self.wins - 1.0) * FADE + f64::from(u8::from(gain));
        self.losses = 1.0 + (self.losses - 1.0) * FADE + f64::from(u8::from(!gain));
    }
}

/// Picks one of the usable arms by its success rate.
pub(super) fn draw<T>(
    arms: &[Arm<T>],
    usable: impl Iterator<Item = usize>,
    rng: &mut Rng,
) -> Option<usize> {
    let drawn = usable.map(|nth| (beta(arms[nth].wins, arms[nth].losses, rng), nth));
    drawn.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, nth)| nth)
}

/// Samples the beta distribution, by two gamma samples.
fn beta(a: f64, b: f64, rng: &mut Rng) -> f64 {
    let (x, y) = (gamma(a, rng), gamma(b, rng));
    x / (x + y)
}

/// Samples the gamma distribution for a shape of at least one (Marsaglia and Tsang 2000).
fn gamma(shape: f64, rng: &mut Rng) -> f64 {
    let d = shape.max(1.0) - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && rng.unit().ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

/// Samples the normal distribution (Box and Muller 1958).
fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.unit()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arm_that_wins_is_drawn_most() {
        let mut rng = Rng::new(1);
        let mut arms = [Arm::new(0.1), Arm::new(0.5), Arm::new(0.2)];
        let mut drawn = [0; 3];
        for _ in 0..2000 {
            let nth = draw(&arms, 0..3, &mut rng).expect("an arm");
            drawn[nth] += 1;
            let gain = rng.unit() < arms[nth].option;
            arms[nth].reward(gain);
        }
        assert!(drawn[1] > 1500, "{drawn:?}");
    }

    #[test]
    fn samples_have_the_mean_of_their_distribution() {
        let mut rng = Rng::new(2);
        let mean = (0..20_000).map(|_| beta(2.0, 6.0, &mut rng)).sum::<f64>() / 20_000.0;
        assert!((mean - 0.25).abs() < 0.01, "{mean}");
    }
}
