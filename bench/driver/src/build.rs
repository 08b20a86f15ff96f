//! What builds cost: of the library as a dev-dependency, of a test suite that uses it, and of
//! the commands.
//!
//! Every figure is CPU time of cargo and all that it starts, and peers are always built in the
//! same run: machines differ, and only ratios mean something on another one. A busy machine
//! changes CPU time less than wall-clock time, but it does change it.

mod scratch;

mod library;

mod dependency;

mod suite;

mod command;

mod table;

mod goals;

use crate::goals::Verdict;
use crate::options::{BuildPart, Options};
use crate::place::Place;
use library::LIBRARIES;

/// All figures; a part that was not asked for has none.
#[derive(Debug, Default)]
struct Figures {
    dependencies: Vec<dependency::Figure>,
    suites: Vec<suite::Figure>,
    commands: Vec<command::Figure>,
}

/// Measures what the options ask for: the tables, and whether the goals are met.
pub(crate) fn measure(place: &Place, options: &Options) -> Result<(String, Verdict), String> {
    let mut figures = Figures::default();
    if options.wants(BuildPart::Dependency) {
        figures.dependencies = dependency::measure(place, &LIBRARIES)?;
    }
    if options.wants(BuildPart::Suite) {
        figures.suites = suite::measure(place, &LIBRARIES)?;
    }
    if options.wants(BuildPart::Commands) {
        figures.commands = command::measure(place)?;
    }
    Ok((table::render(&figures), goals::check(&figures, options)))
}
