//! Runs natively what failed as WebAssembly.

use std::process::Command;

use rebut_build::Module;

/// Whether this test fails on this input when it is built for this machine.
pub(crate) fn fails(module: &Module, path: &str, replay: &str) -> Result<bool, String> {
    let cargo = || {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(["test", "--quiet", "-p", &module.package]).args(module.target.arguments());
        command.current_dir(&module.root);
        command
    };
    let built = cargo().arg("--no-run").output().map_err(|error| error.to_string())?;
    if !built.status.success() {
        return Err(String::from_utf8_lossy(&built.stderr).into_owned());
    }
    let test = path.split_once("::").map_or(path, |(_, test)| test);
    let mut command = cargo();
    command.args(["--", "--exact", test, "--include-ignored"]);
    command.env("REBUT_REPLAY", replay).env("REBUT_EVENTS", "off").env("REBUT_DATABASE", "off");
    let output = command.output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout);
    if !said.contains("running 1 test") {
        return Err(format!("{path} was not run natively: {said}"));
    }
    Ok(!output.status.success())
}
