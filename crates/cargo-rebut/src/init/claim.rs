//! Claims about functions, as properties: the best that can be said of what was found.

use super::find::{Crate, Function, Printed};
use super::pairs;
use super::value::{Gives, Passed, Taken, Value};
use crate::words::init::indented;

/// A claim, and the property that states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    /// The name of the test.
    pub(super) name: String,
    /// What it is about; empty if about nothing of the crate.
    pub(super) function: String,
    /// In a sentence's end.
    pub(super) about: String,
    /// The test.
    pub(super) code: String,
}

impl Claim {
    /// A property for a crate about whose functions nothing can be said.
    pub(super) fn sample() -> Claim {
        claim(
            "reversing_twice_changes_nothing",
            "",
            "a list that is reversed twice is as before; it shows how, since no function of this \
             crate takes only values that can be drawn",
            "list: Vec<u8>",
            "    let mut twice = list.clone();\n    twice.reverse();\n    twice.reverse();\n    \
             assert_eq!(twice, list);\n",
        )
    }

    /// The code as it is shown to people.
    pub(super) fn shown(&self) -> String {
        format!("\n{}", indented(&self.code))
    }
}

fn claim(name: &str, function: &str, about: &str, parameters: &str, body: &str) -> Claim {
    let code = format!("#[rebut::test]\nfn {name}({parameters}) {{\n{body}}}\n");
    let [name, function, about] = [name, function, about].map(str::to_owned);
    Claim { name, function, about, code }
}

/// All claims that can be made, the best first. `root` is what the crate is called there.
pub(super) fn claims(found: &Crate, root: &str) -> Vec<Claim> {
    let writer = Writer { root };
    let functions = &found.functions;
    let mut claims = Vec::new();
    for there in functions {
        let is_back = |back: &&Function| {
            let (_, around) = (back.path.split_last(), &there.path[..there.path.len() - 1]);
            back.path[..back.path.len() - 1] == *around && pairs::undoes(back.name(), there.name())
        };
        claims.extend(
            functions.iter().filter(is_back).filter_map(|back| writer.round_trip(there, back)),
        );
    }
    claims.extend(found.printed.iter().filter_map(|printed| writer.printed(printed)));
    claims.extend(functions.iter().filter_map(|function| writer.sorts(function)));
    claims.extend(functions.iter().filter_map(|function| writer.involution(function)));
    claims.extend(functions.iter().filter_map(|function| writer.idempotent(function)));
    claims.extend(functions.iter().filter_map(|function| writer.commutative(function)));
    let mut others: Vec<&Function> = functions.iter().collect();
    others.sort_by_key(|function| std::cmp::Reverse(promise(function)));
    claims.extend(others.into_iter().filter_map(|function| writer.no_panic(function)));
    claims
}

/// How likely it is that something is wrong with a function.
fn promise(function: &Function) -> usize {
    let takes = |code: &str| {
        function.parameters.iter().filter(|(_, taken)| taken.value.code.contains(code)).count()
    };
    let reads = if pairs::reads(function.name()) { 4 } else { 0 };
    let gives = if function.gives == Gives::Nothing { 0 } else { 2 };
    let numbers = function.parameters.iter().filter(|(_, taken)| taken.value.is_copy).count();
    reads + gives + 3 * takes("String").min(1) + 2 * takes("Vec<").min(1) + numbers.min(2)
}

/// Writes code that calls functions of a crate.
struct Writer<'a> {
    root: &'a str,
}

/// A value that a property has drawn.
struct Drawn<'a> {
    name: &'a str,
    taken: &'a Taken,
}

impl Drawn<'_> {
    /// Whether it is drawn as a `&str`.
    fn is_str(&self) -> bool {
        self.taken.passed == Passed::Shared && self.taken.value.code == "String"
    }

    fn parameter(&self) -> String {
        let of = if self.is_str() { "&str" } else { &self.taken.value.code };
        let mutable = if self.taken.passed == Passed::Exclusive { "mut " } else { "" };
        format!("{mutable}{}: {of}", self.name)
    }

    /// As an argument, after which it is still there.
    fn lent(&self) -> String {
        match self.taken.passed {
            Passed::Shared if self.is_str() => self.name.to_owned(),
            Passed::Shared => format!("&{}", self.name),
            Passed::Exclusive => format!("&mut {}", self.name),
            Passed::Owned if self.taken.value.is_copy => self.name.to_owned(),
            Passed::Owned => format!("{}.clone()", self.name),
        }
    }

    /// As an argument, after which nobody needs it.
    fn passed(&self) -> String {
        match self.taken.passed {
            Passed::Owned => self.name.to_owned(),
            _ => self.lent(),
        }
    }

    fn owned(&self) -> String {
        if self.is_str() { format!("{}.to_owned()", self.name) } else { self.name.to_owned() }
    }
}

/// A value of which a function gave one, as the argument of another.
fn handed(name: &str, given: &Taken, wanted: Passed, is_last: bool) -> Option<String> {
    Some(match (given.passed, wanted) {
        (Passed::Owned, Passed::Shared) => format!("&{name}"),
        (Passed::Owned, Passed::Owned) if is_last || given.value.is_copy => name.to_owned(),
        (Passed::Owned, Passed::Owned) => format!("{name}.clone()"),
        (Passed::Shared, Passed::Shared) => name.to_owned(),
        _ => return None,
    })
}

impl Gives {
    fn taken(&self) -> Option<&Taken> {
        match self {
            Gives::Nothing => None,
            Gives::Plain(taken) | Gives::Result(taken) | Gives::Option(taken) => Some(taken),
        }
    }
}

/// The only parameter, if it is drawn and can be compared.
fn only(function: &Function) -> Option<Drawn<'_>> {
    let [(name, taken)] = function.parameters.as_slice() else { return None };
    (taken.value.is_drawn && taken.value.compares).then_some(Drawn { name, taken })
}

/// Another name, if this one is taken.
fn other_than(name: &str, wanted: &str) -> String {
    if name == wanted { format!("its_{wanted}") } else { wanted.to_owned() }
}

impl Writer<'_> {
    fn path(&self, path: &[String]) -> String {
        format!("{}::{}", self.root, path.join("::"))
    }

    /// `decode(encode(value)) == value`.
    fn round_trip(&self, there: &Function, back: &Function) -> Option<Claim> {
        let drawn = only(there)?;
        let [(_, wanted)] = back.parameters.as_slice() else { return None };
        let (given, returned) = (there.gives.taken()?, back.gives.taken()?);
        if given.value.code != wanted.value.code || returned.value.code != drawn.taken.value.code {
            return None;
        }
        let other = other_than(drawn.name, "other");
        let argument = handed(&other, given, wanted.passed, true)?;
        let [first, second] = [there, back].map(|function| self.path(&function.path));
        let call = format!("{second}({argument})");
        let compared = match &back.gives {
            Gives::Result(_) => {
                format!("assert_eq!({call}.ok(), Some({}));", some(&drawn, returned))
            }
            Gives::Option(_) => format!("assert_eq!({call}, Some({}));", some(&drawn, returned)),
            _ => format!("assert_eq!({call}, {});", drawn.name),
        };
        let made = format!("{first}({})", drawn.lent());
        let body = match &there.gives {
            Gives::Result(_) => {
                format!("    if let Ok({other}) = {made} {{\n        {compared}\n    }}\n")
            }
            Gives::Option(_) => {
                format!("    if let Some({other}) = {made} {{\n        {compared}\n    }}\n")
            }
            _ => format!("    let {other} = {made};\n    {compared}\n"),
        };
        let name = format!("{}_undoes_{}", back.name(), there.name());
        let about = format!("`{second}` undoes `{first}`");
        Some(claim(&name, &first, &about, &drawn.parameter(), &body))
    }

    /// `value.to_string().parse() == value`.
    fn printed(&self, printed: &Printed) -> Option<Claim> {
        let path = self.path(&printed.path);
        let name = snake(printed.path.last()?);
        let same = if printed.compares {
            format!("assert_eq!({name}.to_string().parse::<{path}>().ok(), Some({name}));\n")
        } else {
            format!(
                "let printed = {name}.to_string();\nlet again = printed.parse::<{path}>()\
                 .map(|again| again.to_string());\nassert_eq!(again.ok(), Some(printed));\n"
            )
        };
        let (parameters, body) = match &printed.fields {
            Some(fields) if !fields.is_empty() => {
                let names: Vec<&str> = fields.iter().map(|(field, _)| field.as_str()).collect();
                let made = format!("let {name} = {path} {{ {} }};", names.join(", "));
                (parameters(fields), indented(&format!("{made}\n{same}")))
            }
            _ => {
                let head =
                    "    // A generator of your own, `#[from(..)]`, draws more that can be read.\n";
                let body = format!(
                    "{head}    if let Ok({name}) = text.parse::<{path}>() {{\n{}    }}\n",
                    indented(&indented(&same))
                );
                ("text: &str".to_owned(), body)
            }
        };
        let test = format!("a_{name}_is_read_as_it_is_printed");
        let about = format!("a `{path}` that is printed is read as the same");
        Some(claim(&test, &path, &about, &parameters, &body))
    }

    /// As the standard library sorts.
    fn sorts(&self, function: &Function) -> Option<Claim> {
        let drawn = only(function)?;
        let code = &drawn.taken.value.code;
        if !pairs::sorts(function.name()) || !code.starts_with("Vec<") || code.contains("Hash") {
            return None;
        }
        let path = self.path(&function.path);
        let name = drawn.name;
        let expected = other_than(name, "expected");
        let sorted = other_than(name, "sorted");
        let head = format!("    let mut {expected} = {name}.clone();\n    {expected}.sort();\n");
        let body = match (drawn.taken.passed, &function.gives) {
            (Passed::Exclusive, Gives::Nothing) => {
                format!("{head}    {path}(&mut {name});\n    assert_eq!({name}, {expected});\n")
            }
            (_, Gives::Plain(given)) if given.value.code == *code => format!(
                "{head}    let {sorted} = {path}({});\n    assert_eq!({sorted}, {expected});\n",
                drawn.passed()
            ),
            _ => return None,
        };
        let test = format!("{}_sorts_as_the_standard_library_does", function.name());
        let about = format!("`{path}` sorts as the standard library does");
        Some(claim(&test, &path, &about, &drawn.parameter(), &body))
    }

    /// `f(f(value)) == value`.
    fn involution(&self, function: &Function) -> Option<Claim> {
        if !pairs::is_involution(function.name()) {
            return None;
        }
        let path = self.path(&function.path);
        let test = format!("{}_undoes_itself", function.name());
        let about = format!("`{path}` undoes itself");
        self.twice(function, "value", &test, &about)
    }

    /// `f(f(value)) == f(value)`.
    fn idempotent(&self, function: &Function) -> Option<Claim> {
        if !pairs::is_idempotent(function.name()) {
            return None;
        }
        let path = self.path(&function.path);
        let test = format!("{}_twice_is_{}_once", function.name(), function.name());
        let about = format!("to call `{path}` twice is to call it once");
        self.twice(function, "once", &test, &about)
    }

    /// Calls a function on what it gave, and compares with that or with the first value.
    fn twice(&self, function: &Function, with: &str, test: &str, about: &str) -> Option<Claim> {
        let drawn = only(function)?;
        let path = self.path(&function.path);
        let (name, once) = (drawn.name, other_than(drawn.name, "once"));
        let is_once = with == "once";
        let body = match (drawn.taken.passed, &function.gives) {
            (Passed::Exclusive, Gives::Nothing) => {
                let kept = if is_once { &once } else { "before" };
                let keep = format!("    let {kept} = {name}.clone();\n");
                let call = format!("    {path}(&mut {name});\n");
                let calls = if is_once {
                    format!("{call}{keep}{call}")
                } else {
                    format!("{keep}{call}{call}")
                };
                format!("{calls}    assert_eq!({name}, {kept});\n")
            }
            (_, Gives::Plain(given)) if given.value == drawn.taken.value => {
                let argument = handed(&once, given, drawn.taken.passed, !is_once)?;
                let kept = if is_once { &once } else { name };
                let first = if is_once { drawn.passed() } else { drawn.lent() };
                format!(
                    "    let {once} = {path}({first});\n    assert_eq!({path}({argument}), {kept});\n"
                )
            }
            _ => return None,
        };
        Some(claim(test, &path, about, &drawn.parameter(), &body))
    }

    /// `f(a, b) == f(b, a)`.
    fn commutative(&self, function: &Function) -> Option<Claim> {
        let [(a, first), (b, second)] = function.parameters.as_slice() else { return None };
        let is_same = first == second && first.passed != Passed::Exclusive && first.value.is_drawn;
        let compares = |value: &Value| value.compares;
        let gives = matches!(&function.gives, Gives::Plain(given) if compares(&given.value));
        if !is_same || !gives || !pairs::is_commutative(function.name()) {
            return None;
        }
        let path = self.path(&function.path);
        let (one, other) = (Drawn { name: a, taken: first }, Drawn { name: b, taken: second });
        let body = format!(
            "    assert_eq!({path}({}, {}), {path}({}, {}));\n",
            one.lent(),
            other.lent(),
            other.passed(),
            one.passed()
        );
        let test = format!("{}_does_not_mind_the_order", function.name());
        let about = format!("`{path}` does not mind the order of its arguments");
        Some(claim(&test, &path, &about, &parameters(&function.parameters), &body))
    }

    /// `f(value)` comes back.
    fn no_panic(&self, function: &Function) -> Option<Claim> {
        let all = &function.parameters;
        let is_drawn = all.iter().all(|(_, taken)| taken.value.is_drawn);
        if all.is_empty() || !is_drawn || function.says_it_panics {
            return None;
        }
        let path = self.path(&function.path);
        let arguments: Vec<String> =
            all.iter().map(|(name, taken)| Drawn { name, taken }.passed()).collect();
        let call = format!("{path}({})", arguments.join(", "));
        let body = match &function.gives {
            Gives::Nothing => format!("    {call};\n"),
            _ => format!("    let _ = {call};\n"),
        };
        let test = format!("{}_does_not_panic", function.name());
        let about = format!("`{path}` does not panic");
        Some(claim(&test, &path, &about, &parameters(all), &body))
    }
}

/// What stands in `Some` for a drawn value to be compared with.
fn some(drawn: &Drawn<'_>, returned: &Taken) -> String {
    match returned.passed {
        Passed::Owned => drawn.owned(),
        _ if drawn.is_str() => drawn.name.to_owned(),
        _ => format!("{}.as_ref()", drawn.name),
    }
}

fn parameters(all: &[(String, Taken)]) -> String {
    let written: Vec<String> =
        all.iter().map(|(name, taken)| Drawn { name, taken }.parameter()).collect();
    written.join(", ")
}

/// `HttpVersion` as `http_version`.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    for character in name.chars() {
        if character.is_uppercase() && !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.extend(character.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::*;
    use expect_test::{Expect, expect};

    #[expect(clippy::needless_pass_by_value, reason = "reads better at the calls")]
    fn check(text: &str, expected: Expect) {
        let claims = claims(&find::of_text(text), "demo");
        let first = claims.first().map(|claim| format!("{}\n{}", claim.about, claim.code));
        expected.assert_eq(&first.unwrap_or_default());
    }

    #[test]
    fn a_new_crate_has_a_function_that_adds() {
        check(
            "pub fn add(left: u64, right: u64) -> u64 { left + right }",
            expect![[r#"
                `demo::add` does not mind the order of its arguments
                #[rebut::test]
                fn add_does_not_mind_the_order(left: u64, right: u64) {
                    assert_eq!(demo::add(left, right), demo::add(right, left));
                }
            "#]],
        );
    }

    #[test]
    fn what_is_encoded_is_decoded() {
        let decode = "pub fn decode(code: &str) -> Result<Vec<u8>, Error> { f() }";
        check(
            &format!(
                "pub fn encode(bytes: &[u8]) -> String {{ f() }} {decode} pub fn max(a: u8, b: u8) -> u8 {{ a }}"
            ),
            expect![[r#"
                `demo::decode` undoes `demo::encode`
                #[rebut::test]
                fn decode_undoes_encode(bytes: Vec<u8>) {
                    let other = demo::encode(&bytes);
                    assert_eq!(demo::decode(&other).ok(), Some(bytes));
                }
            "#]],
        );
        check(
            "pub mod text { pub fn to_roman(n: u16) -> Option<String> { f() } pub fn from_roman(text: &str) -> Option<u16> { f() } }",
            expect![[r#"
                `demo::text::from_roman` undoes `demo::text::to_roman`
                #[rebut::test]
                fn from_roman_undoes_to_roman(n: u16) {
                    if let Some(other) = demo::text::to_roman(n) {
                        assert_eq!(demo::text::from_roman(&other), Some(n));
                    }
                }
            "#]],
        );
        check(
            "pub fn escape(text: &str) -> String { f() } pub fn unescape(text: &str) -> String { f() }",
            expect![[r#"
                `demo::unescape` undoes `demo::escape`
                #[rebut::test]
                fn unescape_undoes_escape(text: &str) {
                    let other = demo::escape(text);
                    assert_eq!(demo::unescape(&other), text);
                }
            "#]],
        );
    }

    #[test]
    fn what_is_printed_is_read() {
        let traits = "impl FromStr for HexColor {} impl Display for HexColor {}";
        check(
            &format!(
                "#[derive(Debug, PartialEq)] pub struct HexColor {{ pub red: u8, pub green: u8 }} {traits}"
            ),
            expect![[r#"
                a `demo::HexColor` that is printed is read as the same
                #[rebut::test]
                fn a_hex_color_is_read_as_it_is_printed(red: u8, green: u8) {
                    let hex_color = demo::HexColor { red, green };
                    assert_eq!(hex_color.to_string().parse::<demo::HexColor>().ok(), Some(hex_color));
                }
            "#]],
        );
        check(
            &format!("pub struct HexColor {{ red: u8 }} {traits}"),
            expect![[r#"
                a `demo::HexColor` that is printed is read as the same
                #[rebut::test]
                fn a_hex_color_is_read_as_it_is_printed(text: &str) {
                    // A generator of your own, `#[from(..)]`, draws more that can be read.
                    if let Ok(hex_color) = text.parse::<demo::HexColor>() {
                        let printed = hex_color.to_string();
                        let again = printed.parse::<demo::HexColor>().map(|again| again.to_string());
                        assert_eq!(again.ok(), Some(printed));
                    }
                }
            "#]],
        );
    }

    #[test]
    fn sorting_is_compared_and_what_is_clean_stays_so() {
        check(
            "pub fn bubble_sort<T: Ord>(items: &mut [T]) { f() }",
            expect![[r#"
            `demo::bubble_sort` sorts as the standard library does
            #[rebut::test]
            fn bubble_sort_sorts_as_the_standard_library_does(mut items: Vec<u8>) {
                let mut expected = items.clone();
                expected.sort();
                demo::bubble_sort(&mut items);
                assert_eq!(items, expected);
            }
        "#]],
        );
        check(
            "pub fn sort_by_length(items: &mut Vec<String>) { f() }",
            expect![[r#"
            to call `demo::sort_by_length` twice is to call it once
            #[rebut::test]
            fn sort_by_length_twice_is_sort_by_length_once(mut items: Vec<String>) {
                demo::sort_by_length(&mut items);
                let once = items.clone();
                demo::sort_by_length(&mut items);
                assert_eq!(items, once);
            }
        "#]],
        );
        check(
            "pub fn sorted(items: Vec<i32>) -> Vec<i32> { f() }",
            expect![[r#"
            `demo::sorted` sorts as the standard library does
            #[rebut::test]
            fn sorted_sorts_as_the_standard_library_does(items: Vec<i32>) {
                let mut expected = items.clone();
                expected.sort();
                let sorted = demo::sorted(items);
                assert_eq!(sorted, expected);
            }
        "#]],
        );
        check(
            "pub fn trim(text: &str) -> &str { text }",
            expect![[r#"
            to call `demo::trim` twice is to call it once
            #[rebut::test]
            fn trim_twice_is_trim_once(text: &str) {
                let once = demo::trim(text);
                assert_eq!(demo::trim(once), once);
            }
        "#]],
        );
        check(
            "pub fn reversed(text: &str) -> String { f() }",
            expect![[r#"
            `demo::reversed` undoes itself
            #[rebut::test]
            fn reversed_undoes_itself(text: &str) {
                let once = demo::reversed(text);
                assert_eq!(demo::reversed(&once), text);
            }
        "#]],
        );
    }

    #[test]
    fn of_others_it_is_claimed_that_they_do_not_panic() {
        check(
            "/// # Panics\n/// Often.\npub fn parse(text: &str) -> u8 { 0 } pub fn put(n: u8) { f() } pub fn cut(text: &str, list: &mut Vec<u8>, share: f64) -> u8 { 0 }",
            expect![[r#"
                `demo::cut` does not panic
                #[rebut::test]
                fn cut_does_not_panic(text: &str, mut list: Vec<u8>, share: f64) {
                    let _ = demo::cut(text, &mut list, share);
                }
            "#]],
        );
        check("pub fn nothing() {} pub fn odd(token: Token) {}", expect![""]);
    }

    #[test]
    fn floats_are_not_compared() {
        check(
            "pub fn add(a: f64, b: f64) -> f64 { a + b }",
            expect![[r#"
            `demo::add` does not panic
            #[rebut::test]
            fn add_does_not_panic(a: f64, b: f64) {
                let _ = demo::add(a, b);
            }
        "#]],
        );
    }
}
