//! Hunts the list that slows a quicksort down most, and plots the hunt from its events.
//!
//! `cargo run -p rebut-search-examples --example worst_case`

#![expect(clippy::print_stdout, reason = "a program that shows something")]

use std::path::PathBuf;

use rebut::settings::EventLevel;
use rebut::{Check, maximize, permutations};
use rebut_search_examples::worst_case::quicksort;

fn main() -> Result<(), String> {
    let check = Check::new("worst_case").seed(1).cases(4000);
    let report = check.configure(|settings| settings.events = EventLevel::Search).run(|case| {
        let mut list = case.draw_as("list", permutations(0..32u8));
        maximize(quicksort(&mut list));
    });
    println!("{report}\n");
    let path = events()?;
    println!("{}", path.display());
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let best: Vec<f64> = text.lines().filter_map(|line| number_after(line, "\"best\":[")).collect();
    plot(&best);
    Ok(())
}

/// The events of this process.
fn events() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let runs =
        program.ancestors().map(|folder| folder.join("rebut/runs")).find(|runs| runs.is_dir());
    let runs = runs.ok_or("no folder of runs")?;
    let ours = format!("{}.jsonl", std::process::id());
    let entries = std::fs::read_dir(&runs).map_err(|error| error.to_string())?;
    let files = entries.flatten().map(|group| group.path().join(&ours));
    files.into_iter().find(|path| path.exists()).ok_or("no events of this run".to_owned())
}

/// The number that follows a key in a line of events.
fn number_after(line: &str, key: &str) -> Option<f64> {
    let rest = line.split_once(key)?.1;
    rest[..rest.find([',', ']', '}'])?].parse().ok()
}

/// The best so far over the cases, as a picture of text.
fn plot(best: &[f64]) {
    const WIDTH: usize = 72;
    const HEIGHT: usize = 12;
    let (Some(&first), Some(&last)) = (best.first(), best.last()) else { return };
    let step = ((last - first) / (HEIGHT - 1) as f64).max(f64::MIN_POSITIVE);
    for row in (0..HEIGHT).rev() {
        let level = first + step * row as f64;
        let column = |n: usize| best[n * (best.len() - 1) / (WIDTH - 1)];
        let line = (0..WIDTH).map(|n| if column(n) >= level { '#' } else { ' ' });
        println!("{level:6.0} |{}", line.collect::<String>());
    }
    println!("       +{}\n        1 {:>69} cases", "-".repeat(WIDTH), best.len());
}
