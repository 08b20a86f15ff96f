//! Addresses of the crate `url`.

use rebut_choice::{Label, Source};
use url::{Host, Url};

use super::hosts::{DrawnHost, draw_host, draw_label, draw_optional};
use crate::class::draw_range;
use crate::sequences::draw_sequence;
use crate::strings::draw_text;
use crate::{Code, Generate, ToCode};

/// Schemes of URLs with a host. The last two are not special: their hosts and paths are opaque or
/// percent-encoded, and not normalized.
const SCHEMES: [&str; 7] = ["http", "https", "ftp", "ws", "wss", "custom", "git+ssh"];
/// Schemes of URLs without a host.
const OPAQUE_SCHEMES: [&str; 4] = ["data", "mailto", "urn", "about"];
/// The maximum number of segments of a path, and of characters of each part. Longer URLs are never
/// generated. Arbitrary.
const SEGMENTS_MAX: usize = 16;
const PART_MAX: usize = 60;
/// The maximum number of characters of an international label, which DNS limits in its ASCII form.
const INTERNATIONAL_MAX: usize = 16;

/// Generates a scheme and a host, and optionally a user, a password, a port, a path, a query and a
/// fragment; less often a file, or a URL without a host such as `mailto:a`. The parts have any
/// characters, escaped where necessary.
impl Generate for Url {
    #[inline]
    fn generate(source: &mut Source) -> Url {
        source.span(Label::group("Url"), |source| {
            let kind = source.alternative(4, &[1, 12, 2, 2], 4);
            let mut url = source.span(Label::ALTERNATIVE, |source| match kind {
                // Without choices, so that a URL shrinks to it rather than to `data:`.
                0 => parsed(source, "http://a/"),
                1 => draw_with_host(source),
                2 => with_path(source, "file:///"),
                _ => {
                    let scheme = OPAQUE_SCHEMES[source.index(OPAQUE_SCHEMES.len())];
                    let path = draw_part(source);
                    // The parser ends a path at these characters, and a slash begins a hierarchy.
                    let path = path.replace(['?', '#', '/'], "");
                    parsed(source, &format!("{scheme}:{path}"))
                }
            });
            url.set_query(draw_optional(source, draw_part).as_deref());
            url.set_fragment(draw_optional(source, draw_part).as_deref());
            url
        })
    }
}

fn draw_with_host(source: &mut Source) -> Url {
    let scheme = SCHEMES[source.index(SCHEMES.len())];
    let host = draw_host(source, draw_any_label);
    let mut url = with_path(source, &format!("{scheme}://{host}/"));
    // A setter only fails if the URL has no such part. The URL is then unchanged.
    if let Some(user) = draw_optional(source, draw_part) {
        let _ = url.set_username(&user);
    }
    if let Some(password) = draw_optional(source, draw_part) {
        let _ = url.set_password(Some(&password));
    }
    let _ = url.set_port(draw_optional(source, u16::generate));
    url
}

/// Draws the segments of a path.
fn with_path(source: &mut Source, start: &str) -> Url {
    let mut url = parsed(source, start);
    let segments = draw_sequence(source, (0, SEGMENTS_MAX), false, draw_part);
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(segments);
    }
    url
}

fn parsed(source: &mut Source, text: &str) -> Url {
    match Url::parse(text) {
        Ok(url) => url,
        Err(_) => source.reject("a URL that does not parse"),
    }
}

fn draw_part(source: &mut Source) -> String {
    draw_text(source, (0, PART_MAX), char::generate)
}

/// Draws a label of ASCII, or of letters that become `xn--` in a URL.
fn draw_any_label(source: &mut Source) -> String {
    source.span(Label::group("label"), |source| {
        let is_international = source.alternative(2, &[7, 1], 2) == 1;
        source.span(Label::ALTERNATIVE, |source| {
            if is_international {
                draw_text(source, (1, INTERNATIONAL_MAX), |source| draw_range(source, 'à', 'ö'))
            } else {
                draw_label(source)
            }
        })
    })
}

impl ToCode for Url {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.call("url::Url::parse", &[&self.as_str()]);
        code.push(".unwrap()");
    }
}

impl Generate for Host {
    #[inline]
    fn generate(source: &mut Source) -> Host {
        match draw_host(source, draw_label) {
            DrawnHost::Domain(domain) => Host::Domain(domain),
            DrawnHost::Ipv4(address) => Host::Ipv4(address),
            DrawnHost::Ipv6(address) => Host::Ipv6(address),
        }
    }
}

impl<S: ToCode> ToCode for Host<S> {
    fn to_code(&self, code: &mut Code) {
        match self {
            Host::Domain(domain) => code.call("url::Host::Domain", &[domain]),
            Host::Ipv4(address) => code.call("url::Host::Ipv4", &[address]),
            Host::Ipv6(address) => code.call("url::Host::Ipv6", &[address]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::{drawn, prints, replays};
    use rebut::find;

    #[test]
    fn urls_parse_again_and_have_every_part() {
        let all = drawn(&any::<Url>(), 2000);
        for url in &all {
            assert_eq!(Url::parse(url.as_str()).as_ref(), Ok(url));
        }
        let any = |is: &dyn Fn(&Url) -> bool| assert!(all.iter().any(is));
        any(&|url| url.query().is_some_and(|query| query.contains('%')));
        any(&|url| url.path().contains('%'));
        any(&|url| !url.username().is_empty() && url.password().is_some());
        any(&|url| url.port() == Some(0));
        any(&|url| url.port() == Some(65_535));
        any(&|url| matches!(url.host(), Some(Host::Ipv6(_))));
        any(&|url| url.host_str().is_some_and(|host| host.contains("xn--")));
        any(&|url| url.scheme() == "git+ssh" && url.has_host());
        any(&|url| url.scheme() == "file");
        any(&|url| url.cannot_be_a_base() && url.fragment().is_some());
        replays(&crate::any::<(Url, Host)>());
    }

    #[test]
    fn hosts_parse_again() {
        for host in drawn(&any::<Host>(), 2000) {
            // A label that begins with this needs valid Punycode behind it.
            if !host.to_string().contains("xn--") {
                assert_eq!(Host::parse(&host.to_string()), Ok(host));
            }
        }
    }

    #[test]
    fn urls_shrink_to_the_shortest() {
        let text = |url: Option<Url>| url.map(String::from).unwrap_or_default();
        assert_eq!(text(find(rebut::any(), |_| true)), "http://a/");
        let other = find(rebut::any(), |(_, n): &(Url, u8)| *n > 3);
        assert_eq!(text(other.map(|(url, _)| url)), "http://a/");
        assert_eq!(text(find(rebut::any(), |url: &Url| url.password().is_some())), "http://:a@a/");
        assert_eq!(text(find(rebut::any(), |url: &Url| url.cannot_be_a_base())), "data:");
        assert_eq!(text(find(rebut::any(), |url: &Url| url.port().is_some())), "http://a:0/");
        let deep = find(rebut::any(), |url: &Url| url.has_host() && url.path().contains("a/"));
        assert_eq!(text(deep), "http://a/a/");
        assert_eq!(find(rebut::any::<Host>(), |_| true), Some(Host::Domain("a".to_string())));
    }

    #[test]
    fn urls_are_printed_as_text() {
        prints!(url::Url::parse("http://a:b@[::1]:8080/c%20d?e#f").unwrap());
        prints!(url::Host::Domain("a".to_string()));
        prints!(url::Host::Domain("a"));
        let host: Host = Host::Ipv4([127, 0, 0, 1].into());
        prints!(url::Host::Ipv4(std::net::Ipv4Addr::new(127, 0, 0, 1)), host);
    }
}
