//! A list of observers that is taken away while they are told: the compiler does not let a list
//! be walked while its owner is lent, so authors take it and put it back. Whoever subscribes
//! meanwhile is lost.

/// Is told what happens.
#[rebut::contract]
pub trait Subscriber {
    /// Something happened.
    fn told(&mut self, events: &mut Events, what: u8);
}

/// Tells its subscribers what happens.
#[derive(Default)]
pub struct Events {
    subscribers: Vec<Box<dyn Subscriber>>,
    subscriptions: usize,
}

#[rebut::contract]
#[invariant(self.count() == self.subscriptions, "every subscriber is notified")]
impl Events {
    /// Nobody listens yet.
    pub fn new() -> Events {
        Events::default()
    }

    /// Adds a subscriber.
    #[ensures(self.count() == old(self.count()) + 1)]
    pub fn subscribe(&mut self, subscriber: Box<dyn Subscriber>) {
        self.subscriptions += 1;
        self.subscribers.push(subscriber);
    }

    /// Tells them all.
    pub fn tell(&mut self, what: u8) {
        let mut subscribers = std::mem::take(&mut self.subscribers);
        for subscriber in &mut subscribers {
            subscriber.told(self, what);
        }
        self.subscribers = subscribers;
    }

    /// How many are told.
    pub fn count(&self) -> usize {
        self.subscribers.len()
    }
}

impl std::fmt::Debug for Events {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} subscriptions, {} subscribers", self.subscriptions, self.subscribers.len())
    }
}
