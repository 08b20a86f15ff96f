//! The symbolic bytes of the memory, and the expression that each is a part of.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::hooks::Shadow;

/// A byte of an expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cell {
    /// The expression; 0 if the byte is plain.
    pub(crate) shadow: Shadow,
    /// The index of the byte, from the lowest.
    pub(crate) byte: u8,
}

/// A page has 64 bytes. Arbitrary.
const PAGE_SHIFT: u32 = 6;
const PAGE: usize = 1 << PAGE_SHIFT;

/// The symbolic bytes, in pages of 64 so that sparse symbols cost little.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    pages: HashMap<u32, Box<[Cell; PAGE]>, BuildHasherDefault<Mixer>>,
}

/// A fast hasher: page numbers need little mixing.
#[derive(Debug, Default)]
pub(crate) struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u32(u32::from(*byte)));
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }
}

impl Memory {
    pub(crate) fn clear(&mut self) {
        self.pages.clear();
    }

    pub(crate) fn get(&self, address: u32) -> Cell {
        let page = self.pages.get(&(address >> PAGE_SHIFT));
        page.map_or(Cell::default(), |page| page[address as usize % PAGE])
    }

    pub(crate) fn set(&mut self, address: u32, cell: Cell) {
        let number = address >> PAGE_SHIFT;
        if cell.shadow == 0 {
            if let Some(page) = self.pages.get_mut(&number) {
                page[address as usize % PAGE] = cell;
            }
            return;
        }
        let page = self.pages.entry(number).or_insert_with(|| Box::new([Cell::default(); PAGE]));
        page[address as usize % PAGE] = cell;
    }

    /// Whether any of these bytes is symbolic.
    pub(crate) fn has_symbol(&self, address: u32, length: u32) -> bool {
        if length == 0 || self.pages.is_empty() {
            return false;
        }
        let end = address.saturating_add(length - 1);
        let pages = (address >> PAGE_SHIFT)..=(end >> PAGE_SHIFT);
        let has = |number: u32| {
            let first = address.max(number << PAGE_SHIFT);
            let last = end.min((number << PAGE_SHIFT) | (PAGE as u32 - 1));
            let within = (first as usize % PAGE)..=(last as usize % PAGE);
            self.pages.get(&number).is_some_and(|page| page[within].iter().any(|c| c.shadow != 0))
        };
        if pages.clone().count() > self.pages.len() {
            return self.pages.keys().any(|number| pages.contains(number) && has(*number));
        }
        pages.into_iter().any(has)
    }

    /// Returns all symbolic bytes, with their addresses.
    #[cfg(test)]
    pub(crate) fn cells(&self) -> impl Iterator<Item = (u32, Cell)> {
        self.pages.iter().flat_map(|(number, page)| {
            let first = number << PAGE_SHIFT;
            (first..).zip(page.iter().copied()).filter(|(_, cell)| cell.shadow != 0)
        })
    }

    /// Copies the cells of a range to another, which may overlap it.
    pub(crate) fn copy(&mut self, to: u32, from: u32, length: u32) {
        if !self.has_symbol(from, length) {
            return self.make_plain(to, length);
        }
        let cells: Vec<Cell> = (0..length).map(|n| self.get(from.wrapping_add(n))).collect();
        for (n, cell) in (0..).zip(cells) {
            self.set(to.wrapping_add(n), cell);
        }
    }

    /// Makes these bytes plain.
    pub(crate) fn make_plain(&mut self, address: u32, length: u32) {
        if !self.has_symbol(address, length) {
            return;
        }
        for n in 0..length {
            self.set(address.wrapping_add(n), Cell::default());
        }
    }
}
