//! Sample inputs of a run, for a report to show what was generated.
//!
//! During a run this module keeps only choices, of cases that are spread over the run: a sample
//! of fixed size in which every case so far has the same chance (Vitter, "Random sampling with a
//! reservoir", 1985, algorithm R). Every n-th case would not do: in an enumeration of all inputs,
//! those look alike. At the end it generates the parameters again, without running the property,
//! and writes them as code. A run of a thousand cases therefore costs about seventy copies of
//! choices and fourteen values.

use rebut_choice::Tape;

use crate::case_log::ShownValue;
use crate::outcome::Outcome;
use crate::runner::FinishedCase;
use crate::sorted_indices::sorted_indices;
use crate::strings;
use crate::verdict::FoundBy;

/// The maximum number of inputs to show. A product decision: one screen of a report.
const SAMPLES_MAX: usize = 10;
/// The maximum number of choices of a sample. Longer cases are too long to read, and are skipped.
/// Arbitrary.
const CHOICES_MAX: usize = 1000;
/// The maximum number of characters of a value; longer ones are truncated. Arbitrary.
const CODE_MAX: usize = 200;

/// The number of cases to keep. Four more than are shown, because some may look the same.
/// Arbitrary.
const KEPT_MAX: usize = SAMPLES_MAX + 4;

/// A sample of the cases of a run.
#[derive(Debug, Default)]
pub(super) struct Samples {
    /// The sampled cases, with their numbers among all cases that passed.
    kept: Vec<(u64, Tape)>,
    /// The number of cases so far.
    cases: u64,
}

impl Samples {
    /// Offers a finished case.
    #[inline]
    pub(super) fn offer(&mut self, case: &FinishedCase<'_>) {
        // Examples are written by hand, not generated.
        let is_example = matches!(case.found_by, FoundBy::Example(_));
        if is_example || !matches!(case.outcome, Outcome::Passed) {
            return;
        }
        let number = self.cases;
        self.cases += 1;
        // The simplest case stays, so later cases replace only the others.
        let slot = if number < KEPT_MAX as u64 { number } else { 1 + mixed(number) % number };
        if slot < KEPT_MAX as u64 {
            self.keep(slot as usize, (number, (case.tape)()));
        }
    }

    #[inline(never)]
    fn keep(&mut self, slot: usize, case: (u64, Tape)) {
        match self.kept.get_mut(slot) {
            Some(kept) => *kept = case,
            None => self.kept.push(case),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Returns distinct inputs. `draw` generates them from choices, or returns `None` if it
    /// cannot.
    pub(super) fn draw(
        &mut self,
        draw: &mut dyn FnMut(&Tape) -> Option<Vec<ShownValue>>,
    ) -> Vec<Vec<ShownValue>> {
        let kept = std::mem::take(&mut self.kept);
        let mut samples = Vec::new();
        for n in sorted_indices(kept.len(), &|a, b| kept[a].0.cmp(&kept[b].0)) {
            let tape = &kept[n].1;
            if tape.len() > CHOICES_MAX {
                continue;
            }
            let Some(drawn) = draw(tape) else { continue };
            let mut values = Vec::new();
            for value in &drawn {
                values.push(shortened(value));
            }
            if !values.is_empty() && !samples.contains(&values) {
                samples.push(values);
            }
        }
        // The removed ones are spread over the run too.
        while samples.len() > SAMPLES_MAX {
            let surplus = samples.len() - SAMPLES_MAX;
            for nth in (1..=surplus).rev() {
                samples.remove((nth * samples.len() / (surplus + 1)).min(samples.len() - 1));
            }
        }
        samples
    }
}

/// Mixes the bits of a number: SplitMix64 (Steele, Lea, Flood 2014).
fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// Returns the value, truncated if it is long.
#[inline(never)]
pub(super) fn shortened(value: &ShownValue) -> ShownValue {
    let mut value = value.clone();
    if let Some((at, _)) = value.code.char_indices().nth(CODE_MAX) {
        value.code.truncate(at);
        strings::push(&mut value.code, '…');
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_choice::{AnyDriver, Source};

    /// Creates a case that drew one number.
    fn tape(number: u64) -> Tape {
        let mut source = Source::new(AnyDriver::Simplest);
        source.integer(i128::from(number), 1_000_000);
        source.into_tape()
    }

    fn value(code: String) -> ShownValue {
        ShownValue { name: "n".to_owned(), type_name: "u32".to_owned(), code }
    }

    fn samples(cases: u64, outcome: &Outcome) -> Samples {
        let mut samples = Samples::default();
        for number in 0..cases {
            let tape = || tape(number);
            samples.offer(&FinishedCase {
                found_by: FoundBy::Random(number),
                outcome,
                log: None,
                tape: &tape,
            });
        }
        samples
    }

    /// Returns the drawn numbers.
    fn numbers(mut samples: Samples) -> Vec<String> {
        let drawn = samples.draw(&mut |tape| {
            let number = tape.choices().next().map(|choice| choice.number).unwrap_or_default();
            Some(vec![value(number.to_string())])
        });
        drawn.into_iter().map(|mut values| values.remove(0).code).collect()
    }

    #[test]
    fn samples_are_spread_over_a_run() {
        for cases in [10_u64, 25, 1000, 100_000] {
            let all = numbers(samples(cases, &Outcome::Passed));
            assert_eq!(all.len(), 10, "{cases}: {all:?}");
            let all: Vec<u64> = all.iter().map(|text| text.parse().expect("a number")).collect();
            assert!(all.is_sorted(), "{cases}: {all:?}");
            assert!(all[0] == 0 && all[9] >= cases / 2, "{cases}: {all:?}");
            // In an enumeration of all inputs, every other input is alike.
            let odd = all.iter().filter(|number| *number % 2 == 1).count();
            assert!((2..=8).contains(&odd), "{cases}: {all:?}");
        }
        assert_eq!(numbers(samples(3, &Outcome::Passed)), ["0", "1", "2"]);
    }

    #[test]
    fn rejected_and_repeated_cases_are_not_samples() {
        assert!(numbers(samples(50, &Outcome::Rejected("odd".into()))).is_empty());
        let drawn = samples(50, &Outcome::Passed).draw(&mut |_| Some(vec![value("7".into())]));
        assert_eq!(drawn.len(), 1);
        assert!(samples(50, &Outcome::Passed).draw(&mut |_| None).is_empty());
    }

    #[test]
    fn long_values_are_cut() {
        let drawn = samples(1, &Outcome::Passed).draw(&mut |_| Some(vec![value("é".repeat(1000))]));
        assert_eq!(drawn[0][0].code, format!("{}…", "é".repeat(200)));
    }
}
