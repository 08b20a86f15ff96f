fn main() {
    rebut::maximize(Some(1));
}
