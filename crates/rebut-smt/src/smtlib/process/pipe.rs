//! A child process and the threads that write to it and read from it.

use std::io::{ErrorKind, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::super::sexpr::Boundary;

/// A failure of the process or of its reply.
#[derive(Debug)]
pub(super) enum Failure {
    /// The program was not found.
    Missing,
    NotStarted(std::io::Error),
    /// There was no reply before the deadline.
    Late,
    /// The process ended. This is the start of its standard error.
    Ended(String),
    /// The reply is not an answer.
    NotAnAnswer(String),
    /// The value of this variable cannot be represented.
    Value(String, String),
}

/// The number of bytes of a reply. Arbitrary: it bounds memory. A longer reply is a failure.
const REPLY_MAX: usize = 64 << 20;

/// The number of bytes of standard error that are kept, for messages. Arbitrary.
const STDERR_MAX: usize = 2000;

/// A child process with its pipes. Dropping it kills the process.
#[derive(Debug)]
pub(super) struct Pipe {
    child: Child,
    writer: Sender<String>,
    chunks: Receiver<Vec<u8>>,
    /// Bytes that were received after the last reply.
    unread: Vec<u8>,
    stderr_text: Arc<Mutex<Vec<u8>>>,
}

impl Pipe {
    pub(super) fn open(program: &str, args: &[String]) -> Result<Pipe, Failure> {
        if program.is_empty() {
            return Err(Failure::Missing);
        }
        let mut command = Command::new(program);
        command.args(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound => Failure::Missing,
            _ => Failure::NotStarted(error),
        })?;
        let (writer, texts) = channel();
        // Bounded, so that a process that writes without end has to wait.
        let (chunk_sender, chunks) = sync_channel(16);
        let stderr_text = Arc::new(Mutex::new(Vec::new()));
        if let Some(stdin) = child.stdin.take() {
            thread::spawn(move || write_all(stdin, &texts));
        }
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || read_all(stdout, &chunk_sender));
        }
        if let Some(stderr) = child.stderr.take() {
            let stderr_text = Arc::clone(&stderr_text);
            thread::spawn(move || collect(stderr, &stderr_text));
        }
        Ok(Pipe { child, writer, chunks, unread: Vec::new(), stderr_text })
    }

    /// Sends text without waiting. If the process is gone, the next `receive` notices it.
    pub(super) fn send(&self, text: String) {
        let _ = self.writer.send(text);
    }

    /// Receives the next S-expression.
    pub(super) fn receive(&mut self, deadline: Instant) -> Result<String, Failure> {
        let mut boundary = Boundary::default();
        let mut seen = 0;
        loop {
            while seen < self.unread.len() {
                seen += 1;
                if boundary.ends_at(self.unread[seen - 1]) {
                    let rest = self.unread.split_off(seen);
                    let reply = std::mem::replace(&mut self.unread, rest);
                    return Ok(String::from_utf8_lossy(&reply).into_owned());
                }
            }
            if self.unread.len() > REPLY_MAX {
                return Err(Failure::NotAnAnswer("a reply without an end".to_owned()));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.chunks.recv_timeout(left) {
                Ok(chunk) => self.unread.extend(chunk),
                Err(RecvTimeoutError::Timeout) => return Err(Failure::Late),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(deadline)),
            }
        }
    }

    /// Builds the failure for a closed output. Waits briefly for the rest of standard error.
    fn ended(&mut self, deadline: Instant) -> Failure {
        if !self.unread.trim_ascii().is_empty() {
            let words = String::from_utf8_lossy(&self.unread).into_owned();
            return Failure::NotAnAnswer(super::shorten(&words));
        }
        // Arbitrary; a later message is not reported.
        let patience = Instant::now() + Duration::from_millis(200);
        while Arc::strong_count(&self.stderr_text) > 1 && Instant::now() < patience.min(deadline) {
            thread::sleep(Duration::from_millis(2));
        }
        let stderr_text = self.stderr_text.lock().map(|words| words.clone()).unwrap_or_default();
        Failure::Ended(super::shorten(&String::from_utf8_lossy(&stderr_text)))
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // The process may be gone already. Waiting removes the zombie.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn write_all(mut stdin: ChildStdin, texts: &Receiver<String>) {
    for text in texts {
        if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_all(mut stdout: ChildStdout, chunks: &SyncSender<Vec<u8>>) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(count) = stdout.read(&mut buffer) {
        if count == 0 || chunks.send(buffer[..count].to_vec()).is_err() {
            return;
        }
    }
}

/// Keeps the start of standard error, and reads on so that the process is not blocked.
fn collect(mut stderr: ChildStderr, stderr_text: &Mutex<Vec<u8>>) {
    let mut buffer = vec![0; 4096];
    while let Ok(count) = stderr.read(&mut buffer) {
        if count == 0 {
            return;
        }
        if let Ok(mut kept) = stderr_text.lock() {
            let room = STDERR_MAX.saturating_sub(kept.len()).min(count);
            kept.extend_from_slice(&buffer[..room]);
        }
    }
}
