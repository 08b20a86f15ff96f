//! Lists of words in function names that suggest laws.

/// Words in the names of a function and its inverse.
const PAIRS: &[(&str, &str)] = &[
    ("encode", "decode"),
    ("encoded", "decoded"),
    ("serialize", "deserialize"),
    ("serialise", "deserialise"),
    ("compress", "decompress"),
    ("compress", "uncompress"),
    ("deflate", "inflate"),
    ("encrypt", "decrypt"),
    ("encipher", "decipher"),
    ("escape", "unescape"),
    ("quote", "unquote"),
    ("pack", "unpack"),
    ("zip", "unzip"),
    ("flatten", "unflatten"),
    ("marshal", "unmarshal"),
    ("stringify", "parse"),
    ("format", "parse"),
    ("print", "parse"),
    ("render", "parse"),
    ("write", "read"),
    ("put", "get"),
    ("dump", "load"),
    ("to", "from"),
    ("into", "from"),
    ("as", "from"),
    ("split", "join"),
];

/// Words whose pairs promise an inverse; the others only suggest one.
const STRONG: &[&str] = &[
    "encode",
    "encoded",
    "serialize",
    "serialise",
    "compress",
    "deflate",
    "encrypt",
    "encipher",
    "pack",
    "marshal",
    "stringify",
    "format",
];

/// Whether the name of a function promises that it has an inverse.
pub(super) fn is_strong(there: &str) -> bool {
    has(there, STRONG)
}

/// How clearly `back` is named as the inverse of `there`: 2 if the names differ in one word, 1 if
/// they have a pair of words and differ elsewhere too, 0 otherwise.
pub(super) fn inverse_score(back: &str, there: &str) -> usize {
    let (back, there): (Vec<&str>, Vec<&str>) =
        (back.split('_').collect(), there.split('_').collect());
    let is_pair = |there: &str, back: &str| PAIRS.contains(&(there, back));
    if back.len() == there.len() {
        let different: Vec<(&str, &str)> =
            there.iter().zip(&back).filter(|(a, b)| a != b).map(|(a, b)| (*a, *b)).collect();
        if let [(there, back)] = different.as_slice() {
            return if is_pair(there, back) { 2 } else { 0 };
        }
    }
    // These words alone are in too many names.
    let vague = ["to", "into", "as", "write", "put", "split"];
    let has = |word: &&str| !vague.contains(word) && back.iter().any(|other| is_pair(word, other));
    usize::from(there.iter().any(has))
}

/// Functions that change nothing when applied a second time.
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
    "simplified",
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
    "case",
    "dedent",
    "unindent",
    "minify",
    "fold",
    "lower",
    "upper",
    "lowered",
    "floor",
    "ceil",
    "round",
    "truncate",
    "reduce",
    "reduced",
    "squeeze",
    "unfill",
    "refill",
    "nfc",
    "nfd",
    "nfkc",
    "nfkd",
    "clamp",
    "standardize",
    "flattened",
];

/// Functions that are their own inverse.
const INVOLUTIONS: &[&str] = &[
    "reverse",
    "reversed",
    "invert",
    "inverted",
    "negate",
    "negated",
    "flip",
    "flipped",
    "mirror",
    "mirrored",
    "rot13",
    "transpose",
    "transposed",
    "conjugate",
    "conj",
    "complement",
    "swap",
    "swapped",
    "opposite",
    "inverse",
    "swap_bytes",
    "neg",
    "not",
];

/// Functions for which the order of two arguments does not matter.
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
    "jaro",
    "winkler",
    "dice",
    "jaccard",
    "symmetric",
    "xor",
    "and",
    "or",
    "merge",
    "common",
    "osa",
    "damerau",
    "intersects",
    "disjoint",
];

/// Words in the names of functions that sort in ascending order.
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

/// Functions that read a written value.
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
    "find",
    "search",
    "match",
    "matches",
    "scan",
];

/// Functions that write a number as text.
const PRINTERS: &[&str] =
    &["format", "print", "render", "stringify", "string", "itoa", "dtoa", "ftoa", "fmt", "text"];

/// Functions whose result is a ratio.
const SHARES: &[&str] = &[
    "normalized",
    "similarity",
    "ratio",
    "probability",
    "fraction",
    "jaro",
    "winkler",
    "dice",
    "jaccard",
    "confidence",
    "likelihood",
];

/// Functions that return a size.
const SIZES: &[&str] = &["len", "length", "width", "count", "size", "columns", "num", "number"];

pub(super) fn is_share(name: &str) -> bool {
    has(name, SHARES)
}

pub(super) fn is_size(name: &str) -> bool {
    has(name, SIZES)
}

fn has(name: &str, words: &[&str]) -> bool {
    words.contains(&name) || name.split('_').any(|word| words.contains(&word))
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

pub(super) fn prints(name: &str) -> bool {
    has(name, PRINTERS)
}

/// Whether the name promises to sort in ascending order.
pub(super) fn sorts(name: &str) -> bool {
    let sorts = ["sort", "sorted", "quicksort", "mergesort", "heapsort"];
    has(name, &sorts) && name.split('_').all(|word| OF_SORTS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_scores_depend_on_differing_words() {
        for (back, there, expected) in [
            ("decode", "encode", 2),
            ("from_roman", "to_roman", 2),
            ("hex_decode", "hex_encode", 2),
            ("percent_decode_str", "utf8_percent_encode", 1),
            ("parse_duration", "format_duration", 2),
            ("encode", "decode", 0),
            ("from_hex", "to_upper", 0),
            ("a", "a", 0),
        ] {
            assert_eq!(inverse_score(back, there), expected, "{back} {there}");
        }
    }

    #[test]
    fn only_ascending_sorts_are_recognized() {
        assert!(sorts("sort") && sorts("bubble_sort") && sorts("quicksort"));
        assert!(!sorts("sort_descending") && !sorts("sort_by_length") && !sorts("list"));
        assert!(is_idempotent("sort_by_length") && is_idempotent("to_snake_case"));
    }
}
