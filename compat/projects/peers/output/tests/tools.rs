#[mockall::automock]
trait Clock {
    fn now(&self) -> u64;
}

#[rebut::test]
fn mock_called_too_often(number: u8) {
    let mut clock = MockClock::new();
    clock.expect_now().times(1).return_const(5u64);
    clock.now();
    if number >= 200 {
        clock.now();
    }
}

#[rebut::test]
fn mock_called_too_rarely(number: u8) {
    let mut clock = MockClock::new();
    clock.expect_now().times(1).return_const(5u64);
    if number < 200 {
        clock.now();
    }
}

#[rebut::test(cases = 30)]
fn command(number: u8) {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_output"));
    command.arg(number.to_string()).assert().success();
}

#[rebut::test]
fn temporary_files(bytes: Vec<u8>) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("bytes");
    std::fs::write(&path, &bytes).expect("a file");
    assert_eq!(std::fs::read(&path).expect("a file"), bytes);
}
