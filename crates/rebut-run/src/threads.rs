//! Threads, and the queues of lines between them.
//!
//! The alternative is `std::thread::spawn` with closures of many types, and `std::sync::mpsc`.
//! Both are compiled again for each type, the channels in three variants of a thousand lines
//! each: a fifth of the build time of this crate.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Starts a thread with the name of this one, so that a test harness takes it for the same test.
pub(crate) fn spawn(run: Box<dyn FnOnce() + Send>) -> io::Result<JoinHandle<()>> {
    let builder = match thread::current().name() {
        Some(name) => thread::Builder::new().name(name.to_owned()),
        None => thread::Builder::new(),
    };
    builder.spawn(run)
}

/// Locks a mutex and ignores poisoning.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a queue of lines from one thread to another.
pub(crate) fn lines() -> (LineSender, LineReceiver) {
    let shared = Arc::<Shared>::default();
    (LineSender { shared: Arc::clone(&shared) }, LineReceiver { shared })
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    lines: VecDeque<String>,
    /// Whether one of the two ends was dropped.
    is_closed: bool,
}

impl Shared {
    fn close(&self) {
        lock(&self.queue).is_closed = true;
        self.changed.notify_all();
    }
}

/// The sending end. The queue ends when it is dropped.
pub(crate) struct LineSender {
    shared: Arc<Shared>,
}

impl LineSender {
    /// Sends a line. Returns whether a receiver is left.
    pub(crate) fn send(&self, line: String) -> bool {
        let mut queue = lock(&self.shared.queue);
        queue.lines.push_back(line);
        self.shared.changed.notify_all();
        !queue.is_closed
    }
}

impl Drop for LineSender {
    fn drop(&mut self) {
        self.shared.close();
    }
}

/// The receiving end.
pub(crate) struct LineReceiver {
    shared: Arc<Shared>,
}

/// The result of a receive.
#[derive(Debug)]
pub(crate) enum Received {
    Line(String),
    /// No line arrived in time.
    Late,
    /// No more lines will arrive.
    Ended,
}

impl LineReceiver {
    /// Waits for the next line, at most this long.
    pub(crate) fn receive(&self, patience: Duration) -> Received {
        let queue = lock(&self.shared.queue);
        let is_empty = |queue: &mut Queue| queue.lines.is_empty() && !queue.is_closed;
        let waited = self.shared.changed.wait_timeout_while(queue, patience, is_empty);
        let (mut queue, _) = waited.unwrap_or_else(PoisonError::into_inner);
        match queue.lines.pop_front() {
            Some(line) => Received::Line(line),
            None if queue.is_closed => Received::Ended,
            None => Received::Late,
        }
    }
}

impl Drop for LineReceiver {
    fn drop(&mut self) {
        self.shared.close();
    }
}

/// Sends the lines that begin with the mark, without the mark and the space after it, until the
/// input ends or the receiver is dropped. Skips other lines without buffering them, however long
/// they are, and an incomplete last line.
#[inline(never)]
pub(crate) fn read_lines(mut input: Box<dyn Read>, mark: &[u8], sender: &LineSender) {
    let mut chunk = [0; 4096];
    let mut line: Vec<u8> = Vec::new();
    loop {
        let length = match input.read(&mut chunk) {
            Ok(0) => return,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        for &byte in &chunk[..length] {
            if byte == b'\n' {
                if let Some(marked) = line.strip_prefix(mark) {
                    let marked = marked.strip_prefix(b" ").unwrap_or(marked);
                    let marked = marked.strip_suffix(b"\r").unwrap_or(marked);
                    if !sender.send(String::from_utf8_lossy(marked).into_owned()) {
                        return;
                    }
                }
                line.clear();
            } else if line.len() < mark.len() || line.starts_with(mark) {
                line.push(byte);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_marked_lines_are_received() {
        let noise = "x".repeat(100_000);
        let text =
            format!("running 1 test\n{noise}\n\n#m ready\n#n x\nprint#m y\n#m begin\t1\t\r\n#");
        let (sender, receiver) = lines();
        read_lines(Box::new(io::Cursor::new(text)), b"#m", &sender);
        drop(sender);
        let mut received = Vec::new();
        while let Received::Line(line) = receiver.receive(Duration::ZERO) {
            received.push(line);
        }
        assert_eq!(received, ["ready", "begin\t1\t"]);
    }

    #[test]
    fn lines_arrive_in_order_and_then_the_end() {
        let (sender, receiver) = lines();
        assert!(matches!(receiver.receive(Duration::ZERO), Received::Late));
        let thread = spawn(Box::new(move || {
            for n in 0..1000 {
                assert!(sender.send(n.to_string()));
            }
        }));
        for n in 0..1000 {
            let received = receiver.receive(Duration::from_secs(60));
            assert!(matches!(&received, Received::Line(line) if *line == n.to_string()));
        }
        assert!(matches!(receiver.receive(Duration::from_secs(60)), Received::Ended));
        assert!(thread.expect("a thread").join().is_ok());
    }

    #[test]
    fn sending_without_a_receiver_returns_false() {
        let (sender, receiver) = lines();
        drop(receiver);
        assert!(!sender.send(String::new()));
    }
}
