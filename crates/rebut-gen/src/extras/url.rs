//! Addresses of the crate `url`.

use std::net::{Ipv4Addr, Ipv6Addr};

use rebut_choice::{Label, Source};
use url::Url;

use crate::class::draw_range;
use crate::sequences::draw_sequence;
use crate::strings::draw_text;
use crate::{Code, Generate, ToCode};

const SCHEMES: [&str; 5] = ["http", "https", "ftp", "ws", "custom"];
/// The maximum number of segments of a path, of labels of a host, and of characters of each. Longer
/// URLs are never generated. Arbitrary, except that DNS limits a label to 63 characters.
const SEGMENTS_MAX: usize = 16;
const LABELS_MAX: usize = 4;
const PART_MAX: usize = 60;

/// Generates a scheme and a host, and optionally a user, a port, a path, a query and a fragment.
/// The parts have any characters, escaped where necessary.
impl Generate for Url {
    #[inline]
    fn generate(source: &mut Source) -> Url {
        source.span(Label::group("Url"), |source| {
            let scheme = SCHEMES[source.index(SCHEMES.len())];
            let host = draw_host(source);
            let mut url = match Url::parse(&format!("{scheme}://{host}")) {
                Ok(url) => url,
                Err(_) => source.reject("a host that is not one"),
            };
            // A setter only fails if the scheme has no such part. The URL is then unchanged.
            if let Some(user) = draw_optional(source, draw_part) {
                let _ = url.set_username(&user);
            }
            let _ = url.set_port(draw_optional(source, u16::generate));
            let segments = draw_sequence(source, (0, SEGMENTS_MAX), false, draw_part);
            if let Ok(mut path) = url.path_segments_mut() {
                path.extend(segments);
            }
            url.set_query(draw_optional(source, draw_part).as_deref());
            url.set_fragment(draw_optional(source, draw_part).as_deref());
            url
        })
    }
}

fn draw_optional<T>(source: &mut Source, draw: impl FnOnce(&mut Source) -> T) -> Option<T> {
    source.span(Label::group("optional"), |source| source.presence(2, 1).then(|| draw(source)))
}

fn draw_part(source: &mut Source) -> String {
    draw_text(source, (0, PART_MAX), char::generate)
}

/// Draws a domain name, an IPv4 address or an IPv6 address.
fn draw_host(source: &mut Source) -> String {
    source.span(Label::group("host"), |source| {
        let kind = source.alternative(3, &[4, 1, 1], 3);
        source.span(Label::ALTERNATIVE, |source| match kind {
            0 => draw_sequence(source, (1, LABELS_MAX), false, draw_label).join("."),
            1 => Ipv4Addr::generate(source).to_string(),
            _ => format!("[{}]", Ipv6Addr::generate(source)),
        })
    })
}

fn draw_label(source: &mut Source) -> String {
    draw_text(source, (1, PART_MAX), |source| draw_range(source, 'a', 'z'))
}

impl ToCode for Url {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.call("url::Url::parse", &[&self.as_str()]);
        code.push(".unwrap()");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{drawn, replays};
    use crate::{any, simplest};

    #[test]
    fn urls_parse_again_and_have_every_part() {
        let all = drawn(&any::<Url>(), 500);
        assert!(all.iter().all(|url| Url::parse(url.as_str()).as_ref() == Ok(url)));
        assert!(all.iter().any(|url| url.query().is_some_and(|query| query.contains('%'))));
        assert!(all.iter().any(|url| url.port().is_some()));
        assert!(all.iter().any(|url| matches!(url.host(), Some(url::Host::Ipv6(_)))));
        assert_eq!(Code::of(&simplest(&any::<Url>())), "url::Url::parse(\"http://a/\").unwrap()");
        replays(&any::<Url>());
    }
}
