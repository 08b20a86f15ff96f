//! A specification as Rust code, for those who want no file.
//!
//! What is built is a program of the input language: [`Specification::text`] shows it. So it
//! means the same as a file, and what is wrong with it is said in the same way.

use std::error::Error;
use std::fmt::{self, Write as _};

use serde_json::Value as Json;

use crate::engine::{Options, Refused, Verdict, generate};
use crate::output;
use crate::program::Program;

/// Says which inputs are legal, what makes two of them different, and finds some.
///
/// # Example
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
    /// Statements before the outline.
    statements: String,
    names: Vec<String>,
    constraints: String,
    seed: Option<u64>,
}

impl Specification {
    /// Nothing is specified yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Leaves an input open. Names are those of the input language: letters, digits, `-`, `_`.
    #[must_use]
    pub fn blank(mut self, name: &str, blank: Blank) -> Self {
        blank.declare(name, &mut self.statements);
        self.names.push(name.to_owned());
        self
    }

    /// Says what holds for each model: an assertion of the input language.
    #[must_use]
    pub fn specify(mut self, assertion: &str) -> Self {
        let _ = writeln!(self.statements, "(assert {assertion})");
        self
    }

    /// Says what makes two models different; of several, one is enough. Parts are written
    /// with points: `guest.name`.
    #[must_use]
    pub fn differ(mut self, name: &str, difference: Difference) -> Self {
        let _ = writeln!(self.constraints, "  (constrain-solutions {name} {})", difference.0);
        self
    }

    /// Another seed gives other models.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// The program that wants so many models.
    ///
    /// # Example
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

    /// Finds models: as many as are wanted, or as there are.
    ///
    /// # Errors
    /// If the specification is wrong, which says where; or if Rebut is, whose judge refused
    /// what was found.
    pub fn generate(&self, count: usize) -> Result<Inputs, SpecificationError> {
        let text = self.text(count);
        let program = Program::parse("specification", &text);
        let Some(environment) = program.environments.first().filter(|_| !program.has_errors())
        else {
            return Err(SpecificationError(Kind::Wrong(complaint(&program))));
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
    /// An object for each model.
    pub models: Vec<Json>,
    /// What their number means.
    pub verdict: Verdict,
}

/// Why there are no models.
#[derive(Debug)]
pub struct SpecificationError(Kind);

#[derive(Debug)]
enum Kind {
    Wrong(String),
    Refused(Refused),
}

impl SpecificationError {
    /// Whether the specification is wrong, and not Rebut.
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

/// All that is wrong, with the lines of the program.
fn complaint(program: &Program) -> String {
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

/// An input that is left open.
#[derive(Clone, Debug)]
pub struct Blank {
    kind: Of,
    /// Assertions whose first argument is left out.
    assertions: Vec<String>,
}

#[derive(Clone, Debug)]
enum Of {
    /// A type that has a name.
    Named(String),
    Option(Box<Blank>),
    List(Box<Blank>, usize, usize),
    Object(Vec<(String, Blank)>),
}

impl Blank {
    fn new(kind: Of) -> Self {
        Self { kind, assertions: Vec::new() }
    }

    fn named(name: &str) -> Self {
        Self::new(Of::Named(name.to_owned()))
    }

    /// Only values from `min` to `max`: numbers, or dates as texts in quotes.
    #[must_use]
    pub fn between(self, min: impl fmt::Display, max: impl fmt::Display) -> Self {
        self.specified(&format!("(between {min} {max})"))
    }

    /// Only values from this one up.
    #[must_use]
    pub fn at_least(self, min: impl fmt::Display) -> Self {
        self.specified(&format!("(gte {min})"))
    }

    /// Only values up to this one.
    #[must_use]
    pub fn at_most(self, max: impl fmt::Display) -> Self {
        self.specified(&format!("(lte {max})"))
    }

    /// Only texts that match a regular expression from beginning to end.
    #[must_use]
    pub fn matching(self, pattern: &str) -> Self {
        self.specified(&format!("(matches {})", quoted(pattern)))
    }

    /// Only texts of so many characters.
    #[must_use]
    pub fn sized(self, min_size: usize, max_size: usize) -> Self {
        match self.kind {
            Of::List(items, ..) => {
                Self { kind: Of::List(items, min_size, max_size), assertions: self.assertions }
            }
            _ => self.specified(&format!("(min-length {min_size}) (max-length {max_size})")),
        }
    }

    /// Only values for which an assertion of the input language holds, whose first argument
    /// is left out: `(divisible-by 5)`.
    #[must_use]
    pub fn specified(mut self, assertion: &str) -> Self {
        self.assertions.push(assertion.to_owned());
        self
    }

    /// Writes the statements that declare this under a name.
    fn declare(&self, name: &str, text: &mut String) {
        let part = |blank: &Self, field: &str, text: &mut String| {
            let part = format!("{name}--{field}");
            blank.declare(&part, text);
            part
        };
        // Writing to a string cannot fail.
        let _ = match &self.kind {
            Of::Named(kind) => writeln!(text, "(declare {name} ?{kind})"),
            Of::Option(inner) => {
                let inner = part(inner, "some", text);
                writeln!(text, "(declare {name} ?(Option {inner}))")
            }
            Of::List(items, min, max) => {
                let item = part(items, "item", text);
                writeln!(text, "(declare {name} ?(List {item} {min} {max}))")
            }
            Of::Object(fields) => {
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

/// Whole numbers of 32 bits, unless they are bounded otherwise.
#[must_use]
pub fn integers() -> Blank {
    Blank::named("Integer")
}

/// Whole numbers of 64 bits.
#[must_use]
pub fn longs() -> Blank {
    Blank::named("Long")
}

/// Exact numbers with a point.
#[must_use]
pub fn reals() -> Blank {
    Blank::named("Real")
}

/// Texts.
#[must_use]
pub fn texts() -> Blank {
    Blank::named("String")
}

/// True and false.
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

/// Places, given by their time zones.
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

/// A value, or nothing.
#[must_use]
pub fn options(inner: Blank) -> Blank {
    Blank::new(Of::Option(Box::new(inner)))
}

/// Lists of up to five items, unless they are [`sized`](Blank::sized) otherwise.
#[must_use]
pub fn lists(items: Blank) -> Blank {
    Blank::new(Of::List(Box::new(items), 0, 5))
}

/// Objects with these fields.
#[must_use]
pub fn objects<'a>(fields: impl IntoIterator<Item = (&'a str, Blank)>) -> Blank {
    let fields = fields.into_iter().map(|(name, blank)| (name.to_owned(), blank));
    Blank::new(Of::Object(fields.collect()))
}

/// What makes two models different.
#[derive(Clone, Debug)]
pub struct Difference(String);

impl Difference {
    /// A constraint as it is written in the input language: `(edit-distance 3)`.
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

/// The texts or lists have different lengths.
#[must_use]
pub fn different_lengths() -> Difference {
    Difference::written("different-lengths")
}

/// The numbers are at least so far apart.
#[must_use]
pub fn numeric_distance(distance: impl fmt::Display) -> Difference {
    Difference(format!("(numeric-distance {distance})"))
}

/// The clocks of the places have not always agreed.
#[must_use]
pub fn different_time_zones() -> Difference {
    Difference::written("different-time-zones")
}

/// The texts follow a regular expression in different ways.
#[must_use]
pub fn cover_regexp(pattern: &str) -> Difference {
    Difference(format!("(cover-regexp {})", quoted(pattern)))
}

/// The structures differ.
#[must_use]
pub fn cover_json() -> Difference {
    Difference::written("cover-json")
}

/// The values are at or beside different bounds that were specified.
#[must_use]
pub fn cover_boundaries() -> Difference {
    Difference::written("cover-boundaries")
}

/// A text of the input language.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_can_be_built_is_generated() {
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
    fn fewer_models_are_proved_to_be_all() {
        let hours = Specification::new().blank("hours", integers().between(0, 23));
        let inputs = hours.differ("hours", numeric_distance(6)).generate(10).expect("models");
        assert_eq!((inputs.models.len(), inputs.verdict), (4, Verdict::Largest));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let wrong = Specification::new().blank("n", integers()).differ("m", not_equal());
        let error = wrong.generate(3).expect_err("no such blank");
        assert!(error.is_wrong());
        let said = error.to_string();
        assert!(said.starts_with("unknown name `m`"), "{said}");
        assert!(said.ends_with("in `(constrain-solutions m not-equal)`"), "{said}");
        let unclosed = Specification::new().blank("n", integers()).specify("(gte n 3");
        assert!(unclosed.generate(3).is_err());
    }
}
