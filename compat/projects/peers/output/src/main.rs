fn main() {
    let number: u8 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
    std::process::exit(i32::from(number >= 200));
}
