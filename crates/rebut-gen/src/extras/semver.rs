//! Versions and requirements of the crate `semver`.

use rebut_choice::{Label, Source};
use semver::{BuildMetadata, Comparator, Op, Prerelease, Version, VersionReq};

use crate::class::Class;
use crate::misuse::expected;
use crate::sequences::draw_sequence;
use crate::strings::draw_text;
use crate::{Code, Generate, ToCode};

/// The maximum number of identifiers of a pre-release and of build metadata, and of characters of
/// each part of one. Arbitrary.
const IDENTIFIERS_MAX: usize = 8;
const PART_MAX: usize = 20;
/// The maximum number of comparators of a requirement that `semver` parses.
const COMPARATORS_MAX: usize = 32;
/// Identifiers that people use.
const WORDS: [&str; 3] = ["alpha", "beta", "rc"];

impl Generate for Version {
    #[inline]
    fn generate(source: &mut Source) -> Version {
        source.span(Label::group("Version"), |source| Version {
            major: u64::generate(source),
            minor: u64::generate(source),
            patch: u64::generate(source),
            pre: Prerelease::generate(source),
            build: BuildMetadata::generate(source),
        })
    }
}

impl ToCode for Version {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        if self.pre.is_empty() && self.build.is_empty() {
            return code.call("semver::Version::new", &[&self.major, &self.minor, &self.patch]);
        }
        code.format(format_args!("semver::Version::parse(\"{self}\").unwrap()"));
    }
}

/// Generates nothing, or identifiers with dots between them.
impl Generate for Prerelease {
    #[inline]
    fn generate(source: &mut Source) -> Prerelease {
        let text = draw_identifiers(source, false);
        expected(Prerelease::new(&text).ok(), "a pre-release")
    }
}

/// Generates nothing, or identifiers with dots between them. Numbers may have leading zeros.
impl Generate for BuildMetadata {
    #[inline]
    fn generate(source: &mut Source) -> BuildMetadata {
        let text = draw_identifiers(source, true);
        expected(BuildMetadata::new(&text).ok(), "build metadata")
    }
}

fn draw_identifiers(source: &mut Source, leading_zeros: bool) -> String {
    source.span(Label::group("identifiers"), |source| {
        if !source.presence(1, 1) {
            return String::new();
        }
        let draw = |source: &mut Source| draw_identifier(source, leading_zeros);
        draw_sequence(source, (1, IDENTIFIERS_MAX), false, draw).join(".")
    })
}

/// Draws a usual word, a number, or other text that is not a number: digits, one other character,
/// and any.
fn draw_identifier(source: &mut Source, leading_zeros: bool) -> String {
    source.span(Label::group("identifier"), |source| {
        let kind = source.alternative(3, &[1, 2, 1], 3);
        source.span(Label::ALTERNATIVE, |source| match kind {
            0 => WORDS[source.index(WORDS.len())].to_owned(),
            1 if leading_zeros => draw_digits(source, 1),
            // A number can have more digits than a `u64`.
            1 => source.integer(0, i128::MAX).to_string(),
            _ => {
                let mut text = draw_digits(source, 0);
                text.push(Class::new(&[('a', 'z'), ('A', 'Z'), ('-', '-')]).draw(source));
                let any = Class::new(&[('a', 'z'), ('0', '9'), ('A', 'Z'), ('-', '-')]);
                text + &draw_text(source, (0, PART_MAX), |source| any.draw(source))
            }
        })
    })
}

fn draw_digits(source: &mut Source, min_size: usize) -> String {
    draw_text(source, (min_size, PART_MAX), |source| source.character('0', '9'))
}

impl ToCode for Prerelease {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        if self.is_empty() {
            return code.push("semver::Prerelease::EMPTY");
        }
        code.call("semver::Prerelease::new", &[&self.as_str()]);
        code.push(".unwrap()");
    }
}

impl ToCode for BuildMetadata {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        if self.is_empty() {
            return code.push("semver::BuildMetadata::EMPTY");
        }
        code.call("semver::BuildMetadata::new", &[&self.as_str()]);
        code.push(".unwrap()");
    }
}

named_values!(Op, "semver::Op", [Caret, Exact, Greater, GreaterEq, Less, LessEq, Tilde, Wildcard]);

/// Generates what `semver` parses: a patch number only after a minor one, a pre-release only after
/// a patch number, and no patch number in a wildcard such as `1.*`.
impl Generate for Comparator {
    #[inline]
    fn generate(source: &mut Source) -> Comparator {
        source.span(Label::group("Comparator"), |source| {
            let op = Op::generate(source);
            let major = u64::generate(source);
            let minor = Option::generate(source);
            let has_patch = minor.is_some() && op != Op::Wildcard;
            let patch = if has_patch { Option::generate(source) } else { None };
            let has_pre = patch.is_some();
            let pre = if has_pre { Prerelease::generate(source) } else { Prerelease::EMPTY };
            Comparator { op, major, minor, patch, pre }
        })
    }
}

impl ToCode for Comparator {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        let text = self.to_string();
        if Comparator::parse(&text).is_ok_and(|parsed| parsed == *self) {
            return code.format(format_args!("semver::Comparator::parse({text:?}).unwrap()"));
        }
        code.push("semver::Comparator { op: ");
        self.op.to_code(code);
        code.format(format_args!(", major: {}, minor: {:?}", self.major, self.minor));
        code.format(format_args!(", patch: {:?}, pre: ", self.patch));
        self.pre.to_code(code);
        code.push(" }");
    }
}

impl Generate for VersionReq {
    #[inline]
    fn generate(source: &mut Source) -> VersionReq {
        let sizes = (0, COMPARATORS_MAX);
        VersionReq { comparators: draw_sequence(source, sizes, false, Comparator::generate) }
    }
}

impl ToCode for VersionReq {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        let text = self.to_string();
        if VersionReq::parse(&text).is_ok_and(|parsed| parsed == *self) {
            return code.format(format_args!("semver::VersionReq::parse({text:?}).unwrap()"));
        }
        code.push("semver::VersionReq { comparators: ");
        self.comparators.to_code(code);
        code.push(" }");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::{drawn, prints, replays};
    use rebut::find;

    #[test]
    fn versions_and_requirements_parse_again() {
        for (version, requirement) in drawn(&any::<(Version, VersionReq)>(), 2000) {
            assert_eq!(Version::parse(&version.to_string()).ok().as_ref(), Some(&version));
            let again = VersionReq::parse(&requirement.to_string());
            assert_eq!(again.ok().as_ref(), Some(&requirement), "{requirement}");
        }
        for comparator in drawn(&any::<Comparator>(), 2000) {
            assert_eq!(Comparator::parse(&comparator.to_string()).ok().as_ref(), Some(&comparator));
        }
        replays(&any::<(Version, VersionReq, Comparator)>());
    }

    #[test]
    fn every_kind_of_identifier_is_drawn() {
        let all = drawn(&any::<Version>(), 2000);
        let pre =
            |is: &dyn Fn(&str) -> bool| all.iter().any(|version| version.pre.split('.').any(is));
        assert!(pre(&|text| text == "rc"));
        assert!(pre(&|text| text.parse() == Ok(u64::MAX) || text.parse() == Ok(u64::MAX - 1)));
        assert!(pre(&|text| text.len() > 20 && text.bytes().all(|byte| byte.is_ascii_digit())));
        assert!(pre(&|text| text.starts_with('0') && text.len() > 1));
        assert!(all.iter().any(|version| version.build.starts_with("00")));
        assert!(all.iter().any(|version| version.major == u64::MAX));
    }

    #[test]
    fn versions_shrink_to_small_numbers() {
        let text = |found: Option<Version>| found.map(|v| v.to_string()).unwrap_or_default();
        assert_eq!(text(find(rebut::any(), |_| true)), "0.0.0");
        let pre = find(rebut::any(), |version: &Version| !version.pre.is_empty());
        assert_eq!(text(pre), "0.0.0-alpha");
        let build = find(rebut::any(), |version: &Version| version.build.contains('.'));
        assert_eq!(text(build), "0.0.0+alpha.alpha");
        // Numbers are compared as numbers: 9 is before 10.
        let nine = Prerelease::new("alpha.9").unwrap_or_default();
        let late = find(rebut::any(), |pre: &Prerelease| {
            let number = pre.strip_prefix("alpha.").and_then(|rest| rest.parse::<u64>().ok());
            number.is_some() && *pre > nine && pre.as_str() < nine.as_str()
        });
        assert_eq!(late, Prerelease::new("alpha.10").ok());
        assert_eq!(find(rebut::any::<VersionReq>(), |_| true), Some(VersionReq::STAR));
        assert_eq!(find(rebut::any::<Comparator>(), |_| true), Comparator::parse("^0").ok());
        let patch = find(rebut::any(), |comparator: &Comparator| comparator.patch > Some(2));
        assert_eq!(patch, Comparator::parse("^0.0.3").ok());
        let caret = find(rebut::any(), |requirement: &VersionReq| *requirement != VersionReq::STAR);
        assert_eq!(caret, VersionReq::parse("^0").ok());
    }

    #[test]
    fn versions_are_printed_as_text() {
        prints!(semver::Version::new(1, 2, 3));
        prints!(semver::Version::parse("1.2.3-alpha.1+b").unwrap());
        prints!(semver::Prerelease::new("alpha.10").unwrap());
        prints!(semver::Prerelease::EMPTY);
        prints!(semver::BuildMetadata::new("001").unwrap());
        prints!(semver::VersionReq::parse(">=1.2, <2").unwrap());
        prints!(semver::VersionReq::parse("*").unwrap());
        prints!(semver::Comparator::parse("1.*").unwrap());
        let odd = Comparator { op: Op::Less, minor: None, patch: Some(3), ..comparator("1") };
        prints!(
            semver::Comparator {
                op: semver::Op::Less,
                major: 1,
                minor: None,
                patch: Some(3),
                pre: semver::Prerelease::EMPTY
            },
            odd
        );
    }

    fn comparator(text: &str) -> Comparator {
        Comparator::parse(text).expect("a comparator")
    }
}
