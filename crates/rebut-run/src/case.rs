//! The handle a property draws from.

use std::ops::{Deref, DerefMut};

use rebut_choice::{Label, Source, Stop};
use rebut_gen::{AsGenerator, Code, ToCode};

use crate::context::{self, ShownValue};
use crate::words;

/// One execution of a property: a [`Source`] whose named draws are shown if the case fails.
#[derive(Debug)]
pub struct Case {
    source: Source,
    draws: usize,
    /// How many parameters are drawn before the case ends; none if all of it runs.
    drawing: Option<usize>,
}

impl Case {
    pub(crate) fn new(source: Source) -> Case {
        Case { source, draws: 0, drawing: None }
    }

    /// A case that ends when so many parameters are drawn, and runs no body.
    pub(crate) fn only_drawing(source: Source, parameters: usize) -> Case {
        Case { source, draws: 0, drawing: Some(parameters) }
    }

    fn count_parameter(&mut self) {
        if let Some(left) = &mut self.drawing {
            *left = left.saturating_sub(1);
            if *left == 0 {
                Stop::Rejected(DRAWN.into()).raise();
            }
        }
    }

    /// Generates a value that is shown by its `Debug` form if the case fails. Takes a generator,
    /// or a range, an array or a regular expression that stands for one.
    pub fn draw<G: AsGenerator>(&mut self, generator: G) -> G::Value
    where
        G::Value: std::fmt::Debug,
    {
        self.draws += 1;
        let draws = self.draws;
        let value = self.source.span(Label::ARGUMENT, |source| generator.draw_value(source));
        context::show(|| ShownValue {
            name: format!("draw_{draws}"),
            type_name: String::new(),
            code: format!("{value:?}"),
        });
        value
    }

    /// As [`draw`](Case::draw); the value is shown under this name, as code.
    pub fn draw_as<G: AsGenerator>(&mut self, name: &str, generator: G) -> G::Value
    where
        G::Value: ToCode,
    {
        let value = self.source.span(Label::ARGUMENT, |source| generator.draw_value(source));
        context::show(|| ShownValue {
            name: name.to_owned(),
            type_name: String::new(),
            code: Code::of(&value),
        });
        value
    }

    /// Draws a parameter of a property. For the code that macros make.
    #[doc(hidden)]
    pub fn argument<T>(
        &mut self,
        name: &'static str,
        type_name: &'static str,
        draw: impl FnOnce(&mut Source) -> T,
        show: impl FnOnce(&T) -> String,
    ) -> T {
        let value = self.source.span(Label::ARGUMENT, draw);
        let value = self.given(name, type_name, value, show);
        self.count_parameter();
        value
    }

    /// Shows a parameter that was given and not drawn. For the code that macros make.
    #[doc(hidden)]
    pub fn given<T>(
        &mut self,
        name: &'static str,
        type_name: &'static str,
        value: T,
        show: impl FnOnce(&T) -> String,
    ) -> T {
        context::show(|| ShownValue {
            name: name.to_owned(),
            type_name: without_lifetimes(type_name),
            code: show(&value),
        });
        value
    }
}

/// Why a case ends that only draws.
pub(crate) const DRAWN: &str = "all parameters are drawn";

impl Deref for Case {
    type Target = Source;

    fn deref(&self) -> &Source {
        &self.source
    }
}

impl DerefMut for Case {
    fn deref_mut(&mut self) -> &mut Source {
        &mut self.source
    }
}

/// A type as it can be written outside of the property, which has lifetimes of its own.
#[inline(never)]
fn without_lifetimes(type_name: &str) -> String {
    let parts = words::split(type_name, "'");
    let mut text = parts[0].to_owned();
    for part in &parts[1..] {
        let end = part.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(part.len());
        let (lifetime, rest) = part.split_at(end);
        if lifetime == "static" {
            text.push_str("'static");
            text.push_str(rest);
        } else if text.ends_with('&') {
            text.push_str(rest.trim_start());
        } else {
            text.push_str("'_");
            text.push_str(rest);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lifetimes_are_left_open() {
        assert_eq!(without_lifetimes("&'a Cow<'b, str>"), "&Cow<'_, str>");
        assert_eq!(without_lifetimes("&'static [&'a mut str]"), "&'static [&mut str]");
        assert_eq!(without_lifetimes("Vec<u8>"), "Vec<u8>");
    }
}
