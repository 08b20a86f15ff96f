//! A stack, after the `Stack` of .NET.

/// Numbers of which the last one in is the first one out.
#[derive(Clone, Debug, Default)]
#[cfg_attr(test, derive(rebut::Generate))]
pub struct Stack {
    items: Vec<i32>,
}

impl Stack {
    /// How many numbers there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.items.len()
    }

    /// Whether a number is among them.
    #[must_use]
    pub fn contains(&self, item: i32) -> bool {
        self.items.contains(&item)
    }

    /// The number on top.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn peek(&self) -> i32 {
        *self.items.last().expect("the stack is empty")
    }

    /// Puts a number on top.
    pub fn push(&mut self, item: i32) {
        self.items.push(item);
    }

    /// Takes the number from the top.
    ///
    /// # Panics
    /// If there is none.
    pub fn pop(&mut self) -> i32 {
        self.items.pop().expect("the stack is empty")
    }

    /// Takes all numbers away.
    pub fn clear(&mut self) {
        self.items.clear();
    }
}

#[cfg(test)]
include!("../inferred/stack.rs");
