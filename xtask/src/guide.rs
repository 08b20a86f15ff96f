//! The guide in `docs/` as a book.

use std::process::{Command, Stdio};

use crate::{root, run as step};

/// `cargo xtask guide [--open]`.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let is_opened = match arguments {
        [] => false,
        ["--open"] => true,
        other => {
            return Err(format!("`guide` takes `--open` or nothing, not `{}`", other.join(" ")));
        }
    };
    let mut version = Command::new("mdbook");
    version.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if !version.status().is_ok_and(|status| status.success()) {
        return Err("mdBook is not installed; run `cargo install mdbook`".to_owned());
    }
    let mut book = Command::new("mdbook");
    book.current_dir(root()).args(["build", "docs"]);
    if is_opened {
        book.arg("--open");
    }
    step(&mut book)?;
    eprintln!("the book: {}", root().join("target/guide/index.html").display());
    Ok(())
}
