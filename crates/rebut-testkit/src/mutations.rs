//! Damaged files: a parser must answer whatever it reads, in a time that its length limits.
//!
//! [`for_each`] changes samples in thousands of ways, always the same ones, and [`growth`] compares
//! the work for a file with that for one twice as long. `cargo xtask mutations` runs all tests that
//! call them with [`COUNT_VARIABLE`] and prints what [`TABLE_VARIABLE`] collected.

use std::fs::OpenOptions;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::time::Duration;

/// The environment variable with the number of mutations.
pub const COUNT_VARIABLE: &str = "REBUT_TESTKIT_MUTATIONS";
/// The environment variable with the file to which each test appends a line of the table.
pub const TABLE_VARIABLE: &str = "REBUT_TESTKIT_MUTATIONS_TABLE";

/// The number of mutations of an ordinary run: enough to try each kind several times.
const COUNT: usize = 200;
/// A parser that takes longer for one file hangs. Arbitrary: these take milliseconds.
const HANG: Duration = Duration::from_secs(60);
/// The maximum growth of the work for a file twice as long: more than for `n log n`, and less than
/// the 4 of a quadratic parser.
const GROWTH_MAX: f64 = 2.75;
/// Measure each length this often and take the least. Arbitrary: other processes only add work.
const REPETITIONS: usize = 7;
/// Measure again at most this often if the work seems to grow too fast. Arbitrary: what shares the
/// caches of the processor may disturb all repetitions of a round, but not those of some seconds. A
/// quadratic parser is quadratic in every round.
const ROUNDS_MAX: usize = 5;

/// Calls `check` with mutations of the samples. It returns whether the mutation was accepted.
///
/// # Panics
/// If `check` panics, with the mutation. If it hangs, the process ends.
pub fn for_each(parser: &str, samples: &[&[u8]], check: &mut dyn FnMut(&[u8]) -> bool) {
    let count = std::env::var(COUNT_VARIABLE).ok().and_then(|text| text.parse().ok());
    let count = count.unwrap_or(COUNT);
    let mut random = Random(0x7265_6275_7400 + parser.len() as u64);
    let mut accepted = 0;
    for number in 0..count {
        let text = mutation(number, samples, &mut random);
        let begin = String::from_utf8_lossy(&text[..text.len().min(400)]);
        let what = format!("{parser}: mutation {number} of {} bytes: {begin:?}", text.len());
        let watched = Watched::begin(what.clone());
        let result = catch_unwind(AssertUnwindSafe(|| check(&text)));
        drop(watched);
        match result {
            Ok(is_accepted) => accepted += usize::from(is_accepted),
            Err(_) => panic!("{what}"),
        }
    }
    append(&format!("{parser}\t{count} mutations\t{accepted} accepted"));
}

/// Checks that a file twice as long takes about twice the work. `make` returns one of about this
/// many bytes.
///
/// # Panics
/// If the work grows faster.
pub fn growth(
    parser: &str,
    clock: Clock,
    bytes: usize,
    make: &dyn Fn(usize) -> Vec<u8>,
    check: &mut dyn FnMut(&[u8]),
) {
    let (one, two) = (make(bytes), make(2 * bytes));
    let mut least = [f64::INFINITY; 2];
    let mut growth = f64::INFINITY;
    for _ in 0..ROUNDS_MAX {
        for _ in 0..REPETITIONS {
            for (least, text) in least.iter_mut().zip([&one, &two]) {
                let Some(before) = clock.work() else {
                    return crate::missing("/proc", "the growth of the work cannot be measured");
                };
                check(text);
                let work = clock.work().unwrap_or(before) - before;
                *least = least.min(work);
            }
        }
        growth = least[1] / least[0].max(1.0);
        if growth <= GROWTH_MAX {
            break;
        }
    }
    append(&format!("{parser}\tgrowth\t{growth:.2}"));
    assert!(
        growth <= GROWTH_MAX,
        "{parser}: {} bytes take {} ns of processor time, and {} bytes take {} ns",
        one.len(),
        least[0],
        two.len(),
        least[1]
    );
}

/// A measure of work: the time that a processor spends, however long others keep it busy.
#[derive(Clone, Copy, Debug)]
pub enum Clock {
    /// The work of the calling thread.
    Thread,
    /// The work of the process, for a parser that starts threads. The test must be alone in its
    /// process.
    Process,
}

impl Clock {
    /// The work so far in nanoseconds, or `None` if the system does not provide it.
    fn work(self) -> Option<f64> {
        match self {
            Clock::Thread => {
                let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
                text.split(' ').next()?.parse().ok()
            }
            Clock::Process => {
                let text = std::fs::read_to_string("/proc/self/stat").ok()?;
                let fields: Vec<&str> = text[text.rfind(')')? + 1..].split_whitespace().collect();
                let ticks = |nth: usize| fields.get(nth)?.parse::<f64>().ok();
                // Fields 14 and 15, in ticks of 10 ms (proc_pid_stat(5)).
                Some((ticks(11)? + ticks(12)?) * 1e7)
            }
        }
    }
}

fn append(line: &str) {
    let Some(path) = std::env::var_os(TABLE_VARIABLE) else { return };
    let file = OpenOptions::new().create(true).append(true).open(path);
    let written = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
    written.expect("the file for the table");
}

/// Ends the process if a check does not end.
struct Watched {
    _end: mpsc::Sender<()>,
}

impl Watched {
    fn begin(what: String) -> Watched {
        let (end, ended) = mpsc::channel();
        std::thread::spawn(move || {
            if ended.recv_timeout(HANG) == Err(mpsc::RecvTimeoutError::Timeout) {
                // The harness would capture what `eprintln!` prints.
                let _ = writeln!(std::io::stderr(), "{what} hangs");
                std::process::abort();
            }
        });
        Watched { _end: end }
    }
}

/// Returns a sample with one to three changes.
fn mutation(number: usize, samples: &[&[u8]], random: &mut Random) -> Vec<u8> {
    let sample = samples[random.below(samples.len())];
    let mut text = sample.to_vec();
    change(&mut text, number % KINDS, samples, random);
    for _ in 0..random.below(3) {
        let kind = random.below(KINDS);
        change(&mut text, kind, samples, random);
    }
    text.truncate(LENGTH_MAX);
    text
}

/// The maximum length of a mutation in bytes: repeated long lines take too long even in a time that
/// grows slowly.
const LENGTH_MAX: usize = 1 << 18;

/// The number of kinds of changes.
const KINDS: usize = 14;

fn change(text: &mut Vec<u8>, kind: usize, samples: &[&[u8]], random: &mut Random) {
    /// Values at which numbers overflow, and characters that act on a terminal or a parser.
    const PARTS: &[&str] = &[
        "18446744073709551616",
        "340282366920938463463374607431768211456",
        "-9223372036854775809",
        "1e999999999",
        "\u{1b}[2J",
        "\u{202e}",
        "\r\n",
        "\\u{110000}",
        "\\ud800",
        "\"",
        "\\",
        ")",
        "}",
        "]",
        "\t",
        " ",
        "=",
    ];
    let at = random.below(text.len() + 1);
    let insert =
        |text: &mut Vec<u8>, bytes: &[u8]| drop(text.splice(at..at, bytes.iter().copied()));
    match kind {
        0 | 1 if at < text.len() => text[at] ^= 1 << random.below(8),
        2 => text.truncate(at),
        3 | 4 => {
            let lines: Vec<Vec<u8>> =
                text.split_inclusive(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
            let Some(line) = lines.get(random.below(lines.len().max(1))) else { return };
            let times = if kind == 3 { 1 } else { 1 + random.below(200) };
            let repeated = line.repeat(times);
            let begin: usize = lines[..random.below(lines.len())].iter().map(Vec::len).sum();
            text.splice(begin..begin, repeated);
        }
        5 => {
            let digits: Vec<usize> =
                (0..text.len()).filter(|&n| text[n].is_ascii_digit()).collect();
            let Some(&digit) = digits.get(random.below(digits.len().max(1))) else { return };
            let huge = PARTS[random.below(4)].bytes();
            text.splice(digit..=digit, huge);
        }
        6 => insert(text, &[0xFF, 0xC3, 0x28, 0xF0, 0x9F][random.below(4)..]),
        7 => insert(text, &b"\0".repeat(1 + random.below(64))),
        8 => insert(text, &b"x".repeat(1 << (6 + random.below(11)))),
        9 => {
            let open = ["(", "[", "{\"a\":", "[[", "(s1f ", "- "][random.below(6)];
            insert(text, open.repeat(1 << (4 + random.below(11))).as_bytes());
        }
        10 => insert(text, PARTS[random.below(PARTS.len())].as_bytes()),
        11 => {
            let other = samples[random.below(samples.len())];
            let begin = random.below(other.len() + 1);
            let end = begin + random.below(other.len() - begin + 1);
            insert(text, &other[begin..end]);
        }
        12 => {
            let end = (at + random.below(40)).min(text.len());
            drop(text.drain(at..end));
        }
        _ => {
            let bytes: Vec<u8> = (0..random.below(16)).map(|_| random.below(256) as u8).collect();
            insert(text, &bytes);
        }
    }
}

/// SplitMix64, so that every run tries the same mutations.
struct Random(u64);

impl Random {
    /// A number below `limit`, or 0.
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % limit.max(1) as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutations_differ_and_are_the_same_in_every_run() {
        let all = || {
            let mut all = Vec::new();
            for_each("a sample", &[b"a 1\nb 2\n"], &mut |text| {
                all.push(text.to_vec());
                true
            });
            all
        };
        let first = all();
        assert!(first.len() >= COUNT);
        assert_eq!(first, all());
        let different: std::collections::HashSet<&Vec<u8>> = first.iter().collect();
        assert!(different.len() > first.len() / 2, "{}", different.len());
    }
}
