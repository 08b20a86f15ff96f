//! The validators.

mod bic;
mod date;
mod email;
mod iban;
mod isbn;
mod mime;
mod phone;
mod time;
mod uri;
mod urn;

use crate::Branches;

/// What a validator says: what kind of text it is, or what is wrong with it.
pub(crate) type Judged = Result<&'static str, &'static str>;

/// A validator, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Validator {
    /// The name, also of the file with its patterns.
    pub name: &'static str,
    /// What the texts are, and who says so.
    pub about: &'static str,
    /// Judges a text and notes the branches it took.
    pub judge: fn(&str, &mut Branches) -> Result<&'static str, &'static str>,
    /// The text of the validator.
    pub(crate) source: &'static str,
    /// The program that makes inputs.
    pub(crate) program: &'static str,
}

impl Validator {
    /// How many branches it has.
    #[must_use]
    pub fn branches(&self) -> usize {
        Branches::all(self.source)
    }
}

macro_rules! validator {
    ($name:ident, $about:literal) => {
        Validator {
            name: stringify!($name),
            about: $about,
            judge: $name::judge,
            source: include_str!(concat!("validators/", stringify!($name), ".rs")),
            program: include_str!(concat!("../inputs/", stringify!($name), ".rebut")),
        }
    };
}

/// All of them.
pub const VALIDATORS: [Validator; 10] = [
    validator!(time, "times of 24 hours (ISO 8601-1, 5.3.1)"),
    validator!(date, "years and dates (ISO 8601-1, 5.2.2)"),
    validator!(isbn, "ISBN-10 and ISBN-13 (ISBN Users' Manual, section 5)"),
    validator!(iban, "bank account numbers (ISO 13616)"),
    validator!(bic, "business identifier codes (ISO 9362)"),
    validator!(mime, "media types (RFC 6838, 4.2; RFC 2045, 5.1)"),
    validator!(uri, "URIs (RFC 3986)"),
    validator!(urn, "URNs (RFC 8141)"),
    validator!(email, "addresses of mail (RFC 5321, 4.1.2)"),
    validator!(phone, "phone numbers (ITU-T E.164; the North American plan)"),
];
