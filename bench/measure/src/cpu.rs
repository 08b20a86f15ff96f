//! CPU time, user and system together.

/// CPU nanoseconds this process has used.
pub fn own_cpu_ns() -> u64 {
    cpu_ns(libc::RUSAGE_SELF)
}

/// CPU nanoseconds used by the ended children of this process, and theirs.
pub fn children_cpu_ns() -> u64 {
    cpu_ns(libc::RUSAGE_CHILDREN)
}

fn cpu_ns(who: libc::c_int) -> u64 {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: `usage` is a valid place for a `rusage`, and all zeroes is a
    // valid value of it should the call fail.
    let usage = unsafe {
        libc::getrusage(who, usage.as_mut_ptr());
        usage.assume_init()
    };
    timeval_ns(usage.ru_utime) + timeval_ns(usage.ru_stime)
}

fn timeval_ns(time: libc::timeval) -> u64 {
    time.tv_sec as u64 * 1_000_000_000 + time.tv_usec as u64 * 1_000
}
