//! Identifiers of the crate `uuid`.

use rebut_choice::{Label, Source};
use uuid::{NonNilUuid, Uuid};

use crate::misuse::expected;
use crate::{Code, Generate, ToCode};

const UUID: Label = Label::group("Uuid");
/// How often random cases have each kind of [`draw_kind`]: most identifiers are random.
const WEIGHTS: [u32; 7] = [1, 8, 3, 1, 1, 1, 1];

/// Generates the nil UUID, all versions, any other 128 bits, and the largest UUID.
///
/// The bits of the version and the variant are not choices.
impl Generate for Uuid {
    #[inline]
    fn generate(source: &mut Source) -> Uuid {
        source.span(UUID, |source| {
            let mut weights = [1; WEIGHTS.len() + 1];
            weights[1..].copy_from_slice(&WEIGHTS);
            let kind = source.alternative(weights.len(), &weights, weights.len());
            source.span(Label::ALTERNATIVE, |source| match kind.checked_sub(1) {
                None => Uuid::nil(),
                Some(kind) => draw_kind(source, kind),
            })
        })
    }
}

/// Generates the same values as for `Uuid`, without the nil UUID.
impl Generate for NonNilUuid {
    #[inline]
    fn generate(source: &mut Source) -> NonNilUuid {
        let uuid = source.span(UUID, |source| {
            let kind = source.alternative(WEIGHTS.len(), &WEIGHTS, WEIGHTS.len());
            source.span(Label::ALTERNATIVE, |source| draw_kind(source, kind))
        });
        expected(NonNilUuid::new(uuid), "a UUID that is not nil")
    }
}

/// Draws a UUID that is not nil: version 4 or 7, one with a time in other units, one of the versions
/// 3, 5 and 8, any bits, or the largest.
fn draw_kind(source: &mut Source, kind: usize) -> Uuid {
    match kind {
        // Without choices, so that a UUID shrinks to it rather than to the largest.
        0 => with_version(4, 0, 0, 0),
        1 => draw_version(source, 4),
        2 => draw_sortable(source),
        3 => draw_timed(source),
        4 => {
            let version = [3, 5, 8][source.index(3)];
            draw_version(source, version)
        }
        5 => {
            let high = source.integer(0, u64::MAX.into()) as u64;
            let low = source.integer(i128::from(high == 0), u64::MAX.into()) as u64;
            Uuid::from_u64_pair(high, low)
        }
        _ => Uuid::max(),
    }
}

/// Draws the 122 bits besides the version and the variant.
fn draw_version(source: &mut Source, version: u64) -> Uuid {
    let high = bits(source, 60);
    with_version(version, high >> 12, high & 0xFFF, bits(source, 62))
}

/// Draws version 7: the milliseconds since 1970, and other bits.
fn draw_sortable(source: &mut Source) -> Uuid {
    let millis = bits(source, 48);
    with_version(7, millis, bits(source, 12), bits(source, 62))
}

/// Draws version 1 or 6: a time since 1582 in units of 100 nanoseconds, a clock sequence and a node.
fn draw_timed(source: &mut Source) -> Uuid {
    let version = [1, 6][source.index(2)];
    let time = bits(source, 60);
    let low = bits(source, 14) << 48 | bits(source, 48);
    match version {
        // Version 1 begins with the 32 low bits, version 6 with the 48 high bits.
        1 => {
            let first = (time & 0xFFFF_FFFF) << 16 | (time >> 32 & 0xFFFF);
            with_version(1, first, time >> 48, low)
        }
        _ => with_version(6, time >> 12, time & 0xFFF, low),
    }
}

fn bits(source: &mut Source, count: u32) -> u64 {
    source.integer(0, (1 << count) - 1) as u64
}

/// Returns the UUID with the first 48 bits, 12 bits after the version and 62 after the variant.
fn with_version(version: u64, first: u64, second: u64, low: u64) -> Uuid {
    Uuid::from_u64_pair(first << 16 | version << 12 | second, 1 << 63 | low)
}

impl ToCode for Uuid {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.format(format_args!("uuid::Uuid::from_u128({:#x})", self.as_u128()));
    }
}

impl ToCode for NonNilUuid {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.call("uuid::NonNilUuid::new", &[&self.get()]);
        code.push(".unwrap()");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::{drawn, prints, replays};
    use rebut::find;
    use uuid::{Variant, Version};

    #[test]
    fn every_version_is_drawn_most_often_the_random_one() {
        let all = drawn(&any::<Uuid>(), 2000);
        assert!(all.contains(&Uuid::nil()) && all.contains(&Uuid::max()));
        let having = |version| {
            let has = |id: &&Uuid| {
                id.get_variant() == Variant::RFC4122 && id.get_version() == Some(version)
            };
            all.iter().filter(has).count()
        };
        assert!(having(Version::Random) > 800);
        for version in [
            Version::Mac,
            Version::Md5,
            Version::Sha1,
            Version::SortMac,
            Version::SortRand,
            Version::Custom,
        ] {
            assert!(having(version) > 10, "{version:?}");
        }
        assert!(all.iter().any(|id| id.get_variant() == Variant::NCS));
        replays(&any::<(Uuid, NonNilUuid)>());
    }

    #[test]
    fn times_of_both_ends_are_drawn() {
        let all = drawn(&any::<Uuid>(), 5000);
        let begins = |text: &str| all.iter().any(|id| id.to_string().starts_with(text));
        assert!(begins("00000000-0000-7") && begins("ffffffff-ffff-7"));
        assert!(begins("00000000-0000-1000") && begins("ffffffff-ffff-1fff"));
        assert!(begins("00000000-0000-6000") && begins("ffffffff-ffff-6fff"));
        assert!(all.iter().all(|id| id.to_string().parse() == Ok(*id)));
    }

    #[test]
    fn uuids_shrink_to_nil_and_to_the_first_of_version_four() {
        assert_eq!(find(rebut::any::<Uuid>(), |_| true), Some(Uuid::nil()));
        let first = Uuid::from_u128(0x4000_8000_0000_0000_0000);
        assert_eq!(find(rebut::any::<NonNilUuid>(), |_| true), NonNilUuid::new(first));
        let other = find(rebut::any(), |(_, n): &(NonNilUuid, u8)| *n > 3);
        assert_eq!(other.map(|(id, _)| id), NonNilUuid::new(first));
        let timed = find(rebut::any(), |id: &Uuid| {
            id.get_variant() == Variant::RFC4122 && id.get_version() == Some(Version::SortRand)
        });
        assert_eq!(timed.map(|id| id.to_string()).as_deref(), {
            Some("00000000-0000-7000-8000-000000000000")
        });
    }

    #[test]
    fn uuids_are_printed_as_numbers() {
        prints!(uuid::Uuid::from_u128(0xff));
        prints!(uuid::NonNilUuid::new(uuid::Uuid::from_u128(0x1)).unwrap());
    }
}
