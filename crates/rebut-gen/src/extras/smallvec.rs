//! Vectors with inline storage: types of the crate `smallvec`.

use rebut_choice::Source;
use smallvec::{Array, SmallVec};

use crate::code::collections::brackets;
use crate::{Code, Generate, ToCode};

/// Generates the elements as those of a vector. They are inline if they fit.
///
/// # Examples
/// To choose the elements or the size, convert a vector:
/// ```
/// use rebut::{Generator, sample, vecs};
/// use smallvec::SmallVec;
///
/// let digits = vecs(0..10u8).max_size(9).map(SmallVec::<[u8; 4]>::from_iter);
/// assert!(sample(&digits, 1).iter().all(|&digit| digit < 10));
/// ```
impl<A: Array> Generate for SmallVec<A>
where
    A::Item: Generate,
{
    fn generate(source: &mut Source) -> Self {
        // `SmallVec::from_vec` would keep the memory of the vector, even if the elements fit.
        Vec::generate(source).into_iter().collect()
    }
}

impl<A: Array> ToCode for SmallVec<A>
where
    A::Item: ToCode,
{
    fn to_code(&self, code: &mut Code) {
        code.push("smallvec::smallvec!");
        brackets(code, self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::{drawn, prints_as, replays};

    #[test]
    fn lengths_on_both_sides_of_the_inline_capacity_are_drawn() {
        fn check<const N: usize>()
        where
            [u8; N]: Array<Item = u8>,
        {
            let all = drawn(&any::<SmallVec<[u8; N]>>(), 1000);
            assert!(all.iter().all(|list| list.spilled() == (list.len() > N)));
            for length in [N - 1, N, N + 1] {
                assert!(all.iter().any(|list| list.len() == length), "{length} of {N}");
            }
        }
        check::<1>();
        check::<4>();
        check::<8>();
        check::<32>();
        replays(&any::<SmallVec<[Option<u8>; 2]>>());
    }

    #[test]
    fn elements_are_deleted_and_shrunk_as_in_a_vector() {
        let spilled = rebut::find(rebut::any::<SmallVec<[i32; 2]>>(), |list| list.spilled());
        assert_eq!(spilled, Some(SmallVec::from_buf([0, 0]).into_iter().chain([0]).collect()));
        let lists = rebut::any::<SmallVec<[i32; 2]>>();
        assert_eq!(rebut::find(lists, |list| list.contains(&7)), Some(smallvec::smallvec![7]));
    }

    #[test]
    fn small_vectors_are_printed_with_their_macro() {
        prints_as!(SmallVec<[u8; 2]>, smallvec::smallvec![]);
        prints_as!(SmallVec<[u8; 2]>, smallvec::smallvec![1, 2, 3]);
        prints_as!(SmallVec<[u8; 2]>, smallvec::smallvec![0; 9]);
        prints_as!(Vec<SmallVec<[Option<u8>; 1]>>, vec![smallvec::smallvec![Some(1)]]);
    }
}
