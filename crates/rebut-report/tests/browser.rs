//! Opens the page in a real browser: checks what it shows, what its script does, and that hostile
//! strings stay inert. These tests need a working `chromium` on the path.
//!
//! `UPDATE_EXPECT=1` also writes the screenshots of `docs/guide/images/`.

use rebut_report::Report;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SAMPLE: &str = include_str!("../testdata/sample.jsonl");
/// The events that `cargo rebut explore --report` wrote for `cargo-rebut/testdata/explored`.
const EXPLORED: &str = include_str!("../testdata/explored.jsonl");

/// The events of two properties whose programs violate contracts.
const CONTRACT: &str = include_str!("../testdata/contract.jsonl");

/// A browser with its own profile and a directory for the page.
struct Browser {
    program: &'static str,
    folder: PathBuf,
}

impl Browser {
    fn find(name: &str) -> Option<Browser> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        // A browser that cannot start, for lack of permissions or memory, does not count.
        let is_there = |program: &&str| {
            let mut command = Command::new(program);
            command.args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]);
            command.arg(format!("--user-data-dir={}", folder.join("profile").display()));
            let output = command.arg("about:blank").stdin(Stdio::null()).output();
            output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("<html"))
        };
        let program = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(is_there);
        let Some(program) = program else {
            rebut_testkit::missing("Chromium", "no browser that starts can open the report");
            return None;
        };
        Some(Browser { program, folder })
    }

    /// Writes the page and opens it in the browser. Returns the output of the browser.
    fn open(&self, html: &str, arguments: &[&str]) -> String {
        let page = self.folder.join("report.html");
        std::fs::write(&page, html).expect("a page");
        let mut command = Command::new(self.program);
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]);
        command.arg(format!("--user-data-dir={}", self.folder.join("profile").display()));
        // The page must not send any request.
        command.arg("--host-resolver-rules=MAP * ~NOTFOUND");
        command.args(arguments).arg(format!("file://{}", page.display()));
        let output = command.stdin(Stdio::null()).output().expect("the browser");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn dom(&self, html: &str) -> String {
        self.open(html, &["--virtual-time-budget=3000", "--dump-dom"])
    }
}

/// The page without its policy, and with a script more that does what a user would.
fn with_script(html: &str, script: &str) -> String {
    let (before, rest) = html.split_once("<meta http-equiv").expect("a policy");
    let (_, after) = rest.split_once(">\n").expect("its end");
    format!("{before}{after}")
        .replace("</body>", &format!("<script>{{ {script} }}</script></body>"))
}

#[test]
fn script_runs_under_the_content_security_policy() {
    let Some(browser) = Browser::find("policy") else { return };
    let dom = browser.dom(&Report::read([SAMPLE]).to_html(None));
    assert!(dom.contains(">copy</button>"), "the hash in the policy is not that of the script");
    assert!(dom.contains("Filter the properties"));
}

#[test]
fn filter_hides_rows_and_buttons_respond() {
    let Some(browser) = Browser::find("filter") else { return };
    let script = "
        const filter = document.querySelector('.filter');
        document.dispatchEvent(new KeyboardEvent('keydown', {key: '/'}));
        const focused = document.activeElement === filter;
        filter.value = 'SORTS_IN';
        filter.dispatchEvent(new Event('input'));
        const rows = [...document.querySelectorAll('.overview tbody tr')];
        const shown = rows.filter(row => row.getClientRects().length > 0).length;
        document.querySelector('.copyable button').click();
        setTimeout(() => {
            const button = document.querySelector('.copyable button').textContent;
            const plots = [...document.querySelectorAll('svg.plot')];
            const drawn = plots.filter(plot => plot.getBBox().width > 500).length;
            document.title = `focused ${focused}, ${shown} of ${rows.length} rows, ${button}, ${drawn} of ${plots.length} plots`;
        }, 300);";
    let dom = browser.dom(&with_script(&Report::read([SAMPLE]).to_html(None), script));
    let (_, rest) = dom.split_once("<title>").expect("a title");
    let (title, _) = rest.split_once("</title>").expect("its end");
    assert_eq!(title, "focused true, 1 of 9 rows, copied, 4 of 4 plots");
}

#[test]
fn clicking_a_path_end_opens_its_input() {
    let Some(browser) = Browser::find("paths") else { return };
    let script = "
        const all = [...document.querySelectorAll('.walks details:not(.path)')];
        const tools = [...document.querySelectorAll('.tools')];
        const press = (text) => tools.forEach(tool =>
            [...tool.querySelectorAll('button')].find(button => button.textContent === text).click());
        press('close all');
        const closed = all.filter(one => !one.open).length;
        const end = document.querySelector('#p0w4');
        const hidden = end.open;
        const ends = [...document.querySelectorAll('svg.paths a')];
        ends.find(link => link.getAttribute('href') === '#p0w4').dispatchEvent(new MouseEvent('click', {bubbles: true}));
        setTimeout(() => {
            const input = end.querySelector('code').textContent.trim().replaceAll('\\n', ' ');
            const replay = end.querySelector('dd code').textContent.split(' ')[0];
            const shown = end.getClientRects().length > 0 && end.open;
            const picture = document.querySelector('svg.paths');
            const before = picture.getBoundingClientRect().width;
            press('zoom in');
            const larger = picture.getBoundingClientRect().width > 1.4 * before;
            press('open all');
            const open = all.filter(one => one.open).length;
            document.title = `closed ${closed === all.length}, ${hidden} then ${shown}: ${input} ${replay}, ${ends.length} ends, larger ${larger}, open ${open === all.length}`;
        }, 300);";
    let dom = browser.dom(&with_script(&Report::read([EXPLORED]).to_html(None), script));
    let (_, rest) = dom.split_once("<title>").expect("a title");
    let (title, _) = rest.split_once("</title>").expect("its end");
    assert_eq!(
        title,
        "closed true, false then true: let price: u8 = 1; let amount: u8 = 77; \
         REBUT_REPLAY=r1.ApoB, 19 ends, larger true, open true"
    );
}

#[test]
fn hostile_strings_stay_inert_without_the_policy() {
    let Some(browser) = Browser::find("hostile") else { return };
    let hostile = "</code></title></style></script><script>document.title='owned'</script><img src=x onerror=\\\"document.title='owned'\\\"><svg onload=\\\"document.title='owned'\\\"> \\\" autofocus onfocus='document.title=1' \\u202e";
    let events = SAMPLE
        .replace("demo::shorten", &format!("demo::{hostile}"))
        .replace("a batch of 3", &format!("{hostile} 3"))
        .replace("few stops", hostile)
        .replace("load per stop", hostile);
    let explored = EXPLORED
        .replace("price == 0", hostile)
        .replace("src/lib.rs", hostile)
        .replace("passes", hostile)
        .replace("no input gets here", hostile)
        .replace("\"price\"", &format!("\"{hostile}\""));
    let report = Report::read([events.as_str(), explored.as_str()]);
    assert_eq!(report.unreadable, 0, "{:?}", report.first_unreadable);
    let html = report.to_html(Some(&report));
    let count = "document.body.dataset.found = ['img', '[onerror]', '[onload]', '[onfocus]', 'article svg:not(.plot)']
        .map(what => document.querySelectorAll(what).length).join(' ');";
    let dom = browser.dom(&with_script(&html, count));
    assert!(dom.contains("<title>Rebut: "), "a script of an event ran");
    assert!(dom.contains("data-found=\"0 0 0 0 0\""), "an event became an element");
    assert!(dom.contains("&lt;script&gt;document.title='owned'"), "it is shown as text");
}

#[test]
fn screenshots_show_the_report_in_light_and_dark() {
    let events = front_page();
    take_pictures("report", &Report::read([events.as_str()]).to_html(None), 1640);
}

#[test]
fn screenshots_show_explored_paths_in_light_and_dark() {
    take_pictures("paths", &Report::read([EXPLORED]).to_html(None), 1780);
}

#[test]
fn screenshots_show_blame_and_changes_in_light_and_dark() {
    let is_of_failure = |line: &&str| line.contains("\"id\":3,") && line.contains("\"origin\":");
    let before: Vec<&str> = CONTRACT.lines().filter(|line| !is_of_failure(line)).collect();
    let (start, rest) = before.split_at(before.len() - 1);
    let passed = rest[0].replace("R001", "passed").replace("false", "true");
    let before = Report::read([format!("{}\n{passed}\n", start.join("\n")).as_str()]);
    let html = Report::read([CONTRACT]).to_html(Some(&before));
    assert!(html.contains("1 property is as before."), "{html}");
    take_pictures("blame", &html, 1500);
}

/// Takes pictures of a page in both schemes, and keeps them for the guide if that is wanted.
fn take_pictures(name: &str, html: &str, height: u32) {
    let Some(browser) = Browser::find(&format!("pictures-{name}")) else { return };
    for (scheme, number) in [("dark", 0), ("light", 1)] {
        let file = format!("{name}-{scheme}.png");
        let path = browser.folder.join(&file);
        let shot = format!("--screenshot={}", path.display());
        let scheme = format!("--blink-settings=preferredColorScheme={number}");
        browser.open(html, &[&shot, &scheme, &format!("--window-size=920,{height}")]);
        let picture = std::fs::read(&path).expect("a screenshot");
        assert!(picture.len() > 20_000, "{} bytes are an empty page", picture.len());
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            let images = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/images");
            std::fs::create_dir_all(&images).expect("a folder");
            std::fs::write(images.join(file), picture).expect("a file");
        }
    }
}

/// The sample, with what makes the best picture in front.
fn front_page() -> String {
    let is_wanted = |line: &&str| {
        let id = |id: u64| line.contains(&format!("\"id\":{id},"));
        line.contains("\"event\":\"run\"") || IDS.iter().any(|&wanted| id(wanted))
    };
    let wanted: Vec<&str> = SAMPLE.lines().filter(is_wanted).collect();
    let mut text = String::new();
    for line in wanted {
        text += line;
        text.push('\n');
    }
    text
}

/// Which properties of the sample are on the picture.
const IDS: [u64; 2] = [6, 8];
