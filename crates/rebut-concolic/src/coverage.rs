//! The lines of the code under test that the paths of an exploration run, and why the others were
//! not reached.
//!
//! Each path is run again in a module with counters (`machine/replay.rs`). A line is reached if a
//! block with code of that line is run. For any other line, the edges are followed back to a block
//! that was run. The end of that block is the reason: a decision that never went the other way, or
//! a call that never returned.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::explore::{Exploration, Limit};
use crate::hooks::Site;
use crate::instrument::coverage_module::{Block, BlockEdge, EdgeKind};
use crate::line_table::{LineTable, SourceLocation};
use crate::machine::replay::{Counts, Replayer};
use crate::trace::{Loss, Outcome};
use crate::tree::{Node, Side};

/// The lines of the code under test that a test may run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// The lines, by file and number.
    pub files: BTreeMap<String, BTreeMap<u32, Line>>,
    /// How far it is proved that unreached lines cannot be reached.
    pub proof: Proof,
}

/// Whether there may be unexplored paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Proof {
    /// There may be.
    #[default]
    None,
    /// There are none with collections of at most this many elements.
    UpTo(usize),
    /// There are none.
    All,
}

/// A line of code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Why it was not reached; `None` if it was.
    pub unreached: Option<Unreached>,
    /// If it was reached, the number of sides of its conditions.
    pub sides: usize,
    /// The number of sides that were taken.
    pub taken: usize,
    /// Why the other sides were not taken.
    pub missing: Vec<Unreached>,
}

/// The reason that no explored path runs some code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unreached {
    /// The function is not called.
    NotCalled,
    /// A decision at this location could go the other way; why that was not tried, or did not
    /// succeed.
    Open(Option<SourceLocation>, String),
    /// A decision at this location goes one way for every input.
    Impossible(Option<SourceLocation>),
    /// A condition at this location does not depend on the input.
    Fixed(Option<SourceLocation>),
    /// A call at this location does not return.
    NoReturn(Option<SourceLocation>),
}

/// Returns the lines that the paths of an exploration run.
#[must_use]
pub fn coverage(
    test: &str,
    replayer: &Replayer,
    line_table: &LineTable<'_>,
    exploration: &Exploration,
) -> Coverage {
    let mut counts = Counts::default();
    for leaf in &exploration.leaves {
        // Running a path again that does not end shows nothing new.
        if leaf.outcome != Outcome::Exhausted {
            counts.add(&replayer.count(test, &leaf.tape));
        }
    }
    let mut covering = Covering {
        replayer,
        line_table,
        counts,
        sites: sites(exploration),
        why_open: why_open(&exploration.limits),
        files: BTreeMap::new(),
    };
    covering.add_lines();
    covering.add_sides();
    Coverage { files: covering.files, proof: proof(exploration) }
}

/// Whether all paths were explored.
fn proof(exploration: &Exploration) -> Proof {
    let mut proof = Proof::All;
    for limit in &exploration.limits {
        match limit {
            Limit::Lossy(Loss::Length(length)) => proof = Proof::UpTo(*length),
            _ => return Proof::None,
        }
    }
    if exploration.tree.is_complete() { proof } else { Proof::None }
}

fn why_open(limits: &[Limit]) -> String {
    for limit in limits {
        match limit {
            Limit::Runs(runs) => return format!("{runs} runs were allowed"),
            Limit::Conflicts(_) | Limit::Terms(_) => {
                return "the solver's work in all was used up".to_owned();
            }
            Limit::Work(_) => return "the effort was used up".to_owned(),
            Limit::Stopped(_) => return "the exploration was ended before".to_owned(),
            _ => {}
        }
    }
    "it was not tried".to_owned()
}

fn sites(exploration: &Exploration) -> HashMap<Site, Vec<&Node>> {
    let mut sites: HashMap<Site, Vec<&Node>> = HashMap::new();
    for node in exploration.tree.nodes() {
        sites.entry(node.site).or_default().push(node);
    }
    sites
}

struct Covering<'a, 'w> {
    replayer: &'a Replayer,
    line_table: &'a LineTable<'w>,
    counts: Counts,
    sites: HashMap<Site, Vec<&'a Node>>,
    why_open: String,
    files: BTreeMap<String, BTreeMap<u32, Line>>,
}

impl Covering<'_, '_> {
    /// Adds the lines of all functions that the test calls, and of those that these could call.
    fn add_lines(&mut self) {
        let blocks = self.replayer.blocks();
        let run: HashSet<u32> = (0..blocks.len())
            .filter(|nth| self.counts.is_run(*nth))
            .map(|nth| blocks[nth].function)
            .collect();
        let called = self.replayer.coverage_module.called_from(run);
        let mut unreached: BTreeMap<(String, u32), usize> = BTreeMap::new();
        for (nth, block) in blocks.iter().enumerate() {
            if !called.contains(&block.function) {
                continue;
            }
            let is_run = self.counts.is_run(nth);
            for (file, line) in self.line_table.lines(block.code.clone()) {
                if is_run {
                    self.files.entry(file).or_default().entry(line).or_default();
                } else {
                    unreached.entry((file, line)).or_insert(nth);
                }
            }
        }
        for ((file, line), block) in unreached {
            let is_reached = self.files.get(&file).is_some_and(|lines| lines.contains_key(&line));
            if !is_reached {
                let why = self.why(block);
                let line_of = Line { unreached: Some(why), ..Line::default() };
                self.files.entry(file).or_default().insert(line, line_of);
            }
        }
    }

    /// Finds the reason that a block was not run, by following edges backward.
    fn why(&self, block: usize) -> Unreached {
        let blocks: &[Block] = self.replayer.blocks();
        let (mut waiting, mut visited) = (vec![block], HashSet::from([block]));
        let mut reason: Option<Unreached> = None;
        while let Some(at) = waiting.pop() {
            let Some(block) = blocks.get(at) else { continue };
            if block.incoming.is_empty() {
                reason.get_or_insert(Unreached::NotCalled);
            }
            for edge in &block.incoming {
                if self.counts.is_run(edge.from) {
                    let why = self.why_not(edge);
                    // A side that might be reached is more useful to know than one that cannot be.
                    let is_better = match &reason {
                        None => true,
                        Some(Unreached::Open(..)) => false,
                        Some(_) => matches!(why, Unreached::Open(..)),
                    };
                    if is_better {
                        reason = Some(why);
                    }
                } else if visited.insert(edge.from) {
                    waiting.push(edge.from);
                }
            }
        }
        reason.unwrap_or(Unreached::NotCalled)
    }

    /// Returns why an edge was not taken from a block that was run.
    fn why_not(&self, edge: &BlockEdge) -> Unreached {
        let location = self.line_table.nearest(edge.site);
        match edge.kind {
            EdgeKind::Returned => Unreached::NoReturn(location),
            EdgeKind::Only => Unreached::Fixed(location),
            EdgeKind::Decided => self.why_one_way(edge.site, location),
        }
    }

    /// Returns why a decision never went the other way.
    fn why_one_way(&self, site: Site, location: Option<SourceLocation>) -> Unreached {
        let Some(nodes) = self.sites.get(&site) else { return Unreached::Fixed(location) };
        let sides = nodes.iter().flat_map(|node| [node.side(true), node.side(false)]);
        for side in sides {
            let why = match side {
                Side::Open => &self.why_open,
                Side::Unknown(why) => why,
                Side::Diverged => "an input that should do it did not",
                Side::Node(_) | Side::Leaf(_) | Side::Infeasible => continue,
            };
            return Unreached::Open(location, why.to_owned());
        }
        Unreached::Impossible(location)
    }

    /// Adds the sides of the conditions in lines that were reached.
    fn add_sides(&mut self) {
        let module = &self.replayer.coverage_module;
        for (nth, site) in module.conditions.iter().enumerate() {
            let taken = self.counts.outcomes(module.blocks.len(), nth);
            let taken = taken.into_iter().filter(|taken| *taken).count();
            let location = match self.line_table.nearest(*site) {
                Some(location) if location.is_under_test && taken > 0 => location,
                _ => continue,
            };
            let missing = (taken < 2).then(|| self.why_one_way(*site, Some(location.clone())));
            let lines = self.files.get_mut(&location.file);
            if let Some(line) = lines.and_then(|lines| lines.get_mut(&location.line)) {
                line.sides += 2;
                line.taken += taken;
                line.missing.extend(missing);
            }
        }
    }
}
