//! Finds a compiler that can build for WebAssembly.
//!
//! The compiler in use comes first, then the others that rustup has installed, then those in the
//! folders of `PATH`. One that has the sources of its standard library is taken before one with a library
//! that was delivered: in the one that is built here no function is inlined into the code of
//! others, so that it is seen when a test calls what there is not in WebAssembly (see
//! [`beyond`](crate::beyond)). Another compiler than the one in use is no harm: what is found by
//! exploration is confirmed in an ordinary build.

use std::env;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{Problem, WASM, standard};

/// A compiler, its cargo, and what they need to build for WebAssembly.
#[derive(Clone, Debug)]
pub struct Toolchain {
    compiler: Compiler,
    /// Where the standard library is, if it is not the compiler's own.
    sysroot: Option<PathBuf>,
    /// What links, if the compiler has no linker of its own.
    linker: Option<PathBuf>,
}

impl Toolchain {
    /// Finds a toolchain; builds its standard library first if that is not there. That takes a
    /// minute, once, and `say` is told so.
    ///
    /// # Errors
    /// Says what to run if there is none.
    pub fn find(say: &mut dyn FnMut(&str)) -> Result<Toolchain, Problem> {
        let compilers = compilers();
        let delivered = compilers.iter().find(|compiler| compiler.has_target());
        let of_sources = compilers.iter().find(|compiler| compiler.sources().is_some());
        if let Some(compiler) = of_sources {
            match (standard::library(compiler, say), delivered) {
                (Ok(sysroot), _) => return Toolchain::of(compiler, Some(sysroot), &compilers),
                (Err(problem), None) => return Err(problem),
                (Err(problem), Some(delivered)) => {
                    say(&format!("{problem}\nusing the standard library of {delivered} instead"));
                }
            }
        }
        match delivered {
            Some(compiler) => Toolchain::of(compiler, None, &compilers),
            None => Err(nothing_found(&compilers)),
        }
    }

    /// Whether every call of the standard library is a call in what is built, so that
    /// [`beyond`](crate::beyond) sees it. Not so if its sources are not there: then the library
    /// is taken as it was delivered, and small functions of it are part of their callers.
    #[must_use]
    pub fn sees_all_calls(&self) -> bool {
        self.sysroot.is_some()
    }

    fn of(
        compiler: &Compiler,
        sysroot: Option<PathBuf>,
        compilers: &[Compiler],
    ) -> Result<Toolchain, Problem> {
        let linker = match compiler.linker() {
            Some(_) => None,
            None => Some(linker(compilers).ok_or_else(|| {
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
        Ok(Toolchain { compiler: compiler.clone(), sysroot, linker })
    }

    /// Where its cargo is.
    pub(crate) fn cargo_path(&self) -> &Path {
        &self.compiler.cargo
    }

    /// Where its compiler is.
    pub(crate) fn rustc_path(&self) -> &Path {
        &self.compiler.rustc
    }

    /// The cargo of this toolchain, ready to build for WebAssembly.
    pub(crate) fn cargo(&self) -> Command {
        let mut command = self.compiler.cargo();
        command.env("CARGO_ENCODED_RUSTFLAGS", self.flags().join("\x1f"));
        if let Some(linker) = &self.linker {
            command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
        command
    }

    fn flags(&self) -> Vec<String> {
        let mut flags = cfg_flags(&env::var("RUSTFLAGS").unwrap_or_default());
        if let Some(sysroot) = &self.sysroot {
            flags.push(format!("--sysroot={}", sysroot.display()));
        }
        // Deep recursion must not be taken for a fault of the code under test.
        flags.push(format!("-Clink-arg=-zstack-size={STACK_SIZE}"));
        // What is not there, such as a function in C, is an import; only who calls it stops.
        flags.push("-Clink-arg=--allow-undefined".to_owned());
        // So that who depends on random numbers builds; what is asked for is an import.
        flags.push("--cfg=getrandom_backend=\"custom\"".to_owned());
        flags
    }
}

const STACK_SIZE: u32 = 8 << 20;

impl fmt::Display for Toolchain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.compiler.fmt(f)
    }
}

/// Of flags for the ordinary build only what the sources ask about: all else is for another
/// target.
fn cfg_flags(flags: &str) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = flags.split_whitespace();
    while let Some(word) = words.next() {
        if word == "--cfg" {
            kept.extend(words.next().map(|cfg| format!("--cfg={cfg}")));
        } else if word.starts_with("--cfg=") {
            kept.push(word.to_owned());
        }
    }
    kept
}

/// The oldest compiler that builds Rebut.
const OLDEST: (u32, u32) = (1, 89);

/// A compiler and its cargo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Compiler {
    cargo: PathBuf,
    rustc: PathBuf,
    /// What `rustc -vV` says.
    version: String,
    sysroot: PathBuf,
}

impl Compiler {
    fn at(cargo: &Path, rustc: &Path) -> Option<Compiler> {
        let version = output(Command::new(rustc).arg("-vV"))?;
        let sysroot =
            PathBuf::from(output(Command::new(rustc).args(["--print", "sysroot"]))?.trim());
        // Not the proxies of rustup, which may choose another toolchain in another folder.
        let own = |name: &str, other: &Path| {
            let own = sysroot.join("bin").join(format!("{name}{}", env::consts::EXE_SUFFIX));
            if own.is_file() { own } else { other.to_owned() }
        };
        let (cargo, rustc) = (own("cargo", cargo), own("rustc", rustc));
        output(Command::new(&cargo).arg("-V"))?;
        let compiler = Compiler { cargo, rustc, version, sysroot };
        (compiler.number()? >= OLDEST).then_some(compiler)
    }

    /// Its cargo, whatever the environment says about the user's own build.
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

    /// A name for what depends on the compiler's version.
    pub(crate) fn key(&self) -> String {
        let hash = crate::shadow::fnv1a(self.version.bytes());
        format!("{}-{hash:016x}", self.line("release").unwrap_or("unknown"))
    }

    fn has_target(&self) -> bool {
        has_standard_library(&self.sysroot)
    }

    /// Where the sources of its standard library are.
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
        write!(f, "rustc {release} ({})", self.rustc.display())
    }
}

/// Whether there is a standard library for WebAssembly below a sysroot.
pub(crate) fn has_standard_library(sysroot: &Path) -> bool {
    let libraries = sysroot.join("lib/rustlib").join(WASM).join("lib");
    entries(&libraries).iter().any(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("libstd-") && name.ends_with(".rlib")
    })
}

/// All compilers of this machine that can build Rebut, the one in use first.
fn compilers() -> Vec<Compiler> {
    let named = |variable: &str, name: &str| {
        env::var_os(variable).map_or_else(|| PathBuf::from(name), PathBuf::from)
    };
    let mut places = vec![(named("CARGO", "cargo"), named("RUSTC", "rustc"))];
    let in_folder = |folder: &Path| {
        let file = |name: &str| folder.join(format!("{name}{}", env::consts::EXE_SUFFIX));
        (file("cargo"), file("rustc"))
    };
    let rustup = env::var_os("RUSTUP_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(env::home_dir()?.join(".rustup")));
    if let Some(rustup) = rustup {
        let mut toolchains = entries(&rustup.join("toolchains"));
        // The newest last by name, and stable after nightly.
        toolchains.sort();
        places.extend(toolchains.iter().rev().map(|folder| in_folder(&folder.join("bin"))));
    }
    // The system's own compiler stands behind the proxies of rustup, which hide it.
    let path = env::var_os("PATH").unwrap_or_default();
    for folder in env::split_paths(&path).filter(|folder| folder.is_absolute()) {
        let place = in_folder(&folder);
        if place.0.is_file() && place.1.is_file() && !places.contains(&place) {
            places.push(place);
        }
    }
    let mut found: Vec<Compiler> = Vec::new();
    for (cargo, rustc) in places {
        match Compiler::at(&cargo, &rustc) {
            Some(compiler) if !found.contains(&compiler) => found.push(compiler),
            _ => {}
        }
    }
    found
}

/// A linker for WebAssembly: LLVM's, the newest, or that of another compiler.
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

fn nothing_found(compilers: &[Compiler]) -> Problem {
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

/// What a command says, if it can be run and succeeds.
fn output(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_users_flags_only_configuration_is_kept() {
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
        assert!(!compiler.has_target() && compiler.sources().is_none());
    }

    #[test]
    fn who_finds_nothing_says_what_to_run() {
        let problem = nothing_found(&[]);
        assert!(problem.is_toolchain());
        assert!(problem.to_string().contains("`rustup component add rust-src`"));
    }
}
