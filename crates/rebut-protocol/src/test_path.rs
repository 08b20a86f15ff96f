//! Takes the path of a test apart.

/// The path of a test as `module_path!` and the function's name spell it: `crate::module::test`.
///
/// # Examples
/// ```
/// use rebut_protocol::test_path::TestPath;
///
/// let path = TestPath("shop::cart::total_is_a_sum");
/// assert_eq!(path.in_crate(), "cart::total_is_a_sum");
/// assert_eq!(path.function(), "total_is_a_sum");
/// assert_eq!(path.module(), "cart");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestPath<'a>(pub &'a str);

impl<'a> TestPath<'a> {
    /// Returns the name that the test harness prints and accepts: the path without the crate.
    #[must_use]
    pub fn in_crate(self) -> &'a str {
        self.0.split_once("::").map_or(self.0, |(_crate, path)| path)
    }

    /// Returns the name of the function.
    #[must_use]
    pub fn function(self) -> &'a str {
        self.0.rsplit_once("::").map_or(self.0, |(_module, name)| name)
    }

    /// Returns the module inside of the crate; empty at the root.
    #[must_use]
    pub fn module(self) -> &'a str {
        self.in_crate().rsplit_once("::").map_or("", |(module, _name)| module)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_without_modules_is_its_function() {
        let path = TestPath("sort_is_idempotent");
        assert_eq!((path.in_crate(), path.function(), path.module()), (path.0, path.0, ""));
    }

    #[test]
    fn a_test_at_the_root_has_no_module() {
        let path = TestPath("demo::sort_is_idempotent");
        let parts = (path.in_crate(), path.function(), path.module());
        assert_eq!(parts, ("sort_is_idempotent", "sort_is_idempotent", ""));
    }
}
