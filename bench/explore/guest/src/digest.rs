//! Digests of bytes, by the book.

/// SHA-256 (FIPS 180-4).
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    let constants = constants();
    let mut state = first_primes().map(|prime| fraction(prime.sqrt()));
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend_from_slice(&(bytes.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks_exact(64) {
        compress(&mut state, block, &constants);
    }
    let mut digest = [0; 32];
    for (place, word) in digest.chunks_exact_mut(4).zip(state) {
        place.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

fn compress(state: &mut [u32; 8], block: &[u8], constants: &[u32; 64]) {
    let mut words = [0_u32; 64];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
    }
    for t in 16..64 {
        let (early, late) = (words[t - 15], words[t - 2]);
        let s0 = early.rotate_right(7) ^ early.rotate_right(18) ^ (early >> 3);
        let s1 = late.rotate_right(17) ^ late.rotate_right(19) ^ (late >> 10);
        let sum = words[t - 16].wrapping_add(s0).wrapping_add(words[t - 7]);
        words[t] = sum.wrapping_add(s1);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, constant) in words.iter().zip(constants) {
        let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let first = h.wrapping_add(s1).wrapping_add(choice);
        let first = first.wrapping_add(*constant).wrapping_add(*word);
        let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        let second = s0.wrapping_add(majority);
        (h, g, f, e) = (g, f, e, d.wrapping_add(first));
        (d, c, b, a) = (c, b, a, first.wrapping_add(second));
    }
    for (word, change) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(change);
    }
}

/// The first primes, as floats.
fn first_primes<const N: usize>() -> [f64; N] {
    let is_prime = |number: &u32| (2..*number).all(|divisor| number % divisor != 0);
    let mut primes = (2..).filter(is_prime);
    std::array::from_fn(|_| primes.next().map_or(0.0, f64::from))
}

/// The first 32 bits behind the point.
fn fraction(number: f64) -> u32 {
    (number.fract() * 4_294_967_296.0) as u32
}

fn constants() -> [u32; 64] {
    first_primes().map(|prime: f64| {
        // The cube root, by Newton's method from above: exact to the last bit that counts.
        let mut root = prime;
        for _ in 0..200 {
            root -= (root * root * root - prime) / (3.0 * root * root);
        }
        fraction(root)
    })
}

/// CRC-32 as of Ethernet, by a table of 256 entries.
pub fn crc32(bytes: &[u8]) -> u32 {
    let table: Vec<u32> = (0..256_u32)
        .map(|entry| {
            let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
            (0..8).fold(entry, step)
        })
        .collect();
    let step = |crc: u32, byte: &u8| crc >> 8 ^ table[((crc ^ u32::from(*byte)) & 0xFF) as usize];
    !bytes.iter().fold(!0, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_standards() {
        let written: String = sha256(b"abc").iter().map(|byte| format!("{byte:02x}")).collect();
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(written, known);
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }
}
