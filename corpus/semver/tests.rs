use rebut::prelude::*;
use semver::{BuildMetadata, Comparator, Op, Prerelease, Version, VersionReq};
use std::cmp::Ordering;

#[derive(Debug, Clone, PartialEq, Generate)]
enum Identifier {
    Number(u16),
    Word(#[generate(strings().alphabet(chars().one_of("abz-09")).min_size(1).max_size(4))] String),
}

/// The parts of a version that people write.
#[derive(Debug, Clone, PartialEq, Generate)]
struct Parts {
    numbers: (u8, u8, u8),
    #[generate(max_size = 2)]
    pre: Vec<Identifier>,
    #[generate(strings().alphabet('a'..='c').max_size(2))]
    build: String,
}

impl Parts {
    fn text(&self) -> String {
        let (major, minor, patch) = self.numbers;
        let mut text = format!("{major}.{minor}.{patch}");
        for (index, identifier) in self.pre.iter().enumerate() {
            text.push(if index == 0 { '-' } else { '.' });
            match identifier {
                Identifier::Number(number) => text += &number.to_string(),
                Identifier::Word(word) => text += word,
            }
        }
        if !self.build.is_empty() {
            text = text + "+" + &self.build;
        }
        text
    }
}

// A word such as "00" is a number with leading zeros.
// expect: failed: leading zero
#[rebut::test]
fn parts_are_versions(parts: Parts) -> Result<(), semver::Error> {
    let version = Version::parse(&parts.text())?;
    assert_eq!(version.to_string(), parts.text());
    Ok(())
}

// expect: passed
#[rebut::test]
fn display_then_parse(major: u64, minor: u64, patch: u64) {
    let version = Version::new(major, minor, patch);
    assert_eq!(version.to_string().parse::<Version>().unwrap(), version);
}

// expect: vacuous
#[rebut::test]
fn parsed_versions_have_two_dots(text: String) {
    if let Ok(version) = Version::parse(&text) {
        assert!(text.matches('.').count() >= 2, "{version}");
    }
}

// Build metadata is part of the order, but not of the precedence.
// expect: failed
#[rebut::test]
fn equal_precedence_is_equality(one: Parts, other: Parts) {
    let (Ok(one), Ok(other)) = (Version::parse(&one.text()), Version::parse(&other.text())) else { return };
    if one.cmp_precedence(&other) == Ordering::Equal {
        assert_eq!(one, other);
    }
}

// expect: passed
#[rebut::test]
fn order_is_transitive(mut list: [Parts; 3]) {
    list[2].numbers = list[1].numbers;
    let versions: Vec<Version> = list.iter().filter_map(|parts| parts.text().parse().ok()).collect();
    let [a, b, c] = &versions[..] else { return };
    if a <= b && b <= c {
        assert!(a <= c);
    }
    assert_eq!(a.cmp(b), b.cmp(a).reverse());
}

// Pre-releases only match a requirement that names them.
// expect: failed
#[rebut::test]
fn star_matches_everything(parts: Parts) {
    if let Ok(version) = Version::parse(&parts.text()) {
        assert!(VersionReq::STAR.matches(&version));
    }
}

// Zeros make the caret stricter.
// expect: failed
#[rebut::test]
fn caret_allows_minor_updates((major, minor, patch): (u8, u8, u8), #[from(0..5u64)] more: u64) -> bool {
    let requirement = VersionReq::parse(&format!("^{major}.{minor}.{patch}")).unwrap();
    requirement.matches(&Version::new(major.into(), u64::from(minor) + more, patch.into()))
}

// expect: passed
#[rebut::test]
fn tilde_is_a_range(numbers: (u8, u8, u8), tested: &(u8, u8, u8)) {
    let (major, minor, patch) = numbers;
    let tilde = Comparator { op: Op::Tilde, major: major.into(), minor: Some(minor.into()), patch: Some(patch.into()), pre: Prerelease::EMPTY };
    let version = Version::new(tested.0.into(), tested.1.into(), tested.2.into());
    let expected = tested.0 == major && tested.1 == minor && tested.2 >= patch;
    assert_eq!(tilde.matches(&version), expected);
}

// expect: failed
#[rebut::test]
fn at_most_is_less_or_equal(minor: Option<u8>, tested: (u8, u8)) {
    let requirement = Comparator { op: Op::LessEq, major: 1, minor: minor.map(u64::from), patch: None, pre: Prerelease::EMPTY };
    let version = Version::new(1, tested.0.into(), tested.1.into());
    let bound = Version::new(1, minor.unwrap_or(0).into(), 0);
    assert_eq!(requirement.matches(&version), version <= bound, "{requirement} and {version}");
}

// expect: passed
#[rebut::test]
fn identifiers_keep_their_text(#[from(strings().alphabet(chars().one_of("aZ09-.")).max_size(20))] text: String) {
    if let Ok(pre) = Prerelease::new(&text) {
        assert_eq!(pre.as_str(), text);
        assert_eq!(pre.clone(), pre);
        assert!(BuildMetadata::new(&text).is_ok(), "metadata allows more");
    }
}

// expect: failed
#[rebut::test]
fn numbers_in_a_word_are_compared_as_numbers(one: u16, other: u16) {
    let pre = |number: u16| Prerelease::new(&format!("alpha{number}")).unwrap();
    assert_eq!(pre(one).cmp(&pre(other)), one.cmp(&other));
}

// A requirement without a pre-release matches no pre-release.
// expect: failed
#[rebut::test(spec = "corpus/versions.rebut")]
fn a_lower_bound_matches_what_is_above(requirement: &str, version: String) {
    let (Ok(requirement), Ok(version)) = (Comparator::parse(requirement), Version::parse(&version)) else { return };
    if requirement.op == Op::GreaterEq {
        let bound = Version {
            major: requirement.major,
            minor: requirement.minor.unwrap_or(0),
            patch: requirement.patch.unwrap_or(0),
            pre: requirement.pre.clone(),
            build: BuildMetadata::EMPTY,
        };
        assert_eq!(requirement.matches(&version), version >= bound);
    }
}
