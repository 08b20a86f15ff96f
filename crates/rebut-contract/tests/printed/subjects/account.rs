//! Plain values, and results that must be used.

use crate::fault::tick;

#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    total: i64,
}

#[rebut::contract]
impl Account {
    pub fn new() -> Account {
        tick("new");
        Account { total: 0 }
    }

    #[requires(amount > 0)]
    pub fn deposit(&mut self, amount: i64) -> Result<i64, String> {
        tick("deposit");
        self.total = self.total.checked_add(amount).ok_or("too much")?;
        Ok(amount)
    }

    #[must_use]
    #[ensures(result != 3)]
    pub fn total(&self) -> i64 {
        tick("total");
        self.total
    }

    pub fn withdraw(&mut self, amount: u32) -> Option<i64> {
        tick("withdraw");
        let rest = self.total - i64::from(amount);
        (rest >= 0).then(|| std::mem::replace(&mut self.total, rest))
    }

    #[must_use = "the rest is gone"]
    pub fn close(self) -> i64 {
        tick("close");
        self.total
    }
}
