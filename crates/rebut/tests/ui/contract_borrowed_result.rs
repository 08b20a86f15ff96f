struct Bag {
    items: Vec<u8>,
}

#[rebut::contract]
impl Bag {
    pub fn iter(&self) -> std::slice::Iter<'_, u8> {
        self.items.iter()
    }

    pub fn last(&mut self) -> Option<&mut u8> {
        self.items.last_mut()
    }
}

fn main() {}
