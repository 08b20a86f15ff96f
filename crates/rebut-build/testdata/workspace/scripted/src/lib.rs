//! Stands for a library in C.
