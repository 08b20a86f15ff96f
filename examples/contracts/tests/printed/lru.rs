use rebut_contract_examples::lru::*;

#[test]
#[should_panic(expected = "`self.len() <= self.capacity`")]
fn fails() {
    let mut lru = Lru::new(1);
    lru.insert(0, 0);
    lru.on_evict(Box::new(move |a0: &mut Lru, _a1: u8| {
        a0.insert(0, 0);
    }));
    lru.insert(1, 0);
}
