//! Which lines of the code under test the paths of an exploration run, and why not the others.
//!
//! Each path is run once more in a module with counters (`machine/replay.rs`). A line is reached
//! if some block is run that has code of it. For a line that is not, the blocks before it are
//! followed back to one that was run: what ends that one is the reason, a decision that never
//! went the other way or a call that never returned.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::explore::{Exploration, Limit};
use crate::hooks::Site;
use crate::instrument::counted::{Block, Way, WayKind};
use crate::machine::replay::{Counts, Replayer};
use crate::places::{Place, Places};
use crate::trace::{Loss, Outcome};
use crate::tree::{Node, Side};

/// Lines of the code under test that a test may run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// By file.
    pub files: BTreeMap<String, BTreeMap<u32, Line>>,
    /// How far what was not reached is proved to be out of reach.
    pub proof: Proof,
}

/// Whether there may be paths that were not explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Proof {
    /// There may be.
    #[default]
    None,
    /// None with collections of at most so many elements.
    UpTo(usize),
    /// There are none.
    All,
}

/// A line of code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Why it was not reached; nothing if it was.
    pub unreached: Option<Unreached>,
    /// How many sides the conditions of the line have that was reached.
    pub sides: usize,
    /// How many of them were taken.
    pub taken: usize,
    /// Why the others were not.
    pub missing: Vec<Unreached>,
}

/// What keeps all explored paths from some code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unreached {
    /// The function is not called.
    NotCalled,
    /// A decision at this place could go the other way: why that was not tried, or failed.
    Open(Option<Place>, String),
    /// A decision at this place always goes one way, whatever the input.
    Impossible(Option<Place>),
    /// A condition at this place does not depend on the input.
    Fixed(Option<Place>),
    /// A call at this place does not return.
    NoReturn(Option<Place>),
}

/// What the paths of an exploration run.
#[must_use]
pub fn coverage(
    test: &str,
    replayer: &Replayer,
    places: &Places<'_>,
    exploration: &Exploration,
) -> Coverage {
    let mut counts = Counts::default();
    for leaf in &exploration.leaves {
        // A run that does not end says nothing more the second time.
        if leaf.outcome != Outcome::Exhausted {
            counts.add(&replayer.count(test, &leaf.tape));
        }
    }
    let mut covering = Covering {
        replayer,
        places,
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
    places: &'a Places<'w>,
    counts: Counts,
    sites: HashMap<Site, Vec<&'a Node>>,
    why_open: String,
    files: BTreeMap<String, BTreeMap<u32, Line>>,
}

impl Covering<'_, '_> {
    /// The lines of all functions that the test calls, and of those that these would call.
    fn add_lines(&mut self) {
        let blocks = self.replayer.blocks();
        let run: HashSet<u32> = (0..blocks.len())
            .filter(|nth| self.counts.is_run(*nth))
            .map(|nth| blocks[nth].function)
            .collect();
        let called = self.replayer.counted.called_from(run);
        let mut unreached: BTreeMap<(String, u32), usize> = BTreeMap::new();
        for (nth, block) in blocks.iter().enumerate() {
            if !called.contains(&block.function) {
                continue;
            }
            let is_run = self.counts.is_run(nth);
            for (file, line) in self.places.lines(block.code.clone()) {
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

    /// Follows the blocks before one that was not run.
    fn why(&self, block: usize) -> Unreached {
        let blocks: &[Block] = self.replayer.blocks();
        let (mut waiting, mut seen) = (vec![block], HashSet::from([block]));
        let mut found: Option<Unreached> = None;
        while let Some(at) = waiting.pop() {
            let Some(block) = blocks.get(at) else { continue };
            if block.ways.is_empty() {
                found.get_or_insert(Unreached::NotCalled);
            }
            for way in &block.ways {
                if self.counts.is_run(way.from) {
                    let why = self.why_not(way);
                    // What might be reached says more than what cannot be.
                    let is_better = match &found {
                        None => true,
                        Some(Unreached::Open(..)) => false,
                        Some(_) => matches!(why, Unreached::Open(..)),
                    };
                    if is_better {
                        found = Some(why);
                    }
                } else if seen.insert(way.from) {
                    waiting.push(way.from);
                }
            }
        }
        found.unwrap_or(Unreached::NotCalled)
    }

    /// Why a way was not taken from a block that was run.
    fn why_not(&self, way: &Way) -> Unreached {
        let place = self.places.nearest(way.site);
        match way.kind {
            WayKind::Returned => Unreached::NoReturn(place),
            WayKind::Only => Unreached::Fixed(place),
            WayKind::Decided => self.why_one_way(way.site, place),
        }
    }

    /// Why a decision was never taken the other way.
    fn why_one_way(&self, site: Site, place: Option<Place>) -> Unreached {
        let Some(nodes) = self.sites.get(&site) else { return Unreached::Fixed(place) };
        let sides = nodes.iter().flat_map(|node| [node.side(true), node.side(false)]);
        for side in sides {
            let why = match side {
                Side::Open => &self.why_open,
                Side::Unknown(why) => why,
                Side::Diverged => "an input that should do it did not",
                Side::Node(_) | Side::Leaf(_) | Side::Infeasible => continue,
            };
            return Unreached::Open(place, why.to_owned());
        }
        Unreached::Impossible(place)
    }

    /// The sides of the conditions in lines that were reached.
    fn add_sides(&mut self) {
        let counted = &self.replayer.counted;
        for (nth, site) in counted.conditions.iter().enumerate() {
            let taken = self.counts.ways(counted.blocks.len(), nth);
            let taken = taken.into_iter().filter(|way| *way).count();
            let place = match self.places.nearest(*site) {
                Some(place) if place.is_under_test && taken > 0 => place,
                _ => continue,
            };
            let missing = (taken < 2).then(|| self.why_one_way(*site, Some(place.clone())));
            let lines = self.files.get_mut(&place.file);
            if let Some(line) = lines.and_then(|lines| lines.get_mut(&place.line)) {
                line.sides += 2;
                line.taken += taken;
                line.missing.extend(missing);
            }
        }
    }
}
