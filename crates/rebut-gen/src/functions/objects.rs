//! Generated functions as closures and function pointers: `Box<dyn Fn(A) -> B>`, `fn(A) -> B`.
//!
//! A closure that can be sent to another thread cannot contain a source, and a function pointer
//! contains nothing. So the functions are in a table of their thread, and the closures and pointers
//! find them there. The table is also how a closure, whose type is erased, is printed.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::rc::{self, Rc};
use std::sync::{Arc, Weak};

use rebut_choice::Source;

use super::{Function, closure::Parameters};
use crate::{Code, Generate, ToCode};

thread_local! {
    static OBJECTS: RefCell<Vec<Object>> = const { RefCell::new(Vec::new()) };
    static POINTERS: RefCell<Vec<Pointers>> = const { RefCell::new(Vec::new()) };
}

/// A closure that was generated on this thread.
struct Object {
    /// The address of the closure, by which it is found when it is printed.
    address: usize,
    handle: Weak<()>,
    /// A [`Function`].
    function: Rc<dyn Any>,
}

/// The function pointers of one type in one case.
struct Pointers {
    pointer_type: TypeId,
    case: rc::Weak<()>,
    /// How many were generated.
    count: usize,
    /// Their addresses, and the [`Function`]s behind them.
    functions: Vec<(usize, Rc<dyn Any>)>,
}

/// How many different function pointers of one type a case has. Each is a function that the
/// compiler has to generate. Arbitrary: more than eight callbacks of one type are rare.
const POINTERS_MAX: usize = 8;

/// The part of a closure that finds its function.
struct Handle(Arc<()>);

impl Handle {
    fn call<A: PartialEq + 'static, B: Clone + 'static>(&self, argument: A) -> B {
        let is_this = |object: &&Object| std::ptr::eq(object.handle.as_ptr(), Arc::as_ptr(&self.0));
        let function = OBJECTS.with_borrow(|objects| {
            objects.iter().find(is_this).map(|object| Rc::clone(&object.function))
        });
        call(function, argument)
    }
}

fn call<A: PartialEq + 'static, B: Clone + 'static>(
    function: Option<Rc<dyn Any>>,
    argument: A,
) -> B {
    match function.and_then(|function| function.downcast::<Function<A, B>>().ok()) {
        Some(function) => function.call(argument),
        None => elsewhere(),
    }
}

/// Not a misuse, whose message another thread would not print.
#[cold]
fn elsewhere() -> ! {
    rebut_choice::fail_case(
        "a generated function was called on another thread than that of its test case, or after \
         the case; it generates its results there: call it there, or write a function by hand",
    )
}

/// Generates a function for a closure that contains the handle. The closure has no address yet.
fn draw_object<A: 'static, B: Generate + 'static>(source: &mut Source) -> (Handle, Object) {
    let function = Rc::new(Function::<A, B>::generate(source));
    let handle = Arc::new(());
    let object = Object { address: 0, handle: Arc::downgrade(&handle), function };
    (Handle(handle), object)
}

fn add_object(mut object: Object, address: usize) {
    object.address = address;
    let mut dead = Vec::new();
    OBJECTS.with_borrow_mut(|objects| {
        dead.extend(objects.extract_if(.., |object| object.handle.strong_count() == 0));
        objects.push(object);
    });
    // Drop them outside of the borrow: their destructors may run any code.
    drop(dead);
}

/// Writes the closure at an address between two strings, after the run.
fn write_object<A: ToCode + 'static, B: ToCode + 'static>(
    code: &mut Code,
    address: usize,
    parameters: &'static Parameters,
    [before, after]: [&str; 2],
) {
    let is_this = |object: &&Object| object.address == address && object.handle.strong_count() > 0;
    let function = OBJECTS.with_borrow(|objects| {
        objects.iter().find(is_this).map(|object| Rc::clone(&object.function))
    });
    write::<A, B>(code, function, parameters, [before, after]);
}

fn write<A: ToCode + 'static, B: ToCode + 'static>(
    code: &mut Code,
    function: Option<Rc<dyn Any>>,
    parameters: &'static Parameters,
    [before, after]: [&str; 2],
) {
    let function = function.and_then(|function| function.downcast::<Function<A, B>>().ok());
    let Some(function) = function else {
        return code.push("/* a function that was not generated */");
    };
    code.push(before);
    code.later(move || function.closure(parameters).unwrap_or_default());
    code.push(after);
}

/// Generates a function pointer: one of the `trampolines`, which differ in their index.
fn draw_pointer<A: 'static, B: Generate + 'static, P: Copy + 'static>(
    source: &mut Source,
    trampolines: [P; POINTERS_MAX],
    address: impl FnOnce(P) -> usize,
) -> P {
    let count = begin_pointer(TypeId::of::<P>(), source.case());
    let pointer = trampolines[count % POINTERS_MAX];
    if count < POINTERS_MAX {
        let function = (address(pointer), Rc::new(Function::<A, B>::generate(source)) as _);
        with_pointers::<P, _>(|pointers| pointers.functions.push(function));
    }
    pointer
}

/// Returns how many pointers of a type the case has, and counts one more.
fn begin_pointer(pointer_type: TypeId, case: rc::Weak<()>) -> usize {
    let mut earlier = None;
    let count = POINTERS.with_borrow_mut(|all| {
        let is_this = |pointers: &Pointers| pointers.pointer_type == pointer_type;
        let mut at = all.iter().position(is_this);
        if let Some(old) = at.take_if(|at| !all[*at].case.ptr_eq(&case)) {
            earlier = Some(all.swap_remove(old));
        }
        let at = at.unwrap_or_else(|| {
            all.push(Pointers { pointer_type, case, count: 0, functions: Vec::new() });
            all.len() - 1
        });
        let count = all[at].count;
        all[at].count += 1;
        count
    });
    // Drop them outside of the borrow: their destructors may run any code.
    drop(earlier);
    count
}

fn with_pointers<P: 'static, R>(use_them: impl FnOnce(&mut Pointers) -> R) -> Option<R> {
    POINTERS.with_borrow_mut(|all| {
        let is_this = |pointers: &&mut Pointers| pointers.pointer_type == TypeId::of::<P>();
        all.iter_mut().find(is_this).map(use_them)
    })
}

/// Calls the function behind a trampoline.
fn call_pointer<P: 'static, A: PartialEq + 'static, B: Clone + 'static>(
    index: usize,
    argument: A,
) -> B {
    let function = with_pointers::<P, _>(|pointers| {
        pointers.functions.get(index).map(|(_, function)| Rc::clone(function))
    });
    call(function.flatten(), argument)
}

fn write_pointer<P: 'static, A: ToCode + 'static, B: ToCode + 'static>(
    code: &mut Code,
    address: usize,
    parameters: &'static Parameters,
) {
    let function = with_pointers::<P, _>(|pointers| {
        let mut functions = pointers.functions.iter();
        functions.find(|(known, _)| *known == address).map(|(_, function)| Rc::clone(function))
    });
    write::<A, B>(code, function.flatten(), parameters, ["", ""]);
}

/// Implements one pointer to one kind of closure.
macro_rules! object {
    (
        $pointer:ident, $path:literal, $kind:ident $(+ $auto:ident)*;
        [$($generic:ident: {$($bound:tt)*}),*] ($($input:ty),*) => $argument:ty,
        |$($name:ident),*| $value:expr, $parameters:ident
    ) => {
        #[allow(coherence_leak_check, reason = "`Fn(A)` does not include `Fn(&A)`")]
        impl<'f, $($generic: $($bound)*,)* R: Generate + Clone + 'static> Generate
            for $pointer<dyn $kind($($input),*) -> R $(+ $auto)* + 'f>
        {
            fn generate(source: &mut Source) -> Self {
                let (handle, object) = draw_object::<$argument, R>(source);
                let closure: Self = $pointer::new(move |$($name: $input),*| handle.call($value));
                add_object(object, std::ptr::from_ref(&*closure).addr());
                closure
            }
        }

        #[allow(coherence_leak_check, reason = "`Fn(A)` does not include `Fn(&A)`")]
        impl<'f, $($generic: $($bound)*,)* R: ToCode + 'static> ToCode
            for $pointer<dyn $kind($($input),*) -> R $(+ $auto)* + 'f>
        where
            $argument: ToCode,
        {
            fn to_code(&self, code: &mut Code) {
                let address = std::ptr::from_ref(&**self).addr();
                let around = [concat!($path, "("), ")"];
                write_object::<$argument, R>(code, address, &Parameters::$parameters, around);
            }
        }
    };
}

/// Implements function pointers.
macro_rules! pointer {
    (
        [$($generic:ident: {$($bound:tt)*}),*] ($($input:ty),*) => $argument:ty,
        |$($name:ident),*| $value:expr, $parameters:ident
    ) => {
        #[allow(coherence_leak_check, reason = "`fn(A)` does not include `fn(&A)`")]
        impl<$($generic: $($bound)*,)* R: Generate + Clone + 'static> Generate for fn($($input),*) -> R {
            fn generate(source: &mut Source) -> Self {
                fn trampoline<const N: usize, $($generic: $($bound)*,)* R: Clone + 'static>(
                    $($name: $input),*
                ) -> R {
                    call_pointer::<fn($($input),*) -> R, $argument, R>(N, $value)
                }
                let trampolines: [Self; POINTERS_MAX] = [
                    trampoline::<0, $($generic,)* R>,
                    trampoline::<1, $($generic,)* R>,
                    trampoline::<2, $($generic,)* R>,
                    trampoline::<3, $($generic,)* R>,
                    trampoline::<4, $($generic,)* R>,
                    trampoline::<5, $($generic,)* R>,
                    trampoline::<6, $($generic,)* R>,
                    trampoline::<7, $($generic,)* R>,
                ];
                draw_pointer::<$argument, R, Self>(source, trampolines, |pointer| {
                    (pointer as *const ()).addr()
                })
            }
        }

        #[allow(coherence_leak_check, reason = "`fn(A)` does not include `fn(&A)`")]
        impl<$($generic: $($bound)*,)* R: ToCode + 'static> ToCode for fn($($input),*) -> R
        where
            $argument: ToCode,
        {
            fn to_code(&self, code: &mut Code) {
                let address = (*self as *const ()).addr();
                write_pointer::<Self, $argument, R>(code, address, &Parameters::$parameters);
            }
        }
    };
}

/// Implements all closures and pointers with some parameters.
macro_rules! functions {
    ($($shape:tt)*) => {
        object!(Box, "Box::new", Fn; $($shape)*);
        object!(Box, "Box::new", Fn + Send; $($shape)*);
        object!(Box, "Box::new", Fn + Send + Sync; $($shape)*);
        object!(Box, "Box::new", FnMut; $($shape)*);
        object!(Box, "Box::new", FnMut + Send; $($shape)*);
        object!(Box, "Box::new", FnOnce; $($shape)*);
        object!(Box, "Box::new", FnOnce + Send; $($shape)*);
        object!(Rc, "std::rc::Rc::new", Fn; $($shape)*);
        object!(Arc, "std::sync::Arc::new", Fn + Send + Sync; $($shape)*);
        pointer!($($shape)*);
    };
}
functions!([] () => (), | | (), NONE);
functions!([A: {PartialEq + 'static}] (A) => A, |x| x, ONE);
functions!(
    [A: {PartialEq + 'static}, B: {PartialEq + 'static}] (A, B) => (A, B),
    |a, b| (a, b), TWO
);
functions!(
    [A: {PartialEq + 'static}, B: {PartialEq + 'static}, C: {PartialEq + 'static}]
    (A, B, C) => (A, B, C), |a, b, c| (a, b, c), THREE
);
functions!(
    [A: {ToOwned<Owned: PartialEq + 'static> + ?Sized + 'static}] (&A) => A::Owned,
    |x| x.to_owned(), ONE_REFERENCE
);
functions!(
    [
        A: {ToOwned<Owned: PartialEq + 'static> + ?Sized + 'static},
        B: {ToOwned<Owned: PartialEq + 'static> + ?Sized + 'static}
    ]
    (&A, &B) => (A::Owned, B::Owned), |a, b| (a.to_owned(), b.to_owned()), TWO_REFERENCES
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::resolve;
    use crate::testing::{from_tape, random};
    use crate::{any, sample};

    #[test]
    fn closures_are_pure_and_printed_after_the_run() {
        let f = from_tape(&any::<Box<dyn Fn(i32) -> u8>>(), "i7 i8");
        let text = Code::of(&f);
        assert_eq!([f(3), f(-4), f(3)], [7, 8, 7]);
        assert_eq!(resolve(&text), "Box::new(|x| match x { -4 => 8, _ => 7 })");
        let mut f = from_tape(&any::<Box<dyn FnMut(&str, &u8) -> u8 + Send>>(), "i7 i8");
        let text = Code::of(&f);
        assert_eq!([f("a", &1), f("b", &2), f("a", &1)], [7, 8, 7]);
        assert_eq!(
            resolve(&text),
            "Box::new(|a, b| { let x = (a.to_owned(), b.to_owned()); \
             if x == (\"b\".to_string(), 2) { 8 } else { 7 } })"
        );
        let f = from_tape(&any::<Arc<dyn Fn(u8, bool, char) + Send + Sync>>(), "");
        let text = Code::of(&f);
        f(1, true, 'x');
        assert_eq!(resolve(&text), "std::sync::Arc::new(|_, _, _| ())");
        let f = from_tape(&any::<Box<dyn FnOnce() -> u8>>(), "i7");
        let text = Code::of(&f);
        assert_eq!(f(), 7);
        assert_eq!(resolve(&text), "Box::new(|| 7)");
    }

    #[test]
    fn function_pointers_are_pure_and_printed_after_the_run() {
        let mut source = random(1);
        let all = <[fn(u8) -> u64; 10]>::generate(&mut source);
        let text = Code::of(&all[1]);
        let answers = all.map(|f| f(1));
        assert_eq!(all.map(|f| f(1)), answers);
        assert_eq!(answers[8..], answers[..2], "there are eight");
        assert!(answers[..8].iter().any(|answer| *answer != answers[0]));
        assert_eq!(resolve(&text), format!("|_| {}", answers[1]));
        let by_reference = from_tape(&any::<fn(&str) -> u8>(), "i7 i8");
        let text = Code::of(&by_reference);
        assert_eq!([by_reference("a"), by_reference("b")], [7, 8]);
        assert_eq!(resolve(&text), "|x| match x.to_owned().as_str() { \"b\" => 8, _ => 7 }");
    }

    #[test]
    fn function_pointers_depend_on_their_case_only() {
        let draw = |seed| sample(&any::<fn(u8) -> u64>(), seed)(1);
        let first: Vec<u64> = (0..20).map(draw).collect();
        assert_eq!((0..20).map(draw).collect::<Vec<_>>(), first);
    }

    #[test]
    fn other_functions_are_not_printed() {
        let own: Box<dyn Fn(u8) -> u8> = Box::new(|x| x);
        assert_eq!(Code::of(&own), "/* a function that was not generated */");
        let own: fn(u8) -> u8 = |x| x;
        assert_eq!(Code::of(&own), "/* a function that was not generated */");
    }

    #[test]
    fn a_closure_says_why_it_does_not_answer_on_another_thread() {
        let f = from_tape(&any::<Box<dyn Fn(u8) -> u8 + Send>>(), "i7");
        let payload = std::thread::spawn(move || f(1)).join().expect_err("it cannot answer");
        let message = payload.downcast_ref::<String>().expect("a message");
        assert!(message.contains("another thread"), "{message}");
    }
}
