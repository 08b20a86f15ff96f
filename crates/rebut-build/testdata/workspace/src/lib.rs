//! The root of a workspace is a package, too.
