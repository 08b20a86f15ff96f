//! Usernames that differ in what matters: `cargo run --example usernames`.

#![expect(clippy::print_stdout, reason = "the story is what it prints")]

use rebut_examples::inputs;

fn main() {
    let file = include_str!("usernames.rebut");
    for outline in ["covered", "longer"] {
        let names: Vec<String> =
            inputs(file, &[], outline).iter().map(|input| input["username"].to_string()).collect();
        println!("{outline}: {}", names.join(" "));
    }
}
