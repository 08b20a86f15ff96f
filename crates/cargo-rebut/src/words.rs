//! The messages of `cargo rebut`: a module for each command, and here those that several print.

pub(crate) mod explain;
pub(crate) mod generate;
pub(crate) mod init;
pub(crate) mod list;
pub(crate) mod replay;
pub(crate) mod test;

pub(crate) use rebut_cli::words::*;

/// The second binary is not installed.
pub(crate) fn no_engine(name: &str) -> String {
    error(format!(
        "this command needs `{name}`, which is not installed\n\
         help: in a clone of Rebut, run `cargo install --locked --path crates/{name}`, or \
         `cargo install --locked --git ADDRESS {name}` with the address you installed \
         `cargo-rebut` from"
    ))
}

/// No property ran.
pub(crate) const NO_PROPERTIES: &str = "note: no property ran; a property is a function with `#[rebut::test]`, `#[rebut::exists]` or `#[rebut::not_exists]`";
