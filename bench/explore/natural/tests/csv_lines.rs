//! Comma separated values.

use csv::{ReaderBuilder, WriterBuilder};
use rebut::prelude::*;

fn written(fields: &[&str]) -> Vec<u8> {
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    writer.write_record(fields).expect("a record");
    writer.into_inner().expect("the bytes")
}

fn read(bytes: &[u8]) -> Vec<Vec<String>> {
    let mut reader = ReaderBuilder::new().has_headers(false).from_reader(bytes);
    let records = reader.records().map(|record| record.expect("a record"));
    records.map(|record| record.iter().map(str::to_owned).collect()).collect()
}

// true: fields are quoted where they must be.
#[rebut::test]
fn records_round_trip(
    #[from(strings().alphabet(' '..=',').max_size(2))] a: String,
    #[from(strings().alphabet(' '..=',').max_size(2))] b: String,
) {
    assert_eq!(read(&written(&[&a, &b])), [[a, b]]);
}

// true: a record ends with a line break.
#[rebut::test]
fn records_end_with_a_line(#[generate(max_size = 2)] field: String) {
    assert_eq!(written(&[&field]).last(), Some(&b'\n'));
}

// false (easy): "\"".to_owned()
#[rebut::test]
fn fields_are_written_as_they_are(
    #[from(strings().alphabet(' '..='/').max_size(2))] field: String,
) {
    assert!(
        field.is_empty()
            || field.contains(',')
            || written(&[&field]) == format!("{field}\n").as_bytes()
    );
}
