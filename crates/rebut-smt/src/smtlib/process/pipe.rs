//! A child process and the threads that write to it and read from it.

use std::io::{ErrorKind, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::super::sexpr::Boundary;

/// What can go wrong with a process.
#[derive(Debug)]
pub(super) enum Trouble {
    Missing,
    NotStarted(std::io::Error),
    Late,
    /// It ended; this was the end of what it complained about.
    Ended(String),
    Nonsense(String),
    /// A value of this variable that is none to us.
    Value(String, String),
}

/// Replies longer than this are no replies.
const REPLY_MAX: usize = 64 << 20;

/// How much of the complaints is kept.
const COMPLAINT_MAX: usize = 2000;

#[derive(Debug)]
pub(super) struct Pipe {
    child: Child,
    writer: Sender<String>,
    chunks: Receiver<Vec<u8>>,
    unread: Vec<u8>,
    complaints: Arc<Mutex<Vec<u8>>>,
}

impl Pipe {
    pub(super) fn open(program: &str, args: &[String]) -> Result<Pipe, Trouble> {
        if program.is_empty() {
            return Err(Trouble::Missing);
        }
        let mut command = Command::new(program);
        command.args(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound => Trouble::Missing,
            _ => Trouble::NotStarted(error),
        })?;
        let (writer, texts) = channel();
        // Bounded: a process that does not stop talking has to wait.
        let (chunk_sender, chunks) = sync_channel(16);
        let complaints = Arc::new(Mutex::new(Vec::new()));
        if let Some(stdin) = child.stdin.take() {
            thread::spawn(move || write_all(stdin, &texts));
        }
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || read_all(stdout, &chunk_sender));
        }
        if let Some(stderr) = child.stderr.take() {
            let complaints = Arc::clone(&complaints);
            thread::spawn(move || collect(stderr, &complaints));
        }
        Ok(Pipe { child, writer, chunks, unread: Vec::new(), complaints })
    }

    /// Never waits. If the process is gone, that is noticed when it should answer.
    pub(super) fn send(&self, text: String) {
        let _ = self.writer.send(text);
    }

    /// The next expression that the process says.
    pub(super) fn receive(&mut self, deadline: Instant) -> Result<String, Trouble> {
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
                return Err(Trouble::Nonsense("a reply without an end".to_owned()));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.chunks.recv_timeout(left) {
                Ok(chunk) => self.unread.extend(chunk),
                Err(RecvTimeoutError::Timeout) => return Err(Trouble::Late),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(deadline)),
            }
        }
    }

    /// The process closed its output. What it complained about may still be on the way.
    fn ended(&mut self, deadline: Instant) -> Trouble {
        if !self.unread.trim_ascii().is_empty() {
            let words = String::from_utf8_lossy(&self.unread).into_owned();
            return Trouble::Nonsense(super::shorten(&words));
        }
        let patience = Instant::now() + Duration::from_millis(200);
        while Arc::strong_count(&self.complaints) > 1 && Instant::now() < patience.min(deadline) {
            thread::sleep(Duration::from_millis(2));
        }
        let complaints = self.complaints.lock().map(|words| words.clone()).unwrap_or_default();
        Trouble::Ended(super::shorten(&String::from_utf8_lossy(&complaints)))
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // It may be gone already. Waiting takes it off the system's list of processes.
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

/// Keeps the beginning of the complaints and reads on, so that the process is not stopped.
fn collect(mut stderr: ChildStderr, complaints: &Mutex<Vec<u8>>) {
    let mut buffer = vec![0; 4096];
    while let Ok(count) = stderr.read(&mut buffer) {
        if count == 0 {
            return;
        }
        if let Ok(mut kept) = complaints.lock() {
            let room = COMPLAINT_MAX.saturating_sub(kept.len()).min(count);
            kept.extend_from_slice(&buffer[..room]);
        }
    }
}
