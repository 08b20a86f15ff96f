//! All messages of `cargo rebut infer`.

pub(crate) use rebut_cli::words::*;

use crate::note::{CallStage, DropReason, Note};
use crate::read::subject::{MethodRole, Uncallable};
use crate::read::subject_reader::SubjectError;
use rebut_cli::status::path_on_one_line;
use std::fmt;
use std::path::Path;

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::AssumedArgument { type_name, parameter } => write!(
                f,
                "using `i32` for `{parameter}` of `{type_name}`; for another type, write \
                 `{type_name}<..>`"
            ),
            Note::SkippedMethod { method, why } => write!(f, "skipping `{method}`: {why}"),
            Note::SkippedObserver { call, stage, method, message } => {
                let message = one_line(message);
                write!(
                    f,
                    "skipping observer `{call}` {stage} `{method}`: it may panic ({message:?})"
                )
            }
            Note::SkippedStep { method, message } => {
                let message = one_line(message);
                write!(
                    f,
                    "not using `{method}` to reach further states: it may panic ({message:?})"
                )
            }
            Note::NoObserverAfter { method } => {
                write!(f, "skipping `{method}`: no observer can be called after it")
            }
            Note::OpaqueResult { function, ty } => write!(
                f,
                "not comparing results of `{function}`: Rebut cannot look inside a `{ty}`"
            ),
            Note::UnpredictablePanic { method } => write!(
                f,
                "dropped some laws of `{method}`: no observable condition predicts when it panics"
            ),
            Note::Nondeterminism { type_name, method, shown_by, states: [one, other] } => {
                let difference = match shown_by {
                    Some(call) => format!("after `{method}`, `{call}` differs"),
                    None => format!("`{method}` panics only in one of them"),
                };
                write!(
                    f,
                    "`{type_name}` is not observably deterministic: no observer distinguishes \
                     these two states, but {difference}\n  one:\n{one}  the other:\n{other}  An \
                     observer is missing, or one shows a detail that callers should not rely on."
                )
            }
            Note::DroppedClaim { test, claim, why } => {
                write!(f, "dropped `{claim}` from `{test}`: {}", one_line(&why.to_string()))
            }
            Note::DroppedTest { test, why } => {
                write!(f, "dropped `{test}`: {}", one_line(&why.to_string()))
            }
            Note::DroppedClause { function, clause, why } => {
                write!(f, "dropped `{clause}` of `{function}`: {}", one_line(&why.to_string()))
            }
        }
    }
}

impl fmt::Display for CallStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CallStage::Before => "before",
            CallStage::After => "after",
        })
    }
}

impl fmt::Display for DropReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DropReason::NotCompiled(error) => write!(f, "it does not compile: {error}"),
            DropReason::Fails { values } => {
                write!(f, "it fails in a native run with `{}`", values.join("; "))
            }
            DropReason::FailsWithoutValues { report } => {
                write!(f, "it fails in a native run: {}", one_line(report.trim()))
            }
        }
    }
}

impl fmt::Display for Uncallable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Uncallable::UnknownBound { parameter, bound } => {
                write!(f, "Rebut does not know which `{parameter}: {bound}` to call it with")
            }
            Uncallable::WhereClause => f.write_str("Rebut does not support its `where` clause"),
            Uncallable::Async => f.write_str("it is `async`"),
            Uncallable::Unsafe => f.write_str("it is `unsafe`"),
            Uncallable::Conditional => f.write_str("it has a `#[cfg]`"),
            Uncallable::NoGenerator { ty } => write!(f, "cannot generate values of type `{ty}`"),
        }
    }
}

/// A type cannot be used.
pub(crate) fn subject_error(error: &SubjectError) -> String {
    match error {
        SubjectError::NotATypeName { asked } => {
            format!(
                "`{asked}` is not a type; write its name, such as `Stack` or `module::Stack<u8>`"
            )
        }
        SubjectError::UnknownType { asked, available } => match available.as_slice() {
            [] => format!("no type named `{asked}`, and no other type has methods"),
            available => format!("no type named `{asked}`; available: {}", quoted(available)),
        },
        SubjectError::AmbiguousType { asked, paths } => {
            format!("several types are named `{asked}`; specify one of {}", quoted(paths))
        }
        SubjectError::AmbiguousPackage { asked, packages } => format!(
            "the packages {} have a type `{asked}`; specify one with `-p`",
            packages.join(" and ")
        ),
        SubjectError::MissingConstant { type_name, parameter } => format!(
            "`{type_name}` has a constant parameter `{parameter}`; specify it, as in \
             `{type_name}<4>`"
        ),
        SubjectError::TooManyArguments { type_name, parameters } => {
            let own = match parameters {
                0 => "no parameters".to_owned(),
                1 => "one parameter".to_owned(),
                several => format!("{several} parameters"),
            };
            format!("`{type_name}` has {own}, but more were given")
        }
        SubjectError::NotAType { why } => format!("this is not a type: {why}"),
        SubjectError::Uncallable { method, why } => format!("`{method}` cannot be called: {why}"),
        SubjectError::UnknownMethod { type_name, method, role, available } => {
            let receiver = match role {
                MethodRole::Observer => "&self",
                _ => "&mut self",
            };
            let available = match available.as_slice() {
                [] => String::new(),
                available => format!("; available: {}", quoted(available)),
            };
            format!("`{type_name}` has no function `{method}` that takes `{receiver}`{available}")
        }
        SubjectError::OtherRole { method, role: MethodRole::Observer } => {
            format!("`{method}` is not an observer: an observer takes `&self` and returns a value")
        }
        SubjectError::OtherRole { method, .. } => {
            format!("`{method}` is not a modifier: a modifier takes `&mut self`")
        }
        SubjectError::NoStates { type_name } => format!(
            "cannot create a `{type_name}`: it has no generator, and no callable function returns \
             one; write `#[cfg_attr(test, derive(Debug, rebut::Generate))]` before it"
        ),
        SubjectError::NoObserver { type_name, notes } => with_notes(
            format!(
                "`{type_name}` has no observer: no callable function takes `&self` and returns a \
                 value"
            ),
            notes,
        ),
        SubjectError::NoModifier { type_name, notes } => with_notes(
            format!("`{type_name}` has no modifier: no callable function takes `&mut self`"),
            notes,
        ),
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn with_notes(message: String, notes: &[Note]) -> String {
    let notes = notes.iter().map(ToString::to_string);
    [message].into_iter().chain(notes).collect::<Vec<_>>().join("\n")
}

/// A file is not Rust; `location` is where the parser stopped.
pub(crate) fn not_rust(location: &str, why: impl fmt::Display) -> String {
    error(format!("{location}: cannot parse this file as Rust: {why}"))
}

/// No package has this name.
pub(crate) fn unknown_package(name: &str, available: &[String]) -> String {
    error(format!("no package named `{name}` here; available: {}", available.join(", ")))
}

/// The probes do not compile.
pub(crate) fn probes_not_built(why: &str) -> String {
    error(format!(
        "cannot call the methods of the type: {why}\nhelp: name methods that can be called with \
         `--observers` and `--modifiers`, and the type's arguments as in `Stack<u8>`"
    ))
}

/// A probe is missing from the build.
pub(crate) fn probe_missing(name: &str) -> String {
    format!(
        "internal error: the probe of `{name}` was not built. This is a bug in Rebut; please report it"
    )
}

/// The type does not compile with its contracts.
pub(crate) fn contracts_not_built() -> String {
    error(
        "the type does not compile with `#[rebut::contract]` on its methods\nhelp: without `--as \
         contracts`, `cargo rebut infer` writes tests, which do not change the type",
    )
}

/// No law was found.
pub(crate) fn nothing_inferred(name: &str) -> String {
    error(format!("found no laws for `{name}`; see the notes above"))
}

/// The file exists already.
pub(crate) fn not_overwritten(path: &Path) -> String {
    error(format!("{} already exists; choose another path", path_on_one_line(path)))
}

/// A test does not reach its `cover!` target.
pub(crate) const NOT_COVERED: &str = "it does not reach its `cover!` target";

/// A test did not end.
pub(crate) const NO_RESULT: &str = "it did not finish";
