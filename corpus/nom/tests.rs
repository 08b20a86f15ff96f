use nom::branch::alt;
use nom::bytes::complete::{tag, tag_no_case, take, take_until};
use nom::character::complete::{alphanumeric0, char, digit1, multispace0};
use nom::combinator::{all_consuming, map_res};
use nom::multi::{length_data, many0, many_m_n, separated_list0};
use nom::number::complete::{be_u16, be_u24, be_u8, double, le_u16};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};
use rebut::prelude::*;

/// A tree of lists of numbers.
#[derive(Debug, Clone, PartialEq, Generate)]
enum Tree {
    Leaf(u8),
    List(#[generate(max_size = 3)] Vec<Tree>),
}

impl Tree {
    fn text(&self) -> String {
        match self {
            Tree::Leaf(number) => number.to_string(),
            Tree::List(list) => {
                let list: Vec<String> = list.iter().map(Tree::text).collect();
                format!("[{}]", list.join(","))
            }
        }
    }
}

fn number(input: &str) -> IResult<&str, u8> {
    map_res(digit1, str::parse).parse(input)
}

fn tree(input: &str) -> IResult<&str, Tree> {
    let list = delimited(char('['), separated_list0(char(','), tree), char(']'));
    preceded(multispace0, alt((number.map(Tree::Leaf), list.map(Tree::List)))).parse(input)
}

// expect: passed
#[rebut::test]
fn trees_round_trip(original: Tree) {
    let text = original.text();
    let parsed = all_consuming(tree).parse(&text);
    assert_eq!(parsed.unwrap(), ("", original));
}

// A separator without a number is left over.
// expect: failed
#[rebut::test]
fn lists_of_texts_are_consumed(list: Vec<(u8, Option<bool>)>) -> Result<(), String> {
    let text: Vec<String> = list.iter().map(|(number, flag)| flag.map_or(number.to_string(), |flag| flag.to_string())).collect();
    let text = text.join(",");
    let mut numbers = separated_list0(char(','), number);
    let (rest, numbers) = numbers.parse(&text).map_err(|error| error.to_string())?;
    if rest.is_empty() && numbers.len() == list.len() { Ok(()) } else { Err(format!("{rest:?} is left")) }
}

// The text of the negative infinity is not parsed.
// expect: failed: input: "-inf"
#[rebut::test]
fn doubles_round_trip(#[from(floats::<f64>().allow_nan(false))] value: f64) {
    let text = value.to_string();
    let (rest, parsed) = double::<_, nom::error::Error<&str>>(text.as_str()).unwrap();
    assert_eq!((rest, parsed.to_bits()), ("", value.to_bits()));
}

// expect: passed
#[rebut::test]
fn both_orders_are_mirrored(bytes: [u8; 2]) {
    let big: IResult<&[u8], u16> = be_u16(&bytes[..]);
    let [first, second] = bytes;
    let mirrored = [second, first];
    let little: IResult<&[u8], u16> = le_u16(&mirrored[..]);
    assert_eq!(big.unwrap().1, little.unwrap().1);
}

// Only complete numbers are read.
// expect: failed
#[rebut::test]
fn numbers_are_read_from_any_bytes(before: Vec<u8>, length: u8) -> bool {
    let mut bytes = before;
    bytes.insert(0, length);
    let result: IResult<&[u8], &[u8]> = length_data(be_u8).parse(&bytes[..]);
    let rest: IResult<&[u8], u32> = be_u24(&bytes[..]);
    result.is_ok() || rest.is_err()
}

// A parser that accepts the empty text is an error, to prevent an infinite loop.
// expect: failed
#[rebut::test]
fn many0_never_is_an_error(text: &str) {
    let result: IResult<&str, Vec<&str>> = many0(alphanumeric0).parse(text);
    assert!(result.is_ok(), "{result:?}");
}

// expect: passed
#[rebut::test]
fn parts_are_those_of_the_standard_library(text: String, #[from(strings().min_size(1).max_size(2))] end: String) {
    let result: IResult<&str, &str> = take_until(end.as_str()).parse(&text);
    match text.find(&end) {
        Some(at) => assert_eq!(result, Ok((&text[at..], &text[..at]))),
        None => assert!(result.is_err()),
    }
    let taken: IResult<&str, &str> = take(text.chars().count()).parse(&text);
    assert_eq!(taken, Ok(("", text.as_str())));
}

// expect: failed
#[rebut::test]
fn upper_case_is_found_without_case(word: String, _more: Option<u16>) {
    rebut::assume!(!word.is_empty());
    let upper = word.to_uppercase();
    let result: IResult<&str, &str> = tag_no_case(word.as_str()).parse(&upper);
    assert_eq!(result, Ok(("", upper.as_str())));
}

// Few texts have such a head: those that Rebut takes from the code. It warns.
// expect: passed
#[rebut::test]
fn heads_are_removed(text: String) {
    let result: IResult<&str, &str> = tag("HTTP/1.1").parse(&text);
    if let Ok((rest, head)) = result {
        assert_eq!(rest.len() + head.len(), text.len());
    }
}

// The smaller number comes first.
// expect: failed
#[rebut::test]
fn there_are_as_many_as_the_bounds_say(#[from(0..4usize)] min: usize, #[from(0..4usize)] max: usize, digits: [u8; 4]) {
    let text: String = digits.iter().map(|digit| char::from(b'0' + digit % 10)).collect();
    let digit = |input| nom::character::complete::one_of::<&str, _, nom::error::Error<&str>>("0123456789")(input);
    let (_, found) = many_m_n(min, max, digit).parse(&text).unwrap();
    assert!(min <= found.len() && found.len() <= max);
}

/// Lines that arrive in pieces.
#[derive(Debug, Default)]
pub struct Lines {
    buffer: String,
    lines: usize,
}

#[rebut::contract]
#[invariant(!self.buffer.contains('\n'), "the buffer is a part of a line")]
impl Lines {
    pub fn new() -> Lines {
        Lines::default()
    }

    #[ensures(self.lines >= old(self.lines))]
    #[ensures(self.buffer.len() <= old(self.buffer.len()) + piece.len())]
    pub fn feed(&mut self, piece: &str, mut each: impl FnMut(&str) -> bool) {
        self.buffer += piece;
        let text = std::mem::take(&mut self.buffer);
        let mut rest = text.as_str();
        while let Ok((after, line)) = take_until::<_, _, nom::error::Error<&str>>("\n").parse(rest) {
            rest = &after[1..];
            self.lines += 1;
            if !each(line) {
                break;
            }
        }
        self.buffer = rest.to_owned();
    }
}

// A callback that stops leaves lines in the buffer.
// expect: failed: the buffer is a part of a line
#[rebut::test]
fn lines_keep_their_contract(program: rebut::Program<Lines>) {
    program.run();
}
