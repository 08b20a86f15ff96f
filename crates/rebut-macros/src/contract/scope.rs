//! Finds the uses of variables in code.
//!
//! A clause or a counterpart of a model names the parameters of its function. A printed program has
//! other names or values in their place. Replacing every equal name would also replace the function
//! in `u32::from(from)`, the field in `self.from`, and the parameter in `|from| from + 1`. So this
//! module walks through the tokens as the compiler does: it knows paths, fields, methods, macros and
//! the patterns that hide a name. It needs no syntax tree, so it also sees into macro calls.

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, TokenStream, TokenTree};

/// The meaning of an equal name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameUse {
    /// A use of the variable.
    Variable,
    /// A field of a struct that is set to the variable of its name: `Point { x }`.
    Shorthand,
    /// Something else of the same name.
    Other,
}

/// Calls `replace` for each name in the tokens, in their order, and puts in what it returns.
pub(super) fn replaced(
    tokens: TokenStream,
    replace: &mut dyn FnMut(&Ident, NameUse) -> Option<TokenStream>,
) -> TokenStream {
    NameWalk { replace, hidden: Vec::new() }.group(tokens, Surrounding::Code)
}

/// The code around a list of tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Surrounding {
    Code,
    /// The fields of a struct.
    Fields,
    /// The arms of a `match`.
    Arms,
    /// The arguments of `matches!`: an expression and a pattern.
    Matches,
}

struct NameWalk<'a> {
    replace: &'a mut dyn FnMut(&Ident, NameUse) -> Option<TokenStream>,
    /// The names that patterns around the token declare.
    hidden: Vec<String>,
}

fn is_punct(tree: Option<&TokenTree>, c: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == c)
}

fn is_joint(tree: Option<&TokenTree>, c: char) -> bool {
    let joint = |punct: &Punct| punct.as_char() == c && punct.spacing() == Spacing::Joint;
    matches!(tree, Some(TokenTree::Punct(punct)) if joint(punct))
}

fn is_word(tree: Option<&TokenTree>, word: &str) -> bool {
    matches!(tree, Some(TokenTree::Ident(ident)) if ident == word)
}

fn is_brace(tree: Option<&TokenTree>) -> bool {
    matches!(tree, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace)
}

/// Returns the names that a pattern declares.
fn declared(pattern: &[TokenTree]) -> Vec<String> {
    let mut names = Vec::new();
    for (at, tree) in pattern.iter().enumerate() {
        match tree {
            TokenTree::Ident(ident) => {
                let (name, next) = (ident.to_string(), pattern.get(at + 1));
                let is_path = is_joint(next, ':')
                    || is_punct(next, '!')
                    || matches!(next, Some(TokenTree::Group(_)))
                    || (at > 1
                        && is_punct(pattern.get(at - 1), ':')
                        && is_joint(pattern.get(at - 2), ':'));
                let is_variable = name.starts_with(|c: char| c == '_' || c.is_lowercase());
                if is_variable && !is_path {
                    names.push(name);
                }
            }
            TokenTree::Group(group) => {
                names.extend(declared(&group.stream().into_iter().collect::<Vec<_>>()));
            }
            _ => {}
        }
    }
    names
}

impl NameWalk<'_> {
    fn group(&mut self, tokens: TokenStream, around: Surrounding) -> TokenStream {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mark = self.hidden.len();
        let mut out = TokenStream::new();
        match around {
            Surrounding::Arms => self.arms(&trees, &mut out),
            Surrounding::Matches => {
                let comma = trees.iter().position(|tree| is_punct(Some(tree), ','));
                let (value, pattern) = trees.split_at(comma.unwrap_or(trees.len()));
                self.run(value, &mut out, around);
                self.hidden.extend(declared(until_guard(pattern)));
                self.run(pattern, &mut out, around);
            }
            _ => self.run(&trees, &mut out, around),
        }
        self.hidden.truncate(mark);
        out
    }

    /// Walks through `pattern if guard => body,` again and again.
    fn arms(&mut self, trees: &[TokenTree], out: &mut TokenStream) {
        let mut rest = trees;
        while !rest.is_empty() {
            let arrow = (1..rest.len())
                .find(|at| is_punct(rest.get(*at), '>') && is_joint(rest.get(at - 1), '='));
            let Some(arrow) = arrow else { return self.run(rest, out, Surrounding::Code) };
            let body = &rest[arrow + 1..];
            let length = match is_brace(body.first()) {
                true => 1 + usize::from(is_punct(body.get(1), ',')),
                false => {
                    let comma = body.iter().position(|tree| is_punct(Some(tree), ','));
                    comma.map_or(body.len(), |comma| comma + 1)
                }
            };
            let mark = self.hidden.len();
            self.hidden.extend(declared(until_guard(&rest[..arrow])));
            self.run(&rest[..arrow + 1 + length], out, Surrounding::Code);
            self.hidden.truncate(mark);
            rest = &rest[arrow + 1 + length..];
        }
    }

    /// Walks through tokens of one level.
    fn run(&mut self, trees: &[TokenTree], out: &mut TokenStream, around: Surrounding) {
        // Names that the next block declares, or everything behind the next semicolon.
        let mut of_block: Vec<String> = Vec::new();
        let mut of_rest: Vec<String> = Vec::new();
        // The number of hidden names outside of the closure that the walk is in.
        let mut closure: Option<usize> = None;
        let mut is_match = false;
        // Tokens before this index belong to a pattern.
        let mut pattern_end = 0;
        for (at, tree) in trees.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|before| trees.get(before));
            match tree {
                TokenTree::Punct(punct) => {
                    match punct.as_char() {
                        ',' if closure.is_some() => {
                            self.hidden.truncate(closure.take().unwrap_or_default());
                        }
                        ';' => {
                            if let Some(mark) = closure.take() {
                                self.hidden.truncate(mark);
                            }
                            self.hidden.append(&mut of_rest);
                        }
                        '|' if at >= pattern_end && begins_expression(before) => {
                            let behind = &trees[at + 1..];
                            let end = behind.iter().position(|tree| is_punct(Some(tree), '|'));
                            let end = end.unwrap_or(0);
                            closure.get_or_insert(self.hidden.len());
                            self.hidden.extend(declared(&behind[..end]));
                            pattern_end = at + 1 + end + 1;
                        }
                        _ => {}
                    }
                    out.extend([tree.clone()]);
                }
                TokenTree::Ident(ident) => {
                    if ident == "match" {
                        is_match = true;
                    }
                    if ident == "let" || ident == "for" {
                        let behind = &trees[at + 1..];
                        let ends = |tree: &TokenTree| match ident == "let" {
                            true => is_punct(Some(tree), '=') || is_punct(Some(tree), ';'),
                            false => is_word(Some(tree), "in"),
                        };
                        let end = behind.iter().position(ends).unwrap_or(0);
                        let names = declared(&behind[..end]);
                        let is_condition = ident == "for"
                            || is_word(before, "if")
                            || is_word(before, "while")
                            || is_punct(before, '&');
                        if is_condition {
                            of_block.extend(names)
                        } else {
                            of_rest.extend(names)
                        }
                        pattern_end = at + 1 + end;
                    }
                    let name_use = match at < pattern_end {
                        true => NameUse::Other,
                        false => self.name_use(ident, trees, at, around),
                    };
                    match (self.replace)(ident, name_use) {
                        Some(by) => out.extend(by),
                        None => out.extend([tree.clone()]),
                    }
                }
                TokenTree::Group(group) => {
                    let around = surrounding(group, trees, at, is_match);
                    let mark = self.hidden.len();
                    if at < pattern_end {
                        self.hidden.extend(declared(std::slice::from_ref(tree)));
                    } else if group.delimiter() == Delimiter::Brace && around != Surrounding::Fields
                    {
                        self.hidden.append(&mut of_block);
                        is_match = false;
                    }
                    let inside = self.group(group.stream(), around);
                    self.hidden.truncate(mark);
                    let mut replaced = Group::new(group.delimiter(), inside);
                    replaced.set_span(group.span());
                    out.extend([TokenTree::Group(replaced)]);
                }
                TokenTree::Literal(_) => out.extend([tree.clone()]),
            }
        }
        if let Some(mark) = closure {
            self.hidden.truncate(mark);
        }
    }

    fn name_use(
        &self,
        ident: &Ident,
        trees: &[TokenTree],
        at: usize,
        around: Surrounding,
    ) -> NameUse {
        let back = |by: usize| at.checked_sub(by).and_then(|at| trees.get(at));
        let (next, next_but_one) = (trees.get(at + 1), trees.get(at + 2));
        let is_member = is_punct(back(1), '.') && !is_joint(back(2), '.');
        let is_in_path = (is_punct(back(1), ':') && is_joint(back(2), ':'))
            || (is_joint(next, ':') && is_punct(next_but_one, ':'));
        let is_macro = is_punct(next, '!') && matches!(next_but_one, Some(TokenTree::Group(_)));
        let is_lifetime = is_joint(back(1), '\'');
        let is_field = around == Surrounding::Fields && is_punct(next, ':');
        let name = ident.to_string();
        let is_hidden = self.hidden.contains(&name);
        if is_member || is_in_path || is_macro || is_lifetime || is_field || is_hidden {
            return NameUse::Other;
        }
        let is_alone =
            (at == 0 || is_punct(back(1), ',')) && (next.is_none() || is_punct(next, ','));
        match around == Surrounding::Fields && is_alone {
            true => NameUse::Shorthand,
            false => NameUse::Variable,
        }
    }
}

/// Returns the part of a pattern before `if`.
fn until_guard(pattern: &[TokenTree]) -> &[TokenTree] {
    let guard = pattern.iter().position(|tree| is_word(Some(tree), "if"));
    &pattern[..guard.unwrap_or(pattern.len())]
}

/// Returns whether an expression begins after this token, so that `|` opens a closure.
fn begins_expression(before: Option<&TokenTree>) -> bool {
    match before {
        None => true,
        Some(TokenTree::Punct(punct)) => !matches!(punct.as_char(), '|' | '?' | '>'),
        Some(TokenTree::Ident(ident)) => ident == "move" || ident == "return" || ident == "else",
        Some(_) => false,
    }
}

fn surrounding(group: &Group, trees: &[TokenTree], at: usize, is_match: bool) -> Surrounding {
    let back = |by: usize| at.checked_sub(by).and_then(|at| trees.get(at));
    match group.delimiter() {
        Delimiter::Parenthesis if is_punct(back(1), '!') && is_word(back(2), "matches") => {
            Surrounding::Matches
        }
        Delimiter::Brace => match back(1) {
            // A struct is named in upper case; a variable before a block is not.
            Some(TokenTree::Ident(name))
                if name.to_string().starts_with(char::is_uppercase) && !is_match =>
            {
                Surrounding::Fields
            }
            _ if is_match => Surrounding::Arms,
            _ => Surrounding::Code,
        },
        _ => Surrounding::Code,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks which of the names `n`, `from` and `model` are uses: they are in angle brackets.
    #[track_caller]
    fn check(expected: &str) {
        let text = expected.replace(['«', '»'], "");
        let tokens: TokenStream = text.parse().expect("tokens");
        let mut rest = text.as_str();
        let mut found = String::new();
        let mut replace = |ident: &Ident, name_use: NameUse| {
            let name = ident.to_string();
            if ["n", "from", "model"].contains(&name.as_str()) {
                let pieces = crate::lexer::pieces(rest);
                let piece = pieces.iter().find(|piece| piece.text == name).expect("the name");
                let start = piece.text.as_ptr().addr() - rest.as_ptr().addr();
                found.push_str(&rest[..start]);
                match name_use {
                    NameUse::Other => found.push_str(&name),
                    _ => found.push_str(&format!("«{name}»")),
                }
                rest = &rest[start + name.len()..];
            }
            None
        };
        replaced(tokens, &mut replace);
        found.push_str(rest);
        assert_eq!(found, expected);
    }

    #[test]
    fn paths_fields_methods_and_macros_are_not_variables() {
        check("u32::from(«from»)");
        check("from::new(«n») + self.n + self.n() + n!(«n») + model::X");
        check("(0..«n») .. «n»");
        check("«n».from(«n».n)");
        check("Point { n: «n», from: 1 } == Point { «n», «from» }");
        check("if «n» > 0 { «n» } else { 1 }");
    }

    #[test]
    fn patterns_hide_names() {
        check("list.iter().all(|n| n < 3) && «n» > 1");
        check("list.all(|n: u8| n < 3, «n»)");
        check("list.map(|(n, _)| { n + «from» }) | «n»");
        check("{ let n = usize::from(«n»); n } + «n»");
        check("if let Some(n) = «n» { n } else { «n» }");
        check("match «n» { Some(n) if n > 0 => n, None => «n», n => { n } } + «n»");
        check("matches!(«n», Some(n) if n > «from») && «n» == 1");
        check("{ for n in 0..«n» { f(n); } «n» }");
        check("f(move |n| n, || «n»)");
        check("a || «n» > 1");
    }

    #[test]
    fn macro_arguments_are_seen() {
        check("vec![«n», from!(«n»)].contains(&«n»)");
        check("format!(\"n {}\", «n»)");
    }
}
