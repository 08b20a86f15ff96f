fn main() {
    rebut::check(|case| case.draw(0..3_u8));
}
