//! Trait objects behind every kind of pointer.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use crate::fault::tick;

#[rebut::contract]
pub trait Shape: std::fmt::Debug {
    #[ensures(result != 77)]
    fn area(&self, scale: u8) -> u16;
    #[requires(by > 0)]
    fn grow(&mut self, by: u8);
}

#[derive(Debug)]
struct Square(u8);

#[rebut::contract]
impl Shape for Square {
    fn area(&self, scale: u8) -> u16 {
        tick("area");
        u16::from(self.0).wrapping_mul(u16::from(scale))
    }

    fn grow(&mut self, by: u8) {
        tick("grow");
        self.0 = self.0.wrapping_add(by);
    }
}

#[rebut::contract]
pub fn square(side: u8) -> Box<dyn Shape> {
    tick("square");
    Box::new(Square(side))
}

#[rebut::contract]
pub fn total(shapes: Box<dyn Shape>, other: &dyn Shape) -> u16 {
    tick("total");
    shapes.area(1).wrapping_add(other.area(2))
}

#[rebut::contract]
pub fn shared(shape: Rc<dyn Shape>, n: u8) -> u16 {
    tick("shared");
    shape.area(n)
}

#[rebut::contract]
pub fn celled(shape: Rc<RefCell<dyn Shape>>, by: u8) -> u16 {
    tick("celled");
    shape.borrow_mut().grow(by);
    shape.borrow().area(1)
}

#[rebut::contract]
pub fn changed(shape: &mut dyn Shape, by: u8) {
    tick("changed");
    shape.grow(by);
}

#[rebut::contract]
pub fn sent(number: Arc<u8>) -> Arc<u8> {
    tick("sent");
    number
}
