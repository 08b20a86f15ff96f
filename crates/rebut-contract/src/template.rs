//! Code of the user with gaps for arguments, as macros write it for printed programs.
//!
//! # Examples
//! ```
//! use rebut_contract::template::{Piece, Template};
//!
//! // `#[requires(self.capacity() >= n)]`
//! const CLAUSE: Template = &[Piece::Argument(0), Piece::Code(".capacity() >= "), Piece::Argument(1)];
//! assert_eq!(CLAUSE.len(), 3);
//! ```

/// Code in pieces.
pub type Template = &'static [Piece];

/// A piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Code as written.
    Code(&'static str),
    /// The argument with this number, the receiver first.
    Argument(usize),
    /// The model of the receiver.
    Model,
}
