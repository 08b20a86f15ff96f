//! A source file as tokens: its functions, and its conditions on the target.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::cfg::{Predicate, split};

/// A file.
#[derive(Debug, Default)]
pub(super) struct SourceFile {
    pub(super) conditions: Vec<Condition>,
    pub(super) functions: Vec<Function>,
}

/// A condition, and what depends on it.
#[derive(Debug)]
pub(super) struct Condition {
    pub(super) predicate: Predicate,
    /// As it is written.
    pub(super) text: String,
    pub(super) line: u32,
    /// The lines of the code that exists under the condition.
    lines: [u32; 2],
    /// The items under it that leave no code of their own.
    pub(super) items: Vec<String>,
    /// The modules under it whose code is in other files.
    pub(super) modules: Vec<String>,
}

/// A function, a constant or a static, with its attributes.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: String,
    lines: [u32; 2],
    /// All names in it.
    pub(super) names: BTreeSet<String>,
    /// The constants of the target that it reads.
    pub(super) constants: BTreeSet<String>,
}

impl SourceFile {
    /// Reads the text of a file; `None` if it is not Rust.
    pub(super) fn parse(text: &str) -> Option<SourceFile> {
        let tokens: TokenStream = text.parse().ok()?;
        let mut file = SourceFile::default();
        let mut reader = Reader { file: &mut file, imported: imported_constants(tokens.clone()) };
        reader.read(tokens);
        Some(file)
    }
}

impl Condition {
    /// Whether a function contains the condition or is below it.
    pub(super) fn concerns(&self, function: &Function) -> bool {
        let ([first, last], [start, end]) = (self.lines, function.lines);
        let contains = start <= self.line && last <= end;
        let is_below = first <= start && end <= last;
        contains || is_below
    }
}

impl Function {
    pub(super) fn has_line(&self, lines: &BTreeSet<u32>) -> bool {
        let [first, last] = self.lines;
        lines.range(first..=last).next().is_some()
    }
}

struct Reader<'f> {
    file: &'f mut SourceFile,
    /// The names under which the file imports constants of the target.
    imported: BTreeSet<String>,
}

impl Reader<'_> {
    fn read(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == '#' => self.attribute(&tokens, at),
                TokenTree::Ident(name) if name == "fn" || name == "const" || name == "static" => {
                    self.function(&tokens, at);
                }
                TokenTree::Ident(name) if is_macro(&tokens, at) => {
                    if let Some(TokenTree::Group(group)) = tokens.get(at + 2) {
                        self.call(&name.to_string(), group);
                    }
                }
                TokenTree::Group(group) => self.read(group.stream()),
                _ => {}
            }
            at += 1;
        }
    }

    /// Reads an attribute; what follows it is under its condition.
    fn attribute(&mut self, tokens: &[TokenTree], at: usize) {
        // An alternative of `cfg_if!`, which is read with the whole macro.
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        if matches!(before, Some(TokenTree::Ident(keyword)) if keyword == "if") {
            return;
        }
        let is_inner =
            matches!(tokens.get(at + 1), Some(TokenTree::Punct(p)) if p.as_char() == '!');
        let Some(TokenTree::Group(group)) = tokens.get(at + 1 + usize::from(is_inner)) else {
            return;
        };
        let inner: Vec<TokenTree> = group.stream().into_iter().collect();
        let [TokenTree::Ident(name), TokenTree::Group(arguments)] = inner.as_slice() else {
            return;
        };
        let predicate = match name.to_string().as_str() {
            "cfg" => arguments.stream(),
            "cfg_attr" => {
                let parts = split(arguments.stream());
                let [predicate, attributes @ ..] = parts.as_slice() else { return };
                if !attributes.iter().any(changes_code) {
                    return;
                }
                predicate.clone()
            }
            _ => return,
        };
        let line = line_of(&tokens[at])[0];
        let (lines, items, modules) = if is_inner {
            ([1, u32::MAX], Vec::new(), Vec::new())
        } else {
            let item = item(&tokens[at + 2..]);
            let last = item.last().map_or(line, |token| line_of(token)[1]);
            let (items, modules) = names_of(item);
            ([line, last], items, modules)
        };
        self.add(predicate, line, lines, items, modules);
    }

    fn add(
        &mut self,
        predicate: TokenStream,
        line: u32,
        lines: [u32; 2],
        items: Vec<String>,
        modules: Vec<String>,
    ) {
        let text = format!("cfg({predicate})");
        if let Some(predicate) = Predicate::parse(predicate) {
            let condition = Condition { predicate, text, line, lines, items, modules };
            self.file.conditions.push(condition);
        }
    }

    /// Reads the arguments of a macro that selects code.
    fn call(&mut self, name: &str, arguments: &Group) {
        let lines = [line_of_start(arguments), line_of_end(arguments)];
        match name {
            "env" | "option_env" => {
                if let Some(TokenTree::Literal(variable)) = arguments.stream().into_iter().next() {
                    let variable = variable.to_string();
                    let name = variable_name(variable.trim_matches('"'));
                    self.file.conditions.push(Condition {
                        predicate: Predicate::Option(name, None),
                        text: format!("env!({variable})"),
                        line: lines[0],
                        lines,
                        items: Vec::new(),
                        modules: Vec::new(),
                    });
                }
            }
            "cfg" => self.add(arguments.stream(), lines[0], lines, Vec::new(), Vec::new()),
            "cfg_if" | "cfg_select" => {
                let (items, modules) = selected(arguments.stream());
                let tokens: Vec<TokenTree> = arguments.stream().into_iter().collect();
                for predicate in alternatives(&tokens) {
                    self.add(predicate, lines[0], lines, items.clone(), modules.clone());
                }
            }
            _ => {}
        }
    }

    /// Notes a function that has a body, a constant or a static.
    fn function(&mut self, tokens: &[TokenTree], at: usize) {
        let is_mutable = |token: &&TokenTree| matches!(token, TokenTree::Ident(n) if *n == "mut");
        let skipped = usize::from(tokens.get(at + 1).filter(is_mutable).is_some());
        let Some(TokenTree::Ident(name)) = tokens.get(at + 1 + skipped) else { return };
        let item = item(&tokens[at..]);
        let is_function = matches!(&tokens[at], TokenTree::Ident(keyword) if keyword == "fn");
        let ends = match item.last() {
            // The declaration of a function, without a body.
            Some(TokenTree::Punct(_)) if is_function => return,
            Some(last) => line_of(last)[1],
            None => return,
        };
        let mut names = BTreeSet::new();
        let tokens_of_item: TokenStream = item[2 + skipped..].iter().cloned().collect();
        collect_names(tokens_of_item.clone(), &mut names);
        let mut constants: BTreeSet<String> = names.intersection(&self.imported).cloned().collect();
        constants.extend(read_constants(tokens_of_item));
        let constants = constants.iter().map(|name| format!("std::env::consts::{name}"));
        let constants = constants.collect();
        let lines = [first_line(tokens, at), ends];
        let name = name.to_string();
        self.file.functions.push(Function { name, lines, names, constants });
    }
}

/// The first line of the attributes and modifiers of an item.
fn first_line(tokens: &[TokenTree], at: usize) -> u32 {
    let is_part = |token: &&TokenTree| match token {
        TokenTree::Ident(_) | TokenTree::Literal(_) => true,
        TokenTree::Punct(punct) => punct.as_char() == '#',
        TokenTree::Group(group) => group.delimiter() != Delimiter::Brace,
    };
    let first = tokens[..=at].iter().rev().take_while(is_part).last();
    first.map_or(1, |token| line_of(token)[0])
}

/// The name of an option that stands for a variable of the environment.
fn variable_name(variable: &str) -> String {
    format!("env {variable}")
}

/// Returns the options and variables that a build script sets. A script that does not ask for the
/// target sets the same ones for both targets, so they are left out.
pub(super) fn set_by(script: &str) -> BTreeSet<String> {
    let asks = ["CARGO_CFG_", "\"TARGET\"", "\"HOST\""];
    if !asks.iter().any(|variable| script.contains(variable)) {
        return BTreeSet::new();
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let names = |marker: &str| -> Vec<String> {
        let after = script.split(marker).skip(1);
        after.map(|rest| rest.chars().take_while(|c| is_part(*c)).collect()).collect()
    };
    let variables = names("rustc-env=");
    let variables = variables.iter().map(|name| variable_name(name));
    names("rustc-cfg=").into_iter().chain(variables).collect()
}

/// Whether tokens are the call of a macro: a name, `!` and arguments.
fn is_macro(tokens: &[TokenTree], at: usize) -> bool {
    let is_call =
        matches!(tokens.get(at + 1), Some(TokenTree::Punct(punct)) if punct.as_char() == '!');
    is_call && matches!(tokens.get(at + 2), Some(TokenTree::Group(_)))
}

/// Whether an attribute changes what a program does.
fn changes_code(attribute: &TokenStream) -> bool {
    let first = attribute.clone().into_iter().next();
    matches!(first, Some(TokenTree::Ident(name)) if name == "derive" || name == "path" || name == "repr")
}

/// The conditions in the arguments of `cfg_if!` and `cfg_select!`.
fn alternatives(tokens: &[TokenTree]) -> Vec<TokenStream> {
    let mut conditions = Vec::new();
    let mut begin = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            // `if #[cfg(..)] { .. }`
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                if let [TokenTree::Ident(name), TokenTree::Group(arguments)] = inner.as_slice()
                    && name == "cfg"
                {
                    conditions.push(arguments.stream());
                }
            }
            // `condition => { .. }`
            TokenTree::Punct(punct) if punct.as_char() == '=' && is_arrow(tokens, at) => {
                conditions.push(tokens[begin..at].iter().cloned().collect());
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => begin = at + 1,
            _ => {}
        }
    }
    conditions
}

fn is_arrow(tokens: &[TokenTree], at: usize) -> bool {
    matches!(tokens.get(at + 1), Some(TokenTree::Punct(punct)) if punct.as_char() == '>')
}

/// The items and modules in the alternatives of `cfg_if!` and `cfg_select!`.
fn selected(tokens: TokenStream) -> (Vec<String>, Vec<String>) {
    let (mut items, mut modules) = (Vec::new(), Vec::new());
    for token in tokens {
        let TokenTree::Group(group) = token else { continue };
        if group.delimiter() != Delimiter::Brace {
            continue;
        }
        let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
        let mut rest = tokens.as_slice();
        while !rest.is_empty() {
            let first = item(rest);
            let (more, declared) = names_of(first);
            items.extend(more);
            modules.extend(declared);
            rest = &rest[first.len().max(1)..];
        }
    }
    (items, modules)
}

/// The tokens of the item, statement, field or arm at the beginning.
fn item(tokens: &[TokenTree]) -> &[TokenTree] {
    let mut has_value = false;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Punct(punct) if matches!(punct.as_char(), ';' | ',') => {
                return &tokens[..=at];
            }
            // `const X: T = S { .. };` goes on behind its braces.
            TokenTree::Punct(punct) if punct.as_char() == '=' && !is_arrow(tokens, at) => {
                has_value = true;
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && !has_value => {
                return &tokens[..=at];
            }
            _ => {}
        }
    }
    tokens
}

/// The names of an item that leaves no code of its own, and of a module in another file.
fn names_of(item: &[TokenTree]) -> (Vec<String>, Vec<String>) {
    let mut at = 0;
    while let Some(token) = item.get(at) {
        let TokenTree::Ident(keyword) = token else {
            // Attributes and `pub(crate)`.
            at += 1;
            continue;
        };
        let next = match item.get(at + 1) {
            Some(TokenTree::Ident(name)) => name.to_string(),
            _ => String::new(),
        };
        return match keyword.to_string().as_str() {
            "pub" | "unsafe" | "extern" | "async" | "default" => {
                at += 1;
                continue;
            }
            // `const fn` leaves code.
            "const" if matches!(next.as_str(), "fn" | "unsafe" | "async" | "extern") => {
                (Vec::new(), Vec::new())
            }
            "static" if next == "mut" => match item.get(at + 2) {
                Some(TokenTree::Ident(name)) => (vec![name.to_string()], Vec::new()),
                _ => (Vec::new(), Vec::new()),
            },
            "const" | "static" | "type" | "struct" | "enum" | "union" | "trait" => {
                (vec![next], Vec::new())
            }
            "mod" => (vec![next.clone()], vec![next]),
            "macro_rules" => match item.get(at + 2) {
                Some(TokenTree::Ident(name)) => (vec![name.to_string()], Vec::new()),
                _ => (Vec::new(), Vec::new()),
            },
            "use" => (imported_names(&item[at + 1..]), Vec::new()),
            "impl" => (methods_of_trait(&item[at + 1..]), Vec::new()),
            _ => (Vec::new(), Vec::new()),
        };
    }
    (Vec::new(), Vec::new())
}

/// The methods in an implementation of a trait: without them, the trait has others.
fn methods_of_trait(item: &[TokenTree]) -> Vec<String> {
    let is_of_trait =
        item.iter().any(|token| matches!(token, TokenTree::Ident(name) if name == "for"));
    let Some(TokenTree::Group(body)) = item.last().filter(|_| is_of_trait) else {
        return Vec::new();
    };
    let tokens: Vec<TokenTree> = body.stream().into_iter().collect();
    let names = tokens.windows(2).filter_map(|pair| match pair {
        [TokenTree::Ident(keyword), TokenTree::Ident(name)] if keyword == "fn" => {
            Some(name.to_string())
        }
        _ => None,
    });
    names.collect()
}

/// The names that a `use` brings into scope: each one before a comma, a brace or the end.
fn imported_names(tokens: &[TokenTree]) -> Vec<String> {
    let mut names = Vec::new();
    let mut last = None;
    for token in tokens {
        match token {
            TokenTree::Ident(name) => last = Some(name.to_string()),
            TokenTree::Punct(punct) if matches!(punct.as_char(), ',' | ';') => {
                names.extend(last.take());
            }
            TokenTree::Group(group) => {
                last = None;
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                names.extend(imported_names(&inner));
            }
            TokenTree::Punct(punct) if punct.as_char() == '*' => last = None,
            _ => {}
        }
    }
    names.extend(last);
    names.retain(|name| name != "_" && name != "self");
    names
}

/// The constants of the target that tokens read with their path: what follows `consts::`.
fn read_constants(tokens: TokenStream) -> Vec<String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(name) if name == "consts" => {
                if let Some(TokenTree::Ident(constant)) = tokens.get(at + 3)
                    && CONSTANTS.iter().any(|known| constant == known)
                {
                    found.push(constant.to_string());
                }
            }
            TokenTree::Group(group) => found.extend(read_constants(group.stream())),
            _ => {}
        }
    }
    found
}

/// The constants of `std::env::consts`.
const CONSTANTS: [&str; 9] = [
    "ARCH",
    "DLL_EXTENSION",
    "DLL_PREFIX",
    "DLL_SUFFIX",
    "EXE_EXTENSION",
    "EXE_SUFFIX",
    "FAMILY",
    "OS",
    "TARGET",
];

/// The constants of `std::env::consts` that a file imports by name.
fn imported_constants(tokens: TokenStream) -> BTreeSet<String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut imported = BTreeSet::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(name) if name == "use" => {
                let item = item_of_use(&tokens[at..]);
                let is_of_target = item
                    .iter()
                    .any(|token| matches!(token, TokenTree::Ident(name) if name == "consts"))
                    && item
                        .iter()
                        .any(|token| matches!(token, TokenTree::Ident(name) if name == "env"));
                if is_of_target {
                    let names = imported_names(&item[1..]).into_iter();
                    imported.extend(names.filter(|name| CONSTANTS.contains(&name.as_str())));
                }
            }
            TokenTree::Group(group) => imported.extend(imported_constants(group.stream())),
            _ => {}
        }
    }
    imported
}

fn item_of_use(tokens: &[TokenTree]) -> &[TokenTree] {
    let is_end = |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ';');
    let end = tokens.iter().position(is_end).unwrap_or(tokens.len());
    &tokens[..end]
}

fn collect_names(tokens: TokenStream, names: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => _ = names.insert(name.to_string()),
            TokenTree::Group(group) => collect_names(group.stream(), names),
            _ => {}
        }
    }
}

/// The first and the last line of a token.
fn line_of(token: &TokenTree) -> [u32; 2] {
    let span = token.span();
    [span.start().line as u32, span.end().line as u32]
}

fn line_of_start(group: &Group) -> u32 {
    group.span_open().start().line as u32
}

fn line_of_end(group: &Group) -> u32 {
    group.span_close().end().line as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The conditions of the functions with a line, and the constants that these read.
    fn executed(text: &str, line: u32) -> (Vec<String>, Vec<String>) {
        let file = SourceFile::parse(text).expect("tokens");
        let lines = BTreeSet::from([line]);
        let functions: Vec<&Function> =
            file.functions.iter().filter(|function| function.has_line(&lines)).collect();
        let concerns = |one: &&Condition| functions.iter().any(|function| one.concerns(function));
        let conditions = file.conditions.iter().filter(concerns);
        let conditions = conditions.map(|one| one.text.replace(' ', "")).collect();
        (conditions, functions.iter().flat_map(|one| one.constants.clone()).collect())
    }

    fn items(text: &str) -> Vec<String> {
        let file = SourceFile::parse(text).expect("tokens");
        file.conditions.into_iter().flat_map(|one| one.items).collect()
    }

    #[test]
    fn constants_and_functions_have_their_attributes() {
        let text = "#[test]\npub(crate) fn a() {}\nstatic mut B: u8 =\n  1;\nfn c();\n";
        let file = SourceFile::parse(text).expect("tokens");
        let all: Vec<_> = file.functions.iter().map(|one| (one.name.as_str(), one.lines)).collect();
        assert_eq!(all, [("a", [1, 2]), ("B", [3, 4])]);
    }

    #[test]
    fn a_condition_belongs_to_the_function_around_it_or_below_it() {
        let text = "fn a() {\n  if cfg!(unix) { b() }\n}\nfn b() {}\n#[cfg(windows)]\nfn c() {\n}\n\
                    #[cfg(all(unix, test))]\nmod m {\n  fn d() {\n    1;\n  }\n}\n";
        let conditions = |line| executed(text, line).0;
        assert_eq!(conditions(2), ["cfg(unix)"]);
        assert_eq!(conditions(4), [""; 0]);
        assert_eq!(conditions(6), ["cfg(windows)"]);
        assert_eq!(conditions(11), ["cfg(all(unix,test))"]);
    }

    #[test]
    fn a_statement_may_be_under_a_condition() {
        let text = "fn a() -> u8 {\n  #[cfg(unix)]\n  return 1;\n  2\n}\nfn b() {\n}\n";
        assert_eq!(executed(text, 4).0, ["cfg(unix)"]);
        assert_eq!(executed(text, 6).0, [""; 0]);
    }

    #[test]
    fn alternatives_of_macros_are_conditions() {
        let text = "cfg_if::cfg_if! {\n  if #[cfg(unix)] {\n    fn a() {}\n  } else {\n    fn b() {\n\
                    }\n  }\n}\nfn c() {}";
        assert_eq!(executed(text, 3).0, ["cfg(unix)"]);
        assert_eq!(executed(text, 9).0, [""; 0]);
        let text =
            "cfg_select! {\n  all(unix, test) => { fn a() {} }\n  _ => { const B: u8 = 1; }\n}";
        assert_eq!(executed(text, 2).0, ["cfg(all(unix,test))"]);
        assert_eq!(items(text), ["B"]);
    }

    #[test]
    fn items_without_code_are_known_by_name() {
        assert_eq!(items("#[cfg(unix)] pub(crate) const LIMIT: [u8; 2] = [1, 2];"), ["LIMIT"]);
        assert_eq!(items("#[cfg(unix)] use a::{b, c as d, e::*};"), ["b", "d"]);
        assert_eq!(items("#[cfg(unix)] mod inner;"), ["inner"]);
        assert_eq!(items("#[cfg(unix)] pub const fn f() {} const X: u8 = 1;"), [""; 0]);
        assert_eq!(items("#[cfg_attr(unix, derive(Debug))] struct S { a: u8 }"), ["S"]);
        assert_eq!(items("#[cfg_attr(unix, inline)] struct S { a: u8 }"), [""; 0]);
        assert_eq!(items("#[cfg(unix)] impl Show for S { fn show(&self) {} }"), ["show"]);
    }

    #[test]
    fn options_of_a_build_script_count_if_it_asks_for_the_target() {
        let script = "if std::env::var(\"CARGO_CFG_UNIX\").is_ok() {\
                      println!(\"cargo::rustc-cfg=has_threads\"); }\
                      println!(\"cargo::rustc-env=LIMIT={limit}\");";
        let set: Vec<String> = set_by(script).into_iter().collect();
        assert_eq!(set, ["env LIMIT", "has_threads"]);
        assert_eq!(set_by("println!(\"cargo::rustc-cfg=is_new\");"), BTreeSet::new());
        let text = "fn a() -> usize {\n  env!(\"LIMIT\").len()\n}";
        assert_eq!(executed(text, 2).0, ["env!(\"LIMIT\")"]);
    }

    #[test]
    fn constants_of_the_target_are_found_with_a_path_and_imported() {
        let constants = |text: &str| executed(text, 2).1;
        let path = "use std::env;\nfn a() -> bool { env::consts::OS == \"linux\" }";
        assert_eq!(constants(path), ["std::env::consts::OS"]);
        let imported = "use std::env::consts::{ARCH, OS};\nfn a() -> usize { ARCH.len() }";
        assert_eq!(constants(imported), ["std::env::consts::ARCH"]);
        let others = "use std::f64::consts::PI;\nfn a() -> f64 { PI + std::f64::consts::E }";
        assert_eq!(constants(others), [""; 0]);
    }
}
