fn small() -> impl rebut::Generator<Value = u16> {
    rebut::any::<u8>().map(u16::from)
}

#[rebut::test]
fn numbers(#[from(small())] _number: u16) {}
