//! Tuples.
//!
//! A tuple has no span of its own. Every part with a variable number of choices has one, so the
//! parts cannot be confused with each other.

use rebut_choice::Source;

use crate::integers::MEMBERS_MAX;
use crate::{AsGenerator, Generate, Generator};

/// Returns the number of tuples, given the number of members of each part.
fn combinations(counts: &[Option<usize>]) -> Option<usize> {
    let product = counts.iter().try_fold(1usize, |product, count| product.checked_mul((*count)?));
    product.filter(|&product| product as u128 <= MEMBERS_MAX)
}

/// Returns the values of one part in all tuples, in order. The part changes every `stride` tuples.
///
/// Values cannot be cloned, so the members are computed as often as they are needed. Asking for
/// them one by one would be simpler. But each request may compute all members, so the time would
/// explode for nested tuples.
fn column<G: AsGenerator>(
    part: &G,
    count: usize,
    stride: usize,
    combinations: usize,
) -> Option<Vec<Option<G::Value>>> {
    let mut column: Vec<Option<G::Value>> = (0..combinations).map(|_| None).collect();
    for copy in 0..combinations.checked_div(count).unwrap_or(0) {
        let first = copy / stride * stride * count + copy % stride;
        for (nth, member) in part.known_members()?.into_iter().enumerate() {
            *column.get_mut(first + nth * stride)? = Some(member);
        }
    }
    Some(column)
}

macro_rules! tuple {
    ($($name:ident $index:tt),+) => {
        impl<$($name: AsGenerator),+> Generator for ($($name,)+) {
            type Value = ($($name::Value,)+);

            #[inline]
            fn draw(&self, source: &mut Source) -> Self::Value {
                source.announce_fields(&[$(stringify!($index)),+]);
                ($(self.$index.draw_value(source),)+)
            }

            fn members(&self) -> Option<Vec<Self::Value>> {
                let counts = [$(self.$index.known_members().map(|members| members.len())),+];
                let combinations = combinations(&counts)?;
                let mut _stride = combinations;
                let mut columns = ($({
                    _stride = _stride.checked_div(counts[$index]?).unwrap_or(0);
                    column(&self.$index, counts[$index]?, _stride, combinations)?
                },)+);
                (0..combinations).map(|index| Some(($(columns.$index[index].take()?,)+))).collect()
            }

            fn is_single(&self) -> bool {
                [$(self.$index.is_single_choice()),+][..] == [true]
            }
        }

        impl<$($name: Generate),+> Generate for ($($name,)+) {
            #[inline]
            fn generate(source: &mut Source) -> Self {
                source.announce_fields(&[$(stringify!($index)),+]);
                ($($name::generate(source),)+)
            }

            fn members() -> Option<Vec<Self>> {
                ($(crate::any::<$name>(),)+).members()
            }

            fn is_single() -> bool {
                [$($name::is_single()),+][..] == [true]
            }

            fn has_values() -> bool {
                $($name::has_values())&&+
            }
        }
    };
}
tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14, P 15);

impl Generate for () {
    #[inline]
    fn generate(_source: &mut Source) {}

    #[inline]
    fn members() -> Option<Vec<()>> {
        Some(vec![()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{exhausted, from_tape, replays};
    use crate::{any, booleans, integers};

    #[test]
    fn tuples_of_generators_draw_in_order() {
        let pairs = (integers::<u8>(), booleans(), integers::<i64>());
        assert_eq!(from_tape(&pairs, "i7 b1 i-3"), (7, true, -3));
        replays(&any::<(Vec<u8>, Option<String>, [i8; 2])>());
    }

    #[test]
    fn members_of_a_tuple_are_all_combinations() {
        let tuples = (booleans(), integers::<u8>().max_value(2));
        let members = tuples.members().expect("few members");
        assert_eq!(members, exhausted(&tuples));
        assert_eq!(members.len(), 6);
        assert_eq!(any::<(u8, u8)>().members(), None);
        assert_eq!(any::<((), bool)>().members(), Some(vec![((), false), ((), true)]));
    }

    #[test]
    fn members_of_nested_tuples_do_not_take_for_ever() {
        let pairs = booleans().boxed();
        let nested = (0..9).fold(pairs.map(|_| 0).boxed(), |inner, _| {
            (booleans(), inner).map(|(bit, rest)| rest * 2 + u32::from(bit)).boxed()
        });
        let members = nested.members().expect("few members");
        assert_eq!(members.len(), 1 << 10);
        assert_eq!(members, exhausted(&nested));
    }

    #[test]
    fn only_a_tuple_of_one_choice_is_single() {
        assert!(any::<(u8,)>().is_single());
        assert!(!any::<(u8, u8)>().is_single() && !any::<()>().is_single());
    }
}
