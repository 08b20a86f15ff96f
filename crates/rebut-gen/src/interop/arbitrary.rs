//! Values of types that implement `Arbitrary` of the crate `arbitrary`.
