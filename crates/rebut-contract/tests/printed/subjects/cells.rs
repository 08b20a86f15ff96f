//! Shared cells.

use std::cell::RefCell;
use std::rc::Rc;

use crate::fault::tick;

#[derive(Debug)]
pub struct Room {
    seats: u8,
}

pub type Shared = Rc<RefCell<Room>>;

#[rebut::contract]
impl Room {
    pub fn open(seats: u8) -> Rc<RefCell<Room>> {
        tick("open");
        Rc::new(RefCell::new(Room { seats }))
    }

    #[requires(self.seats > 0)]
    pub fn sit(&mut self) -> u8 {
        tick("sit");
        self.seats -= 1;
        self.seats
    }

    pub fn seats(&self) -> u8 {
        tick("seats");
        self.seats
    }

    pub fn visit(other: &Room, visit: Box<dyn Fn(u8) -> bool>) -> bool {
        tick("visit");
        visit(other.seats) && visit(0)
    }

    pub fn merge(&mut self, other: Rc<RefCell<Room>>) {
        tick("merge");
        if let Ok(other) = other.try_borrow() {
            self.seats = self.seats.wrapping_add(other.seats);
        }
    }
}
