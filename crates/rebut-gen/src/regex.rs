//! Text from regular expressions.
//!
//! The expression is walked as it is written: each alternation, repetition and optional part
//! is a choice of structure, each character class a choice of one of its members. The
//! simplified form the regex engines work on would do as a description of the language, but
//! not of the choices: `(0[1-9]|1[0-2])` becomes something whose alternatives nobody wrote.
//!
//! Anchors at the two ends hold by construction. Others, and word boundaries, are checked
//! when the text is there, and it is drawn again if they do not hold.

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

/// Texts that match a regular expression as a whole, in the syntax of the crate `regex`.
/// Repetitions without an end stop at a hundred. Needs the feature `regex`.
///
/// A pattern that is not understood is reported as a misuse when the first text is drawn; see
/// [`try_strings_matching`] for patterns that are not known to be right.
///
/// # Examples
/// ```
/// use rebut::{sample, simplest, strings_matching};
/// let dates = strings_matching(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])");
/// assert_eq!(sample(&dates, 1).chars().filter(|&c| c == '-').count(), 2);
/// assert_eq!(simplest(&dates), "0000-01-01");
/// ```
#[must_use]
pub fn strings_matching(pattern: &str) -> StringsMatching {
    StringsMatching { program: compiled(pattern, true) }
}

/// As [`strings_matching`] for a pattern that may be wrong.
///
/// # Errors
/// If the pattern does not parse, uses look-around or back-references, or matches nothing.
///
/// # Examples
/// ```
/// use rebut::try_strings_matching;
/// let error = try_strings_matching("a(?=b)").unwrap_err();
/// assert!(error.to_string().contains("look-around"));
/// assert_eq!(error.span(), 1..4);
/// ```
pub fn try_strings_matching(pattern: &str) -> Result<StringsMatching, RegexError> {
    let program = compiled(pattern, true)?;
    Ok(StringsMatching { program: Ok(program) })
}

/// Bytes that match a regular expression as a whole; without the flag `u` a class is one of
/// bytes, which need not be text. Needs the feature `regex`.
///
/// # Examples
/// ```
/// use rebut::{bytes_matching, sample};
/// let packets = bytes_matching(r"(?s-u)\x7F[\x80-\xFF]{2}");
/// assert!(sample(&packets, 1)[1] >= 0x80);
/// ```
#[must_use]
pub fn bytes_matching(pattern: &str) -> BytesMatching {
    BytesMatching { program: compiled(pattern, false) }
}

/// As [`bytes_matching`] for a pattern that may be wrong.
///
/// # Errors
/// As for [`try_strings_matching`].
///
/// # Examples
/// ```
/// use rebut::try_bytes_matching;
/// assert!(try_bytes_matching(r"(?-u)\xFF").is_ok());
/// assert!(try_bytes_matching(r"(?-u)\xFG").is_err());
/// ```
pub fn try_bytes_matching(pattern: &str) -> Result<BytesMatching, RegexError> {
    let program = compiled(pattern, false)?;
    Ok(BytesMatching { program: Ok(program) })
}

/// See [`strings_matching`].
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

/// The translation refuses whatever could make bytes that are not text.
fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| Stop::Internal(format!("a regex drew {error}")).raise())
}

/// See [`bytes_matching`].
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

/// A pattern ready to be drawn from.
#[derive(Debug)]
struct Program {
    node: Node,
    /// Whether something has to be checked when the text is there.
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
        source.attempt("an anchor or a word boundary of a pattern did not hold", |source| {
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
    /// What was compiled before, for text and for bytes: a generator in an attribute is made
    /// for every case, and a string that stands for one for every element of a list.
    static COMPILED: [RefCell<HashMap<String, Rc<Program>>>; 2] = <[RefCell<_>; 2]>::default();
}

/// How many patterns are kept of each kind.
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
