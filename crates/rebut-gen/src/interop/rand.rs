//! Random numbers for code that uses the crate `rand`.
//!
//! Each number that the code under test requests is a choice, drawn when it is requested, as with a
//! generated [function](crate::functions). So only the numbers that were used are on the tape.
//!
//! The simplest word is zero. The methods of `rand` scale words, so zero is the low end of
//! `random_range`, the first element of `choose`, `0.0`, and `false` of `random::<bool>()`. Two
//! methods differ: `random_bool` returns `true` for small words, and `shuffle` keeps the order for
//! large words only. No other origin suits more methods.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use rebut_choice::{Domain, Request, Role, Source};

use crate::{Code, Generate, Generator, ToCode};

/// Generates sources of random numbers for code that takes an `Rng` of the crate `rand`.
///
/// # Examples
/// ```
/// use rebut::{rngs, simplest};
/// # use real_rand as rand;
/// use rand::Rng as _;
///
/// let mut rng = simplest(&rngs());
/// assert_eq!(rng.random_range(1..=6), 1);
/// ```
#[must_use]
pub fn rngs() -> Rngs {
    Rngs(())
}

/// The generator that [`rngs`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::Rngs;
/// use rebut::{rngs, simplest};
/// # use real_rand as rand;
/// use rand::RngCore as _;
///
/// let generator: Rngs = rngs();
/// assert_eq!(simplest(&generator).next_u32(), 0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rngs(());

impl Generator for Rngs {
    type Value = ChoiceRng;

    fn draw(&self, source: &mut Source) -> ChoiceRng {
        let words = Words { source: Some(source.clone()), drawn: Vec::new() };
        ChoiceRng { words: Rc::new(RefCell::new(words)), next: 0 }
    }
}

impl Generate for ChoiceRng {
    fn generate(source: &mut Source) -> ChoiceRng {
        rngs().draw(source)
    }
}

/// A source of random numbers whose numbers are choices, as a parameter of a test.
///
/// It implements `RngCore` of `rand` 0.9, with the feature `rand_08` that of `rand` 0.8, and with
/// the feature `rand_010` the trait `Rng` of `rand` 0.10. Numbers that do not matter shrink to
/// zero, so `random_range` returns the low end and `choose` the first element. Reports print it
/// with the words that the test requested. A clone returns the same numbers as the original.
///
/// It is also a `CryptoRng`, so that you can test functions that require one. Its numbers are not
/// secret: never use it outside of tests. It stays on the thread of the test. A generator that is
/// seeded from it (`StdRng::from_rng(&mut rng)`) can go anywhere, but then only its seed is a
/// choice: a failure is replayed, and hardly shrinks.
///
/// # Examples
/// ```
/// use rebut::{ChoiceRng, find, rngs};
/// # use real_rand as rand;
/// use rand::Rng;
///
/// fn roll(rng: &mut impl Rng) -> [u32; 3] {
///     [(); 3].map(|()| rng.random_range(1..=6))
/// }
///
/// let found = find(rngs().map(|mut rng| roll(&mut rng)), |dice| dice[2] > 4);
/// assert_eq!(found, Some([1, 1, 5]));
/// # use rebut::Generator as _;
/// ```
#[derive(Clone)]
pub struct ChoiceRng {
    words: Rc<RefCell<Words>>,
    next: usize,
}

struct Words {
    /// `None` if the words were given.
    source: Option<Source>,
    drawn: Vec<u64>,
}

impl ChoiceRng {
    /// Creates a source of these numbers, each for one request, and of zeros after them. Reports
    /// print generated sources this way.
    ///
    /// # Examples
    /// ```
    /// use rebut::ChoiceRng;
    /// # use real_rand as rand;
    /// use rand::RngCore as _;
    ///
    /// let mut rng = ChoiceRng::new([7]);
    /// assert_eq!((rng.next_u32(), rng.next_u64()), (7, 0));
    /// ```
    #[must_use]
    pub fn new(words: impl IntoIterator<Item = u64>) -> ChoiceRng {
        let words = Words { source: None, drawn: words.into_iter().collect() };
        ChoiceRng { words: Rc::new(RefCell::new(words)), next: 0 }
    }

    /// Returns the next word, or a new one that is at most `max`.
    fn word(&mut self, max: u64) -> u64 {
        let words = &mut *self.words.borrow_mut();
        if words.drawn.len() <= self.next {
            let drawn = words.source.as_mut().map_or(0, |source| draw_word(source, max));
            words.drawn.push(drawn);
        }
        self.next += 1;
        words.drawn.get(self.next - 1).copied().unwrap_or(0)
    }

    fn next_word_32(&mut self) -> u32 {
        self.word(u64::from(u32::MAX)) as u32
    }

    fn next_word_64(&mut self) -> u64 {
        self.word(u64::MAX)
    }

    fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let max = u64::MAX >> (64 - 8 * chunk.len());
            let word = self.word(max).to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
    }
}

/// All words are equally likely: `rand` turns them into the distribution that the code requests.
fn draw_word(source: &mut Source, max: u64) -> u64 {
    let domain = Domain::integers(0, i128::from(max)).with_role(Role::Index);
    source.choose(&Request::plain(domain)) as u64
}

/// Prints the words after the run, when they are known. Zeros at the end follow anyway.
impl ToCode for ChoiceRng {
    fn to_code(&self, code: &mut Code) {
        let words = Rc::clone(&self.words);
        code.later(move || {
            let drawn = &words.borrow().drawn;
            let used = drawn.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
            let words: Vec<String> = drawn[..used].iter().map(|&word| number(word)).collect();
            format!("rebut::ChoiceRng::new([{}])", words.join(", "))
        });
    }
}

fn number(word: u64) -> String {
    // Longer numbers are read as bits.
    if word < 10_000 { word.to_string() } else { format!("{word:#x}") }
}

impl fmt::Debug for ChoiceRng {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ChoiceRng").field(&self.words.borrow().drawn).finish()
    }
}

#[cfg(feature = "rand")]
impl rand::RngCore for ChoiceRng {
    fn next_u32(&mut self) -> u32 {
        self.next_word_32()
    }

    fn next_u64(&mut self) -> u64 {
        self.next_word_64()
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        self.fill(bytes);
    }
}

#[cfg(feature = "rand")]
impl rand::CryptoRng for ChoiceRng {}

#[cfg(feature = "rand_08")]
impl rand_08::RngCore for ChoiceRng {
    fn next_u32(&mut self) -> u32 {
        self.next_word_32()
    }

    fn next_u64(&mut self) -> u64 {
        self.next_word_64()
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        self.fill(bytes);
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), rand_08::Error> {
        self.fill(bytes);
        Ok(())
    }
}

#[cfg(feature = "rand_08")]
impl rand_08::CryptoRng for ChoiceRng {}

#[cfg(feature = "rand_010")]
impl rand_010::TryRng for ChoiceRng {
    type Error = rand_010::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(self.next_word_32())
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(self.next_word_64())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        self.fill(bytes);
        Ok(())
    }
}

#[cfg(feature = "rand_010")]
impl rand_010::TryCryptoRng for ChoiceRng {}
