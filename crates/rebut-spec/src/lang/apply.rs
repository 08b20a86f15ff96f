//! Calls of functions, with the subject for a missing argument.

use super::interpret::Interpreter;
use super::item::{Difference, Function, Item, Scope};
use crate::diagnostic::Span;
use crate::ir::{Arm, Constraint, Expr, Relation, Sort};
use crate::syntax::Datum;

/// The spans of a call and its arguments, for messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a> {
    pub(crate) name: &'static str,
    pub(crate) span: Span,
    pub(crate) spans: &'a [Span],
}

impl Call<'_> {
    /// The span of an argument.
    pub(crate) fn at(&self, argument: usize) -> Span {
        self.spans.get(argument).copied().unwrap_or(self.span)
    }
}

impl Interpreter<'_> {
    /// Calls a function. Adds the subject to the arguments if one is missing.
    pub(crate) fn apply(
        &mut self,
        function: &Item,
        mut arguments: Vec<Item>,
        spans: &[Span],
        span: Span,
        subject: Option<&Item>,
    ) -> Item {
        let mut spans = spans.to_vec();
        if let Some(subject) =
            subject.filter(|subject| wants_subject(function, &arguments, subject))
        {
            let last = matches!(function, Item::Builtin(builtin) if builtin.is_subject_last);
            let at = if last { arguments.len() } else { 0 };
            arguments.insert(at, subject.clone());
            spans.insert(at, span);
        }
        if function.is_poison() || arguments.iter().any(Item::is_poison) {
            return Item::Poison;
        }
        match function {
            Item::Builtin(builtin) => {
                let count = arguments.len();
                if count < builtin.min || count > builtin.max {
                    let message =
                        format!("`{}` takes {}, not {count}", builtin.names[0], builtin.arity());
                    return self.error(span, message, &format!("write {}", builtin.usage));
                }
                let call = Call { name: builtin.names[0], span, spans: &spans };
                (builtin.run)(self, call, arguments)
            }
            Item::Function(function) => self.apply_function(function, arguments, &spans, span),
            other => {
                let message = format!("{} cannot be called", other.kind());
                self.error(span, message, "a list starts with a function; data is written '(a b c)")
            }
        }
    }

    fn apply_function(
        &mut self,
        function: &Function,
        arguments: Vec<Item>,
        spans: &[Span],
        span: Span,
    ) -> Item {
        match function {
            Function::Partial { function, arguments: first } => {
                let mut spans = spans.to_vec();
                spans.splice(0..0, first.iter().map(|_| span));
                let all = first.iter().cloned().chain(arguments).collect();
                self.apply(function, all, &spans, span, None)
            }
            Function::Closure { name, parameters, body, scope } => {
                if parameters.len() != arguments.len() {
                    let message = format!(
                        "`{name}` takes {} arguments, not {}",
                        parameters.len(),
                        arguments.len()
                    );
                    return self.error(
                        span,
                        message,
                        &format!("write ({name} {})", parameters.join(" ")),
                    );
                }
                self.call_closure(parameters, body, scope, arguments, span)
            }
        }
    }

    /// Evaluates `enumerate*`, over assertions and constraints, or `enumerate-linear`, over
    /// assertions.
    pub(crate) fn enumerate(
        &mut self,
        name: &str,
        rest: &[Datum],
        span: Span,
        scope: &Scope,
        subject: Option<&Item>,
    ) -> Item {
        let lists: Vec<Item> =
            rest.iter().map(|datum| self.eval_about(datum, scope, subject)).collect();
        let (assertions, constraints) = match (name, lists.as_slice()) {
            ("enumerate-linear", [Item::List(assertions)]) => (assertions.clone(), None),
            ("enumerate*", [Item::List(assertions), Item::List(constraints)]) => {
                (assertions.clone(), Some(constraints.clone()))
            }
            (_, lists) if lists.iter().any(Item::is_poison) => return Item::Poison,
            ("enumerate-linear", _) => {
                return self.error(
                    span,
                    "`enumerate-linear` takes a list of assertions",
                    "write (enumerate-linear (list a1 a2))",
                );
            }
            _ => {
                return self.error(
                    span,
                    "`enumerate*` takes a list of assertions and a list of constraints",
                    "write (enumerate* (list a1 a2) (list c1 c2))",
                );
            }
        };
        if let Some(constraints) = &constraints
            && constraints.len() != assertions.len()
        {
            let message = format!(
                "there are {} assertions and {} constraints",
                assertions.len(),
                constraints.len()
            );
            return self.error(
                span,
                message,
                "give each assertion the constraint for models that satisfy it",
            );
        }
        let first = rest[0].span;
        let second = rest.get(1).map_or(first, |datum| datum.span);
        let mut arms = Vec::new();
        for (at, item) in assertions.iter().enumerate() {
            let Some(assertion) = self.assertion(item, first, subject) else { return Item::Poison };
            let constraint = match constraints.as_ref().map(|constraints| &constraints[at]) {
                Some(item) => match self.constraint(item, second, subject) {
                    Some(constraint) => constraint,
                    None => return Item::Poison,
                },
                None => Constraint::Never,
            };
            arms.push(Arm { assertion, constraint });
        }
        if arms.is_empty() {
            return self.error(
                span,
                "there is nothing to enumerate",
                "give at least one assertion",
            );
        }
        Item::constraint(self.choice(arms))
    }

    /// Creates a choice with a new selector.
    pub(crate) fn choice(&mut self, arms: Vec<Arm>) -> Constraint {
        let last = arms.len() as i128 - 1;
        let name = format!("choice {}", self.world.variables.len());
        let selector = self.world.hidden(&name, Sort::Int, Some((0, last)));
        Constraint::Choice { selector, arms }
    }

    /// Creates the constraint that a function of two arguments holds for the subject's values in
    /// this model and in the other.
    pub(crate) fn custom(
        &mut self,
        function: &Item,
        subject: &Item,
        span: Span,
    ) -> Option<Constraint> {
        let other = self.world.map_item(subject, &Expr::of_other);
        let item = self.apply(function, vec![subject.clone(), other], &[span, span], span, None);
        self.assertion(&item, span, None).map(Constraint::custom)
    }

    /// Applies a difference to its subject.
    pub(crate) fn difference(
        &mut self,
        difference: &Difference,
        subject: &Item,
        span: Span,
    ) -> Option<Constraint> {
        match difference {
            Difference::Relation(relation) => {
                self.relate(relation, subject, &Expr::bool(true), span)
            }
            Difference::Regexp(pattern, mode) => self.cover_regexp(subject, pattern, *mode, span),
            Difference::Json => self.cover_json(subject, span),
            Difference::Enum => self.cover_enum(subject, span),
            Difference::Boundaries => self.cover_boundaries(subject, span),
        }
    }

    /// Relates the values of a subject. A value inside an Option is guarded by its presence.
    fn relate(
        &mut self,
        relation: &Relation,
        subject: &Item,
        guard: &Expr,
        span: Span,
    ) -> Option<Constraint> {
        match (subject, relation) {
            (Item::Poison, _) => None,
            (Item::Option { present, inner }, _) => {
                let guard = Expr::and([guard.clone(), present.clone()]);
                self.relate(relation, inner, &guard, span)
            }
            (
                Item::Object(_) | Item::Either { .. } | Item::Sequence { .. } | Item::List(_),
                Relation::NotEqual,
            ) => self.world.shape(subject).map(|shape| crate::ir::not_equal(&shape)),
            (Item::Sequence { length, .. }, Relation::DifferentLengths) => {
                Some(Constraint::Relate {
                    subject: length.clone(),
                    guard: guard.clone(),
                    relation: Relation::NotEqual,
                })
            }
            (Item::Expr(expr), _) => {
                let wanted = match relation {
                    Relation::NotEqual => true,
                    Relation::DifferentLengths | Relation::EditDistance(_) => {
                        *expr.sort() == Sort::Str
                    }
                    Relation::NumericDistance(_) => expr.sort().is_numeric(),
                    Relation::DifferentTimeZones => *expr.sort() == Sort::Location,
                };
                if !wanted {
                    self.wrong_relation(relation, subject, span);
                    return None;
                }
                Some(Constraint::Relate {
                    subject: expr.clone(),
                    guard: guard.clone(),
                    relation: relation.clone(),
                })
            }
            _ => {
                self.wrong_relation(relation, subject, span);
                None
            }
        }
    }

    fn wrong_relation(&mut self, relation: &Relation, subject: &Item, span: Span) {
        let (name, help) = match relation {
            Relation::NotEqual => ("not-equal", "it is for values that are left blank"),
            Relation::DifferentLengths => ("different-lengths", "it is for a String or a List"),
            Relation::NumericDistance(_) => {
                ("numeric-distance", "it is for an Integer, a Real, a Date or a Day")
            }
            Relation::EditDistance(_) => ("edit-distance", "it is for a String"),
            Relation::DifferentTimeZones => ("different-time-zones", "it is for a Location"),
        };
        self.error(span, format!("`{name}` cannot be applied to {}", subject.kind()), help);
    }
}

/// Whether the subject has to be added to the arguments.
fn wants_subject(function: &Item, arguments: &[Item], subject: &Item) -> bool {
    let count = arguments.len();
    match function {
        Item::Builtin(builtin) if builtin.takes_subject => {
            let names_it = arguments.first().is_some_and(|first| same(first, subject));
            count < builtin.max
                && (count < builtin.min
                    || (builtin.max == usize::MAX && builtin.is_variadic && !names_it))
        }
        Item::Function(function) => match &**function {
            Function::Closure { parameters, .. } => parameters.len() == count + 1,
            Function::Partial { function, arguments: first } => {
                let all: Vec<Item> = first.iter().chain(arguments).cloned().collect();
                // The subject follows the bound arguments, if exactly one argument is missing.
                matches!(function, Item::Function(f) if matches!(&**f,
                    Function::Closure { parameters, .. } if parameters.len() == all.len() + 1))
            }
        },
        _ => false,
    }
}

fn same(left: &Item, right: &Item) -> bool {
    match (left, right) {
        (Item::Expr(left), Item::Expr(right)) => left == right,
        (Item::Object(left), Item::Object(right)) => left == right,
        _ => false,
    }
}
