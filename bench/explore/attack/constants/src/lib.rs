//! Nothing: the constants are in the tests.
