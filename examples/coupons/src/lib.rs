//! Two properties for `cargo rebut explore -p coupon-examples`. Random inputs pass both of them.
//! Exploration refutes one and proves the other: stories 7 and 8 of `cargo xtask tour`.

/// Returns the rebate of a coupon, in percent. One code in four billion is special.
pub fn rebate(code: u32, day: u8) -> u32 {
    let is_special = code.wrapping_mul(7) ^ 0x55 == 12345;
    if is_special && day == 31 { 110 } else { 5 }
}

#[cfg(test)]
mod tests {
    use super::rebate;

    #[rebut::test]
    fn rebate_is_at_most_the_price(code: u32, #[from(1..=31)] day: u8) {
        assert!(rebate(code, day) <= 100);
    }

    #[rebut::test]
    fn sort_orders_five_numbers(numbers: [u32; 5]) {
        let mut sorted = numbers;
        sorted.sort();
        assert!(sorted.is_sorted());
    }
}
