//! Types as specifications.

use rebut::prelude::*;
use rebut::{any, sample, simplest};

#[derive(Debug, Generate, Specify)]
enum Weekday {
    Friday,
    Monday,
    #[generate(skip)]
    #[expect(dead_code, reason = "never drawn")]
    Someday(u8),
}

#[derive(Debug, Generate, Specify)]
struct Room(#[generate(..=99)] u16);

#[derive(Debug, Generate, Specify)]
struct Booking<T> {
    #[generate(1..=480)]
    #[specify("(divisible-by 5)")]
    minutes: u32,
    #[generate("[A-Z]\"\\d")]
    title: String,
    #[generate(default)]
    cache: Vec<u8>,
    weekday: Weekday,
    room: Option<Room>,
    #[generate(max_size = 3)]
    guests: Vec<T>,
    #[generate(integers().in_range(0..5))]
    #[specify("(between 0 4)")]
    kind: i32,
}

#[test]
fn a_type_is_written_with_all_that_its_attributes_say() {
    let text = rebut::specification::<Booking<Box<str>>>("booking");
    expect_test::expect![[r#"
        (declare booking--minutes ?(Integer 0 4294967295))
        (specify booking--minutes (gte 1))
        (specify booking--minutes (lte 480))
        (specify booking--minutes (divisible-by 5))
        (declare booking--title ?String)
        (specify booking--title (matches "[A-Z]\"\\d"))
        (declare booking--weekday ?(Enum Friday Monday))
        (declare booking--room--some ?(Integer 0 65535))
        (specify booking--room--some (lte 99))
        (declare booking--room ?(Option booking--room--some))
        (declare booking--guests--item ?String)
        (declare booking--guests ?(List booking--guests--item))
        (specify booking--guests (max-length 3))
        (declare booking--kind ?Integer)
        (specify booking--kind (between 0 4))
        (declare booking ?Object)
        (specify booking
          (with minutes ?booking--minutes)
          (with title ?booking--title)
          (with weekday ?booking--weekday)
          (with room ?booking--room)
          (with guests ?booking--guests)
          (with kind ?booking--kind))
        (generate booking 10 (output booking))
    "#]]
    .assert_eq(&text);
    let written = include_str!("fixture/failing/specs/booking.rebut");
    assert_eq!(text, written, "`specs/booking.rebut`, from which inputs are generated in a test");
    let simplest = simplest(&any::<Booking<Box<str>>>());
    assert!(simplest.cache.is_empty() && simplest.minutes == 1 && simplest.kind == 0);
    assert!(matches!((simplest.room, simplest.weekday), (None, Weekday::Friday)));
    assert!(simplest.guests.is_empty() && simplest.title.starts_with('A'));
    let Room(number) = sample(&any::<Room>(), 1);
    assert!(number <= 99);
}

#[rebut::test(spec = "tests/fixture/failing/specs/booking.rebut", inputs = 10)]
fn inputs_of_a_specified_type_are_values_of_it(booking: Booking<Box<str>>) {
    assert!(booking.minutes.is_multiple_of(5) && booking.title.len() == 3);
}

#[rebut::test(spec = "tests/fixture/failing/specs/meeting.rebut", inputs = 20)]
fn inputs_are_bound_to_regexes_and_bounds(
    #[from("([A-Z][a-z]{0,8})( [1-9])?")] title: &str,
    #[from(1..=480)] minutes: u16,
    #[from(vecs(strings().alphabet(chars().ascii_printable().filter(|c| *c != '\t'))))] guests: Vec<
        String,
    >,
) {
    assert!(!title.is_empty() && minutes > 0 && guests.len() <= 2);
}
