//! Names of variables in printed programs.

use std::collections::{HashMap, HashSet};

use super::Slot;
use crate::table::Table;

/// A name for each slot and each implementor.
#[derive(Default)]
pub(super) struct VariableNames {
    of_slots: HashMap<Slot, String>,
    /// The functions that the program calls.
    functions: HashSet<String>,
    /// The names that are visible here.
    visible: HashSet<String>,
    /// How often each type was requested.
    types: HashMap<String, u32>,
}

impl VariableNames {
    /// Returns the names of a program, which must not hide the functions that it calls.
    pub(super) fn for_table(table: &Table) -> VariableNames {
        let functions = table.operations.iter().filter(|operation| !operation.path.contains("::"));
        let functions: HashSet<String> =
            functions.filter(|one| !one.is_method).map(|one| one.path.to_owned()).collect();
        let visible = functions.clone();
        VariableNames { functions, visible, ..VariableNames::default() }
    }

    /// Returns the name of a slot.
    pub(super) fn of_slot(&self, slot: Slot) -> &str {
        self.of_slots.get(&slot).map_or("_", String::as_str)
    }

    /// Names a slot after `idea`, which is a type or a function. The name of a model follows from
    /// it.
    pub(super) fn assign(&mut self, slot: Slot, idea: &str, has_model: bool) {
        let name = self.new_name(&variable(snake(idea)));
        if has_model {
            self.visible.insert(format!("{name}_model"));
        }
        self.of_slots.insert(slot, name);
    }

    /// Returns the name of a variable that has no slot. `idea` is its type.
    pub(super) fn new_variable(&mut self, idea: &str) -> String {
        let is_callback = ["Fn(", "FnMut(", "FnOnce("].iter().any(|name| idea.contains(name));
        match is_callback {
            true => self.new_name("callback"),
            false => self.new_name(&variable(snake(idea))),
        }
    }

    /// Names the slot of a parameter.
    pub(super) fn assign_parameter(&mut self, slot: Slot, name: &str, is_used: bool) {
        let name = match is_used {
            true => self.new_name(&variable(name.to_owned())),
            false => name.to_owned(),
        };
        self.of_slots.insert(slot, name);
    }

    /// Returns a name that no visible variable has.
    pub(super) fn new_name(&mut self, name: &str) -> String {
        let mut unused = name.to_owned();
        let mut count = 1;
        while !self.visible.insert(unused.clone()) {
            count += 1;
            // Two underscores in a row are not snake case.
            unused = format!("{}_{count}", name.trim_end_matches('_'));
        }
        unused
    }

    /// Returns the names that are visible here, for [`leave`](VariableNames::leave).
    pub(super) fn scope(&self) -> HashSet<String> {
        self.visible.clone()
    }

    /// Enters the body of an item, which sees functions and the variables that it captured. Returns
    /// the names outside.
    pub(super) fn enter_item(&mut self, captures: &[(Slot, usize)]) -> HashSet<String> {
        let captured = captures.iter().map(|(slot, _)| self.of_slot(*slot).to_owned());
        let inside = self.functions.iter().cloned().chain(captured).collect();
        std::mem::replace(&mut self.visible, inside)
    }

    /// Leaves a body: its names can be used again.
    pub(super) fn leave(&mut self, scope: HashSet<String>) {
        self.visible = scope;
    }

    /// Returns a new name for a type.
    pub(super) fn new_type(&mut self, name: &str) -> String {
        let count = self.types.entry(name.to_owned()).or_insert(0);
        *count += 1;
        if *count == 1 { name.to_owned() } else { format!("{name}{count}") }
    }
}

/// Returns a name for a variable. Implementors have a field with the name `fuel`, and others for
/// variables.
fn variable(name: String) -> String {
    if name == "fuel" { "fuel_value".to_owned() } else { name }
}

/// The types that are left out of a name: `Rc<RefCell<Room>>` is `room`.
const POINTERS: [&str; 8] = ["Rc", "Arc", "Box", "RefCell", "Cell", "Mutex", "RwLock", "Option"];

/// The names of values of built-in types: the name of the type would read like the type.
const BUILT_IN: [(&[&str], &str); 3] = [
    (
        &[
            "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
            "f32", "f64",
        ],
        "number",
    ),
    (&["bool"], "flag"),
    (&["char"], "character"),
];

/// Returns the last segment of a path or type in snake case.
fn snake(idea: &str) -> String {
    if let Some((pointer, inside)) = idea.split_once('<')
        && POINTERS.contains(&pointer.rsplit("::").next().unwrap_or(pointer).trim())
    {
        return snake(inside.trim_end_matches('>').trim_start_matches("dyn "));
    }
    let idea = idea.strip_prefix("r#").unwrap_or(idea);
    let idea = idea.split('<').next().unwrap_or(idea);
    let last = idea.rsplit("::").next().unwrap_or(idea);
    let mut name = String::new();
    for (n, c) in last.chars().enumerate() {
        if !c.is_alphanumeric() && c != '_' {
            continue;
        }
        if c.is_uppercase() && n > 0 && !name.ends_with('_') {
            name.push('_');
        }
        name.extend(c.to_lowercase());
    }
    let name = name.trim_end_matches('_');
    if let Some((_, name)) = BUILT_IN.iter().find(|(types, _)| types.contains(&name)) {
        return (*name).to_owned();
    }
    let is_word = name.chars().next().is_some_and(|c| c.is_alphabetic());
    if !is_word || KEYWORDS.contains(&name) { format!("{name}_value") } else { name.to_owned() }
}

/// The keywords of all editions.
const KEYWORDS: [&str; 53] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "union", "unsafe", "unsized", "use", "virtual", "where", "while", "yield", "raw",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_named_after_types_and_functions() {
        assert_eq!(snake("BoundedStack"), "bounded_stack");
        assert_eq!(snake("a::Lru<u8, u8>"), "lru");
        assert_eq!(snake("box"), "box_value");
        assert_eq!(snake("u32"), "number");
        assert_eq!((snake("Program_"), snake("Box_")), ("program".into(), "box_value".into()));
        assert_eq!(snake("std::rc::Rc<RefCell<Room>>"), "room");
        let mut names = VariableNames::default();
        names.assign(1, "Stack", false);
        names.assign(2, "Stack", false);
        assert_eq!((names.of_slot(1), names.of_slot(2)), ("stack", "stack_2"));
        names.assign_parameter(3, "n_", true);
        names.assign_parameter(4, "n_", true);
        assert_eq!(names.of_slot(4), "n_2");
    }
}
