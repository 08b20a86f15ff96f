//! Buffers of the crate `bytes`.

use bytes::{Bytes, BytesMut};
use rebut_choice::Source;

use crate::{Code, Generate, ToCode};

impl Generate for Bytes {
    #[inline]
    fn generate(source: &mut Source) -> Bytes {
        Vec::<u8>::generate(source).into()
    }
}

impl ToCode for Bytes {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.push("bytes::Bytes::from_static(&");
        (**self).to_code(code);
        code.push(")");
    }
}

impl Generate for BytesMut {
    #[inline]
    fn generate(source: &mut Source) -> BytesMut {
        BytesMut::from(&*Vec::<u8>::generate(source))
    }
}

impl ToCode for BytesMut {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.push("bytes::BytesMut::from(");
        <&[u8]>::to_code(&&**self, code);
        code.push(")");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::{drawn, prints, replays};
    use rebut::find;

    #[test]
    fn buffers_are_lists_of_bytes() {
        let all = drawn(&any::<(Bytes, BytesMut)>(), 2000);
        assert!(all.iter().any(|(bytes, _)| bytes.contains(&0xFF)));
        assert!(all.iter().any(|(_, buffer)| buffer.is_empty()));
        replays(&any::<(Bytes, BytesMut)>());
        assert_eq!(find(rebut::any(), |bytes: &Bytes| bytes.len() > 1), Some(vec![0, 0].into()));
        let found = find(rebut::any(), |buffer: &BytesMut| buffer.contains(&7));
        assert_eq!(found.as_deref(), Some(&[7][..]));
    }

    #[test]
    fn buffers_are_printed_as_slices() {
        prints!(bytes::Bytes::from_static(&[1, 2]));
        prints!(bytes::Bytes::from_static(&[]));
        prints!(bytes::BytesMut::from(&[1, 2][..]));
        prints!(bytes::BytesMut::from(&[][..]));
    }
}
