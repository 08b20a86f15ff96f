#[rebut::test]
fn prints(number: u8) {
    println!("saw {number}");
    eprintln!("heard {number}");
    assert!(number < 200);
}

#[rebut::test]
fn traced(number: u8) {
    inner(number);
}

#[inline(never)]
fn inner(number: u8) {
    assert!(number < 200);
}
