//! A walk through what Rebut prints: `cargo run --example tour`.

#![expect(clippy::print_stdout, reason = "the tour is what it prints")]

use rebut::{Check, any, booleans, functions, integers, strings, vecs};
use rebut_examples::{compress, expand, shorten};

fn main() {
    println!("1. A function that cuts text, and a property: what it returns fits.\n");
    let report = Check::new("shorten_fits").seed(1).run(|case| {
        let text = case.draw_as("text", strings());
        let max = case.draw_as("max", integers::<usize>().max_value(100));
        assert!(shorten(&text, max).len() <= max);
    });
    println!("{report}\n");

    println!("2. Two functions that should undo each other.\n");
    let report = Check::new("expand_undoes_compress").seed(1).run(|case| {
        let text = case.draw_as("text", strings());
        assert_eq!(expand(&compress(&text)), text);
    });
    println!("{report}\n");

    println!("3. A claim about functions: the function is drawn too.\n");
    let report = Check::new("filter_after_map_is_map_after_filter").seed(1).run(|case| {
        let list: Vec<u8> = case.draw_as("list", vecs(any()));
        let double = |n: u8| n.wrapping_mul(2);
        let keep = case.draw_as("keep", functions::<u8, bool>(booleans()));
        let one: Vec<u8> = list.iter().map(|&n| double(n)).filter(|&n| keep.call(n)).collect();
        let other: Vec<u8> = list.iter().filter(|&&n| keep.call(n)).map(|&n| double(n)).collect();
        assert_eq!(one, other);
    });
    println!("{report}\n");

    println!("4. A small domain is proved and not sampled.\n");
    let report = Check::new("rotation_undoes_rotation").run(|case| {
        let byte = case.draw_as("byte", any::<u8>());
        let by = case.draw_as("by", integers::<u32>().max_value(3));
        byte.rotate_left(by).rotate_right(by) == byte
    });
    println!("{report}");
}
