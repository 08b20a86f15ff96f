//! Describes plans for `cargo rebut generate --explain-plan`.

use super::Options;
use super::classes::Grouping;
use super::coupled::{self, Method};
use super::plan::Node;
use super::problem::{Decided, Problem};
use super::solve::{self, Choice, Encoding};
use crate::ir::{Environment, VarId, expr_text};
use crate::output::value_json;
use std::fmt::Write;

/// The number of arms that are described. Arbitrary. The others are only counted.
const ARMS_MAX: usize = 8;

/// Describes a plan, one step a line.
pub(crate) fn explain(environment: &Environment, node: &Node, options: &Options) -> String {
    let mut plan = PlanText { environment, options, text: String::new() };
    let _ = writeln!(plan.text, "{}: {} models", environment.name, environment.count);
    plan.node(node, 1);
    plan.text
}

/// A description that grows line by line.
struct PlanText<'a> {
    environment: &'a Environment,
    options: &'a Options,
    text: String,
}

impl PlanText<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(depth));
    }

    fn name(&self, id: VarId) -> String {
        self.environment
            .variable(id)
            .map_or_else(|| format!("v{}", id.0), |variable| format!("`{}`", variable.name))
    }

    fn nodes(&mut self, nodes: &[Node], depth: usize) {
        for node in nodes {
            self.node(node, depth);
        }
    }

    fn node(&mut self, node: &Node, depth: usize) {
        match node {
            Node::Empty(why) => self.line(depth, &format!("nothing: {why}")),
            Node::Unit => self.line(depth, "nothing to decide"),
            Node::Decided(decided, inner) => {
                let known: Vec<String> =
                    decided.iter().map(|(id, decided)| self.decided(*id, decided)).collect();
                self.line(depth, &format!("known: {}", known.join(", ")));
                self.node(inner, depth);
            }
            Node::Classes(classes) => {
                let name = self.name(classes.id);
                let how = match &classes.grouping {
                    Grouping::Value => "different values".to_owned(),
                    Grouping::Length => "one string for each length".to_owned(),
                    Grouping::Distance(distance) => format!("steps of {distance}"),
                    Grouping::EditDistance(edits) => {
                        format!("strings at least {edits} edits apart, chosen greedily")
                    }
                    Grouping::TimeZone => "one location for each time zone".to_owned(),
                    Grouping::Structure(pattern, _) => {
                        format!("one string for each way through {pattern}")
                    }
                    Grouping::Expression(subject) => {
                        format!(
                            "one value for each {}",
                            expr_text(subject, &self.environment.variables)
                        )
                    }
                };
                let domain = classes.domain.describe(&classes.sort);
                let filter = if classes.filter.is_empty() { "" } else { ", tried one by one" };
                self.line(depth, &format!("list {name}: {how}, of {domain}{filter}"));
            }
            Node::Same(inner) => {
                self.line(depth, "the same in all models:");
                self.node(inner, depth + 1);
            }
            Node::One(inner) => {
                self.line(depth, "just one model:");
                self.node(inner, depth + 1);
            }
            Node::Sum(arms) => {
                self.line(
                    depth,
                    &format!("in turn, from {} kinds that always differ:", arms.len()),
                );
                for (at, (_, arm)) in arms.iter().enumerate().take(ARMS_MAX) {
                    self.line(depth, &format!("- kind {}", at + 1));
                    self.node(arm, depth + 1);
                }
                if arms.len() > ARMS_MAX {
                    self.line(depth, &format!("- and {} more", arms.len() - ARMS_MAX));
                }
            }
            Node::Product(factors) => {
                self.line(depth, "all combinations, because one difference is enough:");
                self.nodes(factors, depth + 1);
            }
            Node::Zip(factors) => {
                if !factors.is_empty() {
                    self.line(depth, "one of each, because all must differ:");
                    self.nodes(factors, depth + 1);
                }
            }
            Node::Combine(strength, parts) => {
                self.line(
                    depth,
                    &format!("rows in which each combination of any {strength} of these occurs:"),
                );
                self.nodes(parts, depth + 1);
            }
            Node::With(main, free) => {
                self.node(main, depth);
                self.line(depth, "with values that do not matter, in turn:");
                self.nodes(free, depth + 1);
            }
            Node::Coupled(problem) => {
                let names: Vec<String> = problem.vars.iter().map(|id| self.name(*id)).collect();
                let how = self.method(problem);
                self.line(depth, &format!("{} are coupled; {how}:", names.join(", ")));
                for assertion in &problem.assertions {
                    let text = expr_text(assertion, &self.environment.variables);
                    self.line(depth + 1, &text);
                }
            }
        }
    }

    fn method(&self, problem: &Problem) -> String {
        match coupled::method(self.environment, problem, self.options, 0) {
            Method::Search => "all combinations are tried".to_owned(),
            Method::Cases(id, values) => {
                format!("each of the {} values of {} is tried", values.len(), self.name(id))
            }
            Method::Sample(id) => {
                format!("values of {} are generated, and the rest is enumerated", self.name(id))
            }
            Method::Solve => self.solver_method(problem),
        }
    }

    /// Which solver is queried, and in which encoding.
    fn solver_method(&self, problem: &Problem) -> String {
        let who = match &self.options.solver {
            Some(command) => format!("`{command}`"),
            None => "the embedded solver".to_owned(),
        };
        let count = self.options.count.unwrap_or(self.environment.count);
        let Choice { encoding, why } =
            solve::choose(problem, self.options, solve::dialect(self.options), count);
        let how = match encoding {
            Encoding::Loop => "one model after the other",
            Encoding::Distinct => "all models at once, with `distinct`",
            Encoding::AllAtOnce => "all models at once",
        };
        format!("{who} is queried for {how} ({why})")
    }

    fn decided(&self, id: VarId, decided: &Decided) -> String {
        match decided {
            Decided::SameAs(other) => format!("{} = {}", self.name(id), self.name(*other)),
            Decided::Value(value) => {
                let sort = self.environment.variable(id).map(|variable| variable.sort.clone());
                let shown =
                    sort.map_or_else(String::new, |sort| value_json(value, &sort).to_string());
                format!("{} = {shown}", self.name(id))
            }
        }
    }
}
