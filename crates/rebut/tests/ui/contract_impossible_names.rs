pub struct List<T>(Vec<T>);

#[rebut::contract(with(U = u8))]
impl<T> List<T> {
    pub fn new() -> List<T> {
        List(Vec::new())
    }
}

pub struct Items(Vec<u8>);

#[rebut::contract]
impl Items {
    pub fn new() -> Items {
        Items(Vec::new())
    }

    #[ensures(old(&self.0).len() + 1 == self.0.len())]
    pub fn push(&mut self, n: u8) {
        self.0.push(n);
    }
}

#[rebut::mock]
pub trait Shape: Clone {
    fn sides(&self) -> u8;
}

fn main() {}
