//! Laws about any value, as laws about certain ones.
//!
//! A value that only observers are applied to stands for any: what is so of `contains(other)` is
//! so of `contains(value)`, too. And an observer shows the same of the same, however it came by
//! it. Without these two a law about an argument would not be seen to follow from one about all
//! values.

use super::paths::Paths;
use super::{Slot, Stage};

/// A slot that is free, and one that it is taken to be.
pub(super) type Taken = (u32, u32);

/// All slots that may be put in for those that are free.
pub(super) fn of_free(paths: &Paths<'_>) -> Vec<Taken> {
    let slots = paths.slots;
    let is_known = |slot: u32| {
        let this = &slots[slot as usize];
        this.stage == Stage::Argument && !this.is_free || is_argument(slots, slot)
    };
    let all = 0..slots.len() as u32;
    let mut taken = Vec::new();
    for free in all.clone().filter(|slot| slots[*slot as usize].is_free) {
        let known = all.clone().filter(|slot| *slot != free && is_known(*slot));
        let alike = known.filter(|slot| paths.type_of(*slot) == paths.type_of(free));
        taken.extend(alike.map(|slot| (free, slot)));
    }
    taken
}

/// Whether something is applied to what was seen before the call.
fn is_argument(slots: &[Slot], slot: u32) -> bool {
    let mut shown = slots.iter().filter_map(|slot| slot.shown_by.as_ref());
    slots[slot as usize].stage == Stage::Before && shown.any(|by| by.arguments.contains(&slot))
}

/// A slot, where one that is free is taken to be another: the same observer applied to that.
/// Nothing if nobody looks at that.
pub(super) fn mapped(slots: &[Slot], (free, taken): &Taken, slot: u32) -> Option<u32> {
    if slot == *free {
        return Some(*taken);
    }
    let this = slots.get(slot as usize)?;
    let Some(by) = this.shown_by.as_ref().filter(|by| by.arguments.contains(free)) else {
        return Some(slot);
    };
    let put_in = |argument: &u32| if argument == free { *taken } else { *argument };
    let wanted: Vec<u32> = by.arguments.iter().map(put_in).collect();
    let is_wanted = |other: &Slot| {
        let shown_by = other.shown_by.as_ref();
        other.stage == this.stage
            && shown_by
                .is_some_and(|other| other.observer == by.observer && other.arguments == wanted)
    };
    slots.iter().position(is_wanted).and_then(|place| u32::try_from(place).ok())
}

/// All pairs of slots that one observer shows at one time, with the pairs of their arguments.
pub(super) fn of_one_observer(slots: &[Slot]) -> Vec<(u32, u32, Vec<Taken>)> {
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
    fn what_is_shown_of_any_value_is_what_is_shown_of_an_argument() {
        let slots = [
            argument(false),
            argument(true),
            shown(Stage::Before, &[0]),
            shown(Stage::Before, &[1]),
            shown(Stage::After, &[1]),
        ];
        let taken = (1, 0);
        assert_eq!(mapped(&slots, &taken, 1), Some(0));
        assert_eq!(mapped(&slots, &taken, 2), Some(2));
        assert_eq!(mapped(&slots, &taken, 3), Some(2));
        assert_eq!(mapped(&slots, &taken, 4), None, "nobody looks at it after the call");
        assert_eq!(of_one_observer(&slots), [(2, 3, vec![(0, 1)])]);
    }
}
