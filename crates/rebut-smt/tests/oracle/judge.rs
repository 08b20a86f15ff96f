//! Sends the same queries to the solver under test and to z3, and compares the answers.

use std::time::Instant;

use rebut::any;
use rebut::prelude::*;
use rebut_smt::{Answer, Bounds, Model, Options, Pool, Solver, Term, Value};

use crate::generate::{Family, Path};
use crate::graph::{Graph, Id, Op, Sort};
use crate::table::Tally;
use crate::terms::{Fault, Terms};
use crate::z3::{Z3, Z3Answer};
use crate::{native, script};

/// The solver under test: ours, or a faulty one that must be noticed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Subject {
    Ours {
        conflicts_max: u64,
    },
    /// Builds wrong terms.
    Faulty(Fault),
    /// Drops all claims of a query but the last.
    Forgetful,
    /// Keeps assumptions as assertions.
    Clinging,
    /// Returns values that are one too large.
    Careless,
}

impl Subject {
    fn conflicts_max(self) -> u64 {
        match self {
            Subject::Ours { conflicts_max } => conflicts_max,
            _ => 500,
        }
    }
}

pub(crate) struct Judge {
    subject: Subject,
    z3: Z3,
    /// Of the queries with a model, every `one_in`th goes to z3. The model is checked without it.
    one_in: u64,
    /// The number of bounds that were inferred.
    inferred: u64,
    pub(crate) tally: Tally,
}

/// One path as the solver under test sees it.
struct Session {
    pool: Pool,
    terms: Terms,
    solver: Solver,
    is_asserting: bool,
}

impl Judge {
    /// Starts z3. `None` if it is not installed.
    pub(crate) fn start(subject: Subject, work_max: u64, one_in: u64) -> Option<Judge> {
        Some(Judge {
            subject,
            z3: Z3::start(work_max)?,
            one_in,
            inferred: 0,
            tally: Tally::default(),
        })
    }

    /// Sends all queries of a path. Panics if an answer is wrong.
    pub(crate) fn judge(&mut self, case: &mut rebut::Case, family: Family, path: &Path) {
        let mut graph = path.graph.clone();
        let negated: Vec<Id> =
            path.claims.iter().map(|claim| graph.apply(Op::Not, &[*claim])).collect();
        let is_spread = case.draw(integers::<u8>().max_value(7)) == 7;
        let is_asserting = case.draw(integers::<u8>().max_value(3)) == 3;
        let is_backwards = case.draw(any::<bool>());
        let mut pool = Pool::new();
        let fault = match self.subject {
            Subject::Faulty(fault) => Some(fault),
            _ => None,
        };
        let terms = Terms::new(&mut pool, &graph, fault);
        let conflicts_max = self.subject.conflicts_max();
        let solver = Solver::with_options(Options { conflicts_max, seed: is_spread.then_some(11) });
        let mut session = Session { pool, terms, solver, is_asserting };
        let mut indices: Vec<usize> = (0..path.claims.len()).collect();
        if is_backwards {
            indices.reverse();
        }
        for index in indices {
            let before = [&path.given[..], &path.claims[..index]].concat();
            self.query(family, &graph, &mut session, &before, negated[index]);
            self.bounds(case, &graph, &session, &before);
        }
        // The path itself has a model, and earlier queries must not change that.
        if let Some((last, before)) = path.claims.split_last() {
            let before = [&path.given[..], before].concat();
            self.query(family, &graph, &mut session, &before, *last);
        }
    }

    fn query(
        &mut self,
        family: Family,
        graph: &Graph,
        session: &mut Session,
        before: &[Id],
        wanted: Id,
    ) {
        let claims = [before, &[wanted]].concat();
        let script = script::query(graph, &claims);
        let start = Instant::now();
        let answer = self.answer(session, before, wanted);
        let ours = start.elapsed();
        if let Answer::Sat(model) = &answer {
            check_model(graph, session, &claims, model, &script);
        }
        let start = Instant::now();
        let is_asked = answer.model().is_none() || self.tally.asked().is_multiple_of(self.one_in);
        let said = is_asked.then(|| self.z3.ask(&script));
        self.tally.note(family, &answer, said, ours, start.elapsed());
        let differs = matches!(
            (&answer, said),
            (Answer::Sat(_), Some(Z3Answer::Unsat)) | (Answer::Unsat, Some(Z3Answer::Sat))
        );
        assert!(!differs, "the answer is {answer:?}, and z3 says {said:?} to\n{script}");
        if let Answer::Unknown(reason) = &answer {
            assert!(!reason.is_wrong_model(), "values that do not fit, of\n{script}");
        }
    }

    fn answer(&self, session: &mut Session, before: &[Id], wanted: Id) -> Answer {
        let of = |id: &Id| session.terms.of(*id);
        let (first, wanted): (Vec<Term>, Term) = (before.iter().map(of).collect(), of(&wanted));
        let (pool, solver) = (&mut session.pool, &mut session.solver);
        match self.subject {
            Subject::Forgetful => solver.check_assuming(pool, &[wanted]),
            Subject::Clinging => {
                let answer = solver.check_assuming(pool, &[&first[..], &[wanted]].concat());
                solver.assert(wanted);
                answer
            }
            Subject::Careless => {
                let answer = solver.check_assuming(pool, &[&first[..], &[wanted]].concat());
                answer.model().map_or(answer.clone(), |model| Answer::Sat(spoiled(model)))
            }
            _ if session.is_asserting => {
                solver.push();
                first.iter().for_each(|claim| solver.assert(*claim));
                let answer = solver.check_assuming(pool, &[wanted]);
                solver.pop();
                answer
            }
            _ => solver.check_assuming(pool, &[&first[..], &[wanted]].concat()),
        }
    }

    /// Checks `Bounds::infer` for some term: the hidden assignment is within the bounds, and z3
    /// finds no model outside of them.
    fn bounds(&mut self, case: &mut rebut::Case, graph: &Graph, session: &Session, claims: &[Id]) {
        if !matches!(self.subject, Subject::Ours { .. }) {
            return;
        }
        let id = case.draw(integers::<usize>().max_value(graph.nodes.len() - 1));
        let Sort::Bits(width) = graph.sort(id) else { return };
        let assumed: Vec<Term> = claims.iter().map(|claim| session.terms.of(*claim)).collect();
        let Some(bounds) = Bounds::infer(&session.pool, &assumed, session.terms.of(id)) else {
            return;
        };
        let at = graph.hidden[id];
        let is_within = (bounds.min..=bounds.max).contains(&at)
            && at & bounds.ones == bounds.ones
            && at & bounds.zeros == 0;
        assert!(
            is_within,
            "{at} is not in {bounds:?} of v{id} in\n{}",
            script::query(graph, claims)
        );
        let all = Bounds { min: 0, max: u128::MAX >> (128 - width), ones: 0, zeros: 0 };
        if bounds == all {
            return;
        }
        self.inferred += 1;
        if !self.inferred.is_multiple_of(self.one_in) {
            return;
        }
        let mut graph = graph.clone();
        let outside = outside(&mut graph, id, width, bounds);
        let script = script::query(&graph, &[claims, &[outside]].concat());
        let said = self.z3.ask(&script);
        self.tally.bounds += 1;
        assert!(said != Z3Answer::Sat, "{bounds:?} of v{id} are too narrow in\n{script}");
    }
}

/// Builds the claim that a node is outside of bounds.
fn outside(graph: &mut Graph, id: Id, width: u32, bounds: Bounds) -> Id {
    let [min, max, ones, zeros] = [bounds.min, bounds.max, bounds.ones, bounds.zeros]
        .map(|number| graph.constant(width, number));
    let (less, more) = (graph.apply(Op::Ult, &[id, min]), graph.apply(Op::Ult, &[max, id]));
    let (set, unset) = (graph.apply(Op::BvAnd, &[id, ones]), graph.apply(Op::BvAnd, &[id, zeros]));
    let zero = graph.constant(width, 0);
    let (has_ones, has_zeros) =
        (graph.apply(Op::Eq, &[set, ones]), graph.apply(Op::Eq, &[unset, zero]));
    let (no_ones, no_zeros) =
        (graph.apply(Op::Not, &[has_ones]), graph.apply(Op::Not, &[has_zeros]));
    let beyond = graph.apply(Op::Or, &[less, more]);
    let bits = graph.apply(Op::Or, &[no_ones, no_zeros]);
    graph.apply(Op::Or, &[beyond, bits])
}

/// Checks that a model satisfies the claims. A variable without a value may have any; zero, its
/// hidden value, which is what exploration uses, and the greatest value are tried.
fn check_model(graph: &Graph, session: &Session, claims: &[Id], model: &Model, script: &str) {
    let found = |id: Id| {
        let value = model.get(session.terms.of(id));
        value.map(|value| match value {
            Value::Bool(value) => u128::from(*value),
            Value::Bits(bits) => bits.unsigned(),
            other => panic!("{other} is no value of a bit-vector"),
        })
    };
    let fillings: [&dyn Fn(Id) -> u128; 3] =
        [&|_| 0, &|id| graph.hidden[id], &|id| native::cut(graph.sort(id), u128::MAX)];
    for filling in fillings {
        let values = graph.evaluate(|id| found(id).unwrap_or_else(|| filling(id)));
        let broken = claims.iter().find(|claim| values[**claim] != 1);
        let shown = |id: &Id| graph.nodes[*id].op == Op::Var;
        let assigned: Vec<String> = (0..graph.nodes.len())
            .filter(shown)
            .map(|id| format!("v{id} = {} (found: {:?})", values[id], found(id)))
            .collect();
        assert!(broken.is_none(), "{assigned:?} do not fit v{broken:?} in\n{script}");
    }
}

fn spoiled(model: &Model) -> Model {
    Model::new(model.iter().map(|(term, value)| {
        let value = match value {
            Value::Bits(bits) => {
                Value::Bits(rebut_smt::Bits::new(bits.width(), bits.unsigned().wrapping_add(1)))
            }
            other => other.clone(),
        };
        (term, value)
    }))
}
