//! Writes the tests that a test becomes.

use super::bench::Bench;
use super::logic::Fix;
use super::plan::{Parameter, Plan};
use super::sites::{self, Site};
use super::splice::{Edit, splice};
use super::subject::Part;
use super::value::{Type, Value};

/// A test to be written.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) kind: Kind,
    pub(super) name: String,
    /// What each parameter of the plan is in it; none for a parameter of the test.
    pub(super) fixes: Vec<Option<Fix>>,
    pub(super) assumption: Option<String>,
    /// The values of its parameters, in order.
    pub(super) examples: Vec<Vec<String>>,
    pub(super) drawn: Drawn,
    /// What the parameters of the plan are called in it.
    names: Vec<String>,
}

/// What a test claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// What the original does.
    Passes,
    /// That the code panics, with one of these messages.
    Panics(Vec<String>),
    /// The opposite of an assertion, the statement with this number, which is the last.
    Opposite(usize),
}

/// Which inputs a test runs beside its examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Drawn {
    /// Those that are drawn.
    Usual,
    /// The same, of which very many do not meet the assumption.
    Rare,
    /// None.
    None,
}

impl Draft {
    pub(super) fn new(
        kind: Kind,
        name: String,
        fixes: Vec<Option<Fix>>,
        assumption: Option<String>,
        examples: Vec<Vec<String>>,
        drawn: Drawn,
    ) -> Draft {
        Draft { kind, name, fixes, assumption, examples, drawn, names: Vec::new() }
    }

    /// With its parameters numbered without gaps: those of the plan that it does not have are
    /// counted there.
    pub(super) fn renumbered(mut self, plan: &Plan) -> Draft {
        let mut all = plan.clone();
        let is_free = |(_, fix): &(&mut Parameter, &Option<Fix>)| fix.is_none();
        let free = all.parameters.iter_mut().zip(&self.fixes).filter(is_free);
        let mut sites: Vec<&mut Site> = free.map(|(parameter, _)| &mut parameter.site).collect();
        sites::name(&mut sites, &plan.subject.found.taken);
        let name = |parameter: &Parameter| parameter.name().to_owned();
        self.names = all.parameters.iter().map(name).collect();
        let before: Vec<&str> = plan.parameters.iter().map(Parameter::name).collect();
        let renamed = |text: &str| renamed(text, &before, &self.names);
        self.assumption = self.assumption.as_deref().map(renamed);
        for fix in &mut self.fixes {
            if let Some(Fix::As(text)) = fix {
                *text = renamed(text);
            }
        }
        self
    }

    /// If it draws nothing: with parameters for what differs between its examples only.
    pub(super) fn compacted(&self, bench: &Bench, plan: &Plan) -> Draft {
        let mut draft = self.clone();
        let Some(first) = self.examples.first().filter(|_| self.drawn == Drawn::None) else {
            return draft;
        };
        let differs = |column: usize| self.examples.iter().any(|row| row[column] != first[column]);
        let kept: Vec<bool> = (0..first.len()).map(differs).collect();
        let free = draft.fixes.iter_mut().zip(&plan.parameters).filter(|(fix, _)| fix.is_none());
        for (column, (fix, parameter)) in free.enumerate().filter(|(column, _)| !kept[*column]) {
            let is_own = bench.text[parameter.site.part.clone()] == first[column];
            *fix = Some(if is_own { Fix::Own } else { Fix::As(first[column].clone()) });
        }
        for row in &mut draft.examples {
            let mut column = 0;
            row.retain(|_| {
                column += 1;
                kept[column - 1]
            });
        }
        draft.renumbered(&self.named(plan))
    }

    /// Expects numbers of characters where it expected those of bytes; whether it did.
    pub(super) fn count_characters(&mut self, plan: &Plan) -> bool {
        let mut is_any = false;
        let is_text = |parameter: &Parameter| parameter.of == Some(Type::Text);
        let texts = plan.parameters.iter().zip(&self.names).filter(|(one, _)| is_text(one));
        for (_, name) in texts {
            let (bytes, characters) = (format!("{name}.len()"), format!("{name}.chars().count()"));
            for fix in self.fixes.iter_mut().flatten() {
                if let Fix::As(text) = fix
                    && text.contains(&bytes)
                {
                    *text = text.replace(&bytes, &characters);
                    is_any = true;
                }
            }
        }
        is_any
    }

    /// The plan with the names of this draft.
    fn named(&self, plan: &Plan) -> Plan {
        let mut plan = plan.clone();
        for (parameter, name) in plan.parameters.iter_mut().zip(&self.names) {
            parameter.site.name.clone_from(name);
        }
        plan
    }

    /// What its parameters are called.
    pub(super) fn names(&self, plan: &Plan) -> Vec<String> {
        let plan = self.named(plan);
        self.parameters(&plan).iter().map(|parameter| parameter.name().to_owned()).collect()
    }

    /// The settings of the attribute.
    fn settings(&self, rebut: &str) -> String {
        let mut settings = Vec::new();
        if self.drawn == Drawn::Rare {
            settings.push("rejections_max = 10_000".to_owned());
        }
        if rebut != "rebut" {
            settings.push(format!("crate = ::{rebut}"));
        }
        if settings.is_empty() { String::new() } else { format!("({})", settings.join(", ")) }
    }

    /// The parameters that it has.
    pub(super) fn parameters<'p>(&self, plan: &'p Plan) -> Vec<&'p Parameter> {
        let all = plan.parameters.iter().zip(&self.fixes);
        all.filter(|(_, fix)| fix.is_none()).map(|(parameter, _)| parameter).collect()
    }
}

/// The text of a test.
pub(super) fn test(bench: &Bench, plan: &Plan, draft: &Draft) -> String {
    let draft = &draft.compacted(bench, plan);
    let plan = &draft.named(plan);
    match &draft.kind {
        Kind::Passes => replaced(bench, plan, draft),
        Kind::Panics(messages) => {
            let expected: String =
                messages.iter().map(|message| format!(", {message:?}")).collect();
            let body = body(bench, plan, draft, plan.subject.body.clone(), &[]);
            let claim = format!("{}::assert_panics!({{{body}}}{expected});", bench.rebut);
            added(bench, plan, draft, &claim)
        }
        Kind::Opposite(last) => {
            let end = plan.subject.statements[*last].end;
            let statement = plan.subject.statements[*last].clone();
            let turned = opposite(&bench.text, &statement);
            let part = plan.subject.body.start..end;
            let body = body(bench, plan, draft, part, &turned.unwrap_or_default());
            added(bench, plan, draft, body.trim_end())
        }
    }
}

/// The original with parameters.
fn replaced(bench: &Bench, plan: &Plan, draft: &Draft) -> String {
    let subject = &plan.subject;
    let mut edits = body_edits(bench, plan, draft);
    if draft.drawn == Drawn::None {
        let Part { start, end } = subject.body;
        edits.push(Edit::new(start..start, format!("\n{}{{", each(plan, draft))));
        edits.push(Edit::new(end..end, "}\n"));
        return part_of(bench, subject.item.clone(), edits);
    }
    edits.push(Edit::new(subject.attribute.clone(), attributes(bench, plan, draft)));
    edits.push(Edit::new(subject.parameters.clone(), declared(plan, draft)));
    if let Some(assumption) = &draft.assumption {
        let at = subject.body.start;
        edits.push(Edit::new(at..at, assume(bench, assumption)));
    }
    if let Some(panics) = &subject.panics {
        let Part { start, end } = subject.body;
        let expected = panics.message.iter().map(|message| format!(", {message:?}"));
        let expected: String = expected.collect();
        edits.push(Edit::new(whole_line(&bench.text, &panics.attribute), ""));
        edits.push(Edit::new(start..start, format!("\n{}::assert_panics!({{", bench.rebut)));
        edits.push(Edit::new(end..end, format!("}}{expected});\n")));
    }
    part_of(bench, subject.item.clone(), edits)
}

/// A new test.
fn added(bench: &Bench, plan: &Plan, draft: &Draft, body: &str) -> String {
    let assume = draft.assumption.as_ref().map(|text| assume(bench, text)).unwrap_or_default();
    let indent = indent(&bench.text, plan.subject.item.start);
    let output = output(bench, plan);
    let body = body.trim();
    if draft.drawn == Drawn::None {
        let (name, each) = (&draft.name, each(plan, draft));
        let body = if each.is_empty() { body.to_owned() } else { format!("{each}{{\n{body}\n}}") };
        return format!("#[test]\n{indent}fn {name}(){output} {{\n{body}\n}}");
    }
    format!(
        "{}\n{indent}fn {}({}){output} {{{assume}\n{indent}    {body}\n{indent}}}",
        attributes(bench, plan, draft),
        draft.name,
        declared(plan, draft),
    )
}

/// A loop over the examples of a test that draws nothing; none if it has no parameters.
fn each(plan: &Plan, draft: &Draft) -> String {
    let parameters = draft.parameters(plan);
    if parameters.is_empty() {
        return String::new();
    }
    let tuple = |parts: Vec<String>| match parts.as_slice() {
        [one] => one.clone(),
        _ => format!("({})", parts.join(", ")),
    };
    let names = parameters.iter().map(|parameter| {
        let is_mut = if parameter.site.is_mut { "mut " } else { "" };
        format!("{is_mut}{}", parameter.name())
    });
    let row = |example: &Vec<String>| {
        let values = parameters.iter().zip(example).map(|(parameter, value)| match parameter.of {
            // Arrays of one length only have one type.
            Some(Type::Slice(_)) => format!("&{}[..]", value.trim_start_matches('&')),
            _ => value.clone(),
        });
        tuple(values.collect())
    };
    let rows: Vec<String> = draft.examples.iter().map(row).collect();
    format!("for {} in [{}] ", tuple(names.collect()), rows.join(", "))
}

/// What the function returns, as it stands there.
fn output(bench: &Bench, plan: &Plan) -> String {
    let between = plan.subject.parameters.end + 1..plan.subject.body.start - 1;
    let text = bench.text[between].trim();
    if text.is_empty() { String::new() } else { format!(" {text}") }
}

fn assume(bench: &Bench, assumption: &str) -> String {
    format!("\n{}::assume!({assumption});", bench.rebut)
}

fn attributes(bench: &Bench, plan: &Plan, draft: &Draft) -> String {
    let indent = indent(&bench.text, plan.subject.attribute.start);
    let mut text = format!("#[{}::test{}]", bench.rebut, draft.settings(&bench.rebut));
    for example in &draft.examples {
        text.push_str(&format!("\n{indent}#[example({})]", example.join(", ")));
    }
    text
}

fn declared(plan: &Plan, draft: &Draft) -> String {
    let declared: Vec<String> =
        draft.parameters(plan).iter().map(|parameter| declaration(parameter)).collect();
    declared.join(", ")
}

fn declaration(parameter: &Parameter) -> String {
    format!("{}{}", parameter.bound(), parameter.declaration())
}

/// A part of the body with what the draft makes of values.
fn body(bench: &Bench, plan: &Plan, draft: &Draft, part: Part, more: &[Edit]) -> String {
    let mut edits = body_edits(bench, plan, draft);
    edits.extend(more.iter().cloned());
    part_of(bench, part, edits)
}

/// A part of the file with those edits that are in it.
fn part_of(bench: &Bench, part: Part, edits: Vec<Edit>) -> String {
    let inside =
        edits.into_iter().filter(|edit| part.start <= edit.part.start && edit.part.end <= part.end);
    let moved: Vec<Edit> = inside
        .map(|edit| Edit {
            part: edit.part.start - part.start..edit.part.end - part.start,
            text: edit.text,
        })
        .collect();
    splice(&bench.text[part], &moved).0
}

fn body_edits(bench: &Bench, plan: &Plan, draft: &Draft) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (parameter, fix) in plan.parameters.iter().zip(&draft.fixes) {
        let site = &parameter.site;
        match (fix, &site.binding) {
            (Some(Fix::Own), _) => {}
            (Some(Fix::As(text)), _) => {
                let all = [site].into_iter().chain(&parameter.also);
                edits.extend(all.map(|site| {
                    Edit::new(site.part.clone(), in_place(&bench.text, &site.part, text))
                }));
            }
            (None, Some(binding)) => {
                edits.push(Edit::new(whole_line(&bench.text, binding), ""));
                edits.extend(parameter.other_edits());
            }
            (None, None) => {
                edits.push(Edit::new(site.part.clone(), site.named(&site.name)));
                edits.extend(parameter.other_edits());
            }
        }
    }
    edits
}

/// An expression where a value stood: in parentheses, unless what is around it ends it.
fn in_place(text: &str, part: &Part, expression: &str) -> String {
    let before = text[..part.start].trim_end().chars().next_back();
    let behind = text[part.end..].trim_start().chars().next();
    let is_alone = matches!(before, Some('(' | ',' | '[' | '{'))
        && matches!(behind, Some(')' | ',' | ']' | '}'));
    let is_bound = before == Some('=') && behind == Some(';');
    if is_alone || is_bound || !expression.contains(' ') {
        expression.to_owned()
    } else {
        format!("({expression})")
    }
}

/// A part together with its line, if nothing else is in it.
fn whole_line(text: &str, part: &Part) -> Part {
    let start = text[..part.start].rfind('\n').unwrap_or(part.start);
    let end = text[part.end..].find('\n').map_or(text.len(), |at| part.end + at);
    let is_alone =
        text[start..part.start].trim().is_empty() && text[part.end..end].trim().is_empty();
    if is_alone { start..end } else { part.clone() }
}

/// The edits that make an assertion claim the opposite; none if it is no assertion.
pub(super) fn opposite(text: &str, statement: &Part) -> Option<Vec<Edit>> {
    let code = &text[statement.clone()];
    let at =
        |offset: usize, length: usize| statement.start + offset..statement.start + offset + length;
    if code.starts_with("assert_eq!") {
        return Some(vec![Edit::new(at(0, 9), "assert_ne")]);
    }
    if code.starts_with("assert_ne!") {
        return Some(vec![Edit::new(at(0, 9), "assert_eq")]);
    }
    let inside = code.strip_prefix("assert!")?.trim_end_matches(';').trim();
    let inside = inside.strip_prefix('(')?.strip_suffix(')')?;
    let begin = code.find('(')? + 1;
    // Messages say what is wrong if the original fails.
    let claim: syn::Expr = syn::parse_str(inside).ok()?;
    let turned = match claim {
        syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Not(_), .. }) => {
            let not = inside.find('!')?;
            vec![Edit::new(at(begin + not, 1), "")]
        }
        syn::Expr::Call(_)
        | syn::Expr::MethodCall(_)
        | syn::Expr::Path(_)
        | syn::Expr::Paren(_) => {
            vec![Edit::new(at(begin, 0), "!")]
        }
        _ => vec![Edit::new(at(begin, 0), "!("), Edit::new(at(begin + inside.len(), 0), ")")],
    };
    Some(turned)
}

/// A text with other names for parameters, all at once.
fn renamed(text: &str, before: &[&str], after: &[String]) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut all = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (part, behind) = rest.split_at(end);
        // Methods and fields keep their names.
        let known = before.iter().position(|name| *name == part && !all.ends_with('.'));
        all.push_str(known.map_or(part, |nth| after[nth].as_str()));
        rest = behind;
    }
    all
}

/// A value as an example of a parameter: a list that is lent is written as an array.
pub(super) fn given(parameter: &Parameter, value: String) -> String {
    match (&parameter.of, value.strip_prefix("vec!")) {
        (Some(Type::Slice(_)), Some(list)) => format!("&{list}"),
        _ => value,
    }
}

/// The white space before what stands there.
pub(super) fn indent(text: &str, at: usize) -> String {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    text[line..at].chars().take_while(|c| c.is_whitespace()).collect()
}

/// A value as code, as the values of paths are written.
pub(super) fn code(value: &Value) -> String {
    match value {
        Value::Int(number) => number.to_string(),
        Value::Float(number) if number.is_nan() => "0.0 / 0.0".to_owned(),
        Value::Float(number) if number.is_infinite() => format!("{:?} / 0.0", number.signum()),
        Value::Float(number) => format!("{number:?}"),
        Value::Bool(truth) => truth.to_string(),
        Value::Char(character) => format!("{character:?}"),
        Value::Text(text) => format!("{text:?}"),
        // What it answered is known once it was run.
        Value::Object => String::new(),
        Value::List(list) => {
            let all: Vec<String> = list.iter().map(code).collect();
            format!("vec![{}]", all.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned(statement: &str) -> Option<String> {
        let edits = opposite(statement, &(0..statement.len()))?;
        Some(splice(statement, &edits).0)
    }

    #[test]
    fn assertions_are_turned_round() {
        for (statement, expected) in [
            ("assert_eq!(a, 1);", Some("assert_ne!(a, 1);")),
            ("assert_ne!(a, 1);", Some("assert_eq!(a, 1);")),
            ("assert!(is_it(1));", Some("assert!(!is_it(1));")),
            ("assert!(!is_it(1));", Some("assert!(is_it(1));")),
            ("assert!(a < 1);", Some("assert!(!(a < 1));")),
            ("f(1);", None),
            ("assert!(a, \"message\");", None),
        ] {
            assert_eq!(turned(statement).as_deref(), expected, "{statement}");
        }
    }

    #[test]
    fn names_are_exchanged_all_at_once_but_not_those_of_methods() {
        let after = ["b", "len"].map(str::to_owned);
        let renamed = |text| renamed(text, &["a", "b"], &after);
        assert_eq!(renamed("a < b && ab.a() == 'c'"), "b < len && ab.a() == 'c'");
        assert_eq!(renamed("i64::from(b) + 1"), "i64::from(len) + 1");
    }

    #[test]
    fn expressions_stand_in_parentheses_where_they_need_to() {
        let text = "f(1); g(1 * 2); let x = 1;";
        assert_eq!(in_place(text, &(2..3), "a + b"), "a + b");
        assert_eq!(in_place(text, &(8..9), "a + b"), "(a + b)");
        assert_eq!(in_place(text, &(8..9), "a"), "a");
        assert_eq!(in_place(text, &(24..25), "a + b"), "a + b");
    }
}
