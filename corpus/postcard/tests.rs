use postcard::{Error, from_bytes, from_bytes_cobs, take_from_bytes, to_allocvec, to_slice, to_stdvec, to_stdvec_cobs};
use rebut::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Generate)]
enum Shape {
    Dot,
    Circle { radius: f32 },
    Path(Vec<(i16, i16)>),
    Group(Vec<Shape>),
    Named(String, Box<Shape>),
}

impl Shape {
    fn depth(&self) -> usize {
        match self {
            Shape::Dot | Shape::Circle { .. } | Shape::Path(_) => 1,
            Shape::Group(shapes) => 1 + shapes.iter().map(Shape::depth).max().unwrap_or(0),
            Shape::Named(_, shape) => 1 + shape.depth(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Generate)]
struct Packet<'a> {
    id: u16,
    #[serde(borrow)]
    name: &'a str,
    payload: Option<Result<[u8; 2], String>>,
    tags: BTreeMap<char, (u8, bool)>,
    unit: (),
}

/// Encodes, decodes and compares.
fn round_trips<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> Result<(), Error> {
    let bytes = to_stdvec(value)?;
    let (back, rest) = take_from_bytes::<T>(&bytes)?;
    assert!(rest.is_empty());
    assert_eq!(&back, value);
    Ok(())
}

// expect: passed
#[rebut::test]
fn packets_round_trip(packet: Packet<'_>) {
    let bytes = to_allocvec(&packet).unwrap();
    assert_eq!(from_bytes::<Packet>(&bytes).unwrap(), packet);
}

// A NaN is not equal to itself.
// expect: failed
#[rebut::test]
fn shapes_round_trip(shape: Shape) -> Result<(), Error> {
    round_trips(&shape)?;
    Ok(())
}

// expect: passed
#[rebut::test]
fn collections_round_trip(map: HashMap<String, Option<i64>>, nested: Vec<Option<Result<char, u8>>>, text: &str) -> Result<(), Error> {
    round_trips(&map)?;
    round_trips(&nested)?;
    let bytes = to_stdvec(text)?;
    let back: &str = from_bytes(&bytes)?;
    assert_eq!(back, text);
    round_trips(&(map.len() as u64, text.to_owned()))
}

// expect: failed
#[rebut::test]
fn shapes_are_flat(shape: Shape, limit: &Option<u8>) {
    let limit = limit.unwrap_or(2);
    assert!(shape.depth() <= usize::from(limit.max(2)), "{shape:?}");
}

// expect: failed: DeserializeUnexpectedEnd
#[rebut::test]
fn a_prefix_is_enough(list: Vec<u16>, #[from(0..=list.len())] len: usize) -> Result<(), Error> {
    let bytes = to_stdvec(&list)?;
    let prefix: Vec<u16> = from_bytes(&bytes[..bytes.len() - len])?;
    assert_eq!(prefix, list);
    Ok(())
}

// Any byte but zero and one is no Boolean.
// expect: proved: 256
#[rebut::test]
fn booleans_are_strict(byte: u8) {
    match from_bytes::<bool>(&[byte]) {
        Ok(value) => assert_eq!(u8::from(value), byte),
        Err(error) => assert_eq!((error, byte > 1), (Error::DeserializeBadBool, true)),
    }
}

// A number has several encodings.
// expect: failed
#[rebut::test]
fn encodings_are_canonical(bytes: [u8; 3]) {
    let Ok((number, rest)) = take_from_bytes::<u32>(&bytes) else { return };
    let used = bytes.len() - rest.len();
    assert_eq!(to_stdvec(&number).unwrap(), &bytes[..used]);
}

// Seven bits are in a byte.
// expect: failed
#[rebut::test]
fn numbers_do_not_grow(number: u32) -> bool {
    to_stdvec(&number).map_or(false, |bytes| bytes.len() <= 4)
}

// expect: passed
#[rebut::test]
fn cobs_has_one_zero(#[from(vecs(integers()).max_size(40))] bytes: Vec<u8>) {
    let mut encoded = to_stdvec_cobs(&bytes).unwrap();
    for (nth, byte) in encoded.iter().enumerate() {
        assert_eq!(*byte == 0, nth + 1 == encoded.len());
    }
    assert_eq!(from_bytes_cobs::<Vec<u8>>(&mut encoded), Ok(bytes));
}

// expect: failed: SerializeBufferFull
#[rebut::test]
fn ten_bytes_are_enough(text: String, number: i128, mut buffer: [u8; 10]) {
    let size = to_slice(&number, &mut buffer).unwrap().len();
    let shown = format!("{number}");
    assert!(size <= shown.len().max(text.len()));
}

// The size of the packet is never that large.
// expect: vacuous
#[rebut::test]
fn huge_packets_have_a_name(packet: Packet<'_>) {
    let Ok(bytes) = to_stdvec(&packet) else { return };
    if bytes.len() > 100_000 {
        assert!(!packet.name.is_empty());
    }
}

// expect: vacuous
#[rebut::test]
fn decoded_shapes_are_encoded(bytes: Vec<u8>) {
    let decoded = from_bytes::<(u8, Vec<String>, [bool; 12])>(&bytes);
    assume!(decoded.is_ok());
    assert_eq!(to_stdvec(&decoded.unwrap()).unwrap(), bytes);
}

// expect: exists
#[rebut::exists]
fn a_float_is_encoded_as_text(number: f32) -> bool {
    to_stdvec(&number).is_ok_and(|bytes| bytes.is_ascii() && bytes[0] > b' ')
}

// expect: failed
#[rebut::not_exists]
fn no_shape_is_shorter_than_its_debug_text(shape: Shape, flag: bool) -> bool {
    flag && to_stdvec(&shape).unwrap().len() < format!("{shape:?}").len()
}

// Each level takes a frame of the stack.
// expect: failed: overflowed its stack
#[rebut::test]
fn decoding_shapes_never_overflows(#[from(0..200_000_usize)] levels: usize, last: u8) {
    let mut bytes = Vec::new();
    for _ in 0..levels {
        bytes.extend([3, 1]);
    }
    bytes.push(last);
    let _ = std::mem::ManuallyDrop::new(from_bytes::<Shape>(&bytes));
}

/// A log of encoded values, with a cursor.
#[derive(Debug, Clone, Default)]
pub struct Log {
    bytes: Vec<u8>,
    read: usize,
}

/// What is written to a log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Generate)]
pub enum Record {
    Start,
    Text(String),
    Pair { key: u8, value: Option<i32> },
}

#[rebut::contract]
#[model(std::collections::VecDeque<Record>, self.is_empty() == model.is_empty())]
impl Log {
    pub fn new() -> Self {
        Log::default()
    }

    #[model(model.push_back(record))]
    pub fn append(&mut self, record: Record) {
        self.bytes.extend(to_stdvec(&record).unwrap());
    }

    #[model(model.extend(records))]
    pub fn append_all(&mut self, records: Vec<Record>) {
        for record in records.iter().rev() {
            self.bytes.extend(to_stdvec(record).unwrap());
        }
    }

    pub fn pop_front(&mut self) -> Option<Record> {
        let (record, rest) = take_from_bytes(&self.bytes[self.read..]).ok()?;
        self.read = self.bytes.len() - rest.len();
        Some(record)
    }

    pub fn is_empty(&self) -> bool {
        self.read == self.bytes.len()
    }

    #[model(skip)]
    #[ensures(self.read == 0)]
    pub fn compact(&mut self) -> usize {
        self.bytes.drain(..self.read).count() + std::mem::take(&mut self.read) * 0
    }
}

// Lists are appended in reverse order.
// expect: failed: broken model: `Log::pop_front` returns
#[rebut::test]
fn logs_are_queues(program: rebut::Program<Log>) {
    program.run();
}

/// A store of encoded values.
#[rebut::mock(name = FakeStore)]
pub trait Store {
    fn load(&self, key: &str) -> Result<Vec<u8>, String>;

    #[assume(result >= earlier.len(), "versions grow")]
    fn version(&mut self) -> usize;
}

/// Loads a counter and its flags; a missing one is zero.
fn load_counter(store: &mut dyn Store, name: &str) -> Result<u32, String> {
    let before = store.version();
    let bytes = store.load(&format!("counter/{name}"))?;
    if bytes.is_empty() {
        return Ok(0);
    }
    let (count, rest): (u32, _) = take_from_bytes(&bytes).map_err(|error| error.to_string())?;
    let flags = rest.first().copied().unwrap_or_default();
    assert!(flags < 128 || store.version() > before, "the version of {name} did not change");
    Ok(count)
}

// expect: failed: did not change
#[rebut::test]
fn counters_are_loaded(mut store: FakeStore, name: &str) {
    if let Ok(count) = load_counter(&mut store, name) {
        assert!(u64::from(count) < 1 << 32);
    }
}
