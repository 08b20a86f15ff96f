//! Cells, locks and atomics.

use std::cell::{Cell, OnceCell, RefCell};
use std::sync::atomic::{
    AtomicBool, AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize, AtomicU8, AtomicU16,
    AtomicU32, AtomicU64, AtomicUsize, Ordering,
};
use std::sync::{Mutex, OnceLock, RwLock};

use rebut_choice::Source;

use crate::{Code, Generate, ToCode};

macro_rules! cell {
    ($($type:ident)*) => {$(
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
    )*};
}
cell!(Cell RefCell Mutex RwLock);

impl<T: ToCode + Copy> ToCode for Cell<T> {
    fn to_code(&self, code: &mut Code) {
        code.call("std::cell::Cell::new", &[&self.get()]);
    }
}

/// Implements a cell that is empty or has a value.
macro_rules! once {
    ($($type:ident, $path:literal;)*) => {$(
        impl<T: Generate> Generate for $type<T> {
            fn generate(source: &mut Source) -> Self {
                match Option::<T>::generate(source) {
                    Some(value) => value.into(),
                    None => $type::new(),
                }
            }
        }

        impl<T: ToCode> ToCode for $type<T> {
            fn to_code(&self, code: &mut Code) {
                match self.get() {
                    Some(value) => code.call(concat!($path, "::from"), &[value]),
                    None => code.push(concat!($path, "::new()")),
                }
            }
        }
    )*};
}
once! {
    OnceCell, "std::cell::OnceCell";
    OnceLock, "std::sync::OnceLock";
}

/// Writes a cell. `value` is `None` while the cell is borrowed or locked.
fn write(code: &mut Code, function: &str, value: Option<&dyn ToCode>) {
    match value {
        Some(value) => code.call(function, &[value]),
        None => code.format(format_args!("{function}(/* in use */)")),
    }
}

impl<T: ToCode> ToCode for RefCell<T> {
    fn to_code(&self, code: &mut Code) {
        let value = self.try_borrow().ok();
        write(code, "std::cell::RefCell::new", value.as_deref().map(|value| value as _));
    }
}

impl<T: ToCode> ToCode for Mutex<T> {
    fn to_code(&self, code: &mut Code) {
        let value = self.try_lock().ok();
        write(code, "std::sync::Mutex::new", value.as_deref().map(|value| value as _));
    }
}

impl<T: ToCode> ToCode for RwLock<T> {
    fn to_code(&self, code: &mut Code) {
        let value = self.try_read().ok();
        write(code, "std::sync::RwLock::new", value.as_deref().map(|value| value as _));
    }
}

macro_rules! atomic {
    ($($type:ident)*) => {$(
        impl Generate for $type {
            #[inline]
            fn generate(source: &mut Source) -> Self {
                $type::new(Generate::generate(source))
            }

            #[inline]
            fn is_single() -> bool {
                true
            }
        }

        impl ToCode for $type {
            #[inline]
            fn to_code(&self, code: &mut Code) {
                let function = concat!("std::sync::atomic::", stringify!($type), "::new");
                code.call(function, &[&self.load(Ordering::SeqCst)]);
            }
        }
    )*};
}
atomic! {
    AtomicBool AtomicI8 AtomicI16 AtomicI32 AtomicI64 AtomicIsize AtomicU8 AtomicU16 AtomicU32
    AtomicU64 AtomicUsize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::{from_tape, replays};

    #[test]
    fn cells_are_drawn_as_their_contents() {
        replays(&any::<(Cell<u8>, RefCell<Vec<u8>>)>());
        replays(&any::<(OnceCell<u8>, OnceLock<String>)>());
        assert_eq!(Code::of(&OnceCell::from(1)), "std::cell::OnceCell::from(1)");
        assert_eq!(Code::of(&OnceLock::<u8>::new()), "std::sync::OnceLock::new()");
        let mutex = from_tape(&any::<Mutex<u8>>(), "i7");
        assert_eq!(Code::of(&mutex), "std::sync::Mutex::new(7)");
    }

    #[test]
    fn a_locked_cell_is_printed_without_waiting() {
        let cell = RefCell::new(1);
        assert_eq!(Code::of(&cell), "std::cell::RefCell::new(1)");
        let borrowed = cell.borrow_mut();
        assert_eq!(Code::of(&cell), "std::cell::RefCell::new(/* in use */)");
        drop(borrowed);
        assert_eq!(Code::of(&RwLock::new('x')), "std::sync::RwLock::new('x')");
        assert_eq!(Code::of(&AtomicU8::new(3)), "std::sync::atomic::AtomicU8::new(3)");
    }
}
