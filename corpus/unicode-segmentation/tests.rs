use rebut::prelude::*;
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

/// A part of a text for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Generate)]
enum Piece {
    Letter(#[generate('a'..='z')] char),
    Accent,
    Flag { letters: (bool, bool) },
    Joiner,
    Emoji(Option<bool>),
    LineEnd,
}

impl Piece {
    fn push(self, text: &mut String) {
        match self {
            Piece::Letter(letter) => text.push(letter),
            Piece::Accent => text.push('\u{301}'),
            Piece::Flag { letters: (one, other) } => {
                text.push(if one { '🇪' } else { '🇸' });
                text.push(if other { '🇪' } else { '🇸' });
            }
            Piece::Joiner => text.push('\u{200d}'),
            Piece::Emoji(tone) => {
                text.push('👍');
                text.extend(tone.map(|light| if light { '🏻' } else { '🏿' }));
            }
            Piece::LineEnd => text.push_str("\r\n"),
        }
    }
}

fn text(pieces: &[Piece]) -> String {
    let mut text = String::new();
    pieces.iter().for_each(|piece| piece.push(&mut text));
    text
}

// expect: passed
#[rebut::test]
fn graphemes_are_the_text(text: &str, extended: bool) {
    assert_eq!(text.graphemes(extended).collect::<String>(), text);
    assert_eq!(text.split_word_bounds().collect::<String>(), text);
    assert_eq!(text.split_sentence_bounds().collect::<String>(), text);
}

// expect: passed
#[rebut::test]
fn graphemes_are_the_same_backward(pieces: Vec<Piece>, extended: bool) {
    let text = text(&pieces);
    let mut backward: Vec<(usize, &str)> = text.grapheme_indices(extended).rev().collect();
    backward.reverse();
    assert_eq!(text.grapheme_indices(extended).collect::<Vec<_>>(), backward);
}

// Accents and joiners belong to what is before them.
// expect: failed
#[rebut::test]
fn each_piece_is_a_grapheme(pieces: Vec<Piece>) {
    assert_eq!(text(&pieces).graphemes(true).count(), pieces.len());
}

// expect: failed
#[rebut::test]
fn graphemes_of_joined_texts_are_added(one: String, other: String) -> bool {
    let joined = one.clone() + &other;
    joined.graphemes(true).count() == one.graphemes(true).count() + other.graphemes(true).count()
}

// expect: failed
#[rebut::test]
fn reversed_twice_is_the_text(pieces: Vec<Piece>, _locale: Option<&str>) {
    let original = text(&pieces);
    let reversed: String = original.graphemes(true).rev().collect();
    assert_eq!(reversed.graphemes(true).rev().collect::<String>(), original);
}

// A line end of two characters is one grapheme.
// expect: failed
#[rebut::test]
fn two_ascii_characters_are_two_graphemes(#[from(..128u8)] one: u8, #[from(..128u8)] other: u8) {
    let text: String = [one, other].iter().map(|&byte| char::from(byte)).collect();
    assert_eq!(text.graphemes(true).count(), 2, "{text:?}");
}

// expect: proved: 256
#[rebut::test]
fn one_character_is_one_grapheme(byte: u8, extended: ()) {
    let () = extended;
    assert_eq!(char::from(byte).to_string().graphemes(true).count(), 1);
}

// expect: passed
#[rebut::test]
fn words_have_alphanumeric_characters(text: String) {
    for (at, word) in text.unicode_word_indices() {
        assert!(word.chars().any(char::is_alphanumeric), "{word:?}");
        assert!(text[at..].starts_with(word));
    }
}

// An apostrophe or a dot can be within a word.
// expect: failed
#[rebut::test]
fn words_are_alphanumeric(#[from(strings().alphabet(chars().one_of("ab1'. ,")).max_size(12))] text: String, limit: u8) {
    for word in text.unicode_words().take(limit.into()) {
        assert!(word.chars().all(char::is_alphanumeric), "{word:?}");
    }
}

// expect: passed
#[rebut::test]
fn a_cursor_finds_the_boundaries(pieces: &[Piece]) {
    let text = text(pieces);
    let mut cursor = GraphemeCursor::new(0, text.len(), true);
    let mut found = vec![];
    while let Some(boundary) = cursor.next_boundary(&text, 0).unwrap() {
        found.push(boundary);
    }
    let expected: Vec<usize> = text.grapheme_indices(true).map(|(at, grapheme)| at + grapheme.len()).collect();
    assert_eq!(found, expected);
}

/// A line that is edited by graphemes.
#[derive(Debug, Default)]
pub struct Line {
    text: String,
}

#[rebut::contract]
impl Line {
    pub fn new() -> Line {
        Line::default()
    }

    #[ensures(self.text.len() == old(self.text.len()) + added.len())]
    pub fn push(&mut self, added: &str) {
        self.text.push_str(added);
    }

    #[ensures(result.is_some() == (old(self.text.len()) > 0))]
    #[ensures(result.as_ref().map_or(true, |last| last.chars().count() == 1), "one key removes one character")]
    pub fn backspace(&mut self) -> Option<String> {
        let last = self.text.graphemes(true).next_back()?.to_owned();
        self.text.truncate(self.text.len() - last.len());
        Some(last)
    }
}

// expect: failed: one key removes one character
#[rebut::test]
fn lines_keep_their_contract(program: rebut::Program<Line>) {
    program.run();
}
