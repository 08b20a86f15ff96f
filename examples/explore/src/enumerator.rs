//! A walk through an [`ArrayList`] that notices if the list was changed on the way.
//!
//! In Rust a list that is walked through cannot be changed. So the walk does not borrow the list:
//! it is shown the list at every step, and compares versions.

use crate::array_list::{ArrayList, OutOfRange};

/// Where a walk is.
#[derive(Clone, Debug)]
pub struct Enumerator {
    version: u32,
    /// The next element; none before the walk begins.
    cursor: Cursor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cursor {
    Before,
    At(usize),
    Behind,
}

/// Why a step cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The list is not as it was when the walk began.
    Changed,
    /// The walk has not begun, or has ended.
    Nowhere,
}

impl Enumerator {
    /// A walk that is before the first number.
    #[must_use]
    pub fn new(list: &ArrayList) -> Enumerator {
        Enumerator { version: list.version(), cursor: Cursor::Before }
    }

    /// Goes on; whether there is a number.
    ///
    /// # Errors
    /// If the list was changed.
    pub fn move_next(&mut self, list: &ArrayList) -> Result<bool, Stopped> {
        self.check(list)?;
        let next = match self.cursor {
            Cursor::Before => 0,
            Cursor::At(index) => index + 1,
            Cursor::Behind => return Ok(false),
        };
        let is_there = next < list.count();
        self.cursor = if is_there { Cursor::At(next) } else { Cursor::Behind };
        Ok(is_there)
    }

    /// The number where the walk is.
    ///
    /// # Errors
    /// If it is nowhere, or the list was changed.
    pub fn current(&self, list: &ArrayList) -> Result<i32, Stopped> {
        self.check(list)?;
        match self.cursor {
            Cursor::At(index) => list.get(index).map_err(|OutOfRange| Stopped::Changed),
            Cursor::Before | Cursor::Behind => Err(Stopped::Nowhere),
        }
    }

    /// Goes back to the beginning.
    ///
    /// # Errors
    /// If the list was changed.
    pub fn reset(&mut self, list: &ArrayList) -> Result<(), Stopped> {
        self.check(list)?;
        self.cursor = Cursor::Before;
        Ok(())
    }

    fn check(&self, list: &ArrayList) -> Result<(), Stopped> {
        if self.version == list.version() { Ok(()) } else { Err(Stopped::Changed) }
    }
}

/// Changes of a list that a walk has to notice.
pub trait Walked {
    /// Takes out the last number.
    ///
    /// The mistake, with `BUG`: the version stays.
    fn drop_last<const BUG: bool>(&mut self) -> Option<i32>;
}

impl Walked for ArrayList {
    fn drop_last<const BUG: bool>(&mut self) -> Option<i32> {
        match (BUG, self.count()) {
            (_, 0) => None,
            (true, _) => self.pop_unseen(),
            (false, count) => self.remove_at(count - 1).ok(),
        }
    }
}
