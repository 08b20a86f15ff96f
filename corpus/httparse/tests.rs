use httparse::{EMPTY_HEADER, Error, Header, ParserConfig, Request, Response, Status, parse_chunk_size, parse_headers};
use rebut::prelude::*;

// Random bytes are no request.
// expect: vacuous
#[rebut::test]
fn requests_never_panic(bytes: Vec<u8>) {
    let mut headers = [EMPTY_HEADER; 4];
    let mut request = Request::new(&mut headers);
    if let Ok(Status::Complete(size)) = request.parse(&bytes) {
        assert!(size <= bytes.len());
    }
}

// Random bytes are no request.
// expect: vacuous
#[rebut::test]
fn parsed_requests_have_a_method(#[from(vecs(integers::<u8>().min_value(1)).min_size(3).max_size(20))] bytes: Vec<u8>) {
    let mut headers = [EMPTY_HEADER; 2];
    let mut request = Request::new(&mut headers);
    match request.parse(&bytes) {
        Ok(Status::Complete(_)) => {}
        Ok(Status::Partial) | Err(_) => return,
    }
    assert!(request.method.is_some());
}

#[derive(Debug, Clone, PartialEq, Generate)]
enum Method {
    Get,
    Post,
    Other(#[generate(strings().alphabet(chars().one_of("ABc-!")).min_size(1).max_size(5))] String),
}

#[derive(Debug, Clone, PartialEq, Generate)]
struct Line {
    #[generate(strings().alphabet(chars().one_of("aB-_9")).min_size(1).max_size(6))]
    name: String,
    #[generate(strings().alphabet(chars().one_of("ab \t;")).max_size(8))]
    value: String,
}

#[derive(Debug, Clone, Generate)]
struct Message {
    method: Method,
    #[generate(strings().alphabet(chars().one_of("/a?=%")).min_size(1).max_size(8))]
    path: String,
    #[generate(0..=1)]
    minor: u8,
    #[generate(max_size = 3)]
    lines: Vec<Line>,
}

impl Message {
    fn bytes(&self) -> Vec<u8> {
        let method = match &self.method {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Other(name) => name,
        };
        let mut text = format!("{method} {} HTTP/1.{}\r\n", self.path, self.minor);
        for Line { name, value } in &self.lines {
            text += &format!("{name}: {value}\r\n");
        }
        text += "\r\n";
        text.into_bytes()
    }
}

/// Parses a whole request, and hands over its header lines.
fn with_headers<T>(bytes: &[u8], take: impl FnOnce(&Request<'_, '_>) -> T) -> Result<Option<T>, Error> {
    let mut headers = [EMPTY_HEADER; 3];
    let mut request = Request::new(&mut headers);
    Ok(match request.parse(bytes)? {
        Status::Complete(_) => Some(take(&request)),
        Status::Partial => None,
    })
}

// expect: passed
#[rebut::test]
fn messages_are_requests(message: Message) -> Result<(), Error> {
    let count = with_headers(&message.bytes(), |request| {
        assert_eq!(request.path, Some(message.path.as_str()));
        assert_eq!(request.version, Some(message.minor));
        request.headers.len()
    })?;
    assert_eq!(count, Some(message.lines.len()));
    Ok(())
}

// White space around a value is not part of it.
// expect: failed
#[rebut::test]
fn values_are_kept(message: Message) -> Result<(), Error> {
    with_headers(&message.bytes(), |request| {
        for (header, line) in request.headers.iter().zip(&message.lines) {
            assert_eq!(header.name, line.name);
            assert_eq!(std::str::from_utf8(header.value).unwrap(), line.value);
        }
    })?;
    Ok(())
}

// expect: passed
#[rebut::test]
fn a_prefix_is_partial(message: Message, cut: usize) {
    let bytes = message.bytes();
    let prefix = &bytes[..cut % bytes.len()];
    let mut headers = [EMPTY_HEADER; 3];
    assert_eq!(Request::new(&mut headers).parse(prefix), Ok(Status::Partial));
}

// expect: failed: TooManyHeaders
#[rebut::test]
fn one_header_is_enough(message: Message) -> Result<(), Error> {
    let mut headers = [EMPTY_HEADER; 1];
    Request::new(&mut headers).parse(&message.bytes()).map(drop)
}

// expect: failed: called `Result::unwrap()` on an `Err` value: Status
#[rebut::test]
fn codes_have_any_number_of_digits(code: u16, reason: Option<&str>) {
    let text = match reason {
        Some(reason) if reason.is_ascii() && !reason.contains(char::is_control) => format!("HTTP/1.1 {code} {reason}\r\n\r\n"),
        _ => format!("HTTP/1.1 {code}\r\n\r\n"),
    };
    let mut headers: [Header<'_>; 0] = [];
    let mut response = Response::new(&mut headers);
    assert!(response.parse(text.as_bytes()).unwrap().is_complete());
    assert_eq!(response.code, Some(code));
}

// expect: proved: 900
#[rebut::test]
fn all_codes_are_read(#[from(100..1000u16)] code: u16) {
    let text = format!("HTTP/1.0 {code} \r\n\r\n");
    let mut headers = [];
    let mut response = Response::new(&mut headers);
    assert_eq!(response.parse(text.as_bytes()), Ok(Status::Complete(text.len())));
    assert_eq!((response.code, response.reason), (Some(code), Some("")));
}

// expect: passed
#[rebut::test]
fn chunk_sizes_are_hexadecimal(size: u64, upper: bool, rest: &[u8]) {
    let mut text = if upper { format!("{size:X}\r\n") } else { format!("{size:x}\r\n") }.into_bytes();
    let end = text.len();
    text.extend(rest);
    assert_eq!(parse_chunk_size(&text), Ok(Status::Complete((end, size))));
}

// Sixteen digits at most.
// expect: failed
#[rebut::test]
fn zeros_before_a_chunk_size_change_nothing(size: u64, #[from(0..=9)] zeros: usize) {
    let text = format!("{}{size:x}\r\n", "0".repeat(zeros));
    let parsed = parse_chunk_size(text.as_bytes());
    assert!(matches!(parsed, Ok(Status::Complete((_, found))) if found == size), "{:?}", parsed);
}

// The configuration is only about responses.
// expect: failed
#[rebut::test]
fn spaces_after_names_are_allowed([first, second]: [bool; 2], names: Vec<Line>) {
    let mut config = ParserConfig::default();
    config.allow_spaces_after_header_name_in_responses(first);
    let mut text = String::from("HTTP/1.1 200 OK\r\n");
    for line in &names {
        text += &line.name;
        text += if second { " : " } else { ": " };
        text += line.value.trim();
        text += "\r\n";
    }
    text += "\r\n";
    assume!(names.len() < 9);
    let mut headers = [EMPTY_HEADER; 8];
    let mut response = Response::new(&mut headers);
    let parsed = config.parse_response(&mut response, text.as_bytes());
    assert_eq!(parsed, Ok(Status::Complete(text.len())));
}

// expect: passed
#[rebut::test]
fn headers_are_slices_of_the_input(lines: Vec<Line>) {
    let mut text = String::new();
    for line in lines.iter().take(4) {
        text.push_str(&format!("{}:{}\n", line.name, line.value));
    }
    text.push_str("\r\n");
    let mut headers = [EMPTY_HEADER; 4];
    let (end, parsed) = match parse_headers(text.as_bytes(), &mut headers) {
        Ok(Status::Complete(complete)) => complete,
        other => panic!("{other:?}"),
    };
    assert_eq!(end, text.len());
    let range = text.as_bytes().as_ptr_range();
    for header in parsed {
        assert!(header.value.is_empty() || range.contains(&header.value.as_ptr()));
    }
}

/// Where bytes come from.
#[rebut::mock]
pub trait Connection {
    #[from(integers().max_value(buffer.len()))]
    fn receive(&mut self, #[drawn(result)] buffer: &mut [u8]) -> usize;

    fn is_open(&self) -> bool;
}

/// Reads the size of a chunk.
fn read_chunk_size(connection: &mut dyn Connection) -> Option<u64> {
    let mut buffer = [0; 2];
    let mut filled = 0;
    while connection.is_open() {
        filled += connection.receive(&mut buffer[filled..]);
        match parse_chunk_size(&buffer[..filled]) {
            Ok(Status::Complete((end, size))) => {
                assert_eq!(buffer[end - 1], b'\n');
                return Some(size);
            }
            Ok(Status::Partial) if filled == 2 => panic!("the buffer is full"),
            Ok(Status::Partial) => {}
            Err(_) => return None,
        }
    }
    None
}

// expect: failed: the buffer is full
#[rebut::test]
fn chunk_sizes_fit_into_the_buffer(mut connection: MockConnection) {
    read_chunk_size(&mut connection);
}

/// A parser that gets its bytes in pieces.
#[derive(Debug, Clone)]
pub struct Incremental {
    buffer: Vec<u8>,
    done: Option<usize>,
}

#[rebut::contract]
#[invariant(self.done.is_none_or(|size| size <= self.buffer.len()))]
impl Incremental {
    pub fn new() -> Self {
        Incremental { buffer: Vec::new(), done: None }
    }

    pub fn with(prefix: impl Into<String>) -> Self {
        Incremental { buffer: prefix.into().into_bytes(), done: None }
    }

    #[requires(self.done.is_none())]
    #[ensures(self.buffer.len() == old(self.buffer.len()) + bytes.len())]
    pub fn feed(&mut self, bytes: &[u8]) -> Result<bool, String> {
        self.buffer.extend_from_slice(bytes);
        let mut headers = [EMPTY_HEADER; 2];
        let mut response = Response::new(&mut headers);
        match response.parse(&self.buffer) {
            Ok(Status::Complete(size)) => {
                self.done = Some(size);
                Ok(true)
            }
            Ok(Status::Partial) => Ok(false),
            Err(error) => {
                self.buffer.clear();
                Err(error.to_string())
            }
        }
    }

    #[ensures(result.len() <= self.buffer.len())]
    pub fn line(&self) -> &[u8] {
        self.buffer.split(|byte| *byte == b'\n').next().unwrap_or_default()
    }

    pub fn rest(self) -> Option<Vec<u8>> {
        self.done.map(|size| self.buffer[size..].to_vec())
    }
}

// The buffer is cleared after an error.
// expect: failed: self.buffer.len()
#[rebut::test]
fn incremental_parsers_keep_their_contract(program: rebut::Program<Incremental>) {
    program.run();
}
