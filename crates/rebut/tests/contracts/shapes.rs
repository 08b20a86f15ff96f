//! The shapes of signatures that `#[rebut::contract]` accepts.
//!
//! Each function below has the shape that its name tells. For each of them, programs must call it, and
//! must find a bug in it. A function that is never called makes both tests fail.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rebut::{Program, any, sample};

thread_local! {
    /// The functions that programs called.
    static CALLED: RefCell<BTreeSet<&'static str>> = const { RefCell::new(BTreeSet::new()) };
    /// The function with the bug.
    static PLANTED: Cell<&'static str> = const { Cell::new("") };
}

/// Records a call, which panics if this function has the bug.
fn called(name: &'static str) {
    CALLED.with_borrow_mut(|called| called.insert(name));
    assert!(PLANTED.get() != name, "the planted bug");
}

/// Records a call that got a value, such as an element of a list.
fn called_with(name: &'static str, has_value: bool) {
    if has_value {
        called(name);
    }
}

/// Checks that programs call each of the functions, and find a bug in each.
fn check<S: rebut::Contracted + 'static>(expected: &[&'static str]) {
    let run = |seed: u64| sample(&any::<Program<S>>(), seed).run();
    assert_eq!(Program::<S>::left_out(), [""; 0]);
    CALLED.with_borrow_mut(BTreeSet::clear);
    PLANTED.set("");
    (0..3000).for_each(run);
    let found: Vec<&str> = CALLED.with_borrow(|called| called.iter().copied().collect());
    let missing: Vec<_> = expected.iter().filter(|name| !found.contains(name)).collect();
    assert!(missing.is_empty(), "never called: {missing:?}");
    for name in expected {
        PLANTED.set(name);
        let is_found = (0..3000).any(|seed| catch_unwind(AssertUnwindSafe(|| run(seed))).is_err());
        PLANTED.set("");
        assert!(is_found, "the bug in `{name}` was not found");
    }
}

/// A type without a generator and without `Clone`.
#[derive(Debug, Default)]
pub struct Opaque;

/// A number that only the store gives out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(u64);

#[derive(Debug, Default)]
pub struct Parameters;

#[rebut::contract]
impl Parameters {
    pub fn new() -> Parameters {
        Parameters
    }

    pub fn type_parameter_closure<F: FnMut() -> u8>(&self, mut f: F) {
        f();
        called("type parameter closure");
    }

    pub fn where_clause_closure<F>(&self, f: F) -> bool
    where
        F: Fn(u8) -> bool,
    {
        called("where clause closure");
        f(3)
    }

    pub fn optional_text(&self, text: Option<&str>) {
        called_with("optional text", text.is_some_and(|text| !text.is_empty()));
    }

    pub fn optional_reference(&self, number: Option<&u32>) {
        called_with("optional reference", number.is_some());
    }

    pub fn optional_change(&self, number: Option<&mut u32>) {
        if let Some(number) = number {
            *number = number.wrapping_add(1);
            called("optional change");
        }
    }

    pub fn optional_slice(&self, numbers: Option<&[u8]>) {
        called_with("optional slice", numbers.is_some());
    }

    pub fn optional_closure(&self, callback: Option<Box<dyn Fn()>>) {
        if let Some(callback) = callback {
            callback();
            called("optional closure");
        }
    }

    pub fn optional_impl(&self, callback: Option<impl Fn(u8) -> u8>) {
        called_with("optional impl", callback.is_some_and(|callback| callback(1) < u8::MAX));
    }

    pub fn list_of_closures(&self, callbacks: Vec<Box<dyn Fn()>>) {
        called_with("list of closures", callbacks.len() > 1);
        callbacks.iter().for_each(|callback| callback());
    }

    pub fn function_pointer(&self, function: fn(u8) -> u8) {
        called_with("function pointer", function(1) != 0);
    }

    pub fn borrowed_closure(&self, callback: &dyn Fn(u8) -> u8) {
        callback(1);
        called("borrowed closure");
    }

    pub fn iterator(&self, numbers: impl Iterator<Item = u16>) {
        called_with("iterator", numbers.count() > 0);
    }

    pub fn borrowed_items<'n>(&self, numbers: impl IntoIterator<Item = &'n u16>) {
        called_with("borrowed items", numbers.into_iter().count() > 0);
    }

    pub fn text_items<'n, I: IntoIterator<Item = &'n str>>(&self, words: I) {
        called_with("text items", words.into_iter().count() > 0);
    }

    pub fn changed_iterator(&self, numbers: &mut impl Iterator<Item = u8>) {
        called_with("changed iterator", numbers.next().is_some());
    }

    pub fn owned_text(&self, text: impl Into<String>) {
        called_with("owned text", !text.into().is_empty());
    }

    pub fn as_text(&self, text: impl AsRef<str>) {
        called_with("as text", !text.as_ref().is_empty());
    }

    pub fn as_path<P: AsRef<std::path::Path>>(&self, path: P) {
        called_with("as path", path.as_ref().components().count() > 0);
    }

    pub fn range(&self, range: impl std::ops::RangeBounds<usize>) {
        called_with("range", range.contains(&0));
    }

    pub fn words(&self, words: &[&str]) {
        called_with("words", !words.is_empty());
    }

    pub fn list_of_text(&self, words: Vec<&str>) {
        called_with("list of text", !words.is_empty());
    }

    pub fn cow(&self, text: Cow<'_, str>) {
        called_with("cow", !text.is_empty());
    }

    pub fn static_text(&self, text: &'static str) {
        called_with("static text", !text.is_empty());
    }

    pub fn generic<T: Clone + Debug>(&self, value: T, values: &[T]) {
        called_with("generic", values.len() > 1 && format!("{:?}", value.clone()) != "0");
    }

    pub const fn constant(&self) -> u8 {
        1
    }

    pub extern "C-unwind" fn extern_c(&self, n: u8) -> u8 {
        called("extern c");
        n
    }

    #[inline]
    #[must_use]
    #[doc(hidden)]
    pub fn attributes(&self) -> u8 {
        called("attributes");
        1
    }

    #[cfg(any())]
    pub fn not_configured(&self) -> NoSuchType {}
}

#[test]
fn parameters_of_all_shapes_are_passed() {
    check::<Parameters>(&[
        "type parameter closure",
        "where clause closure",
        "optional text",
        "optional reference",
        "optional change",
        "optional slice",
        "optional closure",
        "optional impl",
        "list of closures",
        "function pointer",
        "borrowed closure",
        "iterator",
        "borrowed items",
        "text items",
        "changed iterator",
        "owned text",
        "as text",
        "as path",
        "range",
        "words",
        "list of text",
        "cow",
        "static text",
        "generic",
        "extern c",
        "attributes",
    ]);
}

#[derive(Debug)]
pub struct Results {
    numbers: Vec<u32>,
    words: Vec<String>,
    opaque: Opaque,
}

#[rebut::contract]
impl Results {
    pub fn new() -> Self {
        Results { numbers: vec![900_001], words: vec!["word".to_owned()], opaque: Opaque }
    }

    pub fn text(&self) -> &str {
        called("text");
        &self.words[0]
    }

    pub fn optional_text(&self) -> Option<&str> {
        called("optional text");
        self.words.first().map(String::as_str)
    }

    pub fn slice(&self) -> &[u32] {
        called("slice");
        &self.numbers
    }

    pub fn change(&mut self) -> &mut u32 {
        called("change");
        &mut self.numbers[0]
    }

    pub fn optional_change(&mut self) -> Option<&mut u32> {
        called("optional change");
        self.numbers.first_mut()
    }

    pub fn fallible(&self) -> Result<&u32, String> {
        called("fallible");
        self.numbers.first().ok_or_else(String::new)
    }

    pub fn cow(&self) -> Cow<'_, str> {
        called("cow");
        Cow::Borrowed(&self.words[0])
    }

    pub fn pair(&self) -> Option<(usize, &str)> {
        called("pair");
        Some((0, &self.words[0]))
    }

    pub fn iterator(&self) -> impl Iterator<Item = &u32> + '_ {
        self.numbers.iter().inspect(|_| called("iterator"))
    }

    pub fn boxed_iterator(&self) -> Box<dyn Iterator<Item = (u8, &str)> + '_> {
        Box::new(self.words.iter().map(|word| {
            called("boxed iterator");
            (1, word.as_str())
        }))
    }

    pub fn endless_iterator(&self) -> impl Iterator<Item = u8> {
        called("endless iterator");
        std::iter::repeat(1)
    }

    pub fn opaque(&self) -> &Opaque {
        called("opaque");
        &self.opaque
    }

    pub fn optional_opaque(&self) -> Option<&Opaque> {
        called("optional opaque");
        Some(&self.opaque)
    }

    pub fn named_iterator(&self) -> std::slice::Iter<'_, u32> {
        called("named iterator");
        self.numbers.iter()
    }

    pub fn closure(&self) -> impl Fn(u8) -> u8 {
        called("closure");
        |n| n
    }

    // The number and the words are in no generator, so they come from the functions above.
    pub fn take_number(&self, number: u32) {
        called_with("take number", number == 900_001);
    }

    pub fn take_numbers(&self, numbers: Vec<u32>) {
        called_with("take numbers", numbers == [900_001, 900_001]);
    }

    pub fn take_word(&self, word: &str) {
        called_with("take word", word == "word");
    }

    pub fn take_pairs(&self, pairs: &[(u8, String)]) {
        called_with("take pairs", pairs.iter().any(|(_, word)| word == "word"));
    }
}

#[test]
fn results_of_all_shapes_are_kept_or_dropped() {
    check::<Results>(&[
        "text",
        "optional text",
        "slice",
        "change",
        "optional change",
        "fallible",
        "cow",
        "pair",
        "iterator",
        "boxed iterator",
        "endless iterator",
        "opaque",
        "optional opaque",
        "named iterator",
        "closure",
        "take number",
        "take numbers",
        "take word",
        "take pairs",
    ]);
}

#[derive(Debug)]
pub struct Parser<'a> {
    text: &'a str,
}

#[rebut::contract]
impl<'a> Parser<'a> {
    pub fn new(text: &'a str) -> Self {
        called_with("lifetime constructor", !text.is_empty());
        Parser { text }
    }

    pub fn rest(&self) -> &'a str {
        called("lifetime result");
        self.text
    }

    pub fn same(&self, other: &Parser<'a>) -> bool {
        called_with("lifetime parameter", !other.text.is_empty());
        self.text == other.text
    }
}

#[test]
fn lifetimes_of_a_block_are_static_in_programs() {
    check::<Parser<'static>>(&["lifetime constructor", "lifetime result", "lifetime parameter"]);
}

#[derive(Debug)]
pub struct Buffer<T, const N: usize> {
    items: Vec<T>,
}

#[rebut::contract(with(T = u8, N = 2))]
impl<T: Clone, const N: usize> Buffer<T, N>
where
    T: PartialEq,
{
    pub const SIZE: usize = N;

    pub const fn new() -> Self {
        Buffer { items: Vec::new() }
    }

    #[requires(self.items.len() < Self::SIZE)]
    #[ensures(self.items.len() <= N)]
    pub fn push(&mut self, item: T) {
        called("const generic");
        self.items.push(item);
    }

    pub fn array(&self, items: [T; N]) {
        called_with("array", items.contains(&items[1]));
    }
}

#[test]
fn const_parameters_have_values() {
    check::<Buffer<u8, 2>>(&["const generic", "array"]);
}

#[derive(Debug, Default)]
pub struct Store {
    next: u64,
}

#[rebut::contract]
impl Store {
    pub fn new() -> Store {
        Store::default()
    }

    pub fn add(&mut self) -> Ticket {
        called("add");
        self.next += 1;
        Ticket(self.next)
    }

    pub fn slice(&self, tickets: &[Ticket]) {
        called_with("slice", tickets.len() > 1 && tickets[0] != tickets[1]);
    }

    pub fn list(&self, tickets: Vec<Ticket>) {
        called_with("list", tickets.len() > 1 && tickets[0] == tickets[1]);
    }

    pub fn optional(&self, ticket: Option<Ticket>) {
        called_with("optional", ticket.is_some());
    }

    pub fn optional_reference(&self, ticket: Option<&Ticket>) {
        called_with("optional reference", ticket.is_some());
    }
}

#[test]
fn lists_contain_values_of_the_program() {
    check::<Store>(&["add", "slice", "list", "optional", "optional reference"]);
}

#[derive(Debug, Default)]
pub struct LeftOut;

pub trait Unknown {}

#[expect(dead_code, reason = "no program calls these functions")]
#[rebut::contract]
impl LeftOut {
    pub fn new() -> LeftOut {
        LeftOut
    }

    pub async fn wait(&self) {}

    pub fn unknown(&self, _: impl Unknown) {}

    pub fn opaque(&self, _: Opaque) {}

    pub fn parse<T: std::str::FromStr>(&self) -> Option<T> {
        None
    }
}

#[test]
fn functions_that_no_program_calls_have_a_reason() {
    let expected = [
        "LeftOut::wait: it is async",
        "LeftOut::unknown: no type is known for `impl Unknown`: write `with(Unknown = ..)` with a \
         type that implements it, such as a mock",
        "LeftOut::parse: only the caller's type of the result says what `T` is",
        "LeftOut::opaque: no value of type `Opaque` can be made: implement `Generate` for it, or \
         add a function that returns one to a contract",
    ];
    assert_eq!(Program::<LeftOut>::left_out(), expected);
}

/// A private type without a value.
#[derive(Debug)]
pub struct Config(#[expect(dead_code, reason = "nothing makes one")] u8);

/// No program has an object: its only constructor needs a `Config`.
#[derive(Debug)]
pub struct Configured;

#[rebut::contract]
impl Configured {
    pub fn with_config(_: Config) -> Self {
        Configured
    }

    pub fn len(&self) -> usize {
        0
    }
}

/// No program has an object: the macro leaves out its only constructor.
#[derive(Debug)]
pub struct Parsed;

#[rebut::contract]
impl Parsed {
    #[expect(dead_code, reason = "programs cannot call it")]
    pub async fn load() -> Parsed {
        Parsed
    }

    pub fn len(&self) -> usize {
        0
    }
}

#[test]
fn reports_name_functions_that_no_program_calls() {
    fn report<S: rebut::Contracted + 'static>() -> rebut::report::Report {
        let check = rebut::Check::new("calls").configure(|settings| settings.database = false);
        check.run(|case| case.draw_as("program", Program::<S>::any()).run())
    }
    let warnings = report::<LeftOut>().warnings.concat();
    let expected = "`calls` does not test every operation
  `LeftOut::opaque` was never called: no value of type `Opaque` can be generated or constructed
  `LeftOut::wait` was never called: it is async
  `LeftOut::unknown` was never called: no type is known for `impl Unknown`: write \
                    `with(Unknown = ..)` with a type that implements it, such as a mock
  and 1 more
help: ";
    assert!(warnings.contains(expected), "{warnings}");
    let verdict = report::<Configured>().to_string();
    let expected = "`Configured::len` was never called: there is no receiver, because \
                    `Configured::with_config` needs a `Config`";
    assert!(verdict.contains(expected), "{verdict}");
    let verdict = report::<Parsed>().to_string();
    let expected = "`Parsed::len` was never called: there is no receiver, because programs cannot \
                    call `Parsed::load`: it is async";
    assert!(verdict.contains(expected), "{verdict}");
}

/// Parameters that are objects of traits of the standard library, which have no contract.
pub struct OfStandard;

#[rebut::contract]
#[expect(dead_code, reason = "programs leave out most of them")]
impl OfStandard {
    pub fn new() -> OfStandard {
        OfStandard
    }

    pub fn fine(&self) {}

    pub fn shared(&mut self, _: std::rc::Rc<dyn Fn(u8)>) {}

    pub fn sent(&mut self, _: std::sync::Arc<dyn Fn(u8) + Send + Sync>) {}

    pub fn shown(&self, _: &dyn std::fmt::Display) {}

    pub fn failed(&self, _: Box<dyn std::error::Error + Send>) {}

    pub fn iterated(&self, _: &mut dyn Iterator<Item = u8>) {}

    pub fn written(&self, _: &mut dyn std::io::Write) {}

    pub fn any(&self, _: &dyn std::any::Any) {}

    pub fn cell(&self, _: std::rc::Rc<std::cell::RefCell<dyn std::fmt::Debug>>) {}

    pub fn lent(&self, lend: &dyn Fn(&dyn std::fmt::Debug) -> u8) {
        lend(&1);
    }
}

#[test]
fn objects_of_traits_of_the_standard_library_are_left_out() {
    let left_out = Program::<OfStandard>::left_out();
    let names = ["shared", "sent", "shown", "failed", "iterated", "written", "any", "cell"];
    assert_eq!(left_out.len(), names.len(), "{left_out:?}");
    for (found, name) in left_out.iter().zip(names) {
        let start = format!("OfStandard::{name}: programs cannot implement `");
        assert!(found.starts_with(&start), "{found}");
    }
    sample(&any::<Program<OfStandard>>(), 1).run();
}

/// The functions of a type of another crate, against a model.
#[rebut::contract(of = std::collections::VecDeque<u8>)]
#[model(Vec<u8>, self.len() == model.len())]
trait Deque {
    #[ensures(result.is_empty())]
    fn new() -> Self;

    #[model(model.push(value))]
    #[ensures(self.len() == old(self.len()) + 1)]
    fn push_back(&mut self, value: u8);

    #[requires(!self.is_empty())]
    #[model(Some(model.remove(0)))]
    fn pop_front(&mut self) -> Option<u8>;

    // A wrong model: the first elements that are equal are kept.
    #[model(model.truncate(len.saturating_sub(1)))]
    fn truncate(&mut self, len: usize);

    fn iter(&self) -> impl Iterator<Item = &u8>;
}

#[test]
fn functions_of_other_crates_are_called_as_they_are() {
    let failing = (0..3000).find_map(|seed| {
        let program = sample(&any::<Program<Deque>>(), seed);
        let is_failing = catch_unwind(AssertUnwindSafe(|| program.run())).is_err();
        is_failing.then(|| program.written())
    });
    let written = failing.expect("the model differs");
    assert!(written.contains("std::collections::VecDeque::<u8>::new()"), "{written}");
    assert!(written.contains(".push_back("), "{written}");
    assert!(written.contains(".truncate("), "{written}");
}

/// A clause that the type does not keep.
#[rebut::contract(of = Vec<u8>)]
trait Numbers {
    fn new() -> Self;
    fn push(&mut self, value: u8);
    #[ensures(self.len() == old(self.len()))]
    fn dedup(&mut self);
}

#[test]
fn clauses_of_other_crates_are_checked() {
    let fails = (0..3000).any(|seed| {
        let program = sample(&any::<Program<Numbers>>(), seed);
        catch_unwind(AssertUnwindSafe(|| program.run())).is_err()
    });
    assert!(fails);
}
