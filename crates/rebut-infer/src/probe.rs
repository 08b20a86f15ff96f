//! Probes: tests that call a method once, and report what the observers return before and after.
//!
//! A probe is an ordinary `#[rebut::test]` in the module of the type, so that it can call private
//! functions.
//! Its state is generated (`states.rs`). For `List::add(item)`, with the observers `count` and
//! `contains`, the probe is:
//!
//! ```text
//! #[rebut::test]
//! fn probe_add_0(mut list: List, item: String, other_item: &str) {
//!     rebut::__observe!(0, &item);                       // argument of the call
//!     rebut::__observe!(1, &other_item);                 // free value
//!     rebut::__observe!(2, list.count());                // before the call
//!     rebut::__observe!(3, list.contains(&item));
//!     rebut::__observe!(4, list.contains(other_item));
//!     rebut::__observe_call!(5, list.add(item.clone())); // the call and its result
//!     rebut::__observe!(6, list.count());                // after the call
//!     rebut::__observe!(7, list.contains(&item));
//!     rebut::__observe!(8, list.contains(other_item));
//! }
//! ```
//!
//! The number of an observation is its *slot*. An observer with parameters is applied to the
//! arguments of the call, and to a *free* value that nothing else uses: laws about a free value
//! describe what the call does not change. An observer of positions is also applied to the length
//! before the call, which is the position behind the last element.
//!
//! Each group of observers that take values of the same types has a probe of its own. Their paths
//! share conditions; the paths of other observers would be multiplied with them.
//!
//! The code of a probe contains all of its observers. The explorer chooses which slots are
//! observed ([`Probe::watched_slots`]), and the others are not called. So an observer that turns
//! out to panic is dropped without another build.

mod code;
mod plan;

pub(crate) use code::{MODULE, module};

use crate::read::subject::{Method, MethodRole, Parameter, Subject};
use plan::{ProbePlan, observer_groups};
use rebut_concolic::WatchedSlots;
use std::rc::Rc;

/// A test that observes one call, or a part of what such a test observes.
#[derive(Clone)]
pub(crate) struct Probe {
    pub(crate) name: String,
    /// The code of the probe. It may observe more than this probe looks at.
    pub(crate) test: Rc<ProbeTest>,
    /// The method that is called.
    pub(crate) method: Method,
    /// The conditions on the state under which the application in focus does not panic.
    pub(crate) assumptions: Vec<String>,
    /// The application that requires these assumptions. Only laws about it are new.
    pub(crate) focus: Option<usize>,
    pub(crate) applications: Vec<Application>,
    /// The free values.
    pub(crate) free: Vec<Parameter>,
    /// The observed values, by number.
    pub(crate) slots: Vec<ProbeSlot>,
}

/// A test function of the module of probes.
#[derive(Debug, Default)]
pub(crate) struct ProbeTest {
    pub(crate) name: String,
    /// The observed values, by number.
    slots: Vec<ProbeSlot>,
    code: String,
}

/// An observer with its arguments.
#[derive(Clone)]
pub(crate) struct Application {
    pub(crate) observer: Method,
    arguments: Vec<ObserverArgument>,
    /// Whether it is observed before the call, and after it: an observer may panic on one side.
    is_before: bool,
    is_after: bool,
}

/// An argument of an observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ObserverArgument {
    /// An argument of the call.
    Argument(usize),
    /// A free value.
    Free(usize),
    /// The result of an application before the call.
    Earlier(usize),
}

/// A value that a probe observes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProbeSlot {
    /// An argument of the call.
    Argument(usize),
    /// A free value.
    Free(usize),
    /// The result of an application before the call.
    Before(usize),
    /// The result of the call.
    Result,
    /// The result of an application after the call.
    After(usize),
}

/// Returns all probes of a type: for each constructor and modifier, one per group of observers.
pub(crate) fn probes_of_type(subject: &Subject) -> Vec<Probe> {
    let mut probes = Vec::new();
    for method in subject.constructors.iter().chain(&subject.modifiers) {
        for (nth, observers) in observer_groups(subject).iter().enumerate() {
            let mut plan = ProbePlan::new(subject, method);
            let applications = plan.applications(observers);
            probes.push(plan.probe(&probe_name(method, nth), applications));
        }
    }
    probes
}

fn probe_name(method: &Method, nth: usize) -> String {
    format!("probe_{}_{nth}", method.name.trim_start_matches("r#"))
}

/// Returns a probe that finds when an observer panics, in terms of the observers without
/// parameters.
pub(crate) fn probe_of_observer(subject: &Subject, observer: &Method) -> Probe {
    let mut plan = ProbePlan::new(subject, observer);
    let is_other = |other: &&Method| other.parameters.is_empty() && other.name != observer.name;
    let others: Vec<&Method> = subject.observers.iter().filter(is_other).collect();
    let mut applications = plan.applications(&others);
    for application in &mut applications {
        application.is_after = false;
    }
    plan.probe(&format!("{}_panics", probe_name(observer, 0)), applications)
}

/// Returns a probe with one more application before the call, which panics unless these
/// conditions are true.
pub(crate) fn probe_assuming(
    subject: &Subject,
    probe: &Probe,
    nth: usize,
    assumptions: Vec<String>,
) -> Probe {
    let mut plan = ProbePlan::from_probe(subject, probe);
    (plan.assumptions, plan.focus) = (assumptions, Some(nth));
    let mut applications = probe.applications.clone();
    applications[nth].is_before = true;
    plan.probe(&format!("{}_{nth}_shown", probe.name), applications)
}

/// Returns a probe without some of its slots before and after the call.
pub(crate) fn probe_without(subject: &Subject, probe: &Probe, left_out: &[ProbeSlot]) -> Probe {
    let plan = ProbePlan::from_probe(subject, probe);
    let mut applications = probe.applications.clone();
    for (nth, application) in applications.iter_mut().enumerate() {
        let is_left_out = |argument: &ObserverArgument| match argument {
            ObserverArgument::Earlier(earlier) => left_out.contains(&ProbeSlot::Before(*earlier)),
            _ => false,
        };
        let misses_argument = application.arguments.iter().any(is_left_out);
        application.is_before &= !misses_argument && !left_out.contains(&ProbeSlot::Before(nth));
        application.is_after &= !misses_argument && !left_out.contains(&ProbeSlot::After(nth));
    }
    plan.probe(&probe.name, applications)
}

impl Application {
    pub(crate) fn has_no_arguments(&self) -> bool {
        self.arguments.is_empty()
    }
}

impl Probe {
    /// Returns the slots of the test that this probe observes. The application in focus may panic
    /// before the call: its assumptions exclude just that.
    pub(crate) fn watched_slots(&self) -> WatchedSlots {
        let number = |slot: &ProbeSlot| {
            let index = self.slots.iter().position(|own| own == slot)?;
            u32::try_from(index).ok()
        };
        let may_panic = self.focus.and_then(|nth| number(&ProbeSlot::Before(nth)));
        WatchedSlots { slots: self.test.slots.iter().map(number).collect(), may_panic }
    }

    /// Returns a slot by its number.
    pub(crate) fn slot(&self, number: u32) -> Option<ProbeSlot> {
        self.slots.get(number as usize).copied()
    }

    /// Returns the number of a slot.
    pub(crate) fn slot_number(&self, slot: ProbeSlot) -> Option<u32> {
        let index = self.slots.iter().position(|own| *own == slot);
        index.and_then(|index| u32::try_from(index).ok())
    }

    pub(crate) fn is_constructor(&self) -> bool {
        self.method.role == MethodRole::Constructor
    }

    /// Returns the applications whose results before the call are arguments of this one.
    pub(crate) fn earlier_arguments(&self, nth: usize) -> Vec<usize> {
        let arguments = self.applications[nth].arguments.iter();
        let earlier = arguments.filter_map(|argument| match argument {
            ObserverArgument::Earlier(earlier) => Some(*earlier),
            _ => None,
        });
        earlier.collect()
    }

    /// Returns the free values that are arguments of an application.
    pub(crate) fn free_arguments(&self, nth: usize) -> Vec<usize> {
        let arguments = self.applications[nth].arguments.iter();
        let free = arguments.filter_map(|argument| match argument {
            ObserverArgument::Free(free) => Some(*free),
            _ => None,
        });
        free.collect()
    }

    /// Whether an argument of the call is an argument of an application, too.
    pub(crate) fn has_call_argument(&self, nth: usize) -> bool {
        let mut arguments = self.applications[nth].arguments.iter();
        arguments.any(|argument| matches!(argument, ObserverArgument::Argument(_)))
    }

    /// Returns the observer of an application, and the slots of its arguments.
    pub(crate) fn shown_by(&self, nth: usize) -> (&str, Vec<ProbeSlot>) {
        let application = &self.applications[nth];
        let slot = |argument: &ObserverArgument| match argument {
            ObserverArgument::Argument(nth) => ProbeSlot::Argument(*nth),
            ObserverArgument::Free(nth) => ProbeSlot::Free(*nth),
            ObserverArgument::Earlier(nth) => ProbeSlot::Before(*nth),
        };
        (&application.observer.name, application.arguments.iter().map(slot).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::subject_reader::subject_in;
    use expect_test::{Expect, expect};

    fn check(text: &str, name: &str, expected: Expect) {
        let subject = subject_in(text, name);
        let module = module(&subject, &probes_of_type(&subject));
        assert!(syn::parse_file(&module).is_ok(), "{module}");
        expected.assert_eq(&module);
    }

    #[test]
    fn a_type_with_a_generator_has_generated_states() {
        let text = "
            #[derive(Generate)] struct List { items: Vec<String> }
            #[invariant(self.items.len() < 9)]
            impl List {
                pub fn add(&mut self, item: String) -> usize { 0 }
                pub fn count(&self) -> usize { 0 }
                pub fn get(&self, index: usize) -> Option<&String> { None }
                pub fn contains(&self, item: &str) -> bool { false }
            }
        ";
        check(
            text,
            "List",
            expect![[r#"

                #[cfg(test)]
                #[allow(unused, clippy::all)]
                mod rebut_inference {
                use super::*;

                #[rebut::test]
                fn probe_add_0(mut list: List, item: String, other_index: usize) {
                rebut::assume!(list.items.len()<9);
                rebut::__observe!(0, &item);
                rebut::__observe!(1, &other_index);
                rebut::__observe!(2, list.count());
                let old_count = rebut::__observed!(2, list.count());
                rebut::__observe!(3, list.get(old_count));
                rebut::__observe!(4, list.get(other_index));
                rebut::__observe_call!(5, list.add(item.clone()));
                rebut::__observe!(6, list.count());
                rebut::__observe!(7, list.get(old_count));
                rebut::__observe!(8, list.get(other_index));
                }

                #[rebut::test]
                fn probe_add_1(mut list: List, item: String, other_item: &str) {
                rebut::assume!(list.items.len()<9);
                rebut::__observe!(0, &item);
                rebut::__observe!(1, &other_item);
                rebut::__observe!(2, list.count());
                rebut::__observe!(3, list.contains(&item));
                rebut::__observe!(4, list.contains(other_item));
                rebut::__observe_call!(5, list.add(item.clone()));
                rebut::__observe!(6, list.count());
                rebut::__observe!(7, list.contains(&item));
                rebut::__observe!(8, list.contains(other_item));
                }
                }
            "#]],
        );
    }

    #[test]
    fn a_type_without_a_generator_has_states_after_steps() {
        let text = "
            struct Stack<T> { items: Vec<T> }
            impl<T> Stack<T> {
                pub fn new(room: usize) -> Self { todo() }
                pub fn push(&mut self, item: T) {}
                pub fn pop(&mut self) -> Option<T> { None }
                pub fn extend(&mut self, items: &[T]) {}
                pub fn peek(&self) -> Option<&T> { None }
            }
        ";
        check(
            text,
            "Stack<u8>",
            expect![[r#"

                #[cfg(test)]
                #[allow(unused, clippy::all)]
                mod rebut_inference {
                use super::*;

                /// A modifying call on `Stack`.
                #[derive(Debug, rebut::Generate)]
                enum Step {
                Push(u8),
                Pop,
                Extend(Vec<u8>),
                }

                fn reached(room: usize, steps: Vec<Step>) -> Stack<u8> {
                let mut stack = Stack::<u8>::new(room);
                for step in steps {
                match step {
                Step::Push(item) => stack.push(item),
                Step::Pop => _ = stack.pop(),
                Step::Extend(items) => stack.extend(&items),
                }
                }
                stack
                }

                #[rebut::test]
                fn probe_new_0(#[generate(max_value = 8)] room: usize) {
                rebut::__observe!(0, &room);
                let stack: Stack<u8>;
                rebut::__observe_call!(1, { stack = Stack::<u8>::new(room); });
                rebut::__observe!(2, stack.peek());
                }

                #[rebut::test]
                fn probe_push_0(#[generate(max_value = 8)] first_room: usize, steps: Vec<Step>, item: u8) {
                let mut stack = reached(first_room, steps);
                rebut::__observe!(0, &item);
                rebut::__observe!(1, stack.peek());
                rebut::__observe_call!(2, stack.push(item));
                rebut::__observe!(3, stack.peek());
                }

                #[rebut::test]
                fn probe_pop_0(#[generate(max_value = 8)] first_room: usize, steps: Vec<Step>) {
                let mut stack = reached(first_room, steps);
                rebut::__observe!(0, stack.peek());
                rebut::__observe_call!(1, stack.pop());
                rebut::__observe!(2, stack.peek());
                }

                #[rebut::test]
                fn probe_extend_0(#[generate(max_value = 8)] first_room: usize, steps: Vec<Step>, items: &[u8]) {
                let mut stack = reached(first_room, steps);
                rebut::__observe!(0, &items);
                rebut::__observe!(1, stack.peek());
                rebut::__observe_call!(2, stack.extend(items));
                rebut::__observe!(3, stack.peek());
                }
                }
            "#]],
        );
    }

    #[test]
    fn a_type_with_an_invariant_has_states_with_generated_fields() {
        let text = "
            struct Gauge { now: u8, most: u8 }
            #[rebut::contract]
            #[invariant(self.now <= self.most)]
            impl Gauge {
                pub fn now(&self) -> u8 { 0 }
                pub fn up(&mut self) {}
            }
        ";
        check(
            text,
            "Gauge",
            expect![[r#"

                #[cfg(test)]
                #[allow(unused, clippy::all)]
                mod rebut_inference {
                use super::*;

                /// The fields of any `Gauge`.
                #[derive(Debug, rebut::Generate)]
                struct State {
                now: u8,
                most: u8,
                }

                impl State {
                fn gauge(self) -> Gauge {
                let State { now, most } = self;
                let gauge = Gauge { now, most };
                rebut::assume!(gauge.now <= gauge.most);
                gauge
                }
                }

                #[rebut::test]
                fn probe_up_0(state: State) {
                let mut gauge = state.gauge();
                rebut::__observe!(0, gauge.now());
                rebut::__observe_call!(1, gauge.up());
                rebut::__observe!(2, gauge.now());
                }
                }
            "#]],
        );
    }

    #[test]
    fn an_observer_is_left_out_with_the_observers_that_need_it() {
        let text = "
            #[derive(Generate)] struct List { items: Vec<u8> }
            impl List {
                pub fn clear(&mut self) {}
                pub fn last(&self) -> u8 { 0 }
                pub fn len(&self) -> usize { 0 }
                pub fn get(&self, index: usize) -> u8 { 0 }
            }
        ";
        let subject = subject_in(text, "List");
        let probe = probes_of_type(&subject).remove(0);
        let applications = |probe: &Probe| -> Vec<String> {
            (0..probe.applications.len()).map(|nth| probe.application_code(&subject, nth)).collect()
        };
        assert_eq!(
            applications(&probe),
            ["list.last()", "list.len()", "list.get(old_len)", "list.get(other_index)"]
        );
        let without_last = probe_without(&subject, &probe, &[ProbeSlot::Before(0)]);
        assert!(!without_last.slots.contains(&ProbeSlot::Before(0)), "{:?}", without_last.slots);
        assert!(without_last.slots.contains(&ProbeSlot::After(0)), "{:?}", without_last.slots);
        assert_eq!(probe.slots.len(), without_last.slots.len() + 1);
        assert_eq!(
            without_last.watched_slots().slots.iter().filter(|slot| slot.is_none()).count(),
            1
        );
        let left = probe_without(
            &subject,
            &probe,
            &[ProbeSlot::Before(1), ProbeSlot::Before(3), ProbeSlot::After(3)],
        );
        let on_old = applications(&probe).iter().position(|call| call.contains("old_len"));
        let on_old = on_old.expect("an application to the length");
        assert!(!left.slots.contains(&ProbeSlot::Before(on_old)), "{:?}", left.slots);
        assert!(!left.slots.contains(&ProbeSlot::After(on_old)), "{:?}", left.slots);
        assert_eq!(left.free.len(), 0);
    }

    #[test]
    fn the_observer_in_focus_may_panic() {
        let text = "
            #[derive(Generate)] struct List { items: Vec<u8> }
            impl List {
                pub fn clear(&mut self) {}
                pub fn last(&self) -> u8 { 0 }
                pub fn len(&self) -> usize { 0 }
            }
        ";
        let subject = subject_in(text, "List");
        let probe = probes_of_type(&subject).remove(0);
        let hidden = probe_without(&subject, &probe, &[ProbeSlot::Before(0)]);
        assert_eq!(hidden.watched_slots().may_panic, None);
        let shown = probe_assuming(&subject, &hidden, 0, vec!["list.len() != 0".to_owned()]);
        assert_eq!(
            shown.watched_slots(),
            WatchedSlots { may_panic: Some(0), ..probe.watched_slots() }
        );
    }
}
