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
    named().spawn(run)
}

/// Like [`spawn`], for a thread that runs cases. They have at least the stack of an ordinary test,
/// so that the regression test of an overflow overflows too.
pub(crate) fn spawn_worker(run: Box<dyn FnOnce() + Send>) -> io::Result<JoinHandle<()>> {
    let usual = std::env::var("RUST_MIN_STACK").ok().and_then(|text| text.parse::<usize>().ok());
    let size = usual.unwrap_or(STACK_SIZE).saturating_add(STACK_OF_REBUT);
    named().stack_size(size).spawn(run)
}

/// The stack of a test, which is that of every thread (`std::thread`, "Stack size").
const STACK_SIZE: usize = 2 << 20;
/// Five times the stack that the functions of Rebut around a property take without optimization:
/// 50 KiB, measured on x86-64 by the depth of a recursion. So a property always has more room than
/// a test.
const STACK_OF_REBUT: usize = 256 << 10;

fn named() -> thread::Builder {
    match thread::current().name() {
        Some(name) => thread::Builder::new().name(name.to_owned()),
        None => thread::Builder::new(),
    }
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

/// The last output of a child, without the lines for its parent.
#[derive(Clone, Debug, Default)]
pub(crate) struct OutputTail {
    bytes: Arc<Mutex<Vec<u8>>>,
}

/// Keep at most this many bytes of the output, the last ones. Arbitrary.
const OUTPUT_MAX: usize = 16 << 10;

impl OutputTail {
    pub(crate) fn forget(&self) {
        lock(&self.bytes).clear();
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&lock(&self.bytes)).into_owned()
    }

    fn push(&self, bytes: &[u8]) {
        let mut kept = lock(&self.bytes);
        kept.extend_from_slice(bytes);
        let excess = kept.len().saturating_sub(OUTPUT_MAX);
        kept.drain(..excess);
    }

    /// Removes the line break that a marked line begins with.
    fn pop_line_break(&self) {
        let mut kept = lock(&self.bytes);
        if kept.last() == Some(&b'\n') {
            kept.pop();
        }
    }
}

/// Sends the lines that begin with the mark, without the mark and the space after it, until the
/// input ends or the receiver is dropped. Other bytes go to `other`: also the beginning of a line
/// whose end comes from a marked line. Skips an incomplete last line that is marked.
#[inline(never)]
pub(crate) fn read_lines(
    mut input: Box<dyn Read>,
    mark: &[u8],
    sender: &LineSender,
    other: &OutputTail,
) {
    let mut chunk = [0; 4096];
    let mut line: Vec<u8> = Vec::new();
    // Whether the current line does not begin with the mark.
    let mut is_other = false;
    loop {
        let length = match input.read(&mut chunk) {
            Ok(0) => return,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        for &byte in &chunk[..length] {
            line.push(byte);
            is_other = is_other || (!line.starts_with(mark) && !mark.starts_with(&line));
            if byte != b'\n' {
                continue;
            }
            if let Some(marked) = line.strip_prefix(mark).filter(|_| !is_other) {
                other.pop_line_break();
                let marked = marked.strip_prefix(b" ").unwrap_or(marked);
                let marked = marked.strip_suffix(b"\n").unwrap_or(marked);
                let marked = marked.strip_suffix(b"\r").unwrap_or(marked);
                if !sender.send(String::from_utf8_lossy(marked).into_owned()) {
                    return;
                }
            } else {
                other.push(&line);
            }
            line.clear();
            is_other = false;
        }
        if is_other {
            other.push(&line);
            line.clear();
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
        let other = OutputTail::default();
        read_lines(Box::new(io::Cursor::new(text)), b"#m", &sender, &other);
        drop(sender);
        let mut received = Vec::new();
        while let Received::Line(line) = receiver.receive(Duration::ZERO) {
            received.push(line);
        }
        assert_eq!(received, ["ready", "begin\t1\t"]);
        assert!(other.text().ends_with("xxx\n#n x\nprint#m y"), "{}", other.text().len());
    }

    #[test]
    fn other_output_is_what_was_printed() {
        let other = OutputTail::default();
        let (sender, _receiver) = lines();
        for (text, expected) in [
            ("one\n\n#m a\n\n#m b\ntwo\n\n#m c\n", "one\ntwo\n"),
            ("no end\n#m a\n", "no end"),
            ("\n\n\n#m a\n", "\n\n"),
            ("\n#m a\nno mark: #m\n#", "no mark: #m\n"),
        ] {
            other.forget();
            read_lines(Box::new(io::Cursor::new(text)), b"#m", &sender, &other);
            assert_eq!(other.text(), expected, "{text:?}");
        }
        other.forget();
        let long = "y".repeat(3 * OUTPUT_MAX);
        read_lines(Box::new(io::Cursor::new(long)), b"#m", &sender, &other);
        assert_eq!(other.text(), "y".repeat(OUTPUT_MAX));
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
