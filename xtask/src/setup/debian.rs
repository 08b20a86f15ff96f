//! Programs that come as packages of Debian: a browser, a solver, JUnit, shells.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::{ReadyItem, Setup, output, quietly};

/// Something that tests use, and the packages that have it.
struct Need {
    name: &'static str,
    is_there: fn() -> bool,
    packages: &'static [&'static str],
}

const NEEDS: [Need; 7] = [
    Need { name: "Chromium", is_there: has_browser, packages: &["chromium"] },
    Need { name: "cvc5", is_there: || starts("cvc5", "--version"), packages: &["cvc5"] },
    Need {
        name: "javac",
        is_there: || starts("javac", "-version"),
        packages: &["default-jdk-headless"],
    },
    Need {
        name: "JUnit",
        is_there: || env::var_os("JUNIT_CLASSPATH").is_some() || junit_classpath().is_some(),
        packages: &["junit5", "libjackson2-databind-java"],
    },
    Need { name: "bash", is_there: || starts("bash", "--version"), packages: &["bash"] },
    Need { name: "script", is_there: || starts("script", "--version"), packages: &["bsdutils"] },
    Need {
        name: "venv of Python",
        is_there: || done(Command::new("python3").args(["-c", "import venv, ensurepip"])),
        packages: &["python3", "python3-venv"],
    },
];

/// A compiler, the sources of its standard library, and a linker, where rustup has no sources.
const COMPILER: Need = Need {
    name: "rustc-web",
    is_there: || starts("dpkg", "--version") && done(Command::new("dpkg").arg("-s").args(WEB)),
    packages: &WEB,
};
const WEB: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "rust-web-llvm"];

/// Installs all packages that are missing, with one call of `apt-get`.
pub(super) fn set_up(setup: &mut Setup, has_sources: bool) {
    let begun = Instant::now();
    let needs = || NEEDS.iter().chain((!has_sources).then_some(&COMPILER));
    let (found, missing): (Vec<&Need>, Vec<&Need>) = needs().partition(|need| (need.is_there)());
    if !found.is_empty() {
        setup.item("programs", ReadyItem::new("Found", names(&found), begun));
    }
    if missing.is_empty() {
        return;
    }
    let packages: Vec<&str> = missing.iter().flat_map(|need| need.packages).copied().collect();
    let begun = Instant::now();
    let installed = install(&packages);
    let (there, absent): (Vec<&Need>, Vec<&Need>) =
        missing.into_iter().partition(|need| (need.is_there)());
    if !there.is_empty() {
        setup.item("programs", ReadyItem::new("Installed", names(&there), begun));
    }
    let why =
        installed.err().unwrap_or_else(|| "it does not start after its installation".to_owned());
    for need in absent {
        setup.item(need.name, Err(why.clone()));
    }
}

fn names(needs: &[&Need]) -> String {
    needs.iter().map(|need| need.name).collect::<Vec<_>>().join(", ")
}

fn install(packages: &[&str]) -> Result<(), String> {
    let wanted = packages.join(" ");
    if !starts("apt-get", "--version") {
        return Err("there is no apt-get; install it with the packager of this system".to_owned());
    }
    if output(Command::new("id").arg("-u"))?.trim() != "0" {
        return Err(format!("run, as root, `apt-get install {wanted}`"));
    }
    let apt = || {
        let mut command = Command::new("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive").arg("--quiet");
        command
    };
    // Old lists may name packages that no longer exist. A server that does not answer does not stop
    // the setup, because the lists may be good enough.
    let updated = quietly(apt().arg("update"));
    let install = ["install", "--yes", "--no-install-recommends"];
    quietly(apt().args(install).args(packages)).map(|_| ()).map_err(|why| match updated {
        Ok(_) => why,
        Err(before) => format!("{before}; {why}"),
    })
}

fn has_browser() -> bool {
    ["chromium", "chromium-browser", "google-chrome"]
        .iter()
        .any(|browser| starts(browser, "--version"))
}

fn starts(program: &str, argument: &str) -> bool {
    done(Command::new(program).arg(argument))
}

fn done(command: &mut Command) -> bool {
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Where packages of Debian put Java's libraries.
const JARS: &str = "/usr/share/java";

/// JUnit with its console and parameterized tests, Jackson, and what these need.
const JUNIT: [&str; 17] = [
    "apiguardian-api",
    "jackson-annotations",
    "jackson-core",
    "jackson-databind",
    "junit-jupiter-api",
    "junit-jupiter-engine",
    "junit-jupiter-params",
    "junit-platform-commons",
    "junit-platform-console",
    "junit-platform-engine",
    "junit-platform-launcher",
    "junit-platform-reporting",
    "opentest4j",
    "opentest4j-reporting-events",
    "opentest4j-reporting-schema",
    "picocli",
    "univocity-parsers",
];

/// The class path with Debian's JUnit and Jackson, if they are installed.
pub(super) fn junit_classpath() -> Option<OsString> {
    let jars = JUNIT.map(|name| Path::new(JARS).join(format!("{name}.jar")));
    let is_there = jars.iter().all(|jar| jar.is_file());
    is_there.then(|| env::join_paths(&jars).ok()).flatten()
}
