//! What the macros say to those who write something they do not accept: one file in `ui/` for
//! each message, with the compiler's output beside it.
//!
//! After a change of a message, or of the compiler, `TRYBUILD=overwrite cargo test -p rebut
//! --test ui` writes the outputs anew: read the difference before you commit it.

#[test]
fn messages_say_what_to_write_instead() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}

#[cfg(feature = "proptest")]
#[test]
fn messages_of_proptest_say_what_to_write_instead() {
    trybuild::TestCases::new().compile_fail("tests/ui_proptest/*.rs");
}
