//! Pointers and plain wrappers.
//!
//! Pointers do not implement `members`: a recursive type contains itself behind a pointer, so the
//! list of its members would never end.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::marker::PhantomData;
use std::num::{Saturating, Wrapping};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use rebut_choice::Source;

use crate::{Code, Generate, ToCode};

macro_rules! pointer {
    ($($type:ident, $path:literal;)*) => {$(
        impl<T: Generate> Generate for $type<T> {
            fn generate(source: &mut Source) -> Self {
                $type::new(T::generate(source))
            }

            fn is_single() -> bool {
                T::is_single()
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

        impl ToCode for $type<str> {
            #[inline]
            fn to_code(&self, code: &mut Code) {
                code.call(concat!($path, "::<str>::from"), &[&&**self]);
            }
        }
    )*};
}
pointer! {
    Box, "Box";
    Rc, "std::rc::Rc";
    Arc, "std::sync::Arc";
}

impl<T: ToCode> ToCode for &T {
    fn to_code(&self, code: &mut Code) {
        code.push("&");
        (**self).to_code(code);
    }
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

impl<B: ToOwned<Owned: Generate> + ?Sized> Generate for Cow<'_, B> {
    fn generate(source: &mut Source) -> Self {
        Cow::Owned(B::Owned::generate(source))
    }
}

impl<B: ToOwned<Owned: ToCode> + ?Sized> ToCode for Cow<'_, B> {
    fn to_code(&self, code: &mut Code) {
        let owned = (**self).to_owned();
        code.call("std::borrow::Cow::Owned", &[&owned]);
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
    use crate::testing::replays;

    #[test]
    fn pointers_are_drawn_as_their_targets() {
        replays(&any::<Box<Rc<Arc<u8>>>>());
        replays(&any::<(Box<str>, Rc<str>, Arc<[u8]>)>());
        replays(&any::<Cow<'static, str>>());
        replays(&any::<(Wrapping<i8>, Saturating<u8>, Reverse<char>, PhantomData<str>)>());
    }

    #[test]
    fn pointers_are_written_with_their_paths() {
        assert_eq!(Code::of(&Box::new(1)), "Box::new(1)");
        assert_eq!(Code::of(&Rc::new('a')), "std::rc::Rc::new('a')");
        assert_eq!(Code::of(&Arc::<str>::from("a")), "std::sync::Arc::<str>::from(\"a\")");
        assert_eq!(Code::of(&Box::<[u8]>::from([1, 2])), "Box::<[_]>::from([1, 2])");
        assert_eq!(Code::of(&Reverse(Wrapping(3))), "std::cmp::Reverse(std::num::Wrapping(3))");
        assert_eq!(Code::of(&Cow::Borrowed("a")), "std::borrow::Cow::Owned(\"a\".to_string())");
        assert_eq!(Code::of(&&1), "&1");
    }
}
