//! Network addresses, drawn part by part.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

use rebut_choice::{Label, Source};

use crate::{Any, Code, Generate, ToCode, any};

/// Generates IP addresses of version 4 or 6. Shrinks to `0.0.0.0`.
///
/// # Examples
/// ```
/// use rebut::{find, ip_addresses, simplest};
///
/// assert_eq!(simplest(&ip_addresses()).to_string(), "0.0.0.0");
/// let found = find(ip_addresses(), |address| address.is_ipv6());
/// assert_eq!(found.unwrap().to_string(), "::");
/// ```
#[must_use]
pub fn ip_addresses() -> Any<IpAddr> {
    any()
}

/// Generates IPv4 addresses. Shrinks to `0.0.0.0`.
///
/// # Examples
/// ```
/// use rebut::{ipv4_addresses, simplest};
///
/// assert_eq!(simplest(&ipv4_addresses()).octets(), [0, 0, 0, 0]);
/// ```
#[must_use]
pub fn ipv4_addresses() -> Any<Ipv4Addr> {
    any()
}

/// Generates IPv6 addresses. Shrinks to `::`.
///
/// # Examples
/// ```
/// use rebut::{ipv6_addresses, simplest};
///
/// assert_eq!(simplest(&ipv6_addresses()).to_string(), "::");
/// ```
#[must_use]
pub fn ipv6_addresses() -> Any<Ipv6Addr> {
    any()
}

/// Generates IP addresses with a port. Shrinks to `0.0.0.0:0`.
///
/// # Examples
/// ```
/// use rebut::{sample, simplest, socket_addresses};
///
/// assert_eq!(simplest(&socket_addresses()).to_string(), "0.0.0.0:0");
/// let address = sample(&socket_addresses(), 1);
/// assert_eq!(address.to_string().parse(), Ok(address));
/// ```
#[must_use]
pub fn socket_addresses() -> Any<SocketAddr> {
    any()
}

impl Generate for Ipv4Addr {
    #[inline]
    fn generate(source: &mut Source) -> Ipv4Addr {
        <[u8; 4]>::generate(source).into()
    }
}

impl Generate for Ipv6Addr {
    #[inline]
    fn generate(source: &mut Source) -> Ipv6Addr {
        <[u16; 8]>::generate(source).into()
    }
}

impl Generate for IpAddr {
    #[inline]
    fn generate(source: &mut Source) -> IpAddr {
        draw_version(source, Label::group("IpAddr"), Ipv4Addr::generate, Ipv6Addr::generate)
    }
}

fn draw_version<T, A: Into<T>, B: Into<T>>(
    source: &mut Source,
    label: Label,
    four: impl FnOnce(&mut Source) -> A,
    six: impl FnOnce(&mut Source) -> B,
) -> T {
    source.span(label, |source| {
        let is_six = source.alternative(2, &[], 2) == 1;
        source.span(Label::ALTERNATIVE, |source| {
            if is_six { six(source).into() } else { four(source).into() }
        })
    })
}

impl Generate for SocketAddrV4 {
    #[inline]
    fn generate(source: &mut Source) -> SocketAddrV4 {
        SocketAddrV4::new(Ipv4Addr::generate(source), u16::generate(source))
    }
}

impl Generate for SocketAddrV6 {
    #[inline]
    fn generate(source: &mut Source) -> SocketAddrV6 {
        let (address, port) = <(Ipv6Addr, u16)>::generate(source);
        // The usual notation has no flow label and no scope.
        SocketAddrV6::new(address, port, 0, 0)
    }
}

impl Generate for SocketAddr {
    #[inline]
    fn generate(source: &mut Source) -> SocketAddr {
        let label = Label::group("SocketAddr");
        draw_version(source, label, SocketAddrV4::generate, SocketAddrV6::generate)
    }
}

impl ToCode for Ipv4Addr {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        let [a, b, c, d] = self.octets();
        code.format(format_args!("std::net::Ipv4Addr::new({a}, {b}, {c}, {d})"));
    }
}

impl ToCode for Ipv6Addr {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        let segments = self.segments().map(|segment| match segment {
            0..10 => segment.to_string(),
            _ => format!("{segment:#x}"),
        });
        code.format(format_args!("std::net::Ipv6Addr::new({})", segments.join(", ")));
    }
}

impl ToCode for IpAddr {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        match self {
            IpAddr::V4(address) => code.call("std::net::IpAddr::V4", &[address]),
            IpAddr::V6(address) => code.call("std::net::IpAddr::V6", &[address]),
        }
    }
}

impl ToCode for SocketAddrV4 {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.call("std::net::SocketAddrV4::new", &[self.ip(), &self.port()]);
    }
}

impl ToCode for SocketAddrV6 {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        let arguments: [&dyn ToCode; 4] =
            [self.ip(), &self.port(), &self.flowinfo(), &self.scope_id()];
        code.call("std::net::SocketAddrV6::new", &arguments);
    }
}

impl ToCode for SocketAddr {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        match self {
            SocketAddr::V4(address) => code.call("std::net::SocketAddr::V4", &[address]),
            SocketAddr::V6(address) => code.call("std::net::SocketAddr::V6", &[address]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{drawn, prints, replays};

    #[test]
    fn both_versions_are_drawn() {
        let all = drawn(&ip_addresses(), 100);
        assert!(all.iter().any(IpAddr::is_ipv4) && all.iter().any(IpAddr::is_ipv6));
        replays(&socket_addresses());
    }

    #[test]
    fn addresses_are_written_part_by_part() {
        prints!(
            std::net::SocketAddr::V4(std::net::SocketAddrV4::new(
                std::net::Ipv4Addr::new(127, 0, 0, 1),
                80
            )),
            SocketAddr::from(([127, 0, 0, 1], 80))
        );
        prints!(std::net::IpAddr::V6(std::net::Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1)));
    }
}
