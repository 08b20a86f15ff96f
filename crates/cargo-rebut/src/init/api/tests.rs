use super::super::source::{CfgConditions, modules_of_text};
use super::*;

fn read(text: &str) -> Api {
    Api::read(&modules_of_text(text), &CfgConditions::default(), "demo", Viewpoint::Outside)
}

/// Functions as `owner.name(types) -> type`, with the types that tests use.
fn signatures(api: &Api) -> Vec<String> {
    let code = |ty: &Ty| api.type_code(ty).unwrap_or_else(|| format!("{ty:?}"));
    let mut found = Vec::new();
    for call in api.functions.iter().flat_map(|function| api.calls(function)) {
        let owner = call.owner.as_ref().map_or(String::new(), |owner| format!("{}.", code(owner)));
        let types: Vec<String> = call.parameters.iter().map(|(_, ty)| code(ty)).collect();
        let name = &call.function.name;
        found.push(format!("{owner}{name}({}) -> {}", types.join(", "), code(&call.output)));
    }
    found
}

#[test]
fn generic_parameters_get_types_that_meet_their_bounds() {
    let api = read(
        "
        pub trait Number {}
        impl Number for f64 {}
        pub fn encode<T: AsRef<[u8]>>(data: T) -> String { f() }
        pub fn shout(text: impl Into<String>) -> String { f() }
        pub fn max<T: Ord + Clone>(list: &[T]) -> Option<T> { f() }
        pub fn print<N>(number: N) -> String where N: Number { f() }
        pub fn sum<I: IntoIterator<Item = u32>>(all: I) -> u32 { f() }
        pub fn apply<F: Fn(u8) -> u8>(f: F) {}
        pub fn read<R: std::io::Read>(reader: R) {}
        ",
    );
    assert_eq!(
        signatures(&api),
        [
            "encode(&[u8]) -> String",
            "shout(&str) -> String",
            "max(&[u8]) -> Option<u8>",
            "print(f64) -> String",
            "sum(Vec<u32>) -> u32",
        ]
    );
}

#[test]
fn type_names_omit_default_arguments() {
    let api = read(
        "
        pub struct Map<K, V, S = RandomState> { k: K, v: V, s: S }
        impl<K: Hash + Eq, V, S: BuildHasher> Map<K, V, S> {
            pub fn insert(&mut self, key: K, value: V) -> Option<V> { f() }
            pub fn get<Q: ?Sized + Hash>(&self, key: &Q) -> Option<&V> where K: Borrow<Q> { f() }
        }
        pub struct Ring<T, const N: usize> { t: [T; N] }
        impl<T, const N: usize> Ring<T, N> { pub fn push(&mut self, item: T) {} }
        pub struct Small<A: Array> { a: A }
        pub trait Array { type Item; }
        impl<T, const N: usize> Array for [T; N] { type Item = T; }
        impl<A: Array> Small<A> { pub fn push(&mut self, item: A::Item) {} }
        ",
    );
    assert_eq!(
        signatures(&api),
        [
            "demo::Map<u8, u8>.insert(u8, u8) -> Option<u8>",
            "demo::Map<u8, u8>.get(&u8) -> Option<&u8>",
            "demo::Ring<u8, 4>.push(u8) -> ()",
            "demo::Small<[u8; 4]>.push(u8) -> ()",
        ]
    );
}

#[test]
fn methods_of_traits_are_called_on_the_types_that_have_them() {
    let api = read(
        "
        pub trait ToSnake: ToOwned { fn to_snake(&self) -> Self::Owned; }
        impl ToSnake for str { fn to_snake(&self) -> String { f() } }
        pub trait Engine { fn encode<T: AsRef<[u8]>>(&self, input: T) -> String { f() } }
        pub struct Plain;
        impl Engine for Plain {}
        impl<T: Engine> Engine for &T {}
        ",
    );
    assert_eq!(
        signatures(&api),
        ["str.to_snake() -> String", "demo::Plain.encode(&[u8]) -> String"]
    );
}

#[test]
fn functions_with_side_effects_are_not_called() {
    let api = read(
        "
        pub fn clean(name: &str) { helper(name) }
        fn helper(name: &str) { std::fs::remove_file(name); }
        pub fn stops() { std::process::exit(1) }
        pub unsafe fn risky(n: u8) {}
        pub async fn later(n: u8) {}
        #[deprecated] pub fn old(n: u8) {}
        #[doc(hidden)] pub fn hidden(n: u8) {}
        #[cfg(feature = \"other\")] pub fn other(n: u8) {}
        pub fn safe(n: u8) { unsafe { f(n) } }
        ",
    );
    assert_eq!(signatures(&api), ["safe(u8) -> ()"]);
}

#[test]
fn aliases_are_resolved() {
    let api = read(
        "
        pub struct Error;
        pub type Result<T> = std::result::Result<T, Error>;
        pub fn parse(text: &str) -> Result<u8> { f() }
        ",
    );
    assert_eq!(signatures(&api), ["parse(&str) -> Result<u8, demo::Error>"]);
}

#[test]
fn derived_traits_and_constants_are_read() {
    let api = read(
        "
        #[derive(Clone, Debug, PartialEq)] pub struct Config { wide: bool }
        pub const WIDE: Config = Config { wide: true };
        impl Config { pub const NARROW: Config = WIDE; }
        pub struct Plain;
        ",
    );
    let config = Ty::Own(vec!["Config".to_owned()], Vec::new());
    let plain = Ty::Own(vec!["Plain".to_owned()], Vec::new());
    assert!(api.compares(&config) && api.clones(&config) && !api.compares(&plain));
    let paths: Vec<String> = api.constants.iter().map(|one| one.path.join("::")).collect();
    assert_eq!(paths, ["WIDE", "Config::NARROW"]);
}

#[test]
fn documented_conditions_are_recognized() {
    let api = read(
        "
        /// # Panics
        /// If there is none.
        pub fn first(list: &[u8]) -> u8 { f() }
        /// Parses it.
        /// ```
        /// # panic!();
        /// ```
        pub fn parse(text: &str) -> Option<u8> { f() }
        ",
    );
    let has: Vec<bool> = api.functions.iter().map(Function::has_conditions).collect();
    assert_eq!(has, [true, false]);
}
