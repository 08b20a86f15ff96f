use rebut_contract_examples::observers::*;

#[test]
#[should_panic(expected = "`every subscriber is notified`")]
fn fails() {
    let mut events = Events::new();
    struct GeneratedSubscriber;
    impl Subscriber for GeneratedSubscriber {
        fn told(&mut self, events: &mut Events, what: u8) {
            struct GeneratedSubscriber2;
            impl Subscriber for GeneratedSubscriber2 {
                fn told(&mut self, events: &mut Events, what: u8) {}
            }
            events.subscribe(Box::new(GeneratedSubscriber2));
        }
    }
    events.subscribe(Box::new(GeneratedSubscriber));
    events.tell(0);
}
