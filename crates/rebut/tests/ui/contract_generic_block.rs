struct Bag<T> {
    items: Vec<T>,
}

#[rebut::contract]
impl<T> Bag<T> {
    pub fn add(&mut self, item: T) {
        self.items.push(item);
    }
}

fn main() {}
