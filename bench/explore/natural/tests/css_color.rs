//! Colors of style sheets.

use csscolorparser::{Color, parse};

// true: hexadecimal colors round trip.
#[rebut::test]
fn hexadecimal_colors_round_trip(r: u8, g: u8, b: u8) {
    let color = parse(&format!("#{r:02x}{g:02x}{b:02x}")).expect("a color");
    assert_eq!(color.to_rgba8(), [r, g, b, 255]);
}

// true: bytes round trip through the shares of one.
#[rebut::test]
fn bytes_round_trip(r: u8, g: u8, b: u8, a: u8) {
    assert_eq!(Color::from_rgba8(r, g, b, a).to_rgba8(), [r, g, b, a]);
}

// true: errors are values.
#[rebut::test]
fn parsing_never_panics(#[generate(max_size = 4)] text: String) {
    let _ = parse(&text);
}

// false (easy): 0, 0, 0
#[rebut::test]
fn no_color_of_bytes_has_a_name(r: u8, g: u8, b: u8) {
    assert_eq!(Color::from_rgba8(r, g, b, 255).name(), None);
}
