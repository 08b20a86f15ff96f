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
    /// Where a parameter is written that is shown.
    code: Code,
    /// How many parameters are drawn before the case ends; none if all of it runs.
    drawing: Option<usize>,
}

impl Case {
    pub(crate) fn new(source: Source) -> Case {
        Case { source, draws: 0, code: Code::default(), drawing: None }
    }

    /// A case that ends when so many parameters are drawn, and runs no body.
    pub(crate) fn only_drawing(source: Source, parameters: usize) -> Case {
        Case { source, draws: 0, code: Code::default(), drawing: Some(parameters) }
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
        let value = generator.draw_value(self.begin_argument());
        self.source.close();
        if self.is_shown() {
            show(&format!("draw_{draws}"), "", format!("{value:?}"));
        }
        value
    }

    /// As [`draw`](Case::draw); the value is shown under this name, as code.
    pub fn draw_as<G: AsGenerator>(&mut self, name: &str, generator: G) -> G::Value
    where
        G::Value: ToCode,
    {
        let value = generator.draw_value(self.begin_argument());
        self.source.close();
        if self.is_shown() {
            show(name, "", Code::of(&value));
        }
        value
    }

    /// Begins to draw a parameter of a property.
    ///
    /// This and what follows is for the code that macros make. That is compiled for each
    /// parameter of each property, so nothing here is generic and no closure is needed.
    #[doc(hidden)]
    pub fn begin_argument(&mut self) -> &mut Source {
        self.source.open(Label::ARGUMENT);
        &mut self.source
    }

    /// Ends what [`Case::begin_argument`] began. Whether the value is to be shown: written to
    /// [`Case::code`], and then [`Case::show_argument`].
    #[doc(hidden)]
    pub fn end_argument(&mut self) -> bool {
        self.source.close();
        let is_shown = self.is_shown();
        if !is_shown {
            self.count_parameter();
        }
        is_shown
    }

    /// Where the value of a parameter is written. It is kept here because a `String` in
    /// generated code would have to be dropped there, on every path.
    #[doc(hidden)]
    pub fn code(&mut self) -> &mut Code {
        &mut self.code
    }

    /// Shows a parameter that was drawn and written.
    #[doc(hidden)]
    pub fn show_argument(&mut self, name: &str, type_name: &str) {
        self.show_given(name, type_name);
        self.count_parameter();
    }

    /// Whether this case is the one that is reported.
    #[doc(hidden)]
    #[must_use]
    pub fn is_shown(&self) -> bool {
        context::is_reporting()
    }

    /// Shows a parameter that was given, not drawn, and written.
    #[doc(hidden)]
    pub fn show_given(&mut self, name: &str, type_name: &str) {
        show(name, type_name, std::mem::take(&mut self.code).into_text());
    }
}

#[inline(never)]
fn show(name: &str, type_name: &str, code: String) {
    let (name, type_name) = (name.to_owned(), without_lifetimes(type_name));
    context::show(ShownValue { name, type_name, code });
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
