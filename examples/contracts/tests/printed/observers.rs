use rebut_contract_examples::observers::*;

#[test]
#[should_panic(expected = "false before `Events::count`")]
fn fails() {
    let mut events = Events::new();
    struct GeneratedSubscriber;
    #[rebut::contract]
    impl Subscriber for GeneratedSubscriber {
        fn told(&mut self, events: &mut Events, _what: u8) {
            events.count();
        }
    }
    events.subscribe(Box::new(GeneratedSubscriber));
    events.tell(0);
}
