//! Finds the sites in the body of a property that check something, and marks them.
//!
//! `if let Ok(x) = parse(&s) { assert_eq!(write(&x), s) }` passes for every input that does not
//! parse. At run time, each site that the body reaches sets a bit, so that the report can say in
//! how many cases the assertion ran.
//!
//! A site is a statement, the body of a match arm, or the body of a closure. The mark is a
//! statement before it, which changes neither types nor temporaries: an arm and the body of a
//! closure are scopes of temporaries already, so a block around them ends where they end.
//!
//! Only the syntax decides whether something is a check, and a wrong "reached none of its checks"
//! would fail a good test. So a doubt is decided in favor of the test:
//! - assertions, results that are not literals, `?`, and `unwrap` of something that depends on the
//!   input are checks;
//! - a condition with a failing branch is a check where it is evaluated: `panic!`, `return false`, or
//!   an assertion that contradicts the condition (`facts.rs`);
//! - an unknown macro as a statement is one, because it may assert, and so is the call of a function,
//!   or of a method of a value that it cannot change; a body with only such calls gets a warning
//!   instead of a failure;
//! - a condition before a call that may not return, as in `if wrong(x) { give_up(x); }`, may be one,
//!   and so may the value of an unknown macro, a function that is passed to a method, or the result
//!   of a search: a test that reaches one of them gets a warning;
//! - a condition that does not depend on the input is one, because it depends on the machine
//!   (`flow.rs` follows the input);
//! - a statement with a `#[cfg(..)]` inside is one, because its assertions may be compiled out;
//! - a body without any of these claims that its calls do not panic: then calls are checks.

mod facts;
mod flow;
mod names;
#[cfg(test)]
mod tests;
mod values;

use std::collections::VecDeque;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{BinOp, Block, Expr, ExprClosure, ExprMacro, Local, Macro, Pat, Stmt, StmtMacro};

use self::facts::Fact;
use self::flow::Flow;
use self::values::{Branch, Literal};

/// A body with marks, and its checks.
pub(crate) struct MarkedBody {
    pub(crate) block: Block,
    sites: Vec<Site>,
    /// The name of the static that the marks set.
    name: Ident,
}

/// A part of the body that checks something.
#[derive(Clone, Copy)]
struct Site {
    place: Span,
    kind: SiteKind,
}

/// How a site checks something. The numbers are those in `claims.rs` of `rebut-run`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SiteKind {
    Assertion = 0,
    Check = 1,
    Result = 2,
    Call = 3,
    /// Something that may be a check: a condition that guards an unknown function, or a value that an
    /// unknown macro computes.
    Condition = 4,
    /// An [`Assertion`](SiteKind::Assertion) that only debug builds compile. In others it may be one.
    DebugAssertion,
}

impl SiteKind {
    /// Orders the kinds by preference, if one site checks something in several ways.
    fn rank(self) -> u8 {
        match self {
            SiteKind::DebugAssertion => 1,
            kind => 2 * kind as u8,
        }
    }

    /// Returns whether it is certain that this is a check.
    fn is_certain(self) -> bool {
        self.rank() < SiteKind::Call.rank()
    }
}

/// The maximum number of distinct marks: the bits of the word that they set. Later sites share the
/// last one.
const SITES_MAX: usize = 64;

/// The property whose body is marked.
pub(crate) struct BodyOwner {
    /// The name of the static.
    pub(crate) name: Ident,
    /// The patterns of the parameters.
    pub(crate) parameters: Vec<TokenStream>,
    pub(crate) result: ResultKind,
    /// Whether the value of the body is the result. Otherwise only `return` has one.
    pub(crate) has_tail: bool,
}

pub(crate) use self::values::{ResultKind, result_kind};

/// Marks the checks of a body.
pub(crate) fn mark(block: &Block, owner: BodyOwner) -> MarkedBody {
    let mut marked = walk(block, &owner, false);
    if marked.sites.is_empty() {
        marked = walk(block, &owner, true);
    }
    marked
}

fn walk(block: &Block, owner: &BodyOwner, calls_are_checks: bool) -> MarkedBody {
    let mut walker = Walker {
        name: owner.name.clone(),
        result: owner.result,
        calls_are_checks,
        sites: Vec::new(),
        flow: Flow::default(),
        known: Vec::new(),
        searched: Vec::new(),
        closures: 0,
        closure_position: Position::Value,
        closure_is_decided: false,
    };
    for parameter in &owner.parameters {
        walker.flow.bind(parameter.clone());
    }
    let mut block = block.clone();
    walker.block(&mut block, owner.has_tail && owner.result != ResultKind::Nothing);
    MarkedBody { block, sites: walker.sites, name: owner.name.clone() }
}

impl MarkedBody {
    /// Returns an unchanged body.
    pub(crate) fn without_marks(block: &Block, name: Ident) -> MarkedBody {
        MarkedBody { block: block.clone(), sites: Vec::new(), name }
    }

    /// Returns the static that the marks set; `None` if there are none.
    pub(crate) fn declaration(&self, private: &TokenStream) -> Option<TokenStream> {
        let name = &self.name;
        let declared =
            quote!(static #name: #private::ReachedSites = #private::ReachedSites::new(););
        (!self.sites.is_empty()).then_some(declared)
    }

    /// Returns the field of the test that describes the marks. `line` is a macro that returns the
    /// line of its tokens, and `is_required` is false if a run without a check may pass.
    pub(crate) fn description(
        &self,
        private: &TokenStream,
        line: &dyn Fn(Span) -> TokenStream,
        is_required: bool,
    ) -> TokenStream {
        if self.sites.is_empty() {
            return quote!(::core::option::Option::None);
        }
        let name = &self.name;
        let sites = self.sites.iter().map(|site| {
            let line = line(site.place);
            let kind = match site.kind {
                SiteKind::DebugAssertion => {
                    let (debug, other) = (SiteKind::Assertion as u8, SiteKind::Condition as u8);
                    quote!(if ::core::cfg!(debug_assertions) { #debug } else { #other })
                }
                kind => (kind as u8).to_token_stream(),
            };
            quote!((#line, #kind))
        });
        quote! {
            ::core::option::Option::Some(#private::ClaimSites {
                reached: &#name,
                sites: const { &[#(#sites),*] },
                is_required: #is_required,
            })
        }
    }
}

/// Returns the call of a macro at a span.
pub(crate) fn line_by(name: &str) -> impl Fn(Span) -> TokenStream {
    let name = name.to_owned();
    move |place| {
        let name: TokenStream = name.parse().unwrap_or_default();
        let name = respanned(name, place);
        quote_spanned!(place=> #name!())
    }
}

fn respanned(tokens: TokenStream, place: Span) -> TokenStream {
    let trees = tokens.into_iter().map(|mut tree| {
        tree.set_span(place);
        tree
    });
    trees.collect()
}

/// The use of the value of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    /// It is the result of the property.
    Result,
    /// It is not used.
    Statement,
    /// Like a statement, as one of several alternatives.
    Alternative,
    /// Another expression uses it.
    Value,
}

/// A check in the part of a statement that runs whenever the statement runs.
type FoundSite = Option<Site>;

struct Walker {
    name: Ident,
    result: ResultKind,
    calls_are_checks: bool,
    sites: Vec<Site>,
    /// The variables that depend on the input.
    flow: Flow,
    /// The conditions that hold for the current statement.
    known: Vec<Fact>,
    /// The variables with the result of a search.
    searched: Vec<String>,
    /// The number of closures and async blocks around the current expression. In one, `return` does
    /// not end the property.
    closures: usize,
    /// The use of the value of a closure: `for_each(|x| check(x))` does not use it.
    closure_position: Position,
    /// Whether the input decides how often a closure runs: `(0..n).for_each(|_| add())`.
    closure_is_decided: bool,
}

impl Walker {
    /// Marks the statements of a block. `is_result` is true if its value is the result.
    fn block(&mut self, block: &mut Block, is_result: bool) {
        let mut marked = Vec::with_capacity(block.stmts.len());
        let mut is_reachable = true;
        let known = self.known.len();
        let mut statements: VecDeque<Stmt> = std::mem::take(&mut block.stmts).into();
        while let Some(mut statement) = statements.pop_front() {
            let position = match is_result && statements.is_empty() {
                true => Position::Result,
                false => Position::Statement,
            };
            let after = facts_after(&statement);
            let mut found = self.statement(&mut statement, position);
            self.known.extend(after.iter().cloned());
            // In `if m == n { return } panic!()`, the condition is the check.
            let branch = Branch { is_result, ..self.branch_kind(Position::Statement) };
            if !after.is_empty() && values::one_fails(statements.iter(), branch) {
                found = first(found, Some(check(statement.span())));
            }
            // The compiler would warn about a mark that is never reached.
            if let Some(site) = found.filter(|_| is_reachable) {
                marked.push(self.mark(site));
            }
            is_reachable &= !values::ends_here(&statement);
            marked.push(statement);
        }
        block.stmts = marked;
        self.known.truncate(known);
    }

    /// Describes a branch at the current statement.
    fn branch_kind(&self, position: Position) -> Branch<'_> {
        let is_result = position == Position::Result;
        Branch { is_result, kind: self.result, known: &self.known }
    }

    /// Adds a site and returns the statement that marks it.
    fn mark(&mut self, site: Site) -> Stmt {
        let number = self.sites.len().min(SITES_MAX - 1) as u32;
        if self.sites.len() < SITES_MAX {
            self.sites.push(site);
        }
        let name = &self.name;
        let call = Expr::Verbatim(quote!(#name.reach(#number)));
        Stmt::Expr(call, Some(syn::Token![;](Span::mixed_site())))
    }

    fn statement(&mut self, statement: &mut Stmt, position: Position) -> FoundSite {
        if matches!(statement, Stmt::Item(_)) {
            return None;
        }
        if values::has_cfg(statement.to_token_stream()) {
            return site(SiteKind::Check, statement.span());
        }
        match statement {
            Stmt::Item(_) => None,
            Stmt::Local(local) => self.local(local),
            Stmt::Macro(StmtMacro { mac, semi_token, .. }) => {
                let is_result = position == Position::Result && semi_token.is_none();
                self.macro_call(mac, if is_result { position } else { Position::Statement })
            }
            Stmt::Expr(expr, semicolon) => {
                let is_result = position == Position::Result && semicolon.is_none();
                let position = if is_result { position } else { Position::Statement };
                self.expression(expr, position)
            }
        }
    }

    fn local(&mut self, local: &mut Local) -> FoundSite {
        self.flow.declare(local.pat.to_token_stream());
        let init = local.init.as_mut()?;
        let is_input = self.is_input(&init.expr);
        let mut found = self.expression(&mut init.expr, Position::Value);
        if let Some((_, other)) = &mut init.diverge {
            let before = self.sites.len();
            let place = other.span();
            let outer = self.flow.enter(is_input);
            let guards = self.branch(other, Position::Statement);
            self.flow.leave(outer);
            found = first(found, guards.site(place));
            found = first(found, self.fixed(is_input, other, before));
        }
        self.flow.connect(local.pat.to_token_stream(), &init.expr);
        if values::searches(&init.expr) {
            self.searched.push(local.pat.to_token_stream().to_string());
        }
        if is_input {
            self.flow.bind(local.pat.to_token_stream());
        }
        found
    }

    /// Walks an expression: marks the blocks in it, and returns a check outside of them.
    fn expression(&mut self, expr: &mut Expr, position: Position) -> FoundSite {
        let place = expr.span();
        match expr {
            Expr::Block(block) => self.inner_block(&mut block.block, position),
            Expr::Unsafe(block) => self.inner_block(&mut block.block, position),
            Expr::TryBlock(block) => self.inner_block(&mut block.block, Position::Value),
            Expr::Loop(block) => {
                self.loop_body(&mut block.body, None);
                None
            }
            Expr::Async(block) => {
                self.closures += 1;
                self.block(&mut block.block, false);
                self.closures -= 1;
                None
            }
            Expr::If(_) | Expr::Match(_) => self.condition(expr, position),
            Expr::ForLoop(one) => {
                let is_input = self.is_input(&one.expr);
                let fails = values::fails(&one.body, self.branch_kind(Position::Statement));
                let found = self.expression(&mut one.expr, Position::Value);
                self.flow.connect(one.pat.to_token_stream(), &one.expr);
                if is_input {
                    self.flow.bind(one.pat.to_token_stream());
                }
                let outer = self.flow.enter(is_input);
                self.loop_body(&mut one.body, None);
                self.flow.leave(outer);
                first(found, fails.then(|| check(place)))
            }
            Expr::While(one) => {
                let found = self.expression(&mut one.cond, Position::Value);
                let known = self.known.len();
                self.known.extend(facts::facts(&one.cond, true));
                let fails = values::fails(&one.body, self.branch_kind(Position::Statement));
                self.loop_body(&mut one.body, Some(&mut one.cond));
                self.known.truncate(known);
                first(found, fails.then(|| check(place)))
            }
            Expr::Binary(one) if matches!(one.op, BinOp::And(_) | BinOp::Or(_)) => {
                let found = self.expression(&mut one.left, Position::Value);
                let found = first(found, self.lazy(&mut one.right));
                let is_claim = position == Position::Result;
                first(is_claim.then_some(Site { place, kind: SiteKind::Result }), found)
            }
            Expr::Closure(closure) => self.closure(closure),
            Expr::Return(one) => {
                let is_result = self.closures == 0 && self.result != ResultKind::Nothing;
                let position = if is_result { Position::Result } else { Position::Value };
                self.expression(one.expr.as_mut()?, position)
            }
            Expr::Macro(ExprMacro { mac, .. }) => self.macro_call(mac, position),
            Expr::Try(one) => {
                let inner = self.expression(&mut one.expr, Position::Value);
                first(Some(check(place)), inner)
            }
            Expr::Call(_) | Expr::MethodCall(_) => self.call(expr, position),
            _ => {
                let mut found = None;
                self.children(expr, &mut |found_inside| found = first(found, found_inside));
                let is_claim = position == Position::Result
                    && values::literal(expr, self.result) == Literal::Other;
                first(is_claim.then_some(Site { place, kind: SiteKind::Result }), found)
            }
        }
    }

    /// Walks the right side of `&&` or `||`, which is not always evaluated. A mark there is inside of a
    /// block of its own, which a `let` cannot be in.
    fn lazy(&mut self, expr: &mut Expr) -> FoundSite {
        let fails = values::expression_fails(expr, self.branch_kind(Position::Statement));
        let found = self.expression(expr, Position::Value);
        if fails {
            return site(SiteKind::Check, expr.span());
        }
        let found = found?;
        if matches!(expr, Expr::Let(_)) {
            return site(SiteKind::Condition, found.place);
        }
        self.wrap(expr, found);
        None
    }

    fn inner_block(&mut self, block: &mut Block, position: Position) -> FoundSite {
        self.block(block, position == Position::Result);
        None
    }

    /// Walks the body of a loop. The next round reads the changes of a round, so the input is followed
    /// through one round first.
    fn loop_body(&mut self, body: &mut Block, condition: Option<&mut Expr>) {
        let is_input = |walker: &Walker, condition: &Option<&mut Expr>| {
            condition.as_ref().is_some_and(|condition| walker.is_input(condition))
        };
        let count = self.sites.len();
        let outer = self.flow.enter(is_input(self, &condition));
        self.block(&mut body.clone(), false);
        self.flow.leave(outer);
        self.sites.truncate(count);
        let outer = self.flow.enter(is_input(self, &condition));
        self.block(body, false);
        self.flow.leave(outer);
    }

    /// Walks an `if` or a `match`.
    fn condition(&mut self, expr: &mut Expr, position: Position) -> FoundSite {
        let place = expr.span();
        let before = self.sites.len();
        let mut guards = Guards::Nothing;
        let (mut found, is_input) = match expr {
            Expr::If(one) => {
                let is_input = self.is_input(&one.cond);
                let (if_true, if_false) =
                    (facts::facts(&one.cond, true), facts::facts(&one.cond, false));
                let found = self.expression(&mut one.cond, Position::Value);
                let outer = self.flow.enter(is_input);
                let known = self.known.len();
                self.known.extend(if_true);
                guards = guards.max(self.guarded_block(&mut one.then_branch, position));
                self.known.truncate(known);
                self.known.extend(if_false);
                let found = match &mut one.else_branch {
                    // The condition decides whether the next one is evaluated.
                    Some((_, other)) if matches!(**other, Expr::If(_)) => {
                        first(found, self.expression(other, position))
                    }
                    Some((_, other)) => {
                        guards = guards.max(self.branch(other, position));
                        found
                    }
                    None => found,
                };
                self.known.truncate(known);
                self.flow.leave(outer);
                (found, is_input)
            }
            Expr::Match(one) => {
                let is_input = self.is_input(&one.expr);
                let found = self.expression(&mut one.expr, Position::Value);
                let outer = self.flow.enter(is_input);
                let known = self.known.len();
                let errors: Vec<Option<String>> =
                    (0..one.arms.len()).map(|nth| values::error_variable(&one.arms, nth)).collect();
                for (arm, error) in one.arms.iter_mut().zip(errors) {
                    self.known.truncate(known);
                    self.known.extend(error.map(|variable| facts::is_bad(&variable)));
                    self.flow.connect(arm.pat.to_token_stream(), &one.expr);
                    if is_input {
                        self.flow.bind(arm.pat.to_token_stream());
                    }
                    guards = guards.max(self.branch(&mut arm.body, position));
                }
                self.known.truncate(known);
                self.flow.leave(outer);
                (found, is_input)
            }
            _ => return None,
        };
        found = first(found, guards.site(place));
        let is_search = self.sites.len() > before && self.is_search(expr);
        found = first(found, is_search.then_some(Site { place, kind: SiteKind::Condition }));
        first(found, self.fixed(is_input, expr, before))
    }

    /// Returns whether a condition asks for the result of a search, which may be the wrong elements.
    fn is_search(&self, expr: &Expr) -> bool {
        let Expr::If(one) = expr else { return false };
        let Expr::Let(condition) = &*one.cond else { return false };
        values::searches(&condition.expr)
            || self.searched.contains(&names::root(&condition.expr).to_string())
    }

    /// Returns a check if a condition depends on the machine and not on the input, and decides
    /// whether something is checked.
    fn fixed(&self, is_input: bool, expr: &Expr, before: usize) -> FoundSite {
        let decides = self.sites.len() > before || values::returns(expr.to_token_stream());
        (!is_input && decides).then(|| check(expr.span()))
    }

    /// Walks a branch, which is a block, and returns what its condition decides about.
    fn guarded_block(&mut self, block: &mut Block, position: Position) -> Guards {
        let is_result = position == Position::Result;
        let fails = values::fails(block, self.branch_kind(position));
        let ends_in_call = position != Position::Value && values::ends_in_call(block, is_result);
        let before = self.sites.len();
        self.alternative(block, position);
        match ends_in_call && !self.has_checks_since(before) {
            true if !fails => Guards::Call,
            _ => Guards::failure(fails),
        }
    }

    /// Returns whether one of the latest sites is certainly a check.
    fn has_checks_since(&self, before: usize) -> bool {
        self.sites[before..].iter().any(|site| site.kind.is_certain())
    }

    /// Walks a branch, which is an expression.
    fn branch(&mut self, body: &mut Expr, position: Position) -> Guards {
        if let Expr::Block(block) = body
            && block.label.is_none()
        {
            return self.guarded_block(&mut block.block, position);
        }
        let guards = match values::expression_fails(body, self.branch_kind(position)) {
            false if position == Position::Statement && values::may_not_return(body) => {
                Guards::Call
            }
            fails => Guards::failure(fails),
        };
        let position = match position {
            Position::Statement => Position::Alternative,
            position => position,
        };
        if let Some(site) = self.expression(body, position) {
            self.wrap(body, site);
        }
        guards
    }

    /// Walks the block of a branch. If it checks nothing but calls something, it is a check: one of
    /// the calls may assert.
    fn alternative(&mut self, block: &mut Block, position: Position) {
        let calls = position != Position::Value && values::calls(block);
        let before = self.sites.len();
        let place = block.stmts.first().map_or_else(Span::call_site, |first| first.span());
        self.block(block, position == Position::Result);
        if calls && self.sites.len() == before {
            let mark = self.mark(Site { place, kind: SiteKind::Call });
            block.stmts.insert(0, mark);
        }
    }

    /// Puts a mark before an expression.
    fn wrap(&mut self, body: &mut Expr, site: Site) {
        let mark = self.mark(site);
        *body = Expr::Verbatim(quote!({ #mark #body }));
    }

    fn closure(&mut self, closure: &mut ExprClosure) -> FoundSite {
        for input in &closure.inputs {
            self.flow.bind(input.to_token_stream());
        }
        let (place, position) = (closure.body.span(), self.closure_position);
        self.closures += 1;
        let outer = self.flow.enter(self.closure_is_decided);
        let fails = match &mut *closure.body {
            Expr::Block(block) => {
                let fails = values::fails(&block.block, self.branch_kind(Position::Value));
                self.block(&mut block.block, false);
                fails
            }
            body => {
                let fails = values::expression_fails(body, self.branch_kind(Position::Value));
                if let Some(site) = self.expression(body, position) {
                    self.wrap(body, site);
                }
                fails
            }
        };
        self.flow.leave(outer);
        self.closures -= 1;
        // `unwrap_or_else(|_| panic!())` checks where it stands.
        fails.then(|| check(place))
    }

    fn macro_call(&mut self, mac: &Macro, position: Position) -> FoundSite {
        let name = names::last(&mac.path);
        let place = mac.path.span();
        self.flow.change_by_macro(mac, &name);
        if names::is_debug_assertion(&name) {
            return site(SiteKind::DebugAssertion, place);
        }
        if names::is_assertion(&name) {
            return site(SiteKind::Assertion, place);
        }
        if names::is_failure(&name) {
            return None;
        }
        if names::is_no_claim(&name) {
            let is_input = self.flow.is_input_of_macro(mac);
            let may_fail = is_input && values::unwraps(mac.tokens.clone());
            return may_fail.then_some(Site { place, kind: SiteKind::Condition });
        }
        match position {
            Position::Result => site(SiteKind::Result, place),
            Position::Statement | Position::Alternative if names::is_checking(&name) => {
                site(SiteKind::Check, place)
            }
            Position::Statement | Position::Alternative => site(SiteKind::Call, place),
            // It may contain a check: `let x = must!(parse(&s))`.
            Position::Value => site(SiteKind::Condition, place),
        }
    }

    /// Walks a call of a function or a method.
    fn call(&mut self, expr: &mut Expr, position: Position) -> FoundSite {
        let place = expr.span();
        let is_input = self.is_input(expr);
        let is_statement = matches!(position, Position::Statement | Position::Alternative);
        let name = names::called(expr);
        let mut found = None;
        let outer = self.closure_position;
        self.closure_position = if is_statement { Position::Statement } else { Position::Value };
        let was_decided = std::mem::replace(&mut self.closure_is_decided, is_input);
        self.children(expr, &mut |found_inside| found = first(found, found_inside));
        self.closure_position = outer;
        self.closure_is_decided = was_decided;
        self.flow.change_by_call(expr, is_statement);
        let kind = if names::is_unwrap(&name) && is_input && !names::is_write(expr) {
            Some(SiteKind::Check)
        } else if names::is_assertion(&name) {
            Some(SiteKind::Assertion)
        } else if position == Position::Result {
            let is_claim = values::literal(expr, self.result) == Literal::Other;
            (is_claim && !names::is_score(&name)).then_some(SiteKind::Result)
        } else if names::is_no_claim(&name) {
            None
        } else if is_statement && names::any_called(expr, &names::is_assertion) {
            Some(SiteKind::Assertion)
        } else if is_statement && names::any_called(expr, &names::is_checking) {
            Some(SiteKind::Check)
        } else {
            let is_call = (is_statement && self.may_check(expr, position))
                || (self.calls_are_checks
                    && (is_statement || (is_input && !names::is_trivial(&name))));
            match is_call {
                true => Some(SiteKind::Call),
                false => (is_input && values::passes_check(expr)).then_some(SiteKind::Condition),
            }
        };
        first(kind.map(|kind| Site { place, kind }), found)
    }

    /// Walks the expressions directly inside of one, and passes on what they check.
    fn children(&mut self, expr: &mut Expr, report: &mut dyn FnMut(FoundSite)) {
        let mut all: Vec<&mut Expr> = Vec::new();
        match expr {
            Expr::Array(one) => all.extend(&mut one.elems),
            Expr::Assign(one) => {
                self.flow.change_by_assignment(&one.left, &one.right);
                all.extend([&mut *one.left, &mut *one.right]);
            }
            Expr::Await(one) => all.push(&mut one.base),
            Expr::Binary(one) => {
                if flow::assigns(&one.op) {
                    self.flow.change_by_assignment(&one.left, &one.right);
                }
                all.extend([&mut *one.left, &mut *one.right]);
            }
            Expr::Break(one) => all.extend(one.expr.as_deref_mut()),
            Expr::Call(one) => {
                all.push(&mut one.func);
                all.extend(&mut one.args);
            }
            Expr::Cast(one) => all.push(&mut one.expr),
            Expr::Field(one) => all.push(&mut one.base),
            Expr::Group(one) => all.push(&mut one.expr),
            Expr::Index(one) => all.extend([&mut *one.expr, &mut *one.index]),
            Expr::Let(one) => {
                self.flow.connect(one.pat.to_token_stream(), &one.expr);
                if self.is_input(&one.expr) {
                    self.flow.bind(one.pat.to_token_stream());
                }
                all.push(&mut one.expr);
            }
            Expr::MethodCall(one) => {
                all.push(&mut one.receiver);
                all.extend(&mut one.args);
            }
            Expr::Paren(one) => all.push(&mut one.expr),
            Expr::Range(one) => {
                all.extend(one.start.as_deref_mut());
                all.extend(one.end.as_deref_mut());
            }
            Expr::RawAddr(one) => all.push(&mut one.expr),
            Expr::Reference(one) => all.push(&mut one.expr),
            Expr::Repeat(one) => all.push(&mut one.expr),
            Expr::Struct(one) => {
                all.extend(one.fields.iter_mut().map(|field| &mut field.expr));
                all.extend(one.rest.as_deref_mut());
            }
            Expr::Tuple(one) => all.extend(&mut one.elems),
            Expr::Unary(one) => all.push(&mut one.expr),
            Expr::Yield(one) => all.extend(one.expr.as_deref_mut()),
            _ => {}
        }
        for one in all {
            report(self.expression(one, Position::Value));
        }
    }

    fn is_input(&self, expr: &Expr) -> bool {
        self.flow.is_input(expr)
    }

    /// Returns whether a call as a statement may check something: it receives something, or it does
    /// not change its receiver, so that nothing else is left to do.
    fn may_check(&self, expr: &Expr, position: Position) -> bool {
        let is_useless_otherwise = match expr {
            Expr::Call(call) => !call.args.is_empty(),
            Expr::MethodCall(call) => {
                let is_variable = matches!(&*call.receiver, Expr::Path(_) | Expr::Field(_));
                let method = call.method.to_string();
                is_variable
                    && self.flow.is_fixed(&call.receiver)
                    && !names::is_trivial(&method)
                    && !names::changes(&method)
            }
            _ => false,
        };
        position == Position::Alternative || is_useless_otherwise
    }
}

/// The effect of the branches of a condition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Guards {
    Nothing,
    /// A call that may not return.
    Call,
    /// A failure.
    Failure,
}

impl Guards {
    fn failure(fails: bool) -> Guards {
        if fails { Guards::Failure } else { Guards::Nothing }
    }

    /// Returns the site of a condition.
    fn site(self, place: Span) -> FoundSite {
        match self {
            Guards::Nothing => None,
            Guards::Call => site(SiteKind::Condition, place),
            Guards::Failure => site(SiteKind::Check, place),
        }
    }
}

fn site(kind: SiteKind, place: Span) -> FoundSite {
    Some(Site { place, kind })
}

fn check(place: Span) -> Site {
    Site { place, kind: SiteKind::Check }
}

/// Returns the facts that hold after a statement, because it ends the block otherwise: `if ok { return }`.
fn facts_after(statement: &Stmt) -> Vec<Fact> {
    match statement {
        Stmt::Expr(Expr::If(one), _)
            if one.else_branch.is_none()
                && one.then_branch.stmts.last().is_some_and(values::ends_here) =>
        {
            facts::facts(&one.cond, false)
        }
        _ => Vec::new(),
    }
}

/// Returns the preferred one of two checks in one site.
fn first(a: FoundSite, b: FoundSite) -> FoundSite {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.kind.rank() < a.kind.rank() { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// Returns the patterns of the parameters of a closure or a function.
pub(crate) fn patterns<'a>(patterns: impl Iterator<Item = &'a Pat>) -> Vec<TokenStream> {
    patterns.map(ToTokens::to_token_stream).collect()
}
