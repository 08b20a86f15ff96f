//! Types of `std::io`, and errors.

use std::error::Error as StdError;
use std::io::{Cursor, Error, ErrorKind, SeekFrom};

use rebut_choice::{Label, Source};

use super::flow::draw_variant;
use crate::{Code, Generate, ToCode};

/// The stable kinds of errors of all supported compilers. The simplest are the most usual.
const KINDS: [ErrorKind; 37] = [
    ErrorKind::NotFound,
    ErrorKind::PermissionDenied,
    ErrorKind::ConnectionRefused,
    ErrorKind::ConnectionReset,
    ErrorKind::HostUnreachable,
    ErrorKind::NetworkUnreachable,
    ErrorKind::ConnectionAborted,
    ErrorKind::NotConnected,
    ErrorKind::AddrInUse,
    ErrorKind::AddrNotAvailable,
    ErrorKind::NetworkDown,
    ErrorKind::BrokenPipe,
    ErrorKind::AlreadyExists,
    ErrorKind::WouldBlock,
    ErrorKind::NotADirectory,
    ErrorKind::IsADirectory,
    ErrorKind::DirectoryNotEmpty,
    ErrorKind::ReadOnlyFilesystem,
    ErrorKind::StaleNetworkFileHandle,
    ErrorKind::InvalidInput,
    ErrorKind::InvalidData,
    ErrorKind::TimedOut,
    ErrorKind::WriteZero,
    ErrorKind::StorageFull,
    ErrorKind::NotSeekable,
    ErrorKind::QuotaExceeded,
    ErrorKind::FileTooLarge,
    ErrorKind::ResourceBusy,
    ErrorKind::ExecutableFileBusy,
    ErrorKind::Deadlock,
    ErrorKind::TooManyLinks,
    ErrorKind::ArgumentListTooLong,
    ErrorKind::Interrupted,
    ErrorKind::Unsupported,
    ErrorKind::UnexpectedEof,
    ErrorKind::OutOfMemory,
    ErrorKind::Other,
];

impl Generate for ErrorKind {
    #[inline]
    fn generate(source: &mut Source) -> ErrorKind {
        KINDS[source.alternative(KINDS.len(), &[], KINDS.len())]
    }

    #[inline]
    fn members() -> Option<Vec<ErrorKind>> {
        Some(KINDS.to_vec())
    }

    #[inline]
    fn is_single() -> bool {
        true
    }
}

impl ToCode for ErrorKind {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.format(format_args!("std::io::ErrorKind::{self:?}"));
    }
}

/// An error of a kind, with a message or without. Errors of the system are not generated, because
/// their codes mean something else on another system.
impl Generate for Error {
    #[inline]
    fn generate(source: &mut Source) -> Error {
        source.span(const { Label::group("io::Error") }, |source| {
            match <(ErrorKind, Option<String>)>::generate(source) {
                (kind, None) => Error::from(kind),
                (kind, Some(message)) => Error::new(kind, message),
            }
        })
    }
}

impl ToCode for Error {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        match (self.raw_os_error(), self.get_ref()) {
            (Some(number), _) => code.call("std::io::Error::from_raw_os_error", &[&number]),
            (None, None) => code.call("std::io::Error::from", &[&self.kind()]),
            (None, Some(error)) if self.kind() == ErrorKind::Other => {
                code.call("std::io::Error::other", &[&&*error.to_string()]);
            }
            (None, Some(error)) => {
                code.call("std::io::Error::new", &[&self.kind(), &&*error.to_string()]);
            }
        }
    }
}

/// A position inside of the data, at its end, or behind it.
impl<T: Generate + AsRef<[u8]>> Generate for Cursor<T> {
    fn generate(source: &mut Source) -> Cursor<T> {
        let mut cursor = Cursor::new(T::generate(source));
        let length = cursor.get_ref().as_ref().len();
        cursor.set_position(source.integer(0, length as i128 + 1) as u64);
        cursor
    }
}

impl<T: ToCode> ToCode for Cursor<T> {
    fn to_code(&self, code: &mut Code) {
        if self.position() == 0 {
            return code.call("std::io::Cursor::new", &[self.get_ref()]);
        }
        code.push("{ let mut cursor = ");
        code.call("std::io::Cursor::new", &[self.get_ref()]);
        code.format(format_args!("; cursor.set_position({}); cursor }}", self.position()));
    }
}

impl Generate for SeekFrom {
    #[inline]
    fn generate(source: &mut Source) -> SeekFrom {
        draw_variant(source, const { Label::group("SeekFrom") }, 3, |source, variant| match variant
        {
            0 => SeekFrom::Start(u64::generate(source)),
            1 => SeekFrom::End(i64::generate(source)),
            _ => SeekFrom::Current(i64::generate(source)),
        })
    }
}

impl ToCode for SeekFrom {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        match self {
            SeekFrom::Start(by) => code.call("std::io::SeekFrom::Start", &[by]),
            SeekFrom::End(by) => code.call("std::io::SeekFrom::End", &[by]),
            SeekFrom::Current(by) => code.call("std::io::SeekFrom::Current", &[by]),
        }
    }
}

macro_rules! boxed_error {
    ($($type:ty, $path:literal;)*) => {$(
        /// An error with a message, as `?` makes it from a string.
        impl<'a> Generate for Box<$type> {
            #[inline]
            fn generate(source: &mut Source) -> Self {
                String::generate(source).into()
            }
        }

        impl<'a> ToCode for Box<$type> {
            #[inline]
            fn to_code(&self, code: &mut Code) {
                code.call(concat!("Box::<", $path, ">::from"), &[&&*self.to_string()]);
            }
        }
    )*};
}
boxed_error! {
    dyn StdError + 'a, "dyn std::error::Error";
    dyn StdError + Send + Sync + 'a, "dyn std::error::Error + Send + Sync";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{drawn, exhausted, from_tape, replays};
    use crate::{Generator as _, any};

    #[test]
    fn streams_and_errors_replay() {
        replays(&any::<(Cursor<Vec<u8>>, Cursor<&[u8]>, SeekFrom)>());
        replays(&any::<Error>().map(|error| (error.kind(), error.to_string())));
        replays(&any::<Box<dyn StdError + Send + Sync>>().map(|error| error.to_string()));
        assert_eq!(exhausted(&any::<ErrorKind>()), KINDS);
    }

    #[test]
    fn a_cursor_is_anywhere_in_its_data_and_behind_it() {
        let cursors = drawn(&any::<Cursor<[u8; 2]>>(), 100);
        for position in 0..=3 {
            assert!(cursors.iter().any(|cursor| cursor.position() == position), "{position}");
        }
    }

    #[test]
    fn streams_and_errors_are_printed_as_code() {
        let mut cursor = from_tape(&any::<Cursor<[u8; 1]>>(), "(g1 i1 ) i0");
        assert_eq!(Code::of(&cursor), "std::io::Cursor::new([1])");
        cursor.set_position(2);
        assert_eq!(
            Code::of(&cursor),
            "{ let mut cursor = std::io::Cursor::new([1]); cursor.set_position(2); cursor }"
        );
        let error = Error::from(ErrorKind::NotFound);
        assert_eq!(Code::of(&error), "std::io::Error::from(std::io::ErrorKind::NotFound)");
        assert_eq!(
            Code::of(&Error::new(ErrorKind::TimedOut, "late")),
            "std::io::Error::new(std::io::ErrorKind::TimedOut, \"late\")"
        );
        assert_eq!(Code::of(&Error::other("full")), "std::io::Error::other(\"full\")");
        assert_eq!(Code::of(&Error::from_raw_os_error(2)), "std::io::Error::from_raw_os_error(2)");
        assert_eq!(Code::of(&SeekFrom::End(-1)), "std::io::SeekFrom::End(-1)");
        assert_eq!(
            Code::of(&Box::<dyn StdError>::from("full")),
            "Box::<dyn std::error::Error>::from(\"full\")"
        );
    }
}
