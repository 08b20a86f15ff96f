//! Random properties that fail, in random modules of crates of all editions.

use std::fmt::Write as _;

use crate::random::Random;
use crate::types::{Definitions, DrawnType, TypeDrawer};

/// A property that fails, with everything that it needs.
#[derive(Debug)]
pub(crate) struct Subject {
    /// Its module, with [`KEEP`] where an attribute is pasted and [`TEST`] where a test is.
    pub(crate) text: String,
    /// Its name in its test program.
    pub(crate) path: String,
    pub(crate) home: Home,
    /// Whether it is in a file with the line ends of Windows.
    pub(crate) has_crlf: bool,
    /// Whether Rebut must print artifacts, because all values are printed as code.
    pub(crate) is_sure: bool,
}

/// Where the text of a `keep:` line is pasted.
pub(crate) const KEEP: &str = "/* keep */";
/// Where the file of a `test:` line is pasted.
pub(crate) const TEST: &str = "/* test */";

/// The file of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Home {
    /// The edition of its package, or `NO_STD`.
    pub(crate) edition: &'static str,
    pub(crate) is_integration_test: bool,
}

const EDITIONS: [&str; 4] = ["2015", "2018", "2021", "2024"];

/// Draws a property.
pub(crate) fn draw(random: &mut Random, id: usize) -> Subject {
    let home = Home { edition: random.pick(&EDITIONS), is_integration_test: random.chance(25) };
    let mut definitions = Definitions::default();
    let mut drawer = TypeDrawer { random, definitions: &mut definitions, id };
    let count = drawer.random.below(3) + 1;
    let mut parameters: Vec<Parameter> =
        (0..count).map(|n| Parameter::draw(&mut drawer, n)).collect();
    if drawer.random.chance(8) {
        parameters.push(Parameter::function(drawer.random));
    }
    let is_sure = parameters.iter().all(|parameter| parameter.is_sure);
    let scores: Vec<&str> = parameters.iter().map(|one| one.score.as_str()).collect();
    let score = scores.join(" + ");
    let list = parameters.iter().map(|one| one.text.as_str()).collect::<Vec<_>>().join(", ");
    let name = random.pick(&["fails", "r#loop", "passed", "result", "list", "is_match"]);
    let function = Function { id, name, list, score, limit: random.below(3) + 1 };
    let before: String = parameters.iter().map(|one| one.before.as_str()).collect();
    let property = function.draw(random, &before);
    let mut text = String::new();
    let is_inside = !definitions.outside.is_empty() || random.chance(30);
    let Definitions { here, shapes, outside, .. } = definitions;
    let _ = writeln!(text, "mod m{id} {{\n{outside}");
    if is_inside {
        let _ = writeln!(text, "mod inside {{");
        if !outside.is_empty() {
            let _ = writeln!(text, "use super::*;");
        }
    }
    if !shapes.is_empty() {
        let _ = writeln!(text, "mod shapes {{\n{shapes}\n}}");
    }
    let _ = writeln!(text, "{here}{property}");
    let _ = writeln!(text, "{}", if is_inside { "}\n}" } else { "}" });
    let module = if is_inside { "::inside" } else { "" };
    let path = format!("m{id}{module}::{}", name);
    let has_crlf = random.chance(15);
    Subject { text, path, home, has_crlf, is_sure }
}

struct Parameter {
    /// The pattern and the type.
    text: String,
    score: String,
    /// Statements at the beginning of the body.
    before: String,
    is_sure: bool,
}

impl Parameter {
    fn draw(drawer: &mut TypeDrawer<'_>, n: usize) -> Parameter {
        if drawer.random.chance(8) {
            let name = ["a", "b", "c"][n];
            return Parameter {
                text: format!("{name}: &str"),
                score: format!("{name}.len()"),
                before: String::new(),
                is_sure: true,
            };
        }
        let drawn = drawer.draw(2);
        let name = match drawer.random.below(12) {
            0 => "passed".to_owned(),
            1 => "result".to_owned(),
            2 => "r#match".to_owned(),
            _ => ["a", "b", "c"][n].to_owned(),
        };
        let name = if n == 0 { name } else { ["a", "b", "c"][n].to_owned() };
        let DrawnType { text: ty, is_sure, .. } = &drawn;
        let score = |reference: &str| drawn.score(reference);
        let (text, score, before) = match drawer.random.below(12) {
            0 => (format!("{name}: &{ty}"), score(&name), String::new()),
            1 => (format!("{name}: &[{ty}]"), list_of(&drawn, &name), String::new()),
            2 => (
                format!("mut {name}: {ty}"),
                score(&format!("(&{name})")),
                format!("let _ = &mut {name};\n"),
            ),
            3 => (format!("({name}, _): ({ty}, u8)"), score(&format!("(&{name})")), String::new()),
            4 => (format!("{name}: &mut {ty}"), score(&format!("(&*{name})")), String::new()),
            5 => (format!("ref {name}: {ty}"), score(&name), String::new()),
            7 => (format!("_: {ty}"), "1".to_owned(), String::new()),
            8 => (format!("[{name}, ..]: [{ty}; 3]"), score(&format!("(&{name})")), String::new()),
            _ => (format!("{name}: {ty}"), score(&format!("(&{name})")), String::new()),
        };
        Parameter { text, score, before, is_sure: *is_sure }
    }

    /// A parameter that is a function.
    fn function(random: &mut Random) -> Parameter {
        let ty = random.pick(&["impl Fn(u8) -> u8", "&dyn Fn(u8) -> u8"]);
        Parameter {
            text: format!("f: {ty}"),
            score: "usize::from(f(3) > 7)".to_owned(),
            before: String::new(),
            is_sure: true,
        }
    }
}

fn list_of(drawn: &DrawnType, name: &str) -> String {
    format!("{name}.iter().map(|e| 1 + {}).sum::<usize>()", drawn.score("e"))
}

/// The function of a property, without its body.
struct Function {
    id: usize,
    name: &'static str,
    list: String,
    score: String,
    limit: usize,
}

impl Function {
    fn draw(&self, random: &mut Random, before: &str) -> String {
        let Function { id, name, list, score, limit } = self;
        let message = format!("fail-{id}.");
        let attribute = "#[rebut::test]";
        let (attribute, output, body) = match random.below(22) {
            0 => (attribute, "", format!(" {before}assert!({score} < {limit}, \"{message}\") ")),
            1 => (attribute, "-> bool", format!(" {before}{score} < {limit} ")),
            2 => ("#[rebut::not_exists]", "-> bool", format!(" {before}{score} >= {limit} ")),
            3 => (
                attribute,
                "-> Result<(), String>",
                format!(
                    "\n    {before}if {score} >= {limit} {{\n        return Err(\"{message}\".into());\n    }}\n    Ok(())\n"
                ),
            ),
            4 => (
                attribute,
                "-> Result<u8, String>",
                format!(
                    "\n    {before}let n: u8 = if {score} >= {limit} {{ Err(\"{message}\") }} else {{ Ok(1) }}?;\n    Ok(n)\n"
                ),
            ),
            5 => (
                attribute,
                "-> Result<bool, String>",
                format!("\n    {before}// A comment.\n    Ok({score} < {limit})\n"),
            ),
            6 => (
                attribute,
                "-> Result<(), Box<dyn std::error::Error>>",
                format!(
                    "\n    {before}(if {score} >= {limit} {{ Err(\"{message}\") }} else {{ Ok(()) }})?;\n    Ok(())\n"
                ),
            ),
            7 => (
                attribute,
                "",
                format!(
                    "\n\t{before}\tlet size = {score};\n\t\tif size < {limit} {{\n\t\t\treturn;\n\t\t}}\n\t\tpanic!(\"{message}\");\n"
                ),
            ),
            8 => (
                attribute,
                "",
                format!(
                    "\n    {before}let text = r#\"one  \n      two\n\"#;\n    assert!({score} < {limit}, \"{message} {{}}\", text.len());\n"
                ),
            ),
            9 => (
                attribute,
                "",
                format!(
                    "\n    {before}const LIMIT: usize = {limit};\n    /// Documented.\n    fn check(size: usize) {{ if size >= LIMIT {{ panic!(\"{message}\") }} }}\n    check({score});\n"
                ),
            ),
            10 => (
                attribute,
                "",
                format!(
                    "\n    #![allow(clippy::all)]\n    {before}assert!({score} < {limit}, \"{message}\");\n"
                ),
            ),
            11 => {
                (attribute, "", format!("\n    {before}helper({score}, {limit}, \"{message}\");\n"))
            }
            12 => (
                attribute,
                "",
                format!(
                    "\n    {before}let size = {score};\n    assert!(size < {limit}, \"{message} first\");\n    assert!(size == 0, \"{message} second\");\n"
                ),
            ),
            13 => (
                attribute,
                "",
                format!(
                    "\n    {before}let text = \"a \\\n        b\";\n    /* a\n       comment */\n    assert!({score} < {limit}, \"{message} {{}}\", text);\n"
                ),
            ),
            14 => (
                "#[rebut::test(failures = 2)]",
                "",
                format!(
                    "\n    {before}match {score} {{\n        0 => {{}}\n        1 => panic!(\"{message} one\"),\n        _ => panic!(\"{message} more\"),\n    }}\n"
                ),
            ),
            15 => (
                attribute,
                "-> bool",
                format!(" {before}let is_small = {score} < {limit}; is_small "),
            ),
            16 => (
                attribute,
                "",
                format!(
                    " {before}match {score} < {limit} {{ true => (), false => panic!(\"{message}\") }} "
                ),
            ),
            17 => (
                attribute,
                "",
                format!(
                    "\n    {before}let sizes = vec![{score}];\n    for size in &sizes {{\n        assert!(*size < {limit},\n            \"{message}\");\n    }}\n"
                ),
            ),
            18 => (
                attribute,
                "-> bool",
                format!("\n    {before}if {score} >= {limit} {{ return false }}\n    true\n"),
            ),
            _ => (
                attribute,
                "",
                format!("\n    {before}assert!({score} < {limit}, \"{message}\");\n"),
            ),
        };
        let helper = if body.contains("helper(") {
            "fn helper(size: usize, limit: usize, message: &str) {\n    assert!(size < limit, \"{}\", message);\n}\n"
        } else {
            ""
        };
        if random.chance(6) && !body.contains("r#\"") {
            return format!(
                "{helper}macro_rules! property {{ ($name:ident) => {{\n{attribute}\nfn $name({list}) {output} {{{body}}}\n}} }}\nproperty!({name});\n{TEST}\n"
            );
        }
        format!("{helper}{attribute}\n{KEEP}\nfn {name}({list}) {output} {{{body}}}\n{TEST}\n")
    }
}
