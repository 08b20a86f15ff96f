//! Probes: tests that call a function once and tell what the observers say before and after.
//!
//! A probe is an ordinary `#[rebut::test]` beside the type, so that what is private is in reach.
//! It starts from any state: drawn by the type's generator, drawn field by field under the
//! invariant, or reached from a constructor by drawn steps. Observers that take something are
//! applied to the arguments of the function, to a value of which nothing is known (to see what
//! does not change), and where they take a position, to the one behind the last.
//! Those that take values of one kind make a probe together: their paths share conditions, and
//! those of others would be multiplied with them.
//!
//! A test is written once, with all observers. Whoever explores it says which of them are called:
//! so the same code serves when some of them turn out to panic.

use super::subject::{Method, Parameter, Start, Subject};
use super::types;
use rebut_concolic::WatchedSlots;
use std::fmt::Write as _;
use std::rc::Rc;
use syn::Type;

/// More observations than this are not made before a call.
const APPLICATIONS_MAX: usize = 24;

/// The largest number that a constructor is given where it takes one: it may be a size.
const SIZE_MAX: u32 = 8;

/// A test that observes one function, or a part of what such a test observes.
#[derive(Clone)]
pub(crate) struct Probe {
    /// What it is called.
    pub(crate) name: String,
    /// The test, which may tell more than is looked at.
    pub(crate) test: Rc<Test>,
    /// What is called.
    pub(crate) method: Method,
    pub(crate) call: Call,
    /// What is assumed of the state.
    pub(crate) assumed: Vec<String>,
    /// The application for whose sake that is assumed, and the laws of which alone are new.
    pub(crate) focus: Option<usize>,
    pub(crate) applications: Vec<Application>,
    /// The values of which nothing is known.
    pub(crate) free: Vec<Parameter>,
    /// What is looked at, by its number.
    pub(crate) slots: Vec<Slot>,
}

/// A test of the module of probes.
#[derive(Debug, Default)]
pub(crate) struct Test {
    pub(crate) name: String,
    /// What it tells, by its number.
    slots: Vec<Slot>,
    text: String,
}

/// What a probe calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Constructor,
    Modifier,
    /// An observer, to see when it panics.
    Observer,
}

/// An observer with what it is called with.
#[derive(Clone)]
pub(crate) struct Application {
    pub(crate) observer: Method,
    arguments: Vec<Argument>,
    /// Whether it is made before the call, and after it: an observer may panic at one time only.
    before: bool,
    after: bool,
}

/// What an observer is called with.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Argument {
    /// What the function is called with.
    Given(usize),
    /// A value of which nothing is known.
    Free(usize),
    /// What an application gave before the call.
    Old(usize),
}

/// One value that a probe tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// What the function is called with.
    Given(usize),
    /// A value of which nothing is known.
    Free(usize),
    /// An application, before the call.
    Before(usize),
    /// What the function gives back.
    Result,
    /// An application, after the call.
    After(usize),
}

/// All probes of a type.
pub(crate) fn all(subject: &Subject) -> Vec<Probe> {
    let calls = subject.constructors.iter().map(|method| (method, Call::Constructor));
    let calls = calls.chain(subject.modifiers.iter().map(|method| (method, Call::Modifier)));
    let mut probes = Vec::new();
    for (method, call) in calls {
        for (nth, observers) in groups(subject).iter().enumerate() {
            let mut plan = Plan::new(subject, method, call);
            let applications = plan.applications(observers);
            probes.push(plan.probe(&name_of(method, nth), applications));
        }
    }
    probes
}

fn name_of(method: &Method, nth: usize) -> String {
    format!("probe_{}_{nth}", method.name.trim_start_matches("r#"))
}

/// A probe that sees when an observer panics, by what those show that take nothing.
pub(crate) fn of_observer(subject: &Subject, observer: &Method) -> Probe {
    let mut plan = Plan::new(subject, observer, Call::Observer);
    let is_other = |other: &&Method| other.parameters.is_empty() && other.name != observer.name;
    let others: Vec<&Method> = subject.observers.iter().filter(is_other).collect();
    let mut applications = plan.applications(&others);
    for application in &mut applications {
        application.after = false;
    }
    plan.probe(&format!("{}_panics", name_of(observer, 0)), applications)
}

/// A probe with an application before the call that is possible if something is so.
pub(crate) fn assuming(
    subject: &Subject,
    probe: &Probe,
    nth: usize,
    assumed: Vec<String>,
) -> Probe {
    let mut plan = Plan::of(subject, probe);
    (plan.assumed, plan.focus) = (assumed, Some(nth));
    let mut applications = probe.applications.clone();
    applications[nth].before = true;
    plan.probe(&format!("{}_{nth}_shown", probe.name), applications)
}

/// A probe without some of its slots before and after the call.
pub(crate) fn without(subject: &Subject, probe: &Probe, left_out: &[Slot]) -> Probe {
    let plan = Plan::of(subject, probe);
    let mut applications = probe.applications.clone();
    for (nth, application) in applications.iter_mut().enumerate() {
        let is_without = |argument: &Argument| match argument {
            Argument::Old(old) => left_out.contains(&Slot::Before(*old)),
            _ => false,
        };
        let is_lost = application.arguments.iter().any(is_without);
        application.before &= !is_lost && !left_out.contains(&Slot::Before(nth));
        application.after &= !is_lost && !left_out.contains(&Slot::After(nth));
    }
    plan.probe(&probe.name, applications)
}

/// The observers of each probe: those that take nothing are in all of them, the others are with
/// those that take the same types.
fn groups(subject: &Subject) -> Vec<Vec<&Method>> {
    let (plain, others): (Vec<&Method>, Vec<&Method>) =
        subject.observers.iter().partition(|observer| observer.parameters.is_empty());
    let mut groups: Vec<(Vec<String>, Vec<&Method>)> = Vec::new();
    for observer in others {
        let kind: Vec<String> =
            observer.parameters.iter().map(|parameter| kind_of(&parameter.ty)).collect();
        match groups.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, group)) => group.push(observer),
            None => groups.push((kind, vec![observer])),
        }
    }
    if groups.is_empty() {
        return vec![plain];
    }
    groups.into_iter().map(|(_, group)| plain.iter().copied().chain(group).collect()).collect()
}

/// Types whose values can be handed on for each other.
fn kind_of(ty: &Type) -> String {
    match types::text(types::without_reference(ty)).as_str() {
        "str" => "String".to_owned(),
        other => other.to_owned(),
    }
}

struct Plan<'s> {
    subject: &'s Subject,
    method: &'s Method,
    call: Call,
    free: Vec<Parameter>,
    assumed: Vec<String>,
    focus: Option<usize>,
    /// The test, if there is one.
    test: Option<Rc<Test>>,
}

impl<'s> Plan<'s> {
    fn new(subject: &'s Subject, method: &'s Method, call: Call) -> Plan<'s> {
        let (free, assumed) = (Vec::new(), Vec::new());
        Plan { subject, method, call, free, assumed, focus: None, test: None }
    }

    /// The plan of a probe that is to be another.
    fn of(subject: &'s Subject, probe: &'s Probe) -> Plan<'s> {
        let Probe { method, call, free, assumed, focus, test, .. } = probe;
        let (free, assumed, test) = (free.clone(), assumed.clone(), Some(Rc::clone(test)));
        Plan { subject, method, call: *call, free, assumed, focus: *focus, test }
    }

    fn applications(&mut self, observers: &[&Method]) -> Vec<Application> {
        let mut applications: Vec<Application> = Vec::new();
        for observer in observers {
            let mut arguments: Vec<Vec<Argument>> = vec![Vec::new()];
            for parameter in &observer.parameters {
                let candidates = self.candidates(parameter, &applications);
                arguments = arguments
                    .iter()
                    .flat_map(|before| {
                        candidates.iter().map(|next| {
                            before.iter().cloned().chain([next.clone()]).collect::<Vec<_>>()
                        })
                    })
                    .collect();
            }
            for arguments in arguments {
                let observer = (*observer).clone();
                applications.push(Application { observer, arguments, before: true, after: true });
            }
        }
        applications.truncate(APPLICATIONS_MAX);
        applications
    }

    /// What a parameter of an observer is given.
    fn candidates(&mut self, parameter: &Parameter, known: &[Application]) -> Vec<Argument> {
        let kind = kind_of(&parameter.ty);
        let given = self.method.parameters.iter().enumerate();
        let given = given.filter(|(_, given)| kind_of(&given.ty) == kind);
        let mut candidates: Vec<Argument> = given.map(|(nth, _)| Argument::Given(nth)).collect();
        if types::is_integer(&parameter.ty) && self.call != Call::Constructor {
            let is_length = |(_, application): &(usize, &Application)| {
                let Method { name, parameters, output, .. } = &application.observer;
                let is_same = output.as_ref().is_some_and(|output| kind_of(output) == kind);
                parameters.is_empty() && is_same && LENGTHS.contains(&name.as_str())
            };
            if let Some((length, _)) = known.iter().enumerate().find(is_length) {
                candidates.push(Argument::Old(length));
            }
        }
        candidates.push(Argument::Free(self.free(parameter, &kind)));
        candidates
    }

    /// The value of a kind of which nothing is known.
    fn free(&mut self, parameter: &Parameter, kind: &str) -> usize {
        if let Some(known) = self.free.iter().position(|free| kind_of(&free.ty) == kind) {
            return known;
        }
        let name = format!("other_{}", parameter.name.trim_start_matches("r#"));
        self.free.push(Parameter { name, ty: parameter.ty.clone() });
        self.free.len() - 1
    }

    fn probe(mut self, name: &str, applications: Vec<Application>) -> Probe {
        let is_used = |nth: usize| {
            let made = applications.iter().filter(|one| one.before || one.after);
            let mut arguments = made.flat_map(|one| &one.arguments);
            arguments.any(|argument| *argument == Argument::Free(nth))
        };
        // Numbers of those that are kept do not change: the last ones alone can be without use.
        let used = (0..self.free.len()).filter(|nth| is_used(*nth)).max().map_or(0, |nth| nth + 1);
        self.free.truncate(used);
        let mut slots: Vec<Slot> = (0..self.method.parameters.len()).map(Slot::Given).collect();
        slots.extend((0..self.free.len()).map(Slot::Free));
        if self.call != Call::Constructor {
            let is_made = |nth: &usize| applications[*nth].before;
            slots.extend((0..applications.len()).filter(is_made).map(Slot::Before));
        }
        slots.push(Slot::Result);
        let is_made = |nth: &usize| applications[*nth].after;
        slots.extend((0..applications.len()).filter(is_made).map(Slot::After));
        let mut probe = Probe {
            name: name.to_owned(),
            test: self.test.clone().unwrap_or_default(),
            method: self.method.clone(),
            call: self.call,
            assumed: self.assumed,
            focus: self.focus,
            applications,
            free: self.free,
            slots,
        };
        if self.test.is_none() {
            let (slots, text) = (probe.slots.clone(), probe.write(self.subject));
            probe.test = Rc::new(Test { name: name.to_owned(), slots, text });
        }
        probe
    }
}

/// What observers are called that say how many elements there are.
const LENGTHS: &[&str] = &["len", "count", "size", "length", "depth", "height"];

impl Application {
    pub(crate) fn takes_nothing(&self) -> bool {
        self.arguments.is_empty()
    }
}

impl Probe {
    /// What of the test is looked at. What is assumed is that the application in focus can be
    /// made before the call.
    pub(crate) fn watch(&self) -> WatchedSlots {
        let number = |slot: &Slot| {
            let place = self.slots.iter().position(|known| known == slot)?;
            u32::try_from(place).ok()
        };
        let may_panic = self.focus.and_then(|nth| number(&Slot::Before(nth)));
        WatchedSlots { slots: self.test.slots.iter().map(number).collect(), may_panic }
    }

    /// The call of an observer, as it is written in a test.
    pub(crate) fn application(&self, subject: &Subject, nth: usize) -> String {
        let application = &self.applications[nth];
        let arguments: Vec<String> = application
            .observer
            .parameters
            .iter()
            .zip(&application.arguments)
            .map(|(parameter, argument)| self.passed(argument, &parameter.ty))
            .collect();
        format!("{}.{}({})", subject.variable(), application.observer.name, arguments.join(", "))
    }

    /// What an application is given for one of its parameters.
    pub(crate) fn argument_of(&self, nth: usize, parameter: usize) -> Option<String> {
        let application = &self.applications[nth];
        let wanted = &application.observer.parameters.get(parameter)?.ty;
        Some(self.passed(application.arguments.get(parameter)?, wanted))
    }

    fn passed(&self, argument: &Argument, wanted: &Type) -> String {
        match argument {
            Argument::Given(nth) => passed(&self.method.parameters[*nth], wanted),
            Argument::Free(nth) => passed(&self.free[*nth], wanted),
            Argument::Old(nth) => {
                let reference = if matches!(wanted, Type::Reference(_)) { "&" } else { "" };
                format!("{reference}{}", self.old_name(*nth))
            }
        }
    }

    /// The variable for what an application gave before the call.
    pub(crate) fn old_name(&self, nth: usize) -> String {
        let application = &self.applications[nth];
        let mut name = format!("old_{}", application.observer.name.trim_start_matches("r#"));
        for argument in &application.arguments {
            let of = match argument {
                Argument::Given(nth) => &self.method.parameters[*nth].name,
                Argument::Free(nth) => &self.free[*nth].name,
                Argument::Old(nth) => &self.applications[*nth].observer.name,
            };
            // `contains_key` of a `key`.
            if !name.ends_with(&format!("_{of}")) {
                let _ = write!(name, "_{of}");
            }
        }
        name
    }

    /// The applications whose values before the call another one is given.
    pub(crate) fn needed_by(&self, nth: usize) -> Vec<usize> {
        let arguments = self.applications[nth].arguments.iter();
        let old = arguments.filter_map(|argument| match argument {
            Argument::Old(old) => Some(*old),
            _ => None,
        });
        old.collect()
    }

    /// What an application is of: the observer, and where its arguments are seen.
    pub(crate) fn shown_by(&self, nth: usize) -> (&str, Vec<Slot>) {
        let application = &self.applications[nth];
        let seen = |argument: &Argument| match argument {
            Argument::Given(nth) => Slot::Given(*nth),
            Argument::Free(nth) => Slot::Free(*nth),
            Argument::Old(nth) => Slot::Before(*nth),
        };
        (&application.observer.name, application.arguments.iter().map(seen).collect())
    }

    /// The values without which a call of an observer cannot be written.
    pub(crate) fn free_in(&self, nth: usize) -> Vec<usize> {
        let arguments = self.applications[nth].arguments.iter();
        let free = arguments.filter_map(|argument| match argument {
            Argument::Free(free) => Some(*free),
            _ => None,
        });
        free.collect()
    }

    /// The arguments of the function without which a call of an observer cannot be written.
    pub(crate) fn given_in(&self, nth: usize) -> Vec<usize> {
        let arguments = self.applications[nth].arguments.iter();
        let given = arguments.filter_map(|argument| match argument {
            Argument::Given(given) => Some(*given),
            _ => None,
        });
        given.collect()
    }

    /// The call of the function.
    pub(crate) fn call_text(&self, subject: &Subject) -> String {
        let arguments: Vec<String> = self
            .method
            .parameters
            .iter()
            .map(|parameter| passed(parameter, &parameter.ty))
            .collect();
        let arguments = arguments.join(", ");
        if self.is_constructor() {
            format!("{}::{}({arguments})", turbofish(subject), self.method.name)
        } else {
            format!("{}.{}({arguments})", subject.variable(), self.method.name)
        }
    }

    pub(crate) fn is_constructor(&self) -> bool {
        self.call == Call::Constructor
    }

    /// What a test has to be given to call the function.
    pub(crate) fn given_parameters(&self) -> Vec<String> {
        let given = self.method.parameters.iter().map(|parameter| {
            let is_bounded = self.is_constructor() && is_size(parameter);
            let bound = if is_bounded { bounded() } else { String::new() };
            format!("{bound}{}: {}", parameter.name, types::text(&parameter.ty))
        });
        given.collect()
    }

    /// The parameters of the probe: the state, what the function is called with, and the values
    /// of which nothing is known.
    fn parameters(&self, subject: &Subject) -> String {
        let mut parameters = Vec::new();
        if !self.is_constructor() {
            parameters.extend(subject.state_parameters());
        }
        parameters.extend(self.given_parameters());
        parameters.extend(
            self.free.iter().map(|free| format!("{}: {}", free.name, types::text(&free.ty))),
        );
        parameters.join(", ")
    }

    fn write(&self, subject: &Subject) -> String {
        let variable = subject.variable();
        let mut text =
            format!("#[rebut::test]\nfn {}({}) {{\n", self.name, self.parameters(subject));
        if !self.is_constructor() {
            text.push_str(&subject.state_lines());
        }
        for (number, slot) in self.slots.iter().enumerate() {
            let _ = match slot {
                Slot::Given(nth) => {
                    let name = &self.method.parameters[*nth].name;
                    writeln!(text, "rebut::__observe!({number}, &{name});")
                }
                Slot::Free(nth) => {
                    writeln!(text, "rebut::__observe!({number}, &{});", self.free[*nth].name)
                }
                Slot::Before(nth) => {
                    let call = self.application(subject, *nth);
                    let needs = |other: usize| self.needed_by(other).contains(nth);
                    let is_needed = (0..self.applications.len()).any(needs);
                    let kept = if is_needed {
                        let name = self.old_name(*nth);
                        format!("let {name} = rebut::__observed!({number}, {call});\n")
                    } else {
                        String::new()
                    };
                    write!(text, "rebut::__observe!({number}, {call});\n{kept}")
                }
                Slot::Result if self.is_constructor() => {
                    let call = self.call_text(subject);
                    let ty = types::text(&subject.ty);
                    writeln!(
                        text,
                        "let {variable}: {ty};\nrebut::__observe_call!({number}, {{ {variable} = {call}; }});"
                    )
                }
                Slot::Result => {
                    writeln!(text, "rebut::__observe_call!({number}, {});", self.call_text(subject))
                }
                Slot::After(nth) => {
                    let call = self.application(subject, *nth);
                    writeln!(text, "rebut::__observe!({number}, {call});")
                }
            };
        }
        text.push_str("}\n");
        text
    }
}

fn bounded() -> String {
    format!("#[generate(max_value = {SIZE_MAX})] ")
}

/// Whether a number is likely to say how much memory is wanted: constructors are given small ones.
fn is_size(parameter: &Parameter) -> bool {
    const NAMES: [&str; 5] = ["capacity", "size", "len", "count", "room"];
    let is_named = NAMES.iter().any(|name| parameter.name.contains(name));
    types::text(&parameter.ty) == "usize" || (is_named && types::is_integer(&parameter.ty))
}

impl Method {
    /// What limits its arguments if it is a constructor, in words.
    pub(crate) fn limit(&self) -> String {
        match self.parameters.iter().any(is_size) {
            true => format!(" with sizes up to {SIZE_MAX}"),
            false => String::new(),
        }
    }
}

/// A variable of one type, where another of the kind is wanted.
fn passed(parameter: &Parameter, wanted: &Type) -> String {
    let name = &parameter.name;
    let is_lent = matches!(parameter.ty, Type::Reference(_));
    match (is_lent, matches!(wanted, Type::Reference(_))) {
        (true, true) => name.clone(),
        (false, true) => format!("&{name}"),
        (true, false) if types::is_copied(wanted) => format!("*{name}"),
        (true, false) => format!("{name}.to_owned()"),
        (false, false) if types::is_copied(wanted) => name.clone(),
        (false, false) => format!("{name}.clone()"),
    }
}

/// A type before `::`.
fn turbofish(subject: &Subject) -> String {
    types::text(&subject.ty).replacen('<', "::<", 1)
}

impl Subject {
    /// The name of the enumeration of steps, or of the structure of fields.
    fn helper(&self, name: &str) -> String {
        if self.name == name { format!("{name}Of{name}") } else { name.to_owned() }
    }

    /// The parameters of a test that make a state.
    pub(crate) fn state_parameters(&self) -> Vec<String> {
        let variable = self.variable();
        match &self.start {
            Start::Drawn(_) => vec![format!("mut {variable}: {}", types::text(&self.ty))],
            Start::Fields(..) => vec![format!("state: {}", self.helper("State"))],
            Start::Reached(constructor) => {
                let start = constructor.parameters.iter().map(|parameter| {
                    let bound = if is_size(parameter) { bounded() } else { String::new() };
                    format!("{bound}first_{}: {}", parameter.name, types::text(&parameter.ty))
                });
                start.chain([format!("steps: Vec<{}>", self.helper("Step"))]).collect()
            }
        }
    }

    /// The first lines of a test, which make a state.
    pub(crate) fn state_lines(&self) -> String {
        let variable = self.variable();
        match &self.start {
            Start::Drawn(conditions) => self.assumed(conditions, &variable),
            Start::Fields(..) => format!("let mut {variable} = state.{variable}();\n"),
            Start::Reached(constructor) => {
                let first = constructor.parameters.iter();
                let first = first.map(|parameter| format!("first_{}, ", parameter.name));
                format!("let mut {variable} = reached({}steps);\n", first.collect::<String>())
            }
        }
    }

    /// What tests need beside them.
    pub(crate) fn state_items(&self) -> String {
        match &self.start {
            Start::Drawn(_) => String::new(),
            Start::Fields(fields, conditions) => self.fields_item(fields, conditions),
            Start::Reached(constructor) => self.steps_items(constructor),
        }
    }

    fn fields_item(
        &self,
        fields: &[(String, Type)],
        conditions: &[proc_macro2::TokenStream],
    ) -> String {
        let (name, variable, ty) = (self.helper("State"), self.variable(), types::text(&self.ty));
        let declared: String =
            fields.iter().map(|(field, ty)| format!("{field}: {},\n", types::text(ty))).collect();
        let names: Vec<&str> = fields.iter().map(|(field, _)| field.as_str()).collect();
        let names = names.join(", ");
        let assumed = self.assumed(conditions, &variable);
        format!(
            "/// The fields of any `{}`.\n#[derive(Debug, rebut::Generate)]\nstruct {name} {{\n\
             {declared}}}\n\nimpl {name} {{\nfn {variable}(self) -> {ty} {{\n\
             let {name} {{ {names} }} = self;\nlet {variable} = {} {{ {names} }};\n{assumed}\
             {variable}\n}}\n}}\n\n",
            self.name, self.name,
        )
    }

    fn steps_items(&self, constructor: &Method) -> String {
        let (name, variable, ty) = (self.helper("Step"), self.variable(), types::text(&self.ty));
        let (mut variants, mut arms) = (String::new(), String::new());
        for step in &self.steps {
            let variant = camel_case(&step.name);
            let types: Vec<String> =
                step.parameters.iter().map(|parameter| owned_type(&parameter.ty)).collect();
            let names: Vec<&str> =
                step.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            let passed: Vec<String> = step
                .parameters
                .iter()
                .map(|parameter| {
                    let lent = matches!(parameter.ty, Type::Reference(_));
                    format!("{}{}", if lent { "&" } else { "" }, parameter.name)
                })
                .collect();
            let (fields, bound) = if names.is_empty() {
                (String::new(), String::new())
            } else {
                (format!("({})", types.join(", ")), format!("({})", names.join(", ")))
            };
            let call = format!("{variable}.{}({})", step.name, passed.join(", "));
            let ignored = if step.output.is_some() { "_ = " } else { "" };
            let _ = writeln!(variants, "{variant}{fields},");
            let _ = writeln!(arms, "{name}::{variant}{bound} => {ignored}{call},");
        }
        let first = constructor
            .parameters
            .iter()
            .map(|parameter| format!("{}: {}, ", parameter.name, types::text(&parameter.ty)));
        let first: String = first.collect();
        let passed: Vec<&str> =
            constructor.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let called = format!("{}::{}({})", turbofish(self), constructor.name, passed.join(", "));
        let assumed =
            self.begun_if.iter().map(|condition| format!("rebut::assume!({condition});\n"));
        let assumed: String = assumed.collect();
        if variants.is_empty() {
            return format!(
                "/// No call modifies `{}`.\n#[derive(Debug, rebut::Generate)]\n\
                 struct {name};\n\nfn reached({first}_steps: Vec<{name}>) -> {ty} {{\n{assumed}{called}\n}}\n\n",
                self.name
            );
        }
        format!(
            "/// A modifying call on `{}`.\n#[derive(Debug, rebut::Generate)]\nenum {name} {{\n{variants}}}\n\n\
             fn reached({first}steps: Vec<{name}>) -> {ty} {{\n{assumed}let mut {variable} = {called};\n\
             for step in steps {{\nmatch step {{\n{arms}}}\n}}\n{variable}\n}}\n\n",
            self.name
        )
    }

    fn assumed(&self, conditions: &[proc_macro2::TokenStream], variable: &str) -> String {
        let variable = quote::format_ident!("{variable}");
        let bindings = types::Bindings::from([
            ("self".to_owned(), quote::quote!(#variable)),
            ("Self".to_owned(), quote::ToTokens::to_token_stream(&self.ty)),
        ]);
        let lines = conditions.iter().map(|condition| {
            let condition = types::substituted(condition.clone(), &bindings);
            format!("rebut::assume!({});\n", types::text(&condition))
        });
        lines.collect()
    }
}

/// A type of its own for what is lent.
fn owned_type(ty: &Type) -> String {
    let Type::Reference(reference) = ty else { return types::text(ty) };
    match &*reference.elem {
        Type::Slice(slice) => format!("Vec<{}>", types::text(&slice.elem)),
        Type::Path(path) if path.path.is_ident("str") => "String".to_owned(),
        other => types::text(other),
    }
}

fn camel_case(name: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    name.trim_start_matches("r#").split('_').map(capital).collect()
}

/// The module of the probes, as it stands behind the code of the type's module.
pub(crate) fn module(subject: &Subject, probes: &[Probe]) -> String {
    let items = subject.state_items();
    let tests: Vec<&str> = probes.iter().map(|probe| probe.test.text.as_str()).collect();
    let tests = tests.join("\n");
    format!(
        "\n#[cfg(test)]\n#[allow(unused, clippy::all)]\nmod {MODULE} {{\n{}\n{items}{tests}}}\n",
        subject.module.seen()
    )
}

/// The name of the module of probes.
pub(crate) const MODULE: &str = "rebut_inference";

#[cfg(test)]
mod tests {
    use super::super::sources::Module;
    use super::super::subject::{Wanted, find};
    use super::*;
    use expect_test::{Expect, expect};
    use std::path::PathBuf;
    use std::rc::Rc;

    fn subject(text: &str, name: &str) -> Subject {
        let items = syn::parse_file(text).expect("a file").items;
        let (text, end) = (Rc::from(text), text.len());
        let module =
            Module { path: Vec::new(), file: PathBuf::new(), text, end, items, is_no_std: false };
        find(&[module], name, &Wanted::default()).expect("a subject")
    }

    fn check(text: &str, name: &str, expected: Expect) {
        let subject = subject(text, name);
        let module = module(&subject, &all(&subject));
        assert!(syn::parse_file(&module).is_ok(), "{module}");
        expected.assert_eq(&module);
    }

    #[test]
    fn a_state_is_drawn_if_the_type_has_a_generator() {
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
    fn a_state_is_reached_by_steps_if_it_has_none() {
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
    fn a_state_is_made_of_fields_if_there_is_an_invariant() {
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
    fn an_observer_that_fails_is_left_out_with_what_needs_it() {
        let text = "
            #[derive(Generate)] struct List { items: Vec<u8> }
            impl List {
                pub fn clear(&mut self) {}
                pub fn last(&self) -> u8 { 0 }
                pub fn len(&self) -> usize { 0 }
                pub fn get(&self, index: usize) -> u8 { 0 }
            }
        ";
        let subject = subject(text, "List");
        let probe = all(&subject).remove(0);
        let applications = |probe: &Probe| -> Vec<String> {
            (0..probe.applications.len()).map(|nth| probe.application(&subject, nth)).collect()
        };
        assert_eq!(
            applications(&probe),
            ["list.last()", "list.len()", "list.get(old_len)", "list.get(other_index)"]
        );
        let without_last = without(&subject, &probe, &[Slot::Before(0)]);
        assert!(!without_last.slots.contains(&Slot::Before(0)), "{:?}", without_last.slots);
        assert!(without_last.slots.contains(&Slot::After(0)), "{:?}", without_last.slots);
        assert_eq!(probe.slots.len(), without_last.slots.len() + 1);
        assert_eq!(without_last.watch().slots.iter().filter(|slot| slot.is_none()).count(), 1);
        let left = without(&subject, &probe, &[Slot::Before(1), Slot::Before(3), Slot::After(3)]);
        let on_old = applications(&probe).iter().position(|call| call.contains("old_len"));
        let on_old = on_old.expect("an application to the length");
        assert!(!left.slots.contains(&Slot::Before(on_old)), "{:?}", left.slots);
        assert!(!left.slots.contains(&Slot::After(on_old)), "{:?}", left.slots);
        assert_eq!(left.free.len(), 0);
    }

    #[test]
    fn a_panic_of_what_is_in_focus_is_spared() {
        let text = "
            #[derive(Generate)] struct List { items: Vec<u8> }
            impl List {
                pub fn clear(&mut self) {}
                pub fn last(&self) -> u8 { 0 }
                pub fn len(&self) -> usize { 0 }
            }
        ";
        let subject = subject(text, "List");
        let probe = all(&subject).remove(0);
        let hidden = without(&subject, &probe, &[Slot::Before(0)]);
        assert_eq!(hidden.watch().may_panic, None);
        let shown = assuming(&subject, &hidden, 0, vec!["list.len() != 0".to_owned()]);
        assert_eq!(shown.watch(), WatchedSlots { may_panic: Some(0), ..probe.watch() });
    }
}
