//! Threads inherit no number on this system.

#[derive(Debug)]
pub(crate) struct InheritedNumber;

impl InheritedNumber {
    pub(crate) fn set(_number: u8) -> InheritedNumber {
        InheritedNumber
    }

    pub(crate) fn keep(self) {}
}

pub(crate) fn inherited_number() -> Option<u8> {
    None
}
