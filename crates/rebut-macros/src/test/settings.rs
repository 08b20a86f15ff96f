//! The settings in the parentheses of `#[rebut::test(..)]`.

use std::time::Duration;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use rebut_protocol::settings::{self, Claims, Values};
use syn::{Error, Expr, LitStr, Result};

use super::Claim;
use super::runtime::Runtime;
use crate::facade::Facade;
use crate::name_value::{Errors, Setting, as_text, local};

/// The settings that only attributes have. `rebut_protocol::settings` has the others.
const OF_ATTRIBUTES: &[&str] = &["spec", "outline", "inputs", "differ", "runtime", "crate"];

/// The settings of one test.
pub(super) struct Settings {
    pub(super) facade: Facade,
    pub(super) runtime: Option<Runtime>,
    inputs: Inputs,
    /// The fields of `rebut_run::Settings` to set, and their values.
    fields: Vec<(&'static str, TokenStream)>,
}

/// The settings about a specification.
#[derive(Default)]
struct Inputs {
    spec: Option<LitStr>,
    outline: Option<LitStr>,
    number: Option<Expr>,
    differ: Option<LitStr>,
}

impl Settings {
    pub(super) fn parse(claim: Claim, arguments: TokenStream) -> Result<Settings> {
        let settings = Setting::list(arguments)?;
        let mut errors = Errors::default();
        let facade = settings
            .iter()
            .find(|setting| setting.name == "crate")
            .and_then(|setting| errors.ok(setting.path("::rebut")))
            .map_or_else(Facade::default, |path| Facade::at(&path));
        let mut parsed =
            Settings { facade, runtime: None, inputs: Inputs::default(), fields: Vec::new() };
        for setting in &settings {
            errors.ok(parsed.apply(claim, setting));
        }
        if let Inputs { outline: Some(_), differ: Some(differ), .. } = &parsed.inputs {
            errors.push(
                differ,
                "an outline already defines how inputs differ; keep `outline` or \
                 `differ`",
            );
        }
        if parsed.inputs.spec.is_none() {
            for setting in settings.iter().filter(|setting| is_of_spec(setting)) {
                errors.push(
                    &setting.name,
                    format!("`{}` needs a specification: `spec = \"calendar.json\"`", setting.name),
                );
            }
        }
        errors.finish(parsed)
    }

    fn apply(&mut self, claim: Claim, setting: &Setting) -> Result<()> {
        let name = setting.name.to_string();
        match name.as_str() {
            "runtime" => self.runtime = Some(Runtime::parse(setting)?),
            "crate" => {}
            "spec" | "outline" | "inputs" | "differ" => return self.apply_inputs(claim, setting),
            _ => {
                let row = settings::ALL.iter().find(|row| row.key == Some(&name));
                let row = row.ok_or_else(|| setting.unknown(&names(claim)))?;
                match (row.claims, claim == Claim::ForAll) {
                    (Claims::OfTests, false) => return Err(other_name(setting, claim, "steps")),
                    (Claims::OfSearches, true) => return Err(other_name(setting, claim, "cases")),
                    _ => {}
                }
                let value = self.value(row, setting)?;
                let value = if row.is_optional { some(&value) } else { value };
                self.fields.push((row.field, value));
            }
        }
        Ok(())
    }

    /// Parses the value of a setting.
    fn value(&self, row: &settings::Setting, setting: &Setting) -> Result<TokenStream> {
        match row.values {
            Values::Count | Values::Flag | Values::Text => {
                let value = setting.value(row.example)?;
                Ok(quote!(#value))
            }
            Values::Time => duration(setting, row.example),
            Values::Size => memory(setting, row.example),
            Values::Words { type_name, words } if row.field == settings::SEARCH.field => {
                self.search(setting, type_name, words)
            }
            Values::Words { type_name, words } => self.word(setting, type_name, words),
        }
    }

    /// Applies a setting about a specification.
    fn apply_inputs(&mut self, claim: Claim, setting: &Setting) -> Result<()> {
        if claim != Claim::ForAll {
            let message = format!("`{}` is only for `#[rebut::test]`", setting.name);
            return Err(Error::new(setting.name.span(), message));
        }
        let inputs = &mut self.inputs;
        match setting.name.to_string().as_str() {
            "spec" => inputs.spec = Some(setting.text("\"calendar.json\"")?),
            "outline" => inputs.outline = Some(setting.text("\"testSanity\"")?),
            "inputs" => inputs.number = Some(setting.value("100")?.clone()),
            _ => inputs.differ = Some(setting.text("\"title different-lengths\"")?),
        }
        Ok(())
    }

    /// Returns whether the attribute names a runtime.
    pub(super) fn has_runtime(&self) -> bool {
        self.runtime.is_some()
    }

    /// Returns whether the test has a specification.
    pub(super) fn has_spec(&self) -> bool {
        self.inputs.spec.is_some()
    }

    /// Returns the description of the inputs for parameters with these blanks.
    pub(super) fn wanted_inputs(&self, blanks: &[String]) -> TokenStream {
        let Inputs { spec: Some(spec), outline, number, differ } = &self.inputs else {
            return quote!(::core::option::Option::None);
        };
        let private = self.facade.private();
        let text = |text: &Option<LitStr>| text.as_ref().map_or(String::new(), LitStr::value);
        let (outline, differ) = (text(outline), text(differ));
        let number = match number {
            Some(number) => some(&quote!(#number)),
            None => quote!(::core::option::Option::None),
        };
        // Random cases ignore the specification, so they only run if `cases` is set.
        let random = self.fields.iter().any(|(field, _)| *field == "cases");
        some(&quote! {
            #private::Inputs {
                spec: #spec,
                outline: #outline,
                number: #number,
                differ: #differ,
                blanks: &[#(#blanks),*],
                random: #random,
            }
        })
    }

    /// Parses a word, or a function that returns a strategy: `Greedy::new`, `|steps| ..`.
    fn search(&self, setting: &Setting, of: &str, words: &[&str]) -> Result<TokenStream> {
        let value = setting.value(words[0])?;
        let is_path = matches!(value, Expr::Path(path) if path.path.segments.len() > 1);
        if !is_path && !matches!(value, Expr::Closure(_)) {
            let named = |error: Error| {
                let message = format!(
                    "{error}, or the path of a function that takes the number of steps and returns a strategy: `Greedy::new`, `self::greedy`"
                );
                Error::new(error.span(), message)
            };
            return self.word(setting, of, words).map_err(named);
        }
        let private = self.facade.private();
        Ok(quote!(#private::SearchMode::Own(|steps| {
            #private::strategy(#value, steps)
        })))
    }

    /// Parses one of several words as a variant of an enum.
    fn word(&self, setting: &Setting, of: &str, words: &[&str]) -> Result<TokenStream> {
        let value = setting.value(words[0])?;
        let written = quote!(#value).to_string();
        let Some(word) = words.iter().find(|word| **word == written) else {
            let quoted = words.iter().any(|word| written == format!("\"{word}\""));
            let words = words.join("`, `");
            let hint = if quoted { ", without quotes" } else { "" };
            let message = format!("`{}` is one of `{words}`{hint}", setting.name);
            return Err(Error::new_spanned(value, message));
        };
        let variant = word[..1].to_uppercase() + &word[1..];
        let (of, variant) = (format_ident!("{of}"), format_ident!("{variant}"));
        let private = self.facade.private();
        Ok(quote!(#private::#of::#variant))
    }

    /// Returns the function that sets the fields. The database is off for a test whose failures
    /// are not saved, unless the attribute sets it.
    pub(super) fn configure(&self, is_saved: bool) -> TokenStream {
        let private = self.facade.private();
        let is_set = self.fields.iter().any(|(field, _)| *field == "database");
        let unsaved = (!is_saved && !is_set).then(|| ("database", quote!(false)));
        let fields: Vec<_> = self.fields.iter().chain(&unsaved).collect();
        if fields.is_empty() {
            return quote!(#private::keep_settings);
        }
        let settings = local("settings");
        let assignments = fields.into_iter().map(|(field, value)| {
            let field = format_ident!("{field}");
            quote!(#settings.#field = #value;)
        });
        quote!(|#settings: &mut #private::Settings| { #(#assignments)* })
    }
}

/// Returns whether a setting needs `spec`.
fn is_of_spec(setting: &Setting) -> bool {
    ["outline", "inputs", "differ"].iter().any(|name| setting.name == name)
}

/// Returns the error for `cases` and `steps` under the wrong attribute.
fn other_name(setting: &Setting, claim: Claim, name: &str) -> Error {
    let message = format!("`{}` takes `{name}` instead of `{}`", claim.attribute(), setting.name);
    Error::new(setting.name.span(), message)
}

fn some(value: &TokenStream) -> TokenStream {
    quote!(::core::option::Option::Some(#value))
}

/// Returns the names of all settings of an attribute.
fn names(claim: Claim) -> Vec<&'static str> {
    let is_here = |row: &&&settings::Setting| match row.claims {
        Claims::All => true,
        Claims::OfTests => claim == Claim::ForAll,
        Claims::OfSearches => claim != Claim::ForAll,
    };
    let shared = settings::ALL.iter().filter(is_here).filter_map(|row| row.key);
    let own = OF_ATTRIBUTES.iter().copied();
    shared.chain(own).collect()
}

/// Parses a string such as `"500ms"`, or an expression of type `Duration`.
fn duration(setting: &Setting, example: &str) -> Result<TokenStream> {
    let value = setting.value(example)?;
    let Some(text) = as_text(value) else {
        if matches!(value, Expr::Lit(_)) {
            let message = format!("`{}` needs a unit: `{} = \"2s\"`", setting.name, setting.name);
            return Err(Error::new_spanned(value, message));
        }
        return Ok(quote!(#value));
    };
    let expected = "expected a time such as \"500ms\", \"2s\" or \"1.5min\"";
    let seconds =
        settings::seconds(&text.value()).ok_or_else(|| Error::new_spanned(text, expected))?;
    let nanos = Duration::try_from_secs_f64(seconds)
        .ok()
        .and_then(|duration| u64::try_from(duration.as_nanos()).ok())
        .ok_or_else(|| Error::new_spanned(text, "this time is too long"))?;
    Ok(quote!(::core::time::Duration::from_nanos(#nanos)))
}

/// Parses a string such as `"512MB"`, or an expression for a number of bytes.
fn memory(setting: &Setting, example: &str) -> Result<TokenStream> {
    let value = setting.value(example)?;
    let Some(text) = as_text(value) else { return Ok(quote!(#value)) };
    let expected = "expected a size such as \"512MB\" or \"2GB\"";
    let bytes = settings::bytes(&text.value()).ok_or_else(|| Error::new_spanned(text, expected))?;
    Ok(quote!(#bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(arguments: TokenStream, expected: &str) {
        let found = match Settings::parse(Claim::ForAll, arguments) {
            Ok(settings) => settings.configure(true).to_string(),
            Err(error) => {
                error.into_iter().map(|error| error.to_string()).collect::<Vec<_>>().join("\n")
            }
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn sets_fields() {
        check(
            quote!(cases = 200, seed = 7, isolate = always, deadline = "1.5s", memory = "2KB"),
            "| settings : & mut :: rebut :: __private :: Settings | { \
             settings . cases = :: core :: option :: Option :: Some (200) ; \
             settings . seed = :: core :: option :: Option :: Some (7) ; \
             settings . isolate = :: rebut :: __private :: Isolation :: Always ; \
             settings . deadline = :: core :: time :: Duration :: from_nanos (1500000000u64) ; \
             settings . memory_max = 2048u64 ; }",
        );
    }

    #[test]
    fn reports_every_wrong_setting() {
        check(
            quote!(
                case = 3,
                verbosity = loud,
                deadline = 3,
                time_budget = "soon",
                cases,
                color = 1
            ),
            "unknown setting `case`; did you mean `cases`?\n\
             `verbosity` is one of `quiet`, `normal`, `verbose`, `trace`\n\
             `deadline` needs a unit: `deadline = \"2s\"`\n\
             expected a time such as \"500ms\", \"2s\" or \"1.5min\"\n\
             `cases` needs a value: `cases = 200`\n\
             unknown setting `color`; expected one of cases, seed, time_budget, deadline, isolate, \
             memory, shrink_max, failures, explain, verbosity, database, rejections_max, search, \
             events, spec, outline, inputs, differ, runtime, crate",
        );
    }

    #[test]
    fn every_setting_accepts_its_example() {
        for row in settings::ALL {
            let Some(key) = row.key else { continue };
            let claim =
                if row.claims == Claims::OfSearches { Claim::Exists } else { Claim::ForAll };
            let arguments = format!("{key} = {}", row.example).parse().expect("tokens");
            let parsed = Settings::parse(claim, arguments).map(|settings| settings.fields);
            let fields = parsed.unwrap_or_else(|error| panic!("{key}: {error}"));
            assert_eq!(fields[0].0, row.field);
        }
    }

    #[test]
    fn the_documentation_of_the_macro_lists_every_setting() {
        let source = include_str!("../lib.rs");
        for row in settings::ALL.iter().filter(|row| row.claims != Claims::OfSearches) {
            let Some(key) = row.key else { continue };
            // Attributes take words without quotes.
            let default = match row.values {
                Values::Words { .. } => row.default.trim_matches('"'),
                _ => row.default,
            };
            let (example, meaning) = (row.example, row.meaning);
            let line = format!("/// | `{key} = {example}` | `{default}` | {meaning} |\n");
            assert!(source.contains(&line), "src/lib.rs should have:\n{line}");
        }
    }
}
