//! The interpreter: evaluates an expression to an [`Item`].
//!
//! Three ideas make the language more than a Lisp.
//!
//! **Blanks.** `?Integer` creates a variable. An operation on known values is computed; an
//! operation on a blank becomes an expression over its variable. So `(+ 1 2)` is 3, and
//! `(+ x 1)` is the expression `x + 1`. A condition that is known chooses its branch. One
//! that is not makes both branches evaluate, and the result is an if-then-else expression.
//!
//! **Subjects.** In `(specify hours (gte 0))`, the assertion has one argument too few: the
//! subject `hours` takes its place, as in `(gte hours 0)`. The subject is passed down through
//! `and`, `or`, `not`, `list` and similar forms ([`Interpreter::eval_about`]), but not into the
//! arguments of a call. `apply.rs` decides whether a call lacks an argument.
//!
//! **Poison.** An error is reported where it occurs and yields [`Item::Poison`]. Every operation
//! on poison is poison and reports nothing. So evaluation goes on, one run reports all errors,
//! and none is the consequence of another.
//!
//! Programs may not terminate, so steps and the depth of calls are limited. Forms, whose
//! arguments are not all evaluated, are handled here; functions are in `builtins.rs`.

use super::item::{Function, Item, Scope};
use super::world::World;
use crate::diagnostic::{Diagnostic, Span, nearest};
use crate::ir::{Constraint, Expr, Sort};
use crate::syntax::{Datum, DatumKind};
use std::sync::Arc;

/// The number of expressions that a program may evaluate. Arbitrary. At the limit evaluation
/// stops with an error.
const STEPS_MAX: usize = 3_000_000;

/// The depth of nested calls. Arbitrary; the stack of the thread must be large enough for it
/// (`program.rs`). At the limit evaluation stops with an error.
const DEPTH_MAX: usize = 500;

/// Evaluates a program and collects its errors.
#[derive(Debug)]
pub(crate) struct Interpreter<'a> {
    pub(crate) world: World,
    pub(crate) diagnostics: &'a mut Vec<Diagnostic>,
    steps: usize,
    depth: usize,
    /// Set at a limit. From then on, every expression is poison.
    is_aborted: bool,
}

impl<'a> Interpreter<'a> {
    pub(crate) fn new(world: World, diagnostics: &'a mut Vec<Diagnostic>) -> Self {
        Self { world, diagnostics, steps: 0, depth: 0, is_aborted: false }
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        // A function that is called several times reports its error once.
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    pub(crate) fn error(&mut self, span: Span, message: impl Into<String>, help: &str) -> Item {
        self.report(Diagnostic::error(span, message).help(help));
        Item::Poison
    }

    /// Counts a step. Returns `false` at a limit.
    fn step(&mut self, span: Span) -> bool {
        self.steps += 1;
        if self.is_aborted {
            return false;
        }
        if self.steps > STEPS_MAX || self.depth > DEPTH_MAX {
            self.is_aborted = true;
            self.error(
                span,
                "this never ends",
                "a recursive function needs a case without recursion",
            );
            return false;
        }
        true
    }

    /// Evaluates an expression without a subject.
    pub(crate) fn eval(&mut self, datum: &Datum, scope: &Scope) -> Item {
        self.eval_about(datum, scope, None)
    }

    /// Evaluates an expression with a subject, which replaces a missing argument: `hours` in
    /// `(specify hours (gte 0))`.
    pub(crate) fn eval_about(
        &mut self,
        datum: &Datum,
        scope: &Scope,
        subject: Option<&Item>,
    ) -> Item {
        if !self.step(datum.span) {
            return Item::Poison;
        }
        match &datum.kind {
            DatumKind::Symbol(name) => self.name(name, datum.span, scope),
            DatumKind::Int(number) => Item::int(*number),
            DatumKind::Real(number) => Item::Expr(Expr::constant(*number, Sort::Real)),
            DatumKind::Bool(value) => Item::bool(*value),
            DatumKind::Str(text) => Item::str(text),
            DatumKind::Regex(text) => match self.pattern_from_text(text, datum.span, true) {
                Some(pattern) => Item::Pattern(pattern),
                None => Item::Poison,
            },
            DatumKind::Blank(inner) => match self.type_of(inner) {
                Some(blank) => self.blank(&blank, &inner.to_string()),
                None => Item::Poison,
            },
            DatumKind::Quote(inner) => quoted(inner),
            DatumKind::List(items) => self.list(items, datum.span, scope, subject),
            DatumKind::Broken => Item::Poison,
        }
    }

    fn list(&mut self, items: &[Datum], span: Span, scope: &Scope, subject: Option<&Item>) -> Item {
        let Some((head, rest)) = items.split_first() else {
            return Item::list(Vec::new());
        };
        if let Some(name) = head.symbol()
            && scope.get(name).is_none()
            && !self.world.names.contains_key(name)
            && let Some(item) = self.form(name, rest, span, scope, subject)
        {
            return item;
        }
        let function = self.callee(head, rest, scope);
        let arguments: Vec<Item> = rest.iter().map(|argument| self.eval(argument, scope)).collect();
        let spans: Vec<Span> = rest.iter().map(|argument| argument.span).collect();
        self.apply(&function, arguments, &spans, span, subject)
    }

    /// Evaluates the head of a list. A name such as `cover-json` is both a constant, which waits
    /// for its subject, and a function; here it is the function if there are enough arguments.
    fn callee(&mut self, head: &Datum, rest: &[Datum], scope: &Scope) -> Item {
        match head.symbol() {
            Some(name) if scope.get(name).is_none() && !self.world.names.contains_key(name) => {
                match super::builtins::find(name) {
                    Some(builtin) if rest.len() >= builtin.min => Item::Builtin(builtin),
                    _ => self.eval(head, scope),
                }
            }
            _ => self.eval(head, scope),
        }
    }

    /// Evaluates a form: a list whose items are not all evaluated, or that passes the subject on.
    /// Returns `None` if the name is not a form.
    fn form(
        &mut self,
        name: &str,
        rest: &[Datum],
        span: Span,
        scope: &Scope,
        subject: Option<&Item>,
    ) -> Option<Item> {
        Some(match name {
            "λ" | "lambda" => self.lambda(rest, span, scope),
            "if" | "ite" => self.conditional(rest, span, scope, subject),
            "cond" => self.cond(rest, span, scope, subject),
            "let" | "let*" => self.let_in(rest, span, scope, subject),
            "match" => self.match_on(rest, span, scope),
            "quote" => rest.first().map_or(Item::Poison, quoted),
            "and" | "∧" => {
                let parts = self.bools(rest, scope, subject);
                parts.map_or(Item::Poison, |parts| Item::Expr(Expr::and(parts)))
            }
            "or" | "∨" => {
                let parts = self.bools(rest, scope, subject);
                parts.map_or(Item::Poison, |parts| Item::Expr(Expr::or(parts)))
            }
            "not" | "¬" => self.negation(rest, span, scope, subject),
            "implies" | "=>" => match self.bools(rest, scope, subject).as_deref() {
                Some([condition, then]) => Item::Expr(condition.clone().implies(then.clone())),
                Some(_) => self.error(
                    span,
                    "`implies` takes two assertions",
                    "write (implies condition then)",
                ),
                None => Item::Poison,
            },
            "all-of" => self
                .constraints(rest, scope, subject)
                .map_or(Item::Poison, |parts| Item::constraint(Constraint::all(parts))),
            "some-of" => self
                .constraints(rest, scope, subject)
                .map_or(Item::Poison, |parts| Item::constraint(Constraint::some(parts))),
            "combine" => self.combine(rest, span, scope, subject),
            "list" => Item::List(
                rest.iter().map(|datum| self.eval_about(datum, scope, subject)).collect(),
            ),
            "enumerate*" | "enumerate-linear" => self.enumerate(name, rest, span, scope, subject),
            "with" => self.field_of(rest, span, scope),
            "get" | "field" => self.get(rest, span, scope),
            "evaluate" => self.of_other(rest, span, scope),
            _ => return None,
        })
    }

    /// Evaluates expressions to assertions.
    fn bools(
        &mut self,
        rest: &[Datum],
        scope: &Scope,
        subject: Option<&Item>,
    ) -> Option<Vec<Expr>> {
        let parts: Vec<Option<Expr>> = rest
            .iter()
            .map(|datum| {
                let item = self.eval_about(datum, scope, subject);
                self.assertion(&item, datum.span, subject)
            })
            .collect();
        parts.into_iter().collect()
    }

    /// Evaluates expressions to constraints.
    fn constraints(
        &mut self,
        rest: &[Datum],
        scope: &Scope,
        subject: Option<&Item>,
    ) -> Option<Vec<Constraint>> {
        let parts: Vec<Option<Constraint>> = rest
            .iter()
            .map(|datum| {
                let item = self.eval_about(datum, scope, subject);
                self.constraint(&item, datum.span, subject)
            })
            .collect();
        parts.into_iter().collect()
    }

    /// `not` negates an assertion or a constraint.
    fn negation(
        &mut self,
        rest: &[Datum],
        span: Span,
        scope: &Scope,
        subject: Option<&Item>,
    ) -> Item {
        let [datum] = rest else {
            return self.error(span, "`not` takes one assertion or constraint", "write (not a)");
        };
        let item = self.eval_about(datum, scope, subject);
        match &item {
            Item::Difference(_) | Item::Constraint(_) => {
                match self.constraint(&item, datum.span, subject) {
                    Some(constraint) => Item::constraint(Constraint::Not(Box::new(constraint))),
                    None => Item::Poison,
                }
            }
            _ => self
                .assertion(&item, datum.span, subject)
                .map_or(Item::Poison, |expr| Item::Expr(expr.not())),
        }
    }

    /// `(combine pairwise c ..)` or `(combine 3 c ..)`.
    fn combine(
        &mut self,
        rest: &[Datum],
        span: Span,
        scope: &Scope,
        subject: Option<&Item>,
    ) -> Item {
        let strength = match rest.first().map(|datum| &datum.kind) {
            Some(DatumKind::Symbol(name)) if &**name == "pairwise" => 2,
            Some(DatumKind::Int(number)) if (1..=6).contains(number) => *number as usize,
            _ => {
                return self.error(
                    span,
                    "`combine` starts with how many are combined",
                    "write (combine pairwise c ..) or (combine 3 c ..)",
                );
            }
        };
        match self.constraints(&rest[1..], scope, subject) {
            Some(parts) if parts.len() >= 2 => {
                Item::constraint(Constraint::Combine { strength, parts })
            }
            Some(_) => self.error(
                span,
                "`combine` needs at least two constraints",
                "write (combine pairwise (relation a not-equal) (relation b not-equal))",
            ),
            None => Item::Poison,
        }
    }

    fn lambda(&mut self, rest: &[Datum], span: Span, scope: &Scope) -> Item {
        let [parameters, body @ ..] = rest else {
            return self.error(
                span,
                "a function needs parameters and a body",
                "write (λ (x) (< x 100))",
            );
        };
        match self.parameters(parameters) {
            Some(parameters) => Item::Function(Arc::new(Function::Closure {
                name: "λ".into(),
                parameters,
                body: body.into(),
                scope: scope.clone(),
            })),
            None => Item::Poison,
        }
    }

    /// Reads the names of a list of parameters.
    pub(crate) fn parameters(&mut self, datum: &Datum) -> Option<Vec<Arc<str>>> {
        let names: Option<Vec<Arc<str>>> = datum
            .list()
            .and_then(|items| items.iter().map(|item| item.symbol().map(Arc::from)).collect());
        if names.is_none() {
            self.error(datum.span, "these are not parameters", "write names in parentheses: (x y)");
        }
        names
    }

    /// `ite`: evaluates only the chosen branch if the condition is known.
    fn conditional(
        &mut self,
        rest: &[Datum],
        span: Span,
        scope: &Scope,
        subject: Option<&Item>,
    ) -> Item {
        let [condition, then, otherwise] = rest else {
            return self.error(
                span,
                "`ite` takes a condition and two alternatives",
                "write (ite condition then else)",
            );
        };
        let item = self.eval_about(condition, scope, subject);
        let Some(condition) = self.assertion(&item, condition.span, subject) else {
            return Item::Poison;
        };
        if condition.is_true() {
            return self.eval_about(then, scope, subject);
        }
        if condition.is_false() {
            return self.eval_about(otherwise, scope, subject);
        }
        let first = self.eval_about(then, scope, subject);
        let second = self.eval_about(otherwise, scope, subject);
        self.choose(condition, (first, then.span), (second, otherwise.span), subject)
    }

    /// Combines two branches by a condition that is not known.
    fn choose(
        &mut self,
        condition: Expr,
        first: (Item, Span),
        second: (Item, Span),
        subject: Option<&Item>,
    ) -> Item {
        match (&first.0, &second.0) {
            (Item::Poison, _) | (_, Item::Poison) => Item::Poison,
            (Item::Expr(a), Item::Expr(b)) if *a.sort() != Sort::Bool => {
                match self.same_sort(a, b, second.1) {
                    Some((a, b)) => Item::Expr(Expr::ite(condition, a, b)),
                    None => Item::Poison,
                }
            }
            _ => {
                let then = self.assertion(&first.0, first.1, subject);
                let otherwise = self.assertion(&second.0, second.1, subject);
                match then.zip(otherwise) {
                    Some((then, otherwise)) => Item::Expr(Expr::ite(condition, then, otherwise)),
                    None => Item::Poison,
                }
            }
        }
    }

    fn cond(&mut self, rest: &[Datum], span: Span, scope: &Scope, subject: Option<&Item>) -> Item {
        let Some((first, others)) = rest.split_first() else {
            return self.error(span, "no condition of this `cond` is true", "end with [else ..]");
        };
        let Some([condition, then]) = first.list() else {
            return self.error(
                first.span,
                "a case of `cond` is a condition and a value",
                "write [condition value]",
            );
        };
        if condition.symbol() == Some("else") {
            return self.eval_about(then, scope, subject);
        }
        let item = self.eval_about(condition, scope, subject);
        let Some(holds) = self.assertion(&item, condition.span, subject) else {
            return Item::Poison;
        };
        if holds.is_true() {
            return self.eval_about(then, scope, subject);
        }
        if holds.is_false() {
            return self.cond(others, span, scope, subject);
        }
        let first = self.eval_about(then, scope, subject);
        let second = self.cond(others, span, scope, subject);
        self.choose(holds, (first, then.span), (second, span), subject)
    }

    fn let_in(
        &mut self,
        rest: &[Datum],
        span: Span,
        scope: &Scope,
        subject: Option<&Item>,
    ) -> Item {
        let Some((bindings, body)) = rest.split_first() else {
            return self.error(span, "`let` needs names and a body", "write (let ([x 1]) (< x y))");
        };
        let mut scope = scope.clone();
        for binding in bindings.list().unwrap_or_default() {
            match binding.list() {
                Some([name, value]) if name.symbol().is_some() => {
                    let item = self.eval(value, &scope);
                    scope = scope.with(name.symbol().unwrap_or_default().into(), item);
                }
                _ => {
                    self.error(binding.span, "this binds no name", "write [name value]");
                }
            }
        }
        self.body_about(body, span, &scope, subject)
    }

    /// Evaluates a body: definitions, then an expression.
    pub(crate) fn body(&mut self, body: &[Datum], span: Span, scope: &Scope) -> Item {
        self.body_about(body, span, scope, None)
    }

    fn body_about(
        &mut self,
        body: &[Datum],
        span: Span,
        scope: &Scope,
        subject: Option<&Item>,
    ) -> Item {
        let mut scope = scope.clone();
        let Some((last, before)) = body.split_last() else {
            return self.error(span, "expected a value here", "end with an expression");
        };
        for datum in before {
            match datum.head() {
                Some("define" | "define-relation") => {
                    if let Some((name, item)) = self.definition(datum, &scope) {
                        scope = scope.with(name, item);
                    }
                }
                _ => {
                    self.error(
                        datum.span,
                        "this value is not used",
                        "only definitions can precede the last expression",
                    );
                }
            }
        }
        self.eval_about(last, &scope, subject)
    }

    /// Evaluates `(define name value)` or `(define (name parameters ..) body)`.
    pub(crate) fn definition(&mut self, datum: &Datum, scope: &Scope) -> Option<(Arc<str>, Item)> {
        let items = datum.list().unwrap_or_default();
        match items {
            [_, name, value] if name.symbol().is_some() => {
                let item = self.eval(value, scope);
                Some((name.symbol()?.into(), item))
            }
            [_, header, body @ ..] if header.head().is_some() && !body.is_empty() => {
                let name: Arc<str> = header.head()?.into();
                let parameters = header.list()?.iter().skip(1);
                let names: Option<Vec<Arc<str>>> =
                    parameters.map(|p| p.symbol().map(Arc::from)).collect();
                let Some(parameters) = names else {
                    self.error(
                        header.span,
                        "parameters are names",
                        "write (define (name x y) body)",
                    );
                    return None;
                };
                let scope = scope.clone();
                let function =
                    Function::Closure { name: name.clone(), parameters, body: body.into(), scope };
                Some((name, Item::Function(Arc::new(function))))
            }
            _ => {
                self.error(
                    datum.span,
                    "this defines nothing",
                    "write (define name value) or (define (name x) body)",
                );
                None
            }
        }
    }

    /// Looks up a name: local, global, constant, function, field path, name of an Enum.
    fn name(&mut self, name: &Arc<str>, span: Span, scope: &Scope) -> Item {
        if let Some(item) = scope.get(name).or_else(|| self.world.names.get(name)) {
            return item.clone();
        }
        if let Some(item) = super::builtins::constant(name) {
            return item;
        }
        if let Some(builtin) = super::builtins::find(name) {
            return Item::Builtin(builtin);
        }
        if let Some((object, path)) = name.split_once('.')
            && let Some(item) = scope.get(object).or_else(|| self.world.names.get(object)).cloned()
        {
            return path.split('.').fold(item, |item, field| self.field_named(&item, field, span));
        }
        if self.world.names_a_choice(name) {
            return Item::Symbol(name.clone());
        }
        self.unknown(name, span)
    }

    fn unknown(&mut self, name: &str, span: Span) -> Item {
        let declared: Vec<Arc<str>> = self.world.names.keys().cloned().collect();
        let known = declared.iter().map(|name| &**name).chain(super::builtins::names());
        let help = nearest(name, known).map(|near| format!("did you mean `{near}`?"));
        let help =
            help.unwrap_or_else(|| format!("declare it before it is used: (declare {name} ..)"));
        self.report(Diagnostic::error(span, format!("unknown name `{name}`")).help(help));
        Item::Poison
    }

    /// Returns a field of an object. A field of an Option is an Option.
    pub(crate) fn field_named(&mut self, item: &Item, name: &str, span: Span) -> Item {
        match item {
            Item::Poison => Item::Poison,
            Item::Object(object) => match self.world.field(*object, name).cloned() {
                Some(field) => field,
                None => {
                    let fields: Vec<Arc<str>> = self.world.objects[*object]
                        .iter()
                        .map(|(field, _)| field.clone())
                        .collect();
                    let near = nearest(name, fields.iter().map(|field| &**field));
                    let help = match near {
                        Some(near) => format!("did you mean `{near}`?"),
                        None if fields.is_empty() => {
                            "give it fields with (specify object (with name ..))".to_owned()
                        }
                        None => format!("its fields are {}", fields.join(", ")),
                    };
                    self.error(span, format!("unknown field `{name}`"), &help)
                }
            },
            Item::Option { present, inner } => match self.field_named(inner, name, span) {
                Item::Poison => Item::Poison,
                Item::Option { present: deeper, inner } => {
                    Item::Option { present: Expr::and([present.clone(), deeper]), inner }
                }
                other => Item::Option { present: present.clone(), inner: Box::new(other) },
            },
            other => {
                let message = format!("{} has no fields", other.kind());
                self.error(span, message, "only objects have fields")
            }
        }
    }

    fn get(&mut self, rest: &[Datum], span: Span, scope: &Scope) -> Item {
        match rest {
            [object, field] => {
                let item = self.eval(object, scope);
                let name = field.symbol().map(str::to_owned).or_else(|| match &field.kind {
                    DatumKind::Str(text) => Some(text.to_string()),
                    _ => None,
                });
                match name {
                    Some(name) => self.field_named(&item, &name, field.span),
                    None => self.error(
                        field.span,
                        "this is not a field name",
                        "write (get object name)",
                    ),
                }
            }
            _ => self.error(
                span,
                "`get` takes an object and the name of a field",
                "write (get object name)",
            ),
        }
    }

    /// `(with name value)`: a field for an object.
    fn field_of(&mut self, rest: &[Datum], span: Span, scope: &Scope) -> Item {
        let [name, value] = rest else {
            return self.error(
                span,
                "`with` takes a name and a value",
                "write (with name ?String)",
            );
        };
        let text: Arc<str> = match &name.kind {
            DatumKind::Symbol(text) | DatumKind::Str(text) => text.clone(),
            _ => {
                return self.error(
                    name.span,
                    "this is not a field name",
                    "write (with name ?String)",
                );
            }
        };
        let item = match &value.kind {
            DatumKind::Blank(inner) => match self.type_of(inner) {
                Some(blank) => self.blank(&blank, &text),
                None => Item::Poison,
            },
            _ => self.eval(value, scope),
        };
        Item::Field(text, Box::new(item))
    }

    /// `(evaluate x model)`: the value of `x` in the other model, in the paper's notation.
    fn of_other(&mut self, rest: &[Datum], span: Span, scope: &Scope) -> Item {
        match rest {
            [value, _model] => {
                let item = self.eval(value, scope);
                self.world.map_item(&item, &Expr::of_other)
            }
            _ => self.error(
                span,
                "`evaluate` takes a value and a model",
                "write (evaluate username model)",
            ),
        }
    }

    /// Calls a closure.
    pub(crate) fn call_closure(
        &mut self,
        parameters: &[Arc<str>],
        body: &[Datum],
        scope: &Scope,
        arguments: Vec<Item>,
        span: Span,
    ) -> Item {
        let scope = parameters
            .iter()
            .zip(arguments)
            .fold(scope.clone(), |scope, (name, item)| scope.with(name.clone(), item));
        self.depth += 1;
        let item = self.body(body, span, &scope);
        self.depth -= 1;
        item
    }
}

/// Converts quoted data to an item; names become symbols.
pub(crate) fn quoted(datum: &Datum) -> Item {
    match &datum.kind {
        DatumKind::Symbol(name) => Item::Symbol(name.clone()),
        DatumKind::Int(number) => Item::int(*number),
        DatumKind::Real(number) => Item::Expr(Expr::constant(*number, Sort::Real)),
        DatumKind::Bool(value) => Item::bool(*value),
        DatumKind::Str(text) | DatumKind::Regex(text) => Item::str(text),
        DatumKind::Quote(inner) | DatumKind::Blank(inner) => quoted(inner),
        DatumKind::List(items) => Item::List(items.iter().map(quoted).collect()),
        DatumKind::Broken => Item::Poison,
    }
}

#[cfg(test)]
mod tests {
    use crate::Program;
    use crate::ir::expr_text;

    /// The assertions that a program with the integer blanks `x` and `y` leaves.
    fn assertions(statements: &str) -> Vec<String> {
        let text = format!(
            "(declare x ?Integer) (declare y ?Integer) {statements} (generate g 1 (output x y))"
        );
        let program = Program::parse("test.rebut", &text);
        assert_eq!(program.diagnostics, []);
        let environment = &program.environments[0];
        let shown = |expr| expr_text(expr, &environment.variables);
        environment.assertions.iter().map(|(expr, _)| shown(expr)).collect()
    }

    fn messages(text: &str) -> Vec<String> {
        let program = Program::parse("test.rebut", text);
        program.diagnostics.iter().map(|diagnostic| diagnostic.message.clone()).collect()
    }

    #[test]
    fn known_values_are_computed_and_blanks_are_left() {
        assert_eq!(assertions("(assert (< x (+ 1 2)))"), ["(< x 3)"]);
        assert_eq!(assertions("(assert (ite (< 1 2) (< x 3) (< nothing 4)))"), ["(< x 3)"]);
        let power = "(define (power n) (ite (= n 0) 1 (* 2 (power (- n 1)))))";
        assert_eq!(assertions(&format!("{power} (assert (< x (power 5)))")), ["(< x 32)"]);
    }

    #[test]
    fn a_subject_replaces_the_missing_argument() {
        assert_eq!(
            assertions("(specify x (and (gte 0) (not (= 5))))"),
            ["(and (<= 0 x) (not (= x 5)))"]
        );
        assert_eq!(assertions("(define (small n) (< n 9)) (specify x small)"), ["(< x 9)"]);
    }

    #[test]
    fn an_error_is_reported_once_and_hides_its_consequences() {
        let text = "(declare x ?Integer) (define z (+ 1 wrong)) (assert (< x z)) (assert (= z z))";
        let messages = messages(text);
        assert_eq!(messages.len(), 1, "{messages:?}");
    }

    #[test]
    fn endless_recursion_is_an_error() {
        let text = "(declare x ?Integer) (define (f n) (f (+ n 1))) (assert (f 0))";
        assert_eq!(messages(text).len(), 1);
    }
}
