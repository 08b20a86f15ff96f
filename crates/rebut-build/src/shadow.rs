//! A shadow of a package: the same sources under a manifest without some dependencies.
//!
//! Cargo builds all that the tests of a package depend on before it builds any of them, and one
//! dependency that does not build stops them all. So the package is built from another folder,
//! in which all files are links to those of the user, and only the manifest is written anew. The
//! folder has the package at the same place of its workspace, so that files have the same names
//! in what is built; the manifest of the workspace is there too, with this member alone.
//!
//! Files may have other text than the user's (see [`Overlay`]). Cargo looks at when a file was
//! written, and a link to an old file would seem to be older than what was built from the text
//! that stood there in between. So what was once written in a shadow is no link any more: it is
//! kept in step with the user's file.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use cargo_metadata::{Metadata, Package};
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value};

use crate::Problem;
use crate::overlay::Overlay;
use crate::package::names_of_rebut;
use rebut_manifest::Origin;

/// A shadow package.
#[derive(Debug)]
pub(crate) struct Shadow {
    pub(crate) manifest: PathBuf,
}

/// What a shadow lacks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lacks {
    /// Dependencies of tests, by their names in the manifest.
    pub(crate) dependencies: Vec<String>,
    /// The programs of the package.
    pub(crate) programs: bool,
}

/// The name of a package's shadow directory.
///
/// A target directory can serve several workspaces, and two of them may have packages of one name.
/// The path of the manifest keeps their shadows apart.
pub(crate) fn directory_name(package: &Package) -> String {
    let hash = fnv1a(package.manifest_path.as_str().bytes());
    format!("{}-{hash:016x}", package.name)
}

/// The 64-bit FNV-1a hash of bytes.
pub(crate) fn fnv1a(bytes: impl Iterator<Item = u8>) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    bytes.fold(0xCBF2_9CE4_8422_2325, step)
}

impl Shadow {
    /// Makes the shadow of a package below `folder`.
    pub(crate) fn make(
        metadata: &Metadata,
        package: &Package,
        lacks: &Lacks,
        overlay: &Overlay,
        folder: &Path,
    ) -> Result<Shadow, Problem> {
        let root = metadata.workspace_root.as_std_path();
        let manifest = package.manifest_path.as_std_path();
        let home = manifest.parent().unwrap_or(root);
        let place = home.strip_prefix(root).map_err(|_error| {
            Problem::cargo(format!(
                "{} is outside of the directory of its workspace, {}",
                home.display(),
                root.display()
            ))
        })?;
        let files = overlay.from(root, home)?;
        Mirror { root, shadow: folder, place, files: &files }.fill(Path::new(""))?;
        let shadow = folder.join(place).join("Cargo.toml");
        let mut own = read(manifest)?;
        reduce(&mut own, home, lacks);
        if overlay.adds_rebut && names_of_rebut(package).is_empty() {
            Origin::own().add_to(&mut own);
        }
        if place.as_os_str().is_empty() {
            set_workspace(&mut own, root, None);
        } else {
            let mut workspace = read(&root.join("Cargo.toml"))?;
            // The root may be a package, too.
            let of_workspace = ["workspace", "patch", "replace", "profile", "cargo-features"];
            workspace.retain(|key, _| of_workspace.contains(&key));
            set_workspace(&mut workspace, root, Some(place));
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
    text.parse().map_err(|error| Problem::cargo(format!("cannot read {}: {error}", path.display())))
}

/// Writes a file unless it is the same already: cargo looks at when it was written.
fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<(), Problem> {
    let text = text.as_ref();
    if path.is_symlink() {
        // What is written must not go to the file of the user.
        remove(path)?;
    } else if fs::read(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::write(path, text).map_err(|error| Problem::file("write", path, &error))
}

/// Writes a file that cargo then changes, unless it was made from the same text.
fn write_once(path: &Path, text: &str) -> Result<(), Problem> {
    let original = path.with_extension("lock.original");
    if path.is_file() && fs::read_to_string(&original).is_ok_and(|old| old == text) {
        return Ok(());
    }
    write(path, text)?;
    write(&original, text)
}

/// What is not linked: it is written anew, or large and of no use.
const OWN: [&str; 5] = ["Cargo.toml", "Cargo.lock", "Cargo.lock.original", "target", ".git"];

/// Fills a shadow with links to what is in `root`. Folders on the way to that of the package, at
/// `place`, and to files with other text are no links.
struct Mirror<'a> {
    root: &'a Path,
    shadow: &'a Path,
    place: &'a Path,
    /// From the root.
    files: &'a BTreeMap<PathBuf, &'a str>,
}

impl Mirror<'_> {
    /// Fills the folder at this path from the root.
    fn fill(&self, at: &Path) -> Result<(), Problem> {
        let (folder, shadow) = (self.root.join(at), self.shadow.join(at));
        if shadow.is_symlink() {
            remove(&shadow)?;
        }
        fs::create_dir_all(&shadow).map_err(|error| Problem::file("create", &shadow, &error))?;
        let mut names: BTreeSet<OsString> = self.names_on_the_way(at).collect();
        // A folder that only files with other text are in need not exist.
        if folder.is_dir() {
            names.extend(entries(&folder)?);
        }
        for name in names.iter().filter(|name| !self.is_own(at, name)) {
            self.put(&at.join(name))?;
        }
        for name in entries(&shadow)? {
            if !names.contains(&name) && !self.is_own(at, &name) {
                remove(&shadow.join(name))?;
            }
        }
        Ok(())
    }

    /// Puts into the shadow what is at a path: other text, a folder, a link.
    fn put(&self, at: &Path) -> Result<(), Problem> {
        let (from, to) = (self.root.join(at), self.shadow.join(at));
        if let Some(text) = self.files.get(at) {
            return write(&to, text);
        }
        let was_written = !to.is_symlink() && to.exists();
        if self.is_on_the_way(at) || (was_written && from.is_dir() && to.is_dir()) {
            return self.fill(at);
        }
        if was_written && from.is_file() && to.is_file() {
            let text = fs::read(&from).map_err(|error| Problem::file("read", &from, &error))?;
            return write(&to, text);
        }
        link(&from, &to)
    }

    fn is_own(&self, at: &Path, name: &OsString) -> bool {
        self.place.starts_with(at) && OWN.iter().any(|own| name == own)
    }

    fn ways(&self) -> impl Iterator<Item = &Path> {
        [self.place].into_iter().chain(self.files.keys().map(PathBuf::as_path))
    }

    fn is_on_the_way(&self, at: &Path) -> bool {
        self.ways().any(|way| way.starts_with(at))
    }

    /// What is below `at` on the way to something.
    fn names_on_the_way(&self, at: &Path) -> impl Iterator<Item = OsString> {
        let below = self.ways().filter_map(move |way| way.strip_prefix(at).ok());
        below.filter_map(|way| Some(way.components().next()?.as_os_str().to_owned()))
    }
}

fn entries(folder: &Path) -> Result<Vec<OsString>, Problem> {
    let entries = fs::read_dir(folder).map_err(|error| Problem::file("read", folder, &error))?;
    Ok(entries.flatten().map(|entry| entry.file_name()).collect())
}

/// Removes what is in a shadow: a link, never what it leads to, or what was written there.
fn remove(path: &Path) -> Result<(), Problem> {
    let is_folder = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir());
    let removed = match is_folder {
        true => fs::remove_dir_all(path),
        // A link to a folder is a folder on some systems.
        false => fs::remove_file(path).or_else(|_| fs::remove_dir(path)),
    };
    removed.map_err(|error| Problem::file("remove", path, &error))
}

fn link(from: &Path, to: &Path) -> Result<(), Problem> {
    if fs::read_link(to).is_ok_and(|linked| linked == from) {
        return Ok(());
    }
    if to.is_symlink() || to.exists() {
        remove(to)?;
    }
    #[cfg(unix)]
    let linked = std::os::unix::fs::symlink(from, to);
    #[cfg(windows)]
    let linked = if from.is_dir() {
        std::os::windows::fs::symlink_dir(from, to)
    } else {
        std::os::windows::fs::symlink_file(from, to)
    };
    #[cfg(not(any(unix, windows)))]
    let linked: std::io::Result<()> = Err(std::io::ErrorKind::Unsupported.into());
    linked.map_err(|error| Problem::file("create the link", to, &error))
}

/// Takes from the manifest of a package what is lacking, and makes paths absolute.
fn reduce(manifest: &mut DocumentMut, home: &Path, lacks: &Lacks) {
    if let Some(package) = manifest.get_mut("package").and_then(Item::as_table_like_mut) {
        package.remove("workspace");
        if let Some(build) = package.get_mut("build") {
            make_absolute(build, home);
        }
        if lacks.programs {
            package.insert("autobins", toml_edit::value(false));
            package.remove("default-run");
        }
    }
    if lacks.programs {
        manifest.remove("bin");
    }
    for table in tables_of_dependencies(manifest) {
        let lacking: Vec<String> = match table.of_tests {
            true => lacks.dependencies.clone(),
            false => Vec::new(),
        };
        for name in lacking {
            table.table.remove(&name);
        }
        make_paths_absolute(table.table, home);
    }
    for kind in ["lib", "bin", "test", "example", "bench"] {
        match manifest.get_mut(kind) {
            Some(Item::ArrayOfTables(targets)) => {
                let paths = targets.iter_mut().filter_map(|target| target.get_mut("path"));
                paths.for_each(|path| make_absolute(path, home));
            }
            Some(target) => {
                if let Some(path) = target.get_mut("path") {
                    make_absolute(path, home);
                }
            }
            None => {}
        }
    }
}

struct Dependencies<'a> {
    table: &'a mut dyn TableLike,
    of_tests: bool,
}

/// The tables of dependencies of a package, those for certain targets among them.
fn tables_of_dependencies(manifest: &mut DocumentMut) -> Vec<Dependencies<'_>> {
    let mut found = Vec::new();
    for (key, item) in manifest.as_table_mut().iter_mut() {
        let key = key.get().to_owned();
        if key == "target" {
            let targets = item.as_table_like_mut().into_iter().flat_map(TableLike::iter_mut);
            for (_, target) in targets {
                let tables = target.as_table_like_mut().into_iter().flat_map(TableLike::iter_mut);
                for (key, item) in tables {
                    found.extend(dependencies(key.get(), item));
                }
            }
        } else {
            found.extend(dependencies(&key, item));
        }
    }
    found
}

fn dependencies<'a>(key: &str, item: &'a mut Item) -> Option<Dependencies<'a>> {
    let of_tests = match key {
        "dependencies" | "build-dependencies" | "build_dependencies" => false,
        "dev-dependencies" | "dev_dependencies" => true,
        _ => return None,
    };
    item.as_table_like_mut().map(|table| Dependencies { table, of_tests })
}

/// Makes the manifest of a workspace one whose only member is at `place`, or the package of the
/// manifest itself.
fn set_workspace(manifest: &mut DocumentMut, root: &Path, place: Option<&Path>) {
    let workspace = manifest.entry("workspace").or_insert_with(|| Item::Table(Table::new()));
    if let Some(workspace) = workspace.as_table_like_mut() {
        for key in ["members", "exclude", "default-members"] {
            workspace.remove(key);
        }
        if let Some(place) = place {
            let mut members = Array::new();
            members.push(place.display().to_string().replace('\\', "/"));
            workspace.insert("members", toml_edit::value(members));
        }
        if let Some(table) = workspace.get_mut("dependencies").and_then(Item::as_table_like_mut) {
            make_paths_absolute(table, root);
        }
    }
    for key in ["patch", "replace"] {
        let sources = manifest.get_mut(key).and_then(Item::as_table_like_mut);
        for (_, item) in sources.into_iter().flat_map(TableLike::iter_mut) {
            if let Some(table) = item.as_table_like_mut() {
                make_paths_absolute(table, root);
            }
        }
    }
}

/// Makes the paths of dependencies absolute.
fn make_paths_absolute(table: &mut dyn TableLike, home: &Path) {
    for (_, dependency) in table.iter_mut() {
        let dependency = dependency.as_table_like_mut();
        if let Some(path) = dependency.and_then(|dependency| dependency.get_mut("path")) {
            absolute(path, home);
        }
    }
}

/// Makes a path absolute that leads out of the package; others are links in the shadow.
fn make_absolute(path: &mut Item, home: &Path) {
    if path.as_str().is_some_and(|path| path.contains("..")) {
        absolute(path, home);
    }
}

fn absolute(path: &mut Item, home: &Path) {
    if let Some(relative) = path.as_str() {
        let joined = home.join(relative).display().to_string();
        *path = Item::Value(Value::from(joined));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reduced(manifest: &str, lacks: &Lacks) -> String {
        let mut manifest: DocumentMut = manifest.parse().expect("a manifest");
        reduce(&mut manifest, Path::new("/home/demo"), lacks);
        manifest.to_string()
    }

    #[test]
    fn fnv1a_matches_published_values() {
        assert_eq!(fnv1a("".bytes()), 0xCBF2_9CE4_8422_2325);
        assert_eq!(fnv1a("a".bytes()), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(fnv1a("foobar".bytes()), 0x8594_4171_F739_67E8);
    }

    #[test]
    fn only_dependencies_of_tests_are_taken_away() {
        let manifest = "\
[dependencies]
tokio = \"1\"

[dev-dependencies]
tokio = \"1\"
rebut = { path = \"../rebut\" }

[target.'cfg(unix)'.dev-dependencies]
tokio = { version = \"1\" }
";
        let lacks = Lacks { dependencies: vec!["tokio".to_owned()], programs: false };
        let text = reduced(manifest, &lacks);
        assert_eq!(text.matches("tokio").count(), 1, "{text}");
        assert!(text.contains("rebut = { path = \"/home/demo/../rebut\" }"), "{text}");
    }

    #[test]
    fn a_shadow_can_lack_its_programs() {
        let manifest = "[package]\nname = \"demo\"\ndefault-run = \"a\"\n[[bin]]\nname = \"a\"\n";
        let text = reduced(manifest, &Lacks { programs: true, ..Lacks::default() });
        assert!(text.contains("autobins = false") && !text.contains("[[bin]]"), "{text}");
        assert!(!text.contains("default-run"), "{text}");
    }

    #[test]
    fn a_workspace_has_one_member_left() {
        let manifest = "\
[workspace]
members = [\"a\", \"b\"]
exclude = [\"c\"]

[workspace.dependencies]
a = { path = \"a\", version = \"1\" }

[patch.crates-io]
c = { path = \"c\" }
";
        let mut manifest: DocumentMut = manifest.parse().expect("a manifest");
        set_workspace(&mut manifest, Path::new("/home/demo"), Some(Path::new("b")));
        let text = manifest.to_string();
        assert!(text.contains("members = [\"b\"]") && !text.contains("exclude"), "{text}");
        assert!(text.contains("path = \"/home/demo/a\""), "{text}");
        assert!(text.contains("path = \"/home/demo/c\""), "{text}");
    }

    /// A folder with a package in it, and how a shadow of it is filled.
    struct Demo(PathBuf);

    impl Demo {
        fn new(name: &str) -> Demo {
            let folder = std::env::temp_dir().join(format!("rebut-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(folder.join("root/one/src/deep")).expect("a folder");
            for file in ["one/src/lib.rs", "one/src/other.rs", "one/src/deep/a.rs"] {
                fs::write(folder.join("root").join(file), "user").expect("a file");
            }
            Demo(folder)
        }

        fn fill(&self, files: &[(&str, &'static str)]) {
            let files = files.iter().map(|(path, text)| (PathBuf::from(path), *text)).collect();
            let (root, shadow) = (self.0.join("root"), self.0.join("shadow"));
            let mirror =
                Mirror { root: &root, shadow: &shadow, place: Path::new("one"), files: &files };
            mirror.fill(Path::new("")).expect("a shadow");
        }

        fn text(&self, file: &str) -> Option<String> {
            fs::read_to_string(self.0.join("shadow").join(file)).ok()
        }
    }

    impl Drop for Demo {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn files_have_other_text_in_a_shadow_and_the_users_stay() {
        let demo = Demo::new("overlaid");
        demo.fill(&[]);
        assert!(demo.0.join("shadow/one/src").is_symlink());
        demo.fill(&[("one/src/deep/a.rs", "other"), ("one/tests/new.rs", "new")]);
        assert_eq!(demo.text("one/src/deep/a.rs").as_deref(), Some("other"));
        assert_eq!(demo.text("one/tests/new.rs").as_deref(), Some("new"));
        assert!(demo.0.join("shadow/one/src/lib.rs").is_symlink());
        let user = fs::read_to_string(demo.0.join("root/one/src/deep/a.rs"));
        assert_eq!(user.expect("the file"), "user");
        assert!(!demo.0.join("root/one/tests").exists());
    }

    #[test]
    fn what_is_no_longer_overlaid_has_the_users_text_and_is_no_older() {
        let demo = Demo::new("stale");
        demo.fill(&[("one/src/lib.rs", "other"), ("one/tests/new.rs", "new")]);
        demo.fill(&[]);
        assert_eq!(demo.text("one/src/lib.rs").as_deref(), Some("user"));
        assert!(!demo.0.join("shadow/one/src/lib.rs").is_symlink());
        assert_eq!(demo.text("one/tests/new.rs"), None);
        fs::remove_file(demo.0.join("root/one/src/other.rs")).expect("a file");
        demo.fill(&[]);
        assert!(!demo.0.join("shadow/one/src/other.rs").is_symlink());
    }
}
