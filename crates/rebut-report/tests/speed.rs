//! Checks that the report of very many events is written quickly and is small.

#![cfg(target_os = "linux")]

use rebut_report::Report;

/// Returns the events of a search with two objectives, as `events = all` writes them.
fn events(count: usize) -> String {
    let mut text = String::from(
        r#"{"event":"run","version":1,"rebut":"0.1.0","start":"2026-11-15T22:35:54.120Z","group":"p1","process":2,"program":"demo"}
{"event":"begin","id":0,"at_ms":0,"property":"demo::search","place":"src/lib.rs:3","seed":1,"settings":{"cases":50000,"search":"auto"}}
{"event":"objective","id":0,"objective":0,"label":"","direction":"maximize"}
{"event":"objective","id":0,"objective":1,"label":"cost","direction":"minimize"}
"#,
    );
    let mut best = 0;
    for case in 0..count / 2 {
        let value = (case * 7919) % 100_003;
        let cost = (case * 104_729) % 9973;
        best = best.max(value);
        text += &format!(
            "{{\"event\":\"step\",\"id\":0,\"by\":\"search\",\"case\":{case},\"values\":[{value},{cost}.25],\"best\":[{best},0.25],\"turn\":0,\"temperature\":0.{:04},\"accepted\":{}}}\n",
            case % 10_000,
            case % 3 == 0,
        );
        text += &format!(
            "{{\"event\":\"case\",\"id\":0,\"by\":\"search\",\"case\":{case},\"outcome\":\"passed\",\"choices\":{},\"replay\":\"r1.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\",\"labels\":[\"group {}\",\"even\"]}}\n",
            case % 300,
            case % 50,
        );
    }
    text += "{\"event\":\"end\",\"id\":0,\"verdict\":\"passed\",\"success\":true,\"cases\":50000,\"ms\":1000}\n";
    text
}

/// Returns the CPU time of this thread in seconds.
fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux has it");
    let first = text.split(' ').next().expect("a number");
    first.parse::<f64>().expect("a number") / 1e9
}

#[test]
fn report_of_100000_events_takes_less_than_two_seconds() {
    let events = events(100_000);
    assert!(events.lines().count() > 100_000);
    let before = cpu();
    let report = Report::read([events.as_str()]);
    let html = report.to_html(None);
    let took = cpu() - before;
    assert_eq!((report.unreadable, report.properties[0].steps.len()), (0, 50_000));
    assert!(took < 2.0, "{took} s of CPU");
    assert!(html.len() < 1_000_000, "{} bytes", html.len());
}
