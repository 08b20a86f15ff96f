//! Things on a shelf, each in a place of its own.

/// Things by their places.
#[derive(Debug, Default)]
pub struct Shelf {
    places: Vec<Option<i32>>,
}

impl Shelf {
    /// One with nothing on it.
    #[must_use]
    pub fn new() -> Shelf {
        Shelf::default()
    }

    /// Puts something into the first place that is free, and says which that is.
    pub fn put(&mut self, thing: i32) -> usize {
        let free = self.places.iter().position(Option::is_none);
        let place = free.unwrap_or(self.places.len());
        if place == self.places.len() {
            self.places.push(None);
        }
        self.places[place] = Some(thing);
        place
    }

    /// What is in a place.
    #[must_use]
    pub fn get(&self, place: usize) -> Option<i32> {
        self.places.get(place).copied().flatten()
    }

    /// Takes something away.
    ///
    /// # Panics
    /// If nothing is there.
    pub fn take(&mut self, place: usize) -> i32 {
        let thing = self.places.get_mut(place).and_then(Option::take);
        thing.expect("nothing is there")
    }

    /// All things in the order of their places.
    #[must_use]
    pub fn things(&self) -> Vec<i32> {
        self.places.iter().flatten().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn put_item_is_on_the_shelf() {
        let mut shelf = Shelf::new();
        let place = shelf.put(10);
        assert_eq!(shelf.get(place), Some(10));
        assert_eq!(shelf.take(place), 10);
        assert_eq!(shelf.get(place), None);
    }

    #[test]
    fn things_are_in_order() {
        let mut shelf = Shelf::new();
        shelf.put(3);
        shelf.put(5);
        assert_eq!(shelf.things(), [3, 5]);
        assert_eq!(shelf.things().len(), 2);
    }

    #[test]
    #[should_panic(expected = "nothing is there")]
    fn taking_from_an_empty_place_panics() {
        let mut shelf = Shelf::new();
        shelf.put(7);
        shelf.take(1);
    }
}
