//! Names what a type needs that has no generator: the feature of its crate.
//!
//! The macros recognize types of other crates by their names. Instead of [`Generate`](crate::Generate)
//! they require the trait of that name here. All types that implement `Generate` implement it too,
//! so a type of the user with the same name works. The compiler error about other types names the
//! feature. While the feature is on, the trait is `Generate`.

/// Defines a trait for each name.
macro_rules! needs {
    ($($name:ident, [$($feature:literal),*], $note:literal;)*) => {$(
        #[doc = concat!("The requirement of types with the feature ", $($feature, " ",)* ".")]
        pub mod $name {
            #[cfg(any($(feature = $feature),*))]
            pub use crate::Generate;

            /// See the module.
            #[cfg(not(any($(feature = $feature),*)))]
            #[diagnostic::on_unimplemented(
                message = "cannot generate values of type `{Self}`",
                label = "no generator for this type",
                note = $note,
                note = "if the type is yours, add `#[derive(rebut::Generate)]` to it",
                note = "otherwise, write a generator: `#[from(generator)]` on a parameter, `#[generate(generator)]` on a field"
            )]
            pub trait Generate: Sized {
                /// See [`Generate`](crate::Generate).
                fn generate(source: &mut rebut_choice::Source) -> Self;

                /// See [`Generate`](crate::Generate).
                fn is_single() -> bool;
            }

            #[cfg(not(any($(feature = $feature),*)))]
            #[diagnostic::do_not_recommend]
            impl<T: crate::Generate> Generate for T {
                #[inline]
                fn generate(source: &mut rebut_choice::Source) -> T {
                    T::generate(source)
                }

                #[inline]
                fn is_single() -> bool {
                    T::is_single()
                }
            }
        }
    )*};
}

needs! {
    arrayvec, ["arrayvec"], "types of the crate `arrayvec` need the feature `arrayvec` of `rebut`: `cargo add rebut --dev --features arrayvec`";
    bigdecimal, ["bigdecimal"], "types of the crate `bigdecimal` need the feature `bigdecimal` of `rebut`: `cargo add rebut --dev --features bigdecimal`";
    bstr, ["bstr"], "types of the crate `bstr` need the feature `bstr` of `rebut`: `cargo add rebut --dev --features bstr`";
    bytes, ["bytes"], "types of the crate `bytes` need the feature `bytes` of `rebut`: `cargo add rebut --dev --features bytes`";
    camino, ["camino"], "types of the crate `camino` need the feature `camino` of `rebut`: `cargo add rebut --dev --features camino`";
    chrono, ["chrono"], "types of the crate `chrono` need the feature `chrono` of `rebut`: `cargo add rebut --dev --features chrono`";
    compact_str, ["compact_str"], "types of the crate `compact_str` need the feature `compact_str` of `rebut`: `cargo add rebut --dev --features compact_str`";
    dates, ["chrono", "jiff", "time"], "types of the crates `chrono`, `jiff` and `time` need a feature of `rebut` with the name of the crate: `cargo add rebut --dev --features chrono`";
    either, ["either"], "types of the crate `either` need the feature `either` of `rebut`: `cargo add rebut --dev --features either`";
    enumset, ["enumset"], "types of the crate `enumset` need the feature `enumset` of `rebut`: `cargo add rebut --dev --features enumset`";
    functions, [], "functions have a generator if they take up to three values, or one or two references, and their result can be generated and cloned; otherwise, take a `rebut::Function<A, B>`";
    geo_types, ["geo-types"], "types of the crate `geo-types` need the feature `geo-types` of `rebut`: `cargo add rebut --dev --features geo-types`";
    hashbrown, ["hashbrown"], "types of the crate `hashbrown` need the feature `hashbrown` of `rebut`: `cargo add rebut --dev --features hashbrown`";
    heapless, ["heapless"], "types of the crate `heapless` need the feature `heapless` of `rebut`: `cargo add rebut --dev --features heapless`";
    http, ["http"], "types of the crate `http` need the feature `http` of `rebut`: `cargo add rebut --dev --features http`";
    indexmap, ["indexmap"], "types of the crate `indexmap` need the feature `indexmap` of `rebut`: `cargo add rebut --dev --features indexmap`";
    instant, [], "an `Instant` of the standard library comes from a clock, so Rebut could not repeat a test case; generate a `Duration` and write `Instant::now() + duration` in the test";
    ipnet, ["ipnet"], "types of the crate `ipnet` need the feature `ipnet` of `rebut`: `cargo add rebut --dev --features ipnet`";
    jiff, ["jiff"], "types of the crate `jiff` need the feature `jiff` of `rebut`: `cargo add rebut --dev --features jiff`";
    nalgebra, ["nalgebra"], "types of the crate `nalgebra` need the feature `nalgebra` of `rebut`: `cargo add rebut --dev --features nalgebra`";
    ndarray, ["ndarray"], "types of the crate `ndarray` need the feature `ndarray` of `rebut`: `cargo add rebut --dev --features ndarray`";
    num_bigint, ["num-bigint"], "types of the crate `num-bigint` need the feature `num-bigint` of `rebut`: `cargo add rebut --dev --features num-bigint`";
    num_complex, ["num-complex"], "types of the crate `num-complex` need the feature `num-complex` of `rebut`: `cargo add rebut --dev --features num-complex`";
    num_rational, ["num-rational"], "types of the crate `num-rational` need the feature `num-rational` of `rebut`: `cargo add rebut --dev --features num-rational`";
    ordered_float, ["ordered-float"], "types of the crate `ordered-float` need the feature `ordered-float` of `rebut`: `cargo add rebut --dev --features ordered-float`";
    rust_decimal, ["rust_decimal"], "types of the crate `rust_decimal` need the feature `rust_decimal` of `rebut`: `cargo add rebut --dev --features rust_decimal`";
    secrecy, ["secrecy"], "types of the crate `secrecy` need the feature `secrecy` of `rebut`: `cargo add rebut --dev --features secrecy`";
    semver, ["semver"], "types of the crate `semver` need the feature `semver` of `rebut`: `cargo add rebut --dev --features semver`";
    serde_json, ["serde_json"], "types of the crate `serde_json` need the feature `serde_json` of `rebut`: `cargo add rebut --dev --features serde_json`";
    smallvec, ["smallvec"], "types of the crate `smallvec` need the feature `smallvec` of `rebut`: `cargo add rebut --dev --features smallvec`";
    time, ["time"], "types of the crate `time` need the feature `time` of `rebut`: `cargo add rebut --dev --features time`";
    url, ["url"], "types of the crate `url` need the feature `url` of `rebut`: `cargo add rebut --dev --features url`";
    uuid, ["uuid"], "types of the crate `uuid` need the feature `uuid` of `rebut`: `cargo add rebut --dev --features uuid`";
}
