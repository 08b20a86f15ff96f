//! Replaces the process by a copy of its program.

#![expect(unsafe_code, reason = "only the C library replaces a process")]

use std::ffi::{CString, OsStr, OsString, c_char};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::isolate::signals;
use crate::isolate::sys;

/// The arguments of the calls that replace the process.
struct Prepared {
    program: CString,
    directory: Option<CString>,
    arguments: CStrings,
    environment: CStrings,
    /// The limit of open files. A program cannot start with less than a few.
    files_max: sys::rlim_t,
}

/// A list of strings that ends with a null pointer, as C expects it.
struct CStrings {
    pointers: Vec<*const c_char>,
    /// The strings that the pointers point to.
    _owned: Vec<CString>,
}

impl CStrings {
    fn new(strings: impl Iterator<Item = OsString>) -> CStrings {
        let owned: Vec<CString> =
            strings.filter_map(|text| CString::new(text.into_vec()).ok()).collect();
        let mut pointers: Vec<*const c_char> = owned.iter().map(|one| one.as_ptr()).collect();
        pointers.push(ptr::null());
        CStrings { pointers, _owned: owned }
    }
}

/// Null until everything is prepared; never freed.
static PREPARED: AtomicPtr<Prepared> = AtomicPtr::new(ptr::null_mut());

pub(super) fn is_prepared() -> bool {
    !PREPARED.load(Ordering::Acquire).is_null()
}

/// Prepares to replace the process by a copy whose environment has these variables in addition.
pub(super) fn prepare(variables: Vec<(String, String)>) {
    let Some(program) = program() else { return };
    let is_other = |name: &OsString| variables.iter().all(|(own, _)| name != own.as_str());
    let others: Vec<(OsString, OsString)> =
        std::env::vars_os().filter(|(name, _)| is_other(name)).collect();
    let own = variables.into_iter().map(|(name, value)| (name.into(), value.into()));
    let environment = others.into_iter().chain(own).map(|(name, value)| {
        let mut line = name;
        line.push("=");
        line.push(value);
        line
    });
    let directory = std::env::current_dir().ok();
    let prepared = Prepared {
        program,
        directory: directory.and_then(|path| c_string(path.as_os_str())),
        arguments: CStrings::new(std::env::args_os()),
        environment: CStrings::new(environment),
        files_max: file_limit().map_or(0, |limit| limit.rlim_cur),
    };
    // An earlier one stays: a signal handler may use it.
    PREPARED.store(Box::into_raw(Box::new(prepared)), Ordering::Release);
}

/// Returns the path of this program. On Linux it also works if the file was deleted, unless there
/// is no `/proc`.
fn program() -> Option<CString> {
    const RUNNING: &str = "/proc/self/exe";
    if cfg!(target_os = "linux") && Path::new(RUNNING).exists() {
        return c_string(OsStr::new(RUNNING));
    }
    let path = std::env::current_exe().ok().or_else(called_program)?;
    c_string(path.as_os_str())
}

/// Returns the path by which this program was called.
pub(super) fn called_program() -> Option<PathBuf> {
    let name = PathBuf::from(std::env::args_os().next()?);
    if name.components().count() > 1 {
        return std::path::absolute(&name).ok().filter(|path| path.is_file());
    }
    let directories = std::env::var_os("PATH")?;
    std::env::split_paths(&directories).map(|path| path.join(&name)).find(|path| path.is_file())
}

fn file_limit() -> Option<sys::rlimit> {
    // SAFETY: all zeroes is a valid `rlimit`, which the call replaces.
    unsafe {
        let mut limit: sys::rlimit = std::mem::zeroed();
        (sys::getrlimit(sys::RLIMIT_NOFILE, &mut limit) == 0).then_some(limit)
    }
}

/// Raises the limit of open files to this, as far as allowed. A case may have lowered it. It may be
/// called in a signal handler.
fn raise_file_limit(files_max: sys::rlim_t) {
    if let Some(mut limit) = file_limit()
        && limit.rlim_cur < files_max
    {
        limit.rlim_cur = files_max.min(limit.rlim_max);
        // SAFETY: the limit is initialized. If it cannot be set, it stays.
        unsafe { sys::setrlimit(sys::RLIMIT_NOFILE, &limit) };
    }
}

fn c_string(text: &OsStr) -> Option<CString> {
    CString::new(text.as_bytes()).ok()
}

/// Replaces the process. Returns if that fails.
pub(super) fn replace_process() {
    // SAFETY: the pointer is null, or from a box that is never freed or changed.
    let Some(prepared) = (unsafe { PREPARED.load(Ordering::Acquire).as_ref() }) else { return };
    // The new program inherits the signals that this thread blocks.
    signals::unblock_all();
    // SAFETY: all pointers are to strings that live as long as the process, and the lists end
    // with null pointers. All functions may be called in a signal handler.
    unsafe {
        if let Some(directory) = &prepared.directory {
            sys::chdir(directory.as_ptr());
        }
        raise_file_limit(prepared.files_max);
        signals::execute(
            prepared.program.as_ptr(),
            prepared.arguments.pointers.as_ptr(),
            prepared.environment.pointers.as_ptr(),
        );
    }
}

pub(super) fn write_error(text: &[u8]) {
    // SAFETY: the bytes are readable. The function may be called in a signal handler.
    unsafe { sys::write(2, text.as_ptr().cast(), text.len()) };
}
