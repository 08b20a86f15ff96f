//! The terms of functions that are not recorded instruction by instruction (see
//! `instrument::intrinsic`).

use rebut_smt::{Table, Term};

use super::Recorder;
use crate::hooks::{Operand, Shadow};

/// The number of bits of a character.
pub(crate) const CHARACTER_WIDTH: u32 = 21;

/// The bytes of a character in the memory.
const CHARACTER_BYTES: u32 = 4;

impl Recorder {
    /// Returns the shadow of a property of a character.
    pub(crate) fn character_property(&mut self, character: Operand, table: &Table) -> Shadow {
        let index = self.character(character);
        let value = self.pool.select(index, table.clone());
        let wide = self.pool.zero_extend(32 - table.value_width(), value);
        self.shadow_or_zero(Some(wide))
    }

    /// Records the characters that a character is mapped to. The first table has the distance of
    /// the first one from the character, because most characters are mapped to themselves.
    pub(crate) fn character_mapping(
        &mut self,
        character: Operand,
        tables: &[Table],
        address: u32,
        taint: &mut [u8],
    ) {
        let index = self.character(character);
        for (n, table) in (0..).zip(tables) {
            let mut value = self.pool.select(index, table.clone());
            if n == 0 {
                value = self.pool.bv_add(index, value);
            }
            let wide = self.pool.zero_extend(32 - CHARACTER_WIDTH, value);
            let shadow = self.shadow_or_zero(Some(wide));
            self.write(address + n * CHARACTER_BYTES, shadow, CHARACTER_BYTES, taint);
        }
    }

    /// Records the product of two numbers of 128 bits, each given as its lower and its upper half.
    pub(crate) fn product(&mut self, halves: [Operand; 4], address: u32, taint: &mut [u8]) {
        let [a, b, c, d] = halves.map(|half| self.bits_of_operand(half, 64));
        let (x, y) = (self.pool.concat(b, a), self.pool.concat(d, c));
        let product = self.pool.bv_mul(x, y);
        let shadow = self.shadow_or_zero(Some(product));
        self.write(address, shadow, 16, taint);
    }

    /// Returns the bits of a character. The upper ones are zero, because `char` has no others.
    fn character(&mut self, character: Operand) -> Term {
        let character = self.bits_of_operand(character, 32);
        self.pool.extract(CHARACTER_WIDTH - 1, 0, character)
    }
}
