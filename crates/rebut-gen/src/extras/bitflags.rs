//! Sets of flags: types that the macro of the crate `bitflags` defines.

use std::fmt;

use bitflags::parser::ParseHex;
use bitflags::{Bits, Flags as FlagSet};
use rebut_choice::Source;

use crate::Generator;
use crate::orders::{all_subsequences, draw_subsequence};

/// Generates sets of flags: values of a type that `bitflags!` defines. Shrinks to the empty set.
///
/// Every bit that belongs to a flag can be set, and no other. To set the other bits too, use
/// [`allow_unknown_bits`](Flags::allow_unknown_bits).
///
/// # Examples
/// ```
/// use rebut::{find, flags, simplest};
///
/// bitflags::bitflags! {
///     #[derive(Clone, Copy, Debug, PartialEq)]
///     struct Permissions: u32 {
///         const READ = 1;
///         const WRITE = 2;
///         const DELETE = 8;
///     }
/// }
///
/// assert_eq!(simplest(&flags::<Permissions>()), Permissions::empty());
/// let found = find(flags::<Permissions>(), |some| some.contains(Permissions::WRITE));
/// assert_eq!(found, Some(Permissions::WRITE));
///
/// #[rebut::test]
/// fn a_union_contains_both(#[from(flags())] some: Permissions, #[from(flags())] more: Permissions) {
///     assert!((some | more).contains(some));
/// }
///
/// #[derive(Debug, rebut::Generate)]
/// struct File {
///     name: String,
///     #[generate(flags())]
///     permissions: Permissions,
/// }
/// assert!(simplest(&rebut::any::<File>()).permissions.is_empty());
/// ```
///
/// Or implement the traits once, for all tests. With `ToCode`, reports print the flags as Rust code:
/// ```
/// use rebut::{Code, Generate, Generator, Source, ToCode};
/// # bitflags::bitflags! { #[derive(Debug, PartialEq)] struct Permissions: u32 { const READ = 1; } }
///
/// impl Generate for Permissions {
///     fn generate(source: &mut Source) -> Self {
///         rebut::flags().draw(source)
///     }
/// }
///
/// impl ToCode for Permissions {
///     fn to_code(&self, code: &mut Code) {
///         code.format(format_args!("Permissions::from_bits_retain({:#x})", self.bits()));
///     }
/// }
///
/// assert_eq!(rebut::find(rebut::any::<Vec<Permissions>>(), |_| true), Some(vec![]));
/// assert_eq!(Code::of(&Permissions::READ), "Permissions::from_bits_retain(0x1)");
/// ```
#[must_use]
pub fn flags<T: FlagSet>() -> Flags<T>
where
    T::Bits: ParseHex,
{
    let all = T::all().bits();
    let (known, unknown) = single_bits::<T::Bits>().partition(|bit| *bit & all != T::Bits::EMPTY);
    Flags { known, unknown, allow_unknown_bits: false }
}

/// Returns all values with one bit, from low to high.
fn single_bits<B: Bits + ParseHex>() -> impl Iterator<Item = B> {
    // The traits have no shift, so the bits are parsed. The highest bit of a signed number does not
    // parse: it is the rest.
    let mut rest = B::ALL;
    (0..=u128::BITS).map_while(move |shift| {
        let digits = 1u128.checked_shl(shift).map(|bit| format!("{bit:x}"));
        let parsed = digits.and_then(|digits| B::parse_hex(&digits).ok());
        let bit = parsed.unwrap_or(rest);
        rest = rest & !bit;
        (bit != B::EMPTY).then_some(bit)
    })
}

/// The generator that [`flags`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::Flags;
/// use rebut::{flags, simplest};
///
/// bitflags::bitflags! {
///     #[derive(Debug, PartialEq)]
///     struct Permissions: u8 { const READ = 1; }
/// }
///
/// let all: Flags<Permissions> = flags();
/// assert_eq!(simplest(&all), Permissions::empty());
/// ```
pub struct Flags<T: FlagSet> {
    /// The bits that belong to a flag.
    known: Vec<T::Bits>,
    /// The other bits.
    unknown: Vec<T::Bits>,
    allow_unknown_bits: bool,
}

impl<T: FlagSet> Flags<T> {
    /// Sets whether bits can be set that belong to no flag. They are not, unless you call this.
    ///
    /// # Examples
    /// ```
    /// use rebut::{find, flags};
    ///
    /// bitflags::bitflags! {
    ///     #[derive(Clone, Copy, Debug, PartialEq)]
    ///     struct Permissions: u8 { const READ = 1; }
    /// }
    ///
    /// let raw = flags::<Permissions>().allow_unknown_bits(true);
    /// let found = find(raw, |some| !Permissions::all().contains(*some));
    /// assert_eq!(found, Some(Permissions::from_bits_retain(2)));
    /// ```
    #[must_use]
    pub fn allow_unknown_bits(mut self, allow: bool) -> Self {
        self.allow_unknown_bits = allow;
        self
    }

    /// Returns the number of bits that can be set.
    fn count(&self) -> usize {
        self.known.len() + if self.allow_unknown_bits { self.unknown.len() } else { 0 }
    }

    fn bit(&self, index: usize) -> T::Bits {
        self.known.get(index).copied().unwrap_or_else(|| self.unknown[index - self.known.len()])
    }
}

impl<T: FlagSet> Generator for Flags<T> {
    type Value = T;

    fn draw(&self, source: &mut Source) -> T {
        let mut bits = T::Bits::EMPTY;
        draw_subsequence(source, (0, self.count()), self.count(), |index| {
            bits = bits | self.bit(index);
        });
        T::from_bits_retain(bits)
    }

    fn members(&self) -> Option<Vec<T>> {
        let set = |mask: usize| {
            let taken = (0..self.count()).filter(|n| mask >> n & 1 == 1);
            T::from_bits_retain(taken.fold(T::Bits::EMPTY, |bits, n| bits | self.bit(n)))
        };
        Some(all_subsequences(self.count())?.into_iter().map(set).collect())
    }
}

impl<T: FlagSet> Clone for Flags<T> {
    fn clone(&self) -> Self {
        Flags { known: self.known.clone(), unknown: self.unknown.clone(), ..*self }
    }
}

impl<T: FlagSet> fmt::Debug for Flags<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "flags::<{}>()", std::any::type_name::<T>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{drawn, exhausted, replays};

    bitflags::bitflags! {
        #[derive(Clone, Copy, Debug, PartialEq)]
        struct Permissions: u8 {
            const READ = 0b1;
            const WRITE = 0b100;
            const ALL = 0b111_0101;
        }

        #[derive(Clone, Copy, Debug, PartialEq)]
        struct Signed: i128 {
            const LAST = i128::MIN;
        }

        #[derive(Clone, Copy, Debug, PartialEq)]
        struct Open: u64 {
            const FIRST = 1;
            const _ = !0;
        }
    }

    #[test]
    fn every_set_of_known_bits_is_drawn_once() {
        let all = exhausted(&flags::<Permissions>());
        assert_eq!(all.len(), 32);
        assert!((1..32).all(|n| !all[..n].contains(&all[n])));
        assert!(all.iter().all(|set| Permissions::all().contains(*set)));
        let members = flags::<Permissions>().members().expect("few sets");
        assert_eq!((members.len(), members[0]), (32, Permissions::empty()));
        assert!(all.iter().all(|set| members.contains(set)));
        assert!(drawn(&flags(), 50).contains(&Permissions::ALL));
        replays(&flags::<Permissions>());
    }

    #[test]
    fn unknown_bits_are_drawn_on_request() {
        let raw = flags::<Permissions>().allow_unknown_bits(true);
        assert_eq!(exhausted(&raw.clone()).len(), 256);
        assert!(drawn(&raw, 50).contains(&Permissions::from_bits_retain(255)));
        assert_eq!(raw.clone().allow_unknown_bits(false).count(), 5);
    }

    #[test]
    fn every_width_has_all_its_bits() {
        assert_eq!(exhausted(&flags::<Signed>()), [Signed::empty(), Signed::LAST]);
        assert_eq!(flags::<Signed>().allow_unknown_bits(true).count(), 128);
        assert_eq!(flags::<Open>().count(), 64);
        assert!(drawn(&flags::<Open>(), 500).contains(&Open::all()));
        assert!(flags::<Open>().members().is_none());
    }

    #[test]
    fn flags_that_do_not_matter_are_removed() {
        // `rebut` may be built without the feature.
        let sets = || rebut::from_fn(|source| flags::<Open>().draw(source));
        let found = rebut::find(sets(), |set| set.bits() >> 40 & 1 == 1);
        assert_eq!(found, Some(Open::from_bits_retain(1 << 40)));
        let found = rebut::find(sets(), |set| set.bits().count_ones() == 3);
        assert_eq!(found, Some(Open::from_bits_retain(7)));
    }
}
