//! The macros of Rebut. Use them through the crate `rebut`, where they are documented by
//! example; here is the list of what they accept.
//!
//! They never run anything and hold no state but the number of the next test: what they write
//! names the crate `rebut` and nothing else. They read the sources of the crate for its literals and write no file.
//!
//! # `#[rebut::test]`
//!
//! On a function whose parameters are drawn. It returns nothing, `bool`, or a `Result` of one
//! of these whose error is `Debug`. Other attributes (`#[should_panic]`, `#[ignore]`,
//! `#[cfg(..)]`) stay. In parentheses, separated by commas:
//!
//! | setting | meaning |
//! |---|---|
//! | `cases = 1000` | how many cases are run |
//! | `seed = 7` | where random choices start |
//! | `deadline = "500ms"` | a case that takes longer hangs; a string or a `Duration` |
//! | `time_budget = "2s"` | stop drawing new cases after this time |
//! | `isolate = auto` | where cases run: `auto`, `always` (child processes), `never` |
//! | `memory = "512MB"` | the most memory of a process with isolated cases; a string or bytes |
//! | `shrink_max = 1000` | how many executions shrinking may take |
//! | `failures = 1` | how many distinct failures are looked for |
//! | `explain = false` | whether to find out which parts of a minimal example matter |
//! | `verbosity = normal` | what is printed: `quiet` failures, `normal` also advice, `verbose` also a summary of each run, `trace` also every case with its values and outcome |
//! | `database = false` | whether failures are kept and tried first in the next run |
//! | `rejections_max = 20` | how many cases may be rejected for each that is not |
//! | `search = auto` | how a property that calls `maximize` or `minimize` is searched: `auto`, `off`, `climbing`, `annealing`, or the path of a function that takes the number of steps and makes a strategy |
//! | `events = summary` | which events are written below `target/rebut/`: `off`, `search`, `summary`, `all` |
//! | `spec = "calendar.json"` | runs the inputs that this specification generates, as `cargo rebut generate` has prepared them; no random cases unless `cases` is set too |
//! | `outline = "sanity"` | which outline of the specification, if it has several |
//! | `inputs = 100` | how many of its inputs, if not all that are prepared |
//! | `differ = "title different-lengths"` | what makes two inputs different, instead of what the specification says |
//! | `runtime = pollster::block_on` | what runs an `async fn`: takes a future, returns its output |
//! | `crate = ::rebut` | where the crate `rebut` is, if it was renamed or re-exported |
//!
//! Before the function: `#[example(1, "a")]`, as often as wanted: values for the parameters, in
//! order, that are always run. A string literal serves for a `String`.
//!
//! Before a parameter there is nothing if its type has a generator (references are lent what was
//! generated: `&str` a `String`, `&[T]` a `Vec<T>`, `&T` and `&mut T` a `T`), or `#[from(..)]`:
//!
//! | attribute | values |
//! |---|---|
//! | `#[from(1..10)]`, `#[from(0..=28)]`, `#[from(1..)]`, `#[from(..=9)]` | whole numbers in a range, of the type of the parameter |
//! | `#[from(0.0..1.0)]`, `#[from('a'..='z')]` | floats and characters in a range |
//! | `#[from("[a-z]+")]` | text that matches a regular expression, for a `String`, a `&str` or bytes; needs the feature `regex` of `rebut` |
//! | `#[from(["GET", "PUT"])]`, `#[from(TABLE)]` | one of the values of an array or a slice; string literals serve for a `String` |
//! | `#[from((1..10, 'a'..='z'))]` | a tuple of these |
//! | `#[from(vecs(1..10).max_size(5))]` | what a generator generates |
//!
//! Ranges and generators can use earlier parameters by name: `#[from(low..)] high: u8`. Instead of
//! `#[from(..)]` there can be what `#[generate(..)]` takes before a field: the rows with a star in
//! the table of [`derive(Generate)`](#derivegenerate).
//!
//! With `spec`, a parameter is the blank of its name, at any depth of the model; before others
//! there is `#[blank("event.title")]`.
//!
//! # `#[rebut::exists]` and `#[rebut::not_exists]`
//!
//! As `#[rebut::test]`, on a function that returns `bool`, or a `Result<bool, _>` whose error is
//! `Debug`. It is looked for values for which that is true. `exists` passes if there are some,
//! `not_exists` if there are none; a panic or an error is a failure of both. `steps = 20_000`
//! takes the place of `cases`.
//!
//! # `#[rebut::contract]`
//!
//! On an impl block, a trait, an implementation of such a trait, or a function. In parentheses:
//! `with(T = u8)` says which types stand for the parameters of a generic block in programs,
//! `only_checks` that no programs are drawn, `crate = ::rebut` where the crate is.
//!
//! | where | attribute | meaning |
//! |---|---|---|
//! | function | `#[requires(n > 0)]` | what the caller has to see to |
//! | function | `#[ensures(result > old(self.len()))]` | what the function sees to; `result` (or `ret`) is what it gives back, `old(..)` what something was before |
//! | impl block | `#[invariant(self.len <= self.max)]` | what holds whenever others call, or are called back |
//! | parameter that is called | `#[requires(_0 > 0)]`, `#[ensures(result >= _0)]` | its own contract, `_0` being the first argument |
//! | function | `#[program(skip)]` | programs do not call it |
//! | function | `#[program(changes)]` | it changes something although it takes `&self` |
//!
//! A string behind the conditions is shown in their place. Contracts are checked in tests and
//! in builds with debug assertions, and with the feature `contracts` of `rebut` in all.
//!
//! # `#[rebut::mock]`
//!
//! On a trait that has objects: gives a type `MockName` that implements it and can be drawn, each
//! of whose answers is drawn when it is asked for. In parentheses: `name = Fake` says how it is
//! called, `pure` that all methods with `&self` are pure, `friendly` that failures which other
//! answers would have kept from happening are none, `with(T = u8)` which types stand for the
//! parameters of the trait and for those that belong to it, `of = std::io::Read` that the item
//! only describes this trait, `crate = ::rebut` where the crate is.
//!
//! | where | attribute | meaning |
//! |---|---|---|
//! | method | `#[from(..)]`, `#[generate(..)]` | how its answer is drawn, as before a parameter or a field; can use the parameters by name |
//! | method | `#[assume(result <= max)]` | what is true of its answers: `result` is the answer, `nth` how often it was called before, `earlier` the earlier calls as pairs of arguments and answer; pure methods of `self` and of arguments can be asked |
//! | parameter | `#[drawn]`, `#[drawn(count)]` | what is written to it, a `&mut T` or a `&mut [T]`, is drawn too; of a slice, so many elements |
//! | method | `#[pure]` | the same arguments get the same answer, until a method is called that takes `&mut self` |
//!
//! A string behind the conditions is shown in their place. A method with a default body keeps it,
//! unless it has one of these.
//!
//! # `#[rebut::summary]`
//!
//! `#[rebut::summary(my_crate::root)] fn is_root(n: u32, result: u32) -> bool { .. }` claims of a
//! function what can be its result, the last parameter. It is a property as any other; and once
//! `cargo rebut explore` has proved it for all arguments, other tests are explored with a result
//! of which no more is known in place of the call.
//!
//! # `#[derive(Generate)]`
//!
//! On a struct or an enum; also derives `ToCode`.
//!
//! | where | attribute | meaning |
//! |---|---|---|
//! | field * | `#[generate(1..=28)]`, `#[generate(["a", "b"])]`, `#[generate(vecs(1..10))]` | what `#[from(..)]` takes before a parameter: a range, an array of values, a generator. They can use earlier fields by name (`_0`, `_1` in tuples) |
//! | field * | `#[generate("[a-z]+")]`, `#[generate(matches = PATTERN)]` | a text that matches the regular expression; needs the feature `regex` of `rebut` |
//! | field * | `#[generate(value = expression)]` | always this, not drawn |
//! | field * | `#[generate(default)]` | always the default |
//! | field * | `#[generate(min_value = 1, max_value = 9)]` | a number in these bounds |
//! | field * | `#[generate(min_size = 1, max_size = 9)]` | a text or collection of such a size |
//! | variant | `#[generate(weight = 3)]` | drawn three times as often as one without |
//! | variant | `#[generate(skip)]` | never drawn |
//! | variant | `#[generate(simplest)]` | the one to shrink to; else the first that does not contain the type itself |
//! | variant | `#[generate(recursive)]` | contains the type itself in a way the derive cannot see |
//! | type | `#[generate(filter = \|value\| value.is_valid())]` | only such values |
//! | type | `#[generate(bound = "T: Clone + rebut::Generate")]` | instead of the bounds that are inferred |
//! | type | `#[generate(no_code)]` | do not derive `ToCode` |
//! | type | `#[generate(crate = ::rebut)]` | where the crate `rebut` is |
//!
//! `#[from]` before a field or a variant belongs to other derives, such as those of `thiserror` and
//! `derive_more`.
//!
//! # `#[derive(ToCode)]`
//!
//! For types whose `Generate` is written by hand.
//!
//! # `#[derive(Specify)]`
//!
//! On a struct with named fields or a single one, or on an enum whose variants have none: a
//! specification of the input language, `rebut::specification::<T>("name")`. It reads the
//! attributes of `derive(Generate)`: bounds, sizes and regular expressions are specified, what
//! is always the same or skipped is left out. Before a field, `#[specify("(divisible-by 5)")]`
//! says more: an assertion of the input language whose first argument is left out.

mod constants;
mod contract;
mod draw;
mod generate;
mod lexer;
mod mock;
mod printed;
mod setting;
mod summary;
mod test;
#[cfg(test)]
mod testing;
mod written;

use proc_macro::TokenStream;

use self::test::Claim;

/// Runs a function for many values of its parameters. See the [list of settings](crate).
#[proc_macro_attribute]
pub fn test(arguments: TokenStream, item: TokenStream) -> TokenStream {
    finish(test::expand(Claim::ForAll, arguments.into(), item.into()))
}

/// Looks for values of a function's parameters for which it returns true: a test that passes if
/// they are found. See the [list of settings](crate#rebutexists-and-rebutnot_exists).
#[proc_macro_attribute]
pub fn exists(arguments: TokenStream, item: TokenStream) -> TokenStream {
    finish(test::expand(Claim::Exists, arguments.into(), item.into()))
}

/// Looks for values of a function's parameters for which it returns true: a test that fails if
/// they are found. See the [list of settings](crate#rebutexists-and-rebutnot_exists).
#[proc_macro_attribute]
pub fn not_exists(arguments: TokenStream, item: TokenStream) -> TokenStream {
    finish(test::expand(Claim::NotExists, arguments.into(), item.into()))
}

/// Draws values of a type field by field, and writes them as code. See the
/// [list of attributes](crate).
#[proc_macro_derive(Generate, attributes(generate))]
pub fn generate(item: TokenStream) -> TokenStream {
    finish(generate::expand(item.into()))
}

/// Writes a type as a specification of the input language. See the
/// [list of attributes](crate#derivespecify).
#[proc_macro_derive(Specify, attributes(specify, generate))]
pub fn specify(item: TokenStream) -> TokenStream {
    finish(generate::expand_specify(item.into()))
}

/// Writes values of a type as code. Part of `derive(Generate)`; alone for types whose
/// `Generate` is written by hand.
#[proc_macro_derive(ToCode, attributes(generate))]
pub fn to_code(item: TokenStream) -> TokenStream {
    finish(generate::expand_code(item.into()))
}

/// The literals of the file this is written in, or of all Rust files below a folder of the
/// package, as values to be tried more often than others: what `#[rebut::test]` does by itself,
/// for those who use `Check`.
///
/// ```text
/// Check::new("parses").constants(rebut::constants!("src")).run(|case| ..);
/// ```
#[proc_macro]
pub fn constants(arguments: TokenStream) -> TokenStream {
    finish(constants::expand(arguments.into()))
}

/// Checks what functions require and ensure, and lets programs be drawn that call them. See the
/// [list of clauses](crate#rebutcontract).
#[proc_macro_attribute]
pub fn contract(arguments: TokenStream, item: TokenStream) -> TokenStream {
    finish(contract::expand(arguments.into(), item.into()))
}

/// Makes a type that implements a trait and draws its answers. See the
/// [list of attributes](crate#rebutmock).
#[proc_macro_attribute]
pub fn mock(arguments: TokenStream, item: TokenStream) -> TokenStream {
    finish(mock::expand(arguments.into(), item.into()))
}

/// What a function promises of its result, and what can stand in for it under exploration; see
/// [above](crate#rebutsummary).
#[proc_macro_attribute]
pub fn summary(arguments: TokenStream, item: TokenStream) -> TokenStream {
    finish(summary::expand(arguments.into(), item.into()))
}

fn finish(expanded: syn::Result<proc_macro2::TokenStream>) -> TokenStream {
    expanded.unwrap_or_else(|error| error.into_compile_error()).into()
}
