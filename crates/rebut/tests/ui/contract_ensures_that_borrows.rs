struct Bag {
    items: Vec<u8>,
}

#[rebut::contract]
impl Bag {
    #[ensures(!self.items.is_empty())]
    #[program(skip)]
    pub fn first(&mut self) -> &mut u8 {
        &mut self.items[0]
    }
}

fn main() {}
