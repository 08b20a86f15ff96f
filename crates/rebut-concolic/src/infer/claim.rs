//! What may be claimed of observations: the language of templates, and what its sentences mean.

/// An expression over what was observed, by slots.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Expr {
    /// A value that was observed.
    Slot(u32),
    /// A number.
    Number(i128),
    /// The least number of the type of a slot.
    Least(u32),
    /// The greatest number of the type of a slot.
    Greatest(u32),
    /// A multiple of a number, and so much more.
    Linear {
        /// The number.
        slot: u32,
        /// How many times.
        times: i128,
        /// How much more.
        plus: i128,
    },
    /// The sum of two numbers.
    Sum(u32, u32),
    /// The difference of two numbers.
    Difference(u32, u32),
    /// An alternative that holds a value: `Some`, `Ok`.
    Holding(String, Box<Expr>),
    /// How many elements a sequence has.
    Length(u32),
    /// A sequence with one more element behind it.
    Appended(u32, Box<Expr>),
    /// A sequence with one more element before it.
    Prepended(u32, Box<Expr>),
    /// A sequence without its last element.
    WithoutLast(u32),
    /// A sequence without its first element.
    WithoutFirst(u32),
    /// A sequence with an element put in at a place.
    Inserted {
        /// The sequence.
        into: u32,
        /// The place.
        at: u32,
        /// The element.
        item: Box<Expr>,
    },
    /// A sequence without the element at a place.
    Removed {
        /// The sequence.
        from: u32,
        /// The place.
        at: u32,
    },
    /// A sequence with another element at a place.
    Updated {
        /// The sequence.
        of: u32,
        /// The place.
        at: u32,
        /// The element.
        item: Box<Expr>,
    },
    /// A sequence from behind.
    Reversed(u32),
    /// The first elements of a sequence, as many as a number says.
    Truncated(u32, u32),
    /// The first element of a sequence, if there is one.
    First(u32),
    /// The last element of a sequence, if there is one.
    Last(u32),
    /// No elements.
    Empty,
}

/// What can be so or not.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Claim {
    /// The call panics with a message that begins like this.
    Panics(String),
    /// A truth value is this one.
    Truth(u32, bool),
    /// Both are the same.
    Same(Expr, Expr),
    /// They are not the same.
    Different(Expr, Expr),
    /// The first is less.
    Less(Expr, Expr),
    /// The first is not more.
    AtMost(Expr, Expr),
    /// A value is this variant.
    Is(u32, String),
    /// A value is not this variant.
    IsNot(u32, String),
    /// A sequence has this element.
    Contains(u32, Expr),
    /// A sequence does not have this element.
    Lacks(u32, Expr),
    /// The first sequence begins with the second.
    StartsWith(u32, u32),
    /// Two sequences have the same elements, each as often.
    SameElements(u32, u32),
    /// One is so where the other is.
    Iff(Box<Claim>, Box<Claim>),
}

impl Claim {
    /// What is so where this is not.
    #[must_use]
    pub fn not(&self) -> Option<Claim> {
        Some(match self {
            Claim::Truth(slot, holds) => Claim::Truth(*slot, !holds),
            Claim::Same(a, b) => Claim::Different(a.clone(), b.clone()),
            Claim::Different(a, b) => Claim::Same(a.clone(), b.clone()),
            Claim::Less(a, b) => Claim::AtMost(b.clone(), a.clone()),
            Claim::AtMost(a, b) => Claim::Less(b.clone(), a.clone()),
            Claim::Is(slot, name) => Claim::IsNot(*slot, name.clone()),
            Claim::IsNot(slot, name) => Claim::Is(*slot, name.clone()),
            Claim::Contains(slot, item) => Claim::Lacks(*slot, item.clone()),
            Claim::Lacks(slot, item) => Claim::Contains(*slot, item.clone()),
            Claim::Panics(_) | Claim::StartsWith(..) | Claim::SameElements(..) | Claim::Iff(..) => {
                return None;
            }
        })
    }

    /// The slots that are spoken of.
    #[must_use]
    pub fn slots(&self) -> Vec<u32> {
        let mut slots = match self {
            Claim::Panics(_) => Vec::new(),
            Claim::Truth(slot, _) | Claim::Is(slot, _) | Claim::IsNot(slot, _) => vec![*slot],
            Claim::Same(a, b)
            | Claim::Different(a, b)
            | Claim::Less(a, b)
            | Claim::AtMost(a, b) => [a.slots(), b.slots()].concat(),
            Claim::Contains(slot, item) | Claim::Lacks(slot, item) => {
                [vec![*slot], item.slots()].concat()
            }
            Claim::StartsWith(a, b) | Claim::SameElements(a, b) => vec![*a, *b],
            Claim::Iff(a, b) => [a.slots(), b.slots()].concat(),
        };
        slots.sort_unstable();
        slots.dedup();
        slots
    }
}

impl Expr {
    /// The slots that are spoken of.
    #[must_use]
    pub fn slots(&self) -> Vec<u32> {
        match self {
            Expr::Slot(slot)
            | Expr::Least(slot)
            | Expr::Greatest(slot)
            | Expr::Linear { slot, .. }
            | Expr::Length(slot)
            | Expr::WithoutLast(slot)
            | Expr::WithoutFirst(slot)
            | Expr::Reversed(slot)
            | Expr::First(slot)
            | Expr::Last(slot) => vec![*slot],
            Expr::Sum(a, b) | Expr::Difference(a, b) | Expr::Truncated(a, b) => vec![*a, *b],
            Expr::Holding(_, held) => held.slots(),
            Expr::Appended(slot, item) | Expr::Prepended(slot, item) => {
                [vec![*slot], item.slots()].concat()
            }
            Expr::Inserted { into, at, item } => [vec![*into, *at], item.slots()].concat(),
            Expr::Removed { from, at } => vec![*from, *at],
            Expr::Updated { of, at, item } => [vec![*of, *at], item.slots()].concat(),
            Expr::Number(_) | Expr::Empty => Vec::new(),
        }
    }
}
