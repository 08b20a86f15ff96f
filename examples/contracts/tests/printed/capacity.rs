use rebut_contract_examples::stack::capacity::*;

#[test]
#[should_panic(expected = "index out of bounds: the len is 10000 but the index is 10000")]
fn fails() {
    let mut bounded_stack = BoundedStack::new();
    let capacity = bounded_stack.capacity();
    bounded_stack.push_n(capacity, 0);
}
