//! Checksums, hashes and generators of random numbers.

/// Whether the last digit of a card's number checks the others.
#[must_use]
pub fn luhn(digits: &[u8]) -> bool {
    let weigh = |(place, digit): (usize, &u8)| match (place % 2, u32::from(*digit) * 2) {
        (0, _) => u32::from(*digit),
        (_, double) if double > 9 => double - 9,
        (_, double) => double,
    };
    digits.iter().rev().enumerate().map(weigh).sum::<u32>() % 10 == 0
}

/// A cyclic redundancy check of eight bits, bit by bit.
#[must_use]
pub fn crc8(bytes: &[u8]) -> u8 {
    let mut crc = 0_u8;
    for byte in bytes {
        crc ^= byte;
        for _ in 0..8 {
            let carry = crc & 0x80 != 0;
            crc <<= 1;
            if carry {
                crc ^= 0x07;
            }
        }
    }
    crc
}

/// Two sums, of the bytes and of the sums, as zlib has them.
#[must_use]
pub fn adler(bytes: &[u8]) -> u32 {
    let (mut low, mut high) = (1_u32, 0_u32);
    for byte in bytes {
        low = (low + u32::from(*byte)) % 65_521;
        high = (high + low) % 65_521;
    }
    (high << 16) | low
}

/// The hash of Fowler, Noll and Vo, of 32 bits.
#[must_use]
pub fn fnv(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

/// The hash that Bernstein posted to comp.lang.c.
#[must_use]
pub fn times_33(bytes: &[u8]) -> u32 {
    bytes.iter().fold(5381, |hash: u32, byte| hash.wrapping_mul(33).wrapping_add((*byte).into()))
}

/// The next state of a generator that shifts and combines.
#[must_use]
pub fn xorshift(mut state: u32) -> u32 {
    state ^= state << 13;
    state ^= state >> 17;
    state ^ (state << 5)
}

/// The next state of a generator that multiplies and adds.
#[must_use]
pub fn congruential(state: u32) -> u32 {
    state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223)
}

/// A cipher that adds a key, one letter to another.
#[must_use]
pub fn ciphered(text: [u8; 4], key: [u8; 4]) -> [u8; 4] {
    let mut result = [0; 4];
    for place in 0..4 {
        result[place] = text[place].wrapping_add(key[place]).rotate_left(3);
    }
    result
}
