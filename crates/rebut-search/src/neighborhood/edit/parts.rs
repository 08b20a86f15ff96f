//! Operators that change whole parts.

use std::ops::Range;

use rebut_choice::Token;

use super::Edit;

/// Above this temperature, an edit redraws any part. Below it, the smallest of a few. Arbitrary and
/// not measured.
const HOT: f64 = 0.5;
const COLD_TRIES: usize = 3;

impl Edit<'_> {
    pub(super) fn redraw_part(&mut self) {
        // Prefer small parts at a low temperature.
        let tries = if self.temperature > HOT { 1 } else { COLD_TRIES };
        let part = (0..tries)
            .filter_map(|_| self.rng.pick(&self.map.parts))
            .min_by_key(|(_, tokens)| tokens.len());
        if let Some((label, tokens)) = part {
            self.tokens.splice(tokens.clone(), [Token::Open(*label), Token::Close]);
        }
    }

    pub(super) fn splice(&mut self) {
        let Some((label, to)) = self.rng.pick(&self.map.parts).cloned() else { return };
        let others: Vec<&Range<usize>> = self
            .map
            .parts
            .iter()
            .filter(|(other, tokens)| *other == label && *tokens != to)
            .map(|(_, tokens)| tokens)
            .collect();
        if let Some(&from) = self.rng.pick(&others) {
            let copy = self.tape.tokens()[from.clone()].to_vec();
            self.tokens.splice(to, copy);
        }
    }
}
