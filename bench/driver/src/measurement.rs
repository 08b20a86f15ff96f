//! Running the measured binaries.

use crate::cache::Cache;
use crate::figure::{Figure, Figures, summarize};
use crate::library::{LIBRARIES, Library, OURS};
use crate::options::{Bench, Options};
use crate::place::Place;

/// Times every library in turn, twice over, so that a disturbance hits all of
/// them or counts for none.
pub(crate) fn side_by_side(place: &Place) -> Result<Figures, String> {
    const PASSES: usize = 2;
    let present: Vec<_> = LIBRARIES.iter().filter(|library| library.is_present(place)).collect();
    let mut lines = String::new();
    for _ in 0..PASSES {
        for library in &present {
            lines += &library.run(place, Bench::Generate, 1)?;
        }
    }
    let mut figures = Figures::default();
    figures.extend(summarize(Bench::Generate, &lines)?);
    Ok(figures)
}

/// Counts for every library, from the kept figures where those will do.
pub(crate) fn counted(place: &Place, bench: Bench, options: &Options) -> Result<Figures, String> {
    let mut cache = Cache::open(place, bench);
    let mut figures = Figures::default();
    for library in LIBRARIES.iter().filter(|library| library.has(bench)) {
        figures.extend(count(place, bench, options, library, &mut cache)?);
    }
    Ok(figures)
}

fn count(
    place: &Place,
    bench: Bench,
    options: &Options,
    library: &Library,
    cache: &mut Cache,
) -> Result<Vec<Figure>, String> {
    let run = || summarize(bench, &library.run(place, bench, options.seeds(bench))?);
    if library.name == OURS {
        return if library.is_present(place) { run() } else { Ok(Vec::new()) };
    }
    let fingerprint = library.fingerprint(place)?;
    let kept = cache.get(library.name, &fingerprint, library.seeds(options.seeds(bench)));
    match kept {
        Some(kept) if !options.is_fresh => Ok(kept),
        _ if !library.is_present(place) => Ok(Vec::new()),
        _ => {
            let mut figures = run()?;
            figures.iter_mut().for_each(|figure| figure.fingerprint = fingerprint.clone());
            cache.put(library.name, &figures)?;
            Ok(figures)
        }
    }
}
