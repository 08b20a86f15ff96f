use secrets::{Open, Secret};

#[rebut::test]
fn private(secret: Secret) {
    assert!(secret.is_small());
}

#[rebut::test]
fn public(open: Open) {
    assert!(open.inner < 7);
}
