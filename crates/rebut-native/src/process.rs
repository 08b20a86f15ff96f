//! Runs a process with limits and captures its output.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessEnd {
    /// It exited with this code.
    Exited(i32),
    /// A signal killed it.
    Killed,
    /// It was killed at a time limit.
    TimedOut,
}

/// The end of a process, and everything that it wrote.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) end: ProcessEnd,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs a command. Kills it after `time_max`, or once it printed nothing for `silence_max`.
pub(crate) fn run(
    command: &mut Command,
    time_max: Option<Duration>,
    silence_max: Option<Duration>,
) -> io::Result<Output> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    // A child that fills a pipe blocks until someone reads it, so both are read at once.
    let stdout = child.stdout.take().map(Reader::new);
    let stderr = child.stderr.take().map(Reader::new);
    let length = || [&stdout, &stderr].into_iter().flatten().map(|one| one.bytes().len()).sum();
    let end = wait(&mut child, &length, time_max, silence_max)?;
    let text = |reader: Option<Reader>| reader.map(|reader| reader.finish(end)).unwrap_or_default();
    Ok(Output { end, stdout: text(stdout), stderr: text(stderr) })
}

/// Reads a pipe to its end, on a thread.
#[derive(Debug)]
struct Reader {
    bytes: Arc<Mutex<Vec<u8>>>,
    thread: JoinHandle<()>,
}

impl Reader {
    fn new(mut pipe: impl Read + Send + 'static) -> Reader {
        let bytes = Arc::<Mutex<Vec<u8>>>::default();
        let shared = Arc::clone(&bytes);
        let thread = thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length @ 1..) = pipe.read(&mut buffer) {
                lock(&shared).extend_from_slice(&buffer[..length]);
            }
        });
        Reader { bytes, thread }
    }

    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        lock(&self.bytes)
    }

    fn finish(self, end: ProcessEnd) -> String {
        // Children of a killed process may keep the pipe open for as long as they like.
        if end != ProcessEnd::TimedOut {
            let _ = self.thread.join();
        }
        String::from_utf8_lossy(&lock(&self.bytes)).into_owned()
    }
}

fn lock(bytes: &Mutex<Vec<u8>>) -> MutexGuard<'_, Vec<u8>> {
    bytes.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The time between two looks at a process with a limit.
///
/// Arbitrary: short against the time that a test program takes to start, and too long to keep a
/// core busy. A process that ends in between is noticed at the next look.
const POLL_EVERY: Duration = Duration::from_millis(5);

fn wait(
    child: &mut Child,
    length: &dyn Fn() -> usize,
    time_max: Option<Duration>,
    silence_max: Option<Duration>,
) -> io::Result<ProcessEnd> {
    if time_max.is_none() && silence_max.is_none() {
        return child.wait().map(end_of);
    }
    let begun = Instant::now();
    let (mut last_output, mut seen) = (begun, 0);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(end_of(status));
        }
        let now = length();
        if now != seen {
            (last_output, seen) = (Instant::now(), now);
        }
        let is_over =
            |since: Instant, max: Option<Duration>| max.is_some_and(|max| since.elapsed() > max);
        if is_over(begun, time_max) || is_over(last_output, silence_max) {
            // It may have ended just now, which is fine too.
            let _ = child.kill();
            child.wait()?;
            return Ok(ProcessEnd::TimedOut);
        }
        thread::sleep(POLL_EVERY);
    }
}

fn end_of(status: ExitStatus) -> ProcessEnd {
    status.code().map_or(ProcessEnd::Killed, ProcessEnd::Exited)
}
