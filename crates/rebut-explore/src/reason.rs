//! The reasons why a test is not proved although no path of it fails, with what to do.

use crate::agreement::{Divergence, NativePaths};
use crate::words;
use rebut_concolic::{Doubt, Exploration, Limit, Loss};

/// A reason why a test is not proved.
///
/// The order is that of their importance: the first one is in the verdict line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// An input ends differently natively.
    Divergence(Divergence),
    /// Something kept exploration from all paths.
    Limit(Limit),
    /// The runs met a difference from the native program.
    Doubt(Doubt),
    /// All keys of hash tables had the same hash.
    Hashes,
    /// A summary stood in for a function.
    Summary(String),
    /// Calls of the operating system are not noticed.
    Calls,
    /// Some inputs did not run natively.
    NotRun,
}

impl Reason {
    /// Lists what keeps an exploration from a proof, the most important reason first.
    pub(crate) fn list(
        exploration: &Exploration,
        native: &NativePaths,
        sees_all_calls: bool,
    ) -> Vec<Reason> {
        let mut reasons: Vec<Reason> = Vec::new();
        // One input is enough to show; the others have the same cause in most tests.
        reasons.extend(native.divergences.first().cloned().map(Reason::Divergence));
        reasons.extend(exploration.limits.iter().cloned().map(Reason::Limit));
        reasons.extend(exploration.doubts.iter().cloned().map(Reason::Doubt));
        reasons.extend(exploration.assumes_hashes.then_some(Reason::Hashes));
        reasons.extend(exploration.assumed.iter().cloned().map(Reason::Summary));
        reasons.extend((!sees_all_calls).then_some(Reason::Calls));
        reasons.extend(native.not_run.map(|_| Reason::NotRun));
        reasons
    }

    /// Returns its name in JSON and events.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Reason::Divergence(_) => "divergence",
            Reason::Limit(_) => "limit",
            Reason::Doubt(doubt) => match doubt {
                Doubt::Width => "width",
                Doubt::NanBits => "nan",
                Doubt::ZeroSign => "zero",
                Doubt::Math(_) => "math",
                Doubt::State(_) => "state",
                Doubt::Target(_) => "target",
                Doubt::Conditional(_) => "conditional",
                _ => "other",
            },
            Reason::Hashes => "hashes",
            Reason::Summary(_) => "summary",
            Reason::Calls => "calls",
            Reason::NotRun => "not-run",
        }
    }

    /// Returns the reason as the end of a sentence, after "because".
    pub(crate) fn words(&self) -> String {
        match self {
            Reason::Divergence(Divergence { explored, native, input, .. }) => {
                let input = if input.is_empty() { "an input" } else { input };
                format!("{input} {explored} in the explored build, and natively {native}")
            }
            Reason::Limit(limit) => limit_words(limit),
            Reason::Doubt(doubt) => doubt_words(doubt),
            Reason::Hashes => "this assumes that nothing depends on the iteration order of hash \
                               tables, which is another one in each native run"
                .to_owned(),
            Reason::Summary(test) => {
                format!("this assumes the summary `{test}`, which stands in for its function")
            }
            Reason::Calls => "this assumes that it uses no files, environment variables or \
                              network, which Rebut cannot detect without the standard library \
                              sources"
                .to_owned(),
            Reason::NotRun => "the native program did not run all inputs".to_owned(),
        }
    }

    /// Returns what the user can do, as a sentence without a full stop; `None` if nothing in
    /// particular.
    pub(crate) fn help(&self) -> Option<String> {
        let help = match self {
            Reason::Divergence(_) => {
                "look for code that depends on the target, on time or on earlier cases; if there is \
                 none, please report this"
            }
            Reason::Limit(_) => return None,
            Reason::Doubt(doubt) => return doubt_help(doubt).map(str::to_owned),
            Reason::Hashes => {
                "use `BTreeMap` or `BTreeSet` where the order matters, or sort what you iterate over"
            }
            Reason::Summary(_) => {
                "to prove the test itself, explore it without the summary; `cargo test` runs it \
                 without"
            }
            Reason::Calls => "run `rustup component add rust-src`",
            Reason::NotRun => "run `cargo test` to see why it ends",
        };
        Some(help.to_owned())
    }
}

fn doubt_words(doubt: &Doubt) -> String {
    match doubt {
        Doubt::Width => "a `usize` has 32 bits in the explored build, and 64 natively".to_owned(),
        Doubt::NanBits => {
            "it looks at the sign or the payload of a NaN, which differ between machines".to_owned()
        }
        Doubt::ZeroSign => "it looks at the sign of a zero that `min` or `max` returned, which \
                            differs between machines"
            .to_owned(),
        Doubt::Math(function) => {
            format!("it calls `{function}`, whose last bits differ between systems")
        }
        Doubt::State(name) if name.is_empty() => {
            "a case changes a static or thread-local value, which the next one finds changed"
                .to_owned()
        }
        Doubt::State(name) => format!(
            "a case changes the static or thread-local value `{name}`, which the next one finds \
             changed"
        ),
        Doubt::Target(what) => {
            format!("it asks for {what}, which describes the machine that it runs on")
        }
        Doubt::Conditional(what) => {
            format!("`{what}` is compiled for only one of the explored and the native build")
        }
        _ => "the explored build differs from the native one".to_owned(),
    }
}

fn doubt_help(doubt: &Doubt) -> Option<&'static str> {
    Some(match doubt {
        Doubt::Width => {
            "run `rustup component add rust-src` to explore with 64 bits, or use `u32` or `u64`"
        }
        Doubt::NanBits => "compare with `is_nan()`, or reject NaN with `assume!`",
        Doubt::ZeroSign => "compare with `==`, for which both zeros are equal",
        Doubt::Math(_) => "leave this property to `cargo test`, or keep such functions out of it",
        Doubt::State(_) => "set the value at the start of the property",
        Doubt::Target(_) => "pass the value as a parameter, so that the property generates it",
        Doubt::Conditional(_) => "move the condition out of the code that the property calls",
        _ => return None,
    })
}

/// Returns a limit of an exploration, as the end of a sentence.
pub(crate) fn limit_words(limit: &Limit) -> String {
    match limit {
        Limit::Runs(runs) => format!("the limit of {runs} runs was reached (`--runs`)"),
        Limit::Conflicts(_) => "the total solver budget was used up".to_owned(),
        Limit::Terms(_) => {
            "the total size of solver queries reached its limit (`--terms`)".to_owned()
        }
        Limit::Work(_) => "its effort was used up (`--effort`)".to_owned(),
        Limit::Stopped(why) => words::stop(*why).to_owned(),
        Limit::Solver(why, times) => format!("{why}, {}", counted(*times, "time")),
        Limit::Fuel(runs) => format!("{} took too long", counted(*runs, "run")),
        Limit::Lossy(loss) => match loss {
            Loss::TooLarge => "an expression became too large, as those of hashes do".to_owned(),
            Loss::Float(_) => "some float arithmetic was not modeled symbolically".to_owned(),
            Loss::Length(length) => {
                format!("collections were limited to {length} elements (`--length`)")
            }
            Loss::TooLong => "a path became too long".to_owned(),
        },
        Limit::Diverged(runs) => {
            let runs = counted(*runs, "run");
            format!("{runs} diverged: the test depends on something other than its inputs")
        }
        Limit::Unsupported(what, location) => {
            let location = location.as_ref().map(|at| format!(": {at}")).unwrap_or_default();
            format!("it {what}, which does not exist in WebAssembly{location}")
        }
        Limit::Misuse(what) => what.clone(),
        Limit::Internal(what) => format!("of an internal error; please report it: {what}"),
    }
}

/// Returns a number with its noun.
pub(crate) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_doubt_says_what_differs_and_what_to_do() {
        let name = || "name".to_owned();
        let doubts = [
            Doubt::Width,
            Doubt::NanBits,
            Doubt::ZeroSign,
            Doubt::Math(name()),
            Doubt::State(name()),
            Doubt::State(String::new()),
            Doubt::Target(name()),
            Doubt::Conditional(name()),
        ];
        let mut words = Vec::new();
        for doubt in doubts {
            let reason = Reason::Doubt(doubt.clone());
            assert!(reason.help().is_some(), "{doubt:?}");
            assert_ne!(reason.name(), "other", "{doubt:?}");
            words.push(reason.words());
        }
        words.sort();
        words.dedup();
        assert_eq!(words.len(), 8, "{words:?}");
    }
}
