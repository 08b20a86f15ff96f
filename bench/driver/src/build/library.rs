//! The libraries whose builds are compared.

use crate::library::OURS;
use crate::place::Place;

/// A library as a dev-dependency.
#[derive(Debug)]
pub(super) struct Library {
    pub(super) name: &'static str,
    /// The name in code.
    pub(super) extern_name: &'static str,
    /// Empty for ours, which is in this repository.
    pub(super) version: &'static str,
    /// What is added to derive generators, unless the library brings that.
    derive: Option<(&'static str, &'static str)>,
    /// How the same properties are written for it, if they are compared.
    pub(super) dialect: Option<Dialect>,
}

/// How a library has its properties written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Rebut,
    Proptest,
    Hegel,
}

/// Ours and its peers; versions as in `peers/Cargo.toml`.
pub(super) const LIBRARIES: [Library; 5] = [
    Library {
        name: OURS,
        extern_name: "rebut",
        version: "",
        derive: None,
        dialect: Some(Dialect::Rebut),
    },
    Library {
        name: "proptest",
        extern_name: "proptest",
        version: "1.12.0",
        derive: Some(("proptest-derive", "0.9.0")),
        dialect: Some(Dialect::Proptest),
    },
    Library {
        name: "quickcheck",
        extern_name: "quickcheck",
        version: "1.1.0",
        derive: None,
        dialect: None,
    },
    Library {
        name: "hegeltest",
        extern_name: "hegel",
        version: "0.51.0",
        derive: None,
        dialect: Some(Dialect::Hegel),
    },
    Library {
        name: "bolero",
        extern_name: "bolero",
        version: "0.13.7",
        derive: None,
        dialect: None,
    },
];

impl Library {
    /// The manifest of a crate, in a workspace of its own, with the library as its only
    /// dev-dependency, or with what derives generators too.
    pub(super) fn manifest(&self, place: &Place, package: &str, with_derive: bool) -> String {
        let requirement = match self.version {
            "" => {
                let path = place.join("../crates").join(self.name).display().to_string();
                format!("{{ path = {path:?} }}")
            }
            version => format!("\"={version}\""),
        };
        let derive = self.derive.filter(|_| with_derive);
        let derive = derive.map(|(name, version)| format!("{name} = \"={version}\"\n"));
        format!(
            "[package]\nname = {package:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dev-dependencies]\n{} = {requirement}\n{}\n[workspace]\n",
            self.name,
            derive.unwrap_or_default()
        )
    }
}
