//! Pointers and plain wrappers.
//!
//! Pointers do not implement `members`: a recursive type contains itself behind a pointer, so the
//! list of its members would never end.

use std::borrow::{Borrow as _, Cow};
use std::cmp::Reverse;
use std::ffi::{CStr, OsStr};
use std::marker::PhantomData;
use std::num::{Saturating, Wrapping};
use std::path::Path;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use rebut_choice::{Label, Source};

use crate::{Code, Generate, ToCode};

/// Implements a pointer to a type without a size, whose code is that of a reference.
macro_rules! unsized_pointer {
    ($pointer:ident, $path:literal, $type:ty, $target:literal) => {
        impl Generate for $pointer<$type> {
            #[inline]
            fn generate(source: &mut Source) -> Self {
                <$type as ToOwned>::Owned::generate(source).into()
            }
        }

        impl ToCode for $pointer<$type> {
            #[inline]
            fn to_code(&self, code: &mut Code) {
                code.call(concat!($path, "::<", $target, ">::from"), &[&&**self]);
            }
        }
    };
}

macro_rules! pointer {
    ($($type:ident, $path:literal;)*) => {$(
        impl<T: Generate> Generate for $type<T> {
            fn generate(source: &mut Source) -> Self {
                $type::new(T::generate(source))
            }

            fn is_single() -> bool {
                T::is_single()
            }

            fn has_values() -> bool {
                T::has_values()
            }
        }

        impl<T: ToCode> ToCode for $type<T> {
            fn to_code(&self, code: &mut Code) {
                code.call(concat!($path, "::new"), &[&**self]);
            }
        }

        impl<T: ToCode> ToCode for $type<[T]> {
            fn to_code(&self, code: &mut Code) {
                code.push(concat!($path, "::<[_]>::from("));
                (**self).to_code(code);
                code.push(")");
            }
        }

        unsized_pointer!($type, $path, str, "str");
        unsized_pointer!($type, $path, Path, "std::path::Path");
        unsized_pointer!($type, $path, OsStr, "std::ffi::OsStr");
        unsized_pointer!($type, $path, CStr, "std::ffi::CStr");
    )*};
}
pointer! {
    Box, "Box";
    Rc, "std::rc::Rc";
    Arc, "std::sync::Arc";
}

impl<T: Generate> Generate for Pin<Box<T>> {
    fn generate(source: &mut Source) -> Self {
        Box::pin(T::generate(source))
    }
}

impl<T: ToCode> ToCode for Pin<Box<T>> {
    fn to_code(&self, code: &mut Code) {
        code.call("Box::pin", &[&**self]);
    }
}

/// Code often treats the two variants differently, so both are generated.
impl<'a, B: ToOwned<Owned: Generate + 'a> + ?Sized> Generate for Cow<'a, B> {
    fn generate(source: &mut Source) -> Self {
        source.open(const { Label::group("Cow") });
        let is_owned = source.alternative(2, &[], 2) == 1;
        let value = if is_owned {
            Cow::Owned(B::Owned::generate(source))
        } else {
            let kept: &'a B::Owned = Generate::generate(source);
            Cow::Borrowed(kept.borrow())
        };
        source.close();
        value
    }

    fn has_values() -> bool {
        B::Owned::has_values()
    }
}

impl<'a, B: ToOwned<Owned: ToCode> + ?Sized> ToCode for Cow<'a, B>
where
    &'a B: ToCode,
{
    fn to_code(&self, code: &mut Code) {
        match self {
            Cow::Borrowed(value) => code.call("std::borrow::Cow::Borrowed", &[value]),
            Cow::Owned(value) => code.call("std::borrow::Cow::Owned", &[value]),
        }
    }
}

macro_rules! wrapper {
    ($($type:ident, $path:literal;)*) => {$(
        impl<T: Generate> Generate for $type<T> {
            #[inline]
            fn generate(source: &mut Source) -> Self {
                $type(T::generate(source))
            }

            fn members() -> Option<Vec<Self>> {
                Some(T::members()?.into_iter().map($type).collect())
            }

            fn member(index: usize) -> Option<Self> {
                T::member(index).map($type)
            }

            fn is_single() -> bool {
                T::is_single()
            }

            fn has_values() -> bool {
                T::has_values()
            }
        }

        impl<T: ToCode> ToCode for $type<T> {
            fn to_code(&self, code: &mut Code) {
                code.call($path, &[&self.0]);
            }
        }
    )*};
}
wrapper! {
    Wrapping, "std::num::Wrapping";
    Saturating, "std::num::Saturating";
    Reverse, "std::cmp::Reverse";
}

impl<T: ?Sized> Generate for PhantomData<T> {
    fn generate(_source: &mut Source) -> Self {
        PhantomData
    }

    fn members() -> Option<Vec<Self>> {
        Some(vec![PhantomData])
    }
}

impl<T: ?Sized> ToCode for PhantomData<T> {
    fn to_code(&self, code: &mut Code) {
        code.push("std::marker::PhantomData");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::{drawn, replays};

    #[test]
    fn pointers_are_drawn_as_their_targets() {
        replays(&any::<Box<Rc<Arc<u8>>>>());
        replays(&any::<(Box<str>, Rc<str>, Arc<[u8]>)>());
        replays(&any::<(Cow<'static, str>, Cow<'_, [u8]>, Cow<'_, Option<u8>>, Cow<'_, Path>)>());
        let texts = drawn(&any::<Cow<'_, str>>(), 100);
        let owned = texts.iter().filter(|text| matches!(text, Cow::Owned(_))).count();
        assert!((10..90).contains(&owned), "{owned} of 100 are owned");
        replays(&any::<(Box<Path>, Rc<OsStr>, Arc<CStr>)>());
        replays(&any::<(Wrapping<i8>, Saturating<u8>, Reverse<char>, PhantomData<str>)>());
    }

    #[test]
    fn pointers_are_written_with_their_paths() {
        assert_eq!(Code::of(&Box::new(1)), "Box::new(1)");
        assert_eq!(Code::of(&Rc::new('a')), "std::rc::Rc::new('a')");
        assert_eq!(Code::of(&Arc::<str>::from("a")), "std::sync::Arc::<str>::from(\"a\")");
        assert_eq!(Code::of(&Box::<[u8]>::from([1, 2])), "Box::<[_]>::from([1, 2])");
        assert_eq!(Code::of(&Reverse(Wrapping(3))), "std::cmp::Reverse(std::num::Wrapping(3))");
        assert_eq!(Code::of(&Cow::Borrowed("a")), "std::borrow::Cow::Borrowed(\"a\")");
        let owned: Cow<'_, str> = Cow::Owned("a".to_string());
        assert_eq!(Code::of(&owned), "std::borrow::Cow::Owned(\"a\".to_string())");
        assert_eq!(
            Code::of(&Arc::<Path>::from(Path::new("a"))),
            "std::sync::Arc::<std::path::Path>::from(std::path::Path::new(\"a\"))"
        );
    }
}
