//! The test suite of a middling crate: 200 properties over 40 types that derive their
//! generators, written the same way for each library, built, changed, built again and run.
//!
//! What the library itself takes to build is measured elsewhere; here it is built already.

mod source;

use super::library::{Dialect, Library};
use super::scratch::{Profile, Scratch};
use crate::place::Place;
use source::Source;

pub(super) use source::{PROPERTIES, TYPES};

/// What a suite costs.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    pub(super) library: &'static str,
    pub(super) version: &'static str,
    pub(super) debug: Build,
    pub(super) release: Build,
    /// CPU seconds of the release binary, with as many cases as the library runs by default.
    pub(super) run_s: f64,
    /// How many cases of each property that is.
    pub(super) cases: u64,
}

/// What a build of a suite costs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Build {
    /// CPU seconds of the first build.
    pub(super) first_s: f64,
    /// CPU seconds after one property of one file was changed.
    pub(super) again_s: f64,
    /// Bytes of the binary.
    pub(super) bytes: u64,
}

/// The name of the test target.
const TARGET: &str = "properties";

/// Builds and runs the suite of every library that has one.
pub(super) fn measure(place: &Place, libraries: &[Library]) -> Result<Vec<Figure>, String> {
    libraries
        .iter()
        .filter_map(|library| Some((library, library.dialect?)))
        .map(|(library, dialect)| suite(place, library, dialect))
        .collect()
}

fn suite(place: &Place, library: &Library, dialect: Dialect) -> Result<Figure, String> {
    eprintln!("    Building {PROPERTIES} properties with {}", library.name);
    let scratch = Scratch::new(place, &format!("suite-{}", library.name))?;
    scratch.write("Cargo.toml", &library.manifest(place, "suite", true))?;
    scratch.write("src/lib.rs", "")?;
    scratch.cargo(false, &["fetch", "--quiet"])?;
    let source = Source::new(dialect);
    let debug = build(&scratch, &source, Profile::Debug)?;
    let release = build(&scratch, &source, Profile::Release)?;
    eprintln!("    Running {PROPERTIES} properties with {}", library.name);
    let run = ["test", "--quiet", "--test", TARGET];
    let figure = Figure {
        library: library.name,
        version: library.version,
        debug,
        release,
        run_s: scratch.cpu_seconds(true, &Profile::Release.arguments(&run))?,
        cases: default_cases(dialect),
    };
    scratch.remove()?;
    Ok(figure)
}

fn build(scratch: &Scratch, source: &Source, profile: Profile) -> Result<Build, String> {
    let arguments = profile.arguments(&["test", "--no-run", "--quiet", "--test", TARGET]);
    let write = |files: Vec<(String, String)>| {
        let mut files = files.iter();
        files.try_for_each(|(path, text)| scratch.write(&format!("tests/{TARGET}/{path}"), text))
    };
    write(vec![("main.rs".to_owned(), source.names())])?;
    scratch.cargo(true, &arguments)?;
    write(source.files())?;
    let first_s = scratch.cpu_seconds(true, &arguments)?;
    let bytes = scratch.binary_bytes(profile, TARGET)?;
    write(vec![source.changed_file()])?;
    let again_s = scratch.cpu_seconds(true, &arguments)?;
    Ok(Build { first_s, again_s, bytes })
}

/// How many cases a property is run with unless the user says otherwise.
fn default_cases(dialect: Dialect) -> u64 {
    match dialect {
        Dialect::Rebut => 1000,
        Dialect::Proptest => 256,
        Dialect::Hegel => 100,
    }
}
