//! Falsifies what was printed, to see that the checks notice it.

use super::checks::{ArtifactKind, Pasted};
use super::printed::PrintedFailure;

/// Something false that a check must find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Canary {
    /// An emitted test that does not fail.
    WrongTest,
    /// An emitted test that does not compile.
    BrokenTest,
    /// A mark at a part that matters.
    FalseMark,
    /// A replay line of another input.
    WrongReplay,
    /// A kept example that does not fail.
    WrongKeep,
    /// A pass without any assertion that ran.
    VacuousPass,
}

impl Canary {
    pub(super) const ALL: [Canary; 6] = [
        Canary::WrongTest,
        Canary::BrokenTest,
        Canary::FalseMark,
        Canary::WrongReplay,
        Canary::WrongKeep,
        Canary::VacuousPass,
    ];

    /// The kind of artifact that must be found to be wrong.
    pub(super) fn kind(self) -> ArtifactKind {
        match self {
            Canary::WrongTest | Canary::BrokenTest => ArtifactKind::EmittedTest,
            Canary::FalseMark => ArtifactKind::Mark,
            Canary::WrongReplay => ArtifactKind::Replay,
            Canary::WrongKeep => ArtifactKind::Keep,
            Canary::VacuousPass => ArtifactKind::Pass,
        }
    }

    /// The package of the canaries fails if `number` is at least 100.
    pub(super) fn falsify_failures(self, failures: &mut [PrintedFailure]) {
        for failure in failures {
            match self {
                Canary::FalseMark => {
                    failure.marks =
                        failure.values.find("100").map(|at| at..at + 3).into_iter().collect();
                }
                Canary::WrongReplay => {
                    if let Some(line) = failure.labels.get_mut("replay") {
                        *line = format!("true # {line}");
                    }
                }
                Canary::WrongKeep => {
                    if let Some(line) = failure.labels.get_mut("keep") {
                        *line = line.replace("100", "99");
                    }
                }
                Canary::WrongTest | Canary::BrokenTest | Canary::VacuousPass => {}
            }
        }
    }

    pub(super) fn falsify_pasted(self, pasted: &mut Pasted) {
        for snippet in &mut pasted.snippets {
            match self {
                Canary::WrongTest => snippet.text = snippet.text.replace("100", "99"),
                Canary::BrokenTest => snippet.text = snippet.text.replace("100", "/* a value */"),
                _ => {}
            }
        }
    }
}
