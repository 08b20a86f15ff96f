//! A bank account: what cannot be done is an error, and errors change nothing.

/// Why something was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountError {
    /// Nothing is done with an account that is frozen.
    Frozen,
    /// There is not enough money.
    Insufficient {
        /// How much is missing.
        missing: u32,
    },
}

/// An account.
#[derive(Clone, Debug)]
pub struct Account {
    balance: u32,
    is_frozen: bool,
}

impl Account {
    /// An account with some money.
    #[must_use]
    pub fn open(balance: u32) -> Account {
        Account { balance, is_frozen: false }
    }

    /// How much there is.
    #[must_use]
    pub fn balance(&self) -> u32 {
        self.balance
    }

    /// Whether nothing can be done.
    #[must_use]
    pub fn is_frozen(&self) -> bool {
        self.is_frozen
    }

    /// Takes out some money; how much is left.
    ///
    /// # Errors
    /// If there is not enough, or the account is frozen.
    pub fn withdraw(&mut self, amount: u32) -> Result<u32, AccountError> {
        if self.is_frozen {
            return Err(AccountError::Frozen);
        }
        let left = self.balance.checked_sub(amount);
        let missing = amount.wrapping_sub(self.balance);
        self.balance = left.ok_or(AccountError::Insufficient { missing })?;
        Ok(self.balance)
    }

    /// Lets nobody take out anything.
    pub fn freeze(&mut self) {
        self.is_frozen = true;
    }
}

#[cfg(test)]
include!("../inferred/account.rs");
