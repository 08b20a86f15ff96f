//! A crate that starts threads.

use std::sync::mpsc;
use std::thread;

/// The sum, half of it by another thread.
pub fn sum(numbers: &[u8]) -> u32 {
    let (left, right) = numbers.split_at(numbers.len() / 2);
    let add = |part: &[u8]| part.iter().map(|&number| u32::from(number)).sum::<u32>();
    thread::scope(|scope| {
        let left = scope.spawn(move || add(left));
        add(right) + left.join().unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rebut::test]
    fn sums_are_the_same(#[from(rebut::vecs(rebut::any()).max_size(3))] numbers: Vec<u8>) {
        assert_eq!(sum(&numbers), numbers.iter().map(|&number| u32::from(number)).sum());
    }

    #[rebut::test]
    fn a_thread_that_is_not_checked_for(n: u8) {
        if n > 9 {
            let (sender, receiver) = mpsc::channel();
            thread::spawn(move || sender.send(n));
            assert_eq!(receiver.recv(), Ok(n));
        }
    }

    #[rebut::test]
    fn a_thread_that_may_fail(n: u8) {
        let started = thread::Builder::new().spawn(move || n);
        if let Ok(thread) = started {
            assert_eq!(thread.join().ok(), Some(n));
        }
    }
}
