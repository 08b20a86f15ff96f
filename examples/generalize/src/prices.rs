//! What things cost.

/// The price of several things, in cents; ten and more are cheaper by a tenth.
///
/// # Panics
/// If there is nothing to sell.
#[must_use]
pub fn total(price: u16, amount: u16) -> u32 {
    assert!(amount > 0, "nothing is sold");
    let total = u32::from(price) * u32::from(amount);
    if amount >= 10 { total - total / 10 } else { total }
}

/// The sum of two prices.
#[must_use]
pub fn sum(a: u32, b: u32) -> u32 {
    a + b
}

/// Whether a price is in whole euros.
#[must_use]
pub fn is_round(price: u16) -> bool {
    price.is_multiple_of(100)
}

/// What each of some people pays.
#[must_use]
pub fn share(total: u32, people: u32) -> u32 {
    total / people
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sum_adds_prices() {
        assert_eq!(sum(2, 3), 5);
    }

    #[test]
    fn hundred_is_round() {
        assert!(is_round(100));
    }

    #[test]
    fn two_hundred_and_fifty_is_not_round() {
        assert!(!is_round(250));
    }

    #[test]
    fn share_is_at_most_the_amount() {
        let share = share(12, 3);
        assert!(share <= 12);
    }

    #[test]
    fn few_items_cost_their_price() {
        assert_eq!(total(5, 1), 5);
    }

    #[test]
    fn new_list_is_empty() {
        let list: Vec<u8> = Vec::new();
        assert!(list.is_empty());
    }
}
