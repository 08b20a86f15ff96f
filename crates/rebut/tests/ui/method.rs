struct Stack;

impl Stack {
    #[rebut::test]
    fn property(&self, n: u8) {}
}

fn main() {}
