//! Nothing for exploration here, and it would not build.

#[test]
fn nothing_holds() {
    let _: std::os::unix::process::ExitStatusExt;
}
