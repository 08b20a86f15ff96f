//! Aliases, handles in options, and results that contain objects.

use std::rc::Rc;

use crate::fault::tick;

pub type Id = u32;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    id: Id,
    next: Option<Rc<Node>>,
}

#[rebut::contract]
impl Node {
    pub fn leaf(id: Id) -> Rc<Node> {
        tick("leaf");
        Rc::new(Node { id, next: None })
    }

    pub fn before(id: Id, next: Rc<Node>) -> Rc<Node> {
        tick("before");
        Rc::new(Node { id, next: Some(next) })
    }

    pub fn next(&self) -> Option<Rc<Node>> {
        tick("next");
        self.next.clone()
    }

    pub fn split(&self) -> (Id, Option<Rc<Node>>) {
        tick("split");
        (self.id, self.next.clone())
    }


    pub fn wrap(node: Result<Rc<Node>, Id>) -> Option<Rc<Node>> {
        tick("wrap");
        node.ok()
    }
}
