//! Parameters in the forms that people write.

#[rebut::test]
fn borrowed<'a>(text: &'a str, owned: &String, changed: &mut String, list: &'a [u8]) -> bool {
    changed.push('x');
    text.len() + owned.len() + changed.len() + list.len() < 4
}

#[rebut::test]
fn patterns((first, second): (u8, u8), mut third: u8, [fourth, _]: [u8; 2], _: u8) {
    third = third.wrapping_add(first);
    assert!(u16::from(third) + u16::from(second) + u16::from(fourth) < 500);
}

#[rebut::test]
fn sixteen(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8, i: u8, j: u8, k: u8, l: u8, m: u8, n: u8, o: u8, p: u8) {
    let all = [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p];
    assert!(all.iter().map(|&n| u32::from(n)).sum::<u32>() < 2000);
}

#[rebut::test]
fn caught(number: u8) {
    let result = std::panic::catch_unwind(|| assert!(number < 100));
    if let Err(payload) = result {
        if number >= 200 {
            std::panic::resume_unwind(payload);
        }
    }
}

#[rebut::test]
fn any_payload(number: u8) {
    if number >= 200 {
        std::panic::panic_any(number);
    }
}

struct Bomb(u8);

impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(self.0 < 200, "in drop");
    }
}

#[rebut::test]
fn in_drop(number: u8) {
    let _bomb = Bomb(number);
}

#[rebut::test]
fn twice(number: u8) {
    let _bomb = Bomb(number);
    assert!(number < 200, "first");
}

#[rebut::test]
fn in_another_directory(number: u8) {
    std::env::set_current_dir("/").expect("a directory");
    assert!(number < 200);
}
