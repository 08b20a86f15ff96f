//! Passes over whole spans.

use std::cmp::Ordering;
use std::ops::Range;

use rebut_choice::{Label, Span, SpanShape, Tape, Token};

use super::Shrinker;
use crate::sorted_indices::sorted_indices;

/// Replaces whole parts with their simplest value, outer parts first.
pub(super) fn simplify(shrinker: &mut Shrinker<'_>) {
    let mut nth = 0;
    while let Some(span) = nth_span(shrinker, nth) {
        nth += 1;
        // The pass that deletes elements empties sequences, and it gallops.
        if span.choices < 2 || span.label.shape() == SpanShape::Sequence {
            continue;
        }
        let range = span.tokens.start + 1..span.tokens.end - 1;
        let simplest = simplest(&shrinker.best, range.clone());
        let candidate = shrinker.best.spliced(range, &simplest);
        shrinker.attempt(&candidate);
    }
}

/// Returns the span with this index on the best tape.
fn nth_span(shrinker: &mut Shrinker<'_>, nth: usize) -> Option<Span> {
    shrinker.spans().get(nth).cloned()
}

/// Returns the whole tape with every choice at its simplest.
pub(super) fn simplest_tape(tape: &Tape) -> Tape {
    Tape::new(simplest(tape, 0..tape.tokens().len()))
}

/// Returns the tokens of a range with every choice at its simplest: sequences have their minimal
/// length, and the tokens of a replaced alternative are dropped.
fn simplest(tape: &Tape, range: Range<usize>) -> Vec<Token> {
    let mut result = Vec::new();
    let mut at = range.start;
    let mut dropped: Option<usize> = None;
    let mut depth = 0usize;
    while at < range.end {
        let token = tape.tokens()[at];
        match token {
            Token::Open(_) => depth += 1,
            Token::Close => {
                depth = depth.saturating_sub(1);
                if dropped.is_some_and(|limit| depth < limit) {
                    dropped = None;
                }
            }
            Token::Choice(_) => {}
        }
        if dropped.is_none() {
            result.push(match token {
                Token::Choice(mut choice) => {
                    let changed = choice.number != choice.domain.origin;
                    if changed && choice.domain.role.is_structure() {
                        dropped = Some(depth);
                    }
                    choice.number = choice.domain.origin;
                    Token::Choice(choice)
                }
                other => other,
            });
        }
        at += 1;
    }
    result
}

/// Replaces a value with a part of it that has the same type: a tree with a subtree.
pub(super) fn hoist(shrinker: &mut Shrinker<'_>) {
    let mut nth = 0;
    loop {
        let spans = shrinker.spans();
        let Some(span) = spans.get(nth) else { break };
        if !may_contain_itself(span.label) || !hoist_into(shrinker, &spans, span) {
            nth += 1;
        }
    }
}

/// Try at most this many parts for each span, the smallest first. With 6, `binheap` of the
/// shrinking challenge ends in 6 different trees instead of one (50 seeds); 24 changes nothing.
/// Larger parts are reached in several steps.
const HOISTED_MAX: usize = 12;

#[inline(never)]
fn hoist_into(shrinker: &mut Shrinker<'_>, spans: &[Span], whole: &Span) -> bool {
    shrinker.charge(spans.len());
    let mut parts: Vec<&Span> = Vec::new();
    for part in spans {
        let is_inside =
            part.tokens.start > whole.tokens.start && part.tokens.end < whole.tokens.end;
        if part.label == whole.label && is_inside {
            parts.push(part);
        }
    }
    let order = sorted_indices(parts.len(), &|a, b| parts[a].choices.cmp(&parts[b].choices));
    for &n in order.iter().take(HOISTED_MAX) {
        let tokens = &shrinker.best.tokens()[parts[n].tokens.clone()];
        let candidate = shrinker.best.spliced(whole.tokens.clone(), tokens);
        if shrinker.attempt(&candidate) {
            return true;
        }
    }
    false
}

fn may_contain_itself(label: Label) -> bool {
    let plain = [Label::ELEMENT, Label::ALTERNATIVE, Label::ARGUMENT];
    label.shape() == SpanShape::Recursive
        || (label.shape() == SpanShape::Group && !plain.contains(&label))
}

/// Joins two adjacent subtrees: one moves into an empty position of the other, on either side of
/// the existing subtree, and the other takes the later position. Together with [`reorder`] this
/// brings trees of one size into one shape, as rotations do. It also tries to drop one of them if
/// the other is mirrored.
pub(super) fn graft(shrinker: &mut Shrinker<'_>) {
    let mut nth = 0;
    while let Some(parent) = nth_span(shrinker, nth) {
        nth += 1;
        let children = sortable_in(shrinker, &parent.tokens);
        let [left, right] = children.as_slice() else { continue };
        let Token::Open(label) = shrinker.tokens()[left.start] else { continue };
        if may_contain_itself(label) {
            for candidate in grafted(&shrinker.best, left, right) {
                if shrinker.attempt(&candidate) {
                    break;
                }
            }
        }
    }
}

/// Returns all ways to join two trees into one on the right, with an empty tree on the left.
#[inline(never)]
fn grafted(tape: &Tape, left: &Range<usize>, right: &Range<usize>) -> Vec<Tape> {
    let (left_tree, right_tree) = (part(tape, left), part(tape, right));
    let mut candidates = Vec::new();
    for (host, guest) in [(&right_tree, &left_tree), (&left_tree, &right_tree)] {
        let Some(nothing) = smallest_span(host) else { continue };
        for span in host.spans() {
            let children = sortable(host, &span.tokens);
            let [a, b] = children.as_slice() else { continue };
            for pair in
                child_pairs(&host.tokens()[a.clone()], &host.tokens()[b.clone()], guest.tokens())
            {
                let joined = host.spliced(a.start..b.end, &both(pair[0], pair[1]));
                let joined = both(nothing, joined.tokens());
                let candidate = tape.spliced(left.start..right.end, &joined);
                if candidate.compare(tape).is_lt() {
                    candidates.push(candidate);
                }
            }
        }
    }
    candidates
}

/// Returns the pairs of subtrees that may replace `first` and `second`.
fn child_pairs<'a>(
    first: &'a [Token],
    second: &'a [Token],
    guest: &'a [Token],
) -> Vec<[&'a [Token]; 2]> {
    let is_empty = |tokens: &[Token]| choices(tokens) == 1;
    let mut pairs = vec![[second, first]];
    let rest = match (is_empty(first), is_empty(second)) {
        (_, true) => first,
        (true, false) => second,
        (false, false) => return pairs,
    };
    pairs.push([guest, rest]);
    pairs.push([rest, guest]);
    pairs
}

fn choices(tokens: &[Token]) -> usize {
    tokens.iter().filter(|token| matches!(token, Token::Choice(_))).count()
}

fn both(first: &[Token], second: &[Token]) -> Vec<Token> {
    let mut both = first.to_vec();
    both.extend_from_slice(second);
    both
}

fn part(tape: &Tape, range: &Range<usize>) -> Tape {
    Tape::new(tape.tokens()[range.clone()].to_vec())
}

/// Returns the tokens of an empty subtree.
fn smallest_span(tree: &Tape) -> Option<&[Token]> {
    let spans = tree.spans();
    let span = spans.iter().rfind(|span| span.choices == 1)?;
    Some(&tree.tokens()[span.tokens.clone()])
}

/// Sorts adjacent parts of the same kind, simple ones first.
pub(super) fn reorder(shrinker: &mut Shrinker<'_>) {
    let mut nth = 0;
    while let Some(span) = nth_span(shrinker, nth) {
        nth += 1;
        reorder_children(shrinker, &span);
    }
}

#[inline(never)]
fn reorder_children(shrinker: &mut Shrinker<'_>, span: &Span) {
    let children = sortable_in(shrinker, &span.tokens);
    if children.len() < 2 {
        return;
    }
    let best = &shrinker.best;
    // Sorting compares many times.
    let is_sorted = |pair: &[Range<usize>]| compare(best, &pair[0], &pair[1]).is_le();
    if children.windows(2).all(is_sorted) {
        return;
    }
    let order = sorted_indices(children.len(), &|a, b| compare(best, &children[a], &children[b]));
    let sorted = arranged(&shrinker.best, &children, &order);
    if shrinker.attempt(&sorted) {
        return;
    }
    // Sorting all parts at once failed: move each simple one toward the start as far as possible.
    for start in 1..children.len() {
        let mut at = start;
        while at > 0 {
            let children = sortable_in(shrinker, &span.tokens);
            if at >= children.len()
                || compare(&shrinker.best, &children[at], &children[at - 1]) != Ordering::Less
            {
                break;
            }
            let mut order: Vec<usize> = (0..children.len()).collect();
            order.swap(at, at - 1);
            let swapped = arranged(&shrinker.best, &children, &order);
            if !shrinker.attempt(&swapped) {
                break;
            }
            at -= 1;
        }
    }
}

/// Like [`sortable`], on the best tape. The list is empty if the pass must stop.
fn sortable_in(shrinker: &Shrinker<'_>, span: &Range<usize>) -> Vec<Range<usize>> {
    shrinker.charge(span.len());
    if shrinker.is_stopped() { Vec::new() } else { sortable(&shrinker.best, span) }
}

/// Returns the longest run of adjacent children that may be reordered: spans with one label, or
/// single values.
fn sortable(tape: &Tape, span: &Range<usize>) -> Vec<Range<usize>> {
    let kind_of = |range: &Range<usize>| match tape.tokens()[range.start] {
        Token::Open(label) => Some(Some(label)),
        Token::Choice(choice) if !choice.domain.role.is_structure() => Some(None),
        _ => None,
    };
    if span.end > tape.tokens().len() || span.is_empty() {
        return Vec::new();
    }
    let mut run: Vec<Range<usize>> = Vec::new();
    let mut longest: Vec<Range<usize>> = Vec::new();
    for child in tape.children(span) {
        let continues = run
            .last()
            .is_some_and(|last| kind_of(last) == kind_of(&child) && kind_of(&child).is_some());
        if !continues {
            run.clear();
        }
        run.push(child);
        if run.len() > longest.len() {
            longest.clone_from(&run);
        }
    }
    longest
}

/// Compares the choices of two ranges in shortlex order.
fn compare(tape: &Tape, a: &Range<usize>, b: &Range<usize>) -> Ordering {
    part(tape, a).compare(&part(tape, b))
}

/// Returns the tape with adjacent ranges in another order.
fn arranged(tape: &Tape, children: &[Range<usize>], order: &[usize]) -> Tape {
    let (Some(first), Some(last)) = (children.first(), children.last()) else {
        return tape.clone();
    };
    let mut tokens = Vec::new();
    for &n in order {
        tokens.extend_from_slice(&tape.tokens()[children[n].clone()]);
    }
    tape.spliced(first.start..last.end, &tokens)
}
