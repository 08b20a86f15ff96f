//! A shop, to be explored.

/// What an order costs, in cents, with postage.
pub fn total(price: u8, amount: u8) -> u32 {
    if price == 0 || amount == 0 {
        return 0;
    }
    // No square leaves the remainder 2.
    if u32::from(price) * u32::from(price) % 3 == 2 {
        return surcharge(price);
    }
    u32::from(price) * u32::from(amount) + postage(amount)
}

#[inline(never)]
fn surcharge(price: u8) -> u32 {
    assert!(price != 99, "nobody pays {price}");
    u32::from(price) + 1
}

#[inline(never)]
fn postage(amount: u8) -> u32 {
    if amount > 10 { parcel(amount) } else { 85 }
}

#[inline(never)]
fn parcel(amount: u8) -> u32 {
    assert!(amount != 77, "no parcel for {}", Label(amount));
    499
}

/// How many neighbors are in the wrong order.
pub fn disorder(values: &[i16]) -> usize {
    let mut count = 0;
    for pair in values.windows(2) {
        if pair[1] < pair[0] {
            count += 1;
        }
    }
    count
}

/// What is run only to word a panic is not explored, and nothing is said of its lines.
struct Label(u8);

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 > 100 {
            return f.write_str("many");
        }
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut::prelude::*;

    #[rebut::test]
    fn nothing_costs_nothing(price: u8, #[generate(max_value = 20)] amount: u8) {
        assert_eq!(total(price, amount) == 0, price == 0 || amount == 0);
    }

    #[rebut::test]
    #[ignore = "fails: 77"]
    fn every_order_has_a_price(price: u8, amount: u8) {
        total(price, amount);
    }

    #[rebut::test]
    fn sorted_lists_have_no_disorder(#[from(vecs(integers()).max_size(3))] values: Vec<i16>) {
        let mut sorted = values.clone();
        sorted.sort();
        assert_eq!(disorder(&sorted), 0);
        assert!(disorder(&values) < 3);
    }

    #[rebut::test]
    #[ignore = "has more paths than anyone waits for"]
    fn a_list_is_sorted_by_hand(values: Vec<i16>) {
        assert_eq!(disorder(&values) == 0, values.is_sorted());
    }
}
