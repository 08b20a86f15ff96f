//! What an exploration looks like in terms of the source: decisions with their conditions and
//! places, paths with their inputs, and the lines that were reached.

use super::Job;
use super::describe::{self, covering};
use rebut_concolic::{
    Coverage, DecisionKind, Draw, Exploration, Limit, LineTable, Outcome, Replayer, ShownValue,
    Side, SourceLocation, UnderTest, Verdict,
};
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

/// Conditions and lines of code longer than this are cut.
const TEXT_MAX: usize = 200;

/// An exploration in terms of the source.
#[derive(Debug)]
pub(crate) struct Picture {
    /// The first is the root.
    pub(crate) decisions: Vec<Decision>,
    pub(crate) paths: Vec<PathOf>,
    /// None if the module does not say where its code comes from.
    pub(crate) coverage: Option<Coverage>,
}

/// A decision that depends on the input.
#[derive(Debug)]
pub(crate) struct Decision {
    pub(crate) condition: String,
    pub(crate) place: Option<SourceLocation>,
    /// The line of code, if it is one of the code under test.
    pub(crate) source: String,
    pub(crate) yes: Way,
    pub(crate) no: Way,
}

/// What one side of a decision leads to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Decision(usize),
    Path(usize),
    /// No input goes there.
    Impossible,
    /// It is not known; why.
    Open(String),
}

/// A path, with an input that takes it.
#[derive(Debug)]
pub(crate) struct PathOf {
    pub(crate) replay: String,
    pub(crate) kind: &'static str,
    pub(crate) outcome: String,
    pub(crate) values: Vec<ShownValue>,
    /// Whether it is one of the few that together take all sides of decisions.
    pub(crate) is_covering: bool,
}

/// What is known of the modules that tests are in.
#[derive(Debug, Default)]
pub(crate) struct Studio<'j> {
    /// Whether all calls of the standard library are seen.
    pub(crate) sees_all_calls: bool,
    modules: HashMap<PathBuf, Known<'j>>,
}

#[derive(Debug)]
struct Known<'j> {
    places: Option<LineTable<'j>>,
    /// Without and with the assumption that all keys have the same hash.
    replayers: [Option<Replayer>; 2],
    sources: Sources,
}

impl<'j> Studio<'j> {
    fn known(&mut self, job: &'j Job<'_>) -> &mut Known<'j> {
        self.modules.entry(job.module.path.clone()).or_insert_with(|| {
            let under_test = UnderTest {
                root: job.module.built_in.clone(),
                packages: job.module.packages.clone(),
                others: job.module.libraries.clone(),
            };
            Known {
                places: LineTable::read(&job.shared.wasm, under_test),
                replayers: [None, None],
                sources: Sources { root: job.module.root.clone(), files: HashMap::new() },
            }
        })
    }

    /// Says where in the code under test the exploration needs what does not exist here: the
    /// innermost call that is there.
    pub(crate) fn place_needs(&mut self, job: &'j Job<'_>, exploration: &mut Exploration) {
        if exploration.calls.is_empty() {
            return;
        }
        let Some(places) = &self.known(job).places else { return };
        let calls = &exploration.calls;
        let place = |what: &String| {
            let sites = calls.get(what)?.iter();
            let mut all = sites.flat_map(|site| places.of(*site));
            let place = all.find(|place| place.is_under_test && place.line > 0)?;
            Some(format!("{}:{}", place.file, place.line))
        };
        let mut limits: Vec<&mut Limit> = exploration.limits.iter_mut().collect();
        if let Verdict::Unknown(told) = &mut exploration.verdict {
            limits.extend(told);
        }
        for limit in limits {
            if let Limit::Unsupported(what, at) = limit {
                *at = place(what);
            }
        }
    }

    /// The picture of an exploration; an error is why its paths cannot be run once more.
    pub(crate) fn picture(
        &mut self,
        job: &'j Job<'_>,
        exploration: &Exploration,
    ) -> Result<Picture, String> {
        let known = self.known(job);
        let Known { places, replayers, sources } = known;
        let slot = &mut replayers[usize::from(exploration.assumes_hashes)];
        let replayer = match slot {
            Some(replayer) => replayer,
            None => slot.insert(replayer(job, places.as_ref(), exploration.assumes_hashes)?),
        };
        let values: Vec<Vec<ShownValue>> = exploration
            .leaves
            .iter()
            .map(|leaf| match leaf.outcome {
                Outcome::Exhausted => Vec::new(),
                _ => replayer.show(&job.entry, &leaf.tape),
            })
            .collect();
        let mut painter =
            Painter { exploration, places: places.as_ref(), sources, values: &values };
        let decisions = painter.decisions();
        let coverage = places
            .as_ref()
            .map(|places| rebut_concolic::coverage(&job.entry, replayer, places, exploration));
        Ok(Picture { decisions, paths: paths(exploration, values), coverage })
    }
}

impl Studio<'_> {
    /// A line of the source of a job's module.
    pub(crate) fn line(&mut self, job: &Job<'_>, file: &str, line: u32) -> String {
        let known = self.modules.get_mut(&job.module.path);
        known.map(|known| known.sources.whole(file, line)).unwrap_or_default()
    }
}

fn replayer(
    job: &Job<'_>,
    places: Option<&LineTable<'_>>,
    assumes_hashes: bool,
) -> Result<Replayer, String> {
    let is_of_interest =
        |code: std::ops::Range<u32>| places.is_some_and(|places| places.has_code_under_test(code));
    Replayer::new(&job.shared.wasm, assumes_hashes, rebut_build::unsupported_call, &is_of_interest)
        .map_err(|unfit| unfit.to_string())
}

fn paths(exploration: &Exploration, values: Vec<Vec<ShownValue>>) -> Vec<PathOf> {
    let covering: BTreeSet<usize> = covering(&exploration.leaves).into_iter().collect();
    let leaves = exploration.leaves.iter().zip(values).enumerate();
    leaves
        .map(|(nth, (leaf, values))| PathOf {
            replay: leaf.tape.to_replay_string(),
            kind: kind(&leaf.outcome),
            outcome: describe::outcome(&leaf.outcome),
            values,
            is_covering: covering.contains(&nth),
        })
        .collect()
}

fn kind(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "passed",
        Outcome::Found => "found",
        Outcome::Rejected(_) => "rejected",
        Outcome::Failed(_) => "failed",
        Outcome::Exhausted => "exhausted",
        Outcome::Unsupported(_) => "unsupported",
        Outcome::Misuse(_) => "misuse",
        Outcome::Internal(_) => "internal-error",
    }
}

struct Painter<'a, 'j> {
    exploration: &'a Exploration,
    places: Option<&'a LineTable<'j>>,
    sources: &'a mut Sources,
    values: &'a [Vec<ShownValue>],
}

impl Painter<'_, '_> {
    fn decisions(&mut self) -> Vec<Decision> {
        let exploration = self.exploration;
        let nodes = exploration.tree.nodes();
        let below = below(exploration);
        // What the domain of a draw says is no decision.
        let is_shown = |nth: &usize| nodes[*nth].kind != DecisionKind::Domain;
        let shown: Vec<usize> = (0..nodes.len()).filter(is_shown).collect();
        let numbers: HashMap<usize, usize> =
            shown.iter().enumerate().map(|(number, nth)| (*nth, number)).collect();
        let mut draws: HashMap<usize, Vec<Draw>> = HashMap::new();
        let mut places: HashMap<u32, Option<SourceLocation>> = HashMap::new();
        let mut decisions = Vec::new();
        for nth in shown {
            let node = &nodes[nth];
            let names = match below[nth] {
                Some(leaf) => draws.entry(leaf).or_insert_with(|| {
                    let shown = self.values.get(leaf).map(Vec::as_slice).unwrap_or_default();
                    let names: Vec<String> = shown.iter().map(|one| one.name.clone()).collect();
                    rebut_concolic::draws(&exploration.leaves[leaf].tape, &names)
                }),
                None => &mut Vec::new(),
            };
            let condition = rebut_concolic::condition(&exploration.pool, node.condition, names);
            let place = places
                .entry(node.site)
                .or_insert_with(|| self.places.and_then(|places| places.nearest(node.site)))
                .clone();
            let source = match &place {
                Some(place) if place.is_under_test => self.sources.line(&place.file, place.line),
                _ => String::new(),
            };
            let way = |holds| way(exploration, &numbers, node.side(holds));
            decisions.push(Decision {
                condition: cut(&condition),
                place,
                source,
                yes: way(true),
                no: way(false),
            });
        }
        decisions
    }
}

/// A path below each node, of which the draws before it are the same.
fn below(exploration: &Exploration) -> Vec<Option<usize>> {
    let nodes = exploration.tree.nodes();
    let mut below: Vec<Option<usize>> = vec![None; nodes.len()];
    // What is below a node has a higher number.
    for nth in (0..nodes.len()).rev() {
        let of = |side: &Side| match side {
            Side::Leaf(leaf) => Some(*leaf).filter(|leaf| *leaf < exploration.leaves.len()),
            Side::Node(node) => below.get(node.index()).copied().flatten(),
            _ => None,
        };
        below[nth] = of(nodes[nth].side(true)).or_else(|| of(nodes[nth].side(false)));
    }
    below
}

fn way(exploration: &Exploration, numbers: &HashMap<usize, usize>, side: &Side) -> Way {
    let mut side = side;
    loop {
        match side {
            Side::Node(node) => match numbers.get(&node.index()) {
                Some(number) => return Way::Decision(*number),
                None => side = exploration.tree.node(*node).side(true),
            },
            Side::Leaf(leaf) => return Way::Path(*leaf),
            Side::Infeasible => return Way::Impossible,
            Side::Open => return Way::Open("not tried".to_owned()),
            Side::Unknown(why) => return Way::Open(why.clone()),
            Side::Diverged => {
                return Way::Open("an input that should go there went another way".to_owned());
            }
        }
    }
}

/// Lines of source files.
#[derive(Debug)]
struct Sources {
    root: PathBuf,
    files: HashMap<String, Vec<String>>,
}

impl Sources {
    /// A line without what is around it.
    fn line(&mut self, file: &str, line: u32) -> String {
        cut(self.whole(file, line).trim())
    }

    fn whole(&mut self, file: &str, line: u32) -> String {
        let root = &self.root;
        let lines = self.files.entry(file.to_owned()).or_insert_with(|| read(&root.join(file)));
        let nth = (line as usize).checked_sub(1);
        nth.and_then(|nth| lines.get(nth)).map(|line| cut(line)).unwrap_or_default()
    }
}

fn read(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn cut(text: &str) -> String {
    describe::cut(text, TEXT_MAX)
}
