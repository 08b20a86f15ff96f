//! The macros of Rebut.
//!
//! Use them through the crate `rebut`: `#[rebut::test]`, `#[derive(rebut::Generate)]`. The
//! documentation of each macro lists its settings and attributes.
//!
//! | macro | what it does |
//! |---|---|
//! | [`test`](macro@test) | runs a function with generated arguments |
//! | [`exists`](macro@exists), [`not_exists`](macro@not_exists) | searches for arguments for which a function returns `true` |
//! | [`contract`](macro@contract) | checks pre- and postconditions, and makes a type usable in programs |
//! | [`mock`](macro@mock) | implements a trait with generated answers |
//! | [`summary`](macro@summary) | states a fact about a function that exploration uses instead of the call |
//! | [`derive(Generate)`](derive@Generate) | generates values of a type |
//! | [`derive(ToCode)`](derive@ToCode) | prints values of a type as Rust code |
//! | [`derive(Specify)`](derive@Specify) | writes a type as an input specification |
//! | [`mined_constants!`](macro@mined_constants) | collects the literals of a source file |
//!
//! The macros run nothing and write no file. They read the sources of the crate to collect its
//! literals. Their only state is the number of the next test. The generated code names items of
//! the crate `rebut` and of the standard library, nothing else.
//!
//! # Examples
//! ```test_harness
//! #[rebut::test]
//! fn reversing_twice_changes_nothing(list: Vec<u8>) {
//!     let twice: Vec<u8> = list.iter().rev().copied().rev().collect();
//!     assert_eq!(twice, list);
//! }
//! ```

mod claims;
mod compile_errors;
mod compiler;
mod configured;
mod constants;
mod contract;
mod draw;
mod facade;
mod generate;
mod generated;
mod lexer;
mod mock;
mod name_value;
mod needs;
mod overflow_checks;
mod printed;
mod proptest;
mod summary;
mod test;
#[cfg(test)]
mod testing;
mod written;

use proc_macro::TokenStream;

/// Turns a function with parameters into a test that runs with many generated arguments.
///
/// The test works under `cargo test` like any `#[test]`. If a call fails, Rebut shrinks its
/// arguments and prints them as Rust code.
///
/// The function returns nothing, `bool`, a `Result` with an error that implements `Debug`, or a
/// type that a `#[test]` can return, such as `ExitCode`. A panic, `false`, `Err` and an exit code
/// other than `SUCCESS` are failures. Other attributes keep their meaning: `#[should_panic]`, `#[ignore]`, `#[cfg(..)]`.
///
/// # Examples
/// ```test_harness
/// use rebut::prelude::*;
///
/// #[rebut::test(cases = 500)]
/// fn push_then_pop_returns_the_item(list: Vec<u8>, #[from(1..10)] item: u8) {
///     let mut pushed = list.clone();
///     pushed.push(item);
///     assert_eq!(pushed.pop(), Some(item));
///     assert_eq!(pushed, list);
/// }
///
/// #[rebut::test]
/// #[example("-0")]
/// fn i64_round_trips_through_text(#[from("-?[0-9]{1,18}")] text: &str) -> Result<(), String> {
///     let number: i64 = text.parse().map_err(|error| format!("{text}: {error}"))?;
///     assert_eq!(number.to_string().parse(), Ok(number));
///     Ok(())
/// }
/// ```
///
/// # Settings
///
/// Write them in the parentheses, separated by commas: `#[rebut::test(cases = 200, seed = 7)]`.
/// `rebut.toml` sets them for all tests. An environment variable such as `REBUT_CASES` overrides
/// both; see [Settings][settings].
///
/// | setting | default | meaning |
/// |---|---|---|
/// | `cases = 200` | `none` | The number of cases to run. `none` means 1,000. Tests with generated programs then run more: for a second, up to 50,000. |
/// | `seed = 7` | `none` | The seed of the random choices; a new one for each run if there is none. |
/// | `deadline = "500ms"` | `"10s"` | The time limit of one case. A case that takes longer hangs, which is a failure. |
/// | `time_budget = "2s"` | `none` | The time after which Rebut starts no new cases. |
/// | `isolate = always` | `auto` | Which cases run in child processes: with `auto` those after a crash or a hang, with `always` all, with `never` none. |
/// | `memory = "512MB"` | `"4GB"` | The memory limit of a child process. |
/// | `shrink_max = 1000` | `20000` | The maximum number of executions to shrink one failure. 0 turns shrinking off. Shrinking also stops after a minute. |
/// | `failures = 1` | `5` | The maximum number of distinct failures to find. |
/// | `explain = false` | `true` | Whether to find out which parts of the minimal input matter. |
/// | `verbosity = verbose` | `normal` | How much Rebut prints: `quiet` failures, `normal` also advice, `verbose` also a summary of each run that passed, `trace` also every case with its values and outcome. |
/// | `database = false` | `true` | Whether to save failures in `.rebut/` and try them first in the next run. |
/// | `rejections_max = 100` | `20` | The maximum number of rejected cases for each accepted case. |
/// | `search = climbing` | `auto` | The strategy for properties that call `maximize` or `minimize`. In an attribute, also a path to a function that takes the number of steps and returns a strategy. |
/// | `events = all` | `summary` | Which events Rebut writes to `target/rebut/`: `off` none, `search` those of properties that call `maximize` or `minimize`, `summary` those of all properties without their cases, `all` also every case. |
/// | `spec = "calendar.json"` | none | A specification. The test runs with the inputs that `cargo rebut generate` prepared from it. There are no random cases unless you also set `cases`. |
/// | `outline = "sanity"` | the only one | The outline of the specification to use. |
/// | `inputs = 100` | all | The number of prepared inputs to run. |
/// | `differ = "title different-lengths"` | as specified | The rule for when two inputs are different. |
/// | `runtime = tokio` | none | What runs an `async fn`: `tokio`, `smol`, `async_std`, `pollster`, `actix_rt`, `futures`, or a function that takes a future and returns its output. `tokio` accepts the settings of `#[tokio::test]`: `tokio(flavor = "multi_thread")`. |
/// | `crate = other::rebut` | found | The path of the crate `rebut`, if only another crate depends on it and the attribute does not show the path. |
///
/// Times also accept a `Duration`, and sizes a number of bytes.
///
/// # Examples that always run
///
/// `#[example(1, "a")]` above the function runs it with these arguments before any generated
/// ones. Repeat the attribute for more examples. A string literal also works for a `String`
/// parameter.
///
/// # Rows of values
///
/// Parameters can have fixed values, in the notation of the crates rstest and test-case. Each row
/// becomes a test of its own in a module with the name of the function. Rebut generates the other
/// parameters.
///
/// ```test_harness
/// #[rebut::test]
/// #[case(2)]
/// #[case::ten(10)]
/// fn division_is_exact(#[case] divisor: u32, #[values(0, 1)] extra: u32, n: u16) {
///     let n = u32::from(n);
///     assert_eq!((n * divisor + extra) / divisor, n);
/// }
/// ```
///
/// `#[test_case(2; "two")]` is a row for the first parameters.
///
/// # Parameters
///
/// A parameter needs no attribute if its type implements `rebut::Generate`. A reference borrows a
/// generated value: `&str` borrows a `String`, `&[T]` a `Vec<T>`, `&T` and `&mut T` a `T`. To
/// choose the values, add `#[from(..)]`:
///
/// | attribute | values |
/// |---|---|
/// | `#[from(1..10)]`, `#[from(0..=28)]`, `#[from(1..)]`, `#[from(..=9)]` | integers in the range, of the type of the parameter |
/// | `#[from(0.0..1.0)]`, `#[from('a'..='z')]` | floats and characters in the range |
/// | `#[from("[a-z]+")]` | strings that match the regular expression, for `String`, `&str` or bytes; needs the feature `regex` |
/// | `#[from(["GET", "PUT"])]`, `#[from(TABLE)]` | the elements of an array or slice; string literals also work for a `String` |
/// | `#[from((1..10, 'a'..='z'))]` | tuples of these |
/// | `#[from(vecs(1..10).max_size(5))]` | the values of a generator |
///
/// The expression can use earlier parameters by name: `#[from(low..)] high: u8`. Instead of
/// `#[from(..)]`, you can write a field attribute of [`derive(Generate)`](derive@Generate#fields):
/// `#[generate(min_size = 1)]`.
///
/// With `spec`, a parameter receives the blank of the same name, at any depth of the model.
/// `#[blank("event.title")]` selects another one.
///
#[doc = concat!("[settings]: ", env!("CARGO_PKG_HOMEPAGE"), "/settings.md")]
#[proc_macro_attribute]
pub fn test(arguments: TokenStream, item: TokenStream) -> TokenStream {
    finish(configured::expand_attribute("test", arguments.into(), item.into()))
}

/// Passes if Rebut finds arguments for which the function returns `true`.
///
/// Rebut shrinks the arguments that it finds, prints them, and saves them for the next run. The
/// test fails if no tried input matches, and also if a call panics or returns an error.
///
/// The function returns `bool`, or a `Result<bool, _>` with an error that implements `Debug`. If
/// it calls `rebut::maximize` or `rebut::minimize`, Rebut searches for better scores instead of
/// trying random inputs.
///
/// # Examples
/// ```
/// #[rebut::exists]
/// fn uppercase_can_be_longer(text: String) -> bool {
///     text.to_uppercase().chars().count() > text.chars().count()
/// }
/// # // As a test it would save the input in the repository.
/// # let is_longer = |text: &String| text.to_uppercase().chars().count() > text.chars().count();
/// # assert!(rebut::find(rebut::strings(), is_longer).is_some());
/// ```
///
/// # Settings
///
/// The settings, `#[example(..)]` and the attributes of parameters are those of
/// [`#[rebut::test]`](macro@test), with two differences. `steps = 20_000` replaces `cases`, and
/// `spec`, `outline`, `inputs` and `differ` are not available.
#[proc_macro_attribute]
pub fn exists(arguments: TokenStream, item: TokenStream) -> TokenStream {
    finish(configured::expand_attribute("exists", arguments.into(), item.into()))
}

/// Fails if Rebut finds arguments for which the function returns `true`.
///
/// This is the opposite of [`#[rebut::exists]`](macro@exists). If the test passes, no tried input
/// matches; that is a proof only if Rebut tried all inputs. A panic or an error is a failure too.
///
/// # Examples
/// ```test_harness
/// #[rebut::not_exists(steps = 2_000)]
/// fn trim_never_adds_characters(text: String) -> bool {
///     text.trim().len() > text.len()
/// }
/// ```
///
/// # Settings
///
/// The same as for [`#[rebut::exists]`](macro@exists).
#[proc_macro_attribute]
pub fn not_exists(arguments: TokenStream, item: TokenStream) -> TokenStream {
    finish(configured::expand_attribute("not_exists", arguments.into(), item.into()))
}

/// Derives a generator of values, field by field, and `ToCode`.
///
/// The type can be a struct or an enum, generic or recursive. Without an attribute, a field uses the
/// generator of its type. Values shrink field by field. An enum shrinks to its first variant that
/// does not contain the type itself.
///
/// # Examples
/// ```
/// use rebut::prelude::*;
///
/// #[derive(Clone, Debug, PartialEq, Generate)]
/// enum Shape {
///     Circle { radius: u16 },
///     #[generate(weight = 3)]
///     Polygon(#[generate(min_size = 3)] Vec<(i16, i16)>),
/// }
///
/// assert_eq!(rebut::simplest(&rebut::any::<Shape>()), Shape::Circle { radius: 0 });
/// let found = rebut::find(rebut::any::<Shape>(), |shape| matches!(shape, Shape::Polygon(_)));
/// assert_eq!(found, Some(Shape::Polygon(vec![(0, 0), (0, 0), (0, 0)])));
/// ```
///
/// # Fields
///
/// Parameters of [`#[rebut::test]`](macro@test) and methods of [`#[rebut::mock]`](macro@mock)
/// accept the same attributes. The expressions can use earlier fields by name; in a tuple, these
/// are `_0`, `_1` and so on.
///
/// | attribute | values |
/// |---|---|
/// | `#[generate(1..=28)]` | numbers or characters in the range |
/// | `#[generate(["a", "b"])]` | the elements of an array or slice |
/// | `#[generate(vecs(1..10))]` | the values of a generator |
/// | `#[generate("[a-z]+")]`, `#[generate(matches = PATTERN)]` | strings that match the regular expression; needs the feature `regex` |
/// | `#[generate(min_value = 1, max_value = 9)]` | numbers or characters within these bounds |
/// | `#[generate(min_size = 1, max_size = 9)]` | strings or collections with a length within these bounds |
/// | `#[generate(value = expression)]` | always this value |
/// | `#[generate(default)]` | always the default value |
///
/// `#[from(..)]` on a field belongs to other derives, such as those of `thiserror` and
/// `derive_more`.
///
/// # Variants
///
/// | attribute | meaning |
/// |---|---|
/// | `#[generate(weight = 3)]` | Generates the variant three times as often as one without a weight. |
/// | `#[generate(skip)]` | Never generates the variant. |
/// | `#[generate(simplest)]` | Shrinks to this variant. |
/// | `#[generate(recursive)]` | Marks a variant that contains the type itself where the derive cannot see it. |
///
/// # Types
///
/// | attribute | meaning |
/// |---|---|
/// | `#[generate(filter = \|value\| value.is_valid())]` | Generates only the values for which the function returns `true`. |
/// | `#[generate(bound = "T: Clone + rebut::Generate")]` | Replaces the inferred bounds. |
/// | `#[generate(no_code)]` | Does not derive `ToCode`. |
/// | `#[generate(crate = ::rebut)]` | Sets the path of the crate `rebut`. |
// `from` is there for the message that says what to write instead.
#[proc_macro_derive(Generate, attributes(generate, from))]
pub fn generate(item: TokenStream) -> TokenStream {
    finish(generate::expand(item.into()))
}

/// Derives a specification in the input language of `cargo rebut generate`.
///
/// `rebut::specification::<T>("name")` returns it as a string. The type is a struct with named
/// fields or with a single field, or an enum whose variants have no fields.
///
/// The derive reads the attributes of [`derive(Generate)`](derive@Generate#fields). Bounds, sizes
/// and regular expressions become assertions. Constant fields and skipped variants are left out.
/// For more, add `#[specify("(divisible-by 5)")]` to a field: an assertion of the
/// [input language][language] without its first argument.
///
/// # Examples
/// ```
/// use rebut::prelude::*;
///
/// #[derive(Debug, Generate, Specify)]
/// struct Booking {
///     #[generate(1..=480)]
///     #[specify("(divisible-by 5)")]
///     minutes: u16,
/// }
///
/// assert_eq!(rebut::specification::<Booking>("booking"), "\
/// (declare booking--minutes ?(Integer 0 65535))
/// (specify booking--minutes (gte 1))
/// (specify booking--minutes (lte 480))
/// (specify booking--minutes (divisible-by 5))
/// (declare booking ?Object)
/// (specify booking
///   (with minutes ?booking--minutes))
/// (generate booking 10 (output booking))
/// ");
/// ```
///
#[doc = concat!("[language]: ", env!("CARGO_PKG_HOMEPAGE"), "/language.md")]
#[proc_macro_derive(Specify, attributes(specify, generate))]
pub fn specify(item: TokenStream) -> TokenStream {
    finish(generate::expand_specify(item.into()))
}

/// Derives how reports print values of a type as Rust code.
///
/// [`derive(Generate)`](derive@Generate) includes it. Derive it alone for a type with a
/// handwritten `Generate`. It accepts `#[generate(bound = "..")]` and `#[generate(crate = ..)]` on
/// the type.
///
/// # Examples
/// ```
/// use rebut::{Code, ToCode};
///
/// #[derive(ToCode)]
/// struct Point {
///     x: i8,
///     names: Vec<String>,
/// }
///
/// let point = Point { x: -1, names: vec!["a".to_owned()] };
/// assert_eq!(Code::of(&point), r#"Point { x: -1, names: vec!["a".to_string()] }"#);
/// ```
#[proc_macro_derive(ToCode, attributes(generate))]
pub fn to_code(item: TokenStream) -> TokenStream {
    finish(generate::expand_code(item.into()))
}

/// Collects literals of source files, as values to try more often than others.
///
/// `mined_constants!()` reads the current file. `mined_constants!("src")` reads all Rust files below
/// a directory of the package. Pass the result to `Check::constants`. `#[rebut::test]` collects
/// literals automatically.
///
/// # Examples
/// ```
/// use rebut::{Check, integers};
///
/// let report = Check::new("no magic number")
///     .constants(rebut::mined_constants!("src"))
///     .run(|case| case.draw(integers::<u8>()) <= 255);
/// assert!(report.verdict.is_success());
/// ```
#[proc_macro]
pub fn mined_constants(arguments: TokenStream) -> TokenStream {
    finish(constants::expand(arguments.into()))
}

/// Returns whether the crate checks overflows, if that is known. Only generated code uses it.
#[doc(hidden)]
#[proc_macro]
pub fn overflow_checks(_: TokenStream) -> TokenStream {
    overflow_checks::expand().into()
}

/// Runs properties that are written for proptest.
///
/// Write `use rebut::proptest;` in a file that uses proptest, below its imports. The properties in
/// the file then run as `#[rebut::test]` does: with its reports, saved failures, replay, isolation
/// and settings. Strategies, `prop_assert!`, `prop_assume!` and the rest stay those of proptest.
/// Needs the feature `proptest`.
///
/// The macro accepts the syntax of `proptest::proptest!`: several functions with attributes,
/// parameters `pattern in strategy` and `pattern: type`, `#![proptest_config(..)]`, and the closure
/// form. Each parameter shrinks by its strategy, and the parameters shrink together.
///
/// # Examples
/// ```test_harness
/// use proptest::prelude::*;
/// use rebut::proptest;
///
/// proptest! {
///     #![proptest_config(ProptestConfig::with_cases(200))]
///
///     #[test]
///     fn reversing_twice_changes_nothing(list in prop::collection::vec(0..100, 0..20), cut: bool) {
///         prop_assume!(!list.is_empty());
///         let part = if cut { &list[1..] } else { &list };
///         let twice: Vec<i32> = part.iter().rev().rev().copied().collect();
///         prop_assert_eq!(part, twice);
///     }
/// }
///
/// #[test]
/// fn lists_of_one_length() {
///     for length in 0..3 {
///         proptest!(|(list in prop::collection::vec(any::<u8>(), length))| {
///             prop_assert_eq!(list.len(), length);
///         });
///     }
/// }
/// ```
///
/// # Configuration
///
/// `rebut.toml` and `REBUT_*` environment variables apply. Of `ProptestConfig` and its environment
/// variables:
///
/// | field | in Rebut |
/// |---|---|
/// | `cases`, `PROPTEST_CASES` | the setting `cases`, unless it is 256, the default of proptest |
/// | `max_shrink_iters` | the setting `shrink_max`, if set |
/// | `timeout` | the setting `deadline`, if not 0 |
/// | `rng_seed` | the setting `seed`, if fixed |
/// | `max_local_rejects`, `max_flat_map_regens` | passed to strategies |
/// | `max_global_rejects` | no effect: the setting `rejections_max` applies |
/// | `fork` | no effect: a crash is always isolated, unless `isolate` is `never` |
/// | `failure_persistence` | `None` turns the setting `database` off; otherwise, failures are saved in `.rebut/` |
/// | `max_shrink_time`, `result_cache`, `verbose`, `rng_algorithm` | no effect |
#[proc_macro]
pub fn proptest(input: TokenStream) -> TokenStream {
    finish(proptest::expand(input.into()))
}

/// Checks the conditions that functions require and ensure.
///
/// Apply it to an impl block, a trait, an implementation of such a trait, or a function. A
/// violated contract panics with the name of the side at fault: the caller for `requires`, the
/// function for `ensures` and `invariant`.
///
/// A type with a contract can also be the parameter of a `rebut::Program`. Rebut then generates
/// programs that call its public functions, with callbacks and trait implementations whose bodies
/// are generated too. See [Contracts][contracts].
///
/// Contracts are checked in tests and in builds with debug assertions. The feature `contracts`
/// checks them in all builds.
///
/// # Examples
/// ```test_harness
/// #[derive(Debug)]
/// pub struct Stack {
///     items: Vec<u8>,
/// }
///
/// #[rebut::contract]
/// #[invariant(self.items.len() <= 10, "at most 10 items")]
/// impl Stack {
///     pub fn new() -> Stack {
///         Stack { items: Vec::new() }
///     }
///
///     #[requires(self.len() < 10)]
///     #[ensures(self.len() == old(self.len()) + 1)]
///     pub fn push(&mut self, item: u8) {
///         self.items.push(item);
///     }
///
///     #[requires(self.len() > 0)]
///     pub fn pop(&mut self) -> u8 {
///         self.items.remove(self.items.len() - 1)
///     }
///
///     pub fn len(&self) -> usize {
///         self.items.len()
///     }
/// }
///
/// #[rebut::test]
/// fn stack_keeps_its_contract(program: rebut::Program<Stack>) {
///     program.run();
/// }
///
/// #[test]
/// #[should_panic(expected = "`Stack::pop` requires `self.len() > 0`")]
/// fn pop_rejects_an_empty_stack() {
///     Stack::new().pop();
/// }
/// ```
///
/// # Settings
///
/// | setting | meaning |
/// |---|---|
/// | `with(T = u8)` | The types that replace the type parameters of a generic block in programs. Also the meaning of a type alias from another file: `with(OnEvict = Box<dyn FnMut(u8)>)`. |
/// | `only_checks` | Checks the clauses, and generates no programs. |
/// | `send` | Lets the generated implementations of the trait be sent to other threads, where they do nothing. |
/// | `crate = ::rebut` | The path of the crate `rebut`, if it is renamed or re-exported. |
///
/// # Clauses
///
/// A string after the conditions replaces them in reports.
///
/// | on | attribute | meaning |
/// |---|---|---|
/// | a function | `#[requires(n > 0)]` | The precondition: the caller must make sure that it is true. |
/// | a function | `#[ensures(result > old(self.len()))]` | The postcondition. `result` (or `ret`) is the returned value. `old(..)` is a value from before the call. |
/// | an impl block | `#[invariant(self.len <= self.max)]` | True before and after every call from outside, callbacks included. |
/// | a callable parameter | `#[requires(_0 > 0)]`, `#[ensures(result >= _0)]` | The contract of the callback. `_0` is its first argument. |
/// | an impl block | `#[model(BTreeSet<u8>, self.len() == model.len())]` | A simpler type that must behave the same. Programs call both and compare the results. The conditions must be true after each call. |
/// | a function | `#[model(model.extend(other))]` | The code to run on the model, if it is not the function of the same name. `#[model(skip)]` runs and compares nothing. |
/// | a function | `#[program(skip)]` | Programs do not call this function. |
/// | a function | `#[program(changes)]` | The function changes state although it takes `&self`. |
///
#[doc = concat!("[contracts]: ", env!("CARGO_PKG_HOMEPAGE"), "/contracts.md")]
#[proc_macro_attribute]
pub fn contract(arguments: TokenStream, item: TokenStream) -> TokenStream {
    finish(configured::expand_attribute("contract", arguments.into(), item.into()))
}

/// Creates a type that implements the trait with generated return values.
///
/// For `trait Clock`, the type is `MockClock`. It implements `rebut::Generate`, so it can be the
/// parameter of a test. Rebut generates each answer when the code under test asks for it, and
/// prints a failing mock as an ordinary implementation of the trait.
///
/// The trait must be dyn compatible. A mocked method takes `&self` or `&mut self` and returns an
/// owned value. A method with a default body keeps it, unless it has one of the attributes below.
/// See [Mocks][mocks].
///
/// # Examples
/// ```test_harness
/// #[rebut::mock]
/// pub trait Clock {
///     #[assume(earlier.iter().all(|(_, before)| *before <= result), "time never goes back")]
///     fn now(&self) -> u32;
/// }
///
/// fn elapsed(clock: &dyn Clock, job: impl FnOnce()) -> u32 {
///     let start = clock.now();
///     job();
///     clock.now() - start
/// }
///
/// #[rebut::test]
/// fn elapsed_time_does_not_underflow(clock: MockClock) {
///     elapsed(&clock, || {});
/// }
/// ```
///
/// # Settings
///
/// | setting | meaning |
/// |---|---|
/// | `name = Fake` | The name of the type, instead of `Mock` and the name of the trait. |
/// | `pure` | Makes all methods with `&self` pure. |
/// | `friendly` | Ignores a failure if the test passes with other answers. |
/// | `with(T = u8, Error = String)` | The types that replace type parameters and associated types. |
/// | `of = std::io::Read` | Mocks this trait. The item only describes it and is not part of the output. |
/// | `crate = ::rebut` | The path of the crate `rebut`, if it is renamed or re-exported. |
///
/// # Attributes
///
/// | on | attribute | meaning |
/// |---|---|---|
/// | a method | `#[from(..)]`, `#[generate(..)]` | How to generate the answer, as for a [parameter](macro@test#parameters) or a [field](derive@Generate#fields). The expression can use the parameters of the method. |
/// | a method | `#[assume(result <= max)]` | A condition that every answer satisfies. `result` is the answer, `nth` the number of earlier calls, `earlier` a `Vec` of pairs of arguments and answer. It can call pure methods of `self` and of the arguments. A string after the conditions replaces them in reports. |
/// | a method | `#[pure]` | Returns the same answer for the same arguments, until a method with `&mut self` is called. |
/// | a parameter | `#[drawn]`, `#[drawn(count)]` | Also generates what the method writes to a `&mut T` or `&mut [T]`. `count` limits the number of elements and can use `result`. |
///
#[doc = concat!("[mocks]: ", env!("CARGO_PKG_HOMEPAGE"), "/mocks.md")]
#[proc_macro_attribute]
pub fn mock(arguments: TokenStream, item: TokenStream) -> TokenStream {
    finish(configured::expand_attribute("mock", arguments.into(), item.into()))
}

/// States which results a function can return, for exploration to use instead of the call.
///
/// Write a function with the same parameters and the result as the last one. It returns whether
/// the result is possible for these arguments. It is a test like any other. Once
/// `cargo rebut explore` has proved it for all arguments, the exploration of other tests does not
/// enter the summarized function: it assumes the summary of an unknown result. See
/// [How exploration works][explore].
///
/// # Examples
/// ```test_harness
/// /// Returns the integer square root.
/// fn root(n: u32) -> u32 {
///     n.isqrt()
/// }
///
/// #[rebut::summary(root)]
/// fn root_squared_is_at_most_n(n: u32, result: u32) -> bool {
///     result <= 65_535 && result * result <= n
/// }
/// ```
///
#[doc = concat!("[explore]: ", env!("CARGO_PKG_HOMEPAGE"), "/how-exploration-works.md")]
#[proc_macro_attribute]
pub fn summary(arguments: TokenStream, item: TokenStream) -> TokenStream {
    finish(summary::expand(arguments.into(), item.into()))
}

/// Expands an item whose attributes depend on `cfg`. The other macros use it.
#[doc(hidden)]
#[proc_macro_derive(Configured, attributes(rebut_configured))]
pub fn configured(item: TokenStream) -> TokenStream {
    finish(configured::expand(item.into()))
}

fn finish(expanded: syn::Result<proc_macro2::TokenStream>) -> TokenStream {
    expanded.unwrap_or_else(|error| compile_errors::of(&error)).into()
}
