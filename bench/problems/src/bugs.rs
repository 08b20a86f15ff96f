//! Twenty ordinary bugs of varied kind and difficulty.
//!
//! Each is a small implementation with one mistake and a property that a
//! careful author would state about it. Nothing here was tuned for or against
//! a library: inputs are plain types drawn by the library's defaults, or from
//! a range where the domain has one (a year, a month, a small key).

pub mod numbers;

pub mod sequences;

pub mod state;

pub mod text;

use crate::Problem;
use state::{CacheOp, QueueOp};

/// See [`sequences::binary_search_finds_every_element`].
pub const BINARY_SEARCH: Problem<Vec<i32>> = Problem::bug(
    "binary_search",
    sequences::binary_search_finds_every_element,
);

/// See [`sequences::quicksort_sorts`].
pub const QUICKSORT_TWINS: Problem<Vec<i32>> =
    Problem::bug("quicksort_twins", sequences::quicksort_sorts);

/// See [`sequences::run_length_round_trips`].
pub const RUN_LENGTH: Problem<Vec<(u8, u16)>> =
    Problem::bug("run_length", sequences::run_length_round_trips);

/// See [`text::truncation_ends_at_a_character`].
pub const TRUNCATE_UTF8: Problem<(String, usize)> =
    Problem::bug("truncate_utf8", text::truncation_ends_at_a_character);

/// See [`numbers::bucket_is_in_range`].
pub const BUCKET_OF_KEY: Problem<i32> = Problem::bug("bucket_of_key", numbers::bucket_is_in_range);

/// See [`numbers::february_has_its_length`].
pub const LEAP_CENTURY: Problem<u16> =
    Problem::bug("leap_century", numbers::february_has_its_length);

/// See [`text::base64_round_trips`].
pub const BASE64_TAIL: Problem<Vec<u8>> = Problem::bug("base64_tail", text::base64_round_trips);

/// See [`sequences::merged_intervals_are_apart`].
pub const MERGE_TOUCHING: Problem<Vec<(u8, u8)>> =
    Problem::bug("merge_touching", sequences::merged_intervals_are_apart);

/// See [`state::cache_agrees_with_model`].
pub const LRU_REFRESH: Problem<Vec<CacheOp>> =
    Problem::bug("lru_refresh", state::cache_agrees_with_model);

/// See [`numbers::transposition_moves_every_cell`].
pub const TRANSPOSE: Problem<(u8, u8)> =
    Problem::bug("transpose", numbers::transposition_moves_every_cell);

/// See [`text::csv_line_round_trips`].
pub const CSV_QUOTES: Problem<Vec<String>> = Problem::bug("csv_quotes", text::csv_line_round_trips);

/// See [`text::upper_case_agrees_with_std`].
pub const UPPER_CASE: Problem<String> =
    Problem::bug("upper_case", text::upper_case_agrees_with_std);

/// See [`numbers::sign_agrees_with_the_sign_bit`].
pub const SIGN_OF_ZERO: Problem<f64> =
    Problem::bug("sign_of_zero", numbers::sign_agrees_with_the_sign_bit);

/// See [`sequences::duplicates_are_noticed`].
pub const FAR_DUPLICATE: Problem<Vec<u8>> =
    Problem::bug("far_duplicate", sequences::duplicates_are_noticed);

/// See [`state::queue_agrees_with_model`].
pub const RING_BUFFER: Problem<Vec<QueueOp>> =
    Problem::bug("ring_buffer", state::queue_agrees_with_model);

/// See [`numbers::identifier_round_trips`].
pub const MAGIC_NUMBER: Problem<u32> =
    Problem::bug("magic_number", numbers::identifier_round_trips);

/// See [`text::scalar_round_trips`].
pub const BARE_WORD: Problem<String> = Problem::bug("bare_word", text::scalar_round_trips);

/// See [`sequences::block_checksum_is_the_sum`].
pub const BLOCK_CHECKSUM: Problem<Vec<i32>> =
    Problem::bug("block_checksum", sequences::block_checksum_is_the_sum);

/// See [`state::merged_patch_acts_like_both`].
pub const PATCH_MERGE: Problem<(Option<u8>, state::Patch, state::Patch)> =
    Problem::bug("patch_merge", state::merged_patch_acts_like_both);

/// See [`text::percent_encoding_round_trips`].
pub const PERCENT_ENCODING: Problem<Vec<u8>> =
    Problem::bug("percent_encoding", text::percent_encoding_round_trips);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;

    /// Each bug has an input that shows it and one that does not.
    fn check<T>(problem: &Problem<T>, failing: T, holding: T) {
        assert_eq!(
            (problem.check)(&failing),
            Outcome::Failed,
            "{}",
            problem.name
        );
        assert_eq!((problem.check)(&holding), Outcome::Held, "{}", problem.name);
        assert!(crate::BUGS.contains(&problem.name));
    }

    fn strings(fields: &[&str]) -> Vec<String> {
        fields.iter().map(|field| field.to_string()).collect()
    }

    #[test]
    fn sequence_bugs_show_where_they_should() {
        check(&BINARY_SEARCH, vec![7], vec![]);
        check(&QUICKSORT_TWINS, vec![3, 3], vec![3, 1, 2]);
        check(&RUN_LENGTH, vec![(7, 200), (7, 56)], vec![(7, 255)]);
        check(
            &MERGE_TOUCHING,
            vec![(0, 2), (2, 1)],
            vec![(0, 2), (1, 3), (5, 1)],
        );
        check(
            &FAR_DUPLICATE,
            (0..8).chain([0]).collect(),
            (0..7).chain([0]).collect(),
        );
        check(&BLOCK_CHECKSUM, vec![1; 65], vec![1; 64]);
    }

    #[test]
    fn text_bugs_show_where_they_should() {
        check(&TRUNCATE_UTF8, ("a€".into(), 3), ("aé".into(), 2));
        check(&BASE64_TAIL, vec![0, 16], vec![0, 15, 0, 255]);
        check(&CSV_QUOTES, strings(&["\""]), strings(&["a\"", "b,\"", ""]));
        check(&UPPER_CASE, "ß".into(), "aé".into());
        check(&BARE_WORD, "no".into(), "yes".into());
        check(&PERCENT_ENCODING, vec![15], vec![16, b'a', b'%']);
    }

    #[test]
    fn number_bugs_show_where_they_should() {
        check(&BUCKET_OF_KEY, i32::MIN, -1);
        check(&LEAP_CENTURY, 1900, 2000);
        check(&TRANSPOSE, (2, 3), (3, 3));
        check(&SIGN_OF_ZERO, -0.0, -1.5);
        check(&MAGIC_NUMBER, 48_611, 48_612);
    }

    #[test]
    fn state_bugs_show_where_they_should() {
        use CacheOp::{Get, Put};
        use QueueOp::{Pop, Push};
        let full = [Put(0, 0), Put(1, 1), Put(2, 2), Put(3, 3)];
        let refreshed = [Get(0), Put(4, 4), Get(0)];
        check(
            &LRU_REFRESH,
            [&full[..], &refreshed].concat(),
            [&full[..], &[Put(4, 4), Get(0)]].concat(),
        );
        check(
            &RING_BUFFER,
            vec![Push(0), Pop, Push(1), Push(2), Push(3), Push(4), Push(5)],
            vec![Push(1), Push(2), Push(3), Push(4), Push(5)],
        );
        check(
            &PATCH_MERGE,
            (Some(1), None, Some(None)),
            (Some(1), Some(None), Some(Some(2))),
        );
    }
}
