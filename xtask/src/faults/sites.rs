//! The sites where a case dies: the columns of the table. Each is a module of the crate.

/// A site where a case dies.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) name: &'static str,
    /// The name of its module.
    pub(super) module: &'static str,
    /// The tests that must fail. The code of the site contains them.
    pub(super) deadly: &'static [&'static str],
    /// Its code. `deadly(n)` dies if `n > 100`.
    pub(super) code: &'static str,
}

/// The deadly test of most sites.
const DIES: &[&str] = &["dies"];

pub(super) const SITES: &[Site] = &[
    Site {
        name: "body",
        module: "at_body",
        deadly: DIES,
        code: r#"
#[rebut::test]
fn dies(n: u16, list: Vec<u8>) {
    deadly(n);
    assert!(list.len() < 100_000);
}
"#,
    },
    Site {
        name: "joined thread",
        module: "at_joined",
        deadly: DIES,
        code: r#"
#[rebut::test]
fn dies(n: u16, list: Vec<u8>) {
    if let Err(payload) = std::thread::spawn(move || deadly(n)).join() {
        std::panic::resume_unwind(payload);
    }
    assert!(list.len() < 100_000);
}
"#,
    },
    Site {
        name: "detached thread",
        module: "at_detached",
        deadly: DIES,
        code: r#"
/// The body waits until the thread drops its end of the channel.
#[rebut::test]
fn dies(n: u16, list: Vec<u8>) {
    if n > 100 {
        let (sender, receiver) = std::sync::mpsc::channel::<()>();
        std::thread::spawn(move || {
            let _sender = sender;
            deadly(n);
        });
        let _ = receiver.recv();
    }
    assert!(list.len() < 100_000);
}
"#,
    },
    Site {
        name: "stdout lock",
        module: "at_stdout",
        deadly: DIES,
        code: r#"
#[rebut::test]
fn dies(n: u16, list: Vec<u8>) {
    let _lock = std::io::stdout().lock();
    deadly(n);
    assert!(list.len() < 100_000);
}
"#,
    },
    Site {
        name: "stderr lock",
        module: "at_stderr",
        deadly: DIES,
        code: r#"
#[rebut::test]
fn dies(n: u16, list: Vec<u8>) {
    let _lock = std::io::stderr().lock();
    deadly(n);
    assert!(list.len() < 100_000);
}
"#,
    },
    Site {
        name: "panic hook",
        module: "at_hook",
        deadly: DIES,
        code: r#"
fn install_hook() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if info.payload().downcast_ref::<&str>() == Some(&"calls the hook") {
                die();
            }
            before(info);
        }));
    });
}

#[rebut::test]
fn dies(n: u16, list: Vec<u8>) {
    if n > 100 {
        install_hook();
        note(n);
        panic!("calls the hook");
    }
    assert!(list.len() < 100_000);
}
"#,
    },
    Site {
        name: "Debug in report",
        module: "at_debug",
        deadly: DIES,
        code: r#"
#[derive(Clone)]
struct Touchy(u16);

impl std::fmt::Debug for Touchy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 > 100 {
            die();
        }
        f.write_str("Touchy")
    }
}

#[rebut::test]
fn dies(n: u16, list: Vec<u8>, #[from(rebut::just(n).map(Touchy))] touchy: Touchy) {
    if n > 100 {
        note(n);
    }
    assert!(touchy.0 <= 100 && list.len() < 100_000, "touchy is large");
}
"#,
    },
    Site {
        name: "Debug in body",
        module: "at_format",
        deadly: DIES,
        code: r#"
struct Touchy(u16);

impl std::fmt::Debug for Touchy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        deadly(self.0);
        f.write_str("Touchy")
    }
}

#[rebut::test]
fn dies(n: u16, list: Vec<u8>) {
    assert_eq!(format!("{:?}", Touchy(n)), "Touchy");
    assert!(list.len() < 100_000);
}
"#,
    },
    Site {
        name: "generator",
        module: "at_generator",
        deadly: DIES,
        code: r#"
#[rebut::test]
fn dies(
    list: Vec<u8>,
    #[from(rebut::integers::<u16>().map(|n| {
        deadly(n);
        n
    }))]
    n: u16,
) {
    assert!(n <= 100 && list.len() < 100_000);
}
"#,
    },
    Site {
        name: "drop in body",
        module: "at_drop",
        deadly: DIES,
        code: r#"
struct Bomb(u16);

impl Drop for Bomb {
    fn drop(&mut self) {
        deadly(self.0);
    }
}

#[rebut::test]
fn dies(n: u16, list: Vec<u8>) {
    let bomb = Bomb(n);
    assert!(bomb.0 == n && list.len() < 100_000);
}
"#,
    },
    Site {
        name: "drop of parameter",
        module: "at_parameter",
        deadly: DIES,
        code: r#"
#[derive(Debug)]
struct Bomb(u16);

impl Drop for Bomb {
    fn drop(&mut self) {
        deadly(self.0);
    }
}

#[rebut::test]
fn dies(n: u16, list: Vec<u8>, #[from(rebut::just(n).map(Bomb))] bomb: Bomb) {
    assert!(bomb.0 == n && list.len() < 100_000);
}
"#,
    },
    Site {
        name: "thread-local destructor",
        module: "at_thread_end",
        deadly: DIES,
        code: r#"
struct AtEnd(std::cell::Cell<u16>);

impl Drop for AtEnd {
    fn drop(&mut self) {
        deadly(self.0.get());
    }
}

thread_local! {
    static AT_END: AtEnd = const { AtEnd(std::cell::Cell::new(0)) };
}

#[rebut::test]
fn dies(n: u16, list: Vec<u8>) {
    AT_END.with(|at_end| at_end.0.set(at_end.0.get().max(n)));
    assert!(list.len() < 100_000);
}
"#,
    },
    Site {
        name: "handler before",
        module: "at_handler_before",
        deadly: DIES,
        code: r#"
/// Runs before `main`. All sites share the binary.
extern "C" fn install_early() {
    if std::env::var("FAULTS_SITE").is_ok_and(|site| site == "at_handler_before") {
        install_handlers();
    }
}

#[used]
// SAFETY: the loader calls the functions of this section.
#[unsafe(link_section = ".init_array")]
static INIT: extern "C" fn() = install_early;

#[rebut::test]
fn dies(n: u16, list: Vec<u8>) {
    deadly(n);
    assert!(list.len() < 100_000);
}
"#,
    },
    Site {
        name: "handler in body",
        module: "at_handler_in_body",
        deadly: DIES,
        code: r#"
#[rebut::test]
fn dies(n: u16, list: Vec<u8>) {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(install_handlers);
    deadly(n);
    assert!(list.len() < 100_000);
}
"#,
    },
    Site {
        name: "static",
        module: "at_static",
        deadly: DIES,
        code: r#"
use std::cell::Cell;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    static IS_DEADLY: Cell<bool> = const { Cell::new(false) };
}

static IS_DYING: AtomicBool = AtomicBool::new(false);

static TABLE: LazyLock<u32> = LazyLock::new(|| {
    if IS_DEADLY.get() {
        IS_DYING.store(true, Ordering::SeqCst);
        die();
    }
    7
});

#[rebut::test]
fn dies(n: u16, list: Vec<u8>) {
    if n > 100 {
        note(n);
        IS_DEADLY.set(true);
        assert_eq!(*TABLE, 7);
    }
    assert!(list.len() < 100_000);
}

/// Reads the same static. It waits a moment, so that the initializer runs in the other test.
#[test]
fn reads() {
    for _ in 0..100 {
        if IS_DYING.load(Ordering::SeqCst) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(*TABLE, 7);
}
"#,
    },
    Site {
        name: "called test",
        module: "at_called",
        deadly: &["dies", "calls"],
        code: r#"
#[rebut::test]
fn dies(n: u16, list: Vec<u8>) {
    deadly(n);
    assert!(list.len() < 100_000);
}

#[test]
fn calls() {
    dies();
}
"#,
    },
    Site {
        name: "check",
        module: "at_check",
        deadly: DIES,
        code: r#"
#[test]
fn dies() {
    rebut::check(|case| {
        let n = case.draw_as("n", rebut::integers::<u16>());
        let list = case.draw_as("list", rebut::vecs(rebut::integers::<u8>()));
        deadly(n);
        assert!(list.len() < 100_000);
    });
}
"#,
    },
];

/// The tests that every site has next to the deadly one, and whether they pass.
pub(super) const NEIGHBORS: [(&str, bool); 3] =
    [("passes", true), ("holds", true), ("fails", false)];

/// The code of [`NEIGHBORS`].
pub(super) const NEIGHBOR_CODE: &str = r#"
#[test]
fn passes() {
    assert_eq!(1 + 1, 2);
}

#[rebut::test]
fn holds(list: Vec<u8>) {
    assert!(list.len() < 100_000);
}

#[rebut::test]
fn fails(n: u16) {
    assert!(n < 50, "at least fifty");
}
"#;
