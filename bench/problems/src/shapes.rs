//! The values whose generation is timed, beside plain `i64`, `Vec<i64>` and
//! `String`.
//!
//! A size counts scalars (an integer, a flag, a character) so that a library
//! that generates less per case is seen to do so.

/// A nested record. Input: any scalars; the name and the e-mail address have
/// 0 to 12 characters, there are 0 to 4 lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// Any number.
    pub id: u64,
    /// Who ordered.
    pub customer: Customer,
    /// What was ordered.
    pub lines: Vec<Line>,
    /// Any flag.
    pub paid: bool,
}

/// A part of [`Order`].
#[derive(Clone, Debug, PartialEq)]
pub struct Customer {
    /// 0 to 12 characters.
    pub name: String,
    /// Absent, or 0 to 12 characters.
    pub email: Option<String>,
    /// Any number.
    pub age: u8,
}

/// A part of [`Order`].
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Any number.
    pub sku: u32,
    /// Any number.
    pub quantity: u16,
}

impl Order {
    /// The number of scalars.
    pub fn size(&self) -> usize {
        let email = self.customer.email.as_deref().unwrap_or_default();
        3 + self.customer.name.chars().count() + email.chars().count() + 2 * self.lines.len()
    }
}

/// A recursive value. Input: a leaf of any integer, or a node of 0 to 4
/// children, by the library's usual means for recursive data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// A leaf.
    Leaf(i64),
    /// An inner node.
    Node(Vec<Tree>),
}

impl Tree {
    /// The number of leaves and nodes.
    pub fn size(&self) -> usize {
        match self {
            Self::Leaf(_) => 1,
            Self::Node(children) => 1 + children.iter().map(Self::size).sum::<usize>(),
        }
    }
}
