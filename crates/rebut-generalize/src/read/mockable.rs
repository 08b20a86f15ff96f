//! Finds objects of a test that a mock could replace.
//!
//! A test may create an object only to pass it on as an implementor of a trait. The type of the
//! object determines its answers. A mock answers anything, so a test that passes with a mock
//! passes whatever the component answers. Candidates are found by the names of types and traits;
//! the compiler decides whether a mock fits.

use std::collections::HashMap;
use std::path::Path;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Attribute, Expr, Item, ItemTrait, Meta, Token, TraitItem, Type};

use crate::package::edit::TextRange;
use crate::read::literals::ValueSite;

/// An object that a test creates from literals alone.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MockableObject {
    pub(crate) site: ValueSite,
    /// The trait that it implements.
    pub(crate) implements: MockableTrait,
}

/// A trait that has a mock, or could have one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MockableTrait {
    /// The name of the trait.
    pub(crate) name: String,
    /// The name of its mock.
    pub(crate) mock: String,
    /// Its modules within the crate.
    modules: Vec<String>,
    /// Whether it is in the library, and not in a file of tests.
    is_in_library: bool,
    /// Whether it has a mock.
    pub(crate) has_mock: bool,
    /// Why it cannot have a mock: the message of the compiler.
    pub(crate) mock_error: Option<String>,
    /// The signatures of methods without a body. `None` if the trait has other required items or
    /// generic parameters.
    methods: Option<Vec<String>>,
}

impl MockableTrait {
    /// Returns the paths by which a test may name the mock, the most readable first.
    pub(crate) fn mock_paths(
        &self,
        text: &str,
        library: Option<&str>,
        is_inside: bool,
    ) -> Vec<String> {
        let mut paths = vec![self.mock.clone()];
        let imported_from = module_of_import(text, &self.name);
        paths.extend(imported_from.map(|module| format!("{module}::{}", self.mock)));
        paths.push(format!("{}::{}", self.module(library, is_inside), self.mock));
        paths
    }

    /// Returns the path of its module.
    fn module(&self, library: Option<&str>, is_inside: bool) -> String {
        let root = match (self.is_in_library && !is_inside, library) {
            (true, Some(library)) => library,
            _ => "crate",
        };
        let modules = self.modules.iter().map(String::as_str);
        [root].into_iter().chain(modules).collect::<Vec<_>>().join("::")
    }

    /// Returns an item that describes it, to mock it in another file.
    pub(crate) fn description(
        &self,
        rebut: &str,
        library: Option<&str>,
        is_inside: bool,
    ) -> Option<TraitDescription> {
        let setting = match rebut {
            "rebut" => String::new(),
            other => format!(", crate = ::{other}"),
        };
        let (module, name) = (self.module(library, is_inside), &self.name);
        let attribute = format!("#[{rebut}::mock(of = {module}::{name}{setting})]");
        let head = format!("trait {name} {{");
        let methods = self.methods.clone()?;
        Some(TraitDescription { attribute, head, methods })
    }
}

/// An item that describes a trait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TraitDescription {
    attribute: String,
    head: String,
    methods: Vec<String>,
}

impl TraitDescription {
    /// Returns the item on one line.
    pub(crate) fn one_line(&self) -> String {
        let methods: String = self.methods.iter().map(|method| format!("{method}; ")).collect();
        format!("{} {} {methods}}}", self.attribute, self.head)
    }

    /// Returns the item on several lines, after an empty line.
    pub(crate) fn lines(&self, indent: &str) -> String {
        let methods: String =
            self.methods.iter().map(|method| format!("{indent}    {method};\n")).collect();
        let TraitDescription { attribute, head, .. } = self;
        format!("\n\n{indent}{attribute}\n{indent}{head}\n{methods}{indent}}}")
    }
}

/// Returns the signatures that a description of a trait needs. `None` if they are not enough.
fn required_methods(item: &ItemTrait, text: &str) -> Option<Vec<String>> {
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

/// Returns the position for a new item in a module of a file: after the imports, or else first.
pub(crate) fn position_for_item(text: &str, modules: &[String]) -> Option<usize> {
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
    let after_imports = imports.map(|item| item.span().byte_range().end).max();
    after_imports.or(start).or_else(|| items.first().map(|item| item.span().byte_range().start))
}

/// Returns the module that a file imports a name from.
fn module_of_import(text: &str, name: &str) -> Option<String> {
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

/// The traits of a package, and the types that implement them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Implementors {
    traits: HashMap<String, MockableTrait>,
    /// The traits that each type implements.
    implemented: HashMap<String, Vec<String>>,
}

impl Implementors {
    /// Adds the traits of a file. `library_path` is its path within the sources of the library;
    /// `None` for a file of tests.
    pub(crate) fn add(&mut self, items: &[Item], text: &str, library_path: Option<&Path>) {
        let modules = library_path.map(modules).unwrap_or_default();
        self.add_items(items, text, &modules, library_path.is_some());
    }

    fn add_items(&mut self, items: &[Item], text: &str, modules: &[String], is_in_library: bool) {
        for item in items {
            match item {
                Item::Trait(item) => {
                    let (name, mock) = trait_and_mock_names(item);
                    let mockable = MockableTrait {
                        name: name.clone(),
                        mock: mock.clone().unwrap_or_else(|| format!("Mock{name}")),
                        modules: modules.to_vec(),
                        is_in_library,
                        has_mock: mock.is_some(),
                        mock_error: None,
                        methods: required_methods(item, text),
                    };
                    // An item that describes a trait elsewhere may already have given it a mock.
                    let has_mock = self.traits.get(&name).is_some_and(|known| known.has_mock);
                    if !has_mock {
                        self.traits.insert(name, mockable);
                    }
                }
                Item::Impl(block) => {
                    let implemented = block.trait_.as_ref();
                    let last = implemented.and_then(|(path, _)| path.segments.last());
                    if let (Some(last), Some(name)) = (last, last_name(&block.self_ty)) {
                        self.implemented.entry(name).or_default().push(last.ident.to_string());
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

    /// Returns a trait that the object of an expression implements, judged by its names. Prefers a
    /// trait with a mock.
    pub(crate) fn trait_of_object(&self, expr: &Expr) -> Option<&MockableTrait> {
        let traits = self.implemented.get(&created_type(expr)?)?;
        let known = traits.iter().filter_map(|name| self.traits.get(name));
        known.max_by_key(|mockable| mockable.has_mock)
    }

    /// Records that a trait has a mock now.
    pub(crate) fn record_mock(&mut self, name: &str) {
        if let Some(mockable) = self.traits.get_mut(name) {
            mockable.has_mock = true;
        }
    }

    /// Records why a trait cannot have a mock.
    pub(crate) fn record_mock_error(&mut self, name: &str, message: &str) {
        if let Some(mockable) = self.traits.get_mut(name) {
            mockable.mock_error = Some(message.to_owned());
        }
    }
}

/// Returns the modules of a file of the library.
fn modules(library_path: &Path) -> Vec<String> {
    let path = library_path.with_extension("");
    let mut names: Vec<String> =
        path.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    let is_root = names.len() == 1 && matches!(names[0].as_str(), "lib" | "main");
    if is_root || names.last().is_some_and(|last| last == "mod") {
        names.pop();
    }
    names
}

/// Returns the name of the trait that an item declares or describes, and of its mock, if any.
fn trait_and_mock_names(item: &ItemTrait) -> (String, Option<String>) {
    let own = item.ident.to_string();
    let Some(settings) = item.attrs.iter().find_map(mock_settings) else { return (own, None) };
    let setting = |key: &str| {
        let mut pairs = settings.iter().filter_map(|meta| match meta {
            Meta::NameValue(pair) if pair.path.is_ident(key) => Some(&pair.value),
            _ => None,
        });
        match pairs.next()? {
            Expr::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        }
    };
    let mock = setting("name").unwrap_or_else(|| format!("Mock{own}"));
    (setting("of").unwrap_or(own), Some(mock))
}

/// Returns the arguments of `#[rebut::mock(..)]`, also inside a `cfg_attr`.
fn mock_settings(attribute: &Attribute) -> Option<Vec<Meta>> {
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

/// Returns the type of the object that an expression creates, judged by its names: `Flat`,
/// `Flat(3)`, `Flat::new(3)` and `Flat { fee: 3 }` create a `Flat`.
fn created_type(expr: &Expr) -> Option<String> {
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

fn last_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    }
}

/// Returns the range of a trait from after its attributes to its name, and the end of the trait.
pub(crate) fn trait_head(text: &str, name: &str) -> Option<(TextRange, usize)> {
    let file = syn::parse_file(text).ok()?;
    let mut found = None;
    each_item(&file.items, &mut |item| {
        if let Item::Trait(item) = item
            && item.ident == name
        {
            let ends = item.attrs.iter().map(|attribute| attribute.span().byte_range().end);
            let after = ends.max().unwrap_or_else(|| item.span().byte_range().start);
            let blank = text[after..].len() - text[after..].trim_start().len();
            let head = after + blank..item.ident.span().byte_range().end;
            found = Some((head, item.span().byte_range().end));
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn implementors(text: &str, library_path: Option<&str>) -> Implementors {
        let file = syn::parse_file(text).expect("it parses");
        let mut implementors = Implementors::default();
        implementors.add(&file.items, text, library_path.map(Path::new));
        implementors
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
    fn objects_are_recognized_by_the_expression_that_creates_them() {
        let implementors = implementors(TEXT, None);
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
            let found = implementors.trait_of_object(&expr);
            let found =
                found.map(|found| (found.name.as_str(), found.mock.as_str(), found.has_mock));
            assert_eq!(found, expected, "{code}");
        }
    }

    #[test]
    fn a_mock_is_named_by_the_module_of_its_trait() {
        let paths = |library_path: Option<&str>, text: &str, is_inside: bool| {
            let source = "mod deep { trait Clock {} } impl Clock for Fixed {}";
            let implementors = implementors(source, library_path);
            let expr: Expr = syn::parse_str("Fixed").expect("an expression");
            let found = implementors.trait_of_object(&expr).expect("a trait");
            found.mock_paths(text, Some("demo"), is_inside)
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
    fn the_head_of_a_trait_begins_after_its_attributes() {
        let text = "/// Time.\n#[must_use]\npub trait Clock {}\ntrait Other {}";
        let (head, end) = trait_head(text, "Clock").expect("a trait");
        assert_eq!(&text[head.clone()], "pub trait Clock");
        assert_eq!(&text[head.end..end], " {}");
    }

    #[test]
    fn a_trait_of_another_file_is_described() {
        let text = "trait Clock { fn now(&self)\n -> u8; fn later(&self) -> u8 { 1 } }
            trait Odd { type Item; } impl Clock for Fixed {} impl Odd for Strange {}";
        let implementors = implementors(text, Some("time.rs"));
        let described = |code: &str, is_inside: bool| {
            let expr: Expr = syn::parse_str(code).expect("an expression");
            let found = implementors.trait_of_object(&expr).expect("a trait");
            found.description("rebut", Some("demo"), is_inside)
        };
        let clock = described("Fixed", false).expect("a description");
        let head = "#[rebut::mock(of = demo::time::Clock)]";
        assert_eq!(clock.one_line(), format!("{head} trait Clock {{ fn now(&self) -> u8; }}"));
        assert!(clock.lines("  ").contains("\n      fn now(&self) -> u8;\n  }"));
        assert!(described("Fixed", true).expect("one").one_line().contains("crate::time::Clock"));
        assert_eq!(described("Strange", false), None);
    }

    #[test]
    fn items_are_inserted_after_imports() {
        let tests = ["tests".to_owned()];
        let rest = |text: &str, modules: &[String]| {
            position_for_item(text, modules).map(|at| text[at..].trim_start().to_owned())
        };
        let text = "use a::b; fn f() {} mod tests { use super::*; fn g() {} }";
        assert_eq!(rest(text, &tests).as_deref(), Some("fn g() {} }"));
        assert!(rest(text, &[]).is_some_and(|text| text.starts_with("fn f()")));
        assert_eq!(rest("mod tests { fn g() {} }", &tests).as_deref(), Some("fn g() {} }"));
        assert_eq!(rest("//! Doc.\nfn f() {}", &[]).as_deref(), Some("fn f() {}"));
        assert_eq!(rest(text, &["other".to_owned()]), None);
    }
}
