//! Builds the standard library for WebAssembly from its sources, once for each compiler.
//!
//! Cargo can build the standard library together with a crate. A crate without content is built
//! that way, and the libraries that come of it are put into a folder that looks like a sysroot.
//! Later builds name that folder and take no longer than with a library that was delivered.
//! Functions that are not generic and not marked to be inlined stay functions.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo::last_words;
use crate::toolchain::{Compiler, has_standard_library};
use crate::{Problem, WASM};

/// Changes when the library is built in another way.
const RECIPE: &str = "2";

/// The sysroot with the standard library of a compiler; builds it if it is not there.
pub(crate) fn library(compiler: &Compiler, say: &mut dyn FnMut(&str)) -> Result<PathBuf, Problem> {
    let cache = cache_folder()?;
    let name = format!("std-{}-{RECIPE}", compiler.key());
    let sysroot = cache.join(&name);
    if has_standard_library(&sysroot) {
        return Ok(sysroot);
    }
    fs::create_dir_all(&cache).map_err(|error| Problem::file("create", &cache, &error))?;
    let _lock = lock(&cache.join(format!("{name}.lock")))?;
    if has_standard_library(&sysroot) {
        return Ok(sysroot);
    }
    say(&format!(
        "building the standard library of {compiler} for WebAssembly, once; this takes a minute"
    ));
    let folder = cache.join(format!("{name}.building"));
    let result = build_in(&folder, compiler).and_then(|libraries| collect(&libraries, &folder));
    let result = result.and_then(|made| {
        let _ = fs::remove_dir_all(&sysroot);
        fs::rename(&made, &sysroot).map_err(|error| Problem::file("create", &sysroot, &error))
    });
    let _ = fs::remove_dir_all(&folder);
    result.map(|()| sysroot)
}

fn cache_folder() -> Result<PathBuf, Problem> {
    let of_variable = |name: &str| env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let of_home = |folder: &str| env::home_dir().map(|home| home.join(folder));
    let cache = of_variable("XDG_CACHE_HOME").filter(|path| path.is_absolute()).or_else(|| {
        if cfg!(windows) {
            of_variable("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            of_home("Library/Caches")
        } else {
            of_home(".cache")
        }
    });
    let cache = cache.ok_or_else(|| {
        Problem::toolchain("no cache directory for the standard library; set XDG_CACHE_HOME")
    })?;
    Ok(cache.join("rebut"))
}

/// Waits until nobody else builds the same; held until it is dropped.
fn lock(path: &Path) -> Result<File, Problem> {
    let file = File::create(path).map_err(|error| Problem::file("create", path, &error))?;
    // Where there are no locks two builds at the same time are unlikely enough.
    let _ = file.lock();
    Ok(file)
}

const MANIFEST: &str = "\
[package]
name = \"nothing\"
version = \"0.0.0\"
edition = \"2021\"

[workspace]

[profile.release]
opt-level = 1
panic = \"abort\"
";

/// Builds the library; gives the folder in which all its parts are.
fn build_in(folder: &Path, compiler: &Compiler) -> Result<PathBuf, Problem> {
    let _ = fs::remove_dir_all(folder);
    let write = |path: PathBuf, text: &str| {
        fs::write(&path, text).map_err(|error| Problem::file("write", &path, &error))
    };
    let sources = folder.join("src");
    fs::create_dir_all(&sources).map_err(|error| Problem::file("create", &sources, &error))?;
    write(folder.join("Cargo.toml"), MANIFEST)?;
    write(sources.join("lib.rs"), "")?;
    let target = folder.join("target");
    let mut command = compiler.cargo();
    command
        .current_dir(folder)
        .args(["build", "--release", "-Zbuild-std=std,panic_abort,test", "--target", WASM])
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", "-Zcross-crate-inline-threshold=never")
        .env("CARGO_TARGET_DIR", &target)
        .env_remove("RUSTC_WRAPPER");
    use_vendored(&mut command, compiler);
    let output = command.output().map_err(|error| {
        Problem::toolchain(format!("cannot start the cargo of {compiler}: {error}"))
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Problem::toolchain(format!(
            "the standard library of {compiler} could not be built for WebAssembly; \
             `rustup target add {WASM}` installs a prebuilt one\n{}",
            last_words(&said)
        )));
    }
    Ok(target.join(WASM).join("release/deps"))
}

/// The sources may have with them what the standard library depends on; then nothing is fetched.
fn use_vendored(command: &mut Command, compiler: &Compiler) {
    let vendored = compiler.sources().map(|sources| sources.join("vendor"));
    let Some(vendored) = vendored.filter(|vendored| vendored.is_dir()) else { return };
    command
        .arg("--offline")
        .args(["--config", "source.crates-io.replace-with=\"vendored\"", "--config"])
        .arg(format!("source.vendored.directory={:?}", vendored.display().to_string()));
}

/// Puts the libraries where the compiler looks for them, below a folder that it gives.
fn collect(libraries: &Path, folder: &Path) -> Result<PathBuf, Problem> {
    let sysroot = folder.join("sysroot");
    let place = sysroot.join("lib/rustlib").join(WASM).join("lib");
    fs::create_dir_all(&place).map_err(|error| Problem::file("create", &place, &error))?;
    let entries =
        fs::read_dir(libraries).map_err(|error| Problem::file("read", libraries, &error))?;
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".rlib") && !name.starts_with("libnothing-") {
            let to = place.join(&name);
            fs::copy(&path, &to).map_err(|error| Problem::file("write", &to, &error))?;
        }
    }
    Ok(sysroot)
}
