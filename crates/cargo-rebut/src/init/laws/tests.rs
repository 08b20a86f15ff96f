use super::super::api::Viewpoint;
use super::super::source::{CfgConditions, modules_of_text};
use super::super::trial::without_probes;
use super::*;
use expect_test::{Expect, expect};

fn claims_about(text: &str) -> Vec<Claim> {
    let modules = modules_of_text(text);
    let api = Api::read(&modules, &CfgConditions::default(), "demo", Viewpoint::Outside);
    let examples = ["12.5", "0.1", "7.0"].map(str::to_owned).into();
    let source = TextSource::Some { examples, patterns: Vec::new() };
    let texts = api.types.keys().map(|item| (TextConsumer::Parse(item.clone()), source.clone()));
    claims(&api, &texts.collect(), "")
}

/// Compares the best claim about some code.
#[expect(clippy::needless_pass_by_value, reason = "reads better at the calls")]
fn check(text: &str, expected: Expect) {
    let claims = claims_about(text);
    let first = claims.first().map(|claim| {
        let code = &claim.variants[0];
        let helpers = code.helpers.join("");
        format!("{:?}\n{helpers}{}", claim.basis, without_probes(&code.test))
    });
    expected.assert_eq(&first.unwrap_or_default());
}

#[test]
fn a_new_crate_has_a_function_that_adds() {
    check(
        "pub fn add(left: u64, right: u64) -> u64 { left + right }",
        expect![[r#"
            Guessed
            /// `demo::add` is commutative.
            #[rebut::test]
            fn add_is_commutative(left: u64, right: u64) {
                let result = demo::add(left, right);
                assert_eq!(demo::add(right, left), result);
            }
        "#]],
    );
}

#[test]
fn encoded_values_are_decoded() {
    check(
        "pub fn encode(bytes: &[u8]) -> String { f() }
         pub fn decode(code: &str) -> Result<Vec<u8>, Error> { f() }
         pub fn max(a: u8, b: u8) -> u8 { a }",
        expect![[r#"
            Promised
            /// `demo::decode` inverts `demo::encode`.
            #[rebut::test]
            fn decode_inverts_encode(bytes: &[u8]) {
                let encoded = demo::encode(bytes);
                assert_eq!(demo::decode(&encoded).ok().as_deref(), Some(bytes));
            }
        "#]],
    );
    check(
        "pub mod text { pub fn to_roman(n: u16) -> Option<String> { f() }
                        pub fn from_roman(text: &str) -> Option<u16> { f() } }",
        expect![[r#"
            Guessed
            /// `demo::text::from_roman` inverts `demo::text::to_roman`.
            #[rebut::test]
            fn from_roman_inverts_to_roman(n: u16) {
                let Some(converted) = demo::text::to_roman(n) else { return assume!(false, "`to_roman` accepts the input") };
                assert_eq!(demo::text::from_roman(&converted), Some(n));
            }
        "#]],
    );
    check(
        "pub fn format_span(span: std::time::Duration) -> Span { f() }
         pub struct Span;
         impl Display for Span {}
         pub fn parse_span(text: &str) -> Result<std::time::Duration, ()> { f() }",
        expect![[r#"
            Promised
            /// `demo::parse_span` inverts `demo::format_span`.
            #[rebut::test]
            fn parse_span_inverts_format_span(span: std::time::Duration) {
                let printed = demo::format_span(span);
                assert_eq!(demo::parse_span(&printed.to_string()).ok(), Some(span));
            }
        "#]],
    );
    check(
        "pub struct Buffer; impl Buffer { pub fn new() -> Buffer { f() } }
         pub trait Put { fn put_u16(&mut self, n: u16); }
         pub trait Get { fn get_u16(&mut self) -> u16; }
         impl Put for Buffer { fn put_u16(&mut self, n: u16) {} }
         impl Get for Buffer { fn get_u16(&mut self) -> u16 { f() } }",
        expect![[r#"
            Guessed
            /// `demo::Get::get_u16` inverts `demo::Put::put_u16`.
            #[rebut::test]
            fn get_u16_inverts_put_u16(n: u16) {
                let mut buffer = demo::Buffer::new();
                demo::Put::put_u16(&mut buffer, n);
                assert_eq!(demo::Get::get_u16(&mut buffer), n);
            }
        "#]],
    );
}

#[test]
fn printed_values_are_parsed() {
    let traits = "impl FromStr for Color {} impl Display for Color {}";
    check(
        &format!(
            "#[derive(Debug, PartialEq)] pub struct Color {{ r: u8, g: u8 }} {traits}
             impl Color {{ pub fn new(r: u8, g: u8) -> Color {{ f() }} }}"
        ),
        expect![[r#"
            Promised
            /// `demo::Color` round-trips through text.
            #[rebut::test]
            fn color_round_trips_through_text(r: u8, g: u8) {
                let color = demo::Color::new(r, g);
                let printed = color.to_string();
                assert_eq!(printed.parse::<demo::Color>().ok(), Some(color));
            }
        "#]],
    );
    // Nothing but text makes one, and two cannot be compared.
    check(
        &format!("pub struct Color {{ r: u8 }} {traits}"),
        expect![[r#"
        Promised
        /// Strings that are a valid `Color`.
        fn color_strings() -> impl Generator<Value = String> {
            sampled_from(["12.5", "0.1", "7.0"]).map(String::from)
        }
        /// `demo::Color` round-trips through text.
        #[rebut::test]
        fn color_round_trips_through_text(#[from(color_strings())] text: &str) {
            let Ok(color) = text.parse::<demo::Color>() else { return assume!(false, "the text is a valid `Color`") };
            let printed = color.to_string();
            let again = printed.parse::<demo::Color>().map(|parsed| parsed.to_string());
            assert_eq!(again.ok(), Some(printed));
        }
    "#]],
    );
    check(
        "pub struct Buffer; impl Buffer { pub fn new() -> Buffer { f() }
             pub fn format<F: Float>(&mut self, number: F) -> &str { f() } }
         pub trait Float {} impl Float for f64 {}",
        expect![[r#"
            Guessed
            /// The output of `demo::Buffer::format` parses back to the same number.
            #[rebut::test]
            fn buffer_format_parses_back_to_the_same_number(number: f64) {
                let mut buffer = demo::Buffer::new();
                assume!(number.is_finite());
                let printed = buffer.format(number);
                assert_eq!(printed.parse::<f64>(), Ok(number));
            }
        "#]],
    );
}

#[test]
fn collections_behave_like_those_of_the_standard_library() {
    check(
        "pub struct Stack<T> { t: Vec<T> }
         impl<T> Stack<T> {
             pub fn new() -> Stack<T> { f() }
             pub fn push(&mut self, item: T) {}
             pub fn pop(&mut self) -> Option<T> { f() }
             pub fn len(&self) -> usize { f() }
         }",
        expect![[r#"
            Guessed
            /// One operation on a `demo::Stack<u8>`.
            #[derive(Clone, Debug, Generate)]
            enum StackStep {
                #[generate(weight = 2)]
                Push(u8),
                Pop,
            }
            /// `demo::Stack<u8>` behaves like `Vec`.
            #[rebut::test]
            fn stack_behaves_like_vec(steps: Vec<StackStep>) {
                let mut stack: demo::Stack<u8> = demo::Stack::new();
                let mut model = Vec::<u8>::new();
                for step in steps {
                    match step {
                        StackStep::Push(item) => {
                            stack.push(item);
                            model.push(item);
                        }
                        StackStep::Pop => {
                            assert_eq!(stack.pop(), model.pop());
                        }
                    }
                    assert_eq!(stack.len(), model.len());
                }
                let items: Vec<_> = stack.into_iter().collect();
                assert_eq!(items, model.into_iter().collect::<Vec<_>>());
            }
        "#]],
    );
    check(
        "#[derive(Default)] pub struct BitSet;
         impl BitSet {
             pub fn insert(&mut self, value: usize) -> bool { f() }
             pub fn contains(&self, value: usize) -> bool { f() }
             pub fn remove(&mut self, value: usize) -> bool { f() }
         }",
        expect![[r#"
            Guessed
            /// One operation on a `demo::BitSet`.
            #[derive(Clone, Debug, Generate)]
            enum BitSetStep {
                #[generate(weight = 2)]
                Insert(u8),
                Remove(u8),
                Contains(u8),
            }
            /// `demo::BitSet` behaves like `BTreeSet`.
            #[rebut::test]
            fn bit_set_behaves_like_btree_set(steps: Vec<BitSetStep>) {
                let mut bit_set = demo::BitSet::default();
                let mut model = std::collections::BTreeSet::<usize>::new();
                for step in steps {
                    match step {
                        BitSetStep::Insert(item) => {
                            assert_eq!(bit_set.insert(usize::from(item)), model.insert(usize::from(item)));
                        }
                        BitSetStep::Remove(item) => {
                            assert_eq!(bit_set.remove(usize::from(item)), model.remove(&usize::from(item)));
                        }
                        BitSetStep::Contains(item) => {
                            assert_eq!(bit_set.contains(usize::from(item)), model.contains(&usize::from(item)));
                        }
                    }
                }
                let mut items: Vec<_> = bit_set.into_iter().collect();
                items.sort();
                let mut expected: Vec<_> = model.into_iter().collect();
                expected.sort();
                assert_eq!(items, expected);
            }
        "#]],
    );
}

#[test]
fn normalized_values_stay_and_sorting_is_compared() {
    check(
        "pub fn bubble_sort<T: Ord>(items: &mut [T]) { f() }",
        expect![[r#"
        Guessed
        /// `demo::bubble_sort` sorts as the standard library does.
        #[rebut::test]
        fn bubble_sort_matches_std_sort(mut items: Vec<u8>) {
            let mut expected = items.clone();
            expected.sort();
            demo::bubble_sort(&mut items);
            assert_eq!(items, expected);
        }
    "#]],
    );
    check(
        "pub fn slugify(text: &str) -> String { f() }",
        expect![[r#"
        Guessed
        /// `demo::slugify` is idempotent.
        #[rebut::test]
        fn slugify_is_idempotent(text: &str) {
            let once = demo::slugify(text);
            assert_eq!(demo::slugify(&once), once);
        }
    "#]],
    );
    check(
        "pub fn reversed(text: &str) -> String { f() }",
        expect![[r#"
        Guessed
        /// `demo::reversed` is its own inverse.
        #[rebut::test]
        fn reversed_is_its_own_inverse(text: &str) {
            let once = demo::reversed(text);
            assert_eq!(demo::reversed(&once), text);
        }
    "#]],
    );
    check(
        "#[derive(Clone, Debug, PartialEq)] pub enum Either<L, R> { Left(L), Right(R) }
         impl<L, R> Either<L, R> { pub fn flip(self) -> Either<R, L> { f() } }",
        expect![[r#"
            Guessed
            /// `demo::Either<u8, u8>::flip` is its own inverse.
            #[rebut::test]
            fn either_flip_is_its_own_inverse(#[from(one_of!(rebut::any::<u8>().map(demo::Either::<u8, u8>::Left), rebut::any::<u8>().map(demo::Either::<u8, u8>::Right)))] either: demo::Either<u8, u8>) {
                let once = either.clone().flip();
                assert_eq!(once.flip(), either);
            }
        "#]],
    );
    check(
        "pub trait ToKebab { fn to_kebab_case(&self) -> String; }
         impl ToKebab for str { fn to_kebab_case(&self) -> String { f() } }",
        expect![[r#"
            Guessed
            /// `demo::ToKebab::to_kebab_case` is idempotent.
            #[rebut::test]
            fn to_kebab_case_is_idempotent(text: &str) {
                let once = demo::ToKebab::to_kebab_case(text);
                assert_eq!(demo::ToKebab::to_kebab_case(&*once), once);
            }
        "#]],
    );
}

#[test]
fn searches_and_sizes_are_compared() {
    check(
        "pub fn find_byte(needle: u8, haystack: &[u8]) -> Option<usize> { f() }",
        expect![[r#"
        Guessed
        /// `demo::find_byte` finds the first match.
        #[rebut::test]
        fn find_byte_finds_the_first_match(needle: u8, haystack: &[u8]) {
            let expected = haystack.iter().position(|item| *item == needle);
            assert_eq!(demo::find_byte(needle, haystack), expected);
        }
    "#]],
    );
    check(
        "pub fn display_width(text: &str) -> usize { f() }",
        expect![[r#"
        Guessed
        /// `demo::display_width` of two inputs together is the sum of both.
        #[rebut::test]
        fn display_width_is_additive(#[from(strings().alphabet(chars().ascii_printable()))] first: &str, #[from(strings().alphabet(chars().ascii_printable()))] second: &str) {
            let joined = [first, second].concat();
            let sum = demo::display_width(first) + demo::display_width(second);
            assert_eq!(demo::display_width(&*joined), sum);
        }
    "#]],
    );
    check(
        "#[derive(Default)] pub struct Crc; impl Crc {
             pub fn update(&mut self, bytes: &[u8]) {} pub fn finish(&self) -> u32 { 0 } }",
        expect![[r#"
            Guessed
            /// `demo::Crc` gives the same result when it is fed in parts.
            #[rebut::test]
            fn crc_can_be_fed_in_parts(first: &[u8], second: &[u8]) {
                let mut in_parts = demo::Crc::default();
                let mut at_once = demo::Crc::default();
                in_parts.update(first);
                in_parts.update(second);
                let joined = [first, second].concat();
                at_once.update(&joined);
                let expected = at_once.finish();
                assert_eq!(in_parts.finish(), expected);
            }
        "#]],
    );
    check(
        "pub fn jaro(a: &str, b: &str) -> f64 { 0.0 }",
        expect![[r#"
        Guessed
        /// `demo::jaro` is between 0 and 1.
        #[rebut::test]
        fn jaro_is_between_0_and_1(a: &str, b: &str) {
            let result = demo::jaro(a, b);
            assert!((0.0..=1.0).contains(&result), "result: {}", result);
        }
    "#]],
    );
}

#[test]
fn other_functions_are_claimed_to_return() {
    check(
        "/// # Panics\n/// Often.\npub fn cut(text: &str) -> u8 { 0 }
         pub fn put(n: u8) { f() }
         pub fn lines(text: &str, list: &mut Vec<u8>, share: f64) -> Option<u8> { None }",
        expect![[r#"
            Returns { is_promised: true }
            /// `demo::lines` never panics.
            #[rebut::test]
            fn lines_never_panics(text: &str, mut list: Vec<u8>, share: f64) {
                let _ = demo::lines(text, &mut list, share);
            }
        "#]],
    );
    check(
        "pub fn nothing() {} pub fn odd(token: &dyn Fn()) {} pub fn id<T>(t: T) -> T { t }",
        expect![[""]],
    );
}

#[test]
fn inputs_get_narrower_from_variant_to_variant() {
    let claims = claims_about("pub fn gcd(a: u64, b: u64) -> u64 { a }");
    let ranges: Vec<&str> = claims[0]
        .variants
        .iter()
        .map(|code| {
            code.test
                .split("#[from(")
                .nth(1)
                .map_or("", |rest| rest.split(")]").next().unwrap_or(""))
        })
        .collect();
    assert_eq!(ranges, ["", "integers().in_range(0..=1000)", "integers().in_range(1..=20)"]);
}

#[test]
fn only_clear_pairs_are_promises() {
    let basis = |text: &str| claims_about(text)[0].basis;
    let pair = |there: &str, back: &str| {
        basis(&format!("pub fn {there}(n: u8) -> u8 {{ n }} pub fn {back}(n: u8) -> u8 {{ n }}"))
    };
    assert_eq!(pair("encode", "decode"), ClaimBasis::Promised);
    assert_eq!(pair("to_gray", "from_gray"), ClaimBasis::Guessed);
    assert_eq!(
        basis(
            "/// Must be small.\npub fn encode(n: u8) -> u8 { n } pub fn decode(n: u8) -> u8 { n }"
        ),
        ClaimBasis::Guessed
    );
}
