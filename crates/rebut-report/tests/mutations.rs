//! Checks that damaged events are read as far as possible, whatever is wrong with them.

mod mutations {
    use rebut_report::{Report, observations};
    use rebut_testkit::mutations::{Clock, for_each, growth};

    const SAMPLE: &str = include_str!("../testdata/sample.jsonl");

    #[test]
    fn damaged_events_are_shown_in_every_format() {
        let lines: Vec<&str> = SAMPLE.lines().collect();
        // Whole files take longer than is good for thousands of them.
        let parts: Vec<String> = lines.chunks(25).map(|part| part.join("\n") + "\n").collect();
        let samples: Vec<&[u8]> = parts.iter().map(String::as_bytes).collect();
        for_each("events.jsonl", &samples, &mut |bytes| {
            let text = String::from_utf8_lossy(bytes);
            let report = Report::read([&*text]);
            for output in [
                report.to_text(false),
                report.to_html(None),
                report.to_junit(),
                report.to_json().to_string(),
                report.to_sarif().to_string(),
                observations([&*text], &|_| true),
            ] {
                assert!(!output.contains('\u{1b}'), "{output}");
            }
            !report.properties.is_empty()
        });
        let make = |bytes: usize| {
            let cases: Vec<String> = (0..bytes / 100)
                .map(|case| {
                    format!("{{\"event\":\"case\",\"id\":0,\"by\":\"random\",\"case\":{case},\"outcome\":\"passed\",\"choices\":3,\"labels\":[\"even\"]}}\n")
                })
                .collect();
            let begin = "{\"event\":\"run\",\"version\":1}\n{\"event\":\"begin\",\"id\":0,\"property\":\"a::b\"}\n";
            (begin.to_owned() + &cases.concat()).into_bytes()
        };
        growth("events.jsonl", Clock::Thread, 1 << 20, &make, &mut |bytes| {
            let report = Report::read([std::str::from_utf8(bytes).expect("UTF-8")]);
            assert!(!report.to_html(None).is_empty());
        });
    }
}
