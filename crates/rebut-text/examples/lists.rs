//! Times the lists of this crate: `cargo run --release -p rebut-text --example lists`.
//!
//! The queries are those of the Iorek paper, section 8: strings of different lengths of
//! `[a-z]*` (T3), strings that cover `[_a-zA-Z][_a-zA-Z0-9]+` (T4), and different strings of
//! the latter. The times include parsing the pattern, building automata and writing the strings.

#![expect(clippy::print_stdout, reason = "this is what the example is for")]

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use rebut_text::{Cover, Regex, Repeats};

const T3: &str = "[a-z]*";
const T4: &str = "[_a-zA-Z][_a-zA-Z0-9]+";

fn main() -> Result<(), Box<dyn Error>> {
    for count in [200, 1_000, 10_000, 100_000] {
        time(&format!("T3: {count} strings of different lengths"), || lengths(count))?;
    }
    for count in [1_000, 10_000, 100_000] {
        time(&format!("T4: {count} strings by cover"), || cover(count))?;
    }
    for count in [1_000, 10_000, 100_000] {
        time(&format!("T4: {count} different strings"), || spread(count))?;
    }
    for count in [1_000, 10_000, 100_000] {
        time(&format!("T4: {count} strings, shortest first"), || words(count))?;
    }
    time("T4: 1000 strings 3 edits apart", || far_apart(1_000, 3))?;
    show()
}

/// Prints the time of the fastest of several runs, in milliseconds, and the number of bytes.
fn time(name: &str, run: impl Fn() -> Result<usize, Box<dyn Error>>) -> Result<(), Box<dyn Error>> {
    let (mut best, mut bytes) = (f64::INFINITY, 0);
    let begun = Instant::now();
    let mut runs = 0;
    while runs < 20 && (runs < 1 || begun.elapsed().as_millis() < 500) {
        let start = Instant::now();
        bytes = black_box(run()?);
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
        runs += 1;
    }
    println!("{name:<50} {best:>10.3} ms  {bytes:>12} bytes");
    Ok(())
}

fn lengths(count: usize) -> Result<usize, Box<dyn Error>> {
    let (mut text, mut bytes) = (String::new(), 0);
    for witness in Regex::parse(T3)?.language().lengths()?.take(count) {
        text.clear();
        witness.write_to(&mut text);
        bytes += black_box(&text).len();
    }
    Ok(bytes)
}

fn cover(count: usize) -> Result<usize, Box<dyn Error>> {
    let cover = Cover::new(&Regex::parse(T4)?).repeats(Repeats::Concatenation);
    Ok(cover.words()?.take(count).map(|text| text.len()).sum())
}

fn spread(count: usize) -> Result<usize, Box<dyn Error>> {
    let language = Regex::parse(T4)?.language();
    Ok(language.spread(1)?.take(count).map(|text| text.len()).sum())
}

fn words(count: usize) -> Result<usize, Box<dyn Error>> {
    let language = Regex::parse(T4)?.language();
    Ok(language.words()?.take(count).map(|text| text.len()).sum())
}

fn far_apart(count: usize, edits: usize) -> Result<usize, Box<dyn Error>> {
    let language = Regex::parse(T4)?.language();
    Ok(language.far_apart(edits, 1)?.take(count).map(|text| text.len()).sum())
}

/// Prints the first strings of each list.
fn show() -> Result<(), Box<dyn Error>> {
    let colon = Regex::parse("^[A-Za-z0-9_-]+(:[A-Za-z0-9_-]+)*$")?;
    let (t3, t4) = (Regex::parse(T3)?, Regex::parse(T4)?);
    let lengths: Vec<String> = t3.language().lengths()?.take(12).map(String::from).collect();
    println!("lengths of {t3}: {}", lengths.join(" "));
    println!("spread of {t4}: {}", first(t4.language().spread(1)?, 40));
    println!("spread of .*: {}", first(Regex::parse(".*")?.language().spread(1)?, 40));
    println!("far apart in {t4}: {}", first(t4.language().far_apart(4, 1)?, 12));
    println!("cover of {colon}: {}", first(Cover::new(&colon).words()?, 60));
    let each = Cover::new(&t4).repeats(Repeats::Concatenation);
    println!("cover of {t4}: {}", first(each.words()?, 60));
    Ok(())
}

fn first(texts: impl Iterator<Item = String>, count: usize) -> String {
    texts.take(count).collect::<Vec<String>>().join(" ")
}
