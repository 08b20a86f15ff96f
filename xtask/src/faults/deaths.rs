//! The ways to die: the rows of the table.

/// A way to die.
#[derive(Debug)]
pub(super) struct Death {
    pub(super) name: &'static str,
    /// The statements that die.
    pub(super) code: &'static str,
    /// Words of reports, with ` .. ` between parts. One of them names the cause.
    pub(super) causes: &'static [&'static str],
    /// Variables that are set for it.
    pub(super) environment: &'static [(&'static str, &'static str)],
}

const PLAIN: Death = Death { name: "", code: "", causes: &[], environment: &[] };

/// The cause of a case that does not end.
const HANGS: &[&str] = &["did not end within its deadline"];
/// The cause of a case that ends its process.
const EXITS_WITH_0: &[&str] = &["exited the process: exited with code 0"];

pub(super) const DEATHS: &[Death] = &[
    Death { name: "panic", code: r#"panic!("deadly panic")"#, causes: &["deadly panic"], ..PLAIN },
    Death {
        name: "panic in drop",
        code: r#"
            struct Bomb;
            impl Drop for Bomb {
                fn drop(&mut self) {
                    panic!("the second");
                }
            }
            let _bomb = Bomb;
            panic!("the first")"#,
        causes: &["aborted the process .. SIGABRT"],
        ..PLAIN
    },
    Death {
        name: "payload",
        code: r#"
            struct Payload;
            impl Drop for Payload {
                fn drop(&mut self) {
                    panic!("drop of the payload");
                }
            }
            std::panic::panic_any(Payload)"#,
        causes: &[
            "a panic whose payload is not a string",
            "drop of the payload",
            // The standard library aborts if no thread takes the payload of another one.
            "aborted the process .. SIGABRT",
        ],
        ..PLAIN
    },
    Death {
        name: "abort",
        code: "std::process::abort()",
        causes: &["aborted the process .. SIGABRT"],
        ..PLAIN
    },
    Death {
        name: "overflow",
        code: r#"
            fn deeper(n: u64) -> u64 {
                let frame = std::hint::black_box([n; 64]);
                deeper(n + 1) + frame[7]
            }
            std::hint::black_box(deeper(0));"#,
        causes: &["overflowed its stack"],
        ..PLAIN
    },
    Death {
        name: "SIGSEGV",
        code: r#"
            let address = std::hint::black_box(8 as *mut u8);
            // SAFETY: none; the system ends the process.
            unsafe { address.write_volatile(1) };"#,
        causes: &["aborted the process .. SIGSEGV"],
        ..PLAIN
    },
    Death {
        name: "SIGKILL",
        code: "raise(libc::SIGKILL)",
        causes: &["killed (SIGKILL)", "aborted the process .. SIGKILL"],
        ..PLAIN
    },
    Death {
        name: "SIGTERM",
        code: "raise(libc::SIGTERM)",
        causes: &["aborted the process .. SIGTERM"],
        ..PLAIN
    },
    Death {
        name: "SIGPIPE",
        code: r#"
            let mut ends = [0; 2];
            // SAFETY: plain calls of the C library with memory for two numbers.
            unsafe {
                libc::signal(libc::SIGPIPE, libc::SIG_DFL);
                libc::pipe(ends.as_mut_ptr());
                libc::close(ends[0]);
                libc::write(ends[1], c"x".as_ptr().cast(), 1);
            }"#,
        causes: &["aborted the process .. SIGPIPE"],
        ..PLAIN
    },
    Death { name: "exit(0)", code: "std::process::exit(0)", causes: EXITS_WITH_0, ..PLAIN },
    Death {
        name: "exit(1)",
        code: "std::process::exit(1)",
        causes: &["exited the process: exited with code 1"],
        ..PLAIN
    },
    Death {
        name: "_exit(0)",
        code: "// SAFETY: has no preconditions.\n            unsafe { libc::_exit(0) }",
        causes: EXITS_WITH_0,
        ..PLAIN
    },
    Death {
        name: "allocation",
        code: "std::hint::black_box(vec![1_u8; 1 << 46]);",
        causes: &["ran out of memory: memory allocation of"],
        ..PLAIN
    },
    Death {
        name: "memory limit",
        code: r#"
            // Memory that is not touched counts too, and costs no time.
            let mut hoard = Vec::new();
            loop {
                hoard.push(std::hint::black_box(Vec::<u8>::with_capacity(1 << 24)));
            }"#,
        causes: &["ran out of memory: memory allocation of"],
        // Only processes that run cases have the limit.
        environment: &[("REBUT_ISOLATE", "always"), ("REBUT_MEMORY", "512MB")],
    },
    Death {
        name: "endless loop",
        code: "loop {\n                std::hint::black_box(0);\n            }",
        causes: HANGS,
        ..PLAIN
    },
    Death {
        name: "deadlock",
        code: r#"
            let mutex = std::sync::Mutex::new(0);
            let _first = mutex.lock();
            let _second = mutex.lock();"#,
        causes: HANGS,
        ..PLAIN
    },
    Death {
        name: "blocked read",
        code: r#"
            let mut ends = [0; 2];
            let mut byte = 0_u8;
            // SAFETY: plain calls of the C library with memory for two numbers and a byte.
            unsafe {
                libc::pipe(ends.as_mut_ptr());
                libc::read(ends[0], (&raw mut byte).cast(), 1);
            }"#,
        causes: HANGS,
        ..PLAIN
    },
    Death {
        name: "sleep",
        code: "std::thread::sleep(std::time::Duration::from_secs(3600))",
        causes: HANGS,
        ..PLAIN
    },
];
