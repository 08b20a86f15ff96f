//! Objects that no function makes, because they are generated.

use crate::fault::tick;

#[derive(Clone, Debug, rebut::Generate)]
pub struct Both {
    n: u8,
    list: Vec<u16>,
}

#[rebut::contract]
impl Both {
    #[ensures(self.n != 3 || old(self.n) != 2)]
    pub fn bump(&mut self) {
        tick("bump");
        self.n = self.n.wrapping_add(1);
    }

    pub fn swap(&mut self, other: &mut Both) {
        tick("swap");
        std::mem::swap(self, other);
    }

    pub fn len(&self) -> usize {
        tick("len");
        self.list.len()
    }

    pub fn each(&mut self, act: impl Fn(u16)) {
        tick("each");
        self.list.iter().for_each(|n| act(*n));
    }

    pub fn into_list(self) -> Vec<u16> {
        tick("into_list");
        self.list
    }
}

/// Generated, and not `Clone`.
#[derive(Debug, rebut::Generate)]
pub struct Once<T>(T);

#[rebut::contract(with(T = Option<u8>))]
impl<T: Default + PartialEq> Once<T> {
    #[ensures(result || old(self.0 == T::default()))]
    pub fn clear(&mut self) -> bool {
        tick("clear");
        self.0 = T::default();
        false
    }

    pub fn share(&self, with: impl Fn(&Once<T>) -> bool) -> bool {
        tick("share");
        with(self)
    }
}
