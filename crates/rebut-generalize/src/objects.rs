//! Objects that tests make: which types implement which traits, and which mocks these have.
//!
//! An object that a test makes only to lend or give it away as a `dyn Trait`, or where any
//! implementor will do, says by its type what it answers. A mock says nothing of that, so a test
//! that passes with a mock passes whatever the component answers. Which objects these are is
//! found by the names of types and traits; whether one can be a mock, the compiler decides.

use std::collections::HashMap;
use std::path::Path;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Attribute, Expr, Item, ItemTrait, Meta, Token, TraitItem, Type};

use super::sites::Site;
use super::subject::Part;

/// An object that a test makes of nothing but literals.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Object {
    pub(super) site: Site,
    /// The trait that it implements.
    pub(super) of: Mocked,
}

/// A trait that has a mock, or could have one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mocked {
    /// The trait.
    pub(super) name: String,
    /// What its mock is called.
    pub(super) mock: String,
    /// The modules of the crate that it is in.
    modules: Vec<String>,
    /// Whether it is in the library, and not in a file of tests.
    is_in_library: bool,
    /// Whether it has a mock.
    pub(super) has_mock: bool,
    /// Why it can have none.
    pub(super) refused: Option<String>,
    /// The methods that have no body, without the semicolon; none if there is more to tell.
    methods: Option<Vec<String>>,
}

impl Mocked {
    /// The paths by which a test may know the mock, those that read best first.
    pub(super) fn paths(&self, text: &str, library: Option<&str>, is_inside: bool) -> Vec<String> {
        let mut paths = vec![self.mock.clone()];
        paths.extend(beside(text, &self.name).map(|beside| format!("{beside}::{}", self.mock)));
        paths.push(format!("{}::{}", self.home(library, is_inside), self.mock));
        paths
    }

    /// The module that it is in.
    fn home(&self, library: Option<&str>, is_inside: bool) -> String {
        let root = match (self.is_in_library && !is_inside, library) {
            (true, Some(library)) => library,
            _ => "crate",
        };
        let modules = self.modules.iter().map(String::as_str);
        [root].into_iter().chain(modules).collect::<Vec<_>>().join("::")
    }

    /// An item that describes it, for a mock of it in another file.
    pub(super) fn description(
        &self,
        rebut: &str,
        library: Option<&str>,
        is_inside: bool,
    ) -> Option<Described> {
        let setting = match rebut {
            "rebut" => String::new(),
            other => format!(", crate = ::{other}"),
        };
        let (home, name) = (self.home(library, is_inside), &self.name);
        let attribute = format!("#[{rebut}::mock(of = {home}::{name}{setting})]");
        let head = format!("trait {name} {{");
        let methods = self.methods.clone()?;
        Some(Described { attribute, head, methods })
    }
}

/// An item that describes a trait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Described {
    attribute: String,
    head: String,
    methods: Vec<String>,
}

impl Described {
    /// In one line.
    pub(super) fn line(&self) -> String {
        let methods: String = self.methods.iter().map(|method| format!("{method}; ")).collect();
        format!("{} {} {methods}}}", self.attribute, self.head)
    }

    /// In lines of their own, behind an empty one.
    pub(super) fn lines(&self, indent: &str) -> String {
        let methods: String =
            self.methods.iter().map(|method| format!("{indent}    {method};\n")).collect();
        let Described { attribute, head, .. } = self;
        format!("\n\n{indent}{attribute}\n{indent}{head}\n{methods}{indent}}}")
    }
}

/// The methods of a trait that a description of it has to have; none if that is not all.
fn methods(item: &ItemTrait, text: &str) -> Option<Vec<String>> {
    let mut found = Vec::new();
    for inside in &item.items {
        match inside {
            TraitItem::Fn(method) if method.default.is_none() => {
                let code = text.get(method.sig.span().byte_range())?;
                found.push(code.split_whitespace().collect::<Vec<_>>().join(" "));
            }
            TraitItem::Fn(_) => {}
            _ => return None,
        }
    }
    item.generics.params.is_empty().then_some(found)
}

/// Where an item can be put in a module of a file: behind what it imports, or before all else.
pub(super) fn place(text: &str, modules: &[String]) -> Option<usize> {
    let file = syn::parse_file(text).ok()?;
    let (mut items, mut start) = (file.items, None);
    for name in modules {
        let inner = items.into_iter().find_map(|item| match item {
            Item::Mod(module) if module.ident == name => module.content,
            _ => None,
        });
        let (brace, content) = inner?;
        start = Some(brace.span.open().byte_range().end);
        items = content;
    }
    let imports = items.iter().filter(|item| matches!(item, Item::Use(_)));
    let behind = imports.map(|item| item.span().byte_range().end).max();
    behind.or(start).or_else(|| items.first().map(|item| item.span().byte_range().start))
}

/// The module that a file imports a name from.
fn beside(text: &str, name: &str) -> Option<String> {
    let file = syn::parse_file(text).ok()?;
    let mut found = None;
    each_item(&file.items, &mut |item| {
        if let Item::Use(import) = item {
            found = found.take().or_else(|| imported(&import.tree, name));
        }
    });
    found.filter(|module| !module.is_empty())
}

fn imported(tree: &syn::UseTree, name: &str) -> Option<String> {
    match tree {
        syn::UseTree::Path(path) => {
            let inner = imported(&path.tree, name)?;
            let is_last = inner.is_empty();
            Some(if is_last { path.ident.to_string() } else { format!("{}::{inner}", path.ident) })
        }
        syn::UseTree::Name(last) => (last.ident == name).then(String::new),
        syn::UseTree::Group(group) => group.items.iter().find_map(|tree| imported(tree, name)),
        syn::UseTree::Rename(_) | syn::UseTree::Glob(_) => None,
    }
}

fn each_item(items: &[Item], visit: &mut dyn FnMut(&Item)) {
    for item in items {
        visit(item);
        if let Item::Mod(module) = item {
            module.content.iter().for_each(|(_, items)| each_item(items, visit));
        }
    }
}

/// The traits of a package, and what implements them.
#[derive(Clone, Debug, Default)]
pub(super) struct Implementors {
    traits: HashMap<String, Mocked>,
    /// The traits of each type.
    implemented: HashMap<String, Vec<String>>,
}

impl Implementors {
    /// Adds those of a file. `place` is its path from the sources of a library; none for a file
    /// of tests.
    pub(super) fn add(&mut self, items: &[Item], text: &str, place: Option<&Path>) {
        let modules = place.map(modules).unwrap_or_default();
        self.add_items(items, text, &modules, place.is_some());
    }

    fn add_items(&mut self, items: &[Item], text: &str, modules: &[String], is_in_library: bool) {
        for item in items {
            match item {
                Item::Trait(item) => {
                    let (name, mock) = named(item);
                    let of = Mocked {
                        name: name.clone(),
                        mock: mock.clone().unwrap_or_else(|| format!("Mock{name}")),
                        modules: modules.to_vec(),
                        is_in_library,
                        has_mock: mock.is_some(),
                        refused: None,
                        methods: methods(item, text),
                    };
                    // A mock may be described apart from its trait.
                    let is_known = self.traits.get(&name).is_some_and(|known| known.has_mock);
                    if !is_known {
                        self.traits.insert(name, of);
                    }
                }
                Item::Impl(block) => {
                    let implemented = block.trait_.as_ref();
                    let of = implemented.and_then(|(path, _)| path.segments.last());
                    if let (Some(of), Some(name)) = (of, last_of(&block.self_ty)) {
                        self.implemented.entry(name).or_default().push(of.ident.to_string());
                    }
                }
                Item::Mod(module) => {
                    let Some((_, items)) = &module.content else { continue };
                    let inner = [modules, &[module.ident.to_string()]].concat();
                    self.add_items(items, text, &inner, is_in_library);
                }
                _ => {}
            }
        }
    }

    /// The trait that an expression makes an implementor of, as far as its words say; one with a
    /// mock if there are several.
    pub(super) fn made_by(&self, expr: &Expr) -> Option<&Mocked> {
        let traits = self.implemented.get(&made(expr)?)?;
        let known = traits.iter().filter_map(|name| self.traits.get(name));
        known.max_by_key(|of| of.has_mock)
    }

    /// Says that a trait has a mock now.
    pub(super) fn give_mock(&mut self, name: &str) {
        if let Some(of) = self.traits.get_mut(name) {
            of.has_mock = true;
        }
    }

    /// Says why a trait can have none.
    pub(super) fn refuse_mock(&mut self, name: &str, why: &str) {
        if let Some(of) = self.traits.get_mut(name) {
            of.refused = Some(why.to_owned());
        }
    }
}

/// The modules of a file.
fn modules(place: &Path) -> Vec<String> {
    let parts = place.with_extension("");
    let mut parts: Vec<String> =
        parts.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let is_root = parts.len() == 1 && matches!(parts[0].as_str(), "lib" | "main");
    if is_root || parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    parts
}

/// The trait that an item is about, and what its mock is called, if it has one.
fn named(item: &ItemTrait) -> (String, Option<String>) {
    let own = item.ident.to_string();
    let Some(settings) = item.attrs.iter().find_map(settings) else { return (own, None) };
    let told = |key: &str| {
        let mut pairs = settings.iter().filter_map(|meta| match meta {
            Meta::NameValue(pair) if pair.path.is_ident(key) => Some(&pair.value),
            _ => None,
        });
        match pairs.next()? {
            Expr::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        }
    };
    let mock = told("name").unwrap_or_else(|| format!("Mock{own}"));
    (told("of").unwrap_or(own), Some(mock))
}

/// What stands in the parentheses of `#[rebut::mock(..)]`, which may be in a `cfg_attr`.
fn settings(attribute: &Attribute) -> Option<Vec<Meta>> {
    settings_of(&attribute.meta)
}

fn settings_of(meta: &Meta) -> Option<Vec<Meta>> {
    let list = |meta: &Meta| match meta {
        Meta::List(list) => {
            let parsed = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
            parsed.map(|all| all.into_iter().collect()).unwrap_or_default()
        }
        _ => Vec::<Meta>::new(),
    };
    let path = meta.path();
    if path.is_ident("cfg_attr") {
        return list(meta).iter().skip(1).find_map(settings_of);
    }
    let is_mock = path.segments.len() == 2 && path.segments.last()?.ident == "mock";
    is_mock.then(|| list(meta))
}

/// The type that an expression makes a value of, as far as its words say: `Flat`, `Flat(3)`,
/// `Flat::new(3)` and `Flat { fee: 3 }` make a `Flat`.
fn made(expr: &Expr) -> Option<String> {
    let path = match expr {
        Expr::Struct(made) => &made.path,
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => &path.path,
            _ => return None,
        },
        Expr::Path(path) => &path.path,
        _ => return None,
    };
    let mut names = path.segments.iter().rev().map(|segment| segment.ident.to_string());
    names.by_ref().take(2).find(|name| name.starts_with(char::is_uppercase))
}

fn last_of(of: &Type) -> Option<String> {
    match of {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    }
}

/// Where the first words of a trait are in a text, from behind its attributes to its name; and
/// where it ends.
pub(super) fn head(text: &str, name: &str) -> Option<(Part, usize)> {
    let file = syn::parse_file(text).ok()?;
    let mut found = None;
    each_item(&file.items, &mut |item| {
        if let Item::Trait(item) = item
            && item.ident == name
        {
            let ends = item.attrs.iter().map(|attribute| attribute.span().byte_range().end);
            let behind = ends.max().unwrap_or_else(|| item.span().byte_range().start);
            let blank = text[behind..].len() - text[behind..].trim_start().len();
            let words = behind + blank..item.ident.span().byte_range().end;
            found = Some((words, item.span().byte_range().end));
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(text: &str, place: Option<&str>) -> Implementors {
        let file = syn::parse_file(text).expect("it parses");
        let mut known = Implementors::default();
        known.add(&file.items, text, place.map(Path::new));
        known
    }

    const TEXT: &str = "
        #[rebut::mock] pub trait Tariff { fn fee(&self) -> u8; }
        #[cfg_attr(test, rebut::mock(name = FakeClock, pure))] trait Clock {}
        #[rebut::mock(of = std::io::Read)] trait Reading {}
        trait Plain {}
        mod inner { impl super::Tariff for Flat {} impl std::io::Read for Empty {} }
        impl Clock for Fixed {} impl Plain for Fixed {} impl Plain for Other {} impl Debug for Odd {}
    ";

    #[test]
    fn objects_are_known_by_what_makes_them() {
        let known = known(TEXT, None);
        for (code, expected) in [
            ("Flat", Some(("Tariff", "MockTariff", true))),
            ("Flat(3)", Some(("Tariff", "MockTariff", true))),
            ("inner::Flat::new(3)", Some(("Tariff", "MockTariff", true))),
            ("Fixed { at: 5 }", Some(("Clock", "FakeClock", true))),
            ("Empty::default()", Some(("Read", "MockReading", true))),
            ("Other", Some(("Plain", "MockPlain", false))),
            ("Odd", None),
            ("flat(3)", None),
            ("list.len()", None),
        ] {
            let expr: Expr = syn::parse_str(code).expect("an expression");
            let of = known.made_by(&expr);
            let told = of.map(|of| (of.name.as_str(), of.mock.as_str(), of.has_mock));
            assert_eq!(told, expected, "{code}");
        }
    }

    #[test]
    fn a_mock_is_looked_for_where_its_trait_is() {
        let paths = |place: Option<&str>, text: &str, is_inside: bool| {
            let known = known("mod deep { trait Clock {} } impl Clock for Fixed {}", place);
            let expr: Expr = syn::parse_str("Fixed").expect("an expression");
            known.made_by(&expr).expect("a trait").paths(text, Some("demo"), is_inside)
        };
        let text = "use demo::{time::Clock, Other};";
        assert_eq!(
            paths(Some("time/mod.rs"), text, false),
            ["MockClock", "demo::time::MockClock", "demo::time::deep::MockClock"]
        );
        assert_eq!(paths(Some("lib.rs"), "", true), ["MockClock", "crate::deep::MockClock"]);
        assert_eq!(paths(None, "", false), ["MockClock", "crate::deep::MockClock"]);
    }

    #[test]
    fn the_head_of_a_trait_is_behind_its_attributes() {
        let text = "/// Tells.\n#[must_use]\npub trait Clock {}\ntrait Other {}";
        let (head, end) = head(text, "Clock").expect("a trait");
        assert_eq!(&text[head.clone()], "pub trait Clock");
        assert_eq!(&text[head.end..end], " {}");
    }

    #[test]
    fn a_trait_of_another_file_is_described() {
        let text = "trait Clock { fn now(&self)\n -> u8; fn later(&self) -> u8 { 1 } }
            trait Odd { type Item; } impl Clock for Fixed {} impl Odd for Strange {}";
        let known = known(text, Some("time.rs"));
        let described = |code: &str, is_inside: bool| {
            let expr: Expr = syn::parse_str(code).expect("an expression");
            let of = known.made_by(&expr).expect("a trait");
            of.description("rebut", Some("demo"), is_inside)
        };
        let clock = described("Fixed", false).expect("a description");
        let head = "#[rebut::mock(of = demo::time::Clock)]";
        assert_eq!(clock.line(), format!("{head} trait Clock {{ fn now(&self) -> u8; }}"));
        assert!(clock.lines("  ").contains("\n      fn now(&self) -> u8;\n  }"));
        assert!(described("Fixed", true).expect("one").line().contains("crate::time::Clock"));
        assert_eq!(described("Strange", false), None);
    }

    #[test]
    fn items_are_put_behind_imports() {
        let tests = ["tests".to_owned()];
        let behind = |text: &str, modules: &[String]| {
            place(text, modules).map(|at| text[at..].trim_start().to_owned())
        };
        let text = "use a::b; fn f() {} mod tests { use super::*; fn g() {} }";
        assert_eq!(behind(text, &tests).as_deref(), Some("fn g() {} }"));
        assert!(behind(text, &[]).is_some_and(|text| text.starts_with("fn f()")));
        assert_eq!(behind("mod tests { fn g() {} }", &tests).as_deref(), Some("fn g() {} }"));
        assert_eq!(behind("//! Doc.\nfn f() {}", &[]).as_deref(), Some("fn f() {}"));
        assert_eq!(behind(text, &["other".to_owned()]), None);
    }
}
