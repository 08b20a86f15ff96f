//! Types behind references, and the values that own them.
//!
//! A program has a `PathBuf` for a parameter of type `&Path`. But `Path` may also be a type of the user,
//! and then the program has the `Path` itself. The macro sees only the name, so the compiler decides:
//! [`Referent`] is implemented for both.
//!
//! # Examples
//! ```
//! use rebut_contract::owner::Referent;
//! use std::path::PathBuf;
//!
//! struct Path(u8);
//!
//! assert_eq!(Path::lend(&Path(7)).0, 7);
//! let owner = PathBuf::from("a");
//! let path: &std::path::Path = Referent::lend(&owner);
//! assert_eq!(path.to_str(), Some("a"));
//! ```

use std::ffi::{CStr, CString, OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::call_argument::CallArgument;

/// A type that a parameter can be a reference to.
pub trait Referent {
    /// The type of the value that owns it.
    type Owner: 'static;
    /// The name of the owner, if that is another type.
    const OWNER: Option<&'static str>;

    /// Borrows from the owner.
    fn lend(owner: &Self::Owner) -> &Self;
    /// Returns the argument for the body of a callback: a copy, if the type is unsized.
    fn argument(&self) -> CallArgument<'_>;
}

impl<T: 'static> Referent for T {
    type Owner = T;
    const OWNER: Option<&'static str> = None;

    fn lend(owner: &T) -> &T {
        owner
    }

    fn argument(&self) -> CallArgument<'_> {
        CallArgument::Ref(self)
    }
}

macro_rules! unsized_types {
    ($($name:ident $owner:ident $name_of_owner:literal;)+) => {
        $(impl Referent for $name {
            type Owner = $owner;
            const OWNER: Option<&'static str> = Some($name_of_owner);

            fn lend(owner: &$owner) -> &$name {
                owner
            }

            fn argument(&self) -> CallArgument<'_> {
                CallArgument::Owned(Box::new(self.to_owned()))
            }
        })+
    };
}
unsized_types! {
    Path PathBuf "std::path::PathBuf";
    OsStr OsString "std::ffi::OsString";
    CStr CString "std::ffi::CString";
}

/// Returns the name of a type: the names of owners between pieces of code. Each thread asks once for
/// each type of a table.
#[must_use]
pub fn name(pieces: &[&str], owners: &[&str]) -> &'static str {
    let mut name = String::new();
    for (nth, piece) in pieces.iter().enumerate() {
        name.push_str(piece);
        name.push_str(owners.get(nth).unwrap_or(&""));
    }
    name.leak()
}
