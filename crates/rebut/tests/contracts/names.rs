//! Types of the user have the names of other types: of the standard library, and of generated code.

use rebut::{Program, any, sample};

macro_rules! types {
    ($($name:ident)+) => {
        $(#[expect(non_snake_case, reason = "the module is called like the type")]
        mod $name {
            use rebut::{Program, any, sample};

            /// A type that is neither `Clone` nor generated.
            #[derive(Debug)]
            pub struct $name(u8);

            #[rebut::contract]
            #[invariant(self.0 < 255)]
            impl $name {
                pub fn new(n: bool) -> Self {
                    $name(n.into())
                }

                pub fn maybe(n: bool) -> std::option::Option<$name> {
                    n.then_some($name(0))
                }

                #[ensures(self.0 <= 254)]
                pub fn add(&mut self, other: &$name, more: std::option::Option<&$name>) {
                    self.0 = self.0.max(other.0).max(more.map_or(0, |more| more.0));
                }

                pub fn other(&self) -> std::option::Option<&$name> {
                    std::option::Option::None
                }

                pub fn all(&self, _: &[$name], _: std::vec::Vec<&$name>) -> &$name {
                    self
                }

                pub fn visit(&mut self, visit: &dyn Fn(&mut $name, &$name) -> u8) {
                    visit(self, &$name(1));
                }
            }

            #[rebut::contract]
            pub trait Shop {
                fn sell(&mut self, to: &mut $name) -> $name;
                fn look(&self, at: &$name);
            }

            #[rebut::contract]
            pub fn shop(shop: &mut dyn Shop, name: &mut $name) {
                shop.look(name);
                shop.sell(name);
            }

            #[test]
            fn is_called() {
                let mut written = std::string::String::new();
                for seed in 0..300 {
                    let program = sample(&any::<Program<($name, shop)>>(), seed);
                    program.run();
                    written += &program.written();
                }
                for call in [".add(&", ".visit(", ".all(", "shop("] {
                    assert!(written.contains(call), "no `{call}` in {written}");
                }
            }
        })+
    };
}

// The last lines have names of generated code.
mod types {
    types! {
    Path PathBuf OsStr CStr Vec String Box Rc Arc Cell RefCell Cow Option Result Iterator
    Probe Lend Lendable Borrowed Keep MadeObject Referent Generated LentRef LentMut Checked Table
    Modeled Behavior CallArgument Operation Contracted Interface Value Parameter
    }
}

/// A function of the standard's paths.
#[derive(Default)]
pub struct Files(std::collections::BTreeSet<std::path::PathBuf>);

#[rebut::contract]
impl Files {
    pub fn new() -> Files {
        Files::default()
    }

    pub fn add(&mut self, path: &std::path::Path, all: Option<&std::path::Path>) -> bool {
        self.0.extend(all.map(std::path::Path::to_owned));
        self.0.insert(path.to_owned())
    }

    pub fn first(&self) -> Option<&std::path::Path> {
        self.0.first().map(std::path::PathBuf::as_path)
    }

    pub fn visit(&self, visit: &dyn Fn(&std::path::Path)) {
        self.0.iter().for_each(|path| visit(path));
    }

    pub fn name(&self, name: &std::ffi::OsStr, text: std::borrow::Cow<'_, std::ffi::CStr>) -> bool {
        name.len() == text.to_bytes().len()
    }
}

#[test]
fn paths_of_the_standard_library_are_borrowed_from_their_owner() {
    assert_eq!(Program::<Files>::left_out(), [""; 0]);
    let mut written = String::new();
    for seed in 0..300 {
        let program = sample(&any::<Program<Files>>(), seed);
        program.run();
        written += &program.written();
    }
    let parts = [
        ".first().map(|one| one.to_owned())",
        ".as_ref().map(std::borrow::Borrow::borrow)",
        "|_a0: &std::path::Path|",
    ];
    for part in parts {
        assert!(written.contains(part), "no `{part}` in {written}");
    }
    assert!(!written.contains("__"), "{written}");
}
