//! Tables 1 to 4 of the paper at its largest number of models, and at far larger ones.

use std::path::Path;

use rebut_spec::Options;
use serde_json::json;

use crate::programs::Source;

/// Beside the number of the file. Strings of different lengths have as many characters as the
/// square of their number: 100,000 of them take 5 GB, so they are asked for up to 20,000.
const COUNTS: [(&str, [usize; 2]); 4] = [
    ("t1", [10_000, 100_000]),
    ("t2", [10_000, 100_000]),
    ("t3", [5_000, 20_000]),
    ("t4", [10_000, 100_000]),
];

pub(crate) fn measure(folder: &Path) -> Result<(), String> {
    for source in Source::all(&folder.join("paper"))? {
        let more = COUNTS.iter().find(|(name, _)| *name == source.name);
        let (_, more) = more.ok_or_else(|| format!("{} is unknown", source.name))?;
        round(&source, None, 20)?;
        for count in more {
            round(&source, Some(*count), 3)?;
        }
    }
    Ok(())
}

/// The best of some rounds: noise only ever adds.
fn round(source: &Source, count: Option<usize>, rounds: usize) -> Result<(), String> {
    let options = Options { count, ..Options::default() };
    let (mut best_ns, mut models) = (u64::MAX, 0);
    for _ in 0..rounds {
        let (outcome, cpu_ns) = source.run(&options)?;
        best_ns = best_ns.min(cpu_ns);
        models = outcome.models.len();
    }
    let line = json!({
        "part": "paper",
        "query": source.name.to_uppercase(),
        "is_paper": count.is_none(),
        "models": models,
        "cpu_ns": best_ns,
    });
    println!("{line}");
    Ok(())
}
