//! `cargo xtask bench explore attack`: properties that are false on this platform, and twins that
//! use the same features and hold.
//!
//! Each false property fails natively for the arguments in its mark: a plain program shows that
//! before anything is explored. Then nothing may call it proved.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use super::engine::{Engine, TimedVerdict};
use super::judge::{self, Grade, Tally};
use super::options::Options;
use super::plain::Plain;
use super::property::{Property, Truth, sources};
use super::set::{ATTACK, ATTACK_CONSTANTS, ATTACK_PROFILE, Set};
use super::verdict::Verdict;
use crate::bench::report::circumstances;
use crate::root;

/// The sets of this part.
const SETS: [&Set; 3] = [&ATTACK, &ATTACK_CONSTANTS, &ATTACK_PROFILE];

/// The least number of properties that are shown to be false here. It is the goal.
const FALSE_MIN: usize = 200;

/// The least number of twins. It is the goal.
const TWINS_MIN: usize = 40;

/// The seconds that one property may take. No small property takes longer unless something is
/// stuck: three take 1 CPU s, and other work shares the two processors.
const SECONDS_MAX: u32 = 60;

/// How many false properties and twins are in a slice: with a second each, half a minute.
const SLICE: (usize, usize) = (12, 6);

/// Measures, and writes `bench/results/explore-attack.md`.
pub(super) fn run(arguments: &[&str]) -> Result<(), String> {
    let options = Options::parse(arguments)?;
    let mut results = Vec::new();
    let mut engine = None;
    for set in SETS {
        // The other sets are builds of their own.
        if options.is_slice && set.name != ATTACK.name {
            continue;
        }
        if !sources(&set.tests())?.iter().any(|source| options.selects(&source.name)) {
            continue;
        }
        if engine.is_none() && !options.only_native {
            engine = Some(Engine::new(options.engine.as_deref(), options.is_slice)?);
        }
        results.extend(classes(set, &options, engine.as_ref())?);
    }
    let report = Report::new(&results, &options);
    eprintln!("{}", report.text);
    if options.is_whole() {
        let path = root().join("bench/results/explore-attack.md");
        let text = format!("# explore attack\n\n{}.\n\n{}", circumstances(), report.text);
        fs::write(&path, text).map_err(|error| format!("{path:?}: {error}"))?;
    }
    let is_missed = options.checks && !report.missed.is_empty();
    if is_missed { Err(report.missed.join("; ")) } else { Ok(()) }
}

/// A class of properties and the verdicts on them.
#[derive(Debug, Default)]
struct Class {
    name: String,
    tally: Tally,
    /// How many verdicts on false properties that are not decided have a reason of the class.
    fitting: usize,
    /// Properties that are not what their marks say, which are not counted.
    unconfirmed: Vec<String>,
    complaints: Vec<String>,
}

fn classes(set: &Set, options: &Options, engine: Option<&Engine>) -> Result<Vec<Class>, String> {
    let sources = sources(&set.tests())?;
    let plain = Plain::build(set, &sources)?;
    let mut all: Vec<&Property> = sources.iter().flat_map(|source| &source.properties).collect();
    all.retain(|property| options.selects(&property.file));
    if options.is_slice {
        let (fails, holds): (Vec<_>, Vec<_>) = all.into_iter().partition(|one| one.fails());
        let take = |list, count| judge::shuffled(list, options.seed).into_iter().take(count);
        all = take(fails, SLICE.0).chain(take(holds, SLICE.1)).collect();
    }
    let mut classes: BTreeMap<String, Class> = BTreeMap::new();
    let mut confirmed = Vec::new();
    for property in all {
        let class = classes.entry(property.file.clone()).or_default();
        class.name.clone_from(&property.file);
        match unconfirmed(&plain, property, options)? {
            Some(why) => class.unconfirmed.push(why),
            None => confirmed.push(property),
        }
    }
    let explored = match engine {
        // One process for all, because each start costs seconds.
        Some(engine) => engine.explore(set, &confirmed, SECONDS_MAX)?,
        None => return Ok(classes.into_values().collect()),
    };
    for property in confirmed {
        let Some(class) = classes.get_mut(&property.file) else { continue };
        let found = explored.verdicts.get(&property.path());
        class.tally.add(property, found);
        class.fitting += usize::from(found.is_some_and(|found| fits(property, found)));
        if !judge::finds_canary(property) {
            return Err(format!("a wrong verdict on `{}` counts as right", property.path()));
        }
    }
    if let Some(class) = classes.values_mut().next() {
        class.complaints = explored.complaints;
    }
    Ok(classes.into_values().collect())
}

/// Returns why a property is not what its mark says.
fn unconfirmed(
    plain: &Plain,
    property: &Property,
    options: &Options,
) -> Result<Option<String>, String> {
    let path = property.path();
    if let Truth::Fails { .. } = property.truth {
        let fails = plain.fails_as_marked(property)?;
        return Ok((!fails).then(|| format!("`{path}` does not fail for its arguments")));
    }
    let failure = plain.random_failure(property, options.cases)?;
    Ok(failure.map(|failure| format!("`{path}` fails: {failure}")))
}

/// Words of the reasons that belong to each class. A difference from a native run fits them all.
const REASONS: [(&str, &[&str]); 11] = [
    ("address", &["address", "pointer"]),
    ("environment", &["does not exist", "reads", "starts", "processor", "platform"]),
    ("floats", &["float", "NaN", "zero", "last bits", "math"]),
    ("hashes", &["hash", "order"]),
    ("memory", &["memory", "alloc", "capacity", "32 bits", "width"]),
    ("panics", &["catch", "unwind", "abort", "stack", "exit", "panic"]),
    ("platform", &["cfg", "compil", "target", "platform"]),
    ("profile", &["cfg", "profile", "feature", "assertions", "overflow"]),
    ("state", &["static", "state", "thread-local", "earlier case"]),
    ("wide_constants", &["usize", "32 bits", "width"]),
    ("width", &["usize", "32 bits", "width"]),
];

/// Whether a reason for no decision names what is special about the class.
fn fits(property: &Property, found: &TimedVerdict) -> bool {
    let is_open = matches!(found.verdict, Verdict::Held(_) | Verdict::Unknown(_));
    let of_class = REASONS.iter().filter(|(class, _)| property.file.starts_with(class));
    let words: Vec<&str> = of_class.flat_map(|(_, words)| words.iter().copied()).collect();
    let is_named = |reason: &String| {
        words.iter().chain(&["native", "WebAssembly alone"]).any(|word| reason.contains(word))
    };
    is_open && property.fails() && found.verdict.reasons().iter().any(is_named)
}

/// The table of the results, and the goals that are missed.
struct Report {
    text: String,
    missed: Vec<String>,
}

impl Report {
    fn new(classes: &[Class], options: &Options) -> Report {
        let all = classes.iter().fold(Tally::default(), |sum, class| sum.and(&class.tally));
        let mut report = Report { text: String::new(), missed: Vec::new() };
        report.write_table(classes, &all, options);
        report.write_details(classes, &all);
        report.check(classes, &all, options);
        let missed = match report.missed.as_slice() {
            [] => "All goals are met.".to_owned(),
            missed => format!("Missed: {}.", missed.join("; ")),
        };
        let _ = writeln!(report.text, "{missed}");
        report
    }

    fn write_table(&mut self, classes: &[Class], all: &Tally, options: &Options) {
        let text = &mut self.text;
        let _ = writeln!(
            text,
            "Properties that fail natively for the arguments in their marks, which a plain program \
             without Rebut confirms, and twins that hold for {} random cases each, or as many as two minutes allow. *Proved* must \
             be 0 for the false ones. An undecided verdict *names the class* if its reason says what \
             is special about it. `cargo xtask bench explore attack` writes this page.\n\n\
             | class | false | proved | failed | undecided | names the class | no verdict | twins | \
             proved | wrong | undecided | no verdict | CPU s |\n\
             |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
            options.cases,
        );
        let rows = classes.iter().map(|class| (class.name.as_str(), &class.tally, class.fitting));
        let fitting = classes.iter().map(|class| class.fitting).sum();
        for (name, tally, fitting) in rows.chain([("all", all, fitting)]) {
            let count = |of: &dyn Fn(Grade) -> usize| {
                [Grade::Right, Grade::Wrong, Grade::Open, Grade::Missing].map(of)
            };
            let [failed, proved, open, missing] = count(&|grade| tally.false_ones(grade));
            let [twins, wrong, undecided, silent] = count(&|grade| tally.true_ones(grade));
            let _ = writeln!(
                text,
                "| {name} | {} | {proved} | {failed} | {open} | {fitting} | {missing} | {} | {twins} | \
                 {wrong} | {undecided} | {silent} | {:.1} |",
                proved + failed + open + missing,
                twins + wrong + undecided + silent,
                tally.cpu_seconds(),
            );
        }
    }

    fn write_details(&mut self, classes: &[Class], all: &Tally) {
        let text = &mut self.text;
        let mut list = |title: &str, lines: &[String]| {
            if !lines.is_empty() {
                let _ = writeln!(text, "\n{title}:\n");
                lines.iter().for_each(|line| text.push_str(&format!("- {line}\n")));
            }
        };
        list("Wrong verdicts", &all.wrong);
        let twins = all.unproved.iter().map(|(path, why)| format!("`{path}`: {why}"));
        list("Twins that should be proved", &twins.collect::<Vec<_>>());
        let mut reasons: Vec<(&String, &usize)> = all.reasons.iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let reasons = reasons.into_iter().map(|(reason, count)| format!("{count}: {reason}"));
        list("Reasons for no decision", &reasons.collect::<Vec<_>>());
        let of = |field: fn(&Class) -> &Vec<String>| -> Vec<String> {
            classes.iter().flat_map(field).cloned().collect()
        };
        list(
            "Not counted, because they are not what their marks say",
            &of(|class| &class.unconfirmed),
        );
        list("Complaints of the command", &of(|class| &class.complaints));
        text.push('\n');
    }

    fn check(&mut self, classes: &[Class], all: &Tally, options: &Options) {
        let mut goal = |is_met: bool, what: String| {
            if !is_met {
                self.missed.push(what);
            }
        };
        let unconfirmed: usize = classes.iter().map(|class| class.unconfirmed.len()).sum();
        goal(unconfirmed == 0, format!("{unconfirmed} properties are not what their marks say"));
        if options.only_native {
            return;
        }
        let proved = all.false_ones(Grade::Wrong);
        goal(proved == 0, format!("{proved} false properties get the verdict \"proved\""));
        let wrong = all.true_ones(Grade::Wrong);
        goal(wrong == 0, format!("{wrong} twins get the verdict \"failed\""));
        let unproved = all.unproved.len();
        goal(unproved == 0, format!("{unproved} twins are not proved"));
        if options.is_whole() {
            let grades = [Grade::Right, Grade::Wrong, Grade::Open, Grade::Missing];
            let count = |of: &dyn Fn(Grade) -> usize| grades.into_iter().map(of).sum::<usize>();
            let falses = count(&|grade| all.false_ones(grade));
            goal(falses >= FALSE_MIN, format!("only {falses} false properties, not {FALSE_MIN}"));
            let twins = count(&|grade| all.true_ones(grade));
            goal(twins >= TWINS_MIN, format!("only {twins} twins, not {TWINS_MIN}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sets_have_enough_properties_with_unique_names() {
        let mut names = std::collections::BTreeSet::new();
        let (mut falses, mut twins) = (0, 0);
        for set in SETS {
            for source in sources(&set.tests()).expect("properties") {
                for property in &source.properties {
                    assert!(
                        names.insert(property.name.clone()),
                        "{} is there twice",
                        property.name
                    );
                    if property.fails() { falses += 1 } else { twins += 1 }
                }
            }
        }
        assert!(falses >= FALSE_MIN && twins >= TWINS_MIN, "{falses} and {twins}");
    }

    #[test]
    fn every_class_has_words_for_its_reasons() {
        for set in SETS {
            for source in sources(&set.tests()).expect("properties") {
                let is_known = REASONS.iter().any(|(class, _)| source.name.starts_with(class));
                assert!(is_known, "{}", source.name);
            }
        }
    }
}
