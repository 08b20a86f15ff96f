//! Parses the message of a violated contract: which function is at fault, the calls that led to
//! it, and the lines of the generated program that made these calls.
//!
//! Events contain the message as printed, in the form that `docs/guide/events.md` describes. A
//! message in another form is shown like any other message.

/// A violated contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ContractViolation<'a> {
    /// The first line, with the function and the clause: `contract violated: ..`.
    pub(crate) what: &'a str,
    /// The function at fault, with its role.
    pub(crate) blame: &'a str,
    /// The object whose contract was violated.
    pub(crate) object: Option<&'a str>,
    /// The calls, the outermost first. The contract of the last one is violated.
    pub(crate) calls: Vec<&'a str>,
}

impl<'a> ContractViolation<'a> {
    /// Returns `None` if the message is not about a contract.
    pub(crate) fn parse(message: &'a str) -> Option<ContractViolation<'a>> {
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
        Some(ContractViolation { what, blame, object, calls })
    }

    /// Returns the index of the call that is at fault.
    pub(crate) fn blamed(&self) -> Option<usize> {
        let name = self.blame.split('`').nth(1)?;
        // A violated precondition is the fault of the caller, which is not the last call.
        let end = self.calls.len() - usize::from(self.what.contains("` requires `"));
        self.calls[..end].iter().rposition(|call| *call == name)
    }

    /// Returns the lines of a generated program that made one of the calls, as byte ranges.
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

/// A line without the whitespace around it.
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

    /// Returns the statements of the program, without those of the methods that it implements.
    fn main(&self) -> Option<Vec<&Line<'a>>> {
        let indent = self.0.get(1)?.indent;
        Some(self.0.iter().filter(|line| line.indent == indent).collect())
    }

    /// Returns the body of a method that the program implements, such as `Observer::after_push`.
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
    /// Returns whether the line calls a function with the last name of the path.
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
    fn violation_names_the_call_at_fault() {
        let broken = ContractViolation::parse(MESSAGE).expect("a broken contract");
        assert_eq!(broken.blame, "`Stack::push` (code under test)");
        assert_eq!(broken.object, Some("a stack of 2 > 1 items"));
        assert_eq!(broken.calls.len(), 5);
        assert_eq!(broken.blamed(), Some(3), "the caller, which has the same name");
        let ensured = MESSAGE.replace("requires", "ensures");
        assert_eq!(ContractViolation::parse(&ensured).and_then(|broken| broken.blamed()), Some(4));
        for other in [
            "",
            "index out of bounds",
            "contract violated: of marriage",
            "contract violated: `a`\n  at fault: b",
        ] {
            assert_eq!(ContractViolation::parse(other), None, "{other}");
        }
    }

    #[test]
    fn lines_are_those_that_made_the_calls() {
        let broken = ContractViolation::parse(MESSAGE).expect("a broken contract");
        let lines: Vec<&str> =
            broken.lines(PROGRAM).into_iter().map(|(begin, end)| &PROGRAM[begin..end]).collect();
        assert_eq!(lines, ["stack.push(capacity);", "stack.push(1);"]);
        assert!(broken.lines("").is_empty() && broken.lines("vec![1]").is_empty());
    }
}
