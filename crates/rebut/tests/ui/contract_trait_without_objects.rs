#[rebut::contract]
trait Shape: Clone {
    const SIDES: u8;
    fn new() -> Self;
    fn scaled(&self) -> Self;
    fn same(&self, other: &Self) -> bool;
    fn draw<T>(&self, on: T);
    fn fine(&self) -> u8;
}

#[rebut::contract]
trait Into2<T> {
    fn into_2(&self) -> u8;
}

fn main() {}
