//! Specifications as Rust code instead of a file.
//!
//! A builder writes a program of the input language, which [`Specification::text`] returns. So it
//! means the same as a file and reports the same errors.

use std::error::Error;
use std::fmt::{self, Write as _};

use serde_json::Value as Json;

use crate::engine::{Options, Refused, Verdict, generate};
use crate::output;
use crate::program::Program;

/// Describes which inputs are legal and what makes two of them different, and generates inputs.
///
/// # Examples
/// ```
/// use rebut_spec::builder::{Specification, different_lengths, integers, objects, texts};
///
/// let inputs = Specification::new()
///     .blank("hours", integers().between(0, 23))
///     .blank("guest", objects([("name", texts().matching("[A-Z][a-z]{2,6}"))]))
///     .specify("(≠ hours (length guest.name))")
///     .differ("guest.name", different_lengths())
///     .generate(5)?;
/// assert_eq!(inputs.models.len(), 5);
/// for model in &inputs.models {
///     assert!(model["hours"].as_i64() < Some(24));
/// }
/// # Ok::<(), rebut_spec::builder::SpecificationError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Specification {
    /// The statements before `generate`.
    statements: String,
    names: Vec<String>,
    constraints: String,
    seed: Option<u64>,
}

impl Specification {
    /// Creates an empty specification.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an input to generate. A name consists of letters, digits, `-` and `_`.
    #[must_use]
    pub fn blank(mut self, name: &str, blank: Blank) -> Self {
        blank.declare(name, &mut self.statements);
        self.names.push(name.to_owned());
        self
    }

    /// Adds an assertion of the input language that each model must satisfy.
    #[must_use]
    pub fn specify(mut self, assertion: &str) -> Self {
        let _ = writeln!(self.statements, "(assert {assertion})");
        self
    }

    /// Adds a way in which two models can differ. If there are several, one is enough. A field
    /// is written with a dot: `guest.name`.
    #[must_use]
    pub fn differ(mut self, name: &str, difference: Difference) -> Self {
        let _ = writeln!(self.constraints, "  (constrain-solutions {name} {})", difference.0);
        self
    }

    /// Sets the seed. Another seed finds other models, if there are more than requested.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Returns the program that generates `count` models.
    ///
    /// # Examples
    /// ```
    /// use rebut_spec::builder::{Specification, integers, numeric_distance};
    /// let hours = Specification::new()
    ///     .blank("hours", integers().between(0, 23))
    ///     .differ("hours", numeric_distance(6));
    /// assert_eq!(hours.text(4), "\
    /// (declare hours ?Integer)
    /// (specify hours (between 0 23))
    /// (generate inputs 4
    ///   (constrain-solutions hours (numeric-distance 6))
    ///   (output hours))
    /// ");
    /// ```
    #[must_use]
    pub fn text(&self, count: usize) -> String {
        let Self { statements, names, constraints, .. } = self;
        let names = names.join(" ");
        format!("{statements}(generate inputs {count}\n{constraints}  (output {names}))\n")
    }

    /// Generates `count` models, or as many as exist.
    ///
    /// # Errors
    /// If the specification has an error, or if Rebut's evaluator rejects a model, which is a
    /// bug in Rebut.
    pub fn generate(&self, count: usize) -> Result<Inputs, SpecificationError> {
        let text = self.text(count);
        let program = Program::parse("specification", &text);
        let Some(environment) = program.environments.first().filter(|_| !program.has_errors())
        else {
            return Err(SpecificationError(Kind::Wrong(error_text(&program))));
        };
        let mut options = Options::default();
        options.seed = self.seed.unwrap_or(options.seed);
        let outcome = generate(environment, &options)
            .map_err(|refused| SpecificationError(Kind::Refused(refused)))?;
        let models = outcome.models.iter().map(|model| output::json(environment, model)).collect();
        Ok(Inputs { models, verdict: outcome.verdict })
    }
}

/// Models, and what their number means.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// One JSON object per model.
    pub models: Vec<Json>,
    /// How their number compares with the request.
    pub verdict: Verdict,
}

/// An error in a specification, or in Rebut.
#[derive(Debug)]
pub struct SpecificationError(Kind);

#[derive(Debug)]
enum Kind {
    Wrong(String),
    Refused(Refused),
}

impl SpecificationError {
    /// Whether the specification has an error, as opposed to Rebut.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        matches!(self.0, Kind::Wrong(_))
    }
}

impl fmt::Display for SpecificationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Wrong(what) => f.write_str(what),
            Kind::Refused(refused) => {
                write!(f, "{refused}; this is a bug in Rebut; please report it")
            }
        }
    }
}

impl Error for SpecificationError {}

/// Joins all errors, each with its line of the program.
fn error_text(program: &Program) -> String {
    let mut all = Vec::new();
    for diagnostic in program.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()) {
        let file = program.sources.files().get(diagnostic.span.file as usize);
        let text = file.map(|file| file.text.as_str()).unwrap_or_default();
        let before = text.get(..diagnostic.span.start as usize).unwrap_or_default();
        let line = text.lines().nth(before.matches('\n').count()).unwrap_or_default();
        let help = diagnostic.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
        all.push(format!("{}{help}, in `{}`", diagnostic.message, line.trim()));
    }
    all.join("; ")
}

/// The type of an input, and the assertions about it.
#[derive(Clone, Debug)]
pub struct Blank {
    blank_type: BlankType,
    /// Assertions without their first argument.
    assertions: Vec<String>,
}

#[derive(Clone, Debug)]
enum BlankType {
    /// A type with a name, such as `Integer`.
    Named(String),
    Option(Box<Blank>),
    List(Box<Blank>, usize, usize),
    Object(Vec<(String, Blank)>),
}

impl Blank {
    fn new(blank_type: BlankType) -> Self {
        Self { blank_type, assertions: Vec::new() }
    }

    fn named(name: &str) -> Self {
        Self::new(BlankType::Named(name.to_owned()))
    }

    /// Restricts values to the range from `min` to `max`. Dates are strings with quotes:
    /// `"\"2020-01-01\""`.
    #[must_use]
    pub fn between(self, min: impl fmt::Display, max: impl fmt::Display) -> Self {
        self.specified(&format!("(between {min} {max})"))
    }

    /// Restricts values to at least `min`.
    #[must_use]
    pub fn at_least(self, min: impl fmt::Display) -> Self {
        self.specified(&format!("(gte {min})"))
    }

    /// Restricts values to at most `max`.
    #[must_use]
    pub fn at_most(self, max: impl fmt::Display) -> Self {
        self.specified(&format!("(lte {max})"))
    }

    /// Restricts strings to those that a regular expression matches as a whole.
    #[must_use]
    pub fn matching(self, pattern: &str) -> Self {
        self.specified(&format!("(matches {})", quoted(pattern)))
    }

    /// Restricts the length of strings, in characters, or of lists.
    #[must_use]
    pub fn sized(self, min_size: usize, max_size: usize) -> Self {
        match self.blank_type {
            BlankType::List(items, ..) => Self {
                blank_type: BlankType::List(items, min_size, max_size),
                assertions: self.assertions,
            },
            _ => self.specified(&format!("(min-length {min_size}) (max-length {max_size})")),
        }
    }

    /// Adds an assertion of the input language without its first argument, such as
    /// `(divisible-by 5)`.
    #[must_use]
    pub fn specified(mut self, assertion: &str) -> Self {
        self.assertions.push(assertion.to_owned());
        self
    }

    /// Writes the statements that declare the blank under a name.
    fn declare(&self, name: &str, text: &mut String) {
        let part = |blank: &Self, field: &str, text: &mut String| {
            let part = format!("{name}--{field}");
            blank.declare(&part, text);
            part
        };
        // Writing to a string cannot fail.
        let _ = match &self.blank_type {
            BlankType::Named(kind) => writeln!(text, "(declare {name} ?{kind})"),
            BlankType::Option(inner) => {
                let inner = part(inner, "some", text);
                writeln!(text, "(declare {name} ?(Option {inner}))")
            }
            BlankType::List(items, min, max) => {
                let item = part(items, "item", text);
                writeln!(text, "(declare {name} ?(List {item} {min} {max}))")
            }
            BlankType::Object(fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(field, blank)| format!("(with {field} ?{})", part(blank, field, text)))
                    .collect();
                let fields = fields.join(" ");
                writeln!(text, "(declare {name} ?Object)\n(specify {name} {fields})")
            }
        };
        if !self.assertions.is_empty() {
            let _ = writeln!(text, "(specify {name} {})", self.assertions.join(" "));
        }
    }
}

/// Integers of 32 bits.
#[must_use]
pub fn integers() -> Blank {
    Blank::named("Integer")
}

/// Integers of 64 bits.
#[must_use]
pub fn longs() -> Blank {
    Blank::named("Long")
}

/// Exact decimal numbers.
#[must_use]
pub fn reals() -> Blank {
    Blank::named("Real")
}

/// Strings.
#[must_use]
pub fn texts() -> Blank {
    Blank::named("String")
}

/// Booleans.
#[must_use]
pub fn booleans() -> Blank {
    Blank::named("Boolean")
}

/// Points in time.
#[must_use]
pub fn dates() -> Blank {
    Blank::named("Date")
}

/// Days.
#[must_use]
pub fn days() -> Blank {
    Blank::named("Day")
}

/// Locations, as IANA time zone names.
#[must_use]
pub fn locations() -> Blank {
    Blank::named("Location")
}

/// One of these names.
#[must_use]
pub fn enums<'a>(names: impl IntoIterator<Item = &'a str>) -> Blank {
    let names: Vec<&str> = names.into_iter().collect();
    Blank::named(&format!("(Enum {})", names.join(" ")))
}

/// Optional values.
#[must_use]
pub fn options(inner: Blank) -> Blank {
    Blank::new(BlankType::Option(Box::new(inner)))
}

/// Lists of up to five items. Change the limits with [`sized`](Blank::sized).
#[must_use]
pub fn lists(items: Blank) -> Blank {
    Blank::new(BlankType::List(Box::new(items), 0, 5))
}

/// Objects with these fields.
#[must_use]
pub fn objects<'a>(fields: impl IntoIterator<Item = (&'a str, Blank)>) -> Blank {
    let fields = fields.into_iter().map(|(name, blank)| (name.to_owned(), blank));
    Blank::new(BlankType::Object(fields.collect()))
}

/// How two models can differ.
#[derive(Clone, Debug)]
pub struct Difference(String);

impl Difference {
    /// Creates a difference from a constraint of the input language, such as
    /// `(edit-distance 3)`.
    #[must_use]
    pub fn written(constraint: &str) -> Self {
        Self(constraint.to_owned())
    }
}

/// The values are not equal.
#[must_use]
pub fn not_equal() -> Difference {
    Difference::written("not-equal")
}

/// The strings or lists have different lengths.
#[must_use]
pub fn different_lengths() -> Difference {
    Difference::written("different-lengths")
}

/// The numbers are at least `distance` apart.
#[must_use]
pub fn numeric_distance(distance: impl fmt::Display) -> Difference {
    Difference(format!("(numeric-distance {distance})"))
}

/// The locations are in different time zones: their clocks have not always agreed.
#[must_use]
pub fn different_time_zones() -> Difference {
    Difference::written("different-time-zones")
}

/// The strings match a regular expression in different ways.
#[must_use]
pub fn cover_regexp(pattern: &str) -> Difference {
    Difference(format!("(cover-regexp {})", quoted(pattern)))
}

/// The JSON structures differ: which values are present, how long lists are, and so on.
#[must_use]
pub fn cover_json() -> Difference {
    Difference::written("cover-json")
}

/// The values are at, just below or just above different bounds of the specification.
#[must_use]
pub fn cover_boundaries() -> Difference {
    Difference::written("cover-boundaries")
}

/// A string literal of the input language.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_of_blank_generates_models() {
        let guest = objects([
            ("name", texts().matching("[A-Z]\"\\d{2}").sized(4, 4)),
            ("age", options(integers().at_least(18).at_most(99))),
        ]);
        let inputs = Specification::new()
            .blank("guests", lists(guest).sized(1, 2))
            .blank("day", days().between("\"2020-01-01\"", "\"2020-12-31\""))
            .blank("at", dates())
            .blank("place", locations())
            .blank("kind", enums(["open", "closed"]))
            .blank("price", reals().between(0, 10))
            .blank("paid", booleans())
            .blank("id", longs().specified("(divisible-by 5)"))
            .differ("guests", cover_json())
            .differ("place", different_time_zones())
            .seed(7)
            .generate(12)
            .expect("a specification");
        assert_eq!((inputs.models.len(), inputs.verdict), (12, Verdict::Complete));
        for model in &inputs.models {
            assert_eq!(model.as_object().map(serde_json::Map::len), Some(8), "{model}");
            let guests = model["guests"].as_array().expect("a list");
            assert!((1..=2).contains(&guests.len()));
            for guest in guests {
                let name = guest["name"].as_str().expect("a text");
                assert!(name.len() == 4 && name[1..].starts_with('"'), "{name}");
            }
            assert_eq!(model["id"].as_i64().map(|id| id % 5), Some(0));
        }
    }

    #[test]
    fn a_short_list_is_proved_to_be_the_largest() {
        let hours = Specification::new().blank("hours", integers().between(0, 23));
        let inputs = hours.differ("hours", numeric_distance(6)).generate(10).expect("models");
        assert_eq!((inputs.models.len(), inputs.verdict), (4, Verdict::Largest));
    }

    #[test]
    fn errors_quote_their_line() {
        let wrong = Specification::new().blank("n", integers()).differ("m", not_equal());
        let error = wrong.generate(3).expect_err("no such blank");
        assert!(error.is_wrong());
        let message = error.to_string();
        assert!(message.starts_with("unknown name `m`"), "{message}");
        assert!(message.ends_with("in `(constrain-solutions m not-equal)`"), "{message}");
        let unclosed = Specification::new().blank("n", integers()).specify("(gte n 3");
        assert!(unclosed.generate(3).is_err());
    }
}
