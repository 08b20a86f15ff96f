//! A till that asks others what they know.

/// What a payment costs.
pub trait Tariff: std::fmt::Debug {
    /// The fee for an amount.
    fn fee(&self, amount: u32) -> u32;
}

/// Says how many share a bill.
pub trait Company {
    /// How many there are.
    fn people(&self) -> u32;
}

/// The same fee for every amount.
#[derive(Debug)]
pub struct Flat(pub u32);

impl Tariff for Flat {
    fn fee(&self, _amount: u32) -> u32 {
        self.0
    }
}

/// A till.
#[derive(Debug)]
pub struct Till {
    tariff: Box<dyn Tariff>,
    sold: Vec<(u32, u32)>,
}

impl Till {
    /// A till on which nothing is sold.
    pub fn new(tariff: Box<dyn Tariff>) -> Till {
        Till { tariff, sold: Vec::new() }
    }

    /// Sells something.
    pub fn sell(&mut self, price: u32) {
        let fee = self.tariff.fee(price);
        // Small fees are not worth the paper.
        self.sold.push((price, if fee < 5 { 0 } else { fee }));
    }

    /// What was sold, without fees.
    pub fn sold(&self) -> u64 {
        self.sold.iter().map(|(price, _)| u64::from(*price)).sum()
    }

    /// The fees.
    pub fn fees(&self) -> u64 {
        self.sold.iter().map(|(_, fee)| u64::from(*fee)).sum()
    }
}

/// How dear a tariff is, in stars.
pub fn stars(tariff: &dyn Tariff) -> u32 {
    tariff.fee(100).min(5)
}

/// The share of each.
pub fn share(bill: u32, company: &impl Company) -> u32 {
    bill / company.people()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Four;

    impl Company for Four {
        fn people(&self) -> u32 {
            4
        }
    }

    // Whatever the tariff is.
    #[test]
    fn sales_do_not_depend_on_fees() {
        let mut till = Till::new(Box::new(Flat(3)));
        till.sell(20);
        assert_eq!(till.sold(), 20);
    }

    #[test]
    fn till_keeps_fees() {
        let tariff = Flat(7);
        let mut till = Till::new(Box::new(tariff));
        till.sell(20);
        assert_eq!(till.fees(), 7);
    }

    #[test]
    fn stars_are_at_most_five() {
        assert!(stars(&Flat(3)) <= 5);
    }

    #[test]
    fn share_is_at_most_the_bill() {
        assert!(share(100, &Four) <= 100);
    }
}
