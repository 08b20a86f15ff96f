use rebut_contract_examples::bitset::*;

#[test]
#[should_panic(expected = "assertion")]
fn fails() {
    let mut bit_set = BitSet::new();
    let mut bit_set_model = <std::collections::BTreeSet<u8>>::new();
    assert_eq!(bit_set.insert(0), bit_set_model.insert(0));
    assert_eq!(bit_set.remove(&64), bit_set_model.remove(&64));
    assert!(bit_set.len() == bit_set_model.len());
}
