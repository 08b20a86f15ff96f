//! Names the draws of a case after the parameters of the test.
//!
//! A tape shows which part of which value a choice belongs to: each parameter has a span, a list
//! has its length and then its elements, and so on. So `d3` becomes `values[2]`, as far as that
//! works without the type; fields of a structure are numbered.

use rebut_choice::{Choice, ChoiceKind, Domain, Label, Role, SpanShape, Tape, Token};

use crate::draw_id::DrawId;

/// A draw of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    /// Its name in terms of parameters.
    pub name: String,
    /// How its number is read.
    pub kind: ChoiceKind,
    /// Whether its number may be negative.
    pub is_signed: bool,
}

/// Returns the draws of a case, in order; `parameters` are the names of the test's parameters.
#[must_use]
pub fn draws(tape: &Tape, parameters: &[String]) -> Vec<Draw> {
    let mut namer = Namer { draws: Vec::new() };
    let mut arguments = 0;
    for item in items(tape.tokens()) {
        match &item {
            Item::Span(label, _) if *label == Label::ARGUMENT => {
                arguments += 1;
                let known = parameters.get(arguments - 1).cloned();
                namer.name(&item, &known.unwrap_or_else(|| format!("argument_{arguments}")));
            }
            _ => {
                let draw = DrawId::new(namer.draws.len());
                namer.name(&item, &draw.to_string());
            }
        }
    }
    namer.draws
}

/// A choice or a span of a tape.
enum Item {
    Choice(Domain),
    Span(Label, Vec<Item>),
}

/// Parses tokens into items. A span that is not closed ends with the tokens.
fn items(tokens: &[Token]) -> Vec<Item> {
    let mut open: Vec<(Label, Vec<Item>)> = Vec::new();
    let mut items = Vec::new();
    for token in tokens {
        let item = match token {
            Token::Open(label) => {
                open.push((*label, std::mem::take(&mut items)));
                continue;
            }
            Token::Close => {
                let Some((label, before)) = open.pop() else { continue };
                Item::Span(label, std::mem::replace(&mut items, before))
            }
            Token::Choice(Choice { domain, .. }) => Item::Choice(*domain),
        };
        items.push(item);
    }
    while let Some((label, before)) = open.pop() {
        let inner = Item::Span(label, std::mem::replace(&mut items, before));
        items.push(inner);
    }
    items
}

struct Namer {
    draws: Vec<Draw>,
}

impl Namer {
    fn name(&mut self, item: &Item, path: &str) {
        match item {
            Item::Choice(domain) => self.push(domain, path),
            Item::Span(label, items) if label.shape() == SpanShape::Sequence => {
                self.name_elements(items, path);
            }
            Item::Span(_, items) => self.name_parts(items, path),
        }
    }

    fn push(&mut self, domain: &Domain, path: &str) {
        let name = match domain.role {
            Role::Length => format!("{path}.len()"),
            Role::Presence => format!("{path}.is_some()"),
            Role::Alternative => format!("{path}.variant()"),
            Role::Value | Role::Index | Role::Steps | Role::Trail => path.to_owned(),
        };
        self.draws.push(Draw { name, kind: domain.kind, is_signed: domain.min < 0 });
    }

    fn name_elements(&mut self, items: &[Item], path: &str) {
        let mut index = 0;
        for item in items {
            match item {
                Item::Choice(domain) if domain.role == Role::Length => self.push(domain, path),
                item => {
                    self.name(item, &format!("{path}[{index}]"));
                    index += 1;
                }
            }
        }
    }

    fn name_parts(&mut self, items: &[Item], path: &str) {
        let role = |item: &Item| match item {
            Item::Choice(domain) => Some(domain.role),
            Item::Span(..) => None,
        };
        let is_about = |item: &Item| {
            matches!(
                role(item),
                Some(Role::Presence | Role::Alternative | Role::Steps | Role::Trail)
            )
        };
        let is_optional = items.iter().any(|item| role(item) == Some(Role::Presence));
        let parts = items.iter().filter(|item| !is_about(item)).count();
        let mut part = 0;
        for item in items {
            if is_about(item) {
                self.name(item, path);
                continue;
            }
            match (parts, is_optional) {
                (1, true) => self.name(item, &format!("{path}.unwrap()")),
                (1, false) => self.name(item, path),
                _ => self.name(item, &format!("{path}.{part}")),
            }
            part += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use rebut_choice::{AnyDriver, Source};

    use super::*;

    fn names(draw: impl FnOnce(&mut Source), parameters: &[&str]) -> Vec<String> {
        let mut source = Source::new(AnyDriver::Simplest);
        draw(&mut source);
        let parameters: Vec<String> = parameters.iter().map(|name| (*name).to_owned()).collect();
        let draws = draws(&source.into_tape(), &parameters);
        draws.into_iter().map(|draw| draw.name).collect()
    }

    #[test]
    fn draws_are_named_after_parameters() {
        let drawn = |source: &mut Source| {
            source.span(Label::ARGUMENT, |source| {
                source.integer(0, 9);
            });
            source.span(Label::ARGUMENT, |source| {
                source.span(Label::SEQUENCE, |source| {
                    source.length(2, 8);
                    source.integer(0, 9);
                    source.span(Label::ELEMENT, |source| {
                        source.integer(0, 9);
                        source.integer(0, 9);
                    });
                });
            });
        };
        let expected = ["x", "values.len()", "values[0]", "values[1].0", "values[1].1"];
        assert_eq!(names(drawn, &["x", "values"]), expected);
        assert_eq!(names(drawn, &["x"])[2], "argument_2[0]");
    }

    #[test]
    fn draws_outside_of_parameters_are_numbered() {
        let drawn = |source: &mut Source| {
            source.integer(0, 9);
            source.span(Label::group("pair"), |source| {
                source.integer(0, 9);
                source.integer(0, 9);
            });
        };
        assert_eq!(names(drawn, &[]), ["d0", "d1.0", "d1.1"]);
    }
}
