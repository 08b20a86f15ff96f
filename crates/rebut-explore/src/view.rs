//! An exploration in terms of the source: decisions with their conditions and locations, paths
//! with their inputs, and the lines that were reached.
//!
//! To get the values of a path, it runs once more in a module without shadows but with counters
//! (`Replayer`). Such a module and the line table are slow to make, so [`ModuleCache`] keeps them
//! for all tests of a module.

use crate::conditional;
use crate::output::text;
use crate::selection::SelectedTest;
use rebut_build::ConditionalCode;
use rebut_concolic::{
    Coverage, DecisionKind, Description, Draw, Exploration, Leaf, Limit, LineTable, Outcome,
    Replayer, ShownValue, Side, SourceLocation, UnderTest, Verdict,
};
use rebut_report::PathKind;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

/// The maximum number of characters of a condition or a line of code.
///
/// Arbitrary: about two lines of a report. Longer ones are cut, and end with `…`.
const TEXT_MAX: usize = 200;

/// An exploration in terms of the source.
#[derive(Debug)]
pub(crate) struct ExplorationView {
    /// The decisions; the first is the root.
    pub(crate) decisions: Vec<Decision>,
    pub(crate) paths: Vec<PathInput>,
    /// The lines that were reached; `None` if the module has no line table.
    pub(crate) coverage: Option<Coverage>,
}

/// A decision that depends on the input.
#[derive(Debug)]
pub(crate) struct Decision {
    pub(crate) condition: String,
    pub(crate) location: Option<SourceLocation>,
    /// The line of code; empty if the location is not in the code under test.
    pub(crate) source: String,
    pub(crate) yes: BranchTarget,
    pub(crate) no: BranchTarget,
}

/// The target of one side of a decision.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BranchTarget {
    Decision(usize),
    Path(usize),
    /// No input leads there.
    Impossible,
    /// It was not explored, and why.
    Open(String),
}

/// A path, with an input that takes it.
#[derive(Debug)]
pub(crate) struct PathInput {
    pub(crate) replay: String,
    pub(crate) kind: PathKind,
    /// The outcome in words.
    pub(crate) outcome: String,
    pub(crate) values: Vec<ShownValue>,
    /// Whether it is one of the few paths that together take all branches.
    pub(crate) is_covering: bool,
}

/// Line tables, replayers and sources of modules, made once and used for all their tests.
#[derive(Debug)]
pub(crate) struct ModuleCache<'m> {
    /// Whether all calls of the standard library are seen.
    pub(crate) sees_all_calls: bool,
    conditional_code: ConditionalCode,
    modules: HashMap<PathBuf, ModuleInfo<'m>>,
}

#[derive(Debug)]
struct ModuleInfo<'m> {
    lines: Option<LineTable<'m>>,
    /// Without and with the assumption that all keys have the same hash.
    replayers: [Option<Replayer>; 2],
    sources: Sources,
}

impl<'m> ModuleCache<'m> {
    pub(crate) fn new(sees_all_calls: bool, conditional_code: ConditionalCode) -> ModuleCache<'m> {
        ModuleCache { sees_all_calls, conditional_code, modules: HashMap::new() }
    }

    fn info(&mut self, test: &'m SelectedTest<'m>) -> &mut ModuleInfo<'m> {
        self.modules.entry(test.module.path.clone()).or_insert_with(|| {
            let under_test = UnderTest {
                root: test.module.built_in.clone(),
                packages: test.module.packages.clone(),
                others: test.module.libraries.clone(),
            };
            ModuleInfo {
                lines: LineTable::read(&test.state.wasm, under_test),
                replayers: [None, None],
                sources: Sources { root: test.module.root.clone(), files: HashMap::new() },
            }
        })
    }

    /// Adds to each limit about an unsupported call the innermost location in the code under test
    /// that makes the call.
    pub(crate) fn locate_unsupported_calls(
        &mut self,
        test: &'m SelectedTest<'m>,
        exploration: &mut Exploration,
    ) {
        if exploration.calls.is_empty() {
            return;
        }
        let Some(lines) = &self.info(test).lines else { return };
        let calls = &exploration.calls;
        let locate = |what: &String| {
            let sites = calls.get(what)?.iter();
            let mut all = sites.flat_map(|site| lines.of(*site));
            let location = all.find(|location| location.is_under_test && location.line > 0)?;
            Some(format!("{}:{}", location.file, location.line))
        };
        let mut limits: Vec<&mut Limit> = exploration.limits.iter_mut().collect();
        if let Verdict::Unknown(reasons) = &mut exploration.verdict {
            limits.extend(reasons);
        }
        for limit in limits {
            if let Limit::Unsupported(what, location) = limit {
                *location = locate(what);
            }
        }
    }

    /// Returns the input of a path as code; empty if it cannot be shown.
    pub(crate) fn input(
        &mut self,
        test: &'m SelectedTest<'m>,
        exploration: &Exploration,
        leaf: usize,
    ) -> String {
        let Some(leaf) = exploration.leaves.get(leaf) else { return String::new() };
        let Ok(replayer) = self.replayer(test, exploration.assumes_hashes) else {
            return String::new();
        };
        let values = replayer.show(&test.entry, &leaf.tape);
        let shown: Vec<String> =
            values.iter().map(|value| format!("{} = {}", value.name, value.code)).collect();
        match shown.is_empty() {
            true => String::new(),
            false => format!("`{}`", text::cut(&shown.join(", ").replace('\n', " "), TEXT_MAX)),
        }
    }

    fn replayer(
        &mut self,
        test: &'m SelectedTest<'m>,
        assumes_hashes: bool,
    ) -> Result<&Replayer, String> {
        let ModuleInfo { lines, replayers, .. } = self.info(test);
        let slot = &mut replayers[usize::from(assumes_hashes)];
        Ok(match slot {
            Some(replayer) => replayer,
            None => slot.insert(replayer(test, lines.as_ref(), assumes_hashes)?),
        })
    }

    /// Adds the doubts about code that exists for one of the two targets only. Only a proof needs
    /// them.
    pub(crate) fn add_doubts_about_targets(
        &mut self,
        test: &'m SelectedTest<'m>,
        description: &Description,
        exploration: &mut Exploration,
    ) {
        if !matches!(exploration.verdict, Verdict::Holds | Verdict::Vacuous) {
            return;
        }
        let _ = self.info(test);
        let Some(info) = self.modules.get(&test.module.path) else { return };
        let (Some(lines), Ok(scout)) = (&info.lines, test.state.scout()) else { return };
        let code = &mut self.conditional_code;
        let location = (test.module.built_in.join(&description.file), description.line);
        let doubts = conditional::doubts(code, &scout, lines, &test.entry, location, exploration);
        exploration.doubts.extend(doubts);
    }

    /// Returns the view of an exploration. An error is why its paths cannot run again.
    pub(crate) fn view(
        &mut self,
        test: &'m SelectedTest<'m>,
        exploration: &Exploration,
    ) -> Result<ExplorationView, String> {
        self.replayer(test, exploration.assumes_hashes)?;
        let ModuleInfo { lines, replayers, sources } = self.info(test);
        let Some(replayer) = &replayers[usize::from(exploration.assumes_hashes)] else {
            return Err(String::new());
        };
        let values: Vec<Vec<ShownValue>> = exploration
            .leaves
            .iter()
            .map(|leaf| match leaf.outcome {
                Outcome::Exhausted => Vec::new(),
                _ => replayer.show(&test.entry, &leaf.tape),
            })
            .collect();
        let mut writer =
            TreeWriter { exploration, lines: lines.as_ref(), sources, values: &values };
        let decisions = writer.decisions();
        let coverage = lines
            .as_ref()
            .map(|lines| rebut_concolic::coverage(&test.entry, replayer, lines, exploration));
        Ok(ExplorationView { decisions, paths: paths(exploration, values), coverage })
    }
}

impl ModuleCache<'_> {
    /// Returns a line of the sources of a module; empty if there is none.
    pub(crate) fn line(&mut self, test: &SelectedTest<'_>, file: &str, line: u32) -> String {
        let info = self.modules.get_mut(&test.module.path);
        info.map(|info| info.sources.line(file, line)).unwrap_or_default()
    }
}

fn replayer(
    test: &SelectedTest<'_>,
    lines: Option<&LineTable<'_>>,
    assumes_hashes: bool,
) -> Result<Replayer, String> {
    let is_counted =
        |code: std::ops::Range<u32>| lines.is_some_and(|lines| lines.has_code_under_test(code));
    Replayer::new(&test.state.wasm, assumes_hashes, rebut_build::unsupported_call, &is_counted)
        .map_err(|error| error.to_string())
}

fn paths(exploration: &Exploration, values: Vec<Vec<ShownValue>>) -> Vec<PathInput> {
    let covering: BTreeSet<usize> = covering_paths(&exploration.leaves).into_iter().collect();
    let leaves = exploration.leaves.iter().zip(values).enumerate();
    leaves
        .map(|(nth, (leaf, values))| PathInput {
            replay: leaf.tape.to_replay_string(),
            kind: path_kind(&leaf.outcome),
            outcome: text::outcome(&leaf.outcome),
            values,
            is_covering: covering.contains(&nth),
        })
        .collect()
}

fn path_kind(outcome: &Outcome) -> PathKind {
    match outcome {
        Outcome::Passed => PathKind::Passed,
        Outcome::Found => PathKind::Found,
        Outcome::Rejected(_) => PathKind::Rejected,
        Outcome::Failed(_) => PathKind::Failed,
        Outcome::Exhausted => PathKind::Exhausted,
        Outcome::Unsupported(_) => PathKind::Unsupported,
        Outcome::Misuse(_) => PathKind::Misuse,
        Outcome::Internal(_) => PathKind::InternalError,
    }
}

/// Returns paths that together take every side of a branch that any path takes. A greedy cover:
/// each path is the one that adds most, so the set is small but not always the smallest.
pub(crate) fn covering_paths(leaves: &[Leaf]) -> Vec<usize> {
    let mut missing: BTreeSet<(u32, bool)> =
        leaves.iter().flat_map(|leaf| leaf.covered.iter().copied()).collect();
    let mut chosen = Vec::new();
    while !missing.is_empty() {
        let gain = |leaf: &Leaf| {
            let sides: BTreeSet<&(u32, bool)> = leaf.covered.iter().collect();
            sides.into_iter().filter(|side| missing.contains(side)).count()
        };
        // Of paths that add the same number of sides, take the one with the simplest input.
        let best = leaves
            .iter()
            .enumerate()
            .max_by(|(_, a), (_, b)| gain(a).cmp(&gain(b)).then_with(|| b.tape.compare(&a.tape)));
        let Some((nth, leaf)) = best else { break };
        for side in &leaf.covered {
            missing.remove(side);
        }
        chosen.push(nth);
    }
    chosen.sort_unstable();
    chosen
}

/// Writes the tree of an exploration as decisions.
struct TreeWriter<'a, 'm> {
    exploration: &'a Exploration,
    lines: Option<&'a LineTable<'m>>,
    sources: &'a mut Sources,
    /// The values of each path.
    values: &'a [Vec<ShownValue>],
}

impl TreeWriter<'_, '_> {
    fn decisions(&mut self) -> Vec<Decision> {
        let exploration = self.exploration;
        let nodes = exploration.tree.nodes();
        let paths_below = paths_below(exploration);
        // The bounds of a draw are conditions of the tree, but not decisions of the code.
        let is_shown = |nth: &usize| nodes[*nth].kind != DecisionKind::Domain;
        let shown: Vec<usize> = (0..nodes.len()).filter(is_shown).collect();
        let numbers: HashMap<usize, usize> =
            shown.iter().enumerate().map(|(number, nth)| (*nth, number)).collect();
        let mut draws: HashMap<usize, Vec<Draw>> = HashMap::new();
        let mut locations: HashMap<u32, Option<SourceLocation>> = HashMap::new();
        let mut decisions = Vec::new();
        for nth in shown {
            let node = &nodes[nth];
            let names = match paths_below[nth] {
                Some(leaf) => draws.entry(leaf).or_insert_with(|| {
                    let shown = self.values.get(leaf).map(Vec::as_slice).unwrap_or_default();
                    let names: Vec<String> = shown.iter().map(|one| one.name.clone()).collect();
                    rebut_concolic::draws(&exploration.leaves[leaf].tape, &names)
                }),
                None => &mut Vec::new(),
            };
            let condition = rebut_concolic::condition(&exploration.pool, node.condition, names);
            let location = locations
                .entry(node.site)
                .or_insert_with(|| self.lines.and_then(|lines| lines.nearest(node.site)))
                .clone();
            let source = match &location {
                Some(at) if at.is_under_test => self.sources.trimmed_line(&at.file, at.line),
                _ => String::new(),
            };
            let target = |holds| target(exploration, &numbers, node.side(holds));
            decisions.push(Decision {
                condition: text::cut(&condition, TEXT_MAX),
                location,
                source,
                yes: target(true),
                no: target(false),
            });
        }
        decisions
    }
}

/// Returns a path below each node. All paths below a node agree on the draws before it, so any of
/// them names these draws.
fn paths_below(exploration: &Exploration) -> Vec<Option<usize>> {
    let nodes = exploration.tree.nodes();
    let mut below: Vec<Option<usize>> = vec![None; nodes.len()];
    // Nodes below another node have higher numbers.
    for nth in (0..nodes.len()).rev() {
        let on_side = |side: &Side| match side {
            Side::Leaf(leaf) => Some(*leaf).filter(|leaf| *leaf < exploration.leaves.len()),
            Side::Node(node) => below.get(node.index()).copied().flatten(),
            _ => None,
        };
        below[nth] = on_side(nodes[nth].side(true)).or_else(|| on_side(nodes[nth].side(false)));
    }
    below
}

fn target(exploration: &Exploration, numbers: &HashMap<usize, usize>, side: &Side) -> BranchTarget {
    let mut side = side;
    loop {
        match side {
            Side::Node(node) => match numbers.get(&node.index()) {
                Some(number) => return BranchTarget::Decision(*number),
                None => side = exploration.tree.node(*node).side(true),
            },
            Side::Leaf(leaf) => return BranchTarget::Path(*leaf),
            Side::Infeasible => return BranchTarget::Impossible,
            Side::Open => return BranchTarget::Open("not tried".to_owned()),
            Side::Unknown(why) => return BranchTarget::Open(why.clone()),
            Side::Diverged => {
                let why = "an input that should go there went another way";
                return BranchTarget::Open(why.to_owned());
            }
        }
    }
}

/// Lines of source files, read once.
#[derive(Debug)]
struct Sources {
    root: PathBuf,
    files: HashMap<String, Vec<String>>,
}

impl Sources {
    fn trimmed_line(&mut self, file: &str, line: u32) -> String {
        text::cut(self.line(file, line).trim(), TEXT_MAX)
    }

    fn line(&mut self, file: &str, line: u32) -> String {
        let root = &self.root;
        let lines =
            self.files.entry(file.to_owned()).or_insert_with(|| read_lines(&root.join(file)));
        let nth = (line as usize).checked_sub(1);
        let line = nth.and_then(|nth| lines.get(nth));
        line.map(|line| text::cut(line, TEXT_MAX)).unwrap_or_default()
    }
}

fn read_lines(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}
