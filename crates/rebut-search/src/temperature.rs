//! Schedules for how far a search may stray over time.
//!
//! The functions are those of the two papers (Löscher and Sagonas 2017, section 4; 2018, section
//! 5). `n` is the number of the step and `steps` the number of all steps.

use std::fmt;

/// A function from a step to its temperature: at 1 a search accepts any case, at 0 only better
/// ones.
///
/// # Examples
/// ```
/// use rebut_search::Temperature;
/// assert_eq!(Temperature::Linear.at(25, 100, 25), 0.75);
/// assert_eq!(Temperature::VeryFast.at(25, 100, 25), 0.5);
/// ```
#[derive(Clone, Copy)]
pub enum Temperature {
    /// `1 - n / steps`.
    Linear,
    /// `1 / max(n / 4, 1)`.
    Fast,
    /// `1 - sqrt(n / steps)`.
    VeryFast,
    /// Like `Fast`, but partly reset after a series of rejections. Late resets go back less.
    Reheating,
    /// A function of your own, from the step and the number of steps.
    Own(fn(n: u64, steps: u64) -> f64),
}

impl fmt::Debug for Temperature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Temperature::Linear => "Linear",
            Temperature::Fast => "Fast",
            Temperature::VeryFast => "VeryFast",
            Temperature::Reheating => "Reheating",
            Temperature::Own(_) => "Own(..)",
        })
    }
}

impl Temperature {
    /// Returns the temperature of step `n` of `steps`. `since` is the number of steps since the
    /// last reset.
    ///
    /// # Examples
    /// ```
    /// use rebut_search::Temperature;
    /// let own = Temperature::Own(|n, steps| 0.5 - n as f64 / steps as f64);
    /// assert_eq!(own.at(25, 100, 25), 0.25);
    /// assert_eq!(own.at(75, 100, 75), 0.0);
    /// ```
    #[must_use]
    pub fn at(&self, n: u64, steps: u64, since: u64) -> f64 {
        let share = n as f64 / steps.max(1) as f64;
        let temperature = match self {
            Temperature::Linear => 1.0 - share,
            Temperature::Fast | Temperature::Reheating => 1.0 / (since as f64 / 4.0).max(1.0),
            Temperature::VeryFast => 1.0 - share.sqrt(),
            Temperature::Own(function) => function(n, steps),
        };
        temperature.clamp(0.0, 1.0)
    }
}

/// The rule by which a search accepts a worse case as its next start.
///
/// # Examples
/// ```
/// use rebut_search::Acceptance;
/// let cold = Acceptance::Metropolis.probability(1.0, 0.1, 1.0);
/// let hot = Acceptance::Metropolis.probability(1.0, 0.9, 1.0);
/// assert!(cold < hot);
/// ```
#[derive(Clone, Copy)]
pub enum Acceptance {
    /// Accepts with probability `exp(-loss / temperature)` (Metropolis et al. 1953).
    Metropolis,
    /// Like `Metropolis`, but divides the loss by the typical loss, so that the unit of the
    /// objective does not matter.
    Normalized,
    /// A function of your own, from the loss and the temperature to the probability.
    Own(fn(loss: f64, temperature: f64) -> f64),
}

impl fmt::Debug for Acceptance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Acceptance::Metropolis => "Metropolis",
            Acceptance::Normalized => "Normalized",
            Acceptance::Own(_) => "Own(..)",
        })
    }
}

impl Acceptance {
    /// Returns the probability of accepting a loss. `typical` is the mean loss so far.
    ///
    /// # Examples
    /// ```
    /// use rebut_search::Acceptance;
    /// assert_eq!(Acceptance::Normalized.probability(-1.0, 0.5, 1.0), 1.0);
    /// assert_eq!(Acceptance::Normalized.probability(1.0, 0.0, 1.0), 0.0);
    /// ```
    #[must_use]
    pub fn probability(&self, loss: f64, temperature: f64, typical: f64) -> f64 {
        if loss <= 0.0 {
            return 1.0;
        }
        if temperature <= 0.0 {
            return 0.0;
        }
        match self {
            Acceptance::Metropolis => (-loss / temperature).exp(),
            Acceptance::Normalized => (-loss / typical.max(f64::MIN_POSITIVE) / temperature).exp(),
            Acceptance::Own(function) => function(loss, temperature),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temperatures_fall_from_one_to_zero() {
        for temperature in [Temperature::Linear, Temperature::Fast, Temperature::VeryFast] {
            assert_eq!(temperature.at(0, 100, 0), 1.0, "{temperature:?}");
            assert!(temperature.at(99, 100, 99) < 0.1, "{temperature:?}");
        }
        assert_eq!(Temperature::Own(|_, _| 7.0).at(1, 2, 1), 1.0);
    }

    #[test]
    fn gains_are_always_accepted_and_losses_less_at_low_temperatures() {
        let metropolis = Acceptance::Metropolis;
        assert_eq!(metropolis.probability(-1.0, 0.0, 1.0), 1.0);
        assert_eq!(metropolis.probability(1.0, 0.0, 1.0), 0.0);
        assert!(metropolis.probability(1.0, 0.9, 1.0) > metropolis.probability(1.0, 0.1, 1.0));
    }
}
