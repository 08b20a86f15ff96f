//! Runs a command, prints what it prints as it comes, and counts.

use std::io::{BufRead, BufReader, PipeReader, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use crate::tally::Tally;

/// How long the output may stay open after the command has ended: a process that a test left
/// behind holds the pipe, and must not keep the run from ending.
const PATIENCE: Duration = Duration::from_secs(5);

enum Event {
    Line(Vec<u8>),
    Ended(std::io::Result<ExitStatus>),
}

/// Runs a command to its end.
///
/// Both outputs go through one pipe, so that the announcement of a binary, which is on the
/// standard error, comes before the results of its tests.
pub(super) fn run(
    command: &mut Command,
    output: &mut dyn Write,
    tally: &mut Tally,
) -> Result<(), String> {
    let words = crate::command_line(command);
    let failed = |error: std::io::Error| format!("cannot run `{words}`: {error}");
    eprintln!("> {words}");
    let (reader, writer) = std::io::pipe().map_err(failed)?;
    let copy = writer.try_clone().map_err(failed)?;
    let child = command.stdin(Stdio::null()).stdout(copy).stderr(writer).spawn();
    // The command keeps the writing ends of the pipe, and with these it would never end.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = child.map_err(failed)?;
    let (sender, events) = channel();
    let lines = sender.clone();
    thread::spawn(move || send_lines(reader, &lines));
    thread::spawn(move || sender.send(Event::Ended(child.wait())));
    let mut ended = None;
    loop {
        let event = match ended {
            None => events.recv().ok(),
            Some(_) => events.recv_timeout(PATIENCE).ok(),
        };
        match event {
            Some(Event::Line(line)) => show(&line, output, tally),
            Some(Event::Ended(status)) => ended = Some(status),
            None => break,
        }
    }
    match ended {
        Some(Ok(status)) if status.success() => Ok(()),
        Some(Ok(status)) => Err(format!("`{words}` ended with {status}")),
        Some(Err(error)) => Err(failed(error)),
        None => Err(format!("lost `{words}`")),
    }
}

fn send_lines(reader: PipeReader, events: &Sender<Event>) {
    for line in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
}

fn show(line: &[u8], output: &mut dyn Write, tally: &mut Tally) {
    // The output may be closed; the tests run anyway.
    let _ = output.write_all(line).and_then(|()| output.write_all(b"\n"));
    tally.line(&String::from_utf8_lossy(line));
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::tally::Suite;

    #[test]
    fn both_outputs_are_counted_in_order() {
        let script = "\
             echo '     Running unittests src/lib.rs (target/debug/deps/first-1)' >&2
             echo 'test result: ok. 1 passed; 0 failed; finished in 0.00s'
             echo '     Running unittests src/lib.rs (target/debug/deps/second-1)' >&2
             echo 'test result: FAILED. 2 passed; 3 failed; finished in 0.00s'
             exit 101";
        let (mut output, mut tally) = (Vec::new(), Tally::default());
        let result = run(Command::new("sh").args(["-c", script]), &mut output, &mut tally);
        assert!(result.is_err_and(|why| why.ends_with("ended with exit status: 101")));
        assert_eq!((tally.counts().passed, tally.counts().failed), (3, 3));
        assert!(!tally.suites().iter().any(Suite::has_crashed));
        assert_eq!(String::from_utf8_lossy(&output).lines().count(), 4);
    }

    #[test]
    fn a_command_that_does_not_exist_is_an_error() {
        let command = &mut Command::new("/nowhere/program");
        let result = run(command, &mut Vec::new(), &mut Tally::default());
        assert!(result.is_err_and(|why| why.starts_with("cannot run `program`: ")));
    }
}
