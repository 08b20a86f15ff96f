//! What installing our commands costs, beside another tool that is installed the same way.

use std::path::PathBuf;

use super::scratch::Scratch;
use crate::place::Place;

/// What installing a command costs.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    pub(super) package: &'static str,
    pub(super) version: &'static str,
    pub(super) cpu_s: f64,
    pub(super) crates: usize,
    /// Crates of the engines that the core command must not bring.
    pub(super) engines: Vec<String>,
}

/// The command that everybody installs.
pub(super) const CORE: &str = "cargo-rebut";

/// The command that brings the engines.
pub(super) const ENGINES: &str = "cargo-rebut-explore";

/// The peer, and its version.
pub(super) const PEER: (&str, &str) = ("cargo-mutants", "27.1.0");

/// How the names of packages of a compiler start.
const COMPILER: [&str; 2] = ["wasmtime", "cranelift"];

/// Installs all three.
pub(super) fn measure(place: &Place) -> Result<Vec<Figure>, String> {
    Ok(vec![ours(place, CORE)?, peer(place)?, ours(place, ENGINES)?])
}

fn ours(place: &Place, package: &'static str) -> Result<Figure, String> {
    eprintln!("    Installing {package}");
    let scratch = Scratch::new(place, package)?;
    scratch.write(".keep", "")?;
    let folder = place.join("../crates").join(package).display().to_string();
    let manifest = format!("{folder}/Cargo.toml");
    scratch.cargo(false, &["fetch", "--quiet", "--locked", "--manifest-path", &manifest])?;
    let tree = ["tree", "--locked", "--manifest-path", &manifest, "-e", "normal"];
    let tree = scratch.cargo(false, &[&tree[..], &["--prefix", "none"]].concat())?;
    let mut engines: Vec<String> = tree
        .lines()
        .filter_map(|line| line.split(' ').next())
        .filter(|name| COMPILER.iter().any(|start| name.starts_with(start)))
        .map(str::to_owned)
        .collect();
    engines.sort();
    engines.dedup();
    let figure = install(&scratch, package, "", &["--path", &folder])?;
    scratch.remove()?;
    Ok(Figure { engines, ..figure })
}

fn peer(place: &Place) -> Result<Figure, String> {
    let (package, version) = PEER;
    eprintln!("    Installing {package} {version}");
    let scratch = Scratch::new(place, package)?;
    let requirement = format!("={version}");
    let what = [package, "--version", &requirement];
    // A package without a library cannot be a dependency, so only `cargo install` downloads it.
    // With a feature that does not exist, it stops right after that. The dependencies can then be
    // fetched before anything is measured.
    scratch.write(".keep", "")?;
    let stopped = ["install", "--quiet", "--features", "no-such-feature"];
    let _ = scratch.cargo(false, &[&stopped[..], &what].concat());
    let manifest = downloaded(package, version)?;
    let path = manifest.to_str().ok_or("the path of the registry is not Unicode")?;
    scratch.cargo(false, &["fetch", "--quiet", "--locked", "--manifest-path", path])?;
    let figure = install(&scratch, package, version, &what)?;
    scratch.remove()?;
    Ok(figure)
}

/// The manifest of a package in cargo's registry.
fn downloaded(package: &str, version: &str) -> Result<PathBuf, String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let sources = home.ok_or("there is no home directory")?.join("registry/src");
    let registries = std::fs::read_dir(&sources).map_err(|error| error.to_string())?;
    let name = format!("{package}-{version}");
    registries
        .filter_map(|entry| Some(entry.ok()?.path().join(&name).join("Cargo.toml")))
        .find(|manifest| manifest.is_file())
        .ok_or_else(|| format!("{name} is not below {}", sources.display()))
}

fn install(
    scratch: &Scratch,
    package: &'static str,
    version: &'static str,
    what: &[&str],
) -> Result<Figure, String> {
    scratch.clean()?;
    let root = scratch.root().join("installed").display().to_string();
    let arguments = ["install", "--quiet", "--locked", "--no-track", "--root", &root];
    let cpu_s = scratch.cpu_seconds(false, &[&arguments[..], what].concat())?;
    Ok(Figure { package, version, cpu_s, crates: scratch.built_crates(), engines: Vec::new() })
}
