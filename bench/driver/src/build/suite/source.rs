//! The text of a suite: always the same for a library, and the same types and properties for
//! all of them.

use std::fmt::Write as _;

use super::super::library::Dialect;

/// How many types derive their generators.
pub(in super::super) const TYPES: usize = 40;

/// How many properties there are.
pub(in super::super) const PROPERTIES: usize = TYPES * PATTERNS;

/// How many ways there are to write a property of a type.
const PATTERNS: usize = 5;

/// How many types the properties of one file are about.
const TYPES_PER_FILE: usize = 4;

/// The first types have only fields of the standard library; the others also have one of these.
const PLAIN_TYPES: usize = 10;

const FIELDS: [&str; 9] = [
    "u32",
    "String",
    "bool",
    "Vec<u16>",
    "Option<i64>",
    "(u8, i16)",
    "char",
    "Option<String>",
    "Vec<(u8, bool)>",
];

/// The sources of a suite.
#[derive(Debug)]
pub(super) struct Source {
    dialect: Dialect,
}

impl Source {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self { dialect }
    }

    /// A test target that only names the library, so that it is built before the suite is.
    pub(super) fn names(&self) -> String {
        match self.dialect {
            Dialect::Rebut => "use rebut as _;\n",
            Dialect::Proptest => "use proptest as _;\nuse proptest_derive as _;\n",
            Dialect::Hegel => "use hegel as _;\n",
        }
        .to_owned()
    }

    /// The files of the suite, by path.
    pub(super) fn files(&self) -> Vec<(String, String)> {
        let numbers = 0..TYPES / TYPES_PER_FILE;
        let mut main = "mod types;\n".to_owned();
        for number in numbers.clone() {
            let _ = writeln!(main, "mod part_{number};");
        }
        let mut files = vec![("main.rs".to_owned(), main), ("types.rs".to_owned(), self.types())];
        files.extend(numbers.map(|number| self.part(number, 0)));
        files
    }

    /// One of the files with another number in one property.
    pub(super) fn changed_file(&self) -> (String, String) {
        self.part(3, 1)
    }

    fn types(&self) -> String {
        let (import, derive) = match self.dialect {
            Dialect::Rebut => ("use rebut::Generate;\n", "Generate"),
            Dialect::Proptest => ("use proptest_derive::Arbitrary;\n", "Arbitrary"),
            Dialect::Hegel => ("use hegel::DefaultGenerator;\n", "DefaultGenerator"),
        };
        let mut text = import.to_owned();
        for number in 0..TYPES {
            let derives = format!("\n#[derive(Clone, Debug, PartialEq, {derive})]\n");
            text += &derives;
            text += &if number % 2 == 0 { structure(number) } else { enumeration(number) };
        }
        text
    }

    fn part(&self, number: usize, change: usize) -> (String, String) {
        let mut text = match self.dialect {
            Dialect::Rebut => "use crate::types::*;\n",
            Dialect::Proptest => "use crate::types::*;\nuse proptest::prelude::*;\n",
            Dialect::Hegel => {
                "use crate::types::*;\nuse hegel::TestCase;\nuse hegel::generators as gs;\n"
            }
        }
        .to_owned();
        let first = number * TYPES_PER_FILE;
        for named in first..first + TYPES_PER_FILE {
            for property in properties(named, if named == first { change } else { 0 }) {
                text += &self.property(&property);
            }
        }
        (format!("part_{number}.rs"), text)
    }

    fn property(&self, property: &Property) -> String {
        let Property { name, parameters, body } = property;
        let list = |write: &dyn Fn(&(&str, String)) -> String| -> Vec<String> {
            parameters.iter().map(write).collect()
        };
        let typed = || list(&|(name, kind)| format!("{name}: {kind}")).join(", ");
        match self.dialect {
            Dialect::Rebut => {
                format!("\n#[rebut::test]\nfn {name}({}) {{\n{body}}}\n", typed())
            }
            Dialect::Proptest => {
                format!("\nproptest! {{\n#[test]\nfn {name}({}) {{\n{body}}}\n}}\n", typed())
            }
            Dialect::Hegel => {
                let draw = |(name, kind): &(&str, String)| {
                    format!("    let {name} = tc.draw(gs::default::<{kind}>());\n")
                };
                let drawn = list(&draw).concat();
                format!("\n#[hegel::test]\nfn {name}(tc: TestCase) {{\n{drawn}{body}}}\n")
            }
        }
    }
}

fn field(number: usize) -> &'static str {
    FIELDS[number % FIELDS.len()]
}

/// The type of the field that makes later types larger than earlier ones.
fn inner(number: usize) -> String {
    match number.checked_sub(PLAIN_TYPES) {
        Some(above) => type_name(above % PLAIN_TYPES),
        None => "u8".to_owned(),
    }
}

fn type_name(number: usize) -> String {
    format!("Type{number}")
}

fn structure(number: usize) -> String {
    let name = type_name(number);
    let mut text = format!("pub struct {name} {{\n    pub inner: {},\n", inner(number));
    for place in 0..3 + number % 3 {
        let _ = writeln!(text, "    pub field_{place}: {},", field(number + 2 * place));
    }
    text + "}\n"
}

fn enumeration(number: usize) -> String {
    let (name, inner) = (type_name(number), inner(number));
    let [first, second, third] = [0, 2, 5].map(|place| field(number + place));
    format!(
        "pub enum {name} {{\n    Nothing,\n    One({first}),\n    Two({second}, {inner}),\n    \
         Named {{ left: {third}, right: {first} }},\n}}\n"
    )
}

/// A property of a type: parameters and a body.
struct Property {
    name: String,
    parameters: Vec<(&'static str, String)>,
    body: String,
}

fn properties(number: usize, change: usize) -> [Property; PATTERNS] {
    let kind = type_name(number);
    let property = |name: &str, parameters: Vec<(&'static str, String)>, body: String| Property {
        name: format!("{name}_{number}"),
        parameters,
        body,
    };
    let limit = 1000 + number + change;
    [
        property(
            "a_clone_is_equal",
            vec![("value", kind.clone())],
            "    let copy = value.clone();\n    assert_eq!(copy, value);\n".to_owned(),
        ),
        property(
            "equality_is_symmetric",
            vec![("left", kind.clone()), ("right", kind.clone())],
            "    assert_eq!(left == right, right == left);\n".to_owned(),
        ),
        property(
            "reversing_twice_changes_nothing",
            vec![("list", format!("Vec<{kind}>"))],
            format!(
                "    let mut twice = list.clone();\n    twice.reverse();\n    twice.reverse();\n    \
                 assert_eq!(twice, list);\n    assert!(list.len() < {limit});\n"
            ),
        ),
        property(
            "taking_leaves_nothing",
            vec![("optional", format!("Option<{kind}>")), ("count", "u32".to_owned())],
            "    let mut rest = optional.clone();\n    let taken = rest.take();\n    \
             assert!(rest.is_none());\n    assert_eq!(taken, optional);\n    \
             assert!(u64::from(count) < 1 << 32);\n"
                .to_owned(),
        ),
        property(
            "text_is_not_empty",
            vec![
                ("name", "String".to_owned()),
                ("value", kind.clone()),
                ("flag", "bool".to_owned()),
            ],
            "    let text = format!(\"{name}{value:?}{flag}\");\n    \
             assert!(text.len() > name.len());\n"
                .to_owned(),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(dialect: Dialect, what: &str) -> usize {
        let files = Source::new(dialect).files();
        files.iter().map(|(_, text)| text.matches(what).count()).sum()
    }

    #[test]
    fn suites_have_as_many_types_and_properties_as_the_table_says() {
        let attributes = [
            (Dialect::Rebut, "#[rebut::test]", "Generate)]"),
            (Dialect::Proptest, "#[test]", "Arbitrary)]"),
            (Dialect::Hegel, "#[hegel::test]", "DefaultGenerator)]"),
        ];
        for (dialect, attribute, derive) in attributes {
            assert_eq!(count(dialect, attribute), PROPERTIES, "{dialect:?}");
            assert_eq!(count(dialect, derive), TYPES, "{dialect:?}");
        }
        assert_eq!((PROPERTIES, TYPES), (200, 40));
    }

    #[test]
    fn the_change_is_one_line_of_one_file() {
        let source = Source::new(Dialect::Rebut);
        let (path, changed) = source.changed_file();
        let files = source.files();
        let (_, before) = files.iter().find(|(file, _)| *file == path).expect("is a file");
        let lines = before.lines().zip(changed.lines());
        assert_eq!(lines.filter(|(before, after)| before != after).count(), 1);
        assert_eq!(before.lines().count(), changed.lines().count());
    }
}
