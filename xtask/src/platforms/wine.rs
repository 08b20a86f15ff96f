//! Windows tests under Wine.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{Crates, WINDOWS, add_packages};
use crate::{cargo, root, run as step};

/// Where Debian puts it if `wine`, which also wants 32 bits, is not wanted.
const PROGRAMS: [&str; 3] = ["wine64", "/usr/lib/wine/wine64", "wine"];
const LINKER: &str = "x86_64-w64-mingw32-gcc";

/// Longer than any test binary takes under Wine on a busy machine, by a factor of ten.
const SECONDS_MAX: u32 = 300;

/// The standard library takes random numbers from this DLL, which Wine has from 8.12 on and
/// Debian 12 does not have.
const RANDOM_NAME: &str = "bcryptprimitives.dll";
const RANDOM: &str = "\
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID data, ULONG size);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) {
    return SystemFunction036(data, (ULONG)size);
}
";

/// These tests start cargo, which is not installed in Wine.
const STARTING_CARGO: [&str; 2] = ["fixture", "ui"];

/// Builds the tests of the library and the unit tests of the command, and runs them.
pub(super) fn run(crates: &Crates) -> Result<(), String> {
    let wine = Wine::set_up()?;
    let mut library = wine.cargo(&["test", "--no-fail-fast", "--all-features", "--lib"]);
    add_packages(&mut library, &crates.library);
    let tests = crates.library.iter().flat_map(|name| crates.integration_tests(name));
    for test in tests.filter(|test| !STARTING_CARGO.contains(test)) {
        library.args(["--test", test]);
    }
    step(&mut library)?;
    let mut command = wine.cargo(&["test", "--no-fail-fast", "--lib", "--bins"]);
    step(add_packages(&mut command, &crates.command))
}

/// Wine with a directory of its own.
struct Wine {
    program: &'static str,
    home: PathBuf,
}

impl Wine {
    fn set_up() -> Result<Wine, String> {
        let starts = |program: &&str| is_done(Command::new(program).arg("--version"));
        let program = PROGRAMS.into_iter().find(starts);
        let program = program.ok_or("there is no Wine; `apt-get install wine64` installs it")?;
        if !is_done(Command::new(LINKER).arg("--version")) {
            let advice = "`apt-get install gcc-mingw-w64-x86-64` installs it";
            return Err(format!("there is no {LINKER}; {advice}"));
        }
        let wine = Wine { program, home: root().join("target").join("wine") };
        let system = wine.home.join("drive_c").join("windows").join("system32");
        if !system.join("kernel32.dll").exists() {
            std::fs::create_dir_all(&wine.home).map_err(|error| error.to_string())?;
            step(wine.in_home(Command::new(program)).args(["wineboot", "--init"]))?;
        }
        wine.add_random(&system)?;
        Ok(wine)
    }

    fn add_random(&self, system: &Path) -> Result<(), String> {
        let library = system.join(RANDOM_NAME);
        if library.exists() {
            return Ok(());
        }
        let source = self.home.join("random.c");
        std::fs::write(&source, RANDOM).map_err(|error| error.to_string())?;
        let mut build = Command::new(LINKER);
        step(build.args(["-shared", "-o"]).arg(library).arg(source).arg("-ladvapi32"))
    }

    /// Cargo that builds for Windows and runs in Wine.
    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = self.in_home(cargo(arguments));
        let runner = format!("timeout {SECONDS_MAX} {}", self.program);
        command.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", runner);
        command.args(["--target", WINDOWS, "--quiet"]);
        command
    }

    fn in_home(&self, mut command: Command) -> Command {
        command.env("WINEPREFIX", &self.home).env("WINEDEBUG", "-all");
        command
    }
}

fn is_done(command: &mut Command) -> bool {
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
