//! What installing our commands costs, beside another tool that is installed the same way.

use serde_json::Value;

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
    // Whoever depends on a package has cargo download it, and its lock file.
    let manifest = format!(
        "[package]\nname = \"dependent\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\n{package} = \"={version}\"\n\n[workspace]\n"
    );
    scratch.write("Cargo.toml", &manifest)?;
    scratch.write("src/lib.rs", "")?;
    let metadata = scratch.cargo(false, &["metadata", "--format-version", "1"])?;
    let metadata: Value = serde_json::from_str(&metadata)
        .map_err(|error| format!("cannot read the metadata of {package}: {error}"))?;
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let found = packages.iter().find(|found| found["name"] == package);
    let path = found.and_then(|found| found["manifest_path"].as_str());
    let path = path.ok_or_else(|| format!("cargo does not know where {package} is"))?;
    scratch.cargo(false, &["fetch", "--quiet", "--locked", "--manifest-path", path])?;
    let requirement = format!("={version}");
    let figure = install(&scratch, package, version, &[package, "--version", &requirement])?;
    scratch.remove()?;
    Ok(figure)
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
