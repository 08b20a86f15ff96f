//! Networks of IP addresses: types of the crate `ipnet`.
