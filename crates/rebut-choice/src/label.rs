//! Names of spans.

/// The name of a span: which part of a value the choices in it make.
///
/// Spans with the same label can stand in for each other: a mutation copies one over the
/// other, the shrinker puts an inner one in place of the outer. Labels are compared by a hash
/// of the name, so they cost nothing to make and mean the same in every process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    name: u32,
    shape: Shape,
}

/// What engines may assume about the inside of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Nothing.
    Group,
    /// The first choice is the length; each further choice or span directly inside is one
    /// element, so that elements can be deleted, copied and moved if the length follows.
    Sequence,
    /// May contain spans of its own label, which are values of the same type.
    Recursive,
}

impl Label {
    /// A sequence whose elements are characters.
    pub const TEXT: Label = Label { name: hash("text"), shape: Shape::Sequence };
    /// A sequence of anything else.
    pub const SEQUENCE: Label = Label { name: hash("sequence"), shape: Shape::Sequence };
    /// One element of a sequence, where it takes more than one choice.
    pub const ELEMENT: Label = Label::group("element");
    /// One parameter of a property.
    pub const ARGUMENT: Label = Label::group("argument");
    /// What stands in for the result of a function under exploration. No tape has it: natively
    /// the function is called.
    pub const SUMMARY: Label = Label::group("summary");
    /// What follows the choice of an alternative.
    pub const ALTERNATIVE: Label = Label::group("alternative");

    /// A label for a part whose inside is nobody's business.
    #[must_use]
    pub const fn group(name: &str) -> Label {
        Label { name: hash(name), shape: Shape::Group }
    }

    /// A label for a value of a type that contains itself.
    #[must_use]
    pub const fn recursive(name: &str) -> Label {
        Label { name: hash(name), shape: Shape::Recursive }
    }

    /// The label with this number for a name; see [`Label::id`].
    #[must_use]
    pub const fn of(id: u32, shape: Shape) -> Label {
        Label { name: id, shape }
    }

    /// What may be assumed about the inside.
    #[must_use]
    pub const fn shape(self) -> Shape {
        self.shape
    }

    /// The number that stands for the name.
    #[must_use]
    pub const fn id(self) -> u32 {
        self.name
    }

    pub(crate) const fn from_parts(name: u32, shape: Shape) -> Label {
        Label { name, shape }
    }
}

/// FNV-1a (Fowler, Noll, Vo 1991).
const fn hash(name: &str) -> u32 {
    let bytes = name.as_bytes();
    let mut hash: u32 = 0x811C_9DC5;
    let mut i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u32).wrapping_mul(0x0100_0193);
        i += 1;
    }
    hash
}
