//! Writes the slots of a probe as expressions in a test, and records what these need.

use crate::explore::ExploredProbe;
use crate::probe::ProbeSlot;
use crate::read::subject::{Parameter, Subject};
use crate::read::types;
use crate::write::claim_code::SlotCode;
use crate::write::owned_value::owned;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// When an expression of a test is evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// Before the call, in a guard: observers are called in place.
    BeforeCall,
    /// In a test without a call: observers are called in place.
    AnyState,
    /// After the call: results from before it come from variables.
    AfterCall,
}

/// Writes slots in a test.
pub(crate) struct TestSlots<'a> {
    subject: &'a Subject,
    explored: &'a ExploredProbe,
    moment: Moment,
    used: RefCell<UsedSlots>,
}

/// The slots that the expressions of a test use, by index.
#[derive(Default)]
pub(crate) struct UsedSlots {
    /// The applications whose results before the call must be in variables.
    pub(crate) earlier: BTreeSet<usize>,
    /// The free values that must be parameters of the test.
    pub(crate) free: BTreeSet<usize>,
    /// Whether the result of the call must be in a variable.
    pub(crate) has_result: bool,
}

impl<'a> TestSlots<'a> {
    pub(crate) fn new(
        subject: &'a Subject,
        explored: &'a ExploredProbe,
        moment: Moment,
    ) -> TestSlots<'a> {
        TestSlots { subject, explored, moment, used: RefCell::default() }
    }

    /// Returns the slots that the expressions so far use.
    pub(crate) fn into_used(self) -> UsedSlots {
        self.used.into_inner()
    }

    fn application(&self, nth: usize, number: u32) -> String {
        let probe = &self.explored.probe;
        let mut used = self.used.borrow_mut();
        used.free.extend(probe.free_arguments(nth));
        used.earlier.extend(probe.earlier_arguments(nth));
        owned(&probe.application_code(self.subject, nth), self.explored.slot_type(number))
    }
}

impl SlotCode for TestSlots<'_> {
    fn code(&self, number: u32) -> String {
        let probe = &self.explored.probe;
        match probe.slot(number) {
            Some(ProbeSlot::Argument(nth)) => owned_argument(&probe.method.parameters[nth]),
            Some(ProbeSlot::Free(nth)) => {
                self.used.borrow_mut().free.insert(nth);
                owned_argument(&probe.free[nth])
            }
            Some(ProbeSlot::Before(nth)) => {
                let call = self.application(nth, number);
                if self.moment == Moment::AfterCall {
                    self.used.borrow_mut().earlier.insert(nth);
                    probe.old_name(nth)
                } else {
                    call
                }
            }
            Some(ProbeSlot::After(nth)) => self.application(nth, number),
            Some(ProbeSlot::Result) => {
                self.used.borrow_mut().has_result = true;
                "result".to_owned()
            }
            None => String::new(),
        }
    }

    fn type_of(&self, number: u32) -> String {
        self.explored.owned_type(number)
    }
}

/// Returns a parameter as an expression that owns its value.
fn owned_argument(parameter: &Parameter) -> String {
    let name = &parameter.name;
    let target = types::without_reference(&parameter.ty);
    match (matches!(parameter.ty, syn::Type::Reference(_)), types::is_copied(target)) {
        (false, true) => name.clone(),
        (true, true) => format!("*{name}"),
        (false, false) => format!("{name}.clone()"),
        (true, false) => match target {
            syn::Type::Slice(_) => format!("{name}.to_vec()"),
            syn::Type::Path(path) if path.path.is_ident("str") => format!("{name}.to_owned()"),
            _ => format!("{name}.clone()"),
        },
    }
}
