#[rebut::test]
#[case(1, 2)]
fn too_many_values(#[case] n: u8, m: u8) {
    assert_eq!(n, m);
}

#[rebut::test]
#[case(1)]
fn no_parameter(n: u8) {
    assert_eq!(n, n);
}

#[rebut::test]
fn no_row(#[case] n: u8) {
    assert_eq!(n, n);
}

#[rebut::test]
#[test_case(1 => 2)]
fn with_a_result(n: u8) -> u8 {
    n + 1
}

#[rebut::test]
fn also_generated(
    #[values(1, 2)]
    #[from(3..4)]
    n: u8,
) {
    assert_eq!(n, n);
}

fn main() {}
