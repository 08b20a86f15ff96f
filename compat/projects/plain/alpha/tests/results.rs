use std::process::{ExitCode, Termination};

#[rebut::test]
fn codes(number: u8) -> ExitCode {
    if number < 200 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[rebut::test]
fn values(number: u8) -> Result<u8, String> {
    if number < 200 { Ok(number) } else { Err(format!("{number} is too large")) }
}

#[rebut::test]
fn termination(number: u8) -> impl Termination {
    if number < 200 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[rebut::test]
fn boxed(number: u8) -> Result<(), Box<dyn std::error::Error>> {
    if number < 200 { Ok(()) } else { Err("too large".into()) }
}

#[test]
fn closures_may_change_what_they_capture() {
    let mut calls = 0;
    rebut::check(|case| {
        let _: u64 = case.draw(rebut::any());
        calls += 1;
    });
    assert!(calls > 100);
}
