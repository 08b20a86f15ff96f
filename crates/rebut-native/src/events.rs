//! The events of a run, in a directory that exists only for that run.
//!
//! Test programs keep only the latest groups of runs in `target/rebut/runs`. The runs of this crate
//! are elsewhere, so that they never push out those of the user.

use rebut_protocol::settings;
use rebut_protocol::variables::EVENTS_DIR;
use rebut_report::Report;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

/// A directory for the events of one run. It is deleted when the value is dropped.
#[derive(Debug)]
pub struct EventDirectory(PathBuf);

impl EventDirectory {
    /// Creates a new directory in `scratch`.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn new(scratch: &Path) -> io::Result<EventDirectory> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let nth = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = scratch.join(format!("rebut-events-{}-{nth}", std::process::id()));
        // A process with the same id may have left one behind.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path)?;
        // The program runs in another directory.
        Ok(EventDirectory(std::path::absolute(path)?))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Makes a command write its events here.
    pub fn pass_to(&self, command: &mut Command) {
        command.env(EVENTS_DIR, &self.0).env(settings::EVENTS.variable, "summary");
    }

    /// Reads the events of all processes of the command.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn read(&self) -> io::Result<Report> {
        let mut texts = Vec::new();
        for entry in fs::read_dir(&self.0)? {
            texts.push(String::from_utf8_lossy(&fs::read(entry?.path())?).into_owned());
        }
        Ok(Report::read(texts.iter().map(String::as_str)))
    }
}

impl Drop for EventDirectory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directory_exists_as_long_as_the_run() {
        let scratch = std::env::temp_dir();
        let (one, other) = (EventDirectory::new(&scratch), EventDirectory::new(&scratch));
        let (one, other) = (one.expect("a directory"), other.expect("a directory"));
        assert_ne!(one.0, other.0);
        let text = "{\"event\":\"begin\",\"id\":0,\"property\":\"a::b\"}\n";
        fs::write(one.0.join("1.jsonl"), text).expect("a file");
        assert_eq!(one.read().expect("events").properties[0].name, "a::b");
        let path = one.0.clone();
        drop(one);
        assert!(!path.exists() && other.0.exists());
    }
}
