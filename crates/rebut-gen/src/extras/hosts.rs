//! Hosts of addresses, drawn part by part.

use std::net::{Ipv4Addr, Ipv6Addr};

use rebut_choice::{Label, Source};

use crate::Generate;
use crate::class::{Class, draw_range};
use crate::sequences::draw_sequence;
use crate::strings::draw_text;

/// The maximum number of labels of a host, which is arbitrary, and of characters of a label, which
/// DNS defines.
const LABELS_MAX: usize = 4;
const LABEL_MAX: usize = 63;

/// A host as users write it.
pub(super) enum DrawnHost {
    Domain(String),
    Ipv4(Ipv4Addr),
    Ipv6(Ipv6Addr),
}

impl std::fmt::Display for DrawnHost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DrawnHost::Domain(domain) => write!(f, "{domain}"),
            DrawnHost::Ipv4(address) => write!(f, "{address}"),
            DrawnHost::Ipv6(address) => write!(f, "[{address}]"),
        }
    }
}

/// Draws a domain name, an IPv4 address or an IPv6 address.
pub(super) fn draw_host(
    source: &mut Source,
    draw_label: impl FnMut(&mut Source) -> String,
) -> DrawnHost {
    source.span(Label::group("host"), |source| {
        let kind = source.alternative(3, &[4, 1, 1], 3);
        source.span(Label::ALTERNATIVE, |source| match kind {
            0 => {
                let labels = draw_sequence(source, (1, LABELS_MAX), false, draw_label);
                DrawnHost::Domain(labels.join("."))
            }
            1 => DrawnHost::Ipv4(Ipv4Addr::generate(source)),
            _ => DrawnHost::Ipv6(Ipv6Addr::generate(source)),
        })
    })
}

/// Draws a label of letters, digits and hyphens. It begins with a letter, because a domain that
/// ends with a number is an IPv4 address.
pub(super) fn draw_label(source: &mut Source) -> String {
    let class = Class::new(&[('a', 'z'), ('0', '9'), ('-', '-')]);
    let mut is_first = true;
    draw_text(source, (1, LABEL_MAX), |source| {
        if std::mem::take(&mut is_first) {
            draw_range(source, 'a', 'z')
        } else {
            class.draw(source)
        }
    })
}

/// Draws something or nothing; nothing twice as often.
pub(super) fn draw_optional<T>(
    source: &mut Source,
    draw: impl FnOnce(&mut Source) -> T,
) -> Option<T> {
    source.span(Label::group("optional"), |source| source.presence(2, 1).then(|| draw(source)))
}
