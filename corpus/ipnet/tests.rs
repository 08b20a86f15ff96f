//! Networks of addresses.

use ipnet::{IpNet, Ipv4Net, Ipv6Net, PrefixLenError};
use rebut::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Passes if a value has a form.
macro_rules! assert_is {
    ($value:expr, $pattern:pat $(if $guard:expr)?) => {
        match $value {
            $pattern $(if $guard)? => {}
            other => panic!("{other:?} is not {}", stringify!($pattern)),
        }
    };
}

/// A network that may have bits after its prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Generate)]
struct Net {
    address: [u8; 4],
    #[generate(..=32)]
    prefix: u8,
}

impl Net {
    fn get(self) -> Ipv4Net {
        Ipv4Net::new(self.address.into(), self.prefix).unwrap()
    }
}

// expect: passed
#[rebut::test]
fn display_then_parse(net: Net) -> Result<(), Box<dyn std::error::Error>> {
    let back: Ipv4Net = net.get().to_string().parse()?;
    assert_eq!(back, net.get());
    Ok(())
}

// Bits after the prefix are kept.
// expect: failed
#[rebut::test]
fn networks_are_truncated(net: Net) -> bool {
    net.get().trunc() == net.get()
}

// A prefix has at most 32 bits.
// expect: failed: PrefixLenError
#[rebut::test]
fn any_prefix_is_allowed(address: Ipv4Addr, prefix: u8) -> Result<(), PrefixLenError> {
    let net = Ipv4Net::new(address, prefix)?;
    assert!(net.contains(&address));
    Ok(())
}

// Networks of one or two addresses have no address for a broadcast.
// expect: failed
#[rebut::test]
fn hosts_leave_two_addresses_out(address: Ipv4Addr, #[from(24..=32)] prefix: u8) {
    let net = IpNet::new(IpAddr::V4(address), prefix).unwrap();
    let mut count = 0;
    for host in net.hosts() {
        assert!(net.contains(&host));
        count += 1;
    }
    assert_eq!(count + 2, 1 << (32 - prefix));
}

// Random text is no network, but the literals of the crate are.
// expect: passed
#[rebut::test]
fn parsed_networks_have_a_slash(text: String) {
    let Ok(net) = text.parse::<IpNet>() else { return };
    assert!(text.contains('/'), "{net}");
}

// expect: proved: 33
#[rebut::test]
fn a_prefix_becomes_a_mask_and_back(#[from(0..=32)] prefix: u8) {
    let net = Ipv4Net::new(Ipv4Addr::LOCALHOST, prefix).unwrap();
    assert_is!(Ipv4Net::with_netmask(net.addr(), net.netmask()), Ok(back) if back == net);
}

/// Number of addresses in a network.
fn size(net: Ipv6Net) -> u128 {
    1 << (128 - net.prefix_len())
}

// The largest network has one address too many.
// expect: failed: attempt to multiply with overflow
#[rebut::test]
fn a_subnet_is_half_as_large(address: Ipv6Addr, #[from(0..=127)] prefix: u8) {
    let net = Ipv6Net::new(address, prefix).unwrap();
    let subnets: Vec<Ipv6Net> = net.subnets(prefix + 1).unwrap().collect();
    assert_eq!(subnets.len(), 2);
    subnets.iter().for_each(|subnet| assert_eq!(size(*subnet) * 2, size(net)));
}

/// Checks that two networks are halves of one.
fn assert_siblings(one: &Ipv4Net, other: &Ipv4Net) {
    assert!(one.is_sibling(other), "{one} and {other}");
    assert_eq!(one.supernet(), other.supernet());
}

// expect: passed
#[rebut::test]
fn subnets_are_siblings(net: Net) {
    match net.get().subnets(net.prefix + 1) {
        Ok(mut halves) => match (halves.next(), halves.next(), halves.next()) {
            (Some(one), Some(other), None) => assert_siblings(&one, &other),
            other => panic!("{other:?}"),
        },
        Err(_) => assert_eq!(net.prefix, 32),
    }
}

// expect: passed
#[rebut::test]
fn containing_is_transitive(address: Ipv4Addr, #[from(vecs(0..=32_u8).size(3))] mut prefixes: Vec<u8>) {
    prefixes.sort();
    let nets: Vec<Ipv4Net> = prefixes.iter().map(|prefix| Ipv4Net::new(address, *prefix).unwrap()).collect();
    assume!(nets[0].contains(&nets[1]) && nets[1].contains(&nets[2]));
    assert!(nets[0].contains(&nets[2]));
}

// Neighbors become one network.
// expect: failed
#[rebut::test]
fn aggregating_keeps_separate_networks(nets: Vec<Option<Net>>) {
    let nets: Vec<Ipv4Net> = nets.into_iter().flatten().map(Net::get).collect();
    let distinct: BTreeSet<Ipv4Net> = nets.iter().map(Ipv4Net::trunc).collect();
    assert_eq!(Ipv4Net::aggregate(&nets).len(), distinct.len());
}

// expect: passed
#[rebut::test]
fn aggregating_keeps_addresses(nets: HashMap<Net, ()>, address: Ipv4Addr) {
    let mut nets: Vec<Ipv4Net> = nets.into_keys().map(Net::get).collect();
    let before = nets.iter().any(|net| net.contains(&address));
    nets = Ipv4Net::aggregate(&nets);
    assert_eq!(nets.iter().any(|net| net.contains(&address)), before);
}

fn holds<N: Into<IpNet> + Copy>(container: &N, thing: &N) -> bool {
    let container: IpNet = (*container).into();
    container.contains(&(*thing).into())
}

// expect: failed
#[rebut::test]
fn a_network_contains_smaller_ones((one, other): (Net, &Net)) {
    assume!(one.prefix <= other.prefix, "the other one is smaller");
    rebut::assume!(one.address[..2] == other.address[..2]);
    assert!(holds(&one.get(), &other.get()), "{one:?} and {other:?}");
}

/// Addresses that may pass.
#[derive(Debug, Clone, Default)]
pub struct Firewall {
    nets: Vec<Ipv4Net>,
    denied: Vec<u8>,
}

#[rebut::contract]
#[invariant(self.nets.iter().all(|net| net.prefix_len() >= 24))]
impl Firewall {
    pub fn new() -> Firewall {
        Firewall::default()
    }

    #[requires((24..=32).contains(&prefix), "the prefix is that of a small network")]
    #[ensures(self.allows(last))]
    pub fn allow(&mut self, last: u8, prefix: u8) {
        self.nets.push(Ipv4Net::new_assert([10, 0, 0, last].into(), prefix));
    }

    #[ensures(!self.allows(last))]
    pub fn deny(&mut self, last: u8) {
        self.denied.push(last);
    }

    #[ensures(self.nets.len() <= old(self.nets.len()))]
    pub fn compact(&mut self) {
        self.nets = Ipv4Net::aggregate(&self.nets);
    }

    /// The networks for which a function is true.
    #[ensures(result.iter().all(|net| self.nets.contains(net)))]
    pub fn select(&self, keep: impl Fn(&str) -> bool) -> Vec<Ipv4Net> {
        self.nets.iter().filter(|net| keep(&net.to_string())).copied().collect()
    }

    pub fn first(&self) -> Option<&Ipv4Net> {
        self.nets.first()
    }

    pub fn allows(&self, last: u8) -> bool {
        let address = Ipv4Addr::new(10, 0, 0, last);
        !self.denied.contains(&last) && self.nets.iter().any(|net| net.contains(&address))
    }
}

// What was denied is not allowed again.
// expect: failed: `Firewall::allow` ensures `self.allows(last)`
#[rebut::test]
fn firewall_keeps_its_contract(program: rebut::Program<Firewall>) {
    program.run();
}
