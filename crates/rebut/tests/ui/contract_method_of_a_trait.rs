#[rebut::contract]
trait Policy {
    #[requires(n > 0)]
    fn allows(&self, n: u8) -> bool
    where
        Self: Sized;
}

#[rebut::contract]
trait Store {
    type Error;
    #[requires(key > 0)]
    fn load(&self, key: u8) -> Result<u8, Self::Error>;
    fn save(&self, last: Option<Self::Error>);
}

fn main() {}
