#[rebut::mock]
trait Shape {
    fn new() -> Self;
    fn same(&self, other: &Self) -> bool;
    fn scaled(&self) -> Self;
    fn draw<T>(&self, on: T);
    fn sides(&self) -> impl Iterator<Item = u8>;
    fn paint(&self, with: impl Fn()) -> u8;
    async fn load(&self) -> u8;
    fn boxed(self: Box<Self>) -> u8;
    fn sized(&self) -> u8
    where
        Self: Sized;
    fn fine(&self) -> u8;
}

fn main() {}
