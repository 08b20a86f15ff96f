#[cfg(test)]
mod inferred {
    use super::*;

    /// A modifying call on `Account`.
    #[derive(Debug, rebut::Generate)]
    enum Step {
        Withdraw(u32),
        Freeze,
    }

    fn reached(balance: u32, steps: Vec<Step>) -> Account {
        let mut account = Account::open(balance);
        for step in steps {
            match step {
                Step::Withdraw(amount) => _ = account.withdraw(amount),
                Step::Freeze => account.freeze(),
            }
        }
        account
    }

    /// Proved for all calls: 1 path.
    #[rebut::test]
    fn open_sets_balance_to_given_balance(balance: u32) {
        let account = Account::open(balance);
        assert_eq!(account.balance(), balance);
        assert!(!account.is_frozen());
    }

    /// Proved for all states within 4 steps of a constructor: 111 paths.
    #[rebut::test]
    fn withdraw_keeps_is_frozen(first_balance: u32, steps: Vec<Step>, amount: u32) {
        let mut account = reached(first_balance, steps);
        let old_is_frozen = account.is_frozen();
        let old_balance = account.balance();
        let _ = account.withdraw(amount);
        assert_eq!(account.is_frozen(), old_is_frozen);
        assert!(account.balance() <= old_balance);
    }

    /// Proved for all states within 4 steps of a constructor: 111 paths.
    #[rebut::test]
    fn withdraw_when_is_frozen(first_balance: u32, steps: Vec<Step>, amount: u32) {
        let mut account = reached(first_balance, steps);
        rebut::assume!(account.is_frozen());
        let old_balance = account.balance();
        let result = account.withdraw(amount);
        assert!(result.is_err());
        assert_eq!(account.balance(), old_balance);
    }

    /// Proved for all states within 4 steps of a constructor: 111 paths.
    #[rebut::test]
    fn withdraw_when_balance_is_below_amount(first_balance: u32, steps: Vec<Step>, amount: u32) {
        let mut account = reached(first_balance, steps);
        rebut::assume!(account.balance() < amount);
        let old_balance = account.balance();
        let result = account.withdraw(amount);
        assert!(result.is_err());
        assert_eq!(account.balance(), old_balance);
    }

    /// Proved for all states within 4 steps of a constructor: 111 paths.
    #[rebut::test]
    fn withdraw_when_not_is_frozen_and_amount_is_at_most_balance(
        first_balance: u32,
        steps: Vec<Step>,
        amount: u32,
    ) {
        let mut account = reached(first_balance, steps);
        rebut::assume!(!account.is_frozen());
        rebut::assume!(account.balance() >= amount);
        let old_balance = account.balance();
        let result = account.withdraw(amount);
        assert!(result.is_ok());
        assert_eq!(account.balance(), old_balance - amount);
    }

    /// Proved for all states within 4 steps of a constructor: 80 paths.
    #[rebut::test]
    fn freeze_keeps_balance(first_balance: u32, steps: Vec<Step>) {
        let mut account = reached(first_balance, steps);
        let old_balance = account.balance();
        account.freeze();
        assert_eq!(account.balance(), old_balance);
        assert!(account.is_frozen());
    }
}
