//! A lamp that does not tell all: it can be pressed three times.

/// Something to press.
#[derive(Clone, Debug, Default)]
pub struct Lamp {
    is_on: bool,
    presses: u8,
}

impl Lamp {
    /// A new lamp, which is off.
    #[must_use]
    pub fn new() -> Lamp {
        Lamp::default()
    }

    /// Whether it is on.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Turns it on or off, unless it has been pressed too often.
    pub fn press(&mut self) {
        if self.presses < 3 {
            self.presses += 1;
            self.is_on = !self.is_on;
        }
    }
}

#[cfg(test)]
include!("../inferred/lamp.rs");
