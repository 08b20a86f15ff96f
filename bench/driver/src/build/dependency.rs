//! A cold build of a crate that only adds the library to its dev-dependencies, as its users
//! have it: default features, fresh target folder, sources fetched beforehand.

use super::library::Library;
use super::scratch::{Profile, Scratch};
use crate::place::Place;

/// What a cold build costs.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    pub(super) library: &'static str,
    pub(super) version: &'static str,
    pub(super) release_s: f64,
    pub(super) debug_s: f64,
    pub(super) crates: usize,
}

/// Each library is built this many times, and the cheapest build counts: what else the machine
/// does only ever adds.
const PASSES: usize = 2;

/// Builds every library in turn, several times over, so that a disturbance hits all of them or
/// counts for none.
pub(super) fn measure(place: &Place, libraries: &[Library]) -> Result<Vec<Figure>, String> {
    let mut figures: Vec<Figure> = Vec::new();
    for pass in 1..=PASSES {
        for library in libraries {
            eprintln!("    Building {} ({pass} of {PASSES})", library.name);
            let figure = build(place, library)?;
            match figures.iter_mut().find(|figure| figure.library == library.name) {
                None => figures.push(figure),
                Some(best) => {
                    best.release_s = best.release_s.min(figure.release_s);
                    best.debug_s = best.debug_s.min(figure.debug_s);
                }
            }
        }
    }
    Ok(figures)
}

fn build(place: &Place, library: &Library) -> Result<Figure, String> {
    let scratch = Scratch::new(place, library.name)?;
    scratch.write("Cargo.toml", &library.manifest(place, "dependent", false))?;
    scratch.write("src/lib.rs", "")?;
    let test = format!("use {} as _;\n\n#[test]\nfn builds() {{}}\n", library.extern_name);
    scratch.write("tests/names.rs", &test)?;
    scratch.cargo(false, &["fetch", "--quiet"])?;
    let build = |profile: Profile| {
        scratch.clean()?;
        scratch.cpu_seconds(false, &profile.arguments(&["build", "--tests", "--quiet"]))
    };
    let figure = Figure {
        library: library.name,
        version: library.version,
        release_s: build(Profile::Release)?,
        debug_s: build(Profile::Debug)?,
        crates: scratch.built_crates(),
    };
    scratch.remove()?;
    Ok(figure)
}
