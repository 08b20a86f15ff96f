//! Generated functions.
//!
//! A generated function has no body. Its result for an argument is drawn on the first call and then
//! remembered, so the function is pure. Only the calls of the code under test are on the tape.
//! Claessen ("Shrinking and showing functions", 2012) gets the same effect by building a table
//! lazily; here the tape is the table. After the run, the function is printed as a closure that
//! covers the arguments it was called with.

pub(crate) mod closure;
mod objects;

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use rebut_choice::{Label, Source};

use self::closure::Parameters;
use crate::{AsGenerator, Boxed, Code, Generate, Generator, ToCode, any};

/// Generates pure functions whose results come from `answers`.
///
/// The results shrink one by one. A function that returns the simplest result for every argument is
/// the simplest.
///
/// # Examples
/// ```
/// use rebut::{functions, sample};
///
/// let scores = functions::<String, u8>(0..=9);
/// let score = sample(&scores, 1);
/// let first = score.call("a".to_string());
/// assert!(first <= 9);
/// assert_eq!(score.call("a".to_string()), first);
/// ```
#[must_use]
pub fn functions<A, B>(answers: impl AsGenerator<Value = B> + 'static) -> Functions<A, B> {
    Functions { answers: Boxed::new(answers), arguments: std::marker::PhantomData }
}

/// The generator that [`functions`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::Functions;
/// use rebut::{functions, simplest};
///
/// fn predicates() -> Functions<i32, bool> {
///     functions([false, true])
/// }
/// assert_eq!(simplest(&predicates()).call(7), false);
/// ```
pub struct Functions<A, B> {
    answers: Boxed<'static, B>,
    arguments: std::marker::PhantomData<fn(A)>,
}

impl<A, B> Generator for Functions<A, B> {
    type Value = Function<A, B>;

    fn draw(&self, source: &mut Source) -> Function<A, B> {
        source.note_answers();
        let (source, answers) = (source.clone(), self.answers.clone());
        Function { inner: Rc::new(Inner::Drawn { source, answers, table: RefCell::default() }) }
    }
}

impl<A, B: Generate + 'static> Generate for Function<A, B> {
    fn generate(source: &mut Source) -> Function<A, B> {
        functions(any::<B>()).draw(source)
    }
}

/// A pure function from `A` to `B`, as a parameter of a test.
///
/// For functions with no, two or three arguments, `A` is a tuple. A clone is the same function.
///
/// # Examples
/// ```test_harness
/// use rebut::Function;
///
/// #[rebut::test]
/// fn map_keeps_the_length(list: Vec<u8>, double: Function<u8, i64>) {
///     let mapped: Vec<i64> = list.iter().copied().map(double.as_fn()).collect();
///     assert_eq!(mapped.len(), list.len());
/// }
/// ```
pub struct Function<A, B> {
    inner: Rc<Inner<A, B>>,
}

enum Inner<A, B> {
    Drawn { source: Source, answers: Boxed<'static, B>, table: RefCell<Vec<(A, B)>> },
    Given(Box<dyn Fn(A) -> B>),
}

const ANSWER: Label = Label::group("answer");

impl<A, B> Function<A, B> {
    /// Creates a function with the given body. Reports print generated functions this way.
    ///
    /// # Examples
    /// ```
    /// use rebut::Function;
    ///
    /// let is_three = Function::new(|x| match x { 3 => true, _ => false });
    /// assert!(is_three.call(3) && !is_three.call(4));
    /// ```
    #[must_use]
    pub fn new(body: impl Fn(A) -> B + 'static) -> Function<A, B>
    where
        A: 'static,
        B: 'static,
    {
        Function { inner: Rc::new(Inner::Given(Box::new(body))) }
    }
}

impl<A: PartialEq, B: Clone> Function<A, B> {
    /// Calls the function.
    ///
    /// The result for a new argument is generated. An argument that was seen before gets the same
    /// result again. An argument that does not equal itself, such as NaN, is always new.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Function, any, sample};
    ///
    /// let f = sample(&any::<Function<i32, String>>(), 1);
    /// assert_eq!(f.call(1), f.call(1));
    /// ```
    #[must_use]
    pub fn call(&self, argument: A) -> B {
        let (source, answers, table) = match &*self.inner {
            Inner::Given(body) => return body(argument),
            Inner::Drawn { source, answers, table } => (source, answers, table),
        };
        let find = |(known, _): &&(A, B)| *known == argument;
        let known = table.borrow().iter().find(find).map(|(_, answer)| answer.clone());
        known.unwrap_or_else(|| {
            let answer = source.clone().span(ANSWER, |source| answers.draw(source));
            table.borrow_mut().push((argument, answer.clone()));
            answer
        })
    }
}

impl<A: PartialEq + 'static, B: Clone + 'static> Function<A, B> {
    /// Returns the function as a closure.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Function, any, sample};
    ///
    /// let f = sample(&any::<Function<i32, i32>>(), 1);
    /// let mapped: Vec<i32> = [1, 1].into_iter().map(f.as_fn()).collect();
    /// assert_eq!(mapped[0], mapped[1]);
    /// ```
    pub fn as_fn(&self) -> impl Fn(A) -> B + Clone + use<A, B> {
        self.clone().into_fn()
    }

    /// Turns the function into a closure. Unlike [`as_fn`](Function::as_fn), it does not clone.
    ///
    /// # Examples
    /// ```
    /// use rebut::Function;
    ///
    /// let double = Function::new(|n: u8| n * 2).into_fn();
    /// assert_eq!(double(4), 8);
    /// ```
    pub fn into_fn(self) -> impl Fn(A) -> B + Clone + use<A, B> {
        move |argument| self.call(argument)
    }
}

impl<B: Clone + 'static> Function<(), B> {
    /// Turns the function into a closure without arguments.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Function, any, sample};
    ///
    /// let clock = sample(&any::<Function<(), u64>>(), 1).into_fn0();
    /// assert_eq!(clock(), clock());
    /// ```
    pub fn into_fn0(self) -> impl Fn() -> B + Clone + use<B> {
        move || self.call(())
    }
}

impl<A1, A2, B> Function<(A1, A2), B>
where
    A1: PartialEq + 'static,
    A2: PartialEq + 'static,
    B: Clone + 'static,
{
    /// Turns the function into a closure with two arguments.
    ///
    /// # Examples
    /// ```
    /// use rebut::Function;
    ///
    /// let add = Function::new(|(a, b): (u8, u8)| a + b).into_fn2();
    /// assert_eq!(add(1, 2), 3);
    /// ```
    pub fn into_fn2(self) -> impl Fn(A1, A2) -> B + Clone + use<A1, A2, B> {
        move |first, second| self.call((first, second))
    }
}

impl<A1, A2, A3, B> Function<(A1, A2, A3), B>
where
    A1: PartialEq + 'static,
    A2: PartialEq + 'static,
    A3: PartialEq + 'static,
    B: Clone + 'static,
{
    /// Turns the function into a closure with three arguments.
    ///
    /// # Examples
    /// ```
    /// use rebut::Function;
    ///
    /// let add = Function::new(|(a, b, c): (u8, u8, u8)| a + b + c).into_fn3();
    /// assert_eq!(add(1, 2, 3), 6);
    /// ```
    pub fn into_fn3(self) -> impl Fn(A1, A2, A3) -> B + Clone + use<A1, A2, A3, B> {
        move |first, second, third| self.call((first, second, third))
    }
}

impl<A, B> Clone for Function<A, B> {
    fn clone(&self) -> Self {
        Function { inner: Rc::clone(&self.inner) }
    }
}

impl<A: ToCode, B: ToCode> Function<A, B> {
    /// Returns the results so far as a closure, or `None` if the function was given.
    fn closure(&self, parameters: &Parameters) -> Option<String> {
        let Inner::Drawn { table, .. } = &*self.inner else { return None };
        let table = table.borrow();
        let entry = |(argument, answer): &(A, B)| (Code::of(argument), Code::of(answer));
        let entries: Vec<(String, String)> = table.iter().map(entry).collect();
        Some(closure::written(&entries, parameters))
    }
}

/// Prints the function as a closure, after the run, when its arguments are known.
impl<A: ToCode + 'static, B: ToCode + 'static> ToCode for Function<A, B> {
    fn to_code(&self, code: &mut Code) {
        let function = self.clone();
        code.later(move || {
            let closure = function.closure(&Parameters::ONE);
            let closure = closure.as_deref().unwrap_or("/* a function that was given */");
            format!("rebut::Function::new({closure})")
        });
    }
}

impl<A: fmt::Debug, B: fmt::Debug> fmt::Debug for Function<A, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Function ")?;
        match &*self.inner {
            Inner::Given(_) => f.write_str("{ .. }"),
            Inner::Drawn { table, .. } => {
                f.debug_map().entries(table.borrow().iter().map(|(a, b)| (a, b))).finish()
            }
        }
    }
}

impl<A, B> Clone for Functions<A, B> {
    fn clone(&self) -> Self {
        Functions { answers: self.answers.clone(), arguments: self.arguments }
    }
}

impl<A, B> fmt::Debug for Functions<A, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("functions(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::resolve;
    use crate::integers;
    use crate::testing::random;
    use rebut_choice::Tape;

    #[test]
    fn results_are_drawn_at_the_first_call_and_remembered() {
        let mut source = random(1);
        let f = functions::<i32, u8>(integers().max_value(9)).draw(&mut source);
        assert!(source.is_empty());
        let answers = [f.call(1), f.call(2), f.call(1)];
        assert_eq!(answers[0], answers[2]);
        assert_eq!(source.len(), 2);
    }

    #[test]
    fn a_function_replays_and_is_shown_after_the_run() {
        let mut source = Source::replay(&Tape::from_text("i7 i8").expect("a tape"));
        let f: Function<i32, u8> = any().draw(&mut source);
        let text = Code::of(&f);
        assert_eq!((f.call(3), f.call(-4)), (7, 8));
        assert_eq!(resolve(&text), "rebut::Function::new(|x| match x { -4 => 8, _ => 7 })");
        assert_eq!(format!("{f:?}"), "Function {3: 7, -4: 8}");
    }

    #[test]
    fn functions_can_answer_with_functions() {
        let mut source = Source::replay(&Tape::from_text("(g1 ) (g1 i5 )").expect("a tape"));
        let curried: Function<u8, Function<u8, u8>> = any().draw(&mut source);
        let text = Code::of(&curried);
        assert_eq!(curried.call(1).call(2), 5);
        assert_eq!(resolve(&text), "rebut::Function::new(|_| rebut::Function::new(|_| 5))");
    }

    #[test]
    fn functions_become_closures_of_any_number_of_arguments() {
        let mut source = random(2);
        let none = <Function<(), u8>>::generate(&mut source).into_fn0();
        assert_eq!(none(), none());
        let three = <Function<(u8, char, bool), u64>>::generate(&mut source).into_fn3();
        assert_eq!(three(1, 'a', true), three.clone()(1, 'a', true));
    }
}
