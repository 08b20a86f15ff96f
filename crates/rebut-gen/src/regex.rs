//! Strings from regular expressions.
//!
//! The generator follows the expression as it is written: each alternation, repetition and optional
//! part is a choice of structure, each character class a choice of one of its members. The
//! simplified form of the regex engines describes the same language, but other choices: it turns
//! `(0[1-9]|1[0-2])` into alternatives that are not in the pattern.
//!
//! Anchors at both ends are satisfied by construction. Other anchors and word boundaries are
//! checked after the string is drawn. If one is violated, the string is drawn again.

mod error;
mod follow;
mod node;
mod translate;

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use rebut_choice::{Label, Source, Stop};

pub use error::RegexError;
use node::{Assertion, Node};

use crate::Generator;

/// Generates strings that match a regular expression from start to end. Needs the feature `regex`.
///
/// The syntax is that of the crate `regex`. A repetition without an upper bound has at most 100
/// more repetitions than its lower bound. Strings shrink to the first alternatives and to few
/// repetitions.
///
/// An invalid pattern fails the test when the first string is generated. To check a pattern, use
/// [`try_strings_matching`].
///
/// # Examples
/// ```
/// use rebut::{sample, simplest, strings_matching};
///
/// let dates = strings_matching(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])");
/// assert_eq!(sample(&dates, 1).chars().filter(|&c| c == '-').count(), 2);
/// assert_eq!(simplest(&dates), "0000-01-01");
/// ```
#[must_use]
pub fn strings_matching(pattern: &str) -> StringsMatching {
    StringsMatching { program: compiled(pattern, true) }
}

/// Like [`strings_matching`], but returns an error for an invalid pattern.
///
/// # Errors
/// If the pattern does not parse, uses look-around or backreferences, or matches nothing.
///
/// # Examples
/// ```
/// use rebut::try_strings_matching;
///
/// let error = try_strings_matching("a(?=b)").unwrap_err();
/// assert!(error.to_string().contains("look-around"));
/// assert_eq!(error.span(), 1..4);
/// ```
pub fn try_strings_matching(pattern: &str) -> Result<StringsMatching, RegexError> {
    let program = compiled(pattern, true)?;
    Ok(StringsMatching { program: Ok(program) })
}

/// Generates bytes that match a regular expression from start to end. Needs the feature `regex`.
///
/// Without the flag `u`, a class is a set of bytes, which need not be valid UTF-8.
///
/// # Examples
/// ```
/// use rebut::{bytes_matching, sample};
///
/// let packets = bytes_matching(r"(?s-u)\x7F[\x80-\xFF]{2}");
/// assert!(sample(&packets, 1)[1] >= 0x80);
/// ```
#[must_use]
pub fn bytes_matching(pattern: &str) -> BytesMatching {
    BytesMatching { program: compiled(pattern, false) }
}

/// Like [`bytes_matching`], but returns an error for an invalid pattern.
///
/// # Errors
/// The same as those of [`try_strings_matching`].
///
/// # Examples
/// ```
/// use rebut::try_bytes_matching;
///
/// assert!(try_bytes_matching(r"(?-u)\xFF").is_ok());
/// assert!(try_bytes_matching(r"(?-u)\xFG").is_err());
/// ```
pub fn try_bytes_matching(pattern: &str) -> Result<BytesMatching, RegexError> {
    let program = compiled(pattern, false)?;
    Ok(BytesMatching { program: Ok(program) })
}

/// The generator that [`strings_matching`] returns.
///
/// # Examples
/// ```
/// use rebut::{Generator, simplest, strings_matching};
///
/// fn names() -> impl Generator<Value = String> {
///     strings_matching("[A-Z][a-z]{2,6}")
/// }
/// assert_eq!(simplest(&names()), "Aaa");
/// ```
#[derive(Clone, Debug)]
pub struct StringsMatching {
    program: Result<Rc<Program>, RegexError>,
}

impl Generator for StringsMatching {
    type Value = String;

    fn draw(&self, source: &mut Source) -> String {
        let program = accepted(&self.program);
        source.follow_text(&|text| program.node.choices(text));
        text_of(program.draw(source))
    }

    fn members(&self) -> Option<Vec<String>> {
        let members = self.program.as_ref().ok()?.members()?;
        Some(members.iter().cloned().map(text_of).collect())
    }

    fn member(&self, index: usize) -> Option<String> {
        self.program.as_ref().ok()?.members()?.get(index).cloned().map(text_of)
    }
}

/// Converts bytes that are valid UTF-8: `translate` rejects every pattern that matches anything
/// else.
fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        Stop::Internal(format!("a regex generated invalid UTF-8: {error}")).raise()
    })
}

/// The generator that [`bytes_matching`] returns.
///
/// # Examples
/// ```
/// use rebut::{bytes_matching, simplest};
///
/// let headers = bytes_matching(r"(?-u)\xFF[\x00-\x03]");
/// assert_eq!(simplest(&headers), [0xFF, 0x00]);
/// ```
#[derive(Clone, Debug)]
pub struct BytesMatching {
    program: Result<Rc<Program>, RegexError>,
}

impl Generator for BytesMatching {
    type Value = Vec<u8>;

    fn draw(&self, source: &mut Source) -> Vec<u8> {
        accepted(&self.program).draw(source)
    }

    fn members(&self) -> Option<Vec<Vec<u8>>> {
        self.program.as_ref().ok()?.members().map(<[_]>::to_vec)
    }

    fn member(&self, index: usize) -> Option<Vec<u8>> {
        self.program.as_ref().ok()?.members()?.get(index).cloned()
    }
}

fn accepted(program: &Result<Rc<Program>, RegexError>) -> &Program {
    match program {
        Ok(program) => program,
        Err(error) => Stop::Misuse(format!("the pattern is not accepted: {error}")).raise(),
    }
}

/// A compiled pattern.
#[derive(Debug)]
struct Program {
    node: Node,
    /// Whether assertions must be checked after the string is drawn.
    asserts: bool,
    members: OnceCell<Option<Vec<Vec<u8>>>>,
}

const REGEX: Label = Label::group("regex");

impl Program {
    fn draw(&self, source: &mut Source) -> Vec<u8> {
        if !self.asserts {
            return source.span(REGEX, |source| {
                let mut bytes = Vec::new();
                self.node.draw(source, &mut bytes, &mut Vec::new());
                bytes
            });
        }
        source.attempt("an anchor or a word boundary of a pattern did not match", |source| {
            let (mut bytes, mut checks) = (Vec::new(), Vec::new());
            self.node.draw(source, &mut bytes, &mut checks);
            let hold =
                checks.iter().all(|(at, check): &(usize, Assertion)| check.holds(&bytes, *at));
            hold.then_some(bytes)
        })
    }

    fn members(&self) -> Option<&[Vec<u8>]> {
        let find = || if self.asserts { None } else { self.node.members() };
        self.members.get_or_init(find).as_deref()
    }
}

thread_local! {
    /// The patterns compiled so far, for bytes and for strings. A generator in an attribute is
    /// created for every case, and a string as a generator for every element of a list.
    static COMPILED: [RefCell<HashMap<String, Rc<Program>>>; 2] = <[RefCell<_>; 2]>::default();
}

/// The maximum number of cached patterns of each kind. One more clears the cache, so that a test that
/// creates patterns does not use ever more memory. Arbitrary.
const COMPILED_MAX: usize = 256;

fn compiled(pattern: &str, utf8: bool) -> Result<Rc<Program>, RegexError> {
    let known = |compiled: &[RefCell<HashMap<String, Rc<Program>>>; 2]| {
        compiled[usize::from(utf8)].borrow().get(pattern).map(Rc::clone)
    };
    if let Some(program) = COMPILED.with(known) {
        return Ok(program);
    }
    let node = translate::translate(pattern, utf8)?;
    let asserts = node.asserts();
    let program = Rc::new(Program { node, asserts, members: OnceCell::new() });
    COMPILED.with(|compiled| {
        let mut compiled = compiled[usize::from(utf8)].borrow_mut();
        if compiled.len() >= COMPILED_MAX {
            compiled.clear();
        }
        compiled.insert(pattern.to_owned(), Rc::clone(&program));
    });
    Ok(program)
}
