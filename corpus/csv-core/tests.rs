#![deny(warnings)]
//! Properties of the reader and the writer.

use csv_core::{is_non_numeric, QuoteStyle, ReadRecordResult, Reader, ReaderBuilder, WriteResult, WriterBuilder};
use rebut::prelude::*;
use std::collections::BTreeMap;

/// Writes records as text.
fn write(records: &[Vec<Vec<u8>>], style: QuoteStyle) -> Vec<u8> {
    let mut writer = WriterBuilder::new().quote_style(style).build();
    let size = records.iter().flatten().map(|field| 2 * field.len() + 4).sum::<usize>() + 4 * records.len() + 4;
    let (mut output, mut at) = (vec![0; size], 0);
    for record in records {
        for (index, field) in record.iter().enumerate() {
            if index > 0 {
                at += writer.delimiter(&mut output[at..]).1;
            }
            let (result, _, written) = writer.field(field, &mut output[at..]);
            assert_eq!(result, WriteResult::InputEmpty);
            at += written;
        }
        at += writer.terminator(&mut output[at..]).1;
    }
    output.truncate(at);
    output
}

/// Reads all records of a text.
fn read(mut reader: Reader, mut text: &[u8]) -> Vec<Vec<Vec<u8>>> {
    let (mut records, mut bytes, mut ends) = (vec![], vec![0; text.len() + 16], vec![0; text.len() + 16]);
    let (mut bytes_at, mut ends_at) = (0, 0);
    loop {
        let (result, used, written, ended) = reader.read_record(text, &mut bytes[bytes_at..], &mut ends[ends_at..]);
        text = &text[used..];
        bytes_at += written;
        ends_at += ended;
        match result {
            ReadRecordResult::InputEmpty => continue,
            ReadRecordResult::Record => {
                let mut start = 0;
                records.push(ends[..ends_at].iter().map(|&end| bytes[std::mem::replace(&mut start, end)..end].to_vec()).collect());
                bytes_at = 0;
                ends_at = 0;
            }
            ReadRecordResult::End => return records,
            other => panic!("the buffers are large enough: {:?}", other),
        }
    }
}

#[derive(Debug, Clone, Copy, Generate)]
enum Style {
    Always,
    Necessary,
    NonNumeric,
    Never,
}

impl Style {
    fn quotes(self) -> QuoteStyle {
        match self {
            Style::Always => QuoteStyle::Always,
            Style::Necessary => QuoteStyle::Necessary,
            Style::NonNumeric => QuoteStyle::NonNumeric,
            Style::Never => QuoteStyle::Never,
        }
    }
}

// Without quotation marks, a comma in a field separates.
// expect: failed
#[rebut::test]
fn one_record_round_trips(fields: Vec<Vec<u8>>, style: Style) {
    rebut::assume!(!fields.is_empty());
    let records = [fields.clone()];
    assert_eq!(read(Reader::new(), &write(&records, style.quotes())), vec![fields]);
}

// expect: failed
#[rebut::test]
fn records_round_trip(records: Vec<Vec<Vec<u8>>>) {
    assert_eq!(read(Reader::new(), &write(&records, QuoteStyle::Necessary)), records);
}

// expect: passed
#[rebut::test]
fn quoted_records_round_trip(#[from(vecs(vecs(rebut::bytes()).min_size(1).max_size(3)).max_size(3))] records: Vec<Vec<Vec<u8>>>) {
    assert_eq!(read(Reader::new(), &write(&records, QuoteStyle::Always)), records);
}

// expect: passed
#[rebut::test]
fn both_automata_agree(text: &[u8], delimiter: Option<u8>, double_quote: bool) {
    let build = |nfa: bool| {
        let mut builder = ReaderBuilder::new();
        builder.nfa(nfa).double_quote(double_quote);
        if let Some(delimiter) = delimiter {
            builder.delimiter(delimiter);
        }
        builder.build()
    };
    assert_eq!(read(build(false), text), read(build(true), text));
}

// Lines within quotation marks count, too.
// expect: failed
#[rebut::test]
fn lines_are_records(#[from(vecs(one_of!(just(b'\n'), just(b'"'), just(b'a'))).max_size(12))] text: Vec<u8>) {
    let records = read(Reader::new(), &text).len();
    assert_eq!(records, text.split(|&byte| byte == b'\n').count());
}

// expect: failed
#[rebut::test]
fn numbers_are_numeric(number: f64, _unit: Option<&str>) -> bool {
    !is_non_numeric(format!("{:x}", number.to_bits()).as_bytes())
}

// expect: proved: 256
#[rebut::test]
fn special_bytes_are_quoted(byte: u8) {
    let writer = WriterBuilder::new().build();
    assert_eq!(writer.should_quote(&[byte]), writer.is_special_byte(byte));
}

// expect: failed
#[rebut::test]
fn columns_are_found_by_name(table: BTreeMap<String, u8>) {
    let names: Vec<Vec<u8>> = table.keys().map(|name| name.trim().as_bytes().to_vec()).collect();
    let values: Vec<Vec<u8>> = table.values().map(|value| value.to_string().into_bytes()).collect();
    let records = read(Reader::new(), &write(&[names, values], QuoteStyle::Necessary));
    assert_eq!(records.len(), 2);
    for (index, name) in table.keys().enumerate() {
        assert_eq!(records[0][index], name.as_bytes());
    }
}

/// A log of records, and its text.
#[derive(Debug, Default)]
pub struct Log {
    records: Vec<Vec<Vec<u8>>>,
}

#[rebut::contract]
impl Log {
    /// An empty log.
    pub fn new() -> Log {
        Log::default()
    }

    /// Adds a record whose fields come from a callback.
    #[requires(count > 0 && count < 4, "a record has fields")]
    #[ensures(result.is_ok(), "every record is written")]
    pub fn push(&mut self, count: usize, field: &dyn Fn(usize) -> Vec<u8>) -> Result<usize, Vec<u8>> {
        let record: Vec<Vec<u8>> = (0..count).map(field).collect();
        let text = write(&[record.clone()], QuoteStyle::Necessary);
        if text.contains(&b'"') {
            return Err(text);
        }
        self.records.push(record);
        Ok(text.len())
    }
}

// expect: failed: every record is written
#[rebut::test]
fn logs_keep_their_contract(program: rebut::Program<Log>) {
    program.run();
}
