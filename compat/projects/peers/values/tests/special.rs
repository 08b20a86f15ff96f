//! Flags and secrets.

use secrecy::ExposeSecret as _;

bitflags::bitflags! {
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Access: u8 {
        const READ = 1;
        const WRITE = 2;
        const RUN = 4;
    }
}

#[rebut::test]
fn flags(#[from(rebut::flags())] access: Access) {
    assert!(!access.contains(Access::WRITE | Access::RUN));
}

#[rebut::test]
fn secret(password: secrecy::SecretString) {
    assert!(!password.expose_secret().contains('q'));
}
