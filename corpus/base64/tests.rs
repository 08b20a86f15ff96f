extern crate base64;
extern crate rebut;

use base64::{CharacterSet, Config, LineEnding, LineWrap};
use rebut::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq, Generate)]
enum Ending {
    Lf,
    CrLf,
}

#[derive(Debug, Clone, rebut::Generate)]
struct Settings {
    url_safe: bool,
    pad: bool,
    strip: bool,
    wrap: Option<(u8, Ending)>,
}

impl Settings {
    fn config(&self) -> Config {
        let set = if self.url_safe { CharacterSet::UrlSafe } else { CharacterSet::Standard };
        let wrap = match self.wrap {
            None => LineWrap::NoWrap,
            Some((width, Ending::Lf)) => LineWrap::Wrap(width as usize, LineEnding::LF),
            Some((width, Ending::CrLf)) => LineWrap::Wrap(width as usize, LineEnding::CRLF),
        };
        Config::new(set, self.pad, self.strip, wrap)
    }
}

// expect: passed
#[rebut::test]
fn standard_round_trips(bytes: Vec<u8>) {
    assert_eq!(base64::decode(&base64::encode(&bytes)), Ok(bytes));
}

// Wrapped output only decodes if whitespace is stripped.
// expect: failed: InvalidByte
#[rebut::test]
fn every_config_round_trips(bytes: Vec<u8>, settings: Settings) -> Result<(), base64::DecodeError> {
    let config = settings.config();
    let text = base64::encode_config(&bytes, config);
    let decoded = try!(base64::decode_config(&text, config));
    assert_eq!(decoded, bytes);
    Ok(())
}

// expect: passed
#[rebut::test]
fn configs_that_strip_whitespace_round_trip(bytes: &[u8], settings: &mut Settings) {
    settings.strip = true;
    let config = settings.config();
    let text = base64::encode_config(bytes, config);
    let decoded = base64::decode_config(&text, config);
    assert_eq!(decoded, Ok(bytes.to_vec()));
}

// The source has a FIXME: a buffer that is not empty is not wrapped.
// expect: failed
#[rebut::test]
fn appending_to_a_buffer_is_concatenation(prefix: String, bytes: Vec<u8>, settings: Settings) {
    let mut buffer = prefix.clone();
    base64::encode_config_buf(&bytes, settings.config(), &mut buffer);
    assert_eq!(buffer, prefix + &base64::encode_config(&bytes, settings.config()));
}

// expect: passed
#[rebut::test]
fn decoding_never_panics(text: &str, settings: Settings) {
    let _ = base64::decode_config(text, settings.config());
}

// Trailing bits are not checked, and padding is optional.
// expect: failed
#[rebut::test]
fn encoding_what_was_decoded_is_the_identity(#[from(strings().alphabet(chars().one_of("ABab01+/=")))] text: String) {
    if let Ok(bytes) = base64::decode(&text) {
        assert_eq!(base64::encode(&bytes), text);
    }
}

// Random text is hardly ever base64.
// expect: passed
#[rebut::test]
fn decoded_text_is_not_longer(text: String) {
    let bytes = match base64::decode(&text) {
        Ok(bytes) => bytes,
        Err(_) => return,
    };
    assert!(bytes.len() <= text.len());
}

// expect: failed
#[rebut::test]
fn lines_have_the_width(bytes: [u8; 12], #[from(1..=20u8)] width: u8, crlf: bool) {
    let settings = Settings { url_safe: false, pad: true, strip: false, wrap: Some((width, if crlf { Ending::CrLf } else { Ending::Lf })) };
    let text = base64::encode_config(&bytes[..], settings.config());
    for line in text.split('\n') {
        assert!(line.len() <= width as usize, "{:?}", line);
    }
}

/// A buffer of base64 text, and the bytes that it should decode to.
#[derive(Debug)]
pub struct Buffer {
    text: String,
    bytes: Vec<u8>,
}

#[rebut::contract]
impl Buffer {
    pub fn empty() -> Buffer {
        Buffer { text: String::new(), bytes: vec![] }
    }

    #[ensures(self.text.len() % 4 == 0)]
    #[ensures(self.text.len() >= old(self.text.len()))]
    pub fn append(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        base64::encode_config_buf(bytes, base64::STANDARD, &mut self.text);
    }

    #[ensures(result.is_ok())]
    pub fn decoded(&self) -> Result<Vec<u8>, String> {
        match base64::decode(&self.text) {
            Ok(ref bytes) if *bytes != self.bytes => Err(format!("{:?}", bytes)),
            Ok(bytes) => Ok(bytes),
            Err(error) => Err(error.to_string()),
        }
    }
}

// Padding in the middle does not decode.
// expect: failed: result.is_ok()
#[rebut::test]
fn concatenated_texts_decode(program: rebut::Program<Buffer>) {
    program.run();
}
