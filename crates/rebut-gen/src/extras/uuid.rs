//! Identifiers of the crate `uuid`.

use rebut_choice::{Label, Source};
use uuid::Uuid;

use crate::{Code, Generate, ToCode};

/// Generates the nil UUID, a random one (version 4) or the largest one. The version bits are not
/// choices.
impl Generate for Uuid {
    #[inline]
    fn generate(source: &mut Source) -> Uuid {
        source.span(Label::group("Uuid"), |source| {
            let kind = source.alternative(3, &[1, 8, 1], 3);
            source.span(Label::ALTERNATIVE, |source| match kind {
                0 => Uuid::nil(),
                1 => draw_random(source),
                _ => Uuid::max(),
            })
        })
    }
}

fn draw_random(source: &mut Source) -> Uuid {
    let high = source.integer(0, (1 << 60) - 1) as u64;
    let low = source.integer(0, (1 << 62) - 1) as u64;
    let version = 0x4000 | (high & 0xFFF);
    let variant = 1 << 63;
    Uuid::from_u64_pair((high >> 12) << 16 | version, variant | low)
}

impl ToCode for Uuid {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.format(format_args!("uuid::Uuid::from_u128({:#x})", self.as_u128()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::{drawn, replays};

    #[test]
    fn random_uuids_have_version_four() {
        let all = drawn(&any::<Uuid>(), 200);
        assert!(all.contains(&Uuid::nil()) && all.contains(&Uuid::max()));
        let random = all.iter().filter(|id| !id.is_nil() && !id.is_max());
        assert!(random.clone().count() > 100);
        assert!(random.clone().all(|id| id.get_version_num() == 4));
        assert!(random.clone().all(|id| id.get_variant() == uuid::Variant::RFC4122));
        replays(&any::<Uuid>());
        assert_eq!(Code::of(&Uuid::from_u128(255)), "uuid::Uuid::from_u128(0xff)");
    }
}
