use rebut_contract_examples::stack::reentrant::*;

#[test]
#[should_panic(expected = "`self.capacity() >= 1`")]
fn fails() {
    let mut bounded_stack = BoundedStack::new();
    struct GeneratedObserver {
        fuel: std::cell::Cell<u32>,
    }
    #[rebut::contract]
    impl Observer for GeneratedObserver {
        fn after_push(&self, stack: &mut BoundedStack, _item: u8) {
            if self.fuel.get() == 0 {
                return;
            }
            self.fuel.set(self.fuel.get() - 1);
            stack.push(0);
        }
    }
    bounded_stack.add_observer(std::rc::Rc::new(GeneratedObserver { fuel: std::cell::Cell::new(1) }));
    let capacity = bounded_stack.capacity();
    bounded_stack.push_n(capacity, 0);
}
