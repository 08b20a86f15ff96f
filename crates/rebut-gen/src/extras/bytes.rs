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
        code.call("bytes::Bytes::from_static", &[&&**self]);
    }
}

impl Generate for BytesMut {
    #[inline]
    fn generate(source: &mut Source) -> BytesMut {
        Bytes::generate(source).into()
    }
}

impl ToCode for BytesMut {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.push("bytes::BytesMut::from(bytes::Bytes::from_static(");
        <&[u8]>::to_code(&&**self, code);
        code.push("))");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::replays;

    #[test]
    fn buffers_are_lists_of_bytes() {
        replays(&any::<(Bytes, BytesMut)>());
        assert_eq!(Code::of(&Bytes::from_static(&[1, 2])), "bytes::Bytes::from_static(&[1, 2])");
        let buffer = BytesMut::from(&[1, 2][..]);
        assert_eq!(Code::of(&buffer), "bytes::BytesMut::from(bytes::Bytes::from_static(&[1, 2]))");
    }
}
