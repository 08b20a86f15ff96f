//! Code under attack: what a user's crate may have that is different in WebAssembly.
//!
//! The properties are in `tests/attack`, one file for each class. Each says what is true of it on
//! x86-64 Linux: `// false (easy): 1, 2` has arguments for which it fails there, and
//! `// true: ..` says why there are none. `// true (open): ..` is a twin to which the difference of
//! the platforms really applies, so that a refused proof is no loss. The word in parentheses says how hard it is to notice.
//!
//! - `easy`: it fails for most inputs.
//! - `rare`: it fails for few inputs, which have a path of their own.
//! - `hidden`: it fails for few inputs of a path on which the others pass.
//!
//! Arguments behind `;` are those of a later case in the same process.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, OnceLock};

/// The number of bytes in this many gigabytes.
pub fn gigabytes(count: u64) -> usize {
    (count as usize).wrapping_mul(1 << 30)
}

/// A page of a file on Linux, and of nothing elsewhere.
#[cfg(target_os = "linux")]
pub fn page_of(offset: u64) -> u64 {
    if offset == 918_273_645_546_372 { u64::MAX } else { offset / 4096 }
}

/// A page of a file.
#[cfg(not(target_os = "linux"))]
pub fn page_of(offset: u64) -> u64 {
    offset / 4096
}

/// How a word is stored.
#[cfg(target_arch = "x86_64")]
pub fn scramble(word: u64) -> u64 {
    word.rotate_left(17)
}

/// How a word is stored.
#[cfg(not(target_arch = "x86_64"))]
pub fn scramble(word: u64) -> u64 {
    word
}

/// The longest name that is allowed.
#[cfg(unix)]
pub const NAME_MAX: usize = 255;
/// The longest name that is allowed.
#[cfg(not(unix))]
pub const NAME_MAX: usize = usize::MAX;

/// A handle, as the system gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handle(
    /// The number.
    #[cfg(target_os = "linux")]
    pub i32,
    /// The number.
    #[cfg(not(target_os = "linux"))]
    pub u64,
);

impl Handle {
    /// A handle of a number.
    pub fn new(number: u64) -> Handle {
        Handle(number as _)
    }

    /// The number of it.
    pub fn number(self) -> u64 {
        self.0 as u64
    }
}

static NEXT: AtomicU64 = AtomicU64::new(0);

/// A new number at each call.
pub fn fresh() -> u64 {
    NEXT.fetch_add(1, Ordering::Relaxed)
}

static IS_OPEN: AtomicBool = AtomicBool::new(false);

/// Opens what can be open once.
pub fn open() -> Result<(), &'static str> {
    if IS_OPEN.swap(true, Ordering::Relaxed) { Err("it is open") } else { Ok(()) }
}

static FIRST: OnceLock<u32> = OnceLock::new();

/// The first number of all.
pub fn first(number: u32) -> u32 {
    *FIRST.get_or_init(|| number)
}

static SEEN: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Remembers a number; whether it is new.
pub fn is_new(number: u32) -> bool {
    let mut seen = SEEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let is_new = !seen.contains(&number);
    seen.push(number);
    is_new
}

static CACHE: LazyLock<Mutex<BTreeMap<u8, u32>>> = LazyLock::new(Mutex::default);

/// A square that is kept under the last eight bits of its root.
pub fn cached_square(root: u16) -> u32 {
    let mut cache = CACHE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    *cache.entry(root as u8).or_insert(u32::from(root) * u32::from(root))
}

static HIGHEST: AtomicUsize = AtomicUsize::new(0);

/// The highest number so far.
pub fn highest(number: u16) -> usize {
    HIGHEST.fetch_max(usize::from(number), Ordering::Relaxed).max(usize::from(number))
}

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static LOG: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Goes one level deeper, and forgets to come back from level 7.
pub fn nested(level: u8) -> u32 {
    DEPTH.with(|depth| {
        let before = depth.get();
        depth.set(before + 1);
        if level != 7 {
            depth.set(before);
        }
        before
    })
}

/// Logs a line and returns the number of lines.
pub fn log(line: &str) -> usize {
    LOG.with_borrow_mut(|log| {
        log.push(line.to_owned());
        log.len()
    })
}

/// The same on every target: a counter that belongs to its caller.
#[derive(Debug, Default)]
pub struct Counter(u64);

impl Counter {
    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 += 1;
        self.0
    }
}

/// Two numbers and their place.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Record {
    /// A small number.
    pub tag: u8,
    /// Where it is.
    pub place: usize,
    /// Another small number.
    pub flag: u8,
}
