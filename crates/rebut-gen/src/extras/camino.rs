//! Paths of the crate `camino`.

use camino::{Utf8Path, Utf8PathBuf};
use rebut_choice::Source;

use crate::misuse::expected;
use crate::{Code, Generate, Generator, ToCode, paths};

/// Generates the paths of [`paths`], which are valid Unicode.
impl Generate for Utf8PathBuf {
    #[inline]
    fn generate(source: &mut Source) -> Utf8PathBuf {
        expected(Utf8PathBuf::from_path_buf(paths().draw(source)).ok(), "a path in Unicode")
    }
}

impl Generate for Box<Utf8Path> {
    #[inline]
    fn generate(source: &mut Source) -> Box<Utf8Path> {
        Utf8PathBuf::generate(source).into_boxed_path()
    }
}

impl ToCode for Utf8PathBuf {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.call("camino::Utf8PathBuf::from", &[&self.as_str()]);
    }
}

impl ToCode for Box<Utf8Path> {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        self.to_path_buf().to_code(code);
        code.push(".into_boxed_path()");
    }
}

impl ToCode for &Utf8Path {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.call("camino::Utf8Path::new", &[&self.as_str()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::{drawn, prints, replays};
    use rebut::find;

    #[test]
    fn paths_are_the_same_as_those_of_the_standard_library() {
        let all = drawn(&any::<Utf8PathBuf>(), 2000);
        assert!(all.iter().all(|path| Utf8Path::from_path(path.as_std_path()) == Some(path)));
        assert!(all.iter().any(|path| path.has_root()));
        assert!(all.iter().any(|path| path.components().count() > 2));
        replays(&any::<(Utf8PathBuf, Box<Utf8Path>)>());
    }

    #[test]
    fn paths_shrink_to_the_empty_path() {
        assert_eq!(find(rebut::any::<Utf8PathBuf>(), |_| true), Some("".into()));
        let deep = find(rebut::any(), |path: &Utf8PathBuf| path.components().count() == 3);
        assert_eq!(deep, Some("/a/a".into()));
    }

    #[rebut::test]
    fn references_to_paths_are_generated(path: &Utf8Path) {
        assert_eq!(path.to_path_buf(), path);
    }

    #[test]
    fn paths_are_printed_as_text() {
        prints!(camino::Utf8PathBuf::from("/a/\u{301}"));
        prints!(camino::Utf8PathBuf::from("a").into_boxed_path());
        prints!(camino::Utf8Path::new("a"));
    }
}
