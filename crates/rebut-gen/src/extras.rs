//! Types of other crates, each behind a feature with the name of the crate.

#[cfg(feature = "bytes")]
mod bytes;
#[cfg(any(feature = "chrono", feature = "jiff"))]
mod calendar;
#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "jiff")]
mod jiff;
#[cfg(feature = "rust_decimal")]
mod rust_decimal;
#[cfg(feature = "serde_json")]
mod serde_json;
#[cfg(feature = "url")]
mod url;
#[cfg(feature = "uuid")]
mod uuid;
