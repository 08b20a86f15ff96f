//! A mock as an implementor with a match on the number of the call.

use std::fmt::Write as _;

use super::{Interface, Method};

/// The expression that makes a mock which answers so: the answers of each method in the order of
/// its calls, as code.
pub(super) fn mock(interface: &Interface, answers: &[Vec<String>]) -> String {
    let Interface { mock, implemented, types, methods, is_sync } = interface;
    let methods: Vec<(&Method, &[String])> =
        methods.iter().zip(answers).map(|(method, answers)| (method, answers.as_slice())).collect();
    let counted: Vec<&str> = methods
        .iter()
        .filter(|(_, answers)| !is_same(answers))
        .map(|(method, _)| method.name)
        .collect();
    let mut text = format!("{mock}::new({{\n");
    let counter =
        if *is_sync { "std::sync::atomic::AtomicUsize" } else { "std::cell::Cell<usize>" };
    line(&mut text, 2, "#[derive(Debug, Default)]");
    if counted.is_empty() {
        line(&mut text, 2, "struct Answers;");
    } else {
        line(&mut text, 2, "struct Answers {");
        counted.iter().for_each(|name| line(&mut text, 3, &format!("{name}: {counter},")));
        line(&mut text, 2, "}");
    }
    line(&mut text, 2, &format!("impl {implemented} for Answers {{"));
    types.iter().for_each(|ty| line(&mut text, 3, ty));
    for (method, answers) in methods {
        body(&mut text, method, answers, *is_sync);
    }
    line(&mut text, 2, "}");
    line(&mut text, 2, if counted.is_empty() { "Answers" } else { "Answers::default()" });
    text.push_str("    })");
    text
}

/// Whether all answers are the same, so that calls need not be counted.
fn is_same(answers: &[String]) -> bool {
    answers.iter().all(|answer| Some(answer) == answers.first())
}

fn body(text: &mut String, method: &Method, answers: &[String], is_sync: bool) {
    let Method { name, signature } = method;
    let is_nothing = answers.iter().all(|answer| answer == "()");
    if is_nothing && !answers.is_empty() && !signature.contains("->") {
        return line(text, 3, &format!("{signature} {{}}"));
    }
    line(text, 3, &format!("{signature} {{"));
    match answers {
        [] => line(text, 4, "unreachable!(\"never called\")"),
        [first, ..] if is_same(answers) => line(text, 4, first),
        answers => {
            let next = match is_sync {
                true => format!("self.{name}.fetch_add(1, std::sync::atomic::Ordering::Relaxed)"),
                false => format!("self.{name}.replace(self.{name}.get() + 1)"),
            };
            line(text, 4, &format!("match {next} {{"));
            for (number, answer) in answers.iter().enumerate() {
                line(text, 5, &format!("{number} => {answer},"));
            }
            let message = format!("_ => unreachable!(\"called {} times\"),", answers.len());
            line(text, 5, &message);
            line(text, 4, "}");
        }
    }
    line(text, 3, "}");
}

/// Adds a line, indented by so many steps of four.
fn line(text: &mut String, depth: usize, content: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{:width$}{content}", "", width = depth * 4);
}

#[cfg(test)]
mod tests {
    use super::*;

    const NUMBERS: Interface = Interface {
        mock: "MockNumbers",
        implemented: "Numbers",
        types: &["type Error = ();"],
        methods: &[
            Method { name: "next", signature: "fn next(&self) -> i32" },
            Method { name: "skip", signature: "fn skip(&mut self, by: u8)" },
        ],
        is_sync: false,
    };

    fn check(interface: &Interface, answers: &[&[&str]], expected: &str) {
        let own = |answers: &&[&str]| answers.iter().map(|&code| code.to_owned()).collect();
        let answers: Vec<Vec<String>> = answers.iter().map(own).collect();
        assert_eq!(mock(interface, &answers), expected);
    }

    #[test]
    fn different_answers_are_told_apart_by_the_number_of_the_call() {
        check(
            &NUMBERS,
            &[&["713", "-9"], &["()"]],
            "MockNumbers::new({
        #[derive(Debug, Default)]
        struct Answers {
            next: std::cell::Cell<usize>,
        }
        impl Numbers for Answers {
            type Error = ();
            fn next(&self) -> i32 {
                match self.next.replace(self.next.get() + 1) {
                    0 => 713,
                    1 => -9,
                    _ => unreachable!(\"called 2 times\"),
                }
            }
            fn skip(&mut self, by: u8) {}
        }
        Answers::default()
    })",
        );
    }

    #[test]
    fn equal_answers_need_no_counter() {
        check(
            &NUMBERS,
            &[&["0", "0"], &[]],
            "MockNumbers::new({
        #[derive(Debug, Default)]
        struct Answers;
        impl Numbers for Answers {
            type Error = ();
            fn next(&self) -> i32 {
                0
            }
            fn skip(&mut self, by: u8) {
                unreachable!(\"never called\")
            }
        }
        Answers
    })",
        );
    }

    #[test]
    fn what_threads_share_counts_with_atomics() {
        let shared = Interface { is_sync: true, types: &[], ..NUMBERS };
        let own = |code: &str| code.to_owned();
        let text = mock(&shared, &[vec![own("1"), own("2")], vec![]]);
        assert!(text.contains("next: std::sync::atomic::AtomicUsize,"), "{text}");
        assert!(text.contains("match self.next.fetch_add(1, "), "{text}");
    }
}
