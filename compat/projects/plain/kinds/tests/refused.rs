//! Each of these is refused with a message of its own.

#[derive(rebut::Generate)]
enum Empty {}

#[derive(rebut::Generate)]
union Both {
    a: u8,
    b: u8,
}

#[derive(rebut::Generate)]
struct Endless(Box<Endless>);

#[rebut::test]
fn generic<T: Copy>(_value: T) {}

#[rebut::test]
unsafe fn dangerous(_value: u8) {}

struct Type;

impl Type {
    #[rebut::test]
    fn method(&self, _value: u8) {}
}
