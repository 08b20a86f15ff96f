//! Statements: `declare`, `specify`, `constrain-solutions`, `define`, `assert`, `output` and
//! `generate`.
//!
//! Global statements are executed once. Each `generate`, called an outline as in the paper, then
//! executes its own statements in a copy of the resulting state.

use super::interpret::Interpreter;
use super::item::{Item, Scope};
use super::world::World;
use crate::diagnostic::{Diagnostic, Span, nearest};
use crate::ir::Environment;
use crate::syntax::{Datum, DatumKind};
use std::sync::Arc;

/// A statement, with its first word.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) word: Arc<str>,
    pub(crate) datum: Datum,
}

/// A `generate`: a name, a number of models, and statements.
#[derive(Clone, Debug)]
pub(crate) struct Outline {
    pub(crate) name: Arc<str>,
    pub(crate) count: usize,
    pub(crate) body: Vec<Statement>,
    pub(crate) span: Span,
}

/// The number of models of a `generate` without a number. Arbitrary.
pub(crate) const COUNT_DEFAULT: usize = 10;

const STATEMENTS: &[&str] = &[
    "declare",
    "specify",
    "constrain-solutions",
    "define",
    "define-relation",
    "assert",
    "output",
    "import",
];

/// Splits a file into statements and outlines. `(program name ..)` and
/// `(define-program name ..)` are only wrappers.
pub(crate) fn split_statements(
    data: &[Datum],
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<Statement>, Vec<Outline>) {
    let mut statements = Vec::new();
    let mut outlines = Vec::new();
    for datum in data {
        match datum.head() {
            Some("program" | "define-program") => {
                let items = datum.list().unwrap_or_default();
                let named = items.get(1).is_some_and(|name| {
                    name.symbol().is_some() || matches!(name.kind, DatumKind::Str(_))
                });
                if !named {
                    let error =
                        Diagnostic::error(datum.span.to(datum.span), "this program has no name");
                    diagnostics.push(error.help("write (program name ..)"));
                }
                let from = if named { 2 } else { 1 };
                let (inner, inner_outlines) =
                    split_statements(&items[from.min(items.len())..], diagnostics);
                statements.extend(inner);
                outlines.extend(inner_outlines);
            }
            Some("generate") => outlines.extend(outline(datum, diagnostics)),
            _ => statements.extend(statement(datum, diagnostics)),
        }
    }
    (statements, outlines)
}

fn statement(datum: &Datum, diagnostics: &mut Vec<Diagnostic>) -> Option<Statement> {
    if datum.kind == DatumKind::Broken {
        return None;
    }
    if let Some(word) = datum.head()
        && STATEMENTS.contains(&word)
    {
        return Some(Statement { word: word.into(), datum: datum.clone() });
    }
    let word = datum.head().unwrap_or_default();
    let near = nearest(word, STATEMENTS.iter().copied().chain(["generate", "program"]));
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "statements are declare, specify, constrain-solutions, define, assert, output, import and generate".to_owned(),
    };
    let message = if word.is_empty() {
        format!("`{datum}` is not a statement")
    } else {
        format!("`{word}` is not a statement")
    };
    let span = datum.list().and_then(|items| items.first()).map_or(datum.span, |head| head.span);
    diagnostics.push(Diagnostic::error(span, message).help(help));
    None
}

fn outline(datum: &Datum, diagnostics: &mut Vec<Diagnostic>) -> Option<Outline> {
    let items = datum.list().unwrap_or_default();
    let span = datum.span;
    let Some(name) = items.get(1).and_then(Datum::symbol) else {
        let place = items.get(1).map_or(span, |item| item.span);
        diagnostics.push(
            Diagnostic::error(place, "this `generate` has no name")
                .help("write (generate name 10 ..)"),
        );
        return None;
    };
    let (count, from) = match items.get(2).map(|item| (&item.kind, item.span)) {
        Some((DatumKind::Int(count), span)) => match usize::try_from(*count) {
            Ok(count) => (count, 3),
            Err(_) => {
                diagnostics.push(
                    Diagnostic::error(span, "a number of models is not negative")
                        .help("write 0 or more"),
                );
                return None;
            }
        },
        Some((DatumKind::List(_), _)) | None => (COUNT_DEFAULT, 2),
        Some((_, span)) => {
            let error = Diagnostic::error(span, "this is not a number of models");
            diagnostics.push(error.help(format!("write (generate {name} 10 ..)")));
            (COUNT_DEFAULT, 3)
        }
    };
    let mut body = Vec::new();
    for datum in &items[from.min(items.len())..] {
        if matches!(datum.head(), Some("generate" | "program" | "define-program" | "import")) {
            let message =
                format!("`{}` cannot be inside a `generate`", datum.head().unwrap_or_default());
            diagnostics.push(
                Diagnostic::error(datum.span, message)
                    .help("move it out, to the start of the file"),
            );
            continue;
        }
        body.extend(statement(datum, diagnostics));
    }
    Some(Outline { name: name.into(), count, body, span })
}

impl Interpreter<'_> {
    /// Executes a statement.
    pub(crate) fn execute(&mut self, statement: &Statement) {
        let span = statement.datum.span;
        let items = statement.datum.list().unwrap_or_default();
        let rest = &items[1.min(items.len())..];
        match &*statement.word {
            "declare" => self.declare(rest, span),
            "specify" => self.specify(rest, span),
            "constrain-solutions" => self.constrain(rest, span),
            "assert" => self.assert_all(rest),
            "define" | "define-relation" => {
                if let Some((name, item)) = self.definition(&statement.datum, &Scope::default()) {
                    self.world.names.insert(name, item);
                }
            }
            _ => {}
        }
    }

    fn declare(&mut self, rest: &[Datum], span: Span) {
        let [name, value] = rest else {
            self.error(span, "`declare` takes a name and a value", "write (declare name ?String)");
            return;
        };
        let Some(text) = name.symbol().map(Arc::<str>::from) else {
            self.error(
                name.span,
                format!("`{name}` is not a valid name"),
                "write (declare name ?String)",
            );
            return;
        };
        let item = match &value.kind {
            DatumKind::Blank(inner) => match self.type_of(inner) {
                Some(blank) => self.blank(&blank, &text),
                None => Item::Poison,
            },
            _ => self.eval(value, &Scope::default()),
        };
        if self.world.names.contains_key(&text) && self.world.declared.contains(&text) {
            let warning = Diagnostic::warning(name.span, format!("`{text}` is declared again"));
            self.report(warning.help("from here on, this declaration is used"));
        }
        self.world.declared.retain(|declared| *declared != text);
        self.world.declared.push(text.clone());
        self.world.names.insert(text, item);
    }

    /// Evaluates the subject of a statement. Returns it with its name.
    fn subject(&mut self, datum: Option<&Datum>, word: &str, span: Span) -> Option<(Item, String)> {
        let Some(name) =
            datum.filter(|datum| datum.symbol().is_some() || datum.head() == Some("get"))
        else {
            let place = datum.map_or(span, |datum| datum.span);
            self.error(
                place,
                format!("`{word}` must start with a name"),
                &format!("write ({word} name ..)"),
            );
            return None;
        };
        let item = self.eval(name, &Scope::default());
        if !item.is_poison() && !item.is_symbolic() {
            let message = format!("expected a blank, found `{name}`, which is {}", item.kind());
            self.error(
                name.span,
                message,
                &format!("declare it as a blank: (declare {name} ?String)"),
            );
            return None;
        }
        (!item.is_poison()).then(|| (item, name.to_string()))
    }

    fn specify(&mut self, rest: &[Datum], span: Span) {
        let subject = self.subject(rest.first(), "specify", span);
        let Some((subject, name)) = subject else { return };
        if rest.len() < 2 {
            self.error(
                span,
                "nothing is specified here",
                &format!("write (specify {name} (gte 0))"),
            );
        }
        for datum in &rest[1..] {
            let before = self.world.variables.len();
            let item = self.eval_about(datum, &Scope::default(), Some(&subject));
            match item {
                Item::Field(field, value) => {
                    self.rename_from(before, &name);
                    self.add_field(&subject, field, *value, datum.span);
                }
                item => {
                    if let Some(assertion) = self.assertion(&item, datum.span, Some(&subject)) {
                        self.world.assertions.push((assertion, datum.span));
                    }
                }
            }
        }
    }

    /// Prefixes the names of new variables with the name of their object.
    fn rename_from(&mut self, before: usize, object: &str) {
        for variable in &mut self.world.variables[before..] {
            variable.name = format!("{object}.{}", variable.name).into();
        }
    }

    fn add_field(&mut self, subject: &Item, name: Arc<str>, value: Item, span: Span) {
        let Item::Object(object) = subject else {
            let message = format!("{} has no fields", subject.kind());
            self.error(span, message, "declare it as ?Object to give it fields");
            return;
        };
        let fields = &mut self.world.objects[*object];
        match fields.iter_mut().find(|(field, _)| *field == name) {
            Some((_, old)) => *old = value,
            None => fields.push((name, value)),
        }
        if self.world.shape(subject).is_none() && !self.diagnostics.iter().any(Diagnostic::is_error)
        {
            self.error(
                span,
                "this object contains itself",
                "make the inner one a ?(List ..) or ?(Option ..) of another object",
            );
            self.world.objects[*object].pop();
        }
    }

    fn constrain(&mut self, rest: &[Datum], span: Span) {
        let subject = self.subject(rest.first(), "constrain-solutions", span);
        let Some((subject, name)) = subject else { return };
        if rest.len() < 2 {
            self.error(
                span,
                "no constraint is given here",
                &format!("write (constrain-solutions {name} not-equal)"),
            );
        }
        for datum in &rest[1..] {
            let item = self.eval_about(datum, &Scope::default(), Some(&subject));
            if let Some(constraint) = self.constraint(&item, datum.span, Some(&subject)) {
                self.world.constraints.push(constraint);
            }
        }
    }

    fn assert_all(&mut self, rest: &[Datum]) {
        for datum in rest {
            let item = self.eval(datum, &Scope::default());
            if let Some(assertion) = self.assertion(&item, datum.span, None) {
                self.world.assertions.push((assertion, datum.span));
            }
        }
    }
}

/// Executes an outline in a copy of the global state and returns its environment.
pub(crate) fn environment(
    world: &World,
    outline: &Outline,
    diagnostics: &mut Vec<Diagnostic>,
) -> Environment {
    let mut interpreter = Interpreter::new(world.clone(), diagnostics);
    // A local declaration counts as local even if a global one has the same name.
    let global = interpreter.world.declared.clone();
    let local = names_after(&outline.body, "declare", true);
    interpreter.world.declared.retain(|name| !local.contains(name));
    for statement in &outline.body {
        interpreter.execute(statement);
    }
    let outputs = outputs(&mut interpreter, outline, &global, &local);
    let world = interpreter.world;
    world.environment(&outline.name, outline.count, &outputs)
}

/// The names to print: those of `output`, else the local blanks, else the blanks that the outline
/// mentions, else all global blanks.
fn outputs(
    interpreter: &mut Interpreter<'_>,
    outline: &Outline,
    global: &[Arc<str>],
    local: &[Arc<str>],
) -> Vec<Arc<str>> {
    let asked = names_after(&outline.body, "output", false);
    if !asked.is_empty() {
        for name in &asked {
            if !interpreter.world.names.contains_key(name) {
                let near = nearest(name, global.iter().chain(local).map(|name| &**name));
                let help = near.map_or_else(
                    || "declare it first".to_owned(),
                    |near| format!("did you mean `{near}`?"),
                );
                interpreter.error(
                    outline.span,
                    format!("cannot print `{name}`: unknown name"),
                    &help,
                );
            }
        }
        return asked;
    }
    let symbolic = |names: Vec<Arc<str>>| -> Vec<Arc<str>> {
        let world = &interpreter.world;
        names
            .into_iter()
            .filter(|name| world.names.get(name).is_some_and(Item::is_symbolic))
            .collect()
    };
    let declared = symbolic(local.to_vec());
    if !declared.is_empty() {
        return declared;
    }
    let mut mentioned = names_after(&outline.body, "constrain-solutions", true);
    mentioned.extend(names_after(&outline.body, "specify", true));
    let mut mentioned: Vec<Arc<str>> =
        mentioned.iter().map(|name| name.split('.').next().unwrap_or(name).into()).collect();
    let mut seen = Vec::new();
    mentioned.retain(|name| {
        !seen.contains(name) && {
            seen.push(name.clone());
            true
        }
    });
    let mentioned = symbolic(mentioned);
    if !mentioned.is_empty() {
        return mentioned;
    }
    let all = symbolic(global.to_vec());
    outermost(&interpreter.world, all)
}

/// Removes the names whose values are part of another name's value.
fn outermost(world: &World, names: Vec<Arc<str>>) -> Vec<Arc<str>> {
    let vars = |name: &Arc<str>| {
        world.names.get(name).and_then(|item| world.shape(item)).map(|shape| shape.vars())
    };
    let sets: Vec<_> = names.iter().map(vars).collect();
    let is_part = |at: usize| {
        let Some(own) = &sets[at] else { return true };
        sets.iter().enumerate().any(|(other, set)| {
            other != at
                && set
                    .as_ref()
                    .is_some_and(|set| own.is_subset(set) && (own.len() < set.len() || other < at))
        })
    };
    let kept: Vec<bool> = (0..names.len()).map(|at| !is_part(at)).collect();
    names.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(name, _)| name).collect()
}

/// The names that follow a word in the statements of a body: only the first, or all.
fn names_after(body: &[Statement], word: &str, first_only: bool) -> Vec<Arc<str>> {
    let statements = body.iter().filter(|statement| &*statement.word == word);
    statements
        .flat_map(|statement| {
            let items = statement.datum.list().unwrap_or_default();
            let to = if first_only { 2.min(items.len()) } else { items.len() };
            items[1.min(to)..to].iter().filter_map(Datum::symbol).map(Arc::from).collect::<Vec<_>>()
        })
        .collect()
}

/// The outline of a file that has none: all blanks.
pub(crate) fn default_outline() -> Outline {
    Outline { name: "all".into(), count: COUNT_DEFAULT, body: Vec::new(), span: Span::default() }
}
