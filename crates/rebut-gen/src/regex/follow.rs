//! Finds the choices that generate a given string.
//!
//! This is a backtracking match of the pattern, in the order in which it is drawn. It tries the
//! first alternative and the most repetitions first. It has a stack of its own, because strings can
//! be long. Each call matches one string, so it does not memoize dead ends.

use std::rc::Rc;

use super::node::Node;

/// The nodes that remain to be matched, the next one first.
type Agenda<'n> = Option<Rc<Entry<'n>>>;

struct Entry<'n> {
    node: &'n Node,
    /// The number of times to match it.
    times: usize,
    then: Agenda<'n>,
}

/// Returns an agenda that begins with `times` repetitions of a node.
fn prepended<'n>(node: &'n Node, times: usize, then: &Agenda<'n>) -> Agenda<'n> {
    Some(Rc::new(Entry { node, times, then: then.clone() }))
}

/// An alternative that has not been tried yet.
struct OpenAlternative<'n, 't> {
    agenda: Agenda<'n>,
    text: &'t str,
    /// The number of choices made before this alternative.
    chosen: usize,
    /// The choice that selects this alternative.
    number: i128,
}

/// The maximum number of steps. If matching takes more, it reports no match, and the input of the
/// specification is refused. Arbitrary: without a limit, backtracking takes exponential time for some
/// patterns.
const STEPS_MAX: usize = 1 << 20;

impl Node {
    /// Returns the choices that generate the string, if it matches. Assertions are not checked
    /// here: drawing checks them.
    pub(super) fn choices(&self, text: &str) -> Option<Vec<i128>> {
        let mut search = Search { text, numbers: Vec::new(), open: Vec::new() };
        let mut agenda = prepended(self, 1, &None);
        for _ in 0..STEPS_MAX {
            let next = match &agenda {
                None if search.text.is_empty() => return Some(search.numbers),
                None => None,
                Some(entry) => search.step(entry),
            };
            agenda = match next {
                Some(next) => next,
                None => search.next_alternative()?,
            };
        }
        None
    }
}

struct Search<'n, 't> {
    text: &'t str,
    numbers: Vec<i128>,
    /// The alternatives to try, the next one last.
    open: Vec<OpenAlternative<'n, 't>>,
}

impl<'n> Search<'n, '_> {
    /// Matches the next node. Returns what remains to be matched, or `None` if the node does not
    /// match or has added alternatives.
    fn step(&mut self, entry: &Entry<'n>) -> Option<Agenda<'n>> {
        let Entry { node, times, then } = entry;
        let then = match times {
            0 => return Some(then.clone()),
            1 => then.clone(),
            _ => prepended(node, times - 1, then),
        };
        match node {
            Node::Literal(literal) => {
                let rest = self.text.as_bytes().strip_prefix(&literal[..])?.len();
                self.text = self.text.get(self.text.len() - rest..)?;
                Some(then)
            }
            Node::Chars(class) => {
                let c = self.text.chars().next()?;
                self.numbers.push(class.number(c)?);
                self.text = &self.text[c.len_utf8()..];
                Some(then)
            }
            Node::Concat(nodes) => {
                let add = |then, node| prepended(node, 1, &then);
                Some(nodes.iter().rev().fold(then, add))
            }
            Node::Alternation(nodes) => {
                for (index, node) in nodes.iter().enumerate().rev() {
                    self.add_alternative(index, prepended(node, 1, &then));
                }
                None
            }
            Node::Optional(node) => {
                self.add_alternative(0, then.clone());
                self.add_alternative(1, prepended(node, 1, &then));
                None
            }
            Node::Repeat(node, times) if times.start() == times.end() => {
                Some(prepended(node, *times.start(), &then))
            }
            Node::Repeat(node, times) => {
                let most = times.start().saturating_add(self.text.len());
                for count in *times.start()..=most.min(*times.end()) {
                    self.add_alternative(count, prepended(node, count, &then));
                }
                None
            }
            Node::Assert(_) => Some(then),
            Node::Bytes(_) | Node::Never => None,
        }
    }

    fn add_alternative(&mut self, number: usize, agenda: Agenda<'n>) {
        let (text, chosen) = (self.text, self.numbers.len());
        self.open.push(OpenAlternative { agenda, text, chosen, number: number as i128 });
    }

    /// Goes back to the last alternative that has not been tried.
    fn next_alternative(&mut self) -> Option<Agenda<'n>> {
        let OpenAlternative { agenda, text, chosen, number } = self.open.pop()?;
        self.text = text;
        self.numbers.truncate(chosen);
        self.numbers.push(number);
        Some(agenda)
    }
}

#[cfg(test)]
mod tests {
    use rebut_choice::{AnyDriver, Driver, Request, Source, Token};

    use crate::testing::drawn;
    use crate::{Generator, strings_matching};

    /// A driver that wants one string.
    #[derive(Debug)]
    struct Wants(Option<String>, Vec<i128>);

    impl Driver for Wants {
        fn choose(&mut self, _request: &Request<'_>, _so_far: &[Token]) -> i128 {
            self.1.pop().unwrap_or(i128::MAX)
        }

        fn expected_text(&mut self) -> Option<String> {
            self.0.take()
        }

        fn supply(&mut self, mut numbers: Vec<i128>) {
            numbers.reverse();
            self.1 = numbers;
        }
    }

    #[test]
    fn every_generated_text_can_be_followed() {
        for pattern in [
            "(1[0-2]|[1-9]):[0-5][0-9]( )?(AM|PM)",
            "[A-Z][a-z]{0,8}( [1-9])?",
            "(a|ab)(c|bcd)*d?",
            "[a-zA-Z0-9_]+@[a-z]+(\\.[a-z]{2,3}){1,3}",
            "(ä|[ö-ü]|\\d){2}x*",
            "^(a*b*)*$",
        ] {
            let texts = strings_matching(pattern);
            for text in drawn(&texts, 60) {
                let driver = Wants(Some(text.clone()), Vec::new());
                let mut source = Source::new(AnyDriver::Other(Box::new(driver)));
                assert_eq!(texts.draw(&mut source), text, "{pattern}");
            }
        }
    }

    #[test]
    fn a_text_that_does_not_match_is_refused() {
        let texts = strings_matching("[a-c]{2}");
        for text in ["", "a", "abc", "ad", "ä"] {
            let driver = Wants(Some(text.to_owned()), Vec::new());
            let mut source = Source::new(AnyDriver::Other(Box::new(driver)));
            let drawn = std::panic::AssertUnwindSafe(|| texts.draw(&mut source));
            assert!(std::panic::catch_unwind(drawn).is_err(), "{text}");
        }
    }
}
