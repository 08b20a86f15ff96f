//! A service that handles most characters: `cargo run --example colon-path`.
//!
//! It fails for any underscore, and there is a second mistake behind that. A cover of the
//! regular expression finds both within a few inputs, each time.

#![expect(clippy::print_stdout, reason = "the story is what it prints")]

use rebut_examples::inputs;

/// The first mistake: an underscore is taken for the start of a variable.
fn has_underscore(path: &str) -> bool {
    path.contains('_')
}

/// The second: only a later segment that starts with one and goes on is.
fn has_variable(path: &str) -> bool {
    path.split(':').skip(1).any(|segment| segment.len() > 1 && segment.starts_with('_'))
}

fn main() {
    let inputs = inputs(include_str!("paths.rebut"), &[], "covering");
    for (name, fails) in [("A", has_underscore as fn(&str) -> bool), ("B", has_variable)] {
        let found = inputs.iter().position(|input| input["path"].as_str().is_some_and(fails));
        match found {
            Some(at) => println!("mistake {name}: input {} is {}", at + 1, inputs[at]["path"]),
            None => println!("mistake {name}: not found"),
        }
    }
}
