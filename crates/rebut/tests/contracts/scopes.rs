//! Clauses call functions with the names of variables in generated code.
//!
//! A clause is an expression of the user inside of generated code. It must see the functions of the
//! user's module, whatever the variables around it are called. A test of `rebut-macros` checks that
//! every such variable is among these names.

use rebut::prelude::*;

macro_rules! functions {
    ($($name:ident)+) => {
        $(pub fn $name(n: u8) -> u8 {
            n
        })+
    };
}

functions! {
    a0 argument_0 argument_0_copy arguments around behavior body call called given giver held
    held_0 held_1 held_2 info interface kept known made method methods
    modeled number object old_0 parameters place real receiver rest
    result returned table this this_model value view_copy
}

fn all_are(functions: &[fn(u8) -> u8], n: u8) -> bool {
    functions.iter().all(|function| function(n) == n)
}

#[derive(Debug, Clone, PartialEq)]
pub struct Reference(u8);

impl Reference {
    pub fn new() -> Reference {
        Reference(0)
    }

    pub fn set(&mut self, n: u8) {
        self.0 = n;
    }

    pub fn set_checked(&mut self, n: u8, is_checked: bool) -> u8 {
        assert!(is_checked);
        self.0 = n;
        n
    }
}

#[derive(Debug)]
pub struct Value(u8);

#[rebut::contract]
#[invariant(all_are(&[
    a0, argument_0, argument_0_copy, arguments, around, behavior, body, call, called, given, giver, held,
    held_0, held_1, held_2, info, interface, kept, known, made, method, methods,
    modeled, number, object, old_0, parameters, place, real, receiver, rest,
    result, returned, table, this, this_model, value, view_copy,
], self.0))]
#[model(Reference,  all_are(&[
    a0, argument_0, argument_0_copy, arguments, around, behavior, body, call, called, given, giver, held,
    held_0, held_1, held_2, info, interface, kept, known, made, method, methods,
    modeled, number, object, old_0, parameters, place, real, receiver, rest,
    result, returned, table, this, this_model, value, view_copy,
], model.0))]
impl Value {
    pub fn new() -> Value {
        Value(0)
    }

    #[requires(all_are(&[
        a0, argument_0, argument_0_copy, arguments, around, behavior, body, call, called, given, giver, held,
        held_0, held_1, held_2, info, interface, kept, known, made, method, methods,
        modeled, number, object, old_0, parameters, place, real, receiver, rest,
        result, returned, table, this, this_model, value, view_copy,
    ], n))]
    #[ensures(all_are(&[
        a0, argument_0, argument_0_copy, arguments, around, behavior, body, call, called, given, giver, held,
        held_0, held_1, held_2, info, interface, kept, known, made, method, methods,
        modeled, number, object, old_0, parameters, place, real, receiver, rest,
        returned, table, this, this_model, value, view_copy,
    ], old(n)))]
    pub fn set(&mut self, n: u8) {
        self.0 = n;
    }

    #[ensures(old(all_are(&[
        a0, argument_0, argument_0_copy, arguments, around, behavior, body, call, called, given, giver, held,
        held_0, held_1, held_2, info, interface, kept, known, made, method, methods,
        modeled, number, object, old_0, parameters, place, real, receiver, rest,
        result, returned, table, this, this_model, value, view_copy,
    ], n)))]
    #[model(model.set_checked(n, all_are(&[
        a0, argument_0, argument_0_copy, arguments, around, behavior, body, call, called, given, giver, held,
        held_0, held_1, held_2, info, interface, kept, known, made, method, methods,
        modeled, number, object, old_0, parameters, place, real, receiver, rest,
        result, returned, table, this, this_model, value, view_copy,
    ], n)))]
    pub fn set_checked(&mut self, n: u8) -> u8 {
        self.0 = n;
        n
    }

    #[model(skip)]
    pub fn map(
        &mut self,
        #[requires(all_are(&[
            a0, argument_0, argument_0_copy, arguments, around, behavior, body, call, called, given, giver, held,
            held_0, held_1, held_2, info, interface, kept, known, made, method, methods,
            modeled, number, object, old_0, parameters, place, real, receiver, rest,
            result, returned, table, this, this_model, value, view_copy,
        ], _0))]
        #[ensures(all_are(&[
            a0, argument_0, argument_0_copy, arguments, around, behavior, body, call, called, given, giver, held,
            held_0, held_1, held_2, info, interface, kept, known, made, method, methods,
            modeled, number, object, old_0, parameters, place, real, receiver, rest,
            returned, table, this, this_model, value, view_copy,
        ], result))]
        change: impl Fn(u8) -> u8,
    ) {
        let _ = change(self.0);
    }
}

#[rebut::contract]
pub trait Shop {
    #[requires(all_are(&[
        a0, argument_0, argument_0_copy, arguments, around, behavior, body, call, called, given, giver, held,
        held_0, held_1, held_2, info, interface, kept, known, made, method, methods,
        modeled, number, object, old_0, parameters, place, real, receiver, rest,
        result, returned, table, this, this_model, value, view_copy,
    ], n))]
    #[ensures(all_are(&[
        a0, argument_0, argument_0_copy, arguments, around, behavior, body, call, called, given, giver, held,
        held_0, held_1, held_2, info, interface, kept, known, made, method, methods,
        modeled, number, object, old_0, parameters, place, real, receiver, rest,
        returned, table, this, this_model, value, view_copy,
    ], result))]
    fn price(&self, n: u8) -> u8;

    fn is_open(&self) -> bool {
        true
    }
}

pub struct Stand;

#[rebut::contract]
impl Shop for Stand {
    fn price(&self, n: u8) -> u8 {
        n
    }
}

#[rebut::contract]
#[requires(all_are(&[
    a0, argument_0, argument_0_copy, arguments, around, behavior, body, call, called, given, giver, held,
    held_0, held_1, held_2, info, interface, kept, known, made, method, methods,
    modeled, number, object, old_0, parameters, place, real, receiver, rest,
    result, returned, table, this, this_model, value, view_copy,
], n))]
#[ensures(all_are(&[
    a0, argument_0, argument_0_copy, arguments, around, behavior, body, call, called, given, giver, held,
    held_0, held_1, held_2, info, interface, kept, known, made, method, methods,
    modeled, number, object, old_0, parameters, place, real, receiver, rest,
    returned, table, this, this_model, value, view_copy,
], result))]
pub fn buy(n: u8, shop: &dyn Shop) -> u8 {
    shop.price(n)
}

#[rebut::contract]
pub fn stand() -> Box<dyn Shop> {
    Box::new(Stand)
}

#[rebut::mock]
pub trait Clock {
    #[assume(all_are(&[
        a0, argument_0, argument_0_copy, arguments, around, behavior, body, call, called, given, giver, held,
        held_0, held_1, held_2, info, interface, kept, known, made, method, methods,
        modeled, number, object, old_0, parameters, place, real, receiver, rest,
        returned, table, this, this_model, value, view_copy,
    ], result))]
    fn now(&self, hour: u8) -> u8;
}

#[rebut::test]
fn clauses_call_functions_with_the_names_of_generated_variables(
    program: Program<(Value, buy, stand)>,
) {
    program.run();
}

#[rebut::test]
fn rules_call_functions_with_the_names_of_generated_variables(clock: MockClock, hour: u8) {
    clock.now(hour);
}
