//! Instances of laws about any value, and congruence of observers.
//!
//! A value that only observers are applied to is *free*: what is true of `contains(other)` is true
//! of `contains(value)`, too. And an observer returns equal results for equal arguments. Without
//! these two facts, a law about an argument would not be seen to follow from one about all values.

use super::paths::Paths;
use super::{Slot, Stage};

/// A substitution: a free slot, and the slot that replaces it.
pub(super) type Substitution = (u32, u32);

/// Returns all substitutions of known slots for free ones of the same type.
pub(super) fn substitutions(paths: &Paths<'_>) -> Vec<Substitution> {
    let slots = paths.slots;
    let is_candidate = |slot: u32| {
        let this = &slots[slot as usize];
        this.stage == Stage::Argument && !this.is_free || is_argument(slots, slot)
    };
    let all = 0..slots.len() as u32;
    let mut substitutions = Vec::new();
    for free in all.clone().filter(|slot| slots[*slot as usize].is_free) {
        let candidates = all.clone().filter(|slot| *slot != free && is_candidate(*slot));
        let alike = candidates.filter(|slot| paths.type_of(*slot) == paths.type_of(free));
        substitutions.extend(alike.map(|slot| (free, slot)));
    }
    substitutions
}

/// Whether an observer is applied to this slot, which was observed before the call.
fn is_argument(slots: &[Slot], slot: u32) -> bool {
    let mut shown = slots.iter().filter_map(|slot| slot.shown_by.as_ref());
    slots[slot as usize].stage == Stage::Before && shown.any(|by| by.arguments.contains(&slot))
}

/// Applies a substitution to a slot. A slot of an observer that is applied to the free slot becomes
/// the slot of the same observer applied to the replacement; `None` if the probe does not observe
/// that.
pub(super) fn substitute(
    slots: &[Slot],
    (free, replacement): &Substitution,
    slot: u32,
) -> Option<u32> {
    if slot == *free {
        return Some(*replacement);
    }
    let this = slots.get(slot as usize)?;
    let Some(by) = this.shown_by.as_ref().filter(|by| by.arguments.contains(free)) else {
        return Some(slot);
    };
    let replaced = |argument: &u32| if argument == free { *replacement } else { *argument };
    let wanted: Vec<u32> = by.arguments.iter().map(replaced).collect();
    let is_wanted = |other: &Slot| {
        let shown_by = other.shown_by.as_ref();
        other.stage == this.stage
            && shown_by
                .is_some_and(|other| other.observer == by.observer && other.arguments == wanted)
    };
    slots.iter().position(is_wanted).and_then(|index| u32::try_from(index).ok())
}

/// Returns all pairs of slots of one observer at one stage, with the pairs of their arguments that
/// differ.
pub(super) fn pairs_of_one_observer(slots: &[Slot]) -> Vec<(u32, u32, Vec<Substitution>)> {
    let mut pairs = Vec::new();
    for (a, one) in (0..).zip(slots) {
        for (b, other) in (0..).zip(slots).skip(a as usize + 1) {
            let (Some(by), Some(other_by)) = (&one.shown_by, &other.shown_by) else { continue };
            if one.stage == other.stage && by.observer == other_by.observer {
                let arguments = by.arguments.iter().copied().zip(other_by.arguments.clone());
                pairs.push((a, b, arguments.filter(|(a, b)| a != b).collect()));
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::super::Application;
    use super::*;

    fn argument(is_free: bool) -> Slot {
        Slot { stage: Stage::Argument, twin: None, shown_by: None, is_free }
    }

    fn shown(stage: Stage, arguments: &[u32]) -> Slot {
        let shown_by = Some(Application { observer: 7, arguments: arguments.to_vec() });
        Slot { stage, twin: None, shown_by, is_free: false }
    }

    #[test]
    fn an_observer_of_a_free_value_maps_to_that_of_an_argument() {
        let slots = [
            argument(false),
            argument(true),
            shown(Stage::Before, &[0]),
            shown(Stage::Before, &[1]),
            shown(Stage::After, &[1]),
        ];
        let substitution = (1, 0);
        assert_eq!(substitute(&slots, &substitution, 1), Some(0));
        assert_eq!(substitute(&slots, &substitution, 2), Some(2));
        assert_eq!(substitute(&slots, &substitution, 3), Some(2));
        assert_eq!(substitute(&slots, &substitution, 4), None, "it is not observed after the call");
        assert_eq!(pairs_of_one_observer(&slots), [(2, 3, vec![(0, 1)])]);
    }
}
