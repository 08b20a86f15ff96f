//! The setting `runtime`: what runs the future of an `async fn`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned as _;
use syn::{Error, Expr, ExprCall, Member, Result};

use crate::name_value::{Setting, as_text};
use crate::written;

/// The crates that the setting knows by name, and their functions. `tokio` has settings of its
/// own.
const CRATES: &[(&str, &str)] = &[
    ("tokio", ""),
    ("smol", "smol::block_on"),
    ("async_std", "async_std::task::block_on"),
    ("pollster", "pollster::block_on"),
    ("actix_rt", "actix_rt::System::new().block_on"),
    ("futures", "futures::executor::block_on"),
];

/// The settings of `tokio`, which are those of `#[tokio::test]`.
const OF_TOKIO: &str = "`multi_thread`, `current_thread`, `flavor = \"..\"`, `worker_threads = 2`, `start_paused = true`";

/// The function that runs a future.
pub(super) struct Runtime {
    function: Function,
    /// The span of the value.
    pub(super) place: Span,
}

enum Function {
    /// As the user wrote it.
    Written(Expr),
    /// An expression of a known crate, also as text.
    Known(TokenStream, String),
}

impl Runtime {
    pub(super) fn parse(setting: &Setting) -> Result<Runtime> {
        let value = setting.value("tokio")?;
        let parsed;
        let expression = match as_text(value) {
            None => value,
            Some(text) => {
                let words = text.value().replace('-', "_");
                parsed = syn::parse_str(&words).ok().ok_or_else(|| unknown(value))?;
                &parsed
            }
        };
        let known = match expression {
            Expr::Path(path) => path.path.get_ident().and_then(known),
            Expr::Call(call) => Some(in_parentheses(call)?),
            Expr::Field(field) if is_block_on(&field.member) => {
                return Err(Error::new_spanned(
                    &field.member,
                    "a method needs its object when it is called: write `runtime = tokio`, or \
                     a closure such as `runtime = |future| Runtime::new().unwrap().block_on(future)`",
                ));
            }
            _ => None,
        };
        let function = match known {
            Some(known) => known,
            None if as_text(value).is_some() => return Err(unknown(value)),
            None => Function::Written(value.clone()),
        };
        Ok(Runtime { function, place: value.span() })
    }

    /// Returns the expression that runs a future.
    pub(super) fn run(&self, future: &TokenStream) -> TokenStream {
        match &self.function {
            Function::Written(runtime) => quote!((#runtime)(#future)),
            Function::Known(runtime, _) => quote!(::#runtime(#future)),
        }
    }

    /// Returns the body of a test that runs the code between the braces of an `async fn`.
    pub(super) fn body(&self, inside: &str) -> String {
        let function = match &self.function {
            Function::Written(path @ Expr::Path(_)) => written::type_text(&path.to_token_stream()),
            Function::Written(runtime) => {
                format!("({})", written::text(&runtime.to_token_stream()))
            }
            Function::Known(_, text) => text.clone(),
        };
        // The indentation of the closing brace is that of the function.
        let indentation = match inside.rsplit_once('\n') {
            Some((_, last)) if last.trim().is_empty() => last,
            _ => "",
        };
        format!("\n{indentation}{function}(async {{{inside}}})\n")
    }
}

fn known(name: &Ident) -> Option<Function> {
    let (_, function) = CRATES.iter().find(|(known, _)| name == known)?;
    match *function {
        "" => Some(tokio("new_current_thread", &[])),
        function => Some(Function::Known(function.parse().ok()?, function.to_owned())),
    }
}

/// Returns the runtime of tokio. There is one for each case, so that no task of a case runs in a
/// later one.
fn tokio(constructor: &str, settings: &[(Ident, Expr)]) -> Function {
    let mut text = format!("tokio::runtime::Builder::{constructor}()");
    for (name, value) in settings {
        text += &format!(".{name}({})", written::text(&value.to_token_stream()));
    }
    text += ".enable_all().build().unwrap().block_on";
    let constructor = crate::name_value::local(constructor);
    let settings = settings.iter().map(|(name, value)| quote!(.#name(#value)));
    let runtime = quote! {
        tokio::runtime::Builder::#constructor()
            #(#settings)*
            .enable_all()
            .build()
            .expect("the tokio runtime starts")
            .block_on
    };
    Function::Known(runtime, text)
}

/// Parses `tokio(flavor = "multi_thread")`. Other calls return the function.
fn in_parentheses(call: &ExprCall) -> Result<Function> {
    let written = || Ok(Function::Written(Expr::Call(call.clone())));
    let Expr::Path(function) = &*call.func else { return written() };
    let Some(name) = function.path.get_ident() else { return written() };
    match known(name) {
        None => return written(),
        Some(_) if name != "tokio" => {
            return Err(Error::new_spanned(
                call,
                format!("only `tokio` has settings; write `runtime = {name}`"),
            ));
        }
        Some(_) => {}
    }
    let mut constructor = "new_current_thread";
    let mut settings = Vec::new();
    let unknown = |setting: &Expr| {
        Error::new_spanned(setting, format!("expected one of the settings of tokio: {OF_TOKIO}"))
    };
    for setting in &call.args {
        let (name, value) = match setting {
            Expr::Path(word) => (setting, Some(word.to_token_stream().to_string())),
            Expr::Assign(assign) => (
                &*assign.left,
                as_text(&assign.right)
                    .filter(|_| assign.left.to_token_stream().to_string() == "flavor")
                    .map(syn::LitStr::value),
            ),
            _ => return Err(unknown(setting)),
        };
        match (value.as_deref(), setting) {
            (Some("multi_thread"), _) => constructor = "new_multi_thread",
            (Some("current_thread"), _) => {}
            (None, Expr::Assign(assign)) => match name {
                Expr::Path(path)
                    if path.path.is_ident("worker_threads")
                        || path.path.is_ident("start_paused") =>
                {
                    let name = path.path.require_ident()?.clone();
                    settings.push((name, (*assign.right).clone()));
                }
                _ => return Err(unknown(setting)),
            },
            _ => return Err(unknown(setting)),
        }
    }
    Ok(tokio(constructor, &settings))
}

fn unknown(value: &Expr) -> Error {
    let names: Vec<String> = CRATES.iter().map(|(name, _)| format!("`{name}`")).collect();
    Error::new_spanned(
        value,
        format!(
            "expected one of {}, or without quotes a function or a closure that takes a future \
             and returns its output",
            names.join(", ")
        ),
    )
}

fn is_block_on(member: &Member) -> bool {
    matches!(member, Member::Named(name) if name == "block_on")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: TokenStream, expected: &str) {
        let settings = Setting::list(quote!(runtime = #value)).expect("a setting");
        let found = match Runtime::parse(&settings[0]) {
            Ok(runtime) => {
                let run = runtime.run(&quote!(f())).to_string().replace(' ', "");
                format!("{run} {}", runtime.body(" f().await ").trim())
            }
            Err(error) => error.to_string(),
        };
        assert_eq!(found, expected, "{value}");
    }

    #[test]
    fn crates_are_known_by_name() {
        let smol = "::smol::block_on(f()) smol::block_on(async { f().await })";
        check(quote!(smol), smol);
        check(quote!("smol"), smol);
        check(
            quote!("async-std"),
            "::async_std::task::block_on(f()) async_std::task::block_on(async { f().await })",
        );
        check(
            quote!(tokio),
            "::tokio::runtime::Builder::new_current_thread().enable_all().build()\
             .expect(\"thetokioruntimestarts\").block_on(f()) \
             tokio::runtime::Builder::new_current_thread().enable_all().build()\
             .unwrap().block_on(async { f().await })",
        );
    }

    #[test]
    fn tokio_has_the_settings_of_its_own_attribute() {
        let multi = "::tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all()\
                     .build().expect(\"thetokioruntimestarts\").block_on(f()) \
                     tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all()\
                     .build().unwrap().block_on(async { f().await })";
        check(quote!(tokio(flavor = "multi_thread", worker_threads = 2)), multi);
        check(quote!(tokio(multi_thread, worker_threads = 2)), multi);
        check(quote!("tokio(multi_thread, worker_threads = 2)"), multi);
        let expected = format!("expected one of the settings of tokio: {OF_TOKIO}");
        check(quote!(tokio(threads = 2)), &expected);
        check(quote!(tokio(flavor = "many")), &expected);
        check(quote!(smol(2)), "only `tokio` has settings; write `runtime = smol`");
    }

    #[test]
    fn other_values_are_functions() {
        check(quote!(my::run), "(my::run)(f()) my::run(async { f().await })");
        check(quote!(|x| go(x)), "(|x|go(x))(f()) (| x | go (x))(async { f().await })");
        check(quote!(make(2)), "(make(2))(f()) (make (2))(async { f().await })");
    }

    #[test]
    fn bodies_keep_their_lines() {
        let function = Function::Written(syn::parse_quote!(run));
        let runtime = Runtime { function, place: Span::call_site() };
        assert_eq!(
            runtime.body("\n        f().await;\n    "),
            "\n    run(async {\n        f().await;\n    })\n"
        );
    }
}
