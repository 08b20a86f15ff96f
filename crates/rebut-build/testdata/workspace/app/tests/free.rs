//! Uses none of what cannot be built.

const DATA: &str = include_str!("../data.txt");
const SAME: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/data.txt"));

#[rebut::test]
fn twice_is_not_less(number: u8) {
    assert_eq!(DATA, SAME);
    assert!(app::double(number) >= number.into());
}
