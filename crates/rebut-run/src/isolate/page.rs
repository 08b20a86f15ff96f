//! Memory that is the beginning of a file.
//!
//! A process that is killed cannot write down which case it was running. So the number of the
//! running case is in memory that is shared with a file. It costs a store for each case and no
//! call of the system, and the file has the number whatever ends the process.
//!
//! A page of memory is never freed, because a signal handler may be about to write to it.
//! When a run ends, memory without a file takes the place of that with one, at the same address.

#![cfg_attr(unix, expect(unsafe_code, reason = "only the C library maps memory"))]

use std::fs::File;
use std::sync::atomic::AtomicPtr;

use super::run_state::Cells;

/// The number of bytes at the beginning of the file. Pages are at least that large everywhere.
pub(super) const SIZE: usize = 4096;
/// The position of the cells.
pub(super) const CELLS_AT: usize = SIZE - 64;

/// Returns the cells at an address, or `None` if it is null.
#[cfg(unix)]
pub(super) fn cells_at(address: *mut Cells) -> Option<&'static Cells> {
    // SAFETY: an address that is not null comes from `map`: it is aligned, and its memory stays
    // readable and writable as long as the process lives. All fields are atomic numbers, for which
    // every pattern of bits is valid.
    unsafe { address.as_ref() }
}

/// Makes the beginning of a file appear in memory. The file has at least [`SIZE`] bytes. `page` is
/// the memory of one run, null until it exists. Returns the cells there, or `None` if the file
/// system cannot share memory.
#[cfg(unix)]
pub(super) fn map(file: &File, page: &AtomicPtr<u8>) -> Option<*mut Cells> {
    use std::os::fd::AsRawFd as _;
    use std::ptr;
    use std::sync::atomic::Ordering;

    use super::sys::{MAP_FAILED, MAP_FIXED, MAP_SHARED};

    if cfg!(miri) {
        return None;
    }
    let map_at = |address: *mut u8, flags: std::ffi::c_int| {
        // SAFETY: `address` is null, and the system chooses new memory, or it is a page of ours, so
        // replacing it affects no other memory. Threads that still write to that page are allowed
        // to, before and after.
        let mapped = unsafe {
            super::sys::mmap(address.cast(), SIZE, READ_WRITE, flags, file.as_raw_fd(), 0)
        };
        (mapped != MAP_FAILED).then_some(mapped)
    };
    // If a file cannot replace memory, some systems leave a hole. So it is mapped elsewhere first.
    let tried = map_at(ptr::null_mut(), MAP_SHARED)?;
    // SAFETY: the memory is new, and nothing refers to it.
    unsafe { super::sys::munmap(tried, SIZE) };
    let address = reserve(page)?;
    if map_at(address, MAP_SHARED | MAP_FIXED).is_none() {
        // There may be a hole, which another part of the program may fill.
        page.store(ptr::null_mut(), Ordering::Release);
        return None;
    }
    // SAFETY: `CELLS_AT` is within the page.
    Some(unsafe { address.add(CELLS_AT) }.cast())
}

/// Detaches a page from its file.
#[cfg(unix)]
pub(super) fn detach(page: &AtomicPtr<u8>) {
    use std::sync::atomic::Ordering;

    use super::sys::{MAP_ANONYMOUS, MAP_FAILED, MAP_FIXED, MAP_PRIVATE};

    let address = page.load(Ordering::Acquire);
    if !address.is_null() {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
        // SAFETY: as in `map`.
        let mapped = unsafe { super::sys::mmap(address.cast(), SIZE, READ_WRITE, flags, -1, 0) };
        if mapped == MAP_FAILED {
            // There may be a hole, as after `map`. The next run gets another page.
            page.store(std::ptr::null_mut(), Ordering::Release);
        }
    }
}

#[cfg(unix)]
const READ_WRITE: std::ffi::c_int = super::sys::PROT_READ | super::sys::PROT_WRITE;

/// Returns the address of a page, and creates it on the first call.
#[cfg(unix)]
fn reserve(page: &AtomicPtr<u8>) -> Option<*mut u8> {
    use std::ptr;
    use std::sync::atomic::Ordering;

    use super::sys::{MAP_ANONYMOUS, MAP_FAILED, MAP_PRIVATE};

    let known = page.load(Ordering::Acquire);
    if !known.is_null() {
        return Some(known);
    }
    let flags = MAP_PRIVATE | MAP_ANONYMOUS;
    // SAFETY: new memory, at an address that the system chooses.
    let mapped = unsafe { super::sys::mmap(ptr::null_mut(), SIZE, READ_WRITE, flags, -1, 0) };
    if mapped == MAP_FAILED {
        return None;
    }
    page.store(mapped.cast(), Ordering::Release);
    Some(mapped.cast())
}

#[cfg(not(unix))]
pub(super) fn cells_at(_address: *mut Cells) -> Option<&'static Cells> {
    None
}

#[cfg(not(unix))]
pub(super) fn map(_file: &File, _page: &AtomicPtr<u8>) -> Option<*mut Cells> {
    None
}

#[cfg(not(unix))]
pub(super) fn detach(_page: &AtomicPtr<u8>) {}
