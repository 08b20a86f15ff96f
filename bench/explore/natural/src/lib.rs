//! Nothing: the properties are in `tests`.
