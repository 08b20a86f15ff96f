//! The tables of the examples.

use crate::examples::{End, Example};
use crate::report::Report;

/// CPU seconds of exploring alone.
const SORT_MAX_S: f64 = 0.2;
const TREE_MAX_S: f64 = 0.1;
const RED_BLACK_MAX_S: f64 = 5.0;

pub(crate) fn write(report: &mut Report, examples: &[Example]) {
    prototype(report, &of(examples, "prototype"));
    classes(report, &of(examples, "collections"));
    kani(report, &of(examples, "kani"));
    curve(report, &of(examples, "b_tree"));
    bombs(report, &of(examples, "bombs"));
    all(report, examples);
}

/// The examples of a file.
fn of<'e>(examples: &'e [Example], file: &str) -> Vec<&'e Example> {
    examples.iter().filter(|example| example.parts().0 == file).collect()
}

fn seconds(seconds: f64) -> String {
    format!("{seconds:.3}")
}

impl Example {
    /// The file, the module if there is one, and the name.
    fn parts(&self) -> (&str, &str, &str) {
        let (file, rest) = self.path.split_once("::").unwrap_or(("", &self.path));
        let (module, name) = rest.rsplit_once("::").unwrap_or(("", rest));
        (file, module, name)
    }

    fn name(&self) -> String {
        format!("`{}`", self.parts().2)
    }

    /// What came of it.
    fn verdict(&self) -> String {
        match (self.end, self.first_failure) {
            (End::Solved, Some(run)) => format!("fails, found in run {run}"),
            (End::Solved, None) => "holds for all".to_owned(),
            (end, _) => format!("{end}: {}", self.why),
        }
    }

    /// Exploring alone, and all of it.
    fn times(&self) -> [String; 2] {
        [self.again_s.map_or("-".to_owned(), seconds), seconds(self.cpu_s)]
    }

    fn row(&self, report: &mut Report) {
        let [again, all] = self.times();
        report.row(&[self.name(), self.verdict(), self.paths.to_string(), again, all]);
    }
}

const TIMES: &str = "CPU seconds twice: exploring alone, with a module that is compiled, and all of \
    it, with random inputs, instrumenting and compiling.";

fn prototype(report: &mut Report, examples: &[&Example]) {
    report.line(&format!("## First things\n\n`tests/prototype.rs`. {TIMES}\n"));
    report.head(&["test", "verdict", "paths", "exploring", "all"]);
    for example in examples {
        example.row(report);
    }
    report.line("");
    let find = |name: &str| examples.iter().find(|example| example.parts().2 == name);
    for (name, most) in
        [("sort_orders_five_numbers", SORT_MAX_S), ("map_keeps_the_last_value_of_a_key", TREE_MAX_S)]
    {
        let time = find(name).and_then(|example| example.again_s).unwrap_or(f64::MAX);
        report.goal(time <= most, format!("{name}: {time:.3} CPU s, at most {most} wanted"));
    }
    for name in ["no_number_is_printed_as_707", "hash_map_finds_both_keys"] {
        let is_solved = find(name).is_some_and(|example| example.end == End::Solved);
        report.goal(is_solved, format!("{name} is not solved"));
    }
}

/// What the paper has of a class: tests, paths, bugs, seconds.
type Paper = (&'static str, &'static str, [u32; 4]);

const PAPER: [Paper; 5] = [
    ("array_list", "ArrayList", [12, 34, 1, 4]),
    ("enumerator", "Enumerator", [10, 67, 1, 10]),
    ("hash_table", "Hashtable", [11, 30, 0, 30]),
    ("linked_list", "LinkedList", [3, 64, 1, 4]),
    ("red_black_tree", "RedBlackTree", [3, 457, 0, 427]),
];

fn classes(report: &mut Report, examples: &[&Example]) {
    report.line(&format!(
        "## UnitMeister's table\n\n`tests/collections.rs`, the classes of \"Unit tests reloaded\" \
         (Tillmann and Schulte 2006) written anew, with theirs behind ours: their classes, machine \
         and year are others. Where the paper has a bug there is one more test here, of a variant \
         with a bug. A tree of paths is whole if each side of each branch that depends on the input \
         was taken or is proved to be impossible: then all branches that can be reached were. {TIMES}\n"
    ));
    report.head(&[
        "class",
        "tests",
        "theirs",
        "paths",
        "theirs",
        "bugs",
        "theirs",
        "whole trees",
        "exploring",
        "all",
        "theirs",
    ]);
    for (module, name, [tests, paths, bugs, their_s]) in PAPER {
        let class: Vec<_> = examples.iter().filter(|example| example.parts().1 == module).collect();
        let sum = |figure: fn(&Example) -> f64| class.iter().map(|e| figure(e)).sum::<f64>();
        let count = |is: fn(&Example) -> bool| class.iter().filter(|e| is(e)).count();
        let found = count(|e| e.first_failure.is_some());
        let wrong = class.iter().filter(|e| e.end != End::Solved).count();
        let whole = count(|e| e.is_complete);
        let (exploring, all) = (sum(|e| e.again_s.unwrap_or(e.cpu_s)), sum(|e| e.cpu_s));
        report.row(&[
            name.to_owned(),
            class.len().to_string(),
            tests.to_string(),
            class.iter().map(|e| e.paths).sum::<usize>().to_string(),
            paths.to_string(),
            found.to_string(),
            bugs.to_string(),
            format!("{whole} of {}", class.len()),
            seconds(exploring),
            seconds(all),
            their_s.to_string(),
        ]);
        report.goal(wrong == 0, format!("{name}: {wrong} tests are not solved"));
        report.goal(whole == class.len(), format!("{name}: {whole} of {} trees", class.len()));
        if module == "red_black_tree" {
            let what = format!("{name}: {exploring:.2} CPU s, less than {RED_BLACK_MAX_S} wanted");
            report.goal(exploring < RED_BLACK_MAX_S, what);
        }
    }
    report.line("");
}

fn kani(report: &mut Report, examples: &[&Example]) {
    report.line(&format!("## What users of Kani found slow\n\n`tests/kani.rs`. {TIMES}\n"));
    report.head(&["test", "verdict", "paths", "exploring", "all"]);
    for example in examples {
        example.row(report);
        let is_solved = example.end == End::Solved;
        report.goal(is_solved, format!("{}: {}", example.path, example.verdict()));
    }
    report.line("");
}

fn curve(report: &mut Report, examples: &[&Example]) {
    report.line(&format!(
        "## A B-tree with keys in order and others\n\n`tests/b_tree.rs`, as in the measurements of \
         WASP and Owi. {TIMES}\n"
    ));
    report.head(&[
        "keys in order",
        "others",
        "our tree: paths",
        "exploring",
        "all",
        "`BTreeSet`: paths",
        "exploring",
        "all",
    ]);
    let ours = examples.iter().filter(|example| example.parts().1 == "of_ours");
    for own in ours {
        let is_other = |example: &&&Example| {
            example.parts().1 == "of_the_library" && example.parts().2 == own.parts().2
        };
        let mut words = own.parts().2.split('_');
        let (ordered, others) =
            (words.nth(1).unwrap_or_default(), words.nth(1).unwrap_or_default());
        let mut cells = vec![ordered.to_owned(), others.to_owned()];
        for example in [Some(own), examples.iter().find(is_other)].into_iter().flatten() {
            let [again, all] = example.times();
            let paths = match example.end {
                End::Solved => example.paths.to_string(),
                end => format!("{} ({end}: {})", example.paths, example.why),
            };
            cells.extend([paths, again, all]);
        }
        report.row(&cells);
    }
    report.line("");
}

fn bombs(report: &mut Report, examples: &[&Example]) {
    report.line(
        "## Logic bombs\n\n`tests/bombs.rs`: properties that must fail, for an input that is hard to \
         find, and others that hold for all. Unknown is what was honestly said not to be known \
         within the budget. What fails was run natively.\n",
    );
    report.head(&[
        "about",
        "must fail",
        "found",
        "unknown",
        "wrong",
        "hold",
        "proved",
        "unknown",
        "wrong",
        "CPU s",
    ]);
    let mut modules: Vec<&str> = examples.iter().map(|example| example.parts().1).collect();
    modules.dedup();
    modules.sort_unstable();
    modules.dedup();
    for module in modules {
        let within: Vec<_> =
            examples.iter().copied().filter(|example| example.parts().1 == module).collect();
        report.row(&bomb_row(module, &within));
    }
    report.row(&bomb_row("all", examples));
    report.line("");
    let unknown = examples.iter().filter(|example| example.end == End::Unknown);
    for example in unknown {
        let must = if example.must_fail { "must fail" } else { "holds" };
        let (_, module, name) = example.parts();
        report.line(&format!("- unknown: `{module}::{name}`, which {must}: {}", example.why));
    }
    report.line("");
}

fn bomb_row(name: &str, examples: &[&Example]) -> Vec<String> {
    let mut row = vec![name.to_owned()];
    for must_fail in [true, false] {
        let those = || examples.iter().filter(|example| example.must_fail == must_fail);
        row.push(those().count().to_string());
        for end in [End::Solved, End::Unknown, End::Wrong] {
            row.push(those().filter(|example| example.end == end).count().to_string());
        }
    }
    row.push(format!("{:.1}", examples.iter().map(|example| example.cpu_s).sum::<f64>()));
    row
}

fn all(report: &mut Report, examples: &[Example]) {
    let count = |end: End| examples.iter().filter(|example| example.end == end).count();
    report.line(&format!(
        "Of all {} tests of `examples/explore`, {} are solved, {} unknown and {} wrong.\n",
        examples.len(),
        count(End::Solved),
        count(End::Unknown),
        count(End::Wrong),
    ));
    for wrong in examples.iter().filter(|example| example.end == End::Wrong) {
        let must = if wrong.must_fail { "fail" } else { "hold" };
        let what = format!("{} must {must}: {}", wrong.path, wrong.why);
        report.line(&format!("- wrong: {what}"));
        report.goal(false, what);
    }
}
