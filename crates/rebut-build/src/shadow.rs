//! A shadow of a package: the same sources, with a manifest that omits some dependencies.
//!
//! Cargo builds all dependencies of a package's tests before any of the tests, and one that does
//! not build stops them all. A shadow is another directory, in which all files are links to those
//! of the user ([`mirror`]) and only the manifests are written ([`manifest`]). The package has the
//! same path in its workspace, so that files have the same names in panics and line tables. The
//! manifest of the workspace is part of the shadow, with this package as its only member.
//!
//! Files may have other contents than the user's (see [`Overlay`]).

mod manifest;
mod mirror;

use std::fs;
use std::path::{Path, PathBuf};

use cargo_metadata::{Metadata, Package};
use toml_edit::DocumentMut;

use rebut_protocol::hash::fnv1a;
use rebut_protocol::terminal::path_on_one_line;

use crate::Problem;
use crate::overlay::Overlay;
use crate::package::names_of_rebut;
use manifest::{omit_parts, set_workspace};
use mirror::{Mirror, write, write_once};
use rebut_manifest::RebutSource;

/// A shadow package.
#[derive(Debug)]
pub(crate) struct Shadow {
    pub(crate) manifest: PathBuf,
}

/// The parts of a package that a shadow omits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OmittedParts {
    /// Names of dev-dependencies, as in the manifest.
    pub(crate) dependencies: Vec<String>,
    /// The programs of the package.
    pub(crate) programs: bool,
}

/// The name of a package's shadow directory.
///
/// A target directory can serve several workspaces, and two of them may have packages of one name.
/// The path of the manifest keeps their shadows apart.
pub(crate) fn directory_name(package: &Package) -> String {
    let hash = fnv1a(package.manifest_path.as_str().as_bytes());
    format!("{}-{hash:016x}", package.name)
}

impl Shadow {
    /// Creates the shadow of a package in `folder`, or updates it.
    pub(crate) fn make(
        metadata: &Metadata,
        package: &Package,
        omitted: &OmittedParts,
        overlay: &Overlay,
        folder: &Path,
    ) -> Result<Shadow, Problem> {
        let root = metadata.workspace_root.as_std_path();
        let manifest = package.manifest_path.as_std_path();
        let home = manifest.parent().unwrap_or(root);
        let package_path = home.strip_prefix(root).map_err(|_error| {
            Problem::cargo(format!(
                "{} is outside of the directory of its workspace, {}",
                path_on_one_line(home),
                path_on_one_line(root)
            ))
        })?;
        let files = overlay.relative_to(root, home)?;
        Mirror { root, shadow: folder, package_path, files: &files }.fill(Path::new(""))?;
        let shadow = folder.join(package_path).join("Cargo.toml");
        let mut own = read(manifest)?;
        omit_parts(&mut own, home, omitted);
        if overlay.adds_rebut && names_of_rebut(package).is_empty() {
            RebutSource::of_this_program().add_to(&mut own);
        }
        if package_path.as_os_str().is_empty() {
            set_workspace(&mut own, root, None);
        } else {
            let mut workspace = read(&root.join("Cargo.toml"))?;
            // The root may be a package too; the shadow needs only its workspace.
            let workspace_keys = ["workspace", "patch", "replace", "profile", "cargo-features"];
            workspace.retain(|key, _| workspace_keys.contains(&key));
            set_workspace(&mut workspace, root, Some(package_path));
            write(&folder.join("Cargo.toml"), workspace.to_string())?;
        }
        write(&shadow, own.to_string())?;
        let lock = root.join("Cargo.lock");
        if let Ok(text) = fs::read_to_string(&lock) {
            write_once(&folder.join("Cargo.lock"), &text)?;
        }
        Ok(Shadow { manifest: shadow })
    }
}

fn read(path: &Path) -> Result<DocumentMut, Problem> {
    let text = fs::read_to_string(path).map_err(|error| Problem::file("read", path, &error))?;
    let name = path_on_one_line(path);
    text.parse().map_err(|error| Problem::cargo(format!("cannot read {name}: {error}")))
}
