//! Runs natively what failed as WebAssembly.

use std::process::Command;

use rebut_build::Module;

/// Whether this test fails on this input when it is built for this machine.
pub(crate) fn fails(module: &Module, path: &str, replay: &str) -> Result<bool, String> {
    let test = path.split_once("::").map_or(path, |(_, test)| test);
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["test", "--quiet", "-p", &module.package]).args(module.target.arguments());
    command.args(["--", "--exact", test, "--include-ignored"]).current_dir(&module.root);
    command.env("REBUT_REPLAY", replay).env("REBUT_EVENTS", "off").env("REBUT_DATABASE", "false");
    let output = command.output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout);
    let fails = said.contains("error[R001]");
    // A failure that friendly mocks alone are to blame for is rejected.
    let is_rejected = said.contains("error[R003]");
    if !fails && !is_rejected && !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{path} was not run natively: {said}{errors}"));
    }
    Ok(fails)
}
