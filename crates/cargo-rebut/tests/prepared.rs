//! The command writes inputs in the form that tests in Rust read.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crate of failing properties of `rebut`; its tests read such files.
fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../rebut/tests/fixture/failing/specs")
}

fn read(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|why| panic!("{path:?}: {why}"));
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn prepared_inputs_have_the_form_that_tests_read() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prepared");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let differ = "(get meeting title) different-lengths";
    let runs: [(&str, &[&str], &[&str]); 4] = [
        // A type in the form that `derive(Specify)` writes.
        ("booking.rebut", &[], &["booking.booking.json"]),
        ("meeting.rebut", &["-n", "20"], &["meeting.all.json"]),
        ("meeting.rebut", &["-n", "6", "--differ", differ], &["meeting.all.d0d586943a804d58.json"]),
        ("small.rebut", &[], &["small.any.json", "small.far.json"]),
    ];
    for (file, arguments, left) in runs {
        std::fs::copy(fixture().join(file), folder.join(file)).expect("a copy");
        let status = Command::new(env!("CARGO_BIN_EXE_cargo-rebut"))
            .args(["generate", file, "--out", "printed"])
            .args(arguments)
            .current_dir(&folder)
            .status();
        assert!(status.expect("the command").success());
        for name in left {
            let made = read(&folder.join(".rebut/inputs").join(name));
            let kept = read(&fixture().join(".rebut/inputs").join(name));
            for field in ["file", "outline", "differ", "number", "sources", "verdict"] {
                assert_eq!(made[field], kept[field], "`{field}` of {name}");
            }
            let count = |inputs: &Value| inputs["models"].as_array().map(Vec::len);
            assert_eq!(count(&made), count(&kept), "{name}");
        }
    }
}
