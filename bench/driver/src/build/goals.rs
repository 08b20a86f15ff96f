//! What we hold our builds to.

use super::{Figures, command, dependency, suite};
use crate::goals::Verdict;
use crate::library::OURS;
use crate::options::{Bench, BuildPart, Options};

/// The library that ours is compared with.
const PEER: &str = "proptest";

/// The part of proptest's CPU time that the dev-dependency may take.
const DEPENDENCY_MAX: f64 = 0.5;

/// The part of proptest's CPU time that a debug build of the suite may take: what a developer
/// waits for after every change, so it is to be clearly cheaper.
const DEBUG_MAX: f64 = 0.8;

/// CPU seconds that the core command may take on a quiet machine.
const CORE_SECONDS_MAX: f64 = 180.0;

/// CPU seconds that both commands may take.
const ALL_SECONDS_MAX: f64 = 480.0;

/// A goal, and whether it is met.
#[derive(Debug)]
struct Goal {
    is_met: bool,
    text: String,
}

impl Goal {
    fn new(is_met: bool, text: String) -> Self {
        Self { is_met, text }
    }

    fn missing(what: &str) -> Self {
        Self::new(false, format!("{what} was not measured"))
    }
}

/// Compares the figures with the goals of the parts that were asked for.
pub(super) fn check(figures: &Figures, options: &Options) -> Verdict {
    let mut goals = Vec::new();
    if options.wants(BuildPart::Dependency) {
        goals.push(dependency(&figures.dependencies));
    }
    if options.wants(BuildPart::Suite) {
        goals.extend(suite(&figures.suites));
    }
    if options.wants(BuildPart::Commands) {
        goals.extend(commands(&figures.commands));
    }
    let met = goals.iter().filter(|goal| goal.is_met).count();
    let figure = format!("{met} of {} goals met", goals.len());
    let mut verdict = Verdict::new(Bench::Build, met == goals.len(), figure);
    let line = |goal: &Goal| {
        let word = if goal.is_met { "goal met" } else { "goal missed" };
        format!("{}: {word}", goal.text)
    };
    verdict.details = goals.iter().map(line).collect();
    verdict
}

fn dependency(figures: &[dependency::Figure]) -> Goal {
    let find = |name: &str| figures.iter().find(|figure| figure.library == name);
    let (Some(ours), Some(theirs)) = (find(OURS), find(PEER)) else {
        return Goal::missing("the dev-dependency");
    };
    let ratio = ours.release_s / theirs.release_s;
    Goal::new(
        ratio <= DEPENDENCY_MAX,
        format!(
            "dev-dependency, release: {:.1} CPU s ({} crates), {ratio:.2} of {PEER}'s {:.1} ({}), \
             at most {DEPENDENCY_MAX}",
            ours.release_s, ours.crates, theirs.release_s, theirs.crates
        ),
    )
}

fn suite(figures: &[suite::Figure]) -> Vec<Goal> {
    let find = |name: &str| figures.iter().find(|figure| figure.library == name);
    let (Some(ours), Some(theirs)) = (find(OURS), find(PEER)) else {
        return vec![Goal::missing("the suite")];
    };
    let goal = |what: &str, unit: &str, ours: f64, theirs: f64, most: f64| {
        let ratio = ours / theirs;
        let text = format!(
            "suite, {what}: {ours:.1} {unit}, {ratio:.2} of {PEER}'s {theirs:.1}, at most {most}"
        );
        Goal::new(ratio <= most, text)
    };
    let mib = |bytes: u64| bytes as f64 / (1 << 20) as f64;
    vec![
        goal("debug build", "CPU s", ours.debug.first_s, theirs.debug.first_s, DEBUG_MAX),
        goal("debug rebuild", "CPU s", ours.debug.again_s, theirs.debug.again_s, DEBUG_MAX),
        goal("release build", "CPU s", ours.release.first_s, theirs.release.first_s, 1.0),
        goal("release rebuild", "CPU s", ours.release.again_s, theirs.release.again_s, 1.0),
        goal("debug binary", "MiB", mib(ours.debug.bytes), mib(theirs.debug.bytes), 1.0),
        goal("release binary", "MiB", mib(ours.release.bytes), mib(theirs.release.bytes), 1.0),
        goal("run", "CPU s", ours.run_s, theirs.run_s, 1.0),
    ]
}

fn commands(figures: &[command::Figure]) -> Vec<Goal> {
    let find = |name: &str| figures.iter().find(|figure| figure.package == name);
    let (peer, _) = command::PEER;
    let all = (find(command::CORE), find(command::ENGINES), find(peer));
    let (Some(core), Some(engines), Some(theirs)) = all else {
        return vec![Goal::missing("a command")];
    };
    let (ours_s, theirs_s) = (core.cpu_s, theirs.cpu_s);
    let all_s = core.cpu_s + engines.cpu_s;
    let name = command::CORE;
    vec![
        Goal::new(
            ours_s <= theirs_s,
            format!("{name}: {ours_s:.1} CPU s, no more than the {theirs_s:.1} of {peer}"),
        ),
        Goal::new(
            ours_s <= CORE_SECONDS_MAX,
            format!("{name}: {ours_s:.1} CPU s, at most {CORE_SECONDS_MAX:.0} on a quiet machine"),
        ),
        Goal::new(
            core.engines.is_empty(),
            match core.engines.as_slice() {
                [] => format!("{name}: depends on no compiler of WebAssembly"),
                found => format!("{name}: depends on {}", found.join(", ")),
            },
        ),
        Goal::new(
            all_s <= ALL_SECONDS_MAX,
            format!(
                "{name} and {}: {all_s:.1} CPU s, at most {ALL_SECONDS_MAX:.0}",
                command::ENGINES
            ),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dependency(library: &'static str, release_s: f64) -> dependency::Figure {
        dependency::Figure { library, version: "", release_s, debug_s: 1.0, crates: 5 }
    }

    fn suite(library: &'static str, seconds: f64) -> suite::Figure {
        let build = suite::Build { first_s: seconds, again_s: seconds, bytes: 1 << 20 };
        let version = "";
        suite::Figure { library, version, debug: build, release: build, run_s: seconds, cases: 100 }
    }

    fn command(package: &'static str, cpu_s: f64, engines: &[&str]) -> command::Figure {
        let engines = engines.iter().map(|&name| name.to_owned()).collect();
        command::Figure { package, version: "", cpu_s, crates: 50, engines }
    }

    fn good() -> Figures {
        Figures {
            dependencies: vec![dependency(OURS, 10.0), dependency(PEER, 20.0)],
            suites: vec![suite(OURS, 8.0), suite(PEER, 10.0)],
            commands: vec![
                command("cargo-rebut", 100.0, &[]),
                command("cargo-rebut-explore", 300.0, &["wasmtime"]),
                command("cargo-mutants", 120.0, &[]),
            ],
        }
    }

    fn verdict(figures: &Figures) -> Verdict {
        let options = Options::parse(["build".to_owned()].into_iter()).expect("is accepted");
        check(figures, &options)
    }

    #[test]
    fn good_figures_meet_every_goal() {
        let verdict = verdict(&good());
        assert!(verdict.is_met, "{:?}", verdict.details);
    }

    #[test]
    fn each_bad_figure_misses_a_goal() {
        let worse: [fn(&mut Figures); 9] = [
            |figures| figures.dependencies[0].release_s = 10.1,
            |figures| figures.suites[0].debug.first_s = 8.1,
            |figures| figures.suites[0].debug.again_s = 8.1,
            |figures| figures.suites[0].release.first_s = 10.1,
            |figures| figures.suites[0].release.bytes = 1 << 21,
            |figures| figures.suites[0].run_s = 10.1,
            |figures| figures.commands[0].cpu_s = 121.0,
            |figures| figures.commands[0].engines.push("wasmtime".to_owned()),
            |figures| figures.commands[1].cpu_s = 381.0,
        ];
        for (index, worsen) in worse.iter().enumerate() {
            let mut figures = good();
            worsen(&mut figures);
            assert!(!verdict(&figures).is_met, "{index}");
        }
        assert!(!verdict(&Figures::default()).is_met);
    }
}
