use data_encoding::*;
use rebut::prelude::*;
use std::collections::HashMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Generate)]
enum Base {
    HexLower,
    HexUpperPermissive,
    Base32,
    Base32Nopad,
    Base64,
    Base64Mime,
    Base64Url,
    Base64UrlNopad,
}

impl Base {
    fn encoding(self) -> Encoding {
        match self {
            Base::HexLower => HEXLOWER,
            Base::HexUpperPermissive => HEXUPPER_PERMISSIVE,
            Base::Base32 => BASE32,
            Base::Base32Nopad => BASE32_NOPAD,
            Base::Base64 => BASE64,
            Base::Base64Mime => BASE64_MIME,
            Base::Base64Url => BASE64URL,
            Base::Base64UrlNopad => BASE64URL_NOPAD,
        }
    }
}

// expect: passed
#[rebut::test]
fn decode_undoes_encode(base: Base, bytes: Vec<u8>) {
    let text = base.encoding().encode(&bytes);
    assert_eq!(text.len(), base.encoding().encode_len(bytes.len()));
    assert_eq!(base.encoding().decode(text.as_bytes()), Ok(bytes));
}

// The documentation allows a panic above usize::MAX / 512.
// expect: failed: assertion failed: len <= usize::MAX / 512
#[rebut::test]
fn encode_len_never_panics(base: Base, length: usize) {
    let _ = base.encoding().encode_len(length);
}

// expect: failed
#[rebut::test]
fn encoding_in_two_parts_is_concatenation(base: Base, front: &[u8], back: &[u8]) {
    let encoding = base.encoding();
    let mut whole = front.to_vec();
    whole.extend_from_slice(back);
    assert_eq!(encoding.encode(&whole), encoding.encode(front) + &encoding.encode(back));
}

// expect: passed
#[rebut::test]
fn an_encoder_takes_parts_of_any_length(base: Base, parts: Vec<Vec<u8>>) {
    let encoding = base.encoding();
    let mut output = String::new();
    let mut encoder = encoding.new_encoder(&mut output);
    for part in &parts {
        encoder.append(part);
    }
    encoder.finalize();
    assert_eq!(output, encoding.encode(&parts.concat()));
}

// Only the canonical ones have this property.
// expect: failed
#[rebut::test]
fn valid_text_is_canonical(base: Base, #[from(strings().alphabet(chars().one_of("AaBb2=\n")).max_size(8))] text: String) {
    let encoding = base.encoding();
    let Ok(bytes) = encoding.decode(text.as_bytes()) else { return };
    assert_eq!(encoding.encode(&bytes), text);
}

// expect: passed
#[rebut::test]
fn canonical_encodings_are_bijective(base: Base, #[from(strings().alphabet(chars().one_of("AaBb2=\n")).max_size(8))] text: String) {
    let encoding = base.encoding();
    assume!(encoding.is_canonical());
    if let Ok(bytes) = encoding.decode(text.as_bytes()) {
        assert_eq!(encoding.encode(&bytes), text);
    }
}

// expect: passed
#[rebut::test]
fn errors_are_within_the_text(base: Base, text: &[u8]) -> bool {
    match base.encoding().decode(text) {
        Ok(_) => true,
        Err(DecodeError { position, kind: DecodeKind::Length }) => position <= text.len(),
        Err(error) => error.position < text.len(),
    }
}

#[derive(Debug, Clone, Generate)]
struct Custom {
    #[generate(sampled_from(["01", "0123", "abcdefgh", "0123456789abcdef"]))]
    symbols: &'static str,
    padding: Option<char>,
    #[generate(strings().alphabet(chars().one_of(" -_\n")).max_size(3))]
    ignore: String,
    least_significant_first: bool,
}

// Paddings have to be ASCII, and not symbols or ignored.
// expect: failed
#[rebut::test]
fn every_specification_is_an_encoding(custom: Custom) -> Result<(), SpecificationError> {
    let mut specification = Specification::new();
    specification.symbols.push_str(custom.symbols);
    specification.padding = custom.padding;
    specification.ignore.push_str(&custom.ignore);
    if custom.least_significant_first {
        specification.bit_order = BitOrder::LeastSignificantFirst;
    }
    let encoding = specification.encoding()?;
    assert_eq!(encoding.decode(encoding.encode(b"rebut").as_bytes()), Ok(b"rebut".to_vec()));
    Ok(())
}

// expect: proved: 2048
#[rebut::test]
fn symbols_are_values(base: Base, byte: u8) {
    let encoding = base.encoding();
    if let Some(value) = encoding.interpret_byte(byte).is_symbol() {
        assert!(value < 1 << encoding.bit_width());
    }
}

// Different bases can have the same text.
// expect: failed
#[rebut::test]
fn texts_identify_entries(entries: HashMap<Base, Vec<u8>>) {
    let mut texts: Vec<String> = entries.iter().map(|(base, bytes)| base.encoding().encode(bytes)).collect();
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), entries.len());
}
