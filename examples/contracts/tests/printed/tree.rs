use rebut_contract_examples::tree::*;

#[test]
#[should_panic(expected = "the key is in the leaf that it belongs to")]
fn fails() {
    let mut tree = Tree::new(Box::new(move |_a0: u8, _a1: u8| -> bool {
        false
    }));
    tree.insert(0);
    tree.insert(0);
    tree.insert(1);
    tree.insert(1);
    tree.remove(0);
}
