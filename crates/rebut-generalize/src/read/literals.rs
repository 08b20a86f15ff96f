//! Finds the values of a test that can become parameters: literals and lists of literals.
//!
//! Literals in patterns, types, array lengths and messages are left out, because a parameter is
//! not allowed there. Bounds of loops are left out, because the loops would have no bound.

use crate::package::edit::TextRange;
use crate::read::mockable::{MockableObject, MockableTrait};
use crate::read::source_index::SourceIndex;
use crate::read::value::LiteralValue;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{HashMap, HashSet};
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{
    BinOp, Block, Expr, ExprLit, ExprUnary, Lit, Local, Macro, Member, Pat, Stmt, Token, UnOp,
};

/// The largest list that is split into a parameter per element. A longer list stays one parameter.
/// Arbitrary; a test with more parameters is hard to read.
const ELEMENTS_MAX: usize = 12;

/// A value in a test that can become a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ValueSite {
    /// The code of the value.
    pub(crate) range: TextRange,
    pub(crate) value: LiteralValue,
    /// The name of the parameter.
    pub(crate) name: String,
    /// Whether it is an expected result, and not an input.
    pub(crate) is_expected: bool,
    /// The `let` statement that only binds the value to the name. A parameter replaces it.
    pub(crate) binding: Option<TextRange>,
    /// Whether the name is bound as `mut`.
    pub(crate) is_mut: bool,
    /// The name without its number.
    pub(crate) base_name: String,
    /// Whether the test borrows it as `&mut`.
    pub(crate) is_mut_borrowed: bool,
    /// The elements of a list that is written with its elements.
    pub(crate) elements: Vec<(TextRange, LiteralValue)>,
}

impl ValueSite {
    /// Returns the code that replaces the value by a name.
    pub(crate) fn replacement(&self, name: &str) -> String {
        if self.is_mut_borrowed { format!("{{ {name} }}") } else { name.to_owned() }
    }

    /// Returns the elements of a list as values of their own.
    pub(crate) fn split(&self) -> Vec<ValueSite> {
        let singular = self.base_name.strip_suffix('s').filter(|base| base.len() > 2);
        let element = |(range, value): &(TextRange, LiteralValue)| ValueSite {
            range: range.clone(),
            value: value.clone(),
            name: String::new(),
            binding: None,
            is_mut: false,
            base_name: singular.unwrap_or_default().to_owned(),
            is_mut_borrowed: false,
            elements: Vec::new(),
            ..self.clone()
        };
        self.elements.iter().map(element).collect()
    }
}

/// The values of a test that can become parameters, and the names that it uses.
#[derive(Clone, Debug, Default)]
pub(crate) struct PromotableValues {
    pub(crate) sites: Vec<ValueSite>,
    /// Objects that could be mocks.
    pub(crate) objects: Vec<MockableObject>,
    /// Names that a parameter must not have.
    pub(crate) used_names: HashSet<String>,
    /// Names that are bound more than once.
    pub(crate) rebound_names: HashSet<String>,
}

/// Collects the values of a body.
pub(crate) fn collect_values(block: &Block, text: &str, index: &SourceIndex) -> PromotableValues {
    let mut idents = Vec::new();
    let mut bound: HashMap<String, usize> = HashMap::new();
    let inside = block.brace_token.span.join().byte_range();
    if let Ok(tokens) = text[inside].parse::<TokenStream>() {
        collect_idents(tokens.clone(), &mut idents);
        collect_bound(tokens, &mut bound);
    }
    let mut finder = ValueFinder {
        index,
        sites: Vec::new(),
        objects: Vec::new(),
        hint: None,
        is_expected: false,
        is_mut_borrowed: false,
        depth: 0,
    };
    finder.visit_block(block);
    let used_names: HashSet<String> = idents.into_iter().collect();
    let is_independent = |object: &MockableObject| {
        let code = text[object.site.range.clone()].parse::<TokenStream>();
        code.is_ok_and(|code| !names_any(code, &bound))
    };
    let objects: Vec<MockableObject> = finder.objects.into_iter().filter(is_independent).collect();
    let rebound = bound.into_iter().filter(|(_, count)| *count > 1).map(|(name, _)| name);
    let mut sites = split_lists(finder.sites);
    assign_names(&mut sites.iter_mut().collect::<Vec<_>>(), &used_names);
    PromotableValues { sites, objects, used_names, rebound_names: rebound.collect() }
}

/// Counts how often each name is bound, judged by the token before it.
fn collect_bound(tokens: TokenStream, bound: &mut HashMap<String, usize>) {
    let mut before = String::new();
    for token in tokens {
        match &token {
            TokenTree::Ident(name) if ["let", "mut", "ref", "for", "|"].contains(&&*before) => {
                *bound.entry(name.to_string()).or_default() += 1;
            }
            TokenTree::Group(group) => collect_bound(group.stream(), bound),
            _ => {}
        }
        before = token.to_string();
    }
}

/// Whether code uses one of these names as a value, and not as a module or type.
fn names_any(code: TokenStream, bound: &HashMap<String, usize>) -> bool {
    let tokens: Vec<TokenTree> = code.into_iter().collect();
    let is_colon = |nth: usize| match tokens.get(nth) {
        Some(TokenTree::Punct(sign)) => sign.as_char() == ':',
        _ => false,
    };
    tokens.iter().enumerate().any(|(nth, token)| match token {
        TokenTree::Ident(name) => {
            let name = name.to_string();
            let is_module = is_colon(nth + 1) && is_colon(nth + 2);
            !is_module && !name.starts_with(char::is_uppercase) && bound.contains_key(&name)
        }
        TokenTree::Group(group) => names_any(group.stream(), bound),
        _ => false,
    })
}

/// Splits lists whose elements also occur on their own on the other side: inputs are added one by
/// one and the result is compared with a list, or the other way round. Other lists stay whole.
fn split_lists(sites: Vec<ValueSite>) -> Vec<ValueSite> {
    let values = |is_expected: bool, of_lists: bool| -> Vec<LiteralValue> {
        let side = sites.iter().filter(|site| site.is_expected == is_expected);
        side.flat_map(|site| match &site.value {
            LiteralValue::List(_) if of_lists => {
                site.elements.iter().map(|(_, one)| one.clone()).collect()
            }
            LiteralValue::List(_) => Vec::new(),
            one if !of_lists => vec![one.clone()],
            _ => Vec::new(),
        })
        .collect()
    };
    let (inputs, inputs_in_lists) = (values(false, false), values(false, true));
    let (expected, expected_in_lists) = (values(true, false), values(true, true));
    let has_twin = |site: &ValueSite| {
        sites.iter().any(|other| {
            other.range != site.range
                && other.value == site.value
                && other.is_expected != site.is_expected
        })
    };
    let is_split = |site: &ValueSite| {
        let count_in = |values: &[LiteralValue]| {
            site.elements.iter().filter(|(_, element)| values.contains(element)).count()
        };
        let count = site.elements.len();
        match site.is_expected {
            _ if count == 0 || count > ELEMENTS_MAX || has_twin(site) => false,
            true => count_in(&inputs) + count_in(&inputs_in_lists) > 0,
            // One equal element is likely a coincidence.
            false => count_in(&expected_in_lists) > 0 || count_in(&expected) > 1,
        }
    };
    let split = |site: &ValueSite| if is_split(site) { site.split() } else { vec![site.clone()] };
    sites.iter().flat_map(split).collect()
}

/// Gives each value a unique name. A value that a `let` binds keeps that name.
pub(crate) fn assign_names(sites: &mut [&mut ValueSite], used_names: &HashSet<String>) {
    let mut used_names = used_names.clone();
    for site in sites.iter_mut().filter(|site| site.binding.is_none()) {
        let base = match site.base_name.as_str() {
            "" => noun(&site.value).to_owned(),
            name => name.to_owned(),
        };
        let numbered = (2..).map(|nth| format!("{base}_{nth}"));
        let mut candidates = [base.clone()].into_iter().chain(numbered);
        let is_free = |name: &String| {
            !used_names.contains(name) && syn::parse_str::<syn::Ident>(name).is_ok()
        };
        site.name = candidates.find(is_free).unwrap_or(base);
        used_names.insert(site.name.clone());
    }
}

/// Collects the names in a body, without fields and methods.
fn collect_idents(tokens: TokenStream, idents: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let sign = |nth: Option<usize>| match tokens.get(nth?)? {
        TokenTree::Punct(sign) => Some(sign.as_char()),
        _ => None,
    };
    for (nth, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(ident) => {
                let before = sign(nth.checked_sub(1));
                let is_first = nth == 0 || before == Some(',');
                let is_field = is_first
                    && sign(Some(nth + 1)) == Some(':')
                    && sign(Some(nth + 2)) != Some(':');
                if before != Some('.') && !is_field {
                    idents.push(ident.to_string());
                }
            }
            TokenTree::Group(group) => collect_idents(group.stream(), idents),
            _ => {}
        }
    }
}

fn noun(value: &LiteralValue) -> &'static str {
    match value {
        LiteralValue::Int(_) | LiteralValue::Float(_) => "number",
        LiteralValue::Bool(_) => "flag",
        LiteralValue::Char(_) => "character",
        LiteralValue::Text(_) => "text",
        LiteralValue::List(_) => "values",
        LiteralValue::Object => "object",
    }
}

/// Returns the name of a type in snake case.
fn in_snake_case(name: &str) -> String {
    let mut text = String::new();
    for (nth, character) in name.chars().enumerate() {
        if character.is_uppercase() && nth > 0 {
            text.push('_');
        }
        text.extend(character.to_lowercase());
    }
    text
}

struct ValueFinder<'n> {
    index: &'n SourceIndex,
    sites: Vec<ValueSite>,
    objects: Vec<MockableObject>,
    /// The name of the next value.
    hint: Option<String>,
    is_expected: bool,
    is_mut_borrowed: bool,
    /// The number of enclosing blocks.
    depth: usize,
}

impl ValueFinder<'_> {
    fn push(&mut self, range: TextRange, value: LiteralValue) {
        self.push_list(range, value, Vec::new());
    }

    fn push_list(
        &mut self,
        range: TextRange,
        value: LiteralValue,
        elements: Vec<(TextRange, LiteralValue)>,
    ) {
        let base_name = self.hint.take().unwrap_or_default();
        let is_mut_borrowed = self.is_mut_borrowed;
        let site = self.site(range, value, base_name);
        self.sites.push(ValueSite { is_mut_borrowed, elements, ..site });
    }

    fn site(&self, range: TextRange, value: LiteralValue, base_name: String) -> ValueSite {
        ValueSite {
            range,
            value,
            name: String::new(),
            is_expected: self.is_expected,
            binding: None,
            is_mut: false,
            base_name,
            is_mut_borrowed: false,
            elements: Vec::new(),
        }
    }

    fn push_object(&mut self, range: TextRange, implements: &MockableTrait) {
        let base_name = self.hint.clone().unwrap_or_else(|| in_snake_case(&implements.name));
        let site = self.site(range, LiteralValue::Object, base_name);
        self.objects.push(MockableObject { site, implements: implements.clone() });
    }

    /// Visits an expression, with a name for it if it is a value.
    fn visit_as(&mut self, hint: Option<String>, expr: &Expr) {
        let before = std::mem::replace(&mut self.hint, hint);
        self.visit_expr(expr);
        self.hint = before;
    }

    fn visit_arguments<'a>(&mut self, function: &str, all: impl Iterator<Item = &'a Expr>) {
        let all: Vec<&Expr> = all.collect();
        for (nth, argument) in all.iter().enumerate() {
            let hint = self.index.parameter_name(function, all.len(), nth);
            self.visit_as(hint, argument);
        }
    }

    /// Visits the two sides of a comparison in an assertion. A literal side is the expected result
    /// of the other side.
    fn visit_sides(&mut self, sides: [&Expr; 2], hint: &str) {
        for (side, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            let is_expected = is_value(side) && !is_value(other);
            let before = self.is_expected;
            self.is_expected |= is_expected;
            self.visit_as(is_expected.then(|| hint.to_owned()), side);
            self.is_expected = before;
        }
    }

    fn visit_claim(&mut self, claim: &Expr) {
        match claim {
            Expr::Binary(binary) => match binary.op {
                BinOp::Eq(_) | BinOp::Ne(_) => {
                    self.visit_sides([&binary.left, &binary.right], "expected");
                }
                BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => {
                    self.visit_sides([&binary.left, &binary.right], "limit");
                }
                BinOp::And(_) | BinOp::Or(_) => {
                    self.visit_claim(&binary.left);
                    self.visit_claim(&binary.right);
                }
                _ => self.visit_as(None, claim),
            },
            Expr::Unary(ExprUnary { op: UnOp::Not(_), expr, .. }) => self.visit_claim(expr),
            Expr::Paren(paren) => self.visit_claim(&paren.expr),
            _ => self.visit_as(None, claim),
        }
    }

    fn visit_list(&mut self, range: TextRange, elements: &Punctuated<Expr, Token![,]>) {
        let values: Option<Vec<LiteralValue>> = elements.iter().map(scalar).collect();
        match values {
            Some(values) if !values.is_empty() => {
                let ranges = elements.iter().map(|element| element.span().byte_range());
                let elements = ranges.zip(values.iter().cloned()).collect();
                self.push_list(range, LiteralValue::List(values), elements);
            }
            _ => elements.iter().for_each(|element| self.visit_as(None, element)),
        }
    }

    fn visit_call_of_macro(&mut self, range: TextRange, macro_: &Macro) {
        let name = macro_.path.segments.last().map(|last| last.ident.to_string());
        let arguments = || {
            let list = Punctuated::<Expr, Token![,]>::parse_terminated;
            list.parse2(macro_.tokens.clone()).unwrap_or_default()
        };
        match name.as_deref() {
            Some("vec") => self.visit_list(range, &arguments()),
            Some("assert" | "debug_assert") => {
                if let Some(claim) = arguments().first() {
                    self.visit_claim(claim);
                }
            }
            Some("assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne") => {
                let arguments = arguments();
                let mut sides = arguments.iter();
                if let (Some(a), Some(b)) = (sides.next(), sides.next()) {
                    self.visit_sides([a, b], "expected");
                }
            }
            Some("matches" | "assert_matches") => {
                let first = |input: syn::parse::ParseStream<'_>| {
                    let first: Expr = input.parse()?;
                    let _: TokenStream = input.parse()?;
                    Ok(first)
                };
                if let Ok(first) = first.parse2(macro_.tokens.clone()) {
                    self.visit_as(None, &first);
                }
            }
            _ => {}
        }
    }

    /// Lets a parameter replace a statement that binds one value or object to a name.
    fn take_binding(&mut self, local: &Local, count_before: usize) {
        let pat = match &local.pat {
            Pat::Type(typed) => &*typed.pat,
            pat => pat,
        };
        let (Pat::Ident(bound), Some(init)) = (pat, &local.init) else { return };
        let name = bound.ident.to_string();
        let is_plain = bound.by_ref.is_none()
            && bound.subpat.is_none()
            && init.diverge.is_none()
            && self.depth == 1;
        let is_one = self.sites.len() == count_before + 1;
        let range = init.expr.span().byte_range();
        let value = self.sites.last_mut().filter(|_| is_one);
        let object = self.objects.iter_mut().map(|object| &mut object.site);
        for site in value.into_iter().chain(object).filter(|site| is_plain && site.range == range) {
            site.base_name.clone_from(&name);
            site.name.clone_from(&name);
            site.binding = Some(local.span().byte_range());
            site.is_mut = bound.mutability.is_some();
        }
    }
}

impl ValueFinder<'_> {
    fn visit_block(&mut self, block: &Block) {
        self.depth += 1;
        block.stmts.iter().for_each(|statement| self.visit_stmt(statement));
        self.depth -= 1;
    }

    fn visit_stmt(&mut self, statement: &Stmt) {
        self.hint = None;
        match statement {
            Stmt::Local(local) => {
                let count = self.sites.len();
                if let Some(init) = &local.init {
                    let hint = match &local.pat {
                        Pat::Ident(bound) => Some(bound.ident.to_string()),
                        _ => None,
                    };
                    self.visit_as(hint.filter(|_| is_value(&init.expr)), &init.expr);
                    if let Some((_, other)) = &init.diverge {
                        self.visit_as(None, other);
                    }
                }
                self.take_binding(local, count);
            }
            Stmt::Macro(call) => {
                self.visit_call_of_macro(call.mac.span().byte_range(), &call.mac);
            }
            Stmt::Expr(expr, _) => self.visit_expr(expr),
            // A nested function or constant cannot use parameters.
            Stmt::Item(_) => {}
        }
    }

    fn visit_expr(&mut self, expr: &Expr) {
        let range = expr.span().byte_range();
        if let Some(value) = scalar(expr) {
            return self.push(range, value);
        }
        if let Some(implements) =
            self.index.implementors.trait_of_object(expr).filter(|_| !self.is_expected)
        {
            self.push_object(range.clone(), implements);
        }
        match expr {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                self.push(range, LiteralValue::Text(text.value()));
            }
            Expr::Lit(ExprLit { lit: Lit::ByteStr(bytes), .. }) => {
                let bytes = bytes.value().into_iter();
                self.push(
                    range,
                    LiteralValue::List(bytes.map(|byte| LiteralValue::Int(byte.into())).collect()),
                );
            }
            Expr::Reference(reference) => match &*reference.expr {
                Expr::Array(array) if reference.mutability.is_none() => {
                    self.visit_list(range, &array.elems);
                }
                inner => {
                    let is_literal = scalar(inner).is_some();
                    let is_mut = reference.mutability.is_some();
                    self.is_mut_borrowed = is_mut && is_literal;
                    self.visit_expr(inner);
                    self.is_mut_borrowed = false;
                    let range = inner.span().byte_range();
                    for object in self.objects.iter_mut().filter(|one| one.site.range == range) {
                        object.site.is_mut |= is_mut;
                    }
                }
            },
            Expr::Paren(paren) => self.visit_expr(&paren.expr),
            Expr::Macro(call) => self.visit_call_of_macro(range, &call.mac),
            Expr::Call(call) => {
                let function = last_of(&call.func);
                let wraps = ["Some", "Ok", "Err", "from"].contains(&function.as_str());
                match (wraps, call.args.first()) {
                    (true, Some(first)) if call.args.len() == 1 => self.visit_expr(first),
                    (_, Some(first)) if is_pointer(&call.func) => self.visit_expr(first),
                    (_, Some(only)) if is_type(&function) && call.args.len() == 1 => {
                        self.visit_as(Some(in_snake_case(&function)), only);
                    }
                    _ => self.visit_arguments(&function, call.args.iter()),
                }
            }
            Expr::MethodCall(call) => {
                let method = call.method.to_string();
                let hint = self.hint.take();
                let passes = ["to_string", "to_owned", "into"].contains(&method.as_str());
                self.visit_as(hint.filter(|_| passes), &call.receiver);
                // An object whose methods the test calls is itself under test, so it stays.
                let receiver = call.receiver.span().byte_range();
                self.objects.retain(|object| object.site.range != receiver);
                self.visit_arguments(&method, call.args.iter());
            }
            Expr::Struct(made) => {
                for field in &made.fields {
                    let hint = match &field.member {
                        Member::Named(name) => Some(name.to_string()),
                        Member::Unnamed(_) => None,
                    };
                    self.visit_as(hint, &field.expr);
                }
            }
            Expr::Index(index) => {
                self.visit_as(None, &index.expr);
                self.visit_as(Some("index".to_owned()), &index.index);
            }
            Expr::Repeat(repeat) => self.visit_as(None, &repeat.expr),
            Expr::ForLoop(the_loop) => {
                if !matches!(&*the_loop.expr, Expr::Range(_)) {
                    self.visit_as(None, &the_loop.expr);
                }
                self.visit_block(&the_loop.body);
            }
            Expr::While(the_loop) => self.visit_block(&the_loop.body),
            Expr::Const(_) => {}
            _ => {
                self.hint = None;
                self.visit_parts(expr);
            }
        }
    }

    /// Visits the expressions and blocks inside an expression, but no patterns and types.
    fn visit_parts(&mut self, expr: &Expr) {
        let mut visit = |inner: &Expr| self.visit_as(None, inner);
        match expr {
            Expr::Array(array) => array.elems.iter().for_each(visit),
            Expr::Tuple(tuple) => tuple.elems.iter().for_each(visit),
            Expr::Assign(assign) => {
                [&assign.left, &assign.right].into_iter().for_each(|inner| visit(inner))
            }
            Expr::Binary(binary) => {
                [&binary.left, &binary.right].into_iter().for_each(|inner| visit(inner))
            }
            Expr::Cast(cast) => visit(&cast.expr),
            Expr::Closure(closure) => visit(&closure.body),
            Expr::Field(field) => visit(&field.base),
            Expr::Group(group) => visit(&group.expr),
            Expr::Let(binding) => visit(&binding.expr),
            Expr::Try(question) => visit(&question.expr),
            Expr::Unary(unary) => visit(&unary.expr),
            Expr::Return(result) => result.expr.iter().for_each(|inner| visit(inner)),
            Expr::Break(result) => result.expr.iter().for_each(|inner| visit(inner)),
            Expr::Range(range) => {
                [&range.start, &range.end].into_iter().flatten().for_each(|inner| visit(inner));
            }
            Expr::If(choice) => {
                visit(&choice.cond);
                choice.else_branch.iter().for_each(|(_, other)| visit(other));
                self.visit_block(&choice.then_branch);
            }
            Expr::Match(choice) => {
                visit(&choice.expr);
                choice.arms.iter().for_each(|arm| visit(&arm.body));
            }
            Expr::Block(block) => self.visit_block(&block.block),
            Expr::Unsafe(block) => self.visit_block(&block.block),
            Expr::Loop(the_loop) => self.visit_block(&the_loop.body),
            _ => {}
        }
    }
}

/// Returns the value of a literal number, character or boolean.
fn scalar(expr: &Expr) -> Option<LiteralValue> {
    match expr {
        Expr::Lit(ExprLit { lit, .. }) => match lit {
            Lit::Int(number) if number.suffix().starts_with('f') => {
                number.base10_digits().parse().ok().map(LiteralValue::Float)
            }
            Lit::Int(number) => number.base10_parse().ok().map(LiteralValue::Int),
            Lit::Float(number) => number.base10_parse().ok().map(LiteralValue::Float),
            Lit::Bool(truth) => Some(LiteralValue::Bool(truth.value)),
            Lit::Char(character) => Some(LiteralValue::Char(character.value())),
            Lit::Byte(byte) => Some(LiteralValue::Int(byte.value().into())),
            _ => None,
        },
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => match scalar(expr)? {
            LiteralValue::Int(number) if number >= 0 => Some(LiteralValue::Int(-number)),
            LiteralValue::Float(number) => Some(LiteralValue::Float(-number)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether an expression is a literal, also a wrapped or borrowed one.
fn is_value(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) => true,
        Expr::Unary(unary) => is_value(&unary.expr),
        Expr::Reference(reference) => is_value(&reference.expr),
        Expr::Paren(paren) => is_value(&paren.expr),
        Expr::Array(array) => array.elems.iter().all(is_value),
        Expr::Tuple(tuple) => tuple.elems.iter().all(is_value),
        Expr::Path(path) => path.path.is_ident("None"),
        Expr::Macro(call) => call.mac.path.is_ident("vec"),
        Expr::Call(call) => {
            let function = last_of(&call.func);
            ["Some", "Ok", "Err", "from"].contains(&function.as_str())
                && call.args.iter().all(is_value)
        }
        Expr::MethodCall(call) => {
            ["to_string", "to_owned", "into"].contains(&call.method.to_string().as_str())
                && is_value(&call.receiver)
        }
        _ => false,
    }
}

/// Whether a name is written like that of a type.
fn is_type(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
}

/// Whether a function only wraps its argument, as `Box::new` does.
fn is_pointer(function: &Expr) -> bool {
    let Expr::Path(path) = function else { return false };
    let mut names = path.path.segments.iter().rev().map(|segment| segment.ident.to_string());
    let (last, owner) = (names.next(), names.next());
    let pointers = ["Box", "Rc", "Arc", "RefCell", "Cell", "Mutex", "RwLock"];
    last.as_deref() == Some("new") && owner.is_some_and(|owner| pointers.contains(&owner.as_str()))
}

/// Returns the last name of a path.
fn last_of(function: &Expr) -> String {
    match function {
        Expr::Path(path) => {
            path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default()
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the values of a body, each with its name and code; `=` marks an expected result.
    fn check(body: &str, expected: &[&str]) {
        let text = format!("{{{body}}}");
        let block: Block = syn::parse_str(&text).expect("a block");
        let mut index = SourceIndex::default();
        index.add("fn add(left: u8, right: u8) {} fn put(index: u8) {}", None);
        let found: Vec<String> = collect_values(&block, &text, &index)
            .sites
            .iter()
            .map(|site| {
                let sign = if site.is_expected { "=" } else { "" };
                format!("{sign}{}: {}", site.name, &text[site.range.clone()])
            })
            .collect();
        assert_eq!(found, expected, "{body}");
    }

    #[test]
    fn values_are_named_after_parameters_bindings_and_fields() {
        check("add(1, -2);", &["left: 1", "right: -2"]);
        check("let size = 3; put(4);", &["size: 3", "index: 4"]);
        check("let index = 3; put(4);", &["index: 3", "index_2: 4"]);
        check("let list = make(); list[0];", &["index: 0"]);
        check("Point { x: 1.5, y: 'c' };", &["x: 1.5", "y: 'c'"]);
        check("f(HalfOpen(1), Pair(1, 2));", &["half_open: 1", "number: 1", "number_2: 2"]);
        check("take(true, \"a\");", &["flag: true", "text: \"a\""]);
        check("let name = String::from(\"a\");", &["name_2: \"a\""]);
    }

    #[test]
    fn literal_sides_of_assertions_are_expected_results() {
        check("assert_eq!(add(1, 2), 3);", &["left: 1", "right: 2", "=expected: 3"]);
        check("assert_eq!(Some(3), add(1, 2));", &["=expected: 3", "left: 1", "right: 2"]);
        check("assert!(add(1, 2) < 9, \"{}\", 5);", &["left: 1", "right: 2", "=limit: 9"]);
        check("assert!(!f(\"a\"));", &["text: \"a\""]);
    }

    #[test]
    fn lists_of_literals_are_one_value() {
        check("f(&[1, 2]); f(vec![3]);", &["values: &[1, 2]", "values_2: vec![3]"]);
        check("f(&[\"a\", g(1)]);", &["text: \"a\"", "number: 1"]);
        check("f(b\"ab\"); f([0; 4]);", &["values: b\"ab\"", "number: 0"]);
    }

    #[test]
    fn objects_of_traits_are_found_where_they_are_created() {
        let mut index = SourceIndex::default();
        let text = "trait Clock {} impl Clock for Fixed {} fn put(time: &dyn Clock) {}";
        index.add(text, None);
        for (body, expected) in [
            ("let at = Fixed(5); run(&at);", vec!["at: Fixed(5)"]),
            ("put(&Fixed::new(5));", vec!["time: Fixed::new(5)"]),
            ("run(Box::new(Fixed { at: 5 }));", vec!["clock: Fixed { at: 5 }"]),
            ("run(&mut Fixed);", vec!["mut clock: Fixed"]),
            ("let n = 5; run(&Fixed(n));", vec![]),
            ("let time = time::Fixed(5); run(&time);", vec!["time: time::Fixed(5)"]),
            ("assert_eq!(Fixed(5).now(), 5);", vec![]),
        ] {
            let text = format!("{{{body}}}");
            let block: Block = syn::parse_str(&text).expect("a block");
            let described = |object: &MockableObject| {
                let site = &object.site;
                let is_mut = if site.is_mut { "mut " } else { "" };
                format!("{is_mut}{}: {}", site.base_name, &text[site.range.clone()])
            };
            let objects = collect_values(&block, &text, &index).objects;
            let found: Vec<String> = objects.iter().map(described).collect();
            assert_eq!(found, expected, "{body}");
        }
    }

    #[test]
    fn literals_in_patterns_loops_constants_and_messages_stay() {
        check("match f() { 1 => {} _ => {} }", &[]);
        check("for i in 0..9 { g(i) }", &[]);
        check("while i < 3 {}", &[]);
        check("const N: u8 = 3; println!(\"{}\", 4);", &[]);
        check("let Some(1) = f() else { return };", &[]);
    }
}
