use rebut::prelude::*;
use rebut::Program;
use std::collections::HashMap;

/// Storage of bytes.
#[rebut::mock(with(Key = String, E = u8))]
pub trait Storage<E> {
    type Key;

    fn load(&self, key: &Self::Key) -> Result<Option<Vec<u8>>, E>;

    fn store(&mut self, key: Self::Key, bytes: &[u8]) -> Result<(), E>;

    fn retries(&self) -> u8 {
        3
    }

    #[assume(result.len() == count, "as many names")]
    #[generate(max_size = 3)]
    fn names(&self, #[allow(unused)] count: usize) -> Vec<String>;
}

fn copy<E: std::fmt::Debug>(storage: &mut dyn Storage<E, Key = String>, from: &str, to: &str) -> Result<usize, E> {
    for _ in 0..storage.retries() {
        if let Some(bytes) = storage.load(&from.to_string())? {
            storage.store(to.to_string(), &bytes)?;
            assert!(bytes.len() < 3, "{bytes:?}");
            return Ok(bytes.len());
        }
    }
    Ok(0)
}

// expect: failed
#[rebut::test]
fn copies_are_short(mut storage: MockStorage, from: String) {
    let _ = copy(&mut storage, &from, "b");
}

// expect: passed
#[rebut::test]
fn names_are_counted(storage: MockStorage, #[from(0..3usize)] count: usize) {
    assert_eq!(storage.names(count).len(), count);
}

#[derive(Debug, Clone, PartialEq, Generate)]
pub struct Reading {
    celsius: f32,
    at: u32,
}

/// A thermometer.
#[rebut::mock(friendly)]
pub trait Sensor: std::fmt::Debug {
    #[assume(nth < 5 || result.is_none(), "five readings")]
    fn read(&mut self) -> Option<Reading>;

    #[pure]
    fn scale(&self, factor: u8) -> (u8, char);
}

fn average(sensor: &mut dyn Sensor) -> f32 {
    let (mut sum, mut count) = (0.0, 0);
    while let Some(reading) = sensor.read() {
        sum += reading.celsius;
        count += 1;
    }
    assert!(count != 2, "two readings");
    sum / count as f32
}

// Other readings avoid the failure.
// expect: passed
#[rebut::test]
fn friendly_sensors(mut sensor: MockSensor) {
    assert!(!average(&mut sensor).is_infinite() || true);
}

// expect: failed: two readings
#[rebut::test]
fn wild_sensors(#[from(MockSensor::wild())] mut sensor: MockSensor) {
    average(&mut sensor);
}

// expect: failed
#[rebut::test]
fn pure_results_differ(#[from(MockSensor::wild())] sensor: MockSensor, one: u8, other: u8) {
    if one != other {
        assert_eq!(sensor.scale(one), sensor.scale(other));
    }
}

#[rebut::mock]
#[rebut::contract]
pub trait Rates {
    #[ensures(result > 0)]
    #[from(0..1000)]
    fn rate(&self, currency: &str) -> u32;
}

/// A shop that converts prices.
pub struct Shop {
    prices: HashMap<u8, u32>,
}

#[rebut::contract]
impl Shop {
    pub fn new() -> Shop {
        Shop { prices: HashMap::new() }
    }

    #[requires(price < 10_000)]
    pub fn add(&mut self, item: u8, price: u32) {
        self.prices.insert(item, price);
    }

    #[ensures(result.is_none_or(|price| price < 5_000_000), "prices are low")]
    pub fn price(&self, item: &u8, rates: &dyn Rates) -> Option<u32> {
        let price = self.prices.get(item)?;
        Some(price * rates.rate("EUR"))
    }

    pub fn cheapest(&self) -> Option<(&u8, &u32)> {
        self.prices.iter().min_by_key(|(item, price)| (**price, **item))
    }

    pub fn apply(self, change: impl FnOnce(HashMap<u8, u32>) -> HashMap<u8, u32>) -> Self {
        Shop { prices: change(self.prices) }
    }
}

// expect: failed
#[rebut::test]
fn shops_keep_their_contract(program: Program<Shop>) {
    program.run();
}

// Two values of thousands are not tried.
// expect: passed
#[rebut::test]
fn shops_with_a_mock(rates: MockRates, #[from(1..100u32)] price: u32) {
    let mut shop = Shop::new();
    shop.add(1, price);
    assert_ne!(shop.price(&1, &rates), Some(99 * 7));
}

#[rebut::mock(of = std::io::Write)]
trait Output {
    #[from(integers().max_value(buf.len()).map(Ok))]
    fn write(&mut self, buf: &[u8]) -> std::io::Result<usize>;
    fn flush(&mut self) -> std::io::Result<()>;
}

// expect: failed
#[rebut::test]
fn everything_is_written(mut output: MockOutput, #[generate(min_size = 1)] bytes: Vec<u8>) {
    use std::io::Write;
    assert_eq!(output.write(&bytes).unwrap(), bytes.len());
}

#[rebut::mock(of = std::iter::Iterator, with(Item = u8))]
trait Numbers {
    type Item;
    #[assume(result.is_some() || nth > 0)]
    fn next(&mut self) -> Option<u8>;
}

// expect: failed
#[rebut::test]
fn iterators_are_fused(mut numbers: MockNumbers) {
    let first: Vec<u8> = numbers.by_ref().take(3).collect();
    if first.len() < 3 {
        assert_eq!(numbers.next(), None, "after {first:?}");
    }
}
