//! The handle that generates the values of a property.

use std::ops::{Deref, DerefMut};

use rebut_choice::{Label, Source, Stop};
use rebut_gen::{AsGenerator, Code, ShowDebug as _, Shown, ToCode};

use crate::case_log::{self, ShownValue};
use crate::escapes::one_line;
use crate::scope::Scope;
use crate::strings;

/// One execution of a property. It generates values, and the report of a failure shows them.
///
/// A `Case` dereferences to a [`Source`], so that you can pass it to code that makes choices.
///
/// # Examples
/// ```
/// use rebut::{Case, Check, integers};
///
/// fn sorted_pair(case: &mut Case) -> (u8, u8) {
///     let (a, b) = (case.draw(integers::<u8>()), case.draw(integers::<u8>()));
///     (a.min(b), a.max(b))
/// }
/// let report = Check::new("ordered").run(|case| {
///     let (low, high) = sorted_pair(case);
///     low <= high
/// });
/// assert!(report.verdict.is_success());
/// ```
#[derive(Debug)]
pub struct Case {
    source: Source,
    draws: usize,
    /// The number of values that the property has asked for.
    arguments: usize,
    /// Whether the last of them is still being generated.
    is_generating: bool,
    /// The code of the parameter to show.
    code: Code,
    /// The number of parameters to generate before the case ends; `None` to run the whole case.
    parameters_left: Option<usize>,
    /// The names that the property can use.
    scope: Scope,
}

impl Case {
    pub(crate) fn new(source: Source) -> Case {
        Case {
            source,
            draws: 0,
            arguments: 0,
            is_generating: false,
            code: Code::default(),
            parameters_left: None,
            scope: Scope::default(),
        }
    }

    /// Creates a case that ends after the given number of parameters, without running the body.
    pub(crate) fn only_drawing(source: Source, parameters: usize) -> Case {
        Case { parameters_left: Some(parameters), ..Case::new(source) }
    }

    fn end_value(&mut self) {
        self.is_generating = false;
        self.source.close();
    }

    /// Returns the number of the value that is being generated, from 1.
    pub(crate) fn generating(&self) -> Option<usize> {
        self.is_generating.then_some(self.arguments)
    }

    fn count_parameter(&mut self) {
        if let Some(left) = &mut self.parameters_left {
            *left = left.saturating_sub(1);
            if *left == 0 {
                Stop::Rejected(PARAMETERS_DRAWN.into()).raise();
            }
        }
    }

    /// Generates a value. The report of a failure shows its `Debug` output.
    ///
    /// Takes a generator, or a range, an array or a regular expression that can be converted to
    /// one.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Check, strings};
    ///
    /// let report = Check::new("short").run(|case| {
    ///     let count = case.draw(1..=9);
    ///     let text = case.draw(strings().max_size(3));
    ///     text.repeat(count).chars().count() <= 27
    /// });
    /// assert!(report.verdict.is_success());
    /// ```
    pub fn draw<G: AsGenerator>(&mut self, generator: G) -> G::Value
    where
        G::Value: std::fmt::Debug,
    {
        self.draws += 1;
        let draws = self.draws;
        let value = generator.draw_value(self.begin_argument());
        self.end_value();
        if self.is_shown() {
            show(&format!("draw_{draws}"), "", (&Shown(&value)).show());
        }
        value
    }

    /// Like [`draw`](Case::draw), but the report shows the value as code, under this name.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Check, integers, vecs};
    ///
    /// let report = Check::new("empty").run(|case| {
    ///     case.draw_as("list", vecs(integers::<u8>())).is_empty()
    /// });
    /// assert!(report.to_string().contains("let list = vec![0];"));
    /// ```
    pub fn draw_as<G: AsGenerator>(&mut self, name: &str, generator: G) -> G::Value
    where
        G::Value: ToCode,
    {
        let value = generator.draw_value(self.begin_argument());
        self.end_value();
        if self.is_shown() {
            case_log::set_scope(self.scope);
            show(name, "", Code::of(&value));
        }
        value
    }

    /// Sets the module of the property and the names that it imports.
    #[doc(hidden)]
    pub fn enter_scope(&mut self, module: &'static str, names: &'static str) {
        self.scope = Scope { module, names };
    }

    /// Begins a parameter of a property.
    ///
    /// This and the following methods are for the code that macros generate. That code is
    /// compiled for each parameter of each property, so these methods are not generic and need no
    /// closures.
    #[doc(hidden)]
    pub fn begin_argument(&mut self) -> &mut Source {
        self.arguments += 1;
        self.is_generating = true;
        self.source.open(Label::ARGUMENT);
        &mut self.source
    }

    /// Ends a parameter that [`Case::begin_argument`] began. Returns whether to show the value:
    /// the caller then writes it to [`Case::code`] and calls [`Case::show_argument`].
    #[doc(hidden)]
    pub fn end_argument(&mut self) -> bool {
        self.end_value();
        let is_shown = self.is_shown();
        if !is_shown {
            self.count_parameter();
        }
        is_shown
    }

    /// Returns the buffer for the code of a parameter. It is here because generated code would
    /// have to drop a `String` of its own on every path.
    #[doc(hidden)]
    pub fn code(&mut self) -> &mut Code {
        &mut self.code
    }

    /// Shows a generated parameter whose code was written.
    #[doc(hidden)]
    pub fn show_argument(&mut self, name: &str, type_name: &str) {
        self.show_given(name, type_name);
        self.count_parameter();
    }

    /// Returns whether this case is the reported one.
    #[doc(hidden)]
    #[must_use]
    pub fn is_shown(&self) -> bool {
        case_log::is_reporting()
    }

    /// Shows a parameter that was passed in, not generated, and whose code was written.
    #[doc(hidden)]
    pub fn show_given(&mut self, name: &str, type_name: &str) {
        let mut code = std::mem::take(&mut self.code);
        let types = code.take_types();
        let (text, notes) = self.scope.written(code.into_element(), types);
        notes.into_iter().for_each(case_log::show_type_note);
        case_log::set_scope(self.scope);
        show(name, type_name, of_its_own(text));
    }
}

/// Returns the code of a mutable reference to a value of its own: the compiler warns about
/// `&mut f64::NAN`, which is a reference to a copy of a constant.
fn of_its_own(text: String) -> String {
    let Some(value) = text.strip_prefix("&mut ") else { return text };
    let last = value.rfind("::").map_or("", |at| &value[at + 2..]);
    let is_constant = !last.is_empty()
        && last.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b':');
    if is_constant { format!("&mut {{ {value} }}") } else { text }
}

#[inline(never)]
fn show(name: &str, type_name: &str, code: String) {
    // A name is any string. In a report it must not look like other lines.
    let (name, type_name) = (one_line(name), without_lifetimes(type_name));
    case_log::show(ShownValue { name, type_name, code });
}

/// Why a case ends that only generates its parameters.
pub(crate) const PARAMETERS_DRAWN: &str = "all parameters are generated";

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

/// Returns the type as it can be written outside of the property, which has lifetimes of its own.
#[inline(never)]
fn without_lifetimes(type_name: &str) -> String {
    let parts = strings::split(type_name, "'");
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
