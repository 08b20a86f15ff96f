//! Networks of the crate `ipnet`.

use std::net::{Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use rebut_choice::{Label, Source};

use crate::misuse::expected;
use crate::{Code, Generate, ToCode};

macro_rules! network {
    ($($type:ident, $address:ident, $bits:literal, $path:literal;)*) => {$(
        /// Generates an address and the length of a prefix. The address can be any of the network.
        impl Generate for $type {
            #[inline]
            fn generate(source: &mut Source) -> $type {
                source.span(Label::group(stringify!($type)), |source| {
                    let address = $address::generate(source);
                    let prefix = source.integer(0, $bits) as u8;
                    expected($type::new(address, prefix).ok(), "a network")
                })
            }
        }

        impl ToCode for $type {
            #[inline]
            fn to_code(&self, code: &mut Code) {
                code.call($path, &[&self.addr(), &self.prefix_len()]);
                code.push(".unwrap()");
            }
        }
    )*};
}
network! {
    Ipv4Net, Ipv4Addr, 32, "ipnet::Ipv4Net::new";
    Ipv6Net, Ipv6Addr, 128, "ipnet::Ipv6Net::new";
}

impl Generate for IpNet {
    #[inline]
    fn generate(source: &mut Source) -> IpNet {
        source.span(Label::group("IpNet"), |source| {
            let is_six = source.alternative(2, &[], 2) == 1;
            source.span(Label::ALTERNATIVE, |source| {
                if is_six {
                    IpNet::V6(Ipv6Net::generate(source))
                } else {
                    IpNet::V4(Ipv4Net::generate(source))
                }
            })
        })
    }
}

impl ToCode for IpNet {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        match self {
            IpNet::V4(network) => code.call("ipnet::IpNet::V4", &[network]),
            IpNet::V6(network) => code.call("ipnet::IpNet::V6", &[network]),
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
    fn networks_of_every_length_parse_again() {
        let all = drawn(&any::<IpNet>(), 2000);
        assert!(all.iter().all(|network| network.to_string().parse() == Ok(*network)));
        let four =
            |bits| all.iter().any(|net| matches!(net, IpNet::V4(n) if n.prefix_len() == bits));
        let six =
            |bits| all.iter().any(|net| matches!(net, IpNet::V6(n) if n.prefix_len() == bits));
        assert!(four(0) && four(31) && four(32));
        assert!(six(0) && six(127) && six(128));
        assert!(all.iter().any(|network| network.addr() != network.network()));
        replays(&any::<(IpNet, Ipv4Net, Ipv6Net)>());
    }

    #[test]
    fn networks_shrink_to_all_addresses() {
        let text = |found: Option<IpNet>| found.map(|net| net.to_string()).unwrap_or_default();
        assert_eq!(text(find(rebut::any(), |_| true)), "0.0.0.0/0");
        let small = find(rebut::any(), |network: &IpNet| network.prefix_len() > 32);
        assert_eq!(text(small), "::/33");
    }

    #[test]
    fn networks_are_printed_part_by_part() {
        prints!(ipnet::IpNet::V4(
            ipnet::Ipv4Net::new(std::net::Ipv4Addr::new(10, 0, 0, 1), 8).unwrap()
        ));
        prints!(ipnet::IpNet::V6(
            ipnet::Ipv6Net::new(std::net::Ipv6Addr::new(0, 0, 0, 0, 0, 0, 0, 1), 128).unwrap()
        ));
    }
}
