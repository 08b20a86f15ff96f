//! The system around a test: constants of it, time, variables, files, processes and threads.

use std::env;
use std::path::{MAIN_SEPARATOR, Path};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

// false (easy): 0
#[rebut::test]
fn the_system_has_no_name(_n: u8) {
    assert_eq!(env::consts::OS, "unknown");
}

// false (rare): 101_010_101
#[rebut::test]
fn the_family_is_not_unix(n: u32) {
    if n == 101_010_101 {
        assert_ne!(env::consts::FAMILY, "unix");
    }
}

// false (hidden): 202_020_606
#[rebut::test]
fn no_sum_with_the_name_of_the_processor_is_this(n: u32) {
    assert_ne!(
        u64::from(n) + env::consts::ARCH.as_bytes()[1] as u64,
        202_020_606 + u64::from(b'8')
    );
}

// false (rare): 303_030_301
#[rebut::test]
fn programs_end_in_wasm(n: u32) {
    if n == 303_030_301 {
        assert_eq!(env::consts::EXE_SUFFIX, ".wasm");
    }
}

// false (easy): 0
#[rebut::test]
fn libraries_have_no_prefix(_n: u8) {
    assert!(env::consts::DLL_PREFIX.is_empty());
}

// false (easy): 0
#[rebut::test]
fn processors_cannot_be_counted(_n: u8) {
    assert!(thread::available_parallelism().is_err());
}

// false (rare): 404_040_404
#[rebut::test]
fn there_is_no_second_processor_to_ask_for(n: u32) {
    if n == 404_040_404 {
        let processors = thread::available_parallelism().map_or(0, usize::from);
        assert_eq!(processors, 0);
    }
}

// false (rare): 505_040_401
#[rebut::test]
fn paths_cannot_be_absolute(n: u32) {
    if n == 505_040_401 {
        assert!(!Path::new("/tmp").is_absolute());
    }
}

// false (rare): 606_040_401
#[rebut::test]
fn separators_are_not_those_of_unix(n: u32) {
    if n == 606_040_401 {
        assert_ne!(MAIN_SEPARATOR, '/');
    }
}

// false (easy): 0
#[rebut::test]
fn no_variable_is_set(_n: u8) {
    assert!(env::var_os("PATH").is_none());
}

// false (rare): 707_040_409
#[rebut::test]
fn variables_are_never_listed(n: u32) {
    if n == 707_040_409 {
        assert_eq!(env::vars_os().count(), 0);
    }
}

// false (rare): 808_040_403
#[rebut::test]
fn there_are_no_arguments(n: u32) {
    if n == 808_040_403 {
        assert_eq!(env::args_os().len(), 0);
    }
}

// false (easy): 0
#[rebut::test]
fn there_is_no_current_directory(_n: u8) {
    assert!(env::current_dir().is_err());
}

// false (rare): 909_040_409
#[rebut::test]
fn there_is_no_program(n: u32) {
    if n == 909_040_409 {
        assert!(env::current_exe().is_err());
    }
}

// false (easy): 0
#[rebut::test]
fn nothing_can_be_read(_n: u8) {
    assert!(std::fs::read("/proc/self/stat").is_err());
}

// false (rare): 111_222_333
#[rebut::test]
fn no_directory_exists(n: u32) {
    if n == 111_222_333 {
        assert!(!Path::new("/").exists());
    }
}

// false (rare): 222_333_444
#[rebut::test]
fn metadata_is_missing(n: u32) {
    if n == 222_333_444 {
        assert!(std::fs::metadata("/").is_err());
    }
}

// false (easy): 1
#[rebut::test]
fn threads_cannot_be_started(n: u8) {
    let started = thread::Builder::new().spawn(move || n);
    assert!(started.is_err());
}

// false (rare): 333_444_555
#[rebut::test]
fn commands_cannot_be_started(n: u32) {
    if n == 333_444_555 {
        assert!(std::process::Command::new("true").status().is_err());
    }
}

// false (rare): 444_555_666
#[rebut::test]
fn sockets_cannot_be_bound(n: u32) {
    if n == 444_555_666 {
        assert!(std::net::UdpSocket::bind("127.0.0.1:0").is_err());
    }
}

// false (rare): 555_666_777
#[rebut::test]
fn time_stands_still(n: u32) {
    if n == 555_666_777 {
        let begun = Instant::now();
        thread::sleep(Duration::from_millis(1));
        assert_eq!(begun.elapsed(), Duration::ZERO);
    }
}

// false (rare): 666_777_888
#[rebut::test]
fn it_is_1970(n: u32) {
    if n == 666_777_888 {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        assert!(now.is_ok_and(|now| now.as_secs() < 1_000_000_000));
    }
}

// false (rare): 777_888_999
#[rebut::test]
fn the_process_has_no_number(n: u32) {
    if n == 777_888_999 {
        assert_eq!(std::process::id(), 0);
    }
}

// false (rare): 888_999_111
#[rebut::test]
fn counters_of_scoped_threads_stay_zero(n: u32) {
    if n == 888_999_111 {
        let counter = Arc::new(AtomicU32::new(0));
        let started = thread::Builder::new().spawn({
            let counter = Arc::clone(&counter);
            move || counter.store(1, Ordering::SeqCst)
        });
        if let Ok(handle) = started {
            let _ = handle.join();
        }
        assert_eq!(counter.load(Ordering::SeqCst), 0);
    }
}

// false (rare): 999_111_222
#[rebut::test]
fn there_is_no_temporary_directory(n: u32) {
    if n == 999_111_222 {
        let path = std::panic::catch_unwind(env::temp_dir);
        assert!(path.is_err());
    }
}

// false (rare): 121_343_565
#[rebut::test]
fn the_current_thread_has_no_name(n: u32) {
    if n == 121_343_565 {
        assert!(thread::current().name().is_none());
    }
}

// true: durations are computed, and no clock is read.
#[rebut::test]
fn durations_add_up(a: u32, b: u32) {
    let sum = Duration::from_secs(a.into()) + Duration::from_secs(b.into());
    assert_eq!(sum.as_secs(), u64::from(a) + u64::from(b));
}

// true: a relative path is one everywhere.
#[rebut::test]
fn relative_paths_are_relative(at: u8) {
    let names = ["a", "b/c", "d.txt"];
    assert!(Path::new(names[usize::from(at) % 3]).is_relative());
}

// true: atomics of one thread are ordinary numbers.
#[rebut::test]
fn atomics_of_one_thread_count(step: u32) {
    let counter = AtomicU32::new(1);
    counter.fetch_add(step, Ordering::Relaxed);
    assert_eq!(counter.into_inner(), step.wrapping_add(1));
}
