//! The validators judge as their specifications say, and inputs reach their branches.

#![expect(clippy::unwrap_used, reason = "tests")]

use rebut_validators_example::{
    APPROACHES, Approach, Branches, Study, VALIDATORS, Validator, inputs,
};

fn validator(name: &str) -> Validator {
    *VALIDATORS.iter().find(|validator| validator.name == name).unwrap()
}

fn approach(outline: &str) -> Approach {
    *APPROACHES.iter().find(|approach| approach.outline == outline).unwrap()
}

/// `text` is what is said of it, or is refused because of it.
fn check(name: &str, judged: &[(&str, Result<&str, &str>)]) {
    for (text, expected) in judged {
        let actual = (validator(name).judge)(text, &mut Branches::default());
        assert_eq!(actual, *expected, "{name} `{text}`");
    }
}

#[test]
fn times_and_dates_are_judged() {
    check(
        "time",
        &[
            ("00:00", Ok("midnight")),
            ("24:00:00", Ok("end of the day")),
            ("24:01", Err("the day ends at 24:00")),
            ("23:59:60", Err("a leap second")),
            ("11:30", Ok("before noon")),
            ("1:30", Err("each part has two digits")),
        ],
    );
    check(
        "date",
        &[
            ("2000", Ok("leap year")),
            ("1900", Ok("common year")),
            ("2000-02-29", Ok("date")),
            ("1900-02-29", Err("the month has no such day")),
            ("20240430", Ok("basic date")),
            ("2024-04-31", Err("the month has no such day")),
            ("2024-13", Err("there are twelve months")),
        ],
    );
}

#[test]
fn numbers_with_check_digits_are_judged() {
    check(
        "isbn",
        &[
            ("0306406152", Ok("ISBN-10")),
            ("0-306-40615-2", Ok("ISBN-10")),
            ("080442957X", Ok("ISBN-10")),
            ("9780306406157", Ok("ISBN-13")),
            ("ISBN 978-0-306-40615-7", Ok("labeled")),
            ("9780306406158", Err("the check digit is wrong")),
            ("9770306406157", Err("a number starts with 978 or 979")),
        ],
    );
    check(
        "iban",
        &[
            ("DE89370400440532013000", Ok("of a known country")),
            ("GB82 WEST 1234 5698 7654 32", Ok("of a known country")),
            ("NO93 8601 1117 947", Ok("of a known country")),
            ("FR1420041010050500013M02606", Ok("of another country")),
            ("DE88370400440532013000", Err("the check digits are wrong")),
        ],
    );
}

#[test]
fn codes_and_names_are_judged() {
    check(
        "bic",
        &[
            ("DEUTDEFF", Ok("a bank")),
            ("DEUTDEFFXXX", Ok("the head office")),
            ("DEUTDEFF500", Ok("a branch")),
            ("DEUTDEFO", Err("the letter O cannot end a location")),
        ],
    );
    check(
        "mime",
        &[
            ("text/plain; charset=utf-8", Ok("standard")),
            ("image/svg+xml", Ok("with a suffix")),
            ("application/vnd.ms-excel", Ok("of a vendor")),
            ("multipart/mixed", Err("several parts need a boundary")),
            ("multipart/mixed; boundary=\"a b\"", Ok("standard")),
        ],
    );
    check(
        "urn",
        &[
            ("urn:isbn:0451450523", Ok("plain")),
            ("urn:example:a?+b?=c#d", Ok("for a resolver")),
            ("urn:urn-7:x", Ok("informal")),
            ("urn:a:x", Err("a namespace has two to 32 characters")),
        ],
    );
}

#[test]
fn addresses_are_judged() {
    check(
        "uri",
        &[
            ("https://me@example.org:443/a%20b?q=1#top", Ok("with a path")),
            ("ldap://[2001:db8::7]", Ok("of a host")),
            ("mailto:a@b.org", Ok("rootless")),
            ("http://h:99999", Err("there are 65536 ports")),
            ("a:%2", Err("two digits follow a percent sign")),
        ],
    );
    check(
        "email",
        &[
            ("a.b@example.org", Ok("plain")),
            ("a+b@example.org", Ok("tagged")),
            ("\"a b\"@example.org", Ok("quoted")),
            ("a@[127.0.0.1]", Ok("at an address")),
            ("a..b@example.org", Err("a dot stands between others")),
        ],
    );
    check(
        "phone",
        &[
            ("(212) 736-5000", Ok("subscriber")),
            ("+1 800 555 0199", Ok("free of charge")),
            ("+49 30 123456", Ok("international")),
            ("911", Ok("a service")),
            ("(212 736-5000", Err("a bracket is not closed")),
        ],
    );
}

#[test]
fn every_program_makes_inputs_in_every_way() {
    for validator in VALIDATORS {
        for approach in APPROACHES {
            let inputs = inputs(&validator, approach, 1).unwrap();
            assert!(!inputs.is_empty(), "{} {}", validator.name, approach.heading);
        }
    }
}

#[test]
fn a_cover_of_the_white_box_reaches_all_of_a_book_number() {
    let isbn = validator("isbn");
    for seed in 0..5 {
        let inputs = inputs(&isbn, approach("white-cover"), seed).unwrap();
        let study = Study::new(&isbn, &inputs);
        assert_eq!(study.reached(), isbn.branches());
    }
}

#[test]
fn branches_are_counted_once() {
    let time = validator("time");
    let twice = ["00:00".to_owned(), "00:00".to_owned()];
    let study = Study::new(&time, &twice);
    assert_eq!(study.taken[0], study.taken[1]);
    assert_eq!((study.needed(1), study.needed(study.all)), (Some(1), None));
}
