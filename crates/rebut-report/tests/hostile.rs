//! Checks that the outputs stay inert whatever the events contain.

use rebut_report::{Report, observations};
use serde_json::{Value, json};

const HOSTILE: &[&str] = &[
    "<script>document.title='owned'</script>",
    "</style></title></script><img src=x onerror=alert(1)>",
    "\" onmouseover=\"alert(1)\" x=\"",
    "' autofocus onfocus='alert(1)",
    "javascript:alert(1)",
    "<!--",
    "]]>",
    "\u{202E}desrever\u{2066}",
    "\u{0}\u{7}\u{1b}[2J\u{85}\u{feff}\u{2028}",
    "&lt;b&gt;&#60;",
    "{{constructor}}",
    "a::b; $(reboot) `id`",
];

/// Returns events of every kind, with the hostile string in every field.
fn events(hostile: &str) -> String {
    let value = json!({"name": hostile, "type": hostile, "code": hostile});
    let told = json!({
        "id": 0, "by": hostile, "case": 1, "kind": hostile, "origin": hostile, "message": hostile,
        "location": hostile, "replay": hostile, "values": [value], "notes": [hostile],
        "free": [{"value": 0, "begin": 0, "end": 3}, {"value": 0, "begin": 1, "end": 1_000_000}],
        "command": hostile, "test": hostile,
        "contract": {"function": hostile, "clause": hostile, "condition": hostile,
            "party": hostile, "at_fault": hostile, "object": hostile, "calls": [hostile, hostile]},
    });
    let with = |event: &str, mut value: Value| {
        value["event"] = json!(event);
        format!("{value}\n")
    };
    [
        with(
            "run",
            json!({"version": 1, "rebut": hostile, "start": hostile, "group": hostile,
            "process": 1, "program": hostile, "manifest_dir": hostile, "command": hostile,
            "commit": hostile}),
        ),
        with(
            "begin",
            json!({"id": 0, "property": hostile, "place": hostile, "package": hostile,
            "target": hostile, "seed": 1,
            "settings": {"cases": 5, "search": hostile, "isolate": hostile}}),
        ),
        with("objective", json!({"id": 0, "objective": 0, "label": hostile, "direction": hostile})),
        with(
            "objective",
            json!({"id": 0, "objective": 1, "label": hostile, "direction": "minimize"}),
        ),
        with("step", json!({"id": 0, "case": 1, "values": [1, 2], "best": [1, 2]})),
        with(
            "step",
            json!({"id": 0, "case": 2, "values": [0, 1], "best": [1, 2], "turn": 0,
            "temperature": 0.5, "accepted": true}),
        ),
        with(
            "case",
            json!({"id": 0, "by": hostile, "case": 2, "outcome": hostile, "why": hostile,
            "choices": 3, "replay": hostile, "labels": [hostile], "values": [value]}),
        ),
        with("failure", told.clone()),
        with("witness", told),
        with(
            "reached",
            json!({"id": 0, "objective": 0, "value": "inf", "replay": hostile,
            "values": [value]}),
        ),
        with(
            "decision",
            json!({"id": 0, "decision": 0, "condition": hostile, "source": hostile,
            "place": {"file": hostile, "line": 3, "function": hostile, "under_test": true},
            "yes": {"decision": 1}, "no": {"decision": 2}}),
        ),
        with(
            "decision",
            json!({"id": 0, "decision": 1, "condition": hostile, "yes": {"path": 0},
            "no": {"open": hostile}}),
        ),
        with(
            "decision",
            json!({"id": 0, "decision": 2, "condition": hostile, "yes": {"impossible": true},
            "no": {"path": 1}}),
        ),
        with(
            "path",
            json!({"id": 0, "path": 0, "kind": hostile, "outcome": hostile, "replay": hostile,
            "values": [value]}),
        ),
        with("path", json!({"id": 0, "path": 1, "kind": "passed", "values": [value]})),
        with(
            "lines",
            json!({"id": 0, "file": hostile, "proof": hostile, "lines": [
            {"line": 3, "code": hostile, "reached": false, "why": hostile}]}),
        ),
        with(
            "explored",
            json!({"id": 0, "runs": 1, "paths": 2, "decisions": 3, "paths_left_out": 7,
            "limits": [hostile], "assumes": [hostile]}),
        ),
        with(
            "end",
            json!({"id": 0, "verdict": hostile, "success": false, "reason": hostile,
            "cases": 5, "rejected": [{"why": hostile, "cases": 1}], "ms": 1.5,
            "labels": [{"label": hostile, "cases": 2}],
            "covers": [{"label": hostile, "at_least": 5, "met": 1, "of": 2}],
            "samples": [[value], [value]]}),
        ),
    ]
    .concat()
}

/// Returns the names of the tags and attributes of a page.
fn tags(html: &str) -> Vec<String> {
    let (_, body) = html.split_once("<body>").expect("a body");
    let (body, _) = body.split_once("<script>").expect("the script");
    let tags = body.split('<').skip(1).map(|rest| rest.split('>').next().unwrap_or(rest));
    let name = |tag: &str| {
        let mut is_quoted = false;
        tag.chars()
            .filter(|&c| {
                let was_quoted = is_quoted;
                is_quoted ^= c == '"';
                !was_quoted || c == '"'
            })
            .collect::<String>()
    };
    let mut names: Vec<String> = tags.map(name).filter(|tag| tag != "span class=\"\"").collect();
    names.retain(|tag| tag != "/span");
    names
}

#[test]
fn hostile_strings_add_no_tag_and_no_attribute() {
    let plain = Report::read([events("plain text").as_str()]);
    assert_eq!(plain.unreadable, 0, "{:?}", plain.first_unreadable);
    let expected = tags(&plain.to_html(Some(&plain)));
    assert!(expected.len() > 100);
    for hostile in HOSTILE {
        let report = Report::read([events(hostile).as_str()]);
        assert_eq!(report.unreadable, 0, "{:?}", report.first_unreadable);
        let html = report.to_html(Some(&report));
        assert!(tags(&html) == expected, "{hostile:?} has tags of its own");
        let is_seen = |c: char| !c.is_control() || c == '\n';
        assert!(html.chars().all(is_seen), "{hostile:?}");
        assert!(!html.contains(['\u{202E}', '\u{2066}', '\u{FEFF}', '\u{2028}']), "{hostile:?}");
    }
}

#[test]
fn hostile_strings_never_enter_a_command() {
    for hostile in HOSTILE {
        let report = Report::read([events(hostile).as_str()]);
        let json = report.to_json();
        assert_eq!(json["properties"][0]["failures"][0]["command"], Value::Null, "{hostile:?}");
        assert!(!report.to_html(None).contains("REBUT_REPLAY="), "{hostile:?}");
    }
}

#[test]
fn hostile_strings_keep_other_formats_well_formed() {
    for hostile in HOSTILE {
        let events = events(hostile);
        let report = Report::read([events.as_str()]);
        let xml = report.to_junit();
        assert_eq!(xml.matches('<').count(), xml.matches('>').count(), "{xml}");
        assert!(xml.chars().all(|c| !c.is_control() || c == '\n'), "{xml:?}");
        assert!(!xml.contains("<script") && !xml.contains("<!--"), "{xml}");
        assert!(report.to_text(false).chars().all(|c| !c.is_control() || c == '\n'));
        for line in observations([events.as_str()], &|_| true).lines() {
            serde_json::from_str::<Value>(line).expect("JSON");
        }
        let _ = report.to_sarif().to_string();
    }
}

#[test]
fn megabytes_are_cut_with_a_notice() {
    let events = events(&"<b>&".repeat(1 << 18));
    let report = Report::read([events.as_str()]);
    let html = report.to_html(Some(&report));
    assert!(html.len() < 3_000_000, "{} bytes", html.len());
    assert!(html.contains("1048576 bytes in total"));
    let xml = report.to_junit();
    assert!(xml.len() < 500_000, "{} bytes", xml.len());
}

#[test]
fn unreadable_lines_are_counted_and_the_rest_is_shown() {
    let events = "{\"event\":\"begin\",\"id\":0,\"property\":\"demo::a\"}\nnonsense\n{\"event\":\n\
        {\"event\":\"later\",\"id\":0,\"x\":[]}\n{\"event\":\"step\",\"id\":9}\n\
        {\"event\":\"step\",\"id\":0,\"values\":[\"lots\"]}\n\
        {\"event\":\"objective\",\"id\":0,\"objective\":18446744073709551615}\n";
    let report = Report::read([events]);
    assert_eq!(report.unreadable, 3);
    assert_eq!(report.properties[0].verdict(), "unfinished");
    let html = report.to_html(None);
    assert!(html.contains("3 lines of the events cannot be read"));
    assert!(html.contains("did not finish"));
    assert!(Report::read([""]).to_html(None).contains("No property has left a result"));
}

#[test]
fn extreme_numbers_are_plotted_or_omitted() {
    let mut events = String::from(
        "{\"event\":\"begin\",\"id\":0,\"property\":\"demo::a\"}\n\
        {\"event\":\"objective\",\"id\":0,\"objective\":0,\"direction\":\"maximize\",\"needed\":\"inf\"}\n",
    );
    let values = [
        "1.7976931348623157e308",
        "-1.7976931348623157e308",
        "0",
        "\"NaN\"",
        "\"inf\"",
        "\"-inf\"",
        "null",
        "5e-324",
    ];
    for (case, value) in values.iter().enumerate() {
        events += &format!(
            "{{\"event\":\"step\",\"id\":0,\"case\":{case},\"values\":[{value}],\"best\":[{value}]}}\n"
        );
    }
    let report = Report::read([events.as_str()]);
    assert_eq!(report.unreadable, 0, "{:?}", report.first_unreadable);
    let html = report.to_html(None);
    let (_, plot) = html.split_once("<svg").expect("a plot");
    let (plot, _) = plot.split_once("</svg>").expect("its end");
    assert!(!plot.contains("NaN") && !plot.contains("inf"), "{plot}");
    assert!(html.contains("2 values are infinite"));
}

/// Decisions that lead back to themselves, to nothing, and very deep.
#[test]
fn malformed_trees_are_shown_as_far_as_possible() {
    let mut events =
        String::from("{\"event\":\"begin\",\"id\":0,\"property\":\"a::b\",\"place\":\"\"}\n");
    for nth in 0..3000 {
        let line = json!({"event": "decision", "id": 0, "decision": nth, "condition": "c",
            "yes": {"decision": nth + 1}, "no": {"decision": 5000 + nth}});
        events += &format!("{line}\n");
        let line = json!({"event": "decision", "id": 0, "decision": 5000 + nth, "condition": "d",
            "yes": {"decision": 0}, "no": {"path": 99}});
        events += &format!("{line}\n");
    }
    let report = Report::read([events.as_str()]);
    assert_eq!(report.unreadable, 0, "{:?}", report.first_unreadable);
    let html = report.to_html(None);
    assert!(html.contains("too deep to be shown") && html.contains("the rest is not shown"));
    assert!(html.len() < 200_000, "{}", html.len());
}
