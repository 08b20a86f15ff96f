//! Drafts of tests, and their code.

use crate::decide::bindings::Binding;
use crate::package::edit::{Edit, TextRange, splice};
use crate::package::edited_package::EditedPackage;
use crate::plan::{Parameter, Plan};
use crate::read::literals::{self, ValueSite};
use crate::read::value::ParameterType;

/// A test to be written.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) kind: DraftKind,
    pub(crate) name: String,
    /// The binding of each parameter of the plan; `None` if it is a parameter of this test.
    pub(crate) bindings: Vec<Option<Binding>>,
    pub(crate) assumption: Option<String>,
    /// The values of its parameters, in order.
    pub(crate) examples: Vec<Vec<String>>,
    pub(crate) generated: GeneratedInputs,
    /// The names of the plan's parameters in this test.
    names: Vec<String>,
}

/// The claim of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DraftKind {
    /// The claim of the original.
    Passes,
    /// The code panics, with one of these messages.
    Panics(Vec<String>),
    /// The opposite of the assertion in this statement. The test ends with it.
    Opposite(usize),
}

/// The inputs that a test runs in addition to its examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum GeneratedInputs {
    /// Generated inputs.
    Usual,
    /// Generated inputs, most of which the assumption rejects.
    Rare,
    /// No others.
    None,
}

impl Draft {
    pub(crate) fn new(
        kind: DraftKind,
        name: String,
        bindings: Vec<Option<Binding>>,
        assumption: Option<String>,
        examples: Vec<Vec<String>>,
        generated: GeneratedInputs,
    ) -> Draft {
        Draft { kind, name, bindings, assumption, examples, generated, names: Vec::new() }
    }

    /// Numbers its parameters without gaps. The plan numbers bound parameters too.
    pub(crate) fn renumbered(mut self, plan: &Plan) -> Draft {
        let mut all = plan.clone();
        let is_free = |(_, binding): &(&mut Parameter, &Option<Binding>)| binding.is_none();
        let free = all.parameters.iter_mut().zip(&self.bindings).filter(is_free);
        let mut sites: Vec<&mut ValueSite> =
            free.map(|(parameter, _)| &mut parameter.site).collect();
        literals::assign_names(&mut sites, &plan.unit_test.values.used_names);
        let name = |parameter: &Parameter| parameter.name().to_owned();
        self.names = all.parameters.iter().map(name).collect();
        let before: Vec<&str> = plan.parameters.iter().map(Parameter::name).collect();
        let renamed = |text: &str| renamed(text, &before, &self.names);
        self.assumption = self.assumption.as_deref().map(renamed);
        for binding in &mut self.bindings {
            if let Some(Binding::Expression(text)) = binding {
                *text = renamed(text);
            }
        }
        self
    }

    /// Binds the parameters that are equal in all examples, if it only runs its examples.
    pub(crate) fn compacted(&self, package: &EditedPackage, plan: &Plan) -> Draft {
        let mut draft = self.clone();
        let has_only_examples = self.generated == GeneratedInputs::None;
        let Some(first) = self.examples.first().filter(|_| has_only_examples) else {
            return draft;
        };
        let differs = |column: usize| self.examples.iter().any(|row| row[column] != first[column]);
        let kept: Vec<bool> = (0..first.len()).map(differs).collect();
        let all = draft.bindings.iter_mut().zip(&plan.parameters);
        let free = all.filter(|(binding, _)| binding.is_none());
        for (column, (binding, parameter)) in free.enumerate().filter(|(nth, _)| !kept[*nth]) {
            let is_own = package.text[parameter.site.range.clone()] == first[column];
            *binding = Some(match is_own {
                true => Binding::OwnValue,
                false => Binding::Expression(first[column].clone()),
            });
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

    /// Replaces `text.len()` by the number of characters in bindings. Returns whether there was
    /// any.
    pub(crate) fn count_characters(&mut self, plan: &Plan) -> bool {
        let mut is_any = false;
        let is_text = |parameter: &Parameter| parameter.ty == Some(ParameterType::Text);
        let texts = plan.parameters.iter().zip(&self.names).filter(|(one, _)| is_text(one));
        for (_, name) in texts {
            let (bytes, characters) = (format!("{name}.len()"), format!("{name}.chars().count()"));
            for binding in self.bindings.iter_mut().flatten() {
                if let Binding::Expression(text) = binding
                    && text.contains(&bytes)
                {
                    *text = text.replace(&bytes, &characters);
                    is_any = true;
                }
            }
        }
        is_any
    }

    /// Returns the plan with the names of this draft.
    fn named(&self, plan: &Plan) -> Plan {
        let mut plan = plan.clone();
        for (parameter, name) in plan.parameters.iter_mut().zip(&self.names) {
            parameter.site.name.clone_from(name);
        }
        plan
    }

    /// Returns the names of its parameters.
    pub(crate) fn names(&self, plan: &Plan) -> Vec<String> {
        let plan = self.named(plan);
        self.parameters(&plan).iter().map(|parameter| parameter.name().to_owned()).collect()
    }

    /// Returns the settings of its attribute.
    fn settings(&self, rebut: &str) -> String {
        let mut settings = Vec::new();
        if self.generated == GeneratedInputs::Rare {
            settings.push("rejections_max = 10_000".to_owned());
        }
        if rebut != "rebut" {
            settings.push(format!("crate = ::{rebut}"));
        }
        if settings.is_empty() { String::new() } else { format!("({})", settings.join(", ")) }
    }

    /// Returns its parameters.
    pub(crate) fn parameters<'p>(&self, plan: &'p Plan) -> Vec<&'p Parameter> {
        let all = plan.parameters.iter().zip(&self.bindings);
        all.filter(|(_, binding)| binding.is_none()).map(|(parameter, _)| parameter).collect()
    }
}

/// Returns the code of a test.
pub(crate) fn test_code(package: &EditedPackage, plan: &Plan, draft: &Draft) -> String {
    let draft = &draft.compacted(package, plan);
    let plan = &draft.named(plan);
    match &draft.kind {
        DraftKind::Passes => replacement(package, plan, draft),
        DraftKind::Panics(messages) => {
            let expected: String =
                messages.iter().map(|message| format!(", {message:?}")).collect();
            let body = body(package, plan, draft, plan.unit_test.body.clone(), &[]);
            let claim = format!("{}::assert_panics!({{{body}}}{expected});", package.rebut);
            new_test(package, plan, draft, &claim)
        }
        DraftKind::Opposite(last) => {
            let end = plan.unit_test.statements[*last].end;
            let statement = plan.unit_test.statements[*last].clone();
            let opposite = opposite(&package.text, &statement);
            let range = plan.unit_test.body.start..end;
            let body = body(package, plan, draft, range, &opposite.unwrap_or_default());
            new_test(package, plan, draft, body.trim_end())
        }
    }
}

/// Returns the code that replaces the original: the same test with parameters.
fn replacement(package: &EditedPackage, plan: &Plan, draft: &Draft) -> String {
    let unit_test = &plan.unit_test;
    let mut edits = body_edits(package, plan, draft);
    if draft.generated == GeneratedInputs::None {
        let TextRange { start, end } = unit_test.body;
        edits.push(Edit::new(start..start, format!("\n{}{{", loop_head(plan, draft))));
        edits.push(Edit::new(end..end, "}\n"));
        return edited_range(package, unit_test.item.clone(), edits);
    }
    edits.push(Edit::new(unit_test.attribute.clone(), attributes(package, plan, draft)));
    edits.push(Edit::new(unit_test.parameters.clone(), declarations(plan, draft)));
    if let Some(assumption) = &draft.assumption {
        let at = unit_test.body.start;
        edits.push(Edit::new(at..at, assume(package, assumption)));
    }
    if let Some(panics) = &unit_test.panics {
        let TextRange { start, end } = unit_test.body;
        let expected = panics.message.iter().map(|message| format!(", {message:?}"));
        let expected: String = expected.collect();
        edits.push(Edit::new(whole_line(&package.text, &panics.attribute), ""));
        edits.push(Edit::new(start..start, format!("\n{}::assert_panics!({{", package.rebut)));
        edits.push(Edit::new(end..end, format!("}}{expected});\n")));
    }
    edited_range(package, unit_test.item.clone(), edits)
}

/// Returns the code of a test that is added after the original.
fn new_test(package: &EditedPackage, plan: &Plan, draft: &Draft, body: &str) -> String {
    let assume = draft.assumption.as_ref().map(|text| assume(package, text)).unwrap_or_default();
    let indent = indent(&package.text, plan.unit_test.item.start);
    let output = return_type(package, plan);
    let body = body.trim();
    if draft.generated == GeneratedInputs::None {
        let (name, head) = (&draft.name, loop_head(plan, draft));
        let body = if head.is_empty() { body.to_owned() } else { format!("{head}{{\n{body}\n}}") };
        return format!("#[test]\n{indent}fn {name}(){output} {{\n{body}\n}}");
    }
    format!(
        "{}\n{indent}fn {}({}){output} {{{assume}\n{indent}    {body}\n{indent}}}",
        attributes(package, plan, draft),
        draft.name,
        declarations(plan, draft),
    )
}

/// Returns the head of a loop over the examples. Empty if the test has no parameters.
fn loop_head(plan: &Plan, draft: &Draft) -> String {
    let parameters = draft.parameters(plan);
    if parameters.is_empty() {
        return String::new();
    }
    let tuple = |ranges: Vec<String>| match ranges.as_slice() {
        [one] => one.clone(),
        _ => format!("({})", ranges.join(", ")),
    };
    let names = parameters.iter().map(|parameter| {
        let is_mut = if parameter.site.is_mut { "mut " } else { "" };
        format!("{is_mut}{}", parameter.name())
    });
    let row = |example: &Vec<String>| {
        let values = parameters.iter().zip(example).map(|(parameter, value)| match parameter.ty {
            // Arrays of different lengths have different types, slices do not.
            Some(ParameterType::Slice(_)) => format!("&{}[..]", value.trim_start_matches('&')),
            _ => value.clone(),
        });
        tuple(values.collect())
    };
    let rows: Vec<String> = draft.examples.iter().map(row).collect();
    format!("for {} in [{}] ", tuple(names.collect()), rows.join(", "))
}

/// Returns the code of the return type.
fn return_type(package: &EditedPackage, plan: &Plan) -> String {
    let between = plan.unit_test.parameters.end + 1..plan.unit_test.body.start - 1;
    let text = package.text[between].trim();
    if text.is_empty() { String::new() } else { format!(" {text}") }
}

fn assume(package: &EditedPackage, assumption: &str) -> String {
    format!("\n{}::assume!({assumption});", package.rebut)
}

fn attributes(package: &EditedPackage, plan: &Plan, draft: &Draft) -> String {
    let indent = indent(&package.text, plan.unit_test.attribute.start);
    let mut text = format!("#[{}::test{}]", package.rebut, draft.settings(&package.rebut));
    for example in &draft.examples {
        text.push_str(&format!("\n{indent}#[example({})]", example.join(", ")));
    }
    text
}

fn declarations(plan: &Plan, draft: &Draft) -> String {
    let declaration = |parameter: &&Parameter| {
        format!("{}{}", parameter.bound_attribute(), parameter.declaration())
    };
    let declarations: Vec<String> = draft.parameters(plan).iter().map(declaration).collect();
    declarations.join(", ")
}

/// Returns a range of the body, with parameters and bindings in place of values.
fn body(
    package: &EditedPackage,
    plan: &Plan,
    draft: &Draft,
    range: TextRange,
    more: &[Edit],
) -> String {
    let mut edits = body_edits(package, plan, draft);
    edits.extend(more.iter().cloned());
    edited_range(package, range, edits)
}

/// Returns a range of the file, with the edits inside of it.
fn edited_range(package: &EditedPackage, range: TextRange, edits: Vec<Edit>) -> String {
    let inside = edits
        .into_iter()
        .filter(|edit| range.start <= edit.range.start && edit.range.end <= range.end);
    let moved: Vec<Edit> = inside
        .map(|edit| Edit {
            range: edit.range.start - range.start..edit.range.end - range.start,
            text: edit.text,
        })
        .collect();
    splice(&package.text[range], &moved).0
}

fn body_edits(package: &EditedPackage, plan: &Plan, draft: &Draft) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (parameter, binding) in plan.parameters.iter().zip(&draft.bindings) {
        let site = &parameter.site;
        match (binding, &site.binding) {
            (Some(Binding::OwnValue), _) => {}
            (Some(Binding::Expression(text)), _) => {
                let all = [site].into_iter().chain(&parameter.other_sites);
                edits.extend(all.map(|site| {
                    Edit::new(site.range.clone(), in_place(&package.text, &site.range, text))
                }));
            }
            (None, Some(binding)) => {
                edits.push(Edit::new(whole_line(&package.text, binding), ""));
                edits.extend(parameter.other_edits());
            }
            (None, None) => {
                edits.push(Edit::new(site.range.clone(), site.replacement(&site.name)));
                edits.extend(parameter.other_edits());
            }
        }
    }
    edits
}

/// Returns an expression in place of a value, in parentheses unless delimiters are around it.
fn in_place(text: &str, range: &TextRange, expression: &str) -> String {
    let before = text[..range.start].trim_end().chars().next_back();
    let after = text[range.end..].trim_start().chars().next();
    let is_alone = matches!(before, Some('(' | ',' | '[' | '{'))
        && matches!(after, Some(')' | ',' | ']' | '}'));
    let is_bound = before == Some('=') && after == Some(';');
    if is_alone || is_bound || !expression.contains(' ') {
        expression.to_owned()
    } else {
        format!("({expression})")
    }
}

/// Returns a range together with its line, if nothing else is on the line.
fn whole_line(text: &str, range: &TextRange) -> TextRange {
    let start = text[..range.start].rfind('\n').unwrap_or(range.start);
    let end = text[range.end..].find('\n').map_or(text.len(), |at| range.end + at);
    let is_alone =
        text[start..range.start].trim().is_empty() && text[range.end..end].trim().is_empty();
    if is_alone { start..end } else { range.clone() }
}

/// Returns the edits that make an assertion claim the opposite. `None` if the statement is not
/// an assertion, or has a message.
pub(crate) fn opposite(text: &str, statement: &TextRange) -> Option<Vec<Edit>> {
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
    // A message would be about the original claim. With one, this does not parse.
    let claim: syn::Expr = syn::parse_str(inside).ok()?;
    let edits = match claim {
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
    Some(edits)
}

/// Renames parameters in code, all at once.
fn renamed(text: &str, before: &[&str], after: &[String]) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut renamed = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, remaining) = rest.split_at(end);
        // Methods and fields keep their names.
        let known = before.iter().position(|name| *name == word && !renamed.ends_with('.'));
        renamed.push_str(known.map_or(word, |nth| after[nth].as_str()));
        rest = remaining;
    }
    renamed
}

/// Returns a value as an example of a parameter. A borrowed list is written as an array.
pub(crate) fn as_example(parameter: &Parameter, value: String) -> String {
    match (&parameter.ty, value.strip_prefix("vec!")) {
        (Some(ParameterType::Slice(_)), Some(list)) => format!("&{list}"),
        _ => value,
    }
}

/// Returns the white space at the beginning of a line, up to this position.
pub(crate) fn indent(text: &str, at: usize) -> String {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    text[line..at].chars().take_while(|c| c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opposite_of(statement: &str) -> Option<String> {
        let edits = opposite(statement, &(0..statement.len()))?;
        Some(splice(statement, &edits).0)
    }

    #[test]
    fn assertions_are_negated() {
        for (statement, expected) in [
            ("assert_eq!(a, 1);", Some("assert_ne!(a, 1);")),
            ("assert_ne!(a, 1);", Some("assert_eq!(a, 1);")),
            ("assert!(is_it(1));", Some("assert!(!is_it(1));")),
            ("assert!(!is_it(1));", Some("assert!(is_it(1));")),
            ("assert!(a < 1);", Some("assert!(!(a < 1));")),
            ("f(1);", None),
            ("assert!(a, \"message\");", None),
        ] {
            assert_eq!(opposite_of(statement).as_deref(), expected, "{statement}");
        }
    }

    #[test]
    fn parameters_are_renamed_all_at_once_but_methods_are_not() {
        let after = ["b", "len"].map(str::to_owned);
        let renamed = |text| renamed(text, &["a", "b"], &after);
        assert_eq!(renamed("a < b && ab.a() == 'c'"), "b < len && ab.a() == 'c'");
        assert_eq!(renamed("i64::from(b) + 1"), "i64::from(len) + 1");
    }

    #[test]
    fn expressions_get_parentheses_where_they_need_them() {
        let text = "f(1); g(1 * 2); let x = 1;";
        assert_eq!(in_place(text, &(2..3), "a + b"), "a + b");
        assert_eq!(in_place(text, &(8..9), "a + b"), "(a + b)");
        assert_eq!(in_place(text, &(8..9), "a"), "a");
        assert_eq!(in_place(text, &(24..25), "a + b"), "a + b");
    }
}
