//! Finds a compiler that can build for WebAssembly.
//!
//! Candidates are the compiler in use, then the others that rustup has installed, then those in the
//! directories of `PATH`. A compiler with the sources of its standard library is preferred to one
//! with a prebuilt library, for two reasons. Only from sources there is a library for a `usize` of
//! 64 bits ([`Platform`]). And a library that is built here does not inline functions into other
//! crates, so every [unsupported call](crate::unsupported_call) is visible. Another compiler than
//! the one in use does no harm, because failures are confirmed in an ordinary build.

use std::env;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rebut_protocol::terminal::path_on_one_line;

use crate::platform::Platform;
use crate::{Problem, standard};

/// A compiler, its cargo, and a standard library and linker for WebAssembly.
#[derive(Clone, Debug)]
pub struct Toolchain {
    compiler: Compiler,
    platform: Platform,
    /// The directory of the standard library; `None` for the compiler's own.
    sysroot: Option<PathBuf>,
    /// The linker; `None` for the compiler's own.
    linker: Option<PathBuf>,
}

impl Toolchain {
    /// Finds a toolchain, and builds its standard library if necessary. This takes a minute, once;
    /// `progress` receives a message then.
    ///
    /// A `usize` with as many bits as on this machine is preferred, unless the variable
    /// `REBUT_EXPLORE_POINTER_WIDTH` forces a width.
    ///
    /// # Errors
    /// If there is no toolchain; the message names the command that installs one.
    pub fn find(progress: &mut dyn FnMut(&str)) -> Result<Toolchain, Problem> {
        Toolchain::find_for(&Platform::wanted()?, progress)
    }

    /// Like [`Toolchain::find`], for one width of a `usize`: 64, or 32.
    ///
    /// # Errors
    /// If there is no toolchain for this width.
    pub fn find_with_width(
        pointer_width: u32,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Toolchain, Problem> {
        Toolchain::find_for(&Platform::of_width(&pointer_width.to_string())?, progress)
    }

    fn find_for(
        platforms: &[Platform],
        progress: &mut dyn FnMut(&str),
    ) -> Result<Toolchain, Problem> {
        let mut compilers = Compilers::new(candidates());
        let with_sources = compilers.find(|compiler| compiler.sources().is_some());
        let mut last_problem = None;
        for &platform in platforms {
            if let Some(compiler) = &with_sources {
                match standard::library(compiler, platform, progress) {
                    Ok(sysroot) => {
                        return Toolchain::new(
                            compiler.clone(),
                            platform,
                            Some(sysroot),
                            compilers,
                        );
                    }
                    Err(problem) => last_problem = Some(problem),
                }
            }
            let prebuilt = compilers.find(|compiler| compiler.has_target(platform));
            if let Some(problem) = last_problem.as_ref().filter(|_| with_sources.is_some()) {
                progress(&not_built(problem, prebuilt.as_ref()));
            }
            if let Some(prebuilt) = prebuilt {
                return Toolchain::new(prebuilt, platform, None, compilers);
            }
        }
        Err(last_problem.unwrap_or_else(|| no_toolchain(compilers.all())))
    }

    /// The bits of a `usize` in the modules that it builds: 64, or 32.
    #[must_use]
    pub fn pointer_width(&self) -> u32 {
        self.platform.pointer_width()
    }

    /// Whether every call of the standard library is a call in the module, so that all
    /// [unsupported calls](crate::unsupported_call) are visible. A prebuilt library does not
    /// guarantee it: its small functions are inlined into their callers.
    #[must_use]
    pub fn sees_all_calls(&self) -> bool {
        self.sysroot.is_some()
    }

    fn new(
        compiler: Compiler,
        platform: Platform,
        sysroot: Option<PathBuf>,
        mut compilers: Compilers,
    ) -> Result<Toolchain, Problem> {
        let linker = match compiler.linker() {
            Some(_) => None,
            None => Some(linker(compilers.all()).ok_or_else(|| {
                Problem::toolchain(format!(
                    "{compiler} has no linker for WebAssembly; install `wasm-ld`{}",
                    if is_debian() {
                        ": `apt-get install rust-web-llvm`"
                    } else {
                        ", a part of LLVM"
                    }
                ))
            })?),
        };
        Ok(Toolchain { compiler, platform, sysroot, linker })
    }

    /// The platform that it builds for.
    pub(crate) fn platform(&self) -> Platform {
        self.platform
    }

    /// The path of its cargo.
    pub(crate) fn cargo_path(&self) -> &Path {
        &self.compiler.cargo
    }

    /// The path of its compiler.
    pub(crate) fn rustc_path(&self) -> &Path {
        &self.compiler.rustc
    }

    /// The cargo of this toolchain, set up to build for WebAssembly.
    pub(crate) fn cargo(&self) -> Command {
        let mut command = self.compiler.cargo();
        command.env("CARGO_ENCODED_RUSTFLAGS", self.flags().join("\x1f"));
        if let Some(linker) = &self.linker {
            command.env(self.platform.linker_variable(), linker);
        }
        command
    }

    fn flags(&self) -> Vec<String> {
        let mut flags = cfg_flags(&env::var("RUSTFLAGS").unwrap_or_default());
        if let Some(sysroot) = &self.sysroot {
            flags.push(format!("--sysroot={}", sysroot.to_string_lossy()));
        }
        flags.extend(self.platform.flags().iter().map(|flag| (*flag).to_owned()));
        // With a small stack, deep recursion that is fine natively would seem to be a failure.
        flags.push(format!("-Clink-arg=-zstack-size={STACK_SIZE}"));
        // An undefined symbol, such as a function in C, becomes an import. Only tests that call it
        // stop.
        flags.push("-Clink-arg=--allow-undefined".to_owned());
        // The symbols of statics stay in the module: exploration compares statics after each run.
        flags.push("-Clink-arg=--emit-relocs".to_owned());
        // Crates that depend on `getrandom` build with this backend; its function is an import.
        // Version 0.2 ignores it, and compiles for neither platform without one of its features.
        flags.push("--cfg=getrandom_backend=\"custom\"".to_owned());
        flags
    }
}

/// The stack of a test in bytes: as much as the main thread has on Linux. A test that needs more
/// traps.
const STACK_SIZE: u32 = 8 << 20;

impl fmt::Display for Toolchain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.compiler.fmt(f)
    }
}

/// The `--cfg` flags among the user's `RUSTFLAGS`. The others are meant for another platform.
fn cfg_flags(flags: &str) -> Vec<String> {
    let mut cfgs = Vec::new();
    let mut words = flags.split_whitespace();
    while let Some(word) = words.next() {
        if word == "--cfg" {
            cfgs.extend(words.next().map(|cfg| format!("--cfg={cfg}")));
        } else if word.starts_with("--cfg=") {
            cfgs.push(word.to_owned());
        }
    }
    cfgs
}

/// The oldest compiler that builds Rebut; `rust-version` of the workspace.
const OLDEST: (u32, u32) = (1, 89);

/// A compiler and its cargo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Compiler {
    cargo: PathBuf,
    rustc: PathBuf,
    /// The output of `rustc -vV`.
    version: String,
    sysroot: PathBuf,
}

impl Compiler {
    fn at(cargo: &Path, rustc: &Path) -> Option<Compiler> {
        let version = output(Command::new(rustc).arg("-vV"))?;
        let sysroot =
            PathBuf::from(output(Command::new(rustc).args(["--print", "sysroot"]))?.trim());
        // The proxies of rustup may choose another toolchain in another directory.
        let own = |name: &str, other: &Path| {
            let own = sysroot.join("bin").join(format!("{name}{}", env::consts::EXE_SUFFIX));
            own.is_file().then_some(own).ok_or_else(|| other.to_owned())
        };
        let rustc = own("rustc", rustc).unwrap_or_else(|other| other);
        let cargo = match own("cargo", cargo) {
            Ok(cargo) => cargo,
            // A proxy may have nothing behind it.
            Err(cargo) => output(Command::new(&cargo).arg("-V")).map(|_| cargo)?,
        };
        let compiler = Compiler { cargo, rustc, version, sysroot };
        (compiler.number()? >= OLDEST).then_some(compiler)
    }

    /// Its cargo, without the environment variables that configure the user's own build.
    pub(crate) fn cargo(&self) -> Command {
        let mut command = Command::new(&self.cargo);
        for name in [
            "CARGO_BUILD_RUSTC",
            "CARGO_BUILD_RUSTFLAGS",
            "CARGO_BUILD_TARGET",
            "RUSTC_WORKSPACE_WRAPPER",
            "RUSTFLAGS",
            "CARGO_ENCODED_RUSTFLAGS",
        ] {
            command.env_remove(name);
        }
        command.env("RUSTC", &self.rustc).stdin(Stdio::null());
        command
    }

    fn line(&self, name: &str) -> Option<&str> {
        self.version.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    fn number(&self) -> Option<(u32, u32)> {
        let mut parts = self.line("release")?.split(['.', '-']);
        Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    }

    /// A directory name that is unique for this version of the compiler.
    pub(crate) fn key(&self) -> String {
        let hash = rebut_protocol::hash::fnv1a(self.version.as_bytes());
        format!("{}-{hash:016x}", self.line("release").unwrap_or("unknown"))
    }

    fn has_target(&self, platform: Platform) -> bool {
        has_standard_library(&self.sysroot, platform)
    }

    /// The sources of its standard library, if they are installed.
    pub(crate) fn sources(&self) -> Option<PathBuf> {
        let sources = self.sysroot.join("lib/rustlib/src/rust/library");
        sources.join("std/Cargo.toml").is_file().then_some(sources)
    }

    fn linker(&self) -> Option<PathBuf> {
        let folder = self.sysroot.join("lib/rustlib").join(self.line("host")?).join("bin");
        let linker = folder.join(format!("rust-lld{}", env::consts::EXE_SUFFIX));
        linker.is_file().then_some(linker)
    }
}

impl fmt::Display for Compiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let release = self.line("release").unwrap_or("of an unknown version");
        write!(f, "rustc {release} ({})", path_on_one_line(&self.rustc))
    }
}

/// The message for a standard library that could not be built. Another one may be used instead.
fn not_built(problem: &Problem, prebuilt: Option<&Compiler>) -> String {
    match prebuilt {
        Some(prebuilt) => format!("{problem}\nusing the standard library of {prebuilt} instead"),
        None => problem.to_string(),
    }
}

/// Whether there is a standard library for a platform below a sysroot.
pub(crate) fn has_standard_library(sysroot: &Path, platform: Platform) -> bool {
    let libraries = sysroot.join("lib/rustlib").join(platform.triple()).join("lib");
    entries(&libraries).iter().any(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("libstd-") && name.ends_with(".rlib")
    })
}

/// The compilers of this machine that can build Rebut, the one in use first.
///
/// Asking a compiler for its version starts processes, so each is asked only when all before it
/// were not what is wanted. Usually the first one is.
#[derive(Debug)]
struct Compilers {
    /// The cargo and the rustc of those that were not asked yet.
    candidates: std::vec::IntoIter<(PathBuf, PathBuf)>,
    known: Vec<Compiler>,
}

impl Compilers {
    fn new(candidates: Vec<(PathBuf, PathBuf)>) -> Compilers {
        Compilers { candidates: candidates.into_iter(), known: Vec::new() }
    }

    /// Returns the first that is wanted.
    fn find(&mut self, is_wanted: impl Fn(&Compiler) -> bool) -> Option<Compiler> {
        let mut nth = 0;
        loop {
            if nth == self.known.len() && !self.ask_next() {
                return None;
            }
            let compiler = &self.known[nth];
            if is_wanted(compiler) {
                return Some(compiler.clone());
            }
            nth += 1;
        }
    }

    /// Returns all of them.
    fn all(&mut self) -> &[Compiler] {
        while self.ask_next() {}
        &self.known
    }

    /// Asks candidates until another compiler is known.
    fn ask_next(&mut self) -> bool {
        for (cargo, rustc) in self.candidates.by_ref() {
            match Compiler::at(&cargo, &rustc) {
                Some(compiler) if !self.known.contains(&compiler) => {
                    self.known.push(compiler);
                    return true;
                }
                _ => {}
            }
        }
        false
    }
}

/// The cargo and the rustc of each directory that may have them, the ones in use first.
fn candidates() -> Vec<(PathBuf, PathBuf)> {
    let named = |variable: &str, name: &str| {
        env::var_os(variable).map_or_else(|| PathBuf::from(name), PathBuf::from)
    };
    let mut candidates = vec![(named("CARGO", "cargo"), named("RUSTC", "rustc"))];
    let in_folder = |folder: &Path| {
        let file = |name: &str| folder.join(format!("{name}{}", env::consts::EXE_SUFFIX));
        (file("cargo"), file("rustc"))
    };
    let rustup = env::var_os("RUSTUP_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(env::home_dir()?.join(".rustup")));
    if let Some(rustup) = rustup {
        let mut toolchains = entries(&rustup.join("toolchains"));
        // Sorted by name, the newest version is last, and stable follows nightly.
        toolchains.sort();
        candidates.extend(toolchains.iter().rev().map(|folder| in_folder(&folder.join("bin"))));
    }
    // The proxies of rustup hide the system's own compiler, which is further back in `PATH`.
    let path = env::var_os("PATH").unwrap_or_default();
    for folder in env::split_paths(&path).filter(|folder| folder.is_absolute()) {
        let candidate = in_folder(&folder);
        if candidate.0.is_file() && candidate.1.is_file() && !candidates.contains(&candidate) {
            candidates.push(candidate);
        }
    }
    candidates
}

/// A linker for WebAssembly: the newest `wasm-ld` of LLVM, or the linker of another compiler.
fn linker(compilers: &[Compiler]) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut found: Vec<(u32, PathBuf)> = Vec::new();
    for file in env::split_paths(&path).flat_map(|folder| entries(&folder)) {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = name.strip_suffix(env::consts::EXE_SUFFIX).unwrap_or(&name);
        match name.strip_prefix("wasm-ld") {
            Some("") => found.push((u32::MAX, file)),
            Some(version) => {
                let version = version.strip_prefix('-').and_then(|version| version.parse().ok());
                found.extend(version.map(|version| (version, file)));
            }
            None => {}
        }
    }
    let newest = found.into_iter().max().map(|(_, file)| file);
    newest.or_else(|| compilers.iter().find_map(Compiler::linker))
}

fn no_toolchain(compilers: &[Compiler]) -> Problem {
    let with_rustup = "run `rustup component add rust-src`";
    let with_apt = "run, as root, `apt-get install rustc-web cargo-web rust-web-src rust-web-llvm`";
    let found = match compilers {
        [] => "no Rust compiler here is new enough".to_owned(),
        [first, ..] => format!("{first} cannot build for WebAssembly"),
    };
    let hint = match is_debian() {
        true => format!("{with_rustup}; where rustup cannot fetch it, {with_apt}"),
        false => with_rustup.to_owned(),
    };
    Problem::toolchain(format!("{found}; {hint}"))
}

fn is_debian() -> bool {
    Path::new("/etc/debian_version").is_file()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
}

/// The output of a command, if it can be run and succeeds.
fn output(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cfg_flags_drop_all_other_flags() {
        let flags = "-Dwarnings --cfg loom -Ctarget-cpu=native --cfg=tokio_unstable";
        assert_eq!(cfg_flags(flags), ["--cfg=loom", "--cfg=tokio_unstable"]);
        assert!(cfg_flags("--cfg").is_empty());
    }

    #[test]
    fn the_version_of_a_compiler_is_read() {
        let version =
            "rustc 1.96.0-nightly (a b)\nbinary: rustc\nhost: x\nrelease: 1.96.0-nightly\n";
        let compiler = Compiler {
            cargo: "cargo".into(),
            rustc: "rustc".into(),
            version: version.into(),
            sysroot: "/nowhere".into(),
        };
        assert_eq!(compiler.number(), Some((1, 96)));
        assert!(compiler.key().starts_with("1.96.0-nightly-"));
        assert!(Platform::ALL.iter().all(|platform| !compiler.has_target(*platform)));
        assert!(compiler.sources().is_none());
    }

    #[test]
    fn a_missing_toolchain_is_reported_with_the_command_to_run() {
        let problem = no_toolchain(&[]);
        assert!(problem.is_toolchain());
        assert!(problem.to_string().contains("`rustup component add rust-src`"));
    }

    #[test]
    fn compilers_behind_the_wanted_one_are_not_asked() {
        let in_use = || {
            let cargo = env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from);
            (cargo, PathBuf::from("rustc"))
        };
        let missing = || (PathBuf::from("/nowhere/cargo"), PathBuf::from("/nowhere/rustc"));
        let mut compilers = Compilers::new(vec![missing(), in_use(), in_use(), missing()]);
        let found = compilers.find(|_| true).expect("the compiler in use");
        assert_eq!(compilers.candidates.len(), 2);
        assert_eq!(compilers.find(|compiler| *compiler == found), Some(found));
        assert_eq!(compilers.candidates.len(), 2, "it is known");
        assert!(compilers.find(|_| false).is_none());
        assert_eq!(compilers.all().len(), 1, "the same compiler counts once");
    }
}
