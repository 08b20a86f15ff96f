//! Finds the package and the test target that a source file belongs to.

use std::path::{Path, PathBuf};

use cargo_metadata::Package;
use rebut_protocol::terminal::path_on_one_line;

use crate::overlay::resolved;
use crate::package::{names_of_rebut, target_of};
use crate::workspace::metadata;
use crate::{Problem, Request, Target};

/// A source file with the package and the target whose tests it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TestFile {
    /// The package.
    pub package: String,
    /// The directory of the package.
    pub folder: PathBuf,
    /// The directory of its workspace.
    pub root: PathBuf,
    /// The file, from the directory of the package.
    pub file: PathBuf,
    /// The target whose tests it belongs to.
    pub target: Target,
    /// The edition of the package.
    pub edition: String,
    /// The name of Rebut in the code of the package; `None` if the package does not depend on it.
    pub rebut: Option<String>,
    /// The name of the package's library in code, if it has one.
    pub library: Option<String>,
}

impl TestFile {
    /// Finds the package and the target of a file.
    ///
    /// # Errors
    /// If the file is in no package of the workspace, or in none of its test targets.
    pub fn find(file: &Path, request: &Request) -> Result<TestFile, Problem> {
        let file = resolved(&std::path::absolute(file).unwrap_or_else(|_| file.to_owned()));
        let mut request = request.clone();
        if request.manifest.is_none() {
            let above = file.ancestors().skip(1).map(|folder| folder.join("Cargo.toml"));
            request.manifest = above.into_iter().find(|manifest| manifest.is_file());
        }
        let metadata = metadata(None, &request)?;
        let folder_of = |package: &Package| {
            resolved(package.manifest_path.as_std_path().parent().unwrap_or(Path::new("/")))
        };
        let owners = metadata.workspace_packages().into_iter();
        let owner = owners
            .filter(|package| file.starts_with(folder_of(package)))
            .max_by_key(|package| folder_of(package).components().count());
        let Some(package) = owner else {
            return Err(Problem::request(format!(
                "{} belongs to no package of the workspace {}",
                path_on_one_line(&file),
                path_on_one_line(metadata.workspace_root.as_std_path())
            )));
        };
        let folder = folder_of(package);
        let Some(target) = target_of(package, &file) else {
            return Err(Problem::request(format!(
                "{} is not part of a library, program or test of the package `{}`",
                path_on_one_line(&file),
                package.name
            )));
        };
        let libraries = package
            .targets
            .iter()
            .filter(|known| Target::from_metadata(known) == Some(Target::Lib));
        Ok(TestFile {
            package: package.name.to_string(),
            root: metadata.workspace_root.as_std_path().to_owned(),
            file: file.strip_prefix(&folder).unwrap_or(&file).to_owned(),
            target,
            edition: package.edition.to_string(),
            rebut: names_of_rebut(package).into_iter().next(),
            library: libraries.map(|library| library.name.replace('-', "_")).next(),
            folder,
        })
    }
}
