//! Types that are private to their module, and lifetimes.

use std::borrow::Cow;

use crate::fault::tick;

#[derive(Clone, Debug, PartialEq, rebut::Generate)]
pub(crate) enum Level {
    Low,
    High { by: u8 },
    Both(Vec<u8>, Option<Box<Level>>),
}

#[derive(Debug)]
pub(crate) struct Meter<'a> {
    levels: Vec<Level>,
    name: Cow<'a, str>,
}

#[rebut::contract]
impl Meter<'static> {
    #[requires(name.len() < 3)]
    pub fn new(name: &str) -> Meter<'static> {
        tick("new");
        Meter { levels: Vec::new(), name: Cow::Owned(name.to_owned()) }
    }

    pub fn unnamed() -> Self {
        tick("unnamed");
        Meter { levels: Vec::new(), name: Cow::Borrowed("") }
    }

    pub fn add(&mut self, level: Level) -> &Level {
        tick("add");
        self.levels.push(level);
        &self.levels[self.levels.len() - 1]
    }

    pub fn compare(&self, level: &Level, levels: &[Level]) -> bool {
        tick("compare");
        self.levels.first() == Some(level) || levels.contains(level) || self.name.len() > 9
    }

    pub fn last(&self) -> Option<&Level> {
        tick("last");
        self.levels.last()
    }
}
