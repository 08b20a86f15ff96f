//! What names of functions tell about them.

/// Functions that undo what another does: a word in the name of each.
const PAIRS: &[(&str, &str)] = &[
    ("encode", "decode"),
    ("serialize", "deserialize"),
    ("serialise", "deserialise"),
    ("compress", "decompress"),
    ("compress", "uncompress"),
    ("encrypt", "decrypt"),
    ("encipher", "decipher"),
    ("escape", "unescape"),
    ("quote", "unquote"),
    ("pack", "unpack"),
    ("wrap", "unwrap"),
    ("zip", "unzip"),
    ("flatten", "unflatten"),
    ("marshal", "unmarshal"),
    ("stringify", "parse"),
    ("format", "parse"),
    ("print", "parse"),
    ("render", "parse"),
    ("write", "read"),
    ("dump", "load"),
    ("to", "from"),
    ("into", "from"),
    ("split", "join"),
];

/// Whether the name of `back` says that it undoes `there`: one word of it differs.
pub(super) fn undoes(back: &str, there: &str) -> bool {
    let (back, there): (Vec<&str>, Vec<&str>) =
        (back.split('_').collect(), there.split('_').collect());
    let different: Vec<(&str, &str)> =
        there.iter().zip(&back).filter(|(a, b)| a != b).map(|(a, b)| (*a, *b)).collect();
    back.len() == there.len() && different.len() == 1 && PAIRS.contains(&different[0])
}

/// To do it twice is to do it once.
const IDEMPOTENT: &[&str] = &[
    "sort",
    "sorted",
    "normalize",
    "normalise",
    "normalized",
    "trim",
    "trimmed",
    "clean",
    "sanitize",
    "canonicalize",
    "canonical",
    "dedup",
    "deduplicate",
    "simplify",
    "lowercase",
    "uppercase",
    "capitalize",
    "slug",
    "slugify",
    "unique",
    "compact",
    "collapse",
    "abs",
    "absolute",
    "strip",
];

/// To do it twice is to do nothing.
const INVOLUTIONS: &[&str] = &[
    "reverse", "reversed", "invert", "inverted", "negate", "negated", "flip", "flipped", "mirror",
    "mirrored", "rot13",
];

/// The order of two arguments does not matter.
const COMMUTATIVE: &[&str] = &[
    "add",
    "sum",
    "plus",
    "mul",
    "multiply",
    "product",
    "gcd",
    "lcm",
    "max",
    "min",
    "maximum",
    "minimum",
    "larger",
    "smaller",
    "union",
    "intersection",
    "intersect",
    "distance",
    "hamming",
    "levenshtein",
    "average",
    "mean",
    "midpoint",
    "similarity",
    "equal",
    "equals",
    "overlap",
    "overlaps",
];

/// Words that leave no doubt by which order is sorted.
const OF_SORTS: &[&str] = &[
    "sort",
    "sorted",
    "quick",
    "merge",
    "bubble",
    "insertion",
    "heap",
    "selection",
    "radix",
    "counting",
    "shell",
    "tim",
    "quicksort",
    "mergesort",
    "heapsort",
    "stable",
    "unstable",
    "list",
    "slice",
    "vec",
    "in",
    "place",
    "numbers",
    "items",
    "values",
    "integers",
];

/// What reads what others wrote.
const READERS: &[&str] = &[
    "parse",
    "read",
    "decode",
    "from",
    "validate",
    "check",
    "is",
    "load",
    "deserialize",
    "tokenize",
    "lex",
    "unescape",
    "split",
];

fn has(name: &str, words: &[&str]) -> bool {
    name.split('_').any(|word| words.contains(&word))
}

pub(super) fn is_idempotent(name: &str) -> bool {
    has(name, IDEMPOTENT)
}

pub(super) fn is_involution(name: &str) -> bool {
    has(name, INVOLUTIONS)
}

pub(super) fn is_commutative(name: &str) -> bool {
    has(name, COMMUTATIVE)
}

pub(super) fn reads(name: &str) -> bool {
    has(name, READERS)
}

/// Whether the name says that lists are sorted as usual.
pub(super) fn sorts(name: &str) -> bool {
    let sorts = ["sort", "sorted", "quicksort", "mergesort", "heapsort"];
    has(name, &sorts) && name.split('_').all(|word| OF_SORTS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_differ_in_one_word() {
        assert!(undoes("decode", "encode"));
        assert!(undoes("from_roman", "to_roman"));
        assert!(undoes("hex_decode", "hex_encode"));
        for (back, there) in [
            ("encode", "decode"),
            ("decode_hex", "encode_base64"),
            ("decode", "encode_hex"),
            ("a", "a"),
        ] {
            assert!(!undoes(back, there), "{back} {there}");
        }
    }

    #[test]
    fn only_plain_sorts_are_compared_with_that_of_the_standard_library() {
        assert!(sorts("sort") && sorts("bubble_sort") && sorts("quicksort"));
        assert!(!sorts("sort_descending") && !sorts("sort_by_length") && !sorts("list"));
        assert!(is_idempotent("sort_by_length"));
    }
}
