//! Labels of spans.

/// The name of a span, which identifies the part of a value that its choices make.
///
/// Spans with the same label are interchangeable. A mutation copies one over the other, and the
/// shrinker replaces an outer span with an inner one. A label stores a hash of its name, so that
/// it is free to create and means the same in every process.
///
/// # Examples
/// ```
/// use rebut_choice::Label;
/// const POINT: Label = Label::group("point");
/// assert_eq!(POINT, Label::group("point"));
/// assert_ne!(POINT, Label::group("line"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    name: u32,
    shape: SpanShape,
}

/// The structure that engines may assume inside a span.
///
/// # Examples
/// ```
/// use rebut_choice::{Label, SpanShape};
/// assert_eq!(Label::SEQUENCE.shape(), SpanShape::Sequence);
/// assert_eq!(Label::recursive("tree").shape(), SpanShape::Recursive);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpanShape {
    /// The content can be anything.
    Group,
    /// The first choice is the length. Each choice or span after it, directly inside, is one
    /// element. Engines can delete, copy and move elements if they adjust the length.
    Sequence,
    /// The span may contain spans with its own label, which are values of the same type.
    Recursive,
}

impl Label {
    /// The label of a sequence of characters.
    pub const TEXT: Label = Label { name: hash("text"), shape: SpanShape::Sequence };
    /// The label of any other sequence.
    pub const SEQUENCE: Label = Label { name: hash("sequence"), shape: SpanShape::Sequence };
    /// The label of a sequence element that takes more than one choice.
    pub const ELEMENT: Label = Label::group("element");
    /// The label of a parameter of a property.
    pub const ARGUMENT: Label = Label::group("argument");
    /// The label of a generated value that replaces the result of a function during exploration.
    /// It never occurs on a tape, because a native run calls the function.
    pub const SUMMARY: Label = Label::group("summary");
    /// The label of the choices that belong to a chosen alternative.
    pub const ALTERNATIVE: Label = Label::group("alternative");
    /// The label of a value that is not printed. A written tape masks its choices.
    pub const SECRET: Label = Label::group("secret");

    /// The label of a [trail](crate::Source::trail).
    pub const TRAIL: Label = Label::group("trail");

    /// Creates a label for a part whose content has no known structure.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Label, SpanShape};
    /// assert_eq!(Label::group("date").shape(), SpanShape::Group);
    /// ```
    #[must_use]
    pub const fn group(name: &str) -> Label {
        Label { name: hash(name), shape: SpanShape::Group }
    }

    /// Creates a label for a value of a recursive type.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Label, SpanShape};
    /// assert_eq!(Label::recursive("expression").shape(), SpanShape::Recursive);
    /// ```
    #[must_use]
    pub const fn recursive(name: &str) -> Label {
        Label { name: hash(name), shape: SpanShape::Recursive }
    }

    /// Creates a label from the number that [`Label::id`] returns.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Label;
    /// let label = Label::group("date");
    /// assert_eq!(Label::from_id(label.id(), label.shape()), label);
    /// ```
    #[must_use]
    pub const fn from_id(id: u32, shape: SpanShape) -> Label {
        Label { name: id, shape }
    }

    /// Returns what engines may assume about the content of the span.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Label, SpanShape};
    /// assert_eq!(Label::TEXT.shape(), SpanShape::Sequence);
    /// ```
    #[must_use]
    pub const fn shape(self) -> SpanShape {
        self.shape
    }

    /// Returns the hash of the name.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Label;
    /// assert_ne!(Label::group("date").id(), Label::group("time").id());
    /// ```
    #[must_use]
    pub const fn id(self) -> u32 {
        self.name
    }
}

/// Hashes a name: FNV-1a (Fowler, Noll, Vo 1991).
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
