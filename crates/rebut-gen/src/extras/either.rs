//! The two sides of the crate `either`.

use either::Either;
use rebut_choice::{Label, Source};

use crate::{Code, Generate, ToCode};

impl<L: Generate, R: Generate> Generate for Either<L, R> {
    fn generate(source: &mut Source) -> Either<L, R> {
        source.span(Label::group("Either"), |source| {
            let is_right = source.alternative(2, &[], 2) == 1;
            source.span(Label::ALTERNATIVE, |source| {
                if is_right {
                    Either::Right(R::generate(source))
                } else {
                    Either::Left(L::generate(source))
                }
            })
        })
    }
}

impl<L: ToCode, R: ToCode> ToCode for Either<L, R> {
    fn to_code(&self, code: &mut Code) {
        match self {
            Either::Left(value) => code.call("either::Either::Left", &[value]),
            Either::Right(value) => code.call("either::Either::Right", &[value]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::{exhausted, prints, replays};
    use rebut::find;

    #[test]
    fn both_sides_are_drawn_the_left_one_first() {
        let all = [Either::Left(false), Either::Left(true), Either::Right(())];
        assert_eq!(exhausted(&any::<Either<bool, ()>>()), all);
        assert_eq!(find(rebut::any::<Either<u8, bool>>(), |_| true), Some(Either::Left(0)));
        let right = find(rebut::any::<Either<u8, i8>>(), |either| either.is_right());
        assert_eq!(right, Some(Either::Right(0)));
        replays(&any::<Either<String, Vec<u8>>>());
    }

    #[test]
    fn sides_are_printed_with_their_paths() {
        let left: Either<u8, bool> = Either::Left(1);
        prints!(either::Either::Left(1), left);
        let right: Either<u8, bool> = Either::Right(true);
        prints!(either::Either::Right(true), right);
    }
}
