//! Points, lines and polygons: types of the crate `geo-types`.
