//! Clauses on all shapes of receivers and results: they compile, each has its own place, and the
//! message shows the object.

#![expect(dead_code, reason = "that they compile is what is tested")]
#![expect(
    clippy::needless_arbitrary_self_type,
    clippy::boxed_local,
    reason = "these shapes of receivers are tested too"
)]

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::rc::Rc;

/// A condition about a result of any type.
fn is_fine<T>(_: &T) -> bool {
    true
}

/// A list. `n` says which clause is broken.
#[derive(Clone, Debug, Default)]
pub struct List {
    n: u8,
    rest: Vec<u8>,
}

macro_rules! list {
    ($this_token:tt; $($name:ident(($($receiver:tt)+)) -> $result:ty { $body:expr })+) => {
        #[rebut::contract(only_checks)]
        #[invariant($this_token.n < 200)]
        impl List {
            $(
                #[requires($this_token.n < 100)]
                #[ensures(is_fine(&result), old($this_token.rest.len()) < 9)]
                #[ensures(old($this_token.n) < 8, x < 3)]
                pub fn $name($($receiver)+, x: u8, owned: String) -> $result {
                    if x == 77 || owned.len() > 9 {
                        return $body;
                    }
                    $body
                }
            )+
        }
    };
}

list! {
    self;
    shared_value((&self)) -> u8 { self.n }
    shared_ref((&self)) -> &u8 { &self.n }
    shared_option((&self)) -> Option<&u8> { self.rest.first() }
    shared_result((&self)) -> Result<&u8, String> { Ok(&self.n) }
    shared_pair((&self)) -> (&u8, u8) { (&self.n, 1) }
    shared_slice((&self)) -> &[u8] { &self.rest }
    shared_boxed((&self)) -> Box<dyn Iterator<Item = &u8> + '_> { Box::new(self.rest.iter()) }
    shared_iter((&self)) -> std::slice::Iter<'_, u8> { self.rest.iter() }
    shared_cow((&self)) -> Cow<'_, [u8]> { Cow::Borrowed(&self.rest) }
    shared_own((&self)) -> &Self { self }
    mut_nothing((&mut self)) -> () { self.n += 0 }
    mut_value((&mut self)) -> u8 { self.n }
    mut_ref((&mut self)) -> &u8 { &self.n }
    mut_mut((&mut self)) -> &mut u8 { &mut self.n }
    mut_option((&mut self)) -> Option<&u8> { self.rest.first() }
    mut_option_mut((&mut self)) -> Option<&mut u8> { self.rest.first_mut() }
    mut_result_mut((&mut self)) -> Result<&mut u8, String> { Ok(&mut self.n) }
    mut_pair((&mut self)) -> (&mut u8, &[u8]) { (&mut self.n, &self.rest) }
    mut_slice((&mut self)) -> &mut [u8] { &mut self.rest }
    mut_boxed((&mut self)) -> Box<dyn Iterator<Item = &mut u8> + '_> {
        Box::new(self.rest.iter_mut())
    }
    mut_drain((&mut self)) -> std::vec::Drain<'_, u8> { self.rest.drain(..) }
    mut_own((&mut self)) -> &mut Self { self }
    own_value((self)) -> u8 { self.rest.into_iter().next().unwrap_or_default() }
    own_own((self)) -> Self { self }
    mut_own_own((mut self)) -> List { { self.n += 0; self } }
    boxed((self: Box<Self>)) -> Vec<u8> { self.rest }
    counted((self: Rc<Self>)) -> Rc<Self> { self }
    pinned((self: Pin<&mut Self>)) -> &mut u8 { &mut self.get_mut().n }
    pinned_value((self: Pin<&mut Self>)) -> u8 { self.n }
    typed((self: &Self)) -> &u8 { &self.n }
    typed_mut((self: &mut Self)) -> &mut u8 { &mut self.n }
}

#[test]
fn clauses_compile_on_all_shapes() {
    let mut list = List { n: 1, rest: vec![4] };
    assert_eq!(*list.mut_mut(0, String::new()), 1);
    assert_eq!(list.mut_option_mut(0, String::new()), Some(&mut 4));
    assert_eq!(list.shared_option(0, String::new()), Some(&4));
    assert_eq!(list.own_value(0, String::new()), 4);
}

/// Shown as code, because it has a generator and thus `ToCode`.
#[derive(Clone, Debug, rebut::Generate)]
pub struct Coded {
    n: u8,
}

/// Shown by `Debug`.
#[derive(Clone, Debug)]
pub struct Plain {
    n: u8,
}

/// Not shown.
pub struct Hidden {
    n: u8,
}

macro_rules! numbered {
    ($name:ident) => {
        #[rebut::contract(only_checks)]
        #[invariant(self.n != 9)]
        impl $name {
            #[requires(self.n != 1)]
            #[ensures(self.n != 2)]
            pub fn shared(&self) {}

            #[requires(self.n != 1)]
            #[ensures(self.n != 2)]
            pub fn mutable(&mut self) {}

            #[requires(self.n != 1)]
            pub fn owned(self) {}

            #[requires(self.n != 1)]
            #[ensures(self.n != 2)]
            pub fn boxed(self: Box<Self>) {}
        }
    };
}

numbered!(Coded);
numbered!(Plain);
numbered!(Hidden);

/// The object of the message of a broken contract.
fn object(run: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(run)).expect_err("a broken contract");
    let text = payload.downcast_ref::<String>().cloned().unwrap_or_default();
    let mut lines = text.lines().filter_map(|line| line.trim().strip_prefix("object: "));
    lines.next().unwrap_or_default().to_owned()
}

#[test]
fn objects_are_shown_without_the_reference_to_them() {
    for n in [1, 2, 9] {
        let expected = format!("Coded {{ n: {n} }}");
        assert_eq!(object(|| Coded { n }.shared()), expected);
        assert_eq!(object(|| Coded { n }.mutable()), expected);
        assert_eq!(object(|| Box::new(Coded { n }).boxed()), expected);
        let expected = format!("Plain {{ n: {n} }}");
        assert_eq!(object(|| Plain { n }.shared()), expected);
        assert_eq!(object(|| Plain { n }.mutable()), expected);
        assert_eq!(object(|| Box::new(Plain { n }).boxed()), expected);
        for shown in [
            object(|| Hidden { n }.shared()),
            object(|| Hidden { n }.mutable()),
            object(|| Box::new(Hidden { n }).boxed()),
        ] {
            assert!(shown.starts_with("cannot be shown") && !shown.contains("`&"), "{shown}");
        }
    }
    assert_eq!(object(|| Coded { n: 1 }.owned()), "Coded { n: 1 }");
    assert_eq!(object(|| Plain { n: 9 }.owned()), "Plain { n: 9 }");
}

/// Several clauses, each in its own line.
#[derive(Debug, Default)]
pub struct Counter {
    n: u8,
}

/// The line of the attribute below.
const CONTRACT: u32 = line!() + 2;

#[rebut::contract]
#[invariant(self.n != 3)]
impl Counter {
    pub fn new() -> Counter {
        Counter::default()
    }

    #[ensures(self.n != 5)]
    #[ensures(
        result != 8,
        result != 9
    )]
    pub fn add(&mut self, n: u8) -> u8 {
        self.n = n;
        n
    }

    #[ensures(*result != 7)]
    pub fn set(&mut self, n: u8, #[ensures(result != 6)] read: impl Fn() -> u8) -> &mut u8 {
        self.n = n.wrapping_add(read());
        &mut self.n
    }
}

#[test]
fn each_clause_is_a_failure_of_its_own_line() {
    let report = rebut::Check::new("counter")
        .cases(2000)
        .configure(|settings| {
            settings.database = false;
            settings.failures_max = 20;
        })
        .run(|case| case.draw_as("program", rebut::Program::<Counter>::any()).run());
    let rebut::report::Verdict::Failed(found) = report.verdict else { panic!("{report}") };
    let mut lines: Vec<u32> = found
        .iter()
        .map(|one| one.failure.location.as_ref().expect("a location").line - CONTRACT)
        .collect();
    lines.sort_unstable();
    assert_eq!(lines, [1, 7, 9, 10, 17]);
}

/// An object that is only generated.
#[derive(Clone, Debug, rebut::Generate)]
pub struct Tally {
    #[generate(rebut::just(0))]
    calls: u8,
    /// Nothing compares it. It makes objects differ.
    kind: u16,
}

#[rebut::contract]
impl Tally {
    #[ensures(self.calls < 5)]
    pub fn add(&mut self) {
        self.calls += 1;
    }
}

#[test]
fn generated_objects_live_for_several_calls() {
    let report = rebut::Check::new("tally")
        .configure(|settings| settings.database = false)
        .run(|case| case.draw_as("program", rebut::Program::<Tally>::any()).run());
    let rebut::report::Verdict::Failed(found) = report.verdict else { panic!("{report}") };
    let code = &found[0].values[0].code;
    assert!(code.contains("let mut tally = Tally { calls: 0, kind: 0 };\n"), "{code}");
    assert_eq!(code.matches("tally.add();").count(), 5, "{code}");
}

/// The only clause that can fail is never reached: the precondition is false in every program.
#[derive(Debug, Default)]
pub struct Gate {
    n: u8,
}

#[rebut::contract]
impl Gate {
    pub fn new() -> Gate {
        Gate::default()
    }

    #[requires(self.n == 77)]
    #[ensures(false)]
    pub fn get(&self) -> u8 {
        self.n
    }

    #[requires(n < 3)]
    pub fn set(&mut self, n: u8) {
        self.n = n;
    }
}

/// The program reaches the clause of the inner call.
#[derive(Debug, Default)]
pub struct Inner {
    n: u8,
}

#[rebut::contract]
impl Inner {
    pub fn new() -> Inner {
        Inner::default()
    }

    pub fn add(&mut self) {
        self.step(1);
    }

    #[ensures(result < 9)]
    #[requires(self.n > 200)]
    pub fn rare(&self) -> u8 {
        1
    }

    #[requires(n < 3)]
    fn step(&mut self, n: u8) {
        self.n = self.n.wrapping_add(n) % 100;
    }
}

/// No clause can fail, so programs test that nothing panics.
#[derive(Debug, Default)]
pub struct Bare;

#[rebut::contract]
impl Bare {
    pub fn new() -> Bare {
        Bare
    }

    #[requires(n < 3)]
    pub fn get(&self, n: u8) -> u8 {
        n
    }
}

#[test]
fn programs_without_a_clause_that_can_fail_are_vacuous() {
    fn verdict<S: rebut::Contracted + 'static>() -> String {
        let report = rebut::Check::new("gate")
            .configure(|settings| settings.database = false)
            .run(|case| case.draw_as("program", rebut::Program::<S>::any()).run());
        report.to_string()
    }
    let idle = verdict::<Gate>();
    assert!(idle.starts_with("error[R003]"), "{idle}");
    assert!(idle.contains("none of them reached a clause that can fail"), "{idle}");
    assert!(idle.contains("`Gate::get` was never called"), "{idle}");
    for busy in [verdict::<Inner>(), verdict::<Bare>()] {
        assert!(busy.starts_with("gate: passed"), "{busy}");
    }
}

/// Constructors and other functions whose result is an object that breaks the invariant.
mod made {
    #[derive(Clone, Debug)]
    pub struct Small(u8);

    #[rebut::contract]
    #[invariant(self.0 < 10)]
    impl Small {
        pub fn new() -> Self {
            Small(0)
        }

        pub fn as_self(n: u8) -> Self {
            Small(n)
        }

        pub fn by_name(n: u8) -> Small {
            Small(n)
        }

        pub fn maybe(n: u8) -> Option<Small> {
            Some(Small(n))
        }

        pub fn tried(n: u8) -> Result<Self, String> {
            Ok(Small(n))
        }

        pub fn boxed(n: u8) -> Box<Small> {
            Box::new(Small(n))
        }

        pub fn builder(self, n: u8) -> Self {
            Small(n)
        }

        pub fn next(&self, n: u8) -> Small {
            Small(n)
        }

        pub fn part(&mut self, n: u8) -> &mut u8 {
            self.0 = n;
            &mut self.0
        }

        pub fn get(&self) -> u8 {
            self.0
        }
    }
}

fn use_up<T>(_object: T) {}

#[test]
fn results_that_are_objects_keep_the_invariant() {
    use made::Small;

    let calls: [(&str, fn(u8)); 7] = [
        ("as_self", |n| use_up(Small::as_self(n))),
        ("by_name", |n| use_up(Small::by_name(n))),
        ("maybe", |n| use_up(Small::maybe(n))),
        ("tried", |n| use_up(Small::tried(n))),
        ("boxed", |n| use_up(Small::boxed(n))),
        ("builder", |n| use_up(Small::new().builder(n))),
        ("next", |n| use_up(Small::new().next(n))),
    ];
    for (name, call) in calls {
        call(9);
        let payload = catch_unwind(AssertUnwindSafe(|| call(10))).expect_err(name);
        let message = payload.downcast_ref::<String>().expect("a message");
        let expected = format!("contract violated: `Small::{name}` keeps `self.0 < 10`");
        assert!(message.starts_with(&expected), "{message}");
        assert!(message.contains(&format!("at fault: `Small::{name}`")), "{message}");
    }
}

#[test]
fn an_innocent_call_is_not_blamed_for_an_earlier_one() {
    let mut small = made::Small::new();
    // Its result borrows the object, which therefore cannot be checked.
    *small.part(3) = 10;
    let payload = catch_unwind(AssertUnwindSafe(|| small.get())).expect_err("it is broken");
    let message = payload.downcast_ref::<String>().expect("a message");
    assert!(message.starts_with("contract violated: `self.0 < 10` is false before `Small::get`"));
    assert!(message.contains("at fault: an earlier call"), "{message}");
}

/// An object whose block does not repeat the bounds of `Debug`, and a trait.
mod unshown {
    #[derive(Debug)]
    pub struct Stack<T>(Vec<T>);

    #[rebut::contract(with(T = u8))]
    impl<T> Stack<T> {
        pub fn new() -> Stack<T> {
            Stack(Vec::new())
        }

        #[requires(!self.0.is_empty())]
        pub fn pop(&mut self) -> Option<T> {
            self.0.pop()
        }
    }

    #[rebut::contract]
    pub trait Policy {
        #[requires(n > 0)]
        fn rate(&self, n: u8) -> u8;
    }

    #[rebut::contract]
    pub fn rated(policy: &dyn Policy, n: u8) -> u8 {
        policy.rate(n)
    }
}

#[test]
fn an_object_without_debug_is_not_said_to_have_none() {
    let popped = || unshown::Stack::<u8>::new().pop().is_some();
    let payload = catch_unwind(AssertUnwindSafe(popped)).expect_err("it is empty");
    let message = payload.downcast_ref::<String>().expect("a message");
    let object = "object: cannot be shown, because the `impl` block does not know `Debug` for \
                  `contracts::clauses::unshown::Stack<u8>`\n";
    assert!(message.contains(object), "{message}");
    let report = super::failure::<unshown::rated>().expect("a failure");
    assert!(report.contains("`Policy::rate` requires `n > 0`"), "{report}");
    assert!(!report.contains("object:"), "{report}");
}
