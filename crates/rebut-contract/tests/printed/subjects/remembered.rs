//! Clauses that panic, and clauses with `old`.

use crate::fault::tick;

#[derive(Clone, Debug, Default)]
pub struct Bank {
    balances: Vec<u8>,
}

impl Bank {
    fn total(&self) -> u8 {
        self.balances.iter().sum()
    }
}

#[rebut::contract]
impl Bank {
    pub fn new() -> Bank {
        tick("new");
        Bank::default()
    }

    #[requires(owner.len() < 2)]
    pub fn open(&mut self, owner: &str, balance: u8) -> usize {
        tick("open");
        let _ = owner;
        self.balances.push(balance);
        self.balances.len() - 1
    }

    #[ensures(self.total() == old(self.total()) || result.is_none())]
    pub fn withdraw(&mut self, id: usize, amount: u8) -> Option<u8> {
        tick("withdraw");
        let balance = self.balances.get_mut(id)?;
        *balance = balance.checked_sub(amount)?;
        Some(amount)
    }

    #[requires(self.balances[id] > 0)]
    pub fn close(&mut self, id: usize) -> u8 {
        tick("close");
        self.balances.remove(id)
    }
}
