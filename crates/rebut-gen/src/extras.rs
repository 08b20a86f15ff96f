//! Types of other crates, each behind a feature with the name of the crate.

/// Implements `Generate` and `ToCode` for a type whose values have names, the simplest first.
#[cfg(any(
    feature = "chrono",
    feature = "http",
    feature = "jiff",
    feature = "semver",
    feature = "time"
))]
macro_rules! named_values {
    ($type:ty, $path:literal, [$($name:ident),+ $(,)?]) => {
        impl crate::Generate for $type {
            #[inline]
            fn generate(source: &mut rebut_choice::Source) -> $type {
                let values = [$(<$type>::$name),+];
                values[source.alternative(values.len(), &[], values.len())]
            }

            #[inline]
            fn members() -> Option<Vec<$type>> {
                Some(vec![$(<$type>::$name),+])
            }

            #[inline]
            fn is_single() -> bool {
                true
            }
        }

        impl crate::ToCode for $type {
            #[inline]
            fn to_code(&self, code: &mut crate::Code) {
                code.push(match *self {
                    $(<$type>::$name => concat!($path, "::", stringify!($name)),)+
                    #[allow(unreachable_patterns, reason = "some types are not exhaustive")]
                    _ => concat!("/* another ", $path, " */"),
                });
            }
        }
    };
}
#[cfg(feature = "arrayvec")]
mod arrayvec;
#[cfg(feature = "bigdecimal")]
mod bigdecimal;
#[cfg(feature = "bitflags")]
mod bitflags;
#[cfg(feature = "bstr")]
mod bstr;
#[cfg(feature = "bytes")]
mod bytes;
#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
mod calendar;
#[cfg(feature = "camino")]
mod camino;
#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "compact_str")]
mod compact_str;
#[cfg(feature = "either")]
mod either;
#[cfg(feature = "enumset")]
mod enumset;
#[cfg(any(feature = "arrayvec", feature = "heapless"))]
mod fixed_capacity;
#[cfg(feature = "geo-types")]
mod geo_types;
#[cfg(feature = "hashbrown")]
mod hashbrown;
#[cfg(feature = "heapless")]
mod heapless;
#[cfg(any(feature = "http", feature = "url"))]
mod hosts;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "indexmap")]
mod indexmap;
#[cfg(feature = "ipnet")]
mod ipnet;
#[cfg(feature = "jiff")]
mod jiff;
#[cfg(feature = "nalgebra")]
mod nalgebra;
#[cfg(feature = "ndarray")]
mod ndarray;
#[cfg(feature = "num-bigint")]
mod num_bigint;
#[cfg(feature = "num-complex")]
mod num_complex;
#[cfg(feature = "num-rational")]
mod num_rational;
#[cfg(feature = "ordered-float")]
mod ordered_float;
#[cfg(feature = "rust_decimal")]
mod rust_decimal;
#[cfg(feature = "secrecy")]
mod secrecy;
#[cfg(feature = "semver")]
mod semver;
#[cfg(feature = "serde_json")]
mod serde_json;
#[cfg(any(feature = "nalgebra", feature = "ndarray"))]
mod shapes;
#[cfg(feature = "smallvec")]
mod smallvec;
#[cfg(feature = "time")]
mod time;
#[cfg(feature = "url")]
mod url;
#[cfg(feature = "uuid")]
mod uuid;

#[cfg(feature = "bitflags")]
pub use self::bitflags::{Flags, flags};
