//! A broken contract, as the message of a failure tells it: who is to blame, the calls that led
//! to it, and which lines of the generated program made them.
//!
//! Events have the message as it is printed. Its form is described with the events; what has
//! another form is shown as any other message.

/// What a message says of a broken contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Broken<'a> {
    /// `contract violated: ..`, which clause of what.
    pub(crate) what: &'a str,
    /// Who is to blame, in words.
    pub(crate) blame: &'a str,
    /// What the contract was broken for.
    pub(crate) object: Option<&'a str>,
    /// The calls, the outermost first; the last is the one whose contract is broken.
    pub(crate) calls: Vec<&'a str>,
}

impl<'a> Broken<'a> {
    /// None if the message is about something else.
    pub(crate) fn of(message: &'a str) -> Option<Broken<'a>> {
        let mut lines = message.trim_end().lines();
        let what = lines.next()?;
        what.strip_prefix("contract violated: ")?;
        let (mut blame, mut object, mut calls) = (None, None, Vec::new());
        for line in lines {
            let line = line.trim_start();
            if let Some(found) = line.strip_prefix("at fault: ") {
                blame = Some(found);
            } else if let Some(found) = line.strip_prefix("object: ") {
                object = Some(found);
            } else if let Some(path) = line.strip_prefix("call path: ") {
                calls = path.split(" > ").collect();
            }
        }
        let blame = blame.filter(|_| !calls.is_empty())?;
        Some(Broken { what, blame, object, calls })
    }

    /// Which of the calls is that of the one to blame.
    pub(crate) fn blamed(&self) -> Option<usize> {
        let name = self.blame.split('`').nth(1)?;
        // Who does not meet a requirement has called, and was not called.
        let end = self.calls.len() - usize::from(self.what.contains("` requires `"));
        self.calls[..end].iter().rposition(|call| *call == name)
    }

    /// The lines of a generated program that made one of the calls, as ranges of bytes.
    pub(crate) fn lines(&self, code: &str) -> Vec<(usize, usize)> {
        let lines = Lines::of(code);
        let calls = self.calls.windows(2);
        let mut found: Vec<(usize, usize)> = calls
            .filter_map(|pair| {
                let body =
                    if pair[0] == "the program" { lines.main() } else { lines.body(pair[0]) };
                let line = body?.into_iter().rev().find(|line| line.is_call_of(pair[1]))?;
                Some((line.begin, line.begin + line.text.len()))
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The lines of a program.
struct Lines<'a>(Vec<Line<'a>>);

/// A line without the spaces around it.
struct Line<'a> {
    begin: usize,
    indent: usize,
    text: &'a str,
}

impl<'a> Lines<'a> {
    fn of(code: &'a str) -> Lines<'a> {
        let mut at = 0;
        let line = |whole: &'a str| {
            let text = whole.trim();
            let indent = whole.len() - whole.trim_start().len();
            let line = Line { begin: at + indent, indent, text };
            at += whole.len();
            line
        };
        Lines(code.split_inclusive('\n').map(line).collect())
    }

    /// The statements of the program itself.
    fn main(&self) -> Option<Vec<&Line<'a>>> {
        let indent = self.0.get(1)?.indent;
        Some(self.0.iter().filter(|line| line.indent == indent).collect())
    }

    /// The body of a method that the program implements: `Observer::after_push`.
    fn body(&self, method: &str) -> Option<Vec<&Line<'a>>> {
        let (owner, name) = method.rsplit_once("::")?;
        let owner = owner.rsplit("::").next()?;
        let is_owner = |line: &Line<'_>| {
            let head = line.text.strip_prefix("impl").unwrap_or_default();
            head.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == owner)
        };
        let from = self.0.iter().position(is_owner)?;
        let opens = |line: &Line<'_>| {
            let rest = line.text.strip_prefix("fn ").and_then(|text| text.strip_prefix(name));
            rest.is_some_and(|rest| rest.starts_with(['(', '<']))
        };
        let begin = from + self.0[from..].iter().position(opens)?;
        let indent = self.0[begin].indent;
        let inside = self.0[begin + 1..].iter().take_while(|line| line.indent > indent);
        Some(inside.collect())
    }
}

impl Line<'_> {
    /// Whether a function with the last name of this path is called in it.
    fn is_call_of(&self, path: &str) -> bool {
        let name = path.rsplit("::").next().unwrap_or(path);
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        !name.is_empty()
            && !self.text.starts_with("fn ")
            && self.text.match_indices(name).any(|(at, _)| {
                let before = self.text[..at].chars().next_back();
                self.text[at + name.len()..].starts_with('(') && !before.is_some_and(is_name)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGE: &str = "contract violated: `Stack::push` requires `self.capacity() >= 1`\n  \
        at fault: `Stack::push` (code under test)\n  object: a stack of 2 > 1 items\n  \
        call path: the program > Stack::push > Observer::after_push > Stack::push > Stack::push";

    const PROGRAM: &str = "rebut::Program::new(|| {
        let mut stack = Stack::new();
        struct GeneratedObserver;
        impl Observer for GeneratedObserver {
            fn after_push(&self, stack: &mut Stack, item: u8) {
                let capacity = stack.capacity();
                stack.push(capacity);
            }
            fn push(&self) {
                stack.push(9);
            }
        }
        stack.push(0);
        stack.add_observer(GeneratedObserver);
        stack.push(1);
        stack.push_n(1);
    })";

    #[test]
    fn a_message_says_who_is_to_blame() {
        let broken = Broken::of(MESSAGE).expect("a broken contract");
        assert_eq!(broken.blame, "`Stack::push` (code under test)");
        assert_eq!(broken.object, Some("a stack of 2 > 1 items"));
        assert_eq!(broken.calls.len(), 5);
        assert_eq!(broken.blamed(), Some(3), "the caller, which has the same name");
        let ensured = MESSAGE.replace("requires", "ensures");
        assert_eq!(Broken::of(&ensured).and_then(|broken| broken.blamed()), Some(4));
        for other in [
            "",
            "index out of bounds",
            "contract violated: of marriage",
            "contract violated: `a`\n  at fault: b",
        ] {
            assert_eq!(Broken::of(other), None, "{other}");
        }
    }

    #[test]
    fn lines_that_made_the_calls_are_found() {
        let broken = Broken::of(MESSAGE).expect("a broken contract");
        let lines: Vec<&str> =
            broken.lines(PROGRAM).into_iter().map(|(begin, end)| &PROGRAM[begin..end]).collect();
        assert_eq!(lines, ["stack.push(capacity);", "stack.push(1);"]);
        assert!(broken.lines("").is_empty() && broken.lines("vec![1]").is_empty());
    }
}
