//! Properties that are not random: what a regression test repeats of the property, and what it
//! adds, may mean something else in its place.

use crate::corpus::{Home, KEEP, Subject, TEST};
use crate::workspace::NO_STD;

/// Operations that fail for some values. The compiler knows the values in a regression test.
const OPERATIONS: &[(&str, &str)] = &[
    ("n: u8", "let _ = 100 / n;"),
    ("a: u32, b: u32", "let _ = a / b;"),
    ("a: u32, b: u32", "let _ = a % b;"),
    ("n: usize", "let t = [1, 2, 3];\n    let _ = t[n];"),
    ("t: [u8; 2], n: usize", "let _ = t[n];"),
    ("n: u32", "let _ = 1u32 << n;"),
    ("n: u32", "let _ = 1u32 >> n;"),
    ("n: u8", "let _ = n + 200;"),
    ("n: u8", "let mut n = n;\n    n += 200;\n    let _ = n;"),
    ("a: u8, b: u8", "assert!(a - b < 255);"),
    ("w: u8, h: u8", "let _ = w * h;"),
    ("n: i8", "let _ = -n;"),
    ("p: (u8, Option<u8>)", "if let Some(n) = p.1 {\n        let _ = n - p.0;\n    }"),
    ("n: u8", "macro_rules! inverse { ($n:expr) => { 100 / $n } }\n    let _ = inverse!(n);"),
];

/// Strings that span lines, and one that ends after spaces. The message has their characters.
const STRINGS: &[&str] = &[
    "\"a  \n\n    b\n\"",
    "r#\"a\"\n   \\\n  b\"#",
    "b\"a\n\tb\"",
    "br\"a\n b\"",
    "\"\\\"\n// a\n\"",
];

/// Values whose code needs more than the names of the prelude.
const VALUES: &[(&str, &str)] = &[
    ("s: std::ffi::CString", "s.as_bytes().is_empty()"),
    ("s: &std::ffi::CStr", "s.to_bytes().is_empty()"),
    ("s: Vec<Option<std::ffi::CString>>", "s.iter().flatten().count() == 0"),
];

/// Items of a module that give another meaning to names that printed code has, and parameters that
/// are printed with these names.
const OWN_NAMES: &[(&str, &str, &str)] = &[
    ("macro_rules! vec { (in $e:expr) => { $e } }", "s: Vec<u8>", "vec!(in s.is_empty())"),
    (
        "#[derive(Debug, rebut::Generate)]\npub struct Box(pub u8);",
        "s: std::boxed::Box<str>, b: Box",
        "s.is_empty() || b.0 == 0",
    ),
    (
        "#[allow(dead_code)]\n#[derive(Debug, rebut::Generate)]\npub enum Opt { Some, None }\n\
         #[allow(unused_imports)]\nuse self::Opt::*;",
        "s: Option<u8>, o: Opt",
        "s.is_none() || matches!(o, Opt::Some)",
    ),
    (
        "#[allow(dead_code)]\npub enum Res { Ok(u8), Err(u8) }\n\
         #[allow(unused_imports)]\nuse self::Res::{Err, Ok};",
        "s: Result<u8, u8>",
        "s.is_err()",
    ),
];

/// Modules without the prelude: their imports, parameters, and whether an attribute can name the
/// values.
const WITHOUT_PRELUDE: &[(&str, &str, &str, bool)] = &[
    ("use alloc::vec::Vec;", "s: Vec<u8>", "s.is_empty()", true),
    (
        "use alloc::{string::{String, ToString}, vec::Vec};",
        "s: Vec<String>",
        "s.is_empty() || s.len().to_string() == \"\"",
        true,
    ),
    (
        "use alloc::{borrow::ToOwned, boxed::Box, string::ToString};",
        "s: Box<str>",
        "s.to_owned().is_empty() || s.to_string() == \"\"",
        false,
    ),
    ("use alloc::{boxed, string::ToString};", "s: boxed::Box<u8>", "s.to_string() == \"0\"", false),
    ("", "s: core::time::Duration", "s.as_secs() == 0", false),
];

/// Returns the subjects, with ids from `first`.
pub(crate) fn all(first: usize) -> Vec<Subject> {
    let mut subjects = Vec::new();
    let mut add = |edition: &'static str, is_sure: bool, property: &str| {
        let id = first + subjects.len();
        let text = format!("mod m{id} {{\n{property}{TEST}\n}}\n");
        let home = Home { edition, is_integration_test: false };
        let path = format!("m{id}::fails");
        subjects.push(Subject { text, path, home, has_crlf: id.is_multiple_of(2), is_sure });
    };
    let editions = || ["2021", "2018", "2015", "2024"].into_iter().cycle();
    for ((parameters, body), edition) in OPERATIONS.iter().zip(editions()) {
        add(edition, true, &property(parameters, body));
    }
    for (literal, edition) in STRINGS.iter().zip(editions()) {
        let body = format!(
            "let quote = ('\"', '\\'', b'\"'); // it's \"\n    let text = {literal};\n    \
             /* \" /* \" */ */ assert!(n < 2, \"{{:?}} {{:?}}\", text, quote);"
        );
        add(edition, true, &property("n: u8", &body));
        let body = format!("let text = {literal};\n    n as usize != text.len()");
        add(
            edition,
            true,
            &property("n: u8", &body).replace("fn fails(n: u8)", "fn fails(n: u8) -> bool"),
        );
    }
    for (parameters, passes) in VALUES {
        for edition in editions().take(4) {
            add(
                edition,
                true,
                &property(parameters, &format!("assert!({passes}, \"not empty\");")),
            );
        }
    }
    for ((items, parameters, passes), edition) in OWN_NAMES.iter().zip(editions()) {
        let property = property(parameters, &format!("assert!({passes}, \"own\");"));
        add(edition, true, &format!("{items}\n{property}"));
    }
    for (imports, parameters, passes, can_be_kept) in WITHOUT_PRELUDE {
        let property = property(parameters, &format!("assert!({passes}, \"bare\");"));
        add(NO_STD, *can_be_kept, &format!("{imports}\n{property}"));
    }
    subjects
}

fn property(parameters: &str, body: &str) -> String {
    format!("#[rebut::test]\n{KEEP}\nfn fails({parameters}) {{\n    {body}\n}}\n")
}
