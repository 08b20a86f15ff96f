//! Checks all outputs for recorded runs.

use expect_test::{Expect, expect};
use rebut_report::{Report, observations};
use serde_json::Value;

/// The events of eight properties of a demo, written by `REBUT_EVENTS=all cargo test`.
const SAMPLE: &str = include_str!("../testdata/sample.jsonl");

/// The events of generated programs that violated contracts.
const CONTRACT: &str = include_str!("../testdata/contract.jsonl");

fn sample() -> Report {
    Report::read([SAMPLE])
}

#[expect(clippy::needless_pass_by_value, reason = "reads better at the calls")]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(text);
}

/// Returns the headings of a page, without the parts that vary between runs.
fn structure(html: &str) -> String {
    let mut text = String::new();
    for line in html.lines() {
        let Some(rest) = line.split_once("<h").map(|(_, rest)| rest) else { continue };
        let Some(level) = rest.chars().next().and_then(|c| c.to_digit(10)) else { continue };
        let inner = rest.split_once("</h").map_or(rest, |(inner, _)| inner);
        let mut is_tag = true;
        let plain = inner.chars().filter(|&c| {
            let was_tag = is_tag;
            is_tag = c == '<' || (is_tag && c != '>');
            !was_tag && !is_tag
        });
        text += &format!("{}{}\n", "  ".repeat(level as usize - 1), plain.collect::<String>());
    }
    text
}

#[test]
fn page_has_its_sections_in_order() {
    check(
        &structure(&sample().to_html(None)),
        expect![[r#"
            Rebut: 4 of 9 properties failed
              Properties
              ✗ FAIL demo::shorten::a_batch_has_at_most_two_orders
                Minimal example
                Choices per case
                Outcomes
              ✗ FAIL demo::shorten::shortens_to_the_length
                Minimal example
                Choices per case
                Outcomes
              ! FLAKY demo::money::clocks_do_not_matter
                Minimal example
                Choices per case
                Outcomes
              ! VACUOUS demo::money::only_for_the_rich
                Rejected by
                Choices per case
                Outcomes
              ✓ PASS demo::money::a_sum_overflows
                Matching input
                Choices per case
                Outcomes
              ✓ PROVED demo::parse::flags_are_flags
                Labels
                Choices per case
                Outcomes
              ✓ PASS demo::parse::parsing_undoes_printing
                Labels
                Coverage
                Choices per case
                Outcomes
              ✓ PASS demo::routes::routes_stay_short
                Search
                  Highest load per stop: 1000
                    Best input
                  Lowest length: 1
                    Best input
                  Pareto front (7 cases)
                Labels
                Rejected by
                Choices per case
                Outcomes
              ✓ PASS demo::sorting::sorts_in_few_steps
                Search
                  Highest score: 197 (target 277)
                    Best input
                Choices per case
                Outcomes
        "#]],
    );
}

#[test]
fn page_is_a_function_of_its_events() {
    assert_eq!(sample().to_html(None), sample().to_html(None));
}

#[test]
fn page_loads_nothing_from_elsewhere() {
    let html = sample().to_html(None);
    for outward in ["http:", "https:", "src=", "<link", "@import", "url(", "<iframe"] {
        assert!(!html.contains(outward), "{outward}");
    }
    assert_eq!(html.matches("<script").count(), 1);
}

#[test]
fn list_has_a_line_for_each_property() {
    check(
        &sample().to_text(false),
        expect![[r#"
               PASS  demo::money::a_sum_overflows (src/money.rs:2)  24 cases
                     1: returned true: a matching input exists
              FLAKY  demo::money::clocks_do_not_matter (src/money.rs:11)  60 cases
                     2: panicked at src/money.rs:13:5: unlucky
            VACUOUS  demo::money::only_for_the_rich (src/money.rs:5)  4 cases
                     R004: rejects too many inputs: only 4 of 213 cases met the assumptions; rejected: 209 by `cents == 4_000_000_001`
             PROVED  demo::parse::flags_are_flags (src/parse.rs:9)  6 cases
               PASS  demo::parse::parsing_undoes_printing (src/parse.rs:2)  100 cases
               PASS  demo::routes::routes_stay_short (src/routes.rs:4)  300 cases
               FAIL  demo::shorten::a_batch_has_at_most_two_orders (src/shorten.rs:11)  60 cases
                     3: panicked at src/shorten.rs:14:5: a batch of 3 orders, 0 cents
               FAIL  demo::shorten::shortens_to_the_length (src/shorten.rs:6)  100 cases
                     4: panicked at src/shorten.rs:2:47: end byte index 1 is not a char boundary; it is inside '\u{80}' (bytes 0..2) of `\u{80}`
               PASS  demo::sorting::sorts_in_few_steps (src/sorting.rs:20)  700 cases
        "#]],
    );
}

#[test]
fn junit_has_a_test_case_for_each_property() {
    let xml = sample().to_junit();
    let shown: String = xml
        .lines()
        .map(|line| line.split(" time=").next().unwrap_or(line))
        .map(|line| format!("{line}\n"))
        .collect();
    check(
        &shown,
        expect![[r#"
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="rebut" tests="9" failures="4" errors="0"
              <testsuite name="demo-9f0c" tests="9" failures="4" errors="0"
                <testcase classname="demo::money" name="a_sum_overflows" file="src/money.rs" line="2"
                <testcase classname="demo::money" name="clocks_do_not_matter" file="src/money.rs" line="11"
                  <failure type="R002" message="panicked at src/money.rs:13:5: unlucky">let n: u64 = 235;

            panicked at src/money.rs:13:5: unlucky
            found by: random testing, case 8, seed 1; shrunk in 11 runs
            replay: REBUT_REPLAY=r1.1gM cargo test money::clocks_do_not_matter -- --exact</failure>
                </testcase>
                <testcase classname="demo::money" name="only_for_the_rich" file="src/money.rs" line="5"
                  <failure type="R004" message="rejects too many inputs">only 4 of 213 cases met the assumptions; rejected: 209 by `cents == 4_000_000_001`</failure>
                </testcase>
                <testcase classname="demo::parse" name="flags_are_flags" file="src/parse.rs" line="9"
                <testcase classname="demo::parse" name="parsing_undoes_printing" file="src/parse.rs" line="2"
                <testcase classname="demo::routes" name="routes_stay_short" file="src/routes.rs" line="4"
                <testcase classname="demo::shorten" name="a_batch_has_at_most_two_orders" file="src/shorten.rs" line="11"
                  <failure type="R001" message="panicked at src/shorten.rs:14:5: a batch of 3 orders, 0 cents">let customer: String = &quot;&quot;.to_string();
            let orders: Vec&lt;(u32, bool)&gt; = vec![(0, false), (0, false), (0, false)];
            // 3 orders of &quot;&quot;

            panicked at src/shorten.rs:14:5: a batch of 3 orders, 0 cents
            found by: random testing, case 12, seed 1; shrunk in 5 runs
            replay: REBUT_REPLAY=r1.AAYAAAAAAAA cargo test shorten::a_batch_has_at_most_two_orders -- --exact</failure>
                </testcase>
                <testcase classname="demo::shorten" name="shortens_to_the_length" file="src/shorten.rs" line="6"
                  <failure type="R001" message="panicked at src/shorten.rs:2:47: end byte index 1 is not a char boundary; it is inside &#39;\u{80}&#39; (bytes 0..2) of `\u{80}`">let text: String = &quot;\u{80}&quot;.to_string();
            let max: usize = 1;

            panicked at src/shorten.rs:2:47: end byte index 1 is not a char boundary; it is inside &#39;\u{80}&#39; (bytes 0..2) of `\u{80}`
            found by: random testing, case 21, seed 1; shrunk in 37 runs
            replay: REBUT_REPLAY=r1.AoACAg cargo test shorten::shortens_to_the_length -- --exact</failure>
                </testcase>
                <testcase classname="demo::sorting" name="sorts_in_few_steps" file="src/sorting.rs" line="20"
              </testsuite>
            </testsuites>
        "#]],
    );
}

#[test]
fn sarif_has_a_result_for_each_failure() {
    let sarif = sample().to_sarif();
    assert_eq!(sarif["version"], "2.1.0");
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let mut shown = String::new();
    for result in results {
        assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]), "{result}");
        let place = &result["locations"][0]["physicalLocation"];
        let text = result["message"]["text"].as_str().expect("text");
        shown += &format!(
            "{} {}:{} {}\n",
            result["ruleId"],
            place["artifactLocation"]["uri"],
            place["region"]["startLine"],
            text.lines().next().expect("a line"),
        );
    }
    check(
        &shown,
        expect![[r#"
            "R002" "src/money.rs":13 demo::money::clocks_do_not_matter: panicked at src/money.rs:13:5: unlucky
            "R004" "src/money.rs":5 demo::money::only_for_the_rich: rejects too many inputs: only 4 of 213 cases met the assumptions; rejected: 209 by `cents == 4_000_000_001`
            "R001" "src/shorten.rs":14 demo::shorten::a_batch_has_at_most_two_orders: panicked at src/shorten.rs:14:5: a batch of 3 orders, 0 cents
            "R001" "src/shorten.rs":2 demo::shorten::shortens_to_the_length: panicked at src/shorten.rs:2:47: end byte index 1 is not a char boundary; it is inside '\u{80}' (bytes 0..2) of `\u{80}`
        "#]],
    );
}

/// Checks a line against `schema_observations.json` of Hypothesis.
fn check_observation(line: &Value) {
    let keys: Vec<&str> = line.as_object().expect("an object").keys().map(String::as_str).collect();
    let has = |expected: &[&str]| {
        let mut expected = expected.to_vec();
        let mut keys = keys.clone();
        expected.sort_unstable();
        keys.sort_unstable();
        assert_eq!(keys, expected, "nothing is missing and nothing is added: {line}");
    };
    assert!(line["property"].is_string() && line["run_start"].as_f64() > Some(1e9), "{line}");
    if line["type"] != "test_case" {
        has(&["type", "title", "content", "property", "run_start"]);
        assert!(["info", "alert", "error"].iter().any(|kind| line["type"] == *kind), "{line}");
        assert!(line["title"].is_string() && line["content"].is_string(), "{line}");
        return;
    }
    has(&[
        "type",
        "status",
        "status_reason",
        "representation",
        "arguments",
        "how_generated",
        "features",
        "coverage",
        "timing",
        "metadata",
        "property",
        "run_start",
    ]);
    assert!(["passed", "failed", "gave_up"].iter().any(|status| line["status"] == *status));
    for text in ["status_reason", "representation", "how_generated"] {
        assert!(line[text].is_string(), "{text}: {line}");
    }
    for object in ["arguments", "features", "timing", "metadata"] {
        assert!(line[object].is_object(), "{object}: {line}");
    }
    assert!(line["coverage"].is_null(), "{line}");
    let times = line["timing"].as_object().into_iter().flatten();
    assert!(times.into_iter().all(|(_, time)| time.as_f64() >= Some(0.0)), "{line}");
    // Tyche charts only numbers and strings.
    let features = line["features"].as_object().into_iter().flatten();
    assert!(features.into_iter().all(|(_, value)| value.is_number() || value.is_string()));
}

fn observed(files: &[&str]) -> Vec<Value> {
    let text = observations(files.iter().copied(), &|_| true);
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn observations_satisfy_the_schema() {
    for events in [SAMPLE, CONTRACT] {
        let all = observed(&[events]);
        all.iter().for_each(check_observation);
        let of = |event: &str| events.lines().filter(|line| line.contains(event)).count();
        let cases = of("\"event\":\"case\"");
        let told = of("\"event\":\"failure\"") + of("\"event\":\"witness\"");
        let (test_cases, messages): (Vec<_>, Vec<_>) =
            all.iter().partition(|line| line["type"] == "test_case");
        assert_eq!((test_cases.len(), messages.len()), (cases + told, of("\"event\":\"end\"")));
    }
}

#[test]
fn observations_have_values_labels_and_one_run_per_campaign() {
    let events = |group: &str, second: u32, lines: &str| {
        let run = format!(
            r#"{{"event":"run","start":"2026-11-15T10:00:{second:02}.000Z","group":"{group}","program":"/t/it-1"}}"#
        );
        let begin = r#"{"event":"begin","id":0,"at_ms":0,"property":"it::sorts","place":"tests/it.rs:1","package":"demo","target":"test it","seed":7}"#;
        format!("{run}\n{begin}\n{lines}\n")
    };
    let first = r#"{"event":"case","id":0,"by":"random","case":1,"outcome":"passed","choices":2,"replay":"r1.A","labels":["even","small"],"values":[{"name":"n","type":"u8","code":"4"}]}
{"event":"case","id":0,"by":"random","case":2,"outcome":"rejected","why":"odd","choices":2000,"labels":[]}
{"event":"end","id":0,"verdict":"passed","success":true,"cases":1}"#;
    let later = r#"{"event":"failure","id":0,"by":"random","case":9,"kind":"panic","message":"no","values":[{"name":"n","type":"u8","code":"7"}]}
{"event":"end","id":0,"verdict":"R001","success":false,"cases":5}"#;
    let of = |group: &str| observed(&[&events(group, 0, first), &events(group, 9, later)]);
    let all = of("campaign1p2");
    all.iter().for_each(check_observation);
    let case = &all[0];
    assert_eq!(case["property"], "it::sorts (demo, test it)");
    assert_eq!(case["representation"], "it::sorts(n = 4)");
    assert_eq!(case["arguments"], serde_json::json!({"n": "4"}));
    let features = serde_json::json!({"label": "even", "label 2": "small", "choices": 2});
    assert_eq!(case["features"], features);
    assert_eq!(all[1]["representation"], "it::sorts(case 2)", "not that of others");
    assert_eq!(all[2]["content"], "PASS, 1 case, seed 7");
    assert_eq!(all[4]["type"], "alert");
    let starts = |all: &[Value]| {
        let mut starts: Vec<_> = all.iter().filter_map(|line| line["run_start"].as_f64()).collect();
        starts.dedup();
        starts.len()
    };
    assert_eq!(starts(&all), 1, "a viewer shows the latest run alone");
    let again = of("p1");
    assert_eq!((starts(&again), again.len()), (1, 2), "who runs a test again wants to see that");
}

#[test]
fn page_has_totals_samples_and_the_command() {
    let command = r#"{"event":"run","start":"2026-11-15T10:00:00.000Z","group":"campaign1p2","command":"cargo rebut test --time 5s","commit":"0123456789abcdef0123456789abcdef01234567"}"#;
    let run = |group: &str, package: &str, minute: u32| {
        format!(
            r#"{{"event":"run","start":"2026-11-15T10:{minute:02}:00.000Z","group":"{group}","program":"/t/{package}-1"}}
{{"event":"begin","id":0,"at_ms":0,"property":"{package}::sorts","place":"src/lib.rs:1","package":"{package}","target":"lib","seed":7}}
{{"event":"end","id":0,"verdict":"proved","success":true,"cases":1500,"checked":["the assertion ran in every case"],"samples":[[{{"name":"n","type":"u8","code":"4"}}],[{{"name":"n","type":"u8","code":"<5>"}}]]}}
"#
        )
    };
    let report = Report::read([command, run("campaign1p2", "demo", 0).as_str()]);
    let html = report.to_html(None);
    for part in [
        "<p class=\"totals\">1 property: 1 proved; 1,500 cases</p>",
        "<code>cargo rebut test --time 5s</code>",
        "<code title=\"0123456789abcdef0123456789abcdef01234567\">0123456789ab</code>",
        "1 test binary",
        "<p class=\"checked\">the assertion ran in every case</p>",
        "<h3>Sample inputs</h3>",
        "<code>&lt;5&gt;</code>",
        "<code>-p demo --lib</code>",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    let json = report.to_json();
    assert_eq!(json["properties"][0]["samples"][0][0]["code"], "4");
    assert_eq!(json["properties"][0]["checked"][0], "the assertion ran in every case");

    // The results of several runs in several packages.
    let read = |text: String| Report::read([text.as_str()]);
    let both = Report::joined(vec![read(run("p2", "two", 9)), read(run("p1", "one", 3))]);
    let html = both.to_html(None);
    assert!(html.contains("2026-11-15 10:03:00 UTC</time> to <time"), "{html}");
    assert!(html.contains("src/lib.rs:1 · two</span>"), "{html}");
    check(
        &both.to_text(false),
        expect![[r#"
            PROVED  two  two::sorts (src/lib.rs:1)  1,500 cases
            PROVED  one  one::sorts (src/lib.rs:1)  1,500 cases
        "#]],
    );
}

#[test]
fn json_has_every_property_and_input() {
    let json = sample().to_json();
    assert_eq!(json["properties"].as_array().map(Vec::len), Some(sample().properties.len()));
    assert_eq!(json["success"], false);
    let numbers: Vec<&Value> = json["properties"]
        .as_array()
        .expect("a list")
        .iter()
        .flat_map(|property| property["failures"].as_array().expect("a list"))
        .map(|failure| &failure["number"])
        .collect();
    assert!(!numbers.is_empty());
}

#[test]
fn comparison_shows_fixed_and_broken_properties() {
    let before = r#"{"event":"run","version":1,"start":"2026-11-14T10:00:00.000Z"}
{"event":"begin","id":0,"property":"demo::mended","place":"src/lib.rs:1"}
{"event":"failure","id":0,"kind":"panic","origin":"panic a","message":"a"}
{"event":"end","id":0,"verdict":"R001","success":false,"cases":10}
{"event":"begin","id":1,"property":"demo::broken","place":"src/lib.rs:2"}
{"event":"end","id":1,"verdict":"passed","success":true,"cases":10,"labels":[{"label":"even","cases":5}]}
{"event":"begin","id":2,"property":"demo::gone","place":"src/lib.rs:3"}
{"event":"end","id":2,"verdict":"passed","success":true,"cases":10}
{"event":"begin","id":3,"property":"demo::same","place":"src/lib.rs:4"}
{"event":"end","id":3,"verdict":"passed","success":true,"cases":10}
{"event":"begin","id":4,"property":"demo::shifted","place":"src/lib.rs:4"}
{"event":"end","id":4,"verdict":"passed","success":true,"cases":1000,"labels":[{"label":"even","cases":500}]}
"#;
    let after = r#"{"event":"run","version":1,"start":"2026-11-15T10:00:00.000Z"}
{"event":"begin","id":0,"property":"demo::mended","place":"src/lib.rs:1"}
{"event":"end","id":0,"verdict":"passed","success":true,"cases":10}
{"event":"begin","id":1,"property":"demo::broken","place":"src/lib.rs:2"}
{"event":"failure","id":1,"kind":"panic","origin":"panic b","message":"b"}
{"event":"end","id":1,"verdict":"R001","success":false,"cases":10,"labels":[{"label":"even","cases":4}]}
{"event":"begin","id":2,"property":"demo::new","place":"src/lib.rs:3"}
{"event":"end","id":2,"verdict":"passed","success":true,"cases":10}
{"event":"begin","id":3,"property":"demo::same","place":"src/lib.rs:4"}
{"event":"end","id":3,"verdict":"passed","success":true,"cases":10}
{"event":"begin","id":4,"property":"demo::shifted","place":"src/lib.rs:4"}
{"event":"end","id":4,"verdict":"passed","success":true,"cases":1000,"labels":[{"label":"even","cases":20}]}
"#;
    let html = Report::read([after]).to_html(Some(&Report::read([before])));
    let (_, section) = html.split_once("<section id=\"comparison\">").expect("the section");
    let (section, _) = section.split_once("</section>").expect("its end");
    let mut is_tag = false;
    let plain: String = section
        .replace("<br>", " | ")
        .replace("</td>", " ; ")
        .chars()
        .filter(|&c| {
            let was_tag = is_tag;
            is_tag = c == '<' || (is_tag && c != '>');
            !was_tag && !is_tag
        })
        .collect();
    check(
        &plain,
        expect![[r#"
            Since 2026-11-14 10:00:00 UTC

            ChangePropertyBeforeNowCasesTime

            ✗ broken ; demo::broken | new failure: panicked: b ; ✓ PASS ; ✗ FAIL ; 10 ; 0.0 ms ; 
            changed ; demo::shifted | label even: 50.0% → 2.0% ; ✓ PASS ; ✓ PASS ; 1,000 ; 0.0 ms ; 
            ✓ fixed ; demo::mended | failure gone: panicked: a ; ✗ FAIL ; ✓ PASS ; 10 ; 0.0 ms ; 
            gone ; demo::gone ; ✓ PASS ; – ; 10 → – ; 0.0 ms → – ; 
            new ; demo::new ; – ; ✓ PASS ; – → 10 ; – → 0.0 ms ; 


            1 property is as before.
        "#]],
    );
}

/// A round of a campaign: a run of one property, by the same program.
fn round(process: u64, lines: &str) -> String {
    let run = format!(
        r#"{{"event":"run","version":1,"group":"campaign","process":{process},"program":"/target/demo-1"}}"#
    );
    let begin = r#"{"event":"begin","id":0,"property":"demo::holds","place":"src/lib.rs:1"}"#;
    format!("{run}\n{begin}\n{lines}\n")
}

#[test]
fn rounds_of_a_campaign_are_one_property() {
    let first = round(
        1,
        r#"{"event":"objective","id":0,"objective":0,"label":"depth","direction":"maximize"}
{"event":"step","id":0,"by":"random","case":0,"values":[3],"best":[3]}
{"event":"reached","id":0,"objective":0,"value":3,"replay":"r1.Bg","not_numbers":1}
{"event":"end","id":0,"verdict":"passed","success":true,"cases":10,"labels":[{"label":"small","cases":4}],"covers":[{"label":"big","at_least":5,"met":1,"of":10}],"rejected":[{"why":"odd","cases":2}],"too_large":0}"#,
    );
    let second = round(
        2,
        r#"{"event":"objective","id":0,"objective":0,"label":"cost","direction":"minimize"}
{"event":"objective","id":0,"objective":1,"label":"depth","direction":"maximize"}
{"event":"step","id":0,"by":"search","case":4,"values":[7,2],"best":[7,2]}
{"event":"reached","id":0,"objective":1,"value":2,"replay":"r1.BA","not_numbers":0}
{"event":"end","id":0,"verdict":"passed","success":true,"cases":100,"labels":[{"label":"small","cases":6},{"label":"new","cases":1}],"covers":[{"label":"big","at_least":5,"met":9,"of":100}],"rejected":[{"why":"odd","cases":3}],"too_large":0}"#,
    );
    let report = Report::read([first.as_str(), second.as_str()]);
    let [property] = report.properties.as_slice() else { panic!("{:?}", report.properties) };
    assert_eq!((property.verdict(), property.cases(), property.rejections()), ("passed", 110, 5));
    assert_eq!(property.labels(), [("small".to_owned(), 10), ("new".to_owned(), 1)]);
    let cover = &property.end.as_ref().expect("an end").covers[0];
    assert_eq!((cover.met, cover.of), (10, 110));
    let names: Vec<&str> = property.objectives.iter().map(|one| one.name()).collect();
    assert_eq!(names, ["depth", "cost"]);
    assert_eq!(property.objectives[0].replay.as_deref(), Some("r1.Bg"), "the best is kept");
    let last = property.steps.last().expect("steps");
    assert_eq!((last.case, &last.values, &last.best), (14, &vec![2.0, 7.0], &vec![3.0, 7.0]));

    let failing = round(
        3,
        r#"{"event":"failure","id":0,"by":"random","kind":"panic","origin":"here","message":"no"}
{"event":"end","id":0,"verdict":"R001","success":false,"cases":5}"#,
    );
    let report = Report::read([first.as_str(), failing.as_str(), failing.as_str()]);
    let property = &report.properties[0];
    assert_eq!((property.verdict(), property.cases(), property.failures.len()), ("R001", 20, 1));
    assert!(!report.is_success());

    let cut = round(4, r#"{"event":"progress","id":0,"cases":7,"rejected":1,"labels":[]}"#);
    let report = Report::read([first.as_str(), cut.as_str()]);
    assert_eq!((report.properties[0].verdict(), report.properties[0].cases()), ("unfinished", 17));

    let missed = round(5, r#"{"event":"end","id":0,"verdict":"R008","success":false,"cases":5}"#);
    let found = round(6, r#"{"event":"end","id":0,"verdict":"exists","success":true,"cases":1}"#);
    for order in [[&missed, &found], [&found, &missed]] {
        let report = Report::read(order.map(String::as_str));
        assert_eq!(report.properties[0].verdict(), "exists");
    }
    // Another program means another property, and so does a second start in the same run.
    let other = first.replace("demo-1", "demo-2");
    assert_eq!(Report::read([first.as_str(), other.as_str()]).properties.len(), 2);
    let again = format!("{first}{}", first.replace("\"id\":0", "\"id\":1"));
    assert_eq!(Report::read([again.as_str()]).properties.len(), 2);
}

#[test]
fn page_marks_the_calls_and_the_blame_of_a_violated_contract() {
    let report = Report::read([CONTRACT]);
    let html = report.to_html(None);
    let marked: Vec<&str> = html
        .split("title=\"on the way to the violated contract\">")
        .skip(1)
        .filter_map(|rest| rest.split("</span>").next())
        .collect();
    assert_eq!(
        marked,
        [
            "bounded_stack.push(",
            "<mark title=\"other values tried here fail too\">0</mark>",
            ");",
            "bounded_stack.push_n(capacity, ",
            "<mark title=\"other values tried here fail too\">0</mark>",
            ");"
        ]
    );
    assert!(
        html.contains(
            "<li class=\"blamed\"><code>BoundedStack::push_n</code> <b>at fault</b></li>"
        )
    );
    let json = report.to_json();
    let contract = &json["properties"][1]["failures"][0]["contract"];
    assert_eq!(contract["blamed_call"], 1);
    assert_eq!(contract["calls"][2], "BoundedStack::push");
    assert!(sample().to_json()["properties"][0]["witness"]["contract"].is_null());
}

/// Returns the tags of an XML document, with the names of their attributes.
fn tags(xml: &str) -> Vec<(String, Vec<String>)> {
    let mut tags = Vec::new();
    for tag in xml.split('<').skip(1).filter_map(|rest| rest.split('>').next()) {
        let (name, rest) = tag.split_once(' ').unwrap_or((tag, ""));
        let names = rest.split('"').step_by(2).filter_map(|part| part.trim().strip_suffix('='));
        tags.push((name.trim_end_matches('/').to_owned(), names.map(str::to_owned).collect()));
    }
    tags
}

/// Checks against `junit-10.xsd` of Jenkins, plus `file` and `line` of a test case, which other
/// tools read.
#[test]
fn junit_has_the_elements_and_attributes_of_its_schema() {
    let known: [(&str, &[&str], &[&str]); 5] = [
        ("testsuites", &[], &["name", "tests", "failures", "errors", "time"]),
        ("testsuite", &["name", "tests", "failures", "errors"], &["time", "timestamp"]),
        ("testcase", &["name"], &["classname", "time", "file", "line"]),
        ("failure", &[], &["type", "message"]),
        ("error", &[], &["type", "message"]),
    ];
    for events in [SAMPLE, CONTRACT] {
        let xml = Report::read([events]).to_junit();
        for (tag, attributes) in tags(&xml) {
            if tag.starts_with(['/', '?']) {
                continue;
            }
            let found = known.iter().find(|(name, ..)| *name == tag);
            let (_, needed, others) = found.unwrap_or_else(|| panic!("<{tag}> in {xml}"));
            let has = |name: &str| attributes.iter().any(|attribute| attribute == name);
            assert!(needed.iter().all(|name| has(name)), "<{tag}> lacks one of {needed:?}: {xml}");
            let is_known =
                |name: &String| needed.contains(&name.as_str()) || others.contains(&name.as_str());
            assert!(attributes.iter().all(is_known), "<{tag}> with {attributes:?}: {xml}");
        }
    }
}

#[test]
fn rounds_of_a_campaign_share_one_junit_suite() {
    let first = round(1, r#"{"event":"end","id":0,"verdict":"passed","success":true,"cases":5}"#);
    let second = round(2, r#"{"event":"end","id":0,"verdict":"passed","success":true,"cases":5}"#);
    let xml = Report::read([first.as_str(), second.as_str()]).to_junit();
    assert_eq!(xml.matches("<testsuite ").count(), 1, "{xml}");
}
