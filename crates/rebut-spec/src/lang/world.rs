//! The state of an evaluation: names, variables, objects, assertions and constraints.

use super::item::Item;
use crate::diagnostic::Span;
use crate::ir::{Constraint, Environment, Expr, Op, Shape, Sort, VarId, Variable};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// The depth of nested objects. Arbitrary. Deeper objects are reported as containing themselves.
const DEPTH_MAX: usize = 60;

/// The state of an evaluation. Each `generate` starts with a copy of the global state.
#[derive(Clone, Debug, Default)]
pub(crate) struct World {
    pub(crate) names: HashMap<Arc<str>, Item>,
    /// Declared names, in order.
    pub(crate) declared: Vec<Arc<str>>,
    pub(crate) variables: Vec<Variable>,
    /// The fields of each object.
    pub(crate) objects: Vec<Vec<(Arc<str>, Item)>>,
    pub(crate) assertions: Vec<(Expr, Span)>,
    pub(crate) constraints: Vec<Constraint>,
}

impl World {
    /// Creates a variable.
    pub(crate) fn variable(
        &mut self,
        name: &str,
        sort: Sort,
        bounds: Option<(i128, i128)>,
    ) -> Expr {
        self.fresh(Variable { name: name.into(), sort, bounds, hidden: false })
    }

    /// Creates a variable that the file does not name.
    pub(crate) fn hidden(&mut self, name: &str, sort: Sort, bounds: Option<(i128, i128)>) -> VarId {
        let id = VarId(u32::try_from(self.variables.len()).unwrap_or(u32::MAX));
        self.fresh(Variable { name: name.into(), sort, bounds, hidden: true });
        id
    }

    fn fresh(&mut self, variable: Variable) -> Expr {
        let id = VarId(u32::try_from(self.variables.len()).unwrap_or(u32::MAX));
        let expr = Expr::var(id, variable.sort.clone());
        self.variables.push(variable);
        expr
    }

    /// Whether a name belongs to an Enum. Such names need no quotes.
    pub(crate) fn names_a_choice(&self, name: &str) -> bool {
        self.variables.iter().any(|variable| match &variable.sort {
            Sort::Enum(choices) => choices.names.iter().any(|choice| &**choice == name),
            _ => false,
        })
    }

    /// Returns a field of an object.
    pub(crate) fn field(&self, object: usize, name: &str) -> Option<&Item> {
        let fields = self.objects.get(object)?;
        fields.iter().find(|(field, _)| &**field == name).map(|(_, item)| item)
    }

    /// Converts an item to a shape. Returns `None` if the item is not a value or contains itself.
    pub(crate) fn shape(&self, item: &Item) -> Option<Shape> {
        self.shape_within(item, 0)
    }

    fn shape_within(&self, item: &Item, depth: usize) -> Option<Shape> {
        if depth > DEPTH_MAX {
            return None;
        }
        let inner = |item: &Item| self.shape_within(item, depth + 1);
        Some(match item {
            Item::Expr(expr) => Shape::Leaf(expr.clone()),
            Item::Symbol(name) => Shape::Leaf(Expr::str(name)),
            Item::Pattern(pattern) => Shape::Leaf(Expr::str(pattern.source())),
            Item::Object(object) => {
                let fields = self.objects.get(*object)?.iter();
                let fields: Option<Vec<_>> =
                    fields.map(|(name, item)| Some((name.clone(), inner(item)?))).collect();
                Shape::Object(fields?)
            }
            Item::Option { present, inner: item } => {
                Shape::Option { present: present.clone(), inner: Box::new(inner(item)?) }
            }
            Item::Either { which, alternatives } => {
                let each: Option<Vec<Shape>> = alternatives.iter().map(inner).collect();
                Shape::Either { which: which.clone(), alternatives: each? }
            }
            Item::Sequence { length, items } => {
                let items: Option<Vec<Shape>> = items.iter().map(inner).collect();
                Shape::List { length: length.clone(), items: items? }
            }
            Item::List(items) => {
                let shapes: Option<Vec<Shape>> = items.iter().map(inner).collect();
                Shape::List { length: Expr::int(items.len() as i128), items: shapes? }
            }
            _ => return None,
        })
    }

    /// Replaces each expression of an item. Objects are copied.
    pub(crate) fn map_item(&mut self, item: &Item, change: &dyn Fn(&Expr) -> Expr) -> Item {
        match item {
            Item::Expr(expr) => Item::Expr(change(expr)),
            Item::Option { present, inner } => Item::Option {
                present: change(present),
                inner: Box::new(self.map_item(inner, change)),
            },
            Item::Either { which, alternatives } => Item::Either {
                which: change(which),
                alternatives: alternatives.iter().map(|one| self.map_item(one, change)).collect(),
            },
            Item::Sequence { length, items } => Item::Sequence {
                length: change(length),
                items: items.iter().map(|item| self.map_item(item, change)).collect(),
            },
            Item::List(items) => {
                Item::List(items.iter().map(|item| self.map_item(item, change)).collect())
            }
            Item::Object(object) if *object < self.objects.len() && self.shape(item).is_some() => {
                let fields = self.objects[*object].clone();
                let fields = fields
                    .iter()
                    .map(|(name, item)| (name.clone(), self.map_item(item, change)))
                    .collect();
                self.objects.push(fields);
                Item::Object(self.objects.len() - 1)
            }
            other => other.clone(),
        }
    }

    /// Creates a copy of a value with new variables, for `?name`. The assertions about its
    /// variables are copied, too.
    pub(crate) fn instantiate(&mut self, item: &Item, name: &str) -> Option<Item> {
        let vars = self.shape(item)?.vars();
        let mut copies: BTreeMap<VarId, Expr> = BTreeMap::new();
        let common = vars
            .iter()
            .next()
            .and_then(|id| self.variables.get(id.index()))
            .map(|v| v.name.clone());
        for id in &vars {
            let mut variable = self.variables.get(id.index())?.clone();
            let tail = common
                .as_ref()
                .filter(|_| vars.len() > 1)
                .and_then(|_| variable.name.split_once('.'));
            variable.name = match tail {
                Some((_, tail)) => format!("{name}.{tail}").into(),
                None if vars.len() > 1 => format!("{name}.{}", variable.name).into(),
                None => name.into(),
            };
            copies.insert(*id, self.fresh(variable));
        }
        let replace = |expr: &Expr| {
            expr.substitute(&|op, _| match op {
                Op::Var(id) => copies.get(id).cloned(),
                _ => None,
            })
        };
        let about: Vec<(Expr, Span)> = self
            .assertions
            .iter()
            .filter(|(expr, _)| !expr.vars().is_disjoint(&vars))
            .map(|(expr, span)| (replace(expr), *span))
            .collect();
        self.assertions.extend(about);
        Some(self.map_item(item, &replace))
    }

    /// Creates the environment of a `generate`: its outputs, and everything connected with them.
    pub(crate) fn environment(
        &self,
        name: &Arc<str>,
        count: usize,
        outputs: &[Arc<str>],
    ) -> Environment {
        let mut shapes = Vec::new();
        for output in outputs {
            if let Some(shape) = self.names.get(output).and_then(|item| self.shape(item)) {
                shapes.push((output.clone(), shape));
            }
        }
        let mut all = Environment {
            name: name.clone(),
            count,
            variables: self.variables.clone(),
            outputs: shapes,
            assertions: self.assertions.clone(),
            constraint: Constraint::some(self.constraints.iter().cloned()),
        };
        prune(&mut all);
        all
    }
}

/// Removes the variables and assertions that are not connected with the outputs or the
/// constraint.
fn prune(environment: &mut Environment) {
    let mut wanted: BTreeSet<VarId> =
        environment.outputs.iter().flat_map(|(_, shape)| shape.vars()).collect();
    environment.constraint.for_each_expr(&mut |expr| {
        expr.collect_vars(&mut wanted);
    });
    environment.constraint.selectors(&mut wanted);
    let assertions = std::mem::take(&mut environment.assertions);
    let mut left: Vec<_> =
        assertions.into_iter().map(|(expr, span)| (expr.vars(), expr, span)).collect();
    loop {
        let before = left.len();
        let mut rest = Vec::new();
        for (vars, expr, span) in left {
            // An assertion without variables stays, because it may be false.
            if vars.is_empty() || !vars.is_disjoint(&wanted) {
                wanted.extend(&vars);
                environment.assertions.push((expr, span));
            } else {
                rest.push((vars, expr, span));
            }
        }
        left = rest;
        if left.len() == before {
            break;
        }
    }
    environment.assertions.sort_by_key(|(_, span)| *span);
    renumber(environment, &wanted);
}

/// Makes the indices of the remaining variables contiguous.
fn renumber(environment: &mut Environment, wanted: &BTreeSet<VarId>) {
    let ids: BTreeMap<VarId, VarId> =
        wanted.iter().zip(0_u32..).map(|(old, new)| (*old, VarId(new))).collect();
    let change = |expr: &Expr| {
        expr.substitute(&|op, sort| match op {
            Op::Var(id) => ids.get(id).map(|new| Expr::var(*new, sort.clone())),
            Op::Other(id) => {
                ids.get(id).map(|new| Expr::raw(Op::Other(*new), Vec::new(), sort.clone()))
            }
            _ => None,
        })
    };
    environment.variables =
        wanted.iter().filter_map(|id| environment.variables.get(id.index()).cloned()).collect();
    for (_, shape) in &mut environment.outputs {
        *shape = shape.map(&change);
    }
    for (expr, _) in &mut environment.assertions {
        *expr = change(expr);
    }
    environment.constraint =
        environment.constraint.map(&change, &|id| ids.get(&id).copied().unwrap_or(id));
}
