//! Parts of messages of the crate `http`.

use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::uri::{Authority, Parts, PathAndQuery, Scheme};
use http::{Method, Request, Response, StatusCode, Uri, Version};
use rebut_choice::{Label, Source};

use super::hosts::{draw_host, draw_label, draw_optional};
use crate::class::Class;
use crate::misuse::expected;
use crate::sequences::draw_sequence;
use crate::size::SIZE_MAX;
use crate::strings::draw_text;
use crate::{Code, Generate, Generator, ToCode, integers};

/// The maximum number of characters of a part of a name or an address. Arbitrary: many servers limit
/// a whole header or address to 8 KiB.
const PART_MAX: usize = 60;
/// The maximum number of characters of a scheme. `http` parses up to 64.
const SCHEME_MAX: usize = 16;

const METHODS: [(Method, &str); 9] = [
    (Method::GET, "GET"),
    (Method::POST, "POST"),
    (Method::PUT, "PUT"),
    (Method::DELETE, "DELETE"),
    (Method::HEAD, "HEAD"),
    (Method::OPTIONS, "OPTIONS"),
    (Method::PATCH, "PATCH"),
    (Method::CONNECT, "CONNECT"),
    (Method::TRACE, "TRACE"),
];

/// Generates a standard method, or another token.
impl Generate for Method {
    #[inline]
    fn generate(source: &mut Source) -> Method {
        source.span(Label::group("Method"), |source| {
            let is_other = source.alternative(2, &[7, 1], 2) == 1;
            source.span(Label::ALTERNATIVE, |source| {
                if is_other {
                    let token = draw_token(source, &[('A', 'Z'), ('a', 'z')]);
                    return expected(Method::from_bytes(token.as_bytes()).ok(), "a method");
                }
                METHODS[source.index(METHODS.len())].0.clone()
            })
        })
    }
}

/// Draws a token of letters and of the other characters that RFC 9110 allows.
fn draw_token(source: &mut Source, letters: &[(char, char)]) -> String {
    let others = [
        ('0', '9'),
        ('-', '.'),
        ('*', '+'),
        ('#', '\''),
        ('^', '`'),
        ('!', '!'),
        ('|', '|'),
        ('~', '~'),
    ];
    let class = Class::new(&[letters, &others].concat());
    draw_text(source, (1, PART_MAX), |source| class.draw(source))
}

impl ToCode for Method {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        match METHODS.iter().find(|(method, _)| method == self) {
            Some((_, name)) => code.format(format_args!("http::Method::{name}")),
            None => {
                let name = self.as_str();
                code.format(format_args!("http::Method::from_bytes(b{name:?}).unwrap()"));
            }
        }
    }
}

/// Generates every code of three digits.
impl Generate for StatusCode {
    #[inline]
    fn generate(source: &mut Source) -> StatusCode {
        let code = integers::<u16>().in_range(100..=999).origin(200).draw(source);
        expected(StatusCode::from_u16(code).ok(), "a status code")
    }

    #[inline]
    fn is_single() -> bool {
        true
    }
}

impl ToCode for StatusCode {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.call("http::StatusCode::from_u16", &[&self.as_u16()]);
        code.push(".unwrap()");
    }
}

named_values!(Version, "http::Version", [HTTP_11, HTTP_10, HTTP_2, HTTP_3, HTTP_09]);

/// Names that programs treat specially.
const NAMES: [HeaderName; 16] = [
    header::ACCEPT,
    header::ACCEPT_ENCODING,
    header::AUTHORIZATION,
    header::CACHE_CONTROL,
    header::CONNECTION,
    header::CONTENT_ENCODING,
    header::CONTENT_LENGTH,
    header::CONTENT_TYPE,
    header::COOKIE,
    header::ETAG,
    header::HOST,
    header::LOCATION,
    header::RANGE,
    header::SET_COOKIE,
    header::TRANSFER_ENCODING,
    header::USER_AGENT,
];

/// Generates a usual name, or another token in lower case.
impl Generate for HeaderName {
    #[inline]
    fn generate(source: &mut Source) -> HeaderName {
        source.span(Label::group("HeaderName"), |source| {
            let is_other = source.alternative(2, &[3, 1], 2) == 1;
            source.span(Label::ALTERNATIVE, |source| {
                if is_other {
                    let token = draw_token(source, &[('a', 'z')]);
                    return expected(HeaderName::from_bytes(token.as_bytes()).ok(), "a name");
                }
                NAMES[source.index(NAMES.len())].clone()
            })
        })
    }
}

impl ToCode for HeaderName {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.call("http::HeaderName::from_static", &[&self.as_str()]);
    }
}

/// Generates printable ASCII, or any bytes that a value can have.
impl Generate for HeaderValue {
    #[inline]
    fn generate(source: &mut Source) -> HeaderValue {
        source.span(Label::group("HeaderValue"), |source| {
            let is_opaque = source.alternative(2, &[3, 1], 2) == 1;
            let bytes = source.span(Label::ALTERNATIVE, |source| {
                if is_opaque {
                    draw_sequence(source, (0, PART_MAX), true, draw_opaque)
                } else {
                    draw_text(source, (0, SIZE_MAX), |source| source.character(' ', '~')).into()
                }
            });
            expected(HeaderValue::from_bytes(&bytes).ok(), "a header value")
        })
    }
}

/// Draws a byte from the space on. The tab takes the place of DEL, which is invalid.
fn draw_opaque(source: &mut Source) -> u8 {
    match source.integer(0x20, 0xFF) as u8 {
        0x7F => b'\t',
        byte => byte,
    }
}

impl ToCode for HeaderValue {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        if self.is_sensitive() {
            return code.push("/* a sensitive header value */");
        }
        match self.to_str() {
            Ok(text) => code.call("http::HeaderValue::from_static", &[&text]),
            Err(_) => {
                let bytes = self.as_bytes().escape_ascii();
                code.format(format_args!("http::HeaderValue::from_bytes(b\"{bytes}\").unwrap()"));
            }
        }
    }
}

/// Generates a list of headers. A name can occur several times.
impl<T: Generate> Generate for HeaderMap<T> {
    fn generate(source: &mut Source) -> HeaderMap<T> {
        Vec::<(HeaderName, T)>::generate(source).into_iter().collect()
    }
}

impl<T: ToCode> ToCode for HeaderMap<T> {
    fn to_code(&self, code: &mut Code) {
        code.push("http::HeaderMap::from_iter([");
        for (n, (name, value)) in self.iter().enumerate() {
            code.push(if n > 0 { ", " } else { "" });
            code.call("", &[name, value]);
        }
        code.push("])");
    }
}

impl Generate for Scheme {
    #[inline]
    fn generate(source: &mut Source) -> Scheme {
        source.span(Label::group("Scheme"), |source| {
            let kind = source.alternative(3, &[2, 2, 1], 3);
            source.span(Label::ALTERNATIVE, |source| match kind {
                0 => Scheme::HTTP,
                1 => Scheme::HTTPS,
                _ => {
                    let class = Class::new(&[('a', 'z'), ('0', '9'), ('+', '+'), ('-', '.')]);
                    let mut text = String::from(source.character('a', 'z'));
                    text += &draw_text(source, (0, SCHEME_MAX), |source| class.draw(source));
                    expected(text.parse().ok(), "a scheme")
                }
            })
        })
    }
}

/// Generates a host, and optionally a user and a port.
impl Generate for Authority {
    #[inline]
    fn generate(source: &mut Source) -> Authority {
        source.span(Label::group("Authority"), |source| {
            let mut text = draw_host(source, draw_label).to_string();
            if let Some(user) = draw_optional(source, draw_user) {
                text = format!("{user}@{text}");
            }
            if let Some(port) = draw_optional(source, u16::generate) {
                text = format!("{text}:{port}");
            }
            expected(text.parse().ok(), "an authority")
        })
    }
}

/// Draws a user, and optionally a password.
fn draw_user(source: &mut Source) -> String {
    let class = Class::new(&[('a', 'z'), ('0', '9'), ('A', 'Z'), ('-', '.'), ('_', '_')]);
    let draw = |source: &mut Source| draw_text(source, (0, PART_MAX), |source| class.draw(source));
    let user = draw(source);
    match draw_optional(source, draw) {
        None => user,
        Some(password) => format!("{user}:{password}"),
    }
}

/// The characters of paths that `http` parses. The percent sign is one of them, and need not begin
/// an escaped byte.
const PATH_CLASS: [(char, char); 7] =
    [('!', '!'), ('$', ';'), ('=', '='), ('@', '_'), ('a', 'z'), ('|', '|'), ('~', '~')];

/// Generates a path that begins with a slash, and optionally a query.
impl Generate for PathAndQuery {
    #[inline]
    fn generate(source: &mut Source) -> PathAndQuery {
        source.span(Label::group("PathAndQuery"), |source| {
            let (path, query) =
                (Class::new(&PATH_CLASS), Class::new(&[&PATH_CLASS[..], &[('?', '?')]].concat()));
            let mut text = String::from("/");
            text += &draw_text(source, (0, SIZE_MAX), |source| path.draw(source));
            let draw_query =
                |source: &mut Source| draw_text(source, (0, SIZE_MAX), |source| query.draw(source));
            if let Some(query) = draw_optional(source, draw_query) {
                text.push('?');
                text += &query;
            }
            expected(text.parse().ok(), "a path and a query")
        })
    }
}

/// Generates all forms of the target of a request: a path, a full address, an authority, and `*`.
impl Generate for Uri {
    #[inline]
    fn generate(source: &mut Source) -> Uri {
        source.span(Label::group("Uri"), |source| {
            let kind = source.alternative(5, &[1, 6, 4, 1, 1], 5);
            let mut parts = Parts::default();
            source.span(Label::ALTERNATIVE, |source| match kind {
                // Without choices, so that a URI shrinks to it rather than to `*`.
                0 => parts.path_and_query = Some(PathAndQuery::from_static("/")),
                1 => parts.path_and_query = Some(PathAndQuery::generate(source)),
                2 => {
                    parts.scheme = Some(Scheme::generate(source));
                    parts.authority = Some(Authority::generate(source));
                    parts.path_and_query = Some(PathAndQuery::generate(source));
                }
                3 => parts.authority = Some(Authority::generate(source)),
                _ => parts.path_and_query = Some(PathAndQuery::from_static("*")),
            });
            expected(Uri::from_parts(parts).ok(), "a URI")
        })
    }
}

macro_rules! parsed {
    ($($type:ident, $path:literal;)*) => {$(
        impl ToCode for $type {
            #[inline]
            fn to_code(&self, code: &mut Code) {
                let text = self.to_string();
                code.format(format_args!(concat!("{:?}.parse::<", $path, ">().unwrap()"), text));
            }
        }
    )*};
}
parsed! {
    Uri, "http::Uri";
    Scheme, "http::uri::Scheme";
    Authority, "http::uri::Authority";
    PathAndQuery, "http::uri::PathAndQuery";
}

/// Generates a message without extensions.
impl<T: Generate> Generate for Request<T> {
    fn generate(source: &mut Source) -> Request<T> {
        source.span(Label::group("Request"), |source| {
            let mut request = Request::new(());
            *request.method_mut() = Method::generate(source);
            *request.uri_mut() = Uri::generate(source);
            *request.version_mut() = Version::generate(source);
            *request.headers_mut() = HeaderMap::generate(source);
            request.map(|()| T::generate(source))
        })
    }
}

/// Writes what differs from the defaults.
impl<T: ToCode> ToCode for Request<T> {
    fn to_code(&self, code: &mut Code) {
        code.push("http::Request::builder()");
        if self.method() != Method::GET {
            code.call(".method", &[self.method()]);
        }
        if *self.uri() != *"/" {
            code.call(".uri", &[self.uri()]);
        }
        write_rest(code, self.version(), self.headers(), self.body());
    }
}

/// Generates a message without extensions.
impl<T: Generate> Generate for Response<T> {
    fn generate(source: &mut Source) -> Response<T> {
        source.span(Label::group("Response"), |source| {
            let mut response = Response::new(());
            *response.status_mut() = StatusCode::generate(source);
            *response.version_mut() = Version::generate(source);
            *response.headers_mut() = HeaderMap::generate(source);
            response.map(|()| T::generate(source))
        })
    }
}

/// Writes what differs from the defaults.
impl<T: ToCode> ToCode for Response<T> {
    fn to_code(&self, code: &mut Code) {
        code.push("http::Response::builder()");
        if self.status() != StatusCode::OK {
            code.call(".status", &[&self.status()]);
        }
        write_rest(code, self.version(), self.headers(), self.body());
    }
}

fn write_rest(code: &mut Code, version: Version, headers: &HeaderMap, body: &dyn ToCode) {
    if version != Version::HTTP_11 {
        code.call(".version", &[&version]);
    }
    for (name, value) in headers {
        code.call(".header", &[name, value]);
    }
    code.call(".body", &[body]);
    code.push(".unwrap()");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::{drawn, prints, replays, squeezed};
    use rebut::find;

    #[test]
    fn addresses_parse_again() {
        for uri in drawn(&any::<Uri>(), 2000) {
            assert_eq!(uri.to_string().parse::<Uri>().ok().as_ref(), Some(&uri));
        }
        for (scheme, authority) in drawn(&any::<(Scheme, Authority)>(), 2000) {
            assert_eq!(scheme.as_str().parse::<Scheme>().ok(), Some(scheme));
            assert_eq!(authority.as_str().parse::<Authority>().ok(), Some(authority));
        }
        let all = drawn(&any::<Authority>(), 2000);
        assert!(all.iter().any(|authority| authority.port_u16() == Some(0)));
        assert!(all.iter().any(|authority| authority.port_u16() == Some(65_535)));
        assert!(all.iter().any(|authority| authority.host().starts_with('[')));
        replays(&any::<(Uri, Scheme, Authority, PathAndQuery)>());
    }

    #[test]
    fn names_and_values_parse_again() {
        for (method, name) in drawn(&any::<(Method, HeaderName)>(), 2000) {
            assert_eq!(method.as_str().parse::<Method>().ok(), Some(method));
            assert_eq!(name.as_str().parse::<HeaderName>().ok(), Some(name));
        }
        let values = drawn(&any::<HeaderValue>(), 2000);
        assert!(values.iter().any(|value| value.to_str().is_err()));
        assert!(values.iter().any(|value| value.as_bytes().contains(&b'\t')));
        assert!(values.iter().any(|value| value.as_bytes().contains(&0xFF)));
        let codes = drawn(&any::<StatusCode>(), 2000);
        assert!(codes.iter().any(|code| code.as_u16() == 100));
        assert!(codes.iter().any(|code| code.as_u16() == 999));
        let maps = drawn(&any::<HeaderMap>(), 2000);
        assert!(maps.iter().any(|map| map.len() > map.keys_len()));
        replays(&any::<(Method, StatusCode, HeaderName, HeaderValue, HeaderMap, Version)>());
    }

    #[test]
    fn messages_shrink_to_their_defaults() {
        let request = find(rebut::any::<Request<u8>>(), |_| true).expect("a request");
        assert_eq!(Code::of(&request), "http::Request::builder().body(0).unwrap()");
        let response = find(rebut::any::<Response<String>>(), |_| true).expect("a response");
        assert_eq!(Code::of(&response), {
            "http::Response::builder().body(\"\".to_string()).unwrap()"
        });
        let found = find(rebut::any::<Request<()>>(), |request| {
            request.headers().contains_key(header::COOKIE) && request.uri().scheme().is_some()
        });
        assert_eq!(Code::of(&found.expect("a request")), {
            "http::Request::builder().uri(\"http://a/\".parse::<http::Uri>().unwrap())\
             .header(http::HeaderName::from_static(\"cookie\"), \
             http::HeaderValue::from_static(\"\")).body(()).unwrap()"
        });
        assert_eq!(find(rebut::any::<Uri>(), |_| true), Some(Uri::from_static("/")));
        let other = find(rebut::any(), |(_, n): &(Uri, u8)| *n > 3);
        assert_eq!(other, Some((Uri::from_static("/"), 4)));
        assert_eq!(find(rebut::any::<Scheme>(), |_| true), Some(Scheme::HTTP));
        assert_eq!(find(rebut::any::<Version>(), |_| true), Some(Version::HTTP_11));
        assert_eq!(find(rebut::any::<Method>(), |_| true), Some(Method::GET));
        let safe = find(rebut::any(), |method: &Method| method.as_str().contains('x'));
        assert_eq!(safe.as_ref().map(Method::as_str), Some("x"));
        let name = find(rebut::any(), |name: &HeaderName| name.as_str().contains('_'));
        assert_eq!(name.as_ref().map(HeaderName::as_str), Some("_"));
        let port = find(rebut::any(), |authority: &Authority| authority.port().is_some());
        assert_eq!(port.as_ref().map(Authority::as_str), Some("a:0"));
        let query = find(rebut::any(), |path: &PathAndQuery| path.query().is_some());
        assert_eq!(query.as_ref().map(PathAndQuery::as_str), Some("/?"));
        let map = find(rebut::any(), |map: &HeaderMap<u8>| map.len() > map.keys_len());
        let twice = [(header::ACCEPT, 0), (header::ACCEPT, 0)];
        assert_eq!(map, Some(HeaderMap::from_iter(twice)));
        let error = find(rebut::any(), StatusCode::is_server_error);
        assert_eq!(error, Some(StatusCode::INTERNAL_SERVER_ERROR));
        let opaque = find(rebut::any(), |value: &HeaderValue| value.to_str().is_err());
        assert_eq!(opaque, HeaderValue::from_bytes(&[0x80]).ok());
    }

    #[test]
    fn parts_of_messages_are_printed() {
        prints!(http::Method::PATCH);
        prints!(http::Method::from_bytes(b"PURGE").unwrap());
        prints!(http::StatusCode::from_u16(404).unwrap());
        prints!(http::Version::HTTP_2);
        prints!(http::HeaderName::from_static("x-a"));
        prints!(http::HeaderValue::from_static("a \"b\""));
        prints!(http::HeaderValue::from_bytes(b"a\xff").unwrap());
        prints!("http://a:80/b?c".parse::<http::Uri>().unwrap());
        prints!("http".parse::<http::uri::Scheme>().unwrap());
        prints!("u@a:0".parse::<http::uri::Authority>().unwrap());
        prints!("*".parse::<http::uri::PathAndQuery>().unwrap());
        prints!(http::HeaderMap::from_iter([
            (http::HeaderName::from_static("a"), http::HeaderValue::from_static("1")),
            (http::HeaderName::from_static("a"), http::HeaderValue::from_static("2"))
        ]));
    }

    #[test]
    fn messages_are_printed_without_defaults() {
        macro_rules! prints_message {
            ($code:expr) => {
                #[allow(clippy::unwrap_used, reason = "printed code unwraps")]
                let message = $code;
                assert_eq!(squeezed(&Code::of(&message)), squeezed(stringify!($code)));
            };
        }
        prints_message!(
            http::Request::builder()
                .method(http::Method::PUT)
                .uri("/a".parse::<http::Uri>().unwrap())
                .version(http::Version::HTTP_10)
                .header(http::HeaderName::from_static("a"), http::HeaderValue::from_static("1"))
                .body(1)
                .unwrap()
        );
        prints_message!(
            http::Response::builder()
                .status(http::StatusCode::from_u16(404).unwrap())
                .body(())
                .unwrap()
        );
    }

    #[test]
    fn sensitive_values_are_not_printed() {
        let mut value = HeaderValue::from_static("hunter2");
        value.set_sensitive(true);
        assert_eq!(Code::of(&value), "/* a sensitive header value */");
    }
}
