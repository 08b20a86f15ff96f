//! Sets of the variants of an enum: types of the crate `enumset`.

use enumset::{EnumSet, EnumSetType};
use rebut_choice::Source;

use crate::code::collections::brackets;
use crate::orders::{all_subsequences, draw_subsequence};
use crate::{Code, Generate, ToCode};

/// Generates any set of variants. Shrinks to the empty set, and to the first variants.
impl<T: EnumSetType> Generate for EnumSet<T> {
    fn generate(source: &mut Source) -> Self {
        let variants: Vec<T> = EnumSet::all().iter().collect();
        let mut set = EnumSet::new();
        draw_subsequence(source, (0, variants.len()), variants.len(), |index| {
            set.insert(variants[index]);
        });
        set
    }

    fn members() -> Option<Vec<Self>> {
        let variants: Vec<T> = EnumSet::all().iter().collect();
        let set = |mask: usize| {
            let taken = variants.iter().enumerate().filter(|(n, _)| mask >> n & 1 == 1);
            taken.map(|(_, variant)| *variant).collect()
        };
        Some(all_subsequences(variants.len())?.into_iter().map(set).collect())
    }
}

impl<T: EnumSetType + ToCode> ToCode for EnumSet<T> {
    fn to_code(&self, code: &mut Code) {
        // `from_iter` would not know the type of the elements of an empty array.
        if self.is_empty() {
            return code.push("enumset::EnumSet::new()");
        }
        let variants: Vec<T> = self.iter().collect();
        code.push("enumset::EnumSet::from_iter(");
        brackets(code, &variants);
        code.push(")");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::{drawn, exhausted, prints_as, replays, shrinks_to};

    #[derive(Debug, EnumSetType)]
    enum Color {
        Red,
        Green,
        Blue,
    }

    impl ToCode for Color {
        fn to_code(&self, code: &mut Code) {
            code.format(format_args!("Color::{self:?}"));
        }
    }

    #[test]
    fn every_set_is_drawn_once() {
        let all = exhausted(&any::<EnumSet<Color>>());
        assert_eq!(all.len(), 8);
        assert!((1..8).all(|n| !all[..n].contains(&all[n])));
        let members = EnumSet::<Color>::members().expect("few sets");
        assert_eq!((members.len(), members[0]), (8, EnumSet::new()));
        assert!(all.iter().all(|set| members.contains(set)));
        assert!(drawn(&any::<EnumSet<Color>>(), 50).contains(&EnumSet::all()));
        replays(&any::<EnumSet<Color>>());
    }

    #[test]
    fn variants_that_do_not_matter_are_removed() {
        shrinks_to(&(Color::Green | Color::Blue), |set: &EnumSet<Color>| {
            set.contains(Color::Blue) && set.len() == 2 && !set.contains(Color::Red)
        });
        shrinks_to(&EnumSet::only(Color::Blue), |set| set.contains(Color::Blue));
    }

    #[test]
    fn sets_are_printed_as_their_variants() {
        prints_as!(EnumSet<Color>, enumset::EnumSet::new());
        prints_as!(EnumSet<Color>, enumset::EnumSet::from_iter([Color::Red, Color::Blue]));
    }
}
