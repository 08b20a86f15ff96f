//! The CPU time of a cold release build of a crate whose only dev-dependency
//! is the library, as its users have it: default features, fresh target
//! directory, sources fetched beforehand.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use bench_measure::children_cpu_ns;

use crate::cache::Cache;
use crate::figure::{Figure, Figures};
use crate::library::{Hash, OURS};
use crate::machine;
use crate::options::{Bench, Options};
use crate::place::{self, Place};

/// A library as a dependency.
struct Dependency {
    library: &'static str,
    package: &'static str,
    /// The name in code.
    extern_name: &'static str,
    version: &'static str,
}

/// The peers whose builds are measured; versions as in `peers/Cargo.toml`.
const PEERS: [Dependency; 4] = [
    Dependency {
        library: "proptest",
        package: "proptest",
        extern_name: "proptest",
        version: "1.12.0",
    },
    Dependency {
        library: "quickcheck",
        package: "quickcheck",
        extern_name: "quickcheck",
        version: "1.1.0",
    },
    Dependency {
        library: "hegeltest",
        package: "hegeltest",
        extern_name: "hegel",
        version: "0.51.0",
    },
    Dependency {
        library: "bolero",
        package: "bolero",
        extern_name: "bolero",
        version: "0.13.7",
    },
];

/// Crates that are there for the measurement or as a peer's build shim.
const NOT_COUNTED: [&str; 2] = ["dependent", "hegel-engine-shim"];

/// Builds ours, and each peer that is not kept from before.
pub(crate) fn measure(place: &Place, options: &Options) -> Result<Figures, String> {
    let mut figures = Figures::default();
    let ours = place.join("../crates/rebut");
    if ours.join("Cargo.toml").exists() {
        let requirement = format!("{{ path = {:?} }}", ours.display().to_string());
        let dependency = Dependency {
            library: OURS,
            package: "rebut",
            extern_name: "rebut",
            version: "",
        };
        figures.extend([build(place, &dependency, &requirement)?]);
    }
    let mut cache = Cache::open(place, Bench::Build);
    for peer in &PEERS {
        figures.extend(kept_or_built(place, peer, options.is_fresh, &mut cache)?);
    }
    Ok(figures)
}

fn kept_or_built(
    place: &Place,
    peer: &Dependency,
    is_fresh: bool,
    cache: &mut Cache,
) -> Result<Vec<Figure>, String> {
    let fingerprint = fingerprint(peer);
    match cache.get(peer.library, &fingerprint, 1) {
        Some(kept) if !is_fresh => Ok(kept),
        _ => {
            let figure = build(place, peer, &format!("\"={}\"", peer.version))?;
            let figures = vec![Figure {
                fingerprint,
                ..figure
            }];
            cache.put(peer.library, &figures)?;
            Ok(figures)
        }
    }
}

/// A build time depends on the machine and the compiler.
fn fingerprint(peer: &Dependency) -> String {
    let mut hash = Hash::default();
    hash.add(peer.version);
    hash.add(&machine::describe());
    hash.to_string()
}

fn build(place: &Place, dependency: &Dependency, requirement: &str) -> Result<Figure, String> {
    eprintln!("    Measuring the build of {}", dependency.library);
    let root = place.target().join("build-bench").join(dependency.library);
    write_dependent(&root, dependency, requirement)?;
    let cargo = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        command
            .args(arguments)
            .current_dir(&root)
            .env("CARGO_TARGET_DIR", root.join("target"));
        place::output(&mut command)
    };
    cargo(&["fetch", "--quiet"])?;
    let start_ns = children_cpu_ns();
    cargo(&["build", "--release", "--tests", "--quiet"])?;
    let cpu_ns = children_cpu_ns() - start_ns;
    let crates = built_crates(&root.join("target"));
    // Build products of several peers are large, and of no further use.
    remove_dir(&root)?;
    Ok(Figure {
        library: dependency.library.to_owned(),
        version: dependency.version.to_owned(),
        problem: "cold release build".to_owned(),
        seeds: 1,
        mean: cpu_ns as f64 / 1e9,
        size: crates.len() as f64,
        ..Figure::default()
    })
}

/// Writes a fresh crate with an own workspace and a test that names the
/// library.
fn write_dependent(root: &Path, dependency: &Dependency, requirement: &str) -> Result<(), String> {
    remove_dir(root)?;
    let manifest = format!(
        "[package]\nname = \"dependent\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dev-dependencies]\n{} = {requirement}\n\n[workspace]\n",
        dependency.package
    );
    let test = format!(
        "use {} as _;\n\n#[test]\nfn builds() {{}}\n",
        dependency.extern_name
    );
    write(&root.join("Cargo.toml"), &manifest)?;
    write(&root.join("src/lib.rs"), "")?;
    write(&root.join("tests/names.rs"), &test)
}

/// The packages that were compiled, by the fingerprints cargo left, those of
/// builds inside builds included.
fn built_crates(target: &Path) -> BTreeSet<String> {
    let mut crates = BTreeSet::new();
    let mut directories = vec![target.to_owned()];
    while let Some(directory) = directories.pop() {
        let is_fingerprints = directory.ends_with(".fingerprint");
        for path in entries(&directory).filter(|path| path.is_dir()) {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            match name.rsplit_once('-') {
                Some((package, _)) if is_fingerprints => drop(crates.insert(package.to_owned())),
                _ => directories.push(path),
            }
        }
    }
    crates.retain(|package| !NOT_COUNTED.contains(&package.as_str()));
    crates
}

fn entries(directory: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(directory)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| format!("cannot write {path:?}: {error}"))
}

fn remove_dir(path: &Path) -> Result<(), String> {
    if !path.exists() {
        return Ok(());
    }
    fs::remove_dir_all(path).map_err(|error| format!("cannot remove {path:?}: {error}"))
}
