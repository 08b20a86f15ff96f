//! Checks that damaged specifications are read or refused, in a time that their length limits.

mod mutations {
    use rebut_spec::Program;
    use rebut_testkit::mutations::{Clock, for_each, growth};
    use std::path::Path;

    /// The files of the test data with this extension.
    fn files(extension: &str) -> Vec<Vec<u8>> {
        let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
        let mut paths = Vec::new();
        for folder in ["paper", "coupled", "errors", "frontends"] {
            let entries = std::fs::read_dir(testdata.join(folder)).expect("a folder");
            paths.extend(entries.map(|entry| entry.expect("an entry").path()));
        }
        paths.retain(|path| path.extension().is_some_and(|is| is == extension));
        paths.sort();
        paths.iter().map(|path| std::fs::read(path).expect("a file")).collect()
    }

    fn load(name: &str, text: &str) -> Program {
        Program::load_with(Path::new(name), text, &|_| Err("there is no other file".to_owned()))
    }

    /// One test, because the work of its process is measured.
    #[test]
    fn damaged_specifications_are_read_or_refused() {
        for (extension, name) in [("rebut", "a.rebut"), ("json", "a.json"), ("yaml", "a.yaml")] {
            let files = files(extension);
            let samples: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
            for_each(&format!("specification .{extension}"), &samples, &mut |bytes| {
                let program = load(name, &String::from_utf8_lossy(bytes));
                let errors = program.diagnostics.iter().filter(|one| one.is_error()).count();
                for diagnostic in program.diagnostics.iter().take(50) {
                    assert!(!program.sources.in_one_line(diagnostic).is_empty());
                }
                errors == 0
            });
        }
        let rebut = |bytes: usize| {
            let line = |n: usize| format!("(define (f{n} x) (and (< x {n}) (list 1 2 \"abc\")))\n");
            (0..bytes / 50).map(line).collect::<String>().into_bytes()
        };
        growth("specification .rebut", Clock::Process, 1 << 18, &rebut, &mut |bytes| {
            load("a.rebut", std::str::from_utf8(bytes).expect("UTF-8"));
        });
        let literal = |bytes: usize| {
            format!("(declare a ?String)\n(specify a (matches \"{}\"))\n", "xy".repeat(bytes / 2))
                .into_bytes()
        };
        growth("regular expression", Clock::Process, 1 << 16, &literal, &mut |bytes| {
            load("a.rebut", std::str::from_utf8(bytes).expect("UTF-8"));
        });
        let schema = |bytes: usize| {
            let all: Vec<String> = (0..bytes / 11).map(|n| format!("\"value{n}\"")).collect();
            format!("{{\"enum\":[{}]}}", all.join(",")).into_bytes()
        };
        growth("specification .json", Clock::Process, 1 << 20, &schema, &mut |bytes| {
            load("a.json", std::str::from_utf8(bytes).expect("UTF-8"));
        });
    }
}
