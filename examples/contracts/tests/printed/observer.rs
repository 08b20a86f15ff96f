use rebut_contract_examples::stack::observer::*;

#[test]
#[should_panic(expected = "`!self.is_empty()`")]
fn fails() {
    let mut bounded_stack = BoundedStack::new();
    struct GeneratedObserver;
    #[rebut::contract]
    impl Observer for GeneratedObserver {
        fn after_push(&self, stack: &mut BoundedStack, _item: u8) {
            stack.pop();
        }
    }
    bounded_stack.add_observer(std::rc::Rc::new(GeneratedObserver));
    bounded_stack.push(0);
}
