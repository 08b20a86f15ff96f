//! Subjects that keep a state for others: a rate limiter, a text buffer, a bank, a scheduler, a store
//! of sessions, a parser.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// At most twelve requests in four ticks. Bug: a request counts one tick too long.
#[derive(Debug)]
pub struct Limiter {
    now: u32,
    allowed: VecDeque<u32>,
    expected: Vec<u32>,
}

#[rebut::contract]
impl Limiter {
    pub fn start() -> Limiter {
        Limiter { now: 0, allowed: VecDeque::new(), expected: Vec::new() }
    }

    pub fn tick(&mut self) {
        self.now += 1;
    }

    pub fn request(&mut self) {
        while self.allowed.front().is_some_and(|at| at + 4 < self.now) {
            self.allowed.pop_front();
        }
        let is_allowed = self.allowed.len() < 12;
        if is_allowed {
            self.allowed.push_back(self.now);
        }
        let is_expected = self.expected.iter().filter(|at| **at + 4 > self.now).count() < 12;
        assert_eq!(is_allowed, is_expected, "whether the request is allowed");
        self.expected.extend(is_expected.then_some(self.now));
    }
}

/// A text with sixteen steps of undo. Bug: forgetting the oldest step moves the others, but not the
/// position of the next one to redo.
#[derive(Debug)]
pub struct Buffer {
    text: Vec<char>,
    /// The steps, and how many of them are done.
    steps: Vec<Step>,
    done: usize,
    expected: Vec<char>,
    past: Vec<Vec<char>>,
    future: Vec<Vec<char>>,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Insert(usize, char),
    Delete(usize, char),
}

#[rebut::contract]
impl Buffer {
    pub fn start() -> Buffer {
        let (expected, past, future) = (Vec::new(), Vec::new(), Vec::new());
        Buffer { text: Vec::new(), steps: Vec::new(), done: 0, expected, past, future }
    }

    pub fn insert(&mut self, at: u8, letter: char) {
        let at = usize::from(at).min(self.text.len());
        self.edit(Step::Insert(at, letter));
    }

    #[requires(!self.text.is_empty())]
    pub fn delete(&mut self, at: u8) {
        let at = usize::from(at) % self.text.len();
        self.edit(Step::Delete(at, self.text[at]));
    }

    pub fn undo(&mut self) {
        if self.done > 0 {
            self.done -= 1;
            match self.steps[self.done] {
                Step::Insert(at, _) => drop(self.text.remove(at)),
                Step::Delete(at, letter) => self.text.insert(at, letter),
            }
        }
        if let Some(text) = self.past.pop() {
            self.future.push(std::mem::replace(&mut self.expected, text));
        }
        assert_eq!(self.text, self.expected, "the text before the last step");
    }

    pub fn redo(&mut self) {
        if let Some(step) = self.steps.get(self.done).copied() {
            self.done += 1;
            apply(&mut self.text, step);
        }
        if let Some(text) = self.future.pop() {
            self.past.push(std::mem::replace(&mut self.expected, text));
        }
        assert_eq!(self.text, self.expected, "the text after the next step");
    }
}

impl Buffer {
    fn edit(&mut self, step: Step) {
        self.steps.truncate(self.done);
        self.steps.push(step);
        self.done += 1;
        if self.steps.len() > 16 {
            self.steps.remove(0);
        }
        apply(&mut self.text, step);
        self.past.push(self.expected.clone());
        if self.past.len() > 16 {
            self.past.remove(0);
        }
        self.future.clear();
        apply(&mut self.expected, step);
    }
}

fn apply(text: &mut Vec<char>, step: Step) {
    match step {
        Step::Insert(at, letter) => text.insert(at, letter),
        Step::Delete(at, _) => drop(text.remove(at)),
    }
}

/// Accounts. Bug: an account keeps its last ten movements, and forgets to add older ones to the
/// balance that they started from.
#[derive(Debug)]
pub struct Bank {
    accounts: Vec<Account>,
}

#[derive(Debug, Default)]
struct Account {
    balance: i64,
    carried: i64,
    movements: Vec<i64>,
}

impl Account {
    fn add(&mut self, amount: i64) {
        self.balance += amount;
        self.movements.push(amount);
        if self.movements.len() > 10 {
            self.movements.remove(0);
        }
    }
}

#[rebut::contract]
impl Bank {
    pub fn start() -> Bank {
        Bank { accounts: Vec::new() }
    }

    pub fn open(&mut self) -> usize {
        self.accounts.push(Account::default());
        self.accounts.len() - 1
    }

    #[requires(account < self.accounts.len() && amount > 0)]
    pub fn deposit(&mut self, account: usize, amount: u16) {
        self.accounts[account].add(i64::from(amount));
    }

    #[requires(from < self.accounts.len() && to < self.accounts.len())]
    pub fn transfer(&mut self, from: usize, to: usize, amount: u16) -> bool {
        let amount = i64::from(amount);
        if from == to || self.accounts[from].balance < amount {
            return false;
        }
        self.accounts[from].add(-amount);
        self.accounts[to].add(amount);
        true
    }

    #[requires(account < self.accounts.len())]
    pub fn statement(&self, account: usize) {
        let Account { balance, carried, movements } = &self.accounts[account];
        assert_eq!(carried + movements.iter().sum::<i64>(), *balance, "the statement adds up");
    }
}

/// Jobs that wait for others. Bug: a job that names another one twice waits for it forever.
#[derive(Debug)]
pub struct Scheduler {
    /// How many jobs each job waits for.
    waiting: BTreeMap<u8, usize>,
    followers: BTreeMap<u8, BTreeSet<u8>>,
    ended: BTreeSet<u8>,
    needs: BTreeMap<u8, Vec<u8>>,
}

#[rebut::contract]
impl Scheduler {
    pub fn start() -> Scheduler {
        let (waiting, followers) = (BTreeMap::new(), BTreeMap::new());
        Scheduler { waiting, followers, ended: BTreeSet::new(), needs: BTreeMap::new() }
    }

    #[requires(!self.needs.contains_key(&job))]
    #[requires(needs.iter().all(|other| self.needs.contains_key(other)))]
    pub fn add(&mut self, job: u8, needs: Vec<u8>) {
        for other in &needs {
            self.followers.entry(*other).or_default().insert(job);
        }
        let open = needs.iter().filter(|other| !self.ended.contains(other));
        self.waiting.insert(job, open.count());
        self.needs.insert(job, needs);
    }

    #[requires(self.waiting.get(&job) == Some(&0))]
    pub fn end(&mut self, job: u8) {
        self.waiting.remove(&job);
        self.ended.insert(job);
        for follower in self.followers.remove(&job).unwrap_or_default() {
            if let Some(open) = self.waiting.get_mut(&follower) {
                *open -= 1;
            }
        }
    }

    pub fn check(&self) {
        for (job, open) in &self.waiting {
            let is_ready = self.needs[job].iter().all(|other| self.ended.contains(other));
            assert_eq!(*open == 0, is_ready, "whether the job is ready");
        }
    }
}

/// Sessions that end ten ticks after their last use. Bug: `clean` looks at the first time at which a
/// session was to end.
#[derive(Debug)]
pub struct Sessions {
    now: u32,
    ends: BTreeMap<u8, u32>,
    /// When to look at a session.
    queue: VecDeque<(u32, u8)>,
    used: BTreeMap<u8, u32>,
}

#[rebut::contract]
impl Sessions {
    pub fn start() -> Sessions {
        let (ends, queue) = (BTreeMap::new(), VecDeque::new());
        Sessions { now: 0, ends, queue, used: BTreeMap::new() }
    }

    #[requires(!self.ends.contains_key(&user))]
    pub fn log_in(&mut self, user: u8) {
        self.ends.insert(user, self.now + 10);
        self.queue.push_back((self.now + 10, user));
        self.used.insert(user, self.now);
    }

    #[requires(self.ends.get(&user).is_some_and(|end| *end > self.now))]
    pub fn touch(&mut self, user: u8) {
        self.ends.insert(user, self.now + 10);
        self.used.insert(user, self.now);
    }

    pub fn tick(&mut self) {
        self.now += 1;
    }

    pub fn clean(&mut self) {
        while self.queue.front().is_some_and(|(end, _)| *end <= self.now) {
            let Some((_, user)) = self.queue.pop_front() else { return };
            self.ends.remove(&user);
        }
    }

    pub fn is_valid(&self, user: u8) {
        let is_valid = self.ends.get(&user).is_some_and(|end| *end > self.now);
        let is_expected = self.used.get(&user).is_some_and(|used| used + 10 > self.now);
        assert_eq!(is_valid, is_expected, "whether the session is valid");
    }
}

/// A parser of nested brackets, at most twenty deep. Bug: the bracket that is too deep is refused, but
/// the depth counts it.
#[derive(Debug)]
pub struct Parser {
    depth: usize,
    open: Vec<char>,
}

#[rebut::contract]
impl Parser {
    pub fn start() -> Parser {
        Parser { depth: 0, open: Vec::new() }
    }

    pub fn open_list(&mut self) {
        self.open_with('[');
    }

    pub fn open_object(&mut self) {
        self.open_with('{');
    }

    pub fn value(&mut self, _number: u8) {}

    #[requires(!self.open.is_empty())]
    pub fn close(&mut self) {
        self.open.pop();
        self.depth -= 1;
        assert_eq!(self.depth, self.open.len(), "the depth is that of the open brackets");
    }
}

impl Parser {
    fn open_with(&mut self, bracket: char) {
        self.depth += 1;
        if self.depth <= 20 {
            self.open.push(bracket);
        }
    }
}
