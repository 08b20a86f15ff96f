//! Handles a case that called `_exit`, which runs no handlers. The definition in a program takes
//! precedence over that of the C library, and a weak one gives way to any other.

use std::ffi::{CStr, c_char, c_int};

use super::{Fate, is_our_process, stall, state_of_this_thread, worker_state};
use crate::isolate::sys;

#[cfg(target_arch = "x86_64")]
std::arch::global_asm!(
    ".weak _exit",
    ".type _exit, @function",
    "_exit:",
    "jmp {handler}",
    ".weak _Exit",
    ".type _Exit, @function",
    "_Exit:",
    "jmp {handler}",
    handler = sym on_immediate_exit,
);
#[cfg(target_arch = "aarch64")]
std::arch::global_asm!(
    ".weak _exit",
    ".type _exit, %function",
    "_exit:",
    "b {handler}",
    ".weak _Exit",
    ".type _Exit, %function",
    "_Exit:",
    "b {handler}",
    handler = sym on_immediate_exit,
);

extern "C" fn on_immediate_exit(code: c_int) -> ! {
    if is_our_process()
        && let Some(state) = state_of_this_thread()
    {
        state.record(Fate::Exited, worker_state().is_some());
        stall::stay()
    }
    super::end_process(code)
}

unsafe extern "C" {
    fn _exit(code: c_int) -> !;
}

/// Keeps the definition in the program: the linker takes the part of a library that defines
/// it only if something refers to it.
#[used]
static DEFINED: unsafe extern "C" fn(c_int) -> ! = _exit;

// A case that executes another program ends the tests too, with the code of that program.
// A process that a case started for it, with or without memory of its own, has another
// number, and is left alone.
#[cfg(target_arch = "x86_64")]
std::arch::global_asm!(
    ".weak execve",
    ".type execve, @function",
    "execve:",
    "jmp {execve}",
    ".weak execv",
    ".type execv, @function",
    "execv:",
    "jmp {execv}",
    ".weak execvp",
    ".type execvp, @function",
    "execvp:",
    "jmp {execvp}",
    execve = sym on_execve,
    execv = sym on_execv,
    execvp = sym on_execvp,
);
#[cfg(target_arch = "aarch64")]
std::arch::global_asm!(
    ".weak execve",
    ".type execve, %function",
    "execve:",
    "b {execve}",
    ".weak execv",
    ".type execv, %function",
    "execv:",
    "b {execv}",
    ".weak execvp",
    ".type execvp, %function",
    "execvp:",
    "b {execvp}",
    execve = sym on_execve,
    execv = sym on_execv,
    execvp = sym on_execvp,
);

type Strings = *const *const c_char;

unsafe extern "C" {
    fn execv(path: *const c_char, arguments: Strings) -> c_int;
    fn execvp(file: *const c_char, arguments: Strings) -> c_int;
    static environ: Strings;
}

#[used]
static EXECUTES: [unsafe extern "C" fn(*const c_char, Strings) -> c_int; 2] = [execv, execvp];

extern "C" fn on_execve(path: *const c_char, arguments: Strings, env: Strings) -> c_int {
    // SAFETY: the caller passes a string.
    if unsafe { is_executable(path) } {
        stay_if_case();
    }
    // SAFETY: the caller passes what the system wants.
    unsafe { execute(path, arguments, env) }
}

extern "C" fn on_execv(path: *const c_char, arguments: Strings) -> c_int {
    // SAFETY: the C library defines the variable.
    on_execve(path, arguments, unsafe { environ })
}

extern "C" fn on_execvp(file: *const c_char, arguments: Strings) -> c_int {
    // SAFETY: the caller passes a string.
    if unsafe { is_in_path(file) } {
        stay_if_case();
    }
    // SAFETY: the caller passes what the function wants, and the C library defines the
    // variable.
    unsafe { sys::execvpe(file, arguments, environ) }
}

/// Keeps a thread of a case, as if it had called `_exit`.
fn stay_if_case() {
    if is_our_process()
        && let Some(state) = state_of_this_thread()
    {
        state.record(Fate::Exited, worker_state().is_some());
        stall::stay()
    }
}

/// Returns whether there is a file that this process may execute.
///
/// # Safety
/// `path` is a string.
unsafe fn is_executable(path: *const c_char) -> bool {
    // From unistd.h.
    const X_OK: c_int = 1;
    // SAFETY: it is a string.
    !path.is_null() && unsafe { sys::access(path, X_OK) } == 0
}

/// Like [`is_executable`], for a file that may be in one of the directories of `PATH`. It
/// allocates nothing.
///
/// # Safety
/// `file` is a string.
unsafe fn is_in_path(file: *const c_char) -> bool {
    if file.is_null() {
        return false;
    }
    // SAFETY: it is a string.
    let name = unsafe { CStr::from_ptr(file) }.to_bytes();
    if name.contains(&b'/') {
        // SAFETY: as above.
        return unsafe { is_executable(file) };
    }
    // SAFETY: the name is a string. The variable is read as the C library reads it.
    let path = unsafe {
        let path = sys::getenv(c"PATH".as_ptr());
        if path.is_null() { c"/bin:/usr/bin" } else { CStr::from_ptr(path) }
    };
    path.to_bytes().split(|&byte| byte == b':').any(|directory| {
        let mut buffer = [0_u8; 4096];
        let parts = [directory, b"/", name, b"\0"];
        let length: usize = parts.iter().map(|part| part.len()).sum();
        if name.is_empty() || length > buffer.len() {
            return false;
        }
        let mut at = 0;
        for part in parts {
            buffer[at..at + part.len()].copy_from_slice(part);
            at += part.len();
        }
        // SAFETY: the buffer is a string.
        unsafe { is_executable(buffer.as_ptr().cast()) }
    })
}

/// Executes a program. Returns if that fails.
///
/// # Safety
/// The arguments are those of execve(2).
pub(super) unsafe fn execute(path: *const c_char, arguments: Strings, env: Strings) -> c_int {
    // SAFETY: the caller passes what the system wants.
    let result = unsafe { sys::syscall(sys::SYS_execve, path, arguments, env) };
    c_int::try_from(result).unwrap_or(-1)
}

pub(super) fn end_process(code: c_int) -> ! {
    loop {
        // SAFETY: ends the process, and has no preconditions.
        unsafe { sys::syscall(sys::SYS_exit_group, code) };
    }
}
