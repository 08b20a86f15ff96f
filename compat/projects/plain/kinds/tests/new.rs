//! Types that borrow, functions, and types of `std::io` and `std::cell`.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::io::{self, Cursor};
use std::path::Path;
use std::sync::OnceLock;

macro_rules! differs {
    ($($name:ident: $kind:ty,)*) => {$(
        #[rebut::test]
        fn $name(value: $kind) {
            let simplest: $kind = rebut::simplest(&rebut::any());
            assert_eq!(format!("{value:?}"), format!("{simplest:?}"));
        }
    )*};
}

differs! {
    vec_of_str: Vec<&str>,
    option_of_str: Option<&str>,
    pair_of_borrows: (&str, &[u8]),
    map_of_borrows: HashMap<&str, Vec<&[u8]>>,
    cow_of_bytes: Cow<'_, [u8]>,
    static_str: &'static str,
    io_error_kind: io::ErrorKind,
    cursor: Cursor<Vec<u8>>,
    once_cell: OnceCell<u8>,
    once_lock: OnceLock<u8>,
}

type Sixteen = (u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8);

#[rebut::test]
fn tuple_of_16(tuple: Sixteen) {
    assert!(tuple.15 < 7);
}

#[rebut::test]
fn slice_of_str(list: &[&str]) {
    assert!(list.iter().all(|text| text.is_empty()));
}

#[rebut::test]
fn borrowed_path(path: &Path) {
    assert!(path.as_os_str().len() < 2);
}

#[rebut::test]
fn io_error(error: io::Error) {
    assert_ne!(error.kind(), io::ErrorKind::NotFound);
}

#[derive(Clone, Debug, PartialEq, rebut::Generate)]
struct Borrowed<'a, T> {
    name: Cow<'a, str>,
    text: &'a str,
    list: &'a [T],
}

#[rebut::test]
fn derived_with_a_lifetime(value: Borrowed<'_, u8>) {
    assert!(value.name.len() + value.text.len() + value.list.len() < 3);
}

#[rebut::test]
fn derived_in_a_list(values: Vec<Borrowed<'_, bool>>) {
    assert!(values.len() < 2);
}

#[rebut::test]
fn infallible(value: Result<u8, std::convert::Infallible>) {
    assert!(value.is_ok_and(|value| value < 200));
}
