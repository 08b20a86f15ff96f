//! Shows a violated contract: which function is at fault, the calls that led to it, and the lines of
//! the generated program that made these calls.

use crate::lines::ViolatedContract;

impl ViolatedContract {
    /// Returns the violated clause in one line, as the message of the failure begins.
    pub(crate) fn what(&self) -> String {
        let ViolatedContract { function, clause, condition, .. } = self;
        format!("contract violated: `{function}` {clause} `{condition}`")
    }

    /// Returns the function at fault, with its role.
    pub(crate) fn blame(&self) -> String {
        match (&self.at_fault, self.party.as_str()) {
            (None, _) => "its caller".to_owned(),
            (Some(function), "code") => format!("`{function}` (code under test)"),
            (Some(function), _) => format!("an argument of `{function}`"),
        }
    }

    /// Returns the index of the call that is at fault.
    pub(crate) fn blamed_call(&self) -> Option<usize> {
        let at_fault = self.at_fault.as_ref()?;
        // A violated precondition is the fault of the caller, which is not the last call.
        let end = self.calls.len().saturating_sub(usize::from(self.clause == "requires"));
        self.calls[..end].iter().rposition(|call| call == at_fault)
    }

    /// Returns the lines of a generated program that made one of the calls, as byte ranges.
    pub(crate) fn lines(&self, code: &str) -> Vec<(usize, usize)> {
        let lines = Lines::of(code);
        let calls = self.calls.windows(2);
        let mut found: Vec<(usize, usize)> = calls
            .filter_map(|pair| {
                let body =
                    if pair[0] == "the program" { lines.main() } else { lines.body(&pair[0]) };
                let line = body?.into_iter().rev().find(|line| line.is_call_of(&pair[1]))?;
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

    fn violated(clause: &str) -> ViolatedContract {
        let calls =
            ["the program", "Stack::push", "Observer::after_push", "Stack::push", "Stack::push"];
        ViolatedContract {
            function: "Stack::push".to_owned(),
            clause: clause.to_owned(),
            condition: "self.capacity() >= 1".to_owned(),
            party: "code".to_owned(),
            at_fault: Some("Stack::push".to_owned()),
            object: None,
            calls: calls.map(str::to_owned).into(),
        }
    }

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
        let required = violated("requires");
        assert_eq!(
            required.what(),
            "contract violated: `Stack::push` requires `self.capacity() >= 1`"
        );
        assert_eq!(required.blame(), "`Stack::push` (code under test)");
        assert_eq!(required.blamed_call(), Some(3), "the caller, which has the same name");
        assert_eq!(violated("ensures").blamed_call(), Some(4));
        let party = "outside".to_owned();
        let argument = ViolatedContract { party: party.clone(), ..violated("ensures") };
        assert_eq!(argument.blame(), "an argument of `Stack::push`");
        let caller = ViolatedContract { party, at_fault: None, ..required };
        assert_eq!((caller.blame(), caller.blamed_call()), ("its caller".to_owned(), None));
    }

    #[test]
    fn lines_are_those_that_made_the_calls() {
        let broken = violated("requires");
        let lines: Vec<&str> =
            broken.lines(PROGRAM).into_iter().map(|(begin, end)| &PROGRAM[begin..end]).collect();
        assert_eq!(lines, ["stack.push(capacity);", "stack.push(1);"]);
        assert!(broken.lines("").is_empty() && broken.lines("vec![1]").is_empty());
    }
}
