//! Paths, `OsString` and `CString`.
//!
//! All are valid Unicode, or bytes if the type consists of bytes. Values that only one platform can
//! represent are never generated, so a test means the same everywhere.

use std::ffi::{CStr, CString, OsStr, OsString};
use std::path::{Path, PathBuf};

use rebut_choice::{Label, Source};

use crate::class::draw_range;
use crate::sequences::draw_sequence;
use crate::size::{SIZE_MAX, Sizes, sized};
use crate::strings::draw_text;
use crate::{Code, Generate, Generator, ToCode};

/// Generates relative and absolute paths. Shrinks to the empty path.
///
/// A path has any characters except NUL. Its size is the number of generated parts, which are
/// joined by slashes. A part can be empty or contain a slash.
///
/// # Examples
/// ```
/// use rebut::{find, paths, simplest};
///
/// assert_eq!(simplest(&paths()).to_str(), Some(""));
/// let found = find(paths(), |path| path.components().count() == 3);
/// assert_eq!(found.unwrap().to_str(), Some("/a/a"));
/// ```
#[must_use]
pub fn paths() -> Paths {
    Paths { sizes: Sizes { min: 0, max: Some(PARTS_MAX) }, relative: false }
}

/// The default maximum number of components. Arbitrary.
const PARTS_MAX: usize = 32;
/// The maximum number of characters of a component. Most file systems limit a name to 255 bytes or
/// UTF-16 units.
const PART_MAX: usize = 255;
const PATH: Label = Label::group("path");

/// The generator that [`paths`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::Paths;
/// use rebut::{paths, sample};
///
/// fn entries() -> Paths {
///     paths().relative().size(1)
/// }
/// assert!(sample(&entries(), 1).is_relative());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Paths {
    sizes: Sizes,
    relative: bool,
}

sized!(Paths);

impl Paths {
    /// Generates only relative paths.
    ///
    /// # Examples
    /// ```
    /// use rebut::{find, paths};
    ///
    /// assert_eq!(find(paths().relative(), |path| path.has_root()), None);
    /// ```
    #[must_use]
    pub fn relative(mut self) -> Self {
        self.relative = true;
        self
    }
}

impl Generator for Paths {
    type Value = PathBuf;

    fn draw(&self, source: &mut Source) -> PathBuf {
        let sizes = self.sizes.bounds("paths()");
        let text = source.span(PATH, |source| {
            let root = if !self.relative && source.presence(1, 1) { "/" } else { "" };
            let parts = draw_sequence(source, sizes, false, draw_part);
            format!("{root}{}", parts.join("/"))
        });
        let text = if self.relative { without_root(&text) } else { &text };
        PathBuf::from(text)
    }
}

/// Removes everything that makes a path absolute on this system: leading separators, and on Windows
/// drives.
fn without_root(mut text: &str) -> &str {
    loop {
        let before = text.len();
        text = text.trim_start_matches(std::path::is_separator);
        if cfg!(windows) && has_drive(text) {
            text = &text[2..];
        }
        if text.len() == before {
            return text;
        }
    }
}

/// Returns whether the path begins with a drive such as `C:`.
fn has_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [drive, b':', ..] if drive.is_ascii_alphabetic())
}

fn draw_part(source: &mut Source) -> String {
    draw_text(source, (0, PART_MAX), |source| draw_range(source, '\u{1}', char::MAX))
}

impl Generate for PathBuf {
    #[inline]
    fn generate(source: &mut Source) -> PathBuf {
        paths().draw(source)
    }
}

impl Generate for OsString {
    #[inline]
    fn generate(source: &mut Source) -> OsString {
        String::generate(source).into()
    }
}

impl Generate for CString {
    #[inline]
    fn generate(source: &mut Source) -> CString {
        let byte = |source: &mut Source| source.integer(1, 255) as u8;
        let bytes = draw_sequence(source, (0, SIZE_MAX), true, byte);
        CString::new(bytes).unwrap_or_default()
    }
}

impl ToCode for PathBuf {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.call("std::path::PathBuf::from", &[&&*self.to_string_lossy()]);
    }
}

impl ToCode for OsString {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.call("std::ffi::OsString::from", &[&&*self.to_string_lossy()]);
    }
}

impl ToCode for CString {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        (**self).to_code(code);
        code.push(".to_owned()");
    }
}

/// Implements a type without a size, whose code is that of a reference.
macro_rules! reference {
    ($($type:ty, |$self:ident, $code:ident| $write:expr;)*) => {$(
        impl ToCode for $type {
            #[inline]
            fn to_code(&$self, $code: &mut Code) {
                $write
            }
        }

        impl ToCode for &$type {
            #[inline]
            fn to_code(&self, code: &mut Code) {
                (**self).to_code(code);
            }
        }
    )*};
}
reference! {
    Path, |self, code| code.call("std::path::Path::new", &[&&*self.to_string_lossy()]);
    OsStr, |self, code| code.call("std::ffi::OsStr::new", &[&&*self.to_string_lossy()]);
    CStr, |self, code| code.format(format_args!("c\"{}\"", self.to_bytes().escape_ascii()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::{drawn, replays};

    #[test]
    fn paths_have_no_nul_and_can_be_relative() {
        let all = drawn(&paths(), 300);
        assert!(all.iter().all(|path| !path.to_string_lossy().contains('\0')));
        assert!(all.iter().any(|path| path.has_root()));
        assert!(all.iter().any(|path| path.components().count() > 2));
        let is_relative = |path: &PathBuf| !path.has_root() && path.is_relative();
        assert!(drawn(&paths().relative(), 300).iter().all(is_relative));
        replays(&any::<(PathBuf, OsString, CString)>());
    }

    #[test]
    fn relative_paths_lose_every_root_of_the_system() {
        for text in ["//a", "a/b", "/\\?\\C:\\a", "C:/D:/a", "/C:a", "\\\\server\\share\\a"] {
            let base = Path::new(if cfg!(windows) { "C:\\base" } else { "/base" });
            let joined = base.join(without_root(text));
            assert!(joined.starts_with(base), "{text} became {}", joined.display());
        }
        assert_eq!(without_root("a/b"), "a/b");
        assert_eq!(without_root("C:a"), if cfg!(windows) { "a" } else { "C:a" });
    }

    #[test]
    fn paths_are_printed_as_strings() {
        assert_eq!(Code::of(&PathBuf::from("a/b")), "std::path::PathBuf::from(\"a/b\")");
        assert_eq!(Code::of(&c"a\xFF\"".to_owned()), "c\"a\\xff\\\"\".to_owned()");
        assert_eq!(Code::of(&Path::new("/x")), "std::path::Path::new(\"/x\")");
        assert_eq!(Code::of(&OsStr::new("x")), "std::ffi::OsStr::new(\"x\")");
        assert_eq!(Code::of(&c"x"), "c\"x\"");
        assert_eq!(Code::of(&OsString::from("x")), "std::ffi::OsString::from(\"x\")");
    }
}
