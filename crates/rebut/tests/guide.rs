//! The examples of `docs/SEARCH.md`, word by word.

mod aims {
    use rebut::prelude::*;

    #[rebut::test]
    fn a_text_has_few_spaces(#[from(strings().max_size(150))] text: String) {
        let spaces = text.matches(' ').count();
        rebut::maximize(spaces).needed(200);
        assert!(spaces < 200);
    }
}

mod several {
    #[rebut::test]
    fn sorting_is_cheap(list: Vec<u8>) {
        let mut sorted = list.clone();
        sorted.sort();
        let moved = list.iter().zip(&sorted).filter(|(a, b)| a != b).count();
        rebut::maximize_as("moved", moved);
        rebut::minimize_as("length", list.len());
    }
}

mod strategies {
    use rebut::search::{Annealing, Temperature};

    fn reheated(steps: u64) -> Annealing {
        Annealing::new(steps).with_temperature(Temperature::Reheating)
    }

    #[rebut::test(search = self::reheated)]
    fn lists_are_short(list: Vec<u8>) {
        rebut::maximize(list.len());
    }

    #[rebut::test(search = |steps| Annealing::new(steps).with_temperature(Temperature::Fast))]
    fn numbers_are_small(n: u64) {
        rebut::maximize(n);
    }
}

mod steps {
    use rebut::prelude::*;

    fn tens() -> impl Generator<Value = i32> {
        integers::<i32>().in_range(0..=100).map(|n| n * 10).neighbours(|&n, temperature| {
            let reach = 1 + (9.0 * temperature) as i32;
            integers::<i32>().in_range(-reach..=reach).map(move |by| (n + by * 10).clamp(0, 1000))
        })
    }

    #[rebut::test]
    fn tens_are_small(#[from(tens())] n: i32) {
        rebut::maximize(n);
    }
}

fn trimmed(text: &str) -> String {
    text.lines().map(|line| line.trim().to_owned() + "\n").collect()
}

#[test]
fn the_guide_shows_what_is_tested_here() {
    let (guide, here) = (include_str!("../../../docs/SEARCH.md"), include_str!("guide.rs"));
    let examples: Vec<&str> = guide.split("```rust\n").skip(1).collect();
    assert_eq!(examples.len(), 4);
    for example in examples {
        let (example, _) = example.split_once("```").expect("an end of the example");
        assert!(trimmed(here).contains(&trimmed(example)), "{example}");
    }
}
