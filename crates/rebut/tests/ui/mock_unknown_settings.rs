#[rebut::mock(friendlike)]
trait Reader {
    fn read(&self) -> u8;
}

#[rebut::mock(with(T = u8))]
trait Writer<U> {
    type Error;
    const SIZE: usize;
    fn write(&self, item: U) -> Result<(), Self::Error>;
}

fn main() {}
