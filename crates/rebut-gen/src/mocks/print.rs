//! Printing a mock as an implementor that matches on the number of the call.

use std::fmt::Write as _;

use super::{Interface, Method};
use crate::functions::closure;

/// Returns the expression that constructs a mock with these answers. `answers` has the arguments and
/// answers of each method, in the order of its calls, as code.
pub(super) fn mock(interface: &Interface, answers: &[Vec<(String, String)>]) -> String {
    let Interface { mock, implemented, types, methods, is_sync } = interface;
    let bodies: Vec<(&Method, Body)> = methods
        .iter()
        .zip(answers)
        .map(|(method, answers)| (method, body(method, answers)))
        .collect();
    let counted: Vec<&str> = bodies
        .iter()
        .filter(|(_, body)| matches!(body, Body::Counted(_)))
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
    for (method, body) in bodies {
        write(&mut text, method, &body, *is_sync);
    }
    line(&mut text, 2, "}");
    line(&mut text, 2, if counted.is_empty() { "Answers" } else { "Answers::default()" });
    text.push_str("    })");
    text
}

/// The body of a method.
enum Body {
    Never,
    Nothing,
    Expression(String),
    /// An expression that uses the arguments.
    Matched(String),
    /// One answer for each call.
    Counted(Vec<String>),
}

fn body(method: &Method, calls: &[(String, String)]) -> Body {
    let Some((_, first)) = calls.first() else {
        return Body::Never;
    };
    if calls.iter().all(|(_, answer)| answer == first) {
        let is_nothing = first == "()" && !method.signature.contains("->");
        return if is_nothing { Body::Nothing } else { Body::Expression(first.clone()) };
    }
    match method.matched.and_then(|matched| closure::matched(calls, matched)) {
        Some(expression) => Body::Matched(expression),
        None => Body::Counted(calls.iter().map(|(_, answer)| answer.clone()).collect()),
    }
}

fn write(text: &mut String, method: &Method, body: &Body, is_sync: bool) {
    let Method { name, signature_filled: signature, .. } = method;
    let answers = match body {
        Body::Matched(expression) => {
            line(text, 3, &format!("{} {{", method.signature));
            line(text, 4, expression);
            return line(text, 3, "}");
        }
        Body::Never => {
            line(text, 3, &format!("{} {{", method.signature_unused));
            line(text, 4, "unreachable!(\"never called\")");
            return line(text, 3, "}");
        }
        Body::Nothing => return line(text, 3, &format!("{signature} {{}}")),
        Body::Expression(expression) => {
            line(text, 3, &format!("{signature} {{"));
            line(text, 4, expression);
            return line(text, 3, "}");
        }
        Body::Counted(answers) => answers,
    };
    let next = match is_sync {
        true => format!("self.{name}.fetch_add(1, std::sync::atomic::Ordering::Relaxed)"),
        false => format!("self.{name}.replace(self.{name}.get() + 1)"),
    };
    line(text, 3, &format!("{signature} {{"));
    line(text, 4, &format!("match {next} {{"));
    for (number, answer) in answers.iter().enumerate() {
        line(text, 5, &format!("{number} => {answer},"));
    }
    line(text, 5, &format!("_ => unreachable!(\"called {} times\"),", answers.len()));
    line(text, 4, "}");
    line(text, 3, "}");
}

/// Adds a line, indented by `depth` levels of four spaces.
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
            Method {
                name: "next",
                signature: "fn next(&self) -> i32",
                signature_unused: "fn next(&self) -> i32",
                signature_filled: "fn next(&self) -> i32",
                matched: None,
            },
            Method {
                name: "skip",
                signature: "fn skip(&mut self, by: u8)",
                signature_unused: "fn skip(&mut self, _by: u8)",
                signature_filled: "fn skip(&mut self, _by: u8)",
                matched: None,
            },
        ],
        is_sync: false,
    };

    fn calls(answers: &[&str]) -> Vec<(String, String)> {
        answers.iter().map(|&code| (String::new(), code.to_owned())).collect()
    }

    fn check(interface: &Interface, answers: &[&[&str]], expected: &str) {
        let answers: Vec<_> = answers.iter().map(|answers| calls(answers)).collect();
        assert_eq!(mock(interface, &answers), expected);
    }

    #[test]
    fn different_answers_are_distinguished_by_the_number_of_the_call() {
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
            fn skip(&mut self, _by: u8) {}
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
            fn skip(&mut self, _by: u8) {
                unreachable!(\"never called\")
            }
        }
        Answers
    })",
        );
    }

    #[test]
    fn pure_methods_go_by_their_arguments() {
        const HASHES: Interface = Interface {
            types: &[],
            methods: &[Method {
                name: "hash",
                signature: "fn hash(&self, key: u8) -> u8",
                signature_unused: "fn hash(&self, _key: u8) -> u8",
                signature_filled: "fn hash(&self, _key: u8) -> u8",
                matched: Some("key"),
            }],
            ..NUMBERS
        };
        let calls = [("0", "0"), ("7", "1"), ("0", "0")];
        let calls = calls.map(|(key, hash)| (key.to_owned(), hash.to_owned())).to_vec();
        let text = mock(&HASHES, &[calls]);
        assert!(text.contains("                match key { 7 => 1, _ => 0 }\n"), "{text}");
        let changed = [("0", "0"), ("0", "1")];
        let changed = changed.map(|(key, hash)| (key.to_owned(), hash.to_owned())).to_vec();
        let text = mock(&HASHES, &[changed]);
        assert!(text.contains("match self.hash.replace("), "{text}");
    }

    #[test]
    fn mocks_that_threads_share_count_with_atomics() {
        let shared = Interface { is_sync: true, types: &[], ..NUMBERS };
        let text = mock(&shared, &[calls(&["1", "2"]), vec![]]);
        assert!(text.contains("next: std::sync::atomic::AtomicUsize,"), "{text}");
        assert!(text.contains("match self.next.fetch_add(1, "), "{text}");
    }
}
