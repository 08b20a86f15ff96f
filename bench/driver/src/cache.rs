//! Figures of peers that are kept between runs, committed beside the results.
//!
//! A figure is as good as new when its fingerprint is what it would be today
//! and it was taken under the same number of seeds.

use std::fs;
use std::path::PathBuf;

use crate::figure::Figure;
use crate::options::Bench;
use crate::place::Place;

/// The kept figures of one bench.
#[derive(Debug)]
pub(crate) struct Cache {
    path: PathBuf,
    figures: Vec<Figure>,
}

impl Cache {
    /// Reads what is kept; lines that cannot be read are as good as absent.
    pub(crate) fn open(place: &Place, bench: Bench) -> Self {
        let path = place.join(&format!("results/peers-{bench}.jsonl"));
        let text = fs::read_to_string(&path).unwrap_or_default();
        let figures = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        Self { path, figures }
    }

    /// The kept figures of a library, if they are as good as new.
    pub(crate) fn get(&self, library: &str, fingerprint: &str, seeds: u64) -> Option<Vec<Figure>> {
        let is_kept = |figure: &&Figure| {
            figure.library == library && figure.fingerprint == fingerprint && figure.seeds == seeds
        };
        let kept: Vec<_> = self.figures.iter().filter(is_kept).cloned().collect();
        (!kept.is_empty()).then_some(kept)
    }

    /// Replaces the kept figures of a library and writes all of them.
    pub(crate) fn put(&mut self, library: &str, figures: &[Figure]) -> Result<(), String> {
        self.figures.retain(|figure| figure.library != library);
        self.figures.extend_from_slice(figures);
        self.figures.sort_by(|a, b| (&a.library, &a.problem).cmp(&(&b.library, &b.problem)));
        let lines = self.figures.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>();
        let lines = lines.map_err(|error| format!("cannot write a figure: {error}"))?;
        let text = lines.join("\n") + "\n";
        fs::write(&self.path, text)
            .map_err(|error| format!("cannot write {:?}: {error}", self.path))
    }
}
