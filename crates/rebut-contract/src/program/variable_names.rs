//! VariableNames of variables in printed programs.

use std::collections::HashMap;

use super::Slot;

/// A name for each slot and each implementor.
#[derive(Default)]
pub(super) struct VariableNames {
    of_slots: HashMap<Slot, String>,
    /// How often each name was requested.
    uses: HashMap<String, u32>,
}

impl VariableNames {
    /// Returns the name of a slot.
    pub(super) fn of_slot(&self, slot: Slot) -> &str {
        self.of_slots.get(&slot).map_or("_", String::as_str)
    }

    /// VariableNames a slot after `idea`, which is a type or a function.
    pub(super) fn assign(&mut self, slot: Slot, idea: &str) {
        let name = self.unused(&snake(idea));
        self.of_slots.insert(slot, name);
    }

    /// Gives a slot a fixed name, for a parameter.
    pub(super) fn assign_exactly(&mut self, slot: Slot, name: &str) {
        self.of_slots.insert(slot, name.to_owned());
    }

    fn unused(&mut self, name: &str) -> String {
        match self.count_use(name) {
            1 => name.to_owned(),
            count => format!("{name}_{count}"),
        }
    }

    /// Returns a new name for a type.
    pub(super) fn new_type(&mut self, name: &str) -> String {
        match self.count_use(name) {
            1 => name.to_owned(),
            count => format!("{name}{count}"),
        }
    }

    /// Counts one more use of a name and returns the count.
    fn count_use(&mut self, name: &str) -> u32 {
        let count = self.uses.entry(name.to_owned()).or_insert(0);
        *count += 1;
        *count
    }
}

/// The types that are left out of a name: `Rc<RefCell<Room>>` is `room`.
const POINTERS: [&str; 8] = ["Rc", "Arc", "Box", "RefCell", "Cell", "Mutex", "RwLock", "Option"];

/// Returns the last segment of a path or type in snake case.
fn snake(idea: &str) -> String {
    if let Some((pointer, inside)) = idea.split_once('<')
        && POINTERS.contains(&pointer.rsplit("::").next().unwrap_or(pointer).trim())
    {
        return snake(inside.trim_end_matches('>').trim_start_matches("dyn "));
    }
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
    let is_word = name.chars().next().is_some_and(|c| c.is_alphabetic());
    if !is_word || KEYWORDS.contains(&name.as_str()) { format!("{name}_value") } else { name }
}

const KEYWORDS: [&str; 20] = [
    "as", "box", "break", "const", "dyn", "else", "enum", "fn", "for", "if", "in", "loop", "match",
    "move", "ref", "self", "type", "use", "where", "yield",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_named_after_types_and_functions() {
        assert_eq!(snake("BoundedStack"), "bounded_stack");
        assert_eq!(snake("a::Lru<u8, u8>"), "lru");
        assert_eq!(snake("box"), "box_value");
        assert_eq!(snake("std::rc::Rc<RefCell<Room>>"), "room");
        let mut names = VariableNames::default();
        names.assign(1, "Stack");
        names.assign(2, "Stack");
        assert_eq!((names.of_slot(1), names.of_slot(2)), ("stack", "stack_2"));
    }
}
