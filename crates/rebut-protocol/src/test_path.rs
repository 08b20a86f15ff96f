//! Takes the path of a property apart.

use crate::hash::fnv1a;

/// The path of a property: `crate::module::test`, or `test@file:line` for a check inside a test.
///
/// # Examples
/// ```
/// use rebut_protocol::test_path::TestPath;
///
/// let path = TestPath::new("shop::cart::total_is_a_sum");
/// assert_eq!(path.crate_name(), "shop");
/// assert_eq!(path.in_crate(), "cart::total_is_a_sum");
/// assert_eq!(path.module(), "cart");
/// assert_eq!(path.function(), "total_is_a_sum");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestPath<'a>(&'a str);

impl<'a> TestPath<'a> {
    /// Takes this path.
    #[must_use]
    pub const fn new(path: &'a str) -> TestPath<'a> {
        TestPath(path)
    }

    /// Returns the name of the crate, or the whole path if it has only one part.
    #[must_use]
    pub fn crate_name(self) -> &'a str {
        self.0.split_once("::").map_or(self.0, |(crate_name, _path)| crate_name)
    }

    /// Returns the path without the crate.
    #[must_use]
    pub fn in_crate(self) -> &'a str {
        self.0.split_once("::").map_or(self.0, |(_crate, path)| path)
    }

    /// Returns the name of the test on the command line of its harness.
    #[must_use]
    pub fn harness_name(self) -> &'a str {
        match self.0.split_once('@') {
            Some((test, _location)) => test,
            None => self.in_crate(),
        }
    }

    /// Returns the module inside of the crate; empty at the root.
    #[must_use]
    pub fn module(self) -> &'a str {
        self.in_crate().rsplit_once("::").map_or("", |(module, _name)| module)
    }

    /// Returns the name of the function.
    #[must_use]
    pub fn function(self) -> &'a str {
        self.0.rsplit_once("::").map_or(self.0, |(_module, name)| name)
    }

    /// Returns the name of the function without `r#`, to be part of another name.
    #[must_use]
    pub fn plain_function(self) -> &'a str {
        self.function().trim_start_matches("r#")
    }

    /// Returns the name of the module with the regression tests of a property, which the macro of
    /// the property adds next to it. A macro of the user may write several properties with the same
    /// name, so the whole path is part of it.
    ///
    /// # Examples
    /// ```
    /// use rebut_protocol::test_path::TestPath;
    ///
    /// let module = TestPath::new("shop::tests::r#match").printed_module();
    /// assert!(module.starts_with("__rebut_printed_match_"));
    /// ```
    #[must_use]
    pub fn printed_module(self) -> String {
        let hash = fnv1a(self.0.as_bytes());
        format!("__rebut_printed_{}_{hash:016x}", self.plain_function())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_without_modules_is_its_function() {
        let path = TestPath::new("sort_is_idempotent");
        assert_eq!((path.in_crate(), path.function(), path.module()), (path.0, path.0, ""));
        assert_eq!((path.crate_name(), path.harness_name()), (path.0, path.0));
    }

    #[test]
    fn a_test_at_the_root_has_no_module() {
        let path = TestPath::new("demo::sort_is_idempotent");
        let parts = (path.in_crate(), path.function(), path.module());
        assert_eq!(parts, ("sort_is_idempotent", "sort_is_idempotent", ""));
    }

    #[test]
    fn a_check_belongs_to_the_test_around_it() {
        assert_eq!(TestPath::new("module::holds@src/a.rs:3").harness_name(), "module::holds");
    }
}
