fn main() {
    rebut::check(|case| {
        let number: u8 = case.draw_as("number", rebut::any());
        if number >= 200 {
            std::process::abort();
        }
    });
}
