//! Loops whose number of rounds depends on the input.

/// How many steps the 3n + 1 rule takes down to one.
#[must_use]
pub fn collatz(mut number: u32) -> u32 {
    let mut steps = 0;
    while number > 1 {
        number = if number.is_multiple_of(2) { number / 2 } else { 3 * number + 1 };
        steps += 1;
    }
    steps
}

/// How many steps the 5n + 1 rule takes down to one, if it comes there within so many.
#[must_use]
pub fn five_n_plus_one(mut number: u64, most: u32) -> Option<u32> {
    for steps in 0..most {
        if number <= 1 {
            return Some(steps);
        }
        number = if number.is_multiple_of(2) { number / 2 } else { number.checked_mul(5)? + 1 };
    }
    None
}

/// The sum of a number's digits.
#[must_use]
pub fn digit_sum(mut number: u32) -> u32 {
    let mut sum = 0;
    while number > 0 {
        sum += number % 10;
        number /= 10;
    }
    sum
}

/// The sum of the numbers up to this one, added up one by one.
#[must_use]
pub fn triangular(number: u32) -> u32 {
    let mut sum = 0;
    for term in 1..=number {
        sum += term;
    }
    sum
}

/// The greatest common divisor.
#[must_use]
pub fn common_divisor(mut a: u8, mut b: u8) -> u8 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The square root, rounded down, by bisection.
#[must_use]
pub fn root(number: u16) -> u16 {
    let (mut low, mut high) = (0_u32, 256);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if middle * middle <= u32::from(number) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low as u16
}

/// Goes off if a walk of steps up and down comes to 3, then to -2, and ends at zero.
#[must_use]
pub fn walk(steps: &[bool]) -> bool {
    let (mut place, mut was_high, mut was_low) = (0_i32, false, false);
    for up in steps {
        place += if *up { 1 } else { -1 };
        was_high |= place == 3;
        was_low |= was_high && place == -2;
    }
    was_low && place == 0
}
