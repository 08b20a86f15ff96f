//! The tables: one a part.

use super::{Figures, command, dependency, suite};
use crate::table::align;

/// The tables of the parts that were measured, each with a sentence on how to read it.
pub(super) fn render(figures: &Figures) -> String {
    let mut tables = Vec::new();
    if !figures.dependencies.is_empty() {
        tables.push(dependencies(&figures.dependencies));
    }
    if !figures.suites.is_empty() {
        tables.push(suites(&figures.suites));
    }
    if !figures.commands.is_empty() {
        tables.push(commands(&figures.commands));
    }
    tables.join("\n")
}

fn dependencies(figures: &[dependency::Figure]) -> String {
    let row = |name: &str, cell: &dyn Fn(&dependency::Figure) -> String| {
        row(name, figures.iter().map(cell))
    };
    let rows = [
        row("", &|figure| title(figure.library, figure.version)),
        row("release", &|figure| format!("{:.1}", figure.release_s)),
        row("debug", &|figure| format!("{:.1}", figure.debug_s)),
        row("crates", &|figure| figure.crates.to_string()),
    ];
    format!(
        "CPU seconds of a cold build of a crate that only adds the library.\n\n{}",
        align(&rows)
    )
}

fn suites(figures: &[suite::Figure]) -> String {
    let row =
        |name: &str, cell: &dyn Fn(&suite::Figure) -> String| row(name, figures.iter().map(cell));
    let mib = |bytes: u64| format!("{:.1}", bytes as f64 / (1 << 20) as f64);
    let rows = [
        row("", &|figure| title(figure.library, figure.version)),
        row("debug build, CPU s", &|figure| format!("{:.1}", figure.debug.first_s)),
        row("debug rebuild, CPU s", &|figure| format!("{:.1}", figure.debug.again_s)),
        row("debug binary, MiB", &|figure| mib(figure.debug.bytes)),
        row("release build, CPU s", &|figure| format!("{:.1}", figure.release.first_s)),
        row("release rebuild, CPU s", &|figure| format!("{:.1}", figure.release.again_s)),
        row("release binary, MiB", &|figure| mib(figure.release.bytes)),
        row("run of release, CPU s", &|figure| format!("{:.1}", figure.run_s)),
        row("cases of each property", &|figure| figure.cases.to_string()),
    ];
    format!(
        "A generated crate with {} properties over {} types that derive their generators. The \
         library is already built; a rebuild comes after a change of one line in one of the \
         properties. The run has each library's default number of cases.\n\n{}",
        suite::PROPERTIES,
        suite::TYPES,
        align(&rows)
    )
}

fn commands(figures: &[command::Figure]) -> String {
    let row =
        |name: &str, cell: &dyn Fn(&command::Figure) -> String| row(name, figures.iter().map(cell));
    let rows = [
        row("", &|figure| title(figure.package, figure.version)),
        row("CPU s", &|figure| format!("{:.1}", figure.cpu_s)),
        row("crates", &|figure| figure.crates.to_string()),
    ];
    format!("CPU seconds of `cargo install --locked`, cold.\n\n{}", align(&rows))
}

fn row(name: &str, cells: impl Iterator<Item = String>) -> Vec<String> {
    [name.to_owned()].into_iter().chain(cells).collect()
}

fn title(name: &str, version: &str) -> String {
    format!("{name} {version}").trim_end().to_owned()
}
