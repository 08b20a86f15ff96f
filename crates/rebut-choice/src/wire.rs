//! Packs parts of a choice into numbers, for the interface between an explored test and its host.
//!
//! `host.rs` packs in the guest, and `rebut-concolic` unpacks in the host.
//! `rebut_protocol::wasm` defines the rest of that interface.

use crate::{ChoiceKind, Label, Role, SpanShape};

const KINDS: [ChoiceKind; 6] = [
    ChoiceKind::Boolean,
    ChoiceKind::Integer,
    ChoiceKind::Char,
    ChoiceKind::Float32,
    ChoiceKind::Float64,
    ChoiceKind::Opaque,
];

const ROLES: [Role; 7] = [
    Role::Value,
    Role::Alternative,
    Role::Length,
    Role::Presence,
    Role::Index,
    Role::Steps,
    Role::Trail,
];

const SHAPES: [SpanShape; 3] = [SpanShape::Group, SpanShape::Sequence, SpanShape::Recursive];

/// Packs the kind and the role of a choice: the kind in the low byte, the role above it.
///
/// # Examples
/// ```
/// use rebut_choice::{ChoiceKind, Role, wire};
///
/// let packed = wire::pack_kind(ChoiceKind::Char, Role::Index);
/// assert_eq!(wire::unpack_kind(packed), Some((ChoiceKind::Char, Role::Index)));
/// ```
#[must_use]
pub fn pack_kind(kind: ChoiceKind, role: Role) -> i32 {
    kind as i32 | (role as i32) << 8
}

/// Unpacks a kind and a role. Returns `None` for numbers of another version.
#[must_use]
pub fn unpack_kind(packed: i32) -> Option<(ChoiceKind, Role)> {
    let kind = KINDS.get((packed & 0xFF) as usize)?;
    let role = ROLES.get(usize::try_from(packed >> 8).ok()?)?;
    Some((*kind, *role))
}

/// Packs a label: its hash in the low half, its shape above it.
///
/// # Examples
/// ```
/// use rebut_choice::{Label, wire};
/// assert_eq!(wire::unpack_label(wire::pack_label(Label::TEXT)), Some(Label::TEXT));
/// ```
#[must_use]
pub fn pack_label(label: Label) -> i64 {
    i64::from(label.id()) | (label.shape() as i64) << 32
}

/// Unpacks a label. Returns `None` for numbers of another version.
#[must_use]
pub fn unpack_label(packed: i64) -> Option<Label> {
    let shape = SHAPES.get(usize::try_from(packed >> 32).ok()?)?;
    Some(Label::from_id(packed as u32, *shape))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_roles_round_trip() {
        for kind in KINDS {
            for role in ROLES {
                assert_eq!(unpack_kind(pack_kind(kind, role)), Some((kind, role)));
            }
        }
        for wrong in [KINDS.len() as i32, (ROLES.len() as i32) << 8, -1, i32::MAX] {
            assert_eq!(unpack_kind(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn labels_round_trip() {
        for shape in SHAPES {
            for id in [0, 1, u32::MAX] {
                let label = Label::from_id(id, shape);
                assert_eq!(unpack_label(pack_label(label)), Some(label));
            }
        }
        assert_eq!(unpack_label(3 << 32), None);
        assert_eq!(unpack_label(-1), None);
    }
}
