//! Builds the standard library for WebAssembly from its sources, once for each compiler.
//!
//! Cargo can build the standard library together with a crate (`-Zbuild-std`). This module builds
//! an empty crate that way, and copies the libraries to a directory with the layout of a sysroot.
//! Later builds name that directory, and take no longer than with a prebuilt library. In contrast
//! to that one, functions that are neither generic nor `#[inline]` are not inlined into other
//! crates.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Problem;
use crate::cargo::last_lines;
use crate::platform::Platform;
use crate::toolchain::{Compiler, has_standard_library};

/// The version of the way in which the library is built. A new version builds it again.
const RECIPE: &str = "3";

/// The sysroot with the standard library of a compiler for a platform. Builds the library if
/// necessary.
pub(crate) fn library(
    compiler: &Compiler,
    platform: Platform,
    progress: &mut dyn FnMut(&str),
) -> Result<PathBuf, Problem> {
    let cache = cache_folder()?;
    let name = format!("std-{}-{platform}-{RECIPE}", compiler.key());
    let sysroot = cache.join(&name);
    if has_standard_library(&sysroot, platform) {
        return Ok(sysroot);
    }
    fs::create_dir_all(&cache).map_err(|error| Problem::file("create", &cache, &error))?;
    let _lock = lock(&cache.join(format!("{name}.lock")))?;
    if has_standard_library(&sysroot, platform) {
        return Ok(sysroot);
    }
    progress(&format!(
        "building the standard library of {compiler} for {platform}, once; this takes a minute"
    ));
    let folder = cache.join(format!("{name}.building"));
    let result = build_in(&folder, compiler, platform)
        .and_then(|libraries| collect(&libraries, &folder, platform));
    let result = result.and_then(|made| {
        let _ = fs::remove_dir_all(&sysroot);
        fs::rename(&made, &sysroot).map_err(|error| Problem::file("create", &sysroot, &error))
    });
    let _ = fs::remove_dir_all(&folder);
    result.map(|()| sysroot)
}

/// Returns the directory of Rebut in the user's cache directory.
///
/// # Errors
/// If the user has no cache directory.
pub fn cache_folder() -> Result<PathBuf, Problem> {
    let from_variable = |name: &str| env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let in_home = |folder: &str| env::home_dir().map(|home| home.join(folder));
    let cache = from_variable("XDG_CACHE_HOME").filter(|path| path.is_absolute()).or_else(|| {
        if cfg!(windows) {
            from_variable("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            in_home("Library/Caches")
        } else {
            in_home(".cache")
        }
    });
    let cache = cache.ok_or_else(|| {
        Problem::toolchain("no cache directory for the standard library; set XDG_CACHE_HOME")
    })?;
    Ok(cache.join("rebut"))
}

/// Waits until no other process builds the same library. The lock ends when the file is dropped.
fn lock(path: &Path) -> Result<File, Problem> {
    let file = File::create(path).map_err(|error| Problem::file("create", path, &error))?;
    // Some file systems have no locks. Two builds at the same time are unlikely there.
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

/// Builds the library; returns the directory of its `.rlib` files.
fn build_in(folder: &Path, compiler: &Compiler, platform: Platform) -> Result<PathBuf, Problem> {
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
        .args(["build", "--release", "-Zbuild-std=std,panic_abort,test"])
        .args(["--target", platform.triple()])
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", "-Zcross-crate-inline-threshold=never")
        .env("CARGO_TARGET_DIR", &target)
        .env_remove("RUSTC_WRAPPER");
    use_vendored(&mut command, compiler);
    let output = command.output().map_err(|error| {
        Problem::toolchain(format!("cannot start the cargo of {compiler}: {error}"))
    })?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(Problem::toolchain(format!(
            "the standard library of {compiler} could not be built for {platform}{}\n{}",
            match platform {
                Platform::Wasm32 => "; `rustup target add wasm32-unknown-unknown` installs one",
                Platform::Wasm64 => "",
            },
            last_lines(&stderr)
        )));
    }
    Ok(target.join(platform.triple()).join("release/deps"))
}

/// Uses the vendored dependencies of the standard library, if its sources include them. Cargo then
/// downloads nothing.
fn use_vendored(command: &mut Command, compiler: &Compiler) {
    let vendored = compiler.sources().map(|sources| sources.join("vendor"));
    let Some(vendored) = vendored.filter(|vendored| vendored.is_dir()) else { return };
    command
        .arg("--offline")
        .args(["--config", "source.crates-io.replace-with=\"vendored\"", "--config"])
        .arg(format!("source.vendored.directory={:?}", vendored.to_string_lossy()));
}

/// Copies the libraries to a new sysroot in `folder`, where the compiler looks for them, and
/// returns that sysroot.
fn collect(libraries: &Path, folder: &Path, platform: Platform) -> Result<PathBuf, Problem> {
    let sysroot = folder.join("sysroot");
    let destination = sysroot.join("lib/rustlib").join(platform.triple()).join("lib");
    fs::create_dir_all(&destination)
        .map_err(|error| Problem::file("create", &destination, &error))?;
    let entries =
        fs::read_dir(libraries).map_err(|error| Problem::file("read", libraries, &error))?;
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".rlib") && !name.starts_with("libnothing-") {
            let to = destination.join(&name);
            fs::copy(&path, &to).map_err(|error| Problem::file("write", &to, &error))?;
        }
    }
    Ok(sysroot)
}
