//! Measures the report of 100,000 events: the CPU time to write it, and the time that Chromium
//! takes to open it. `cargo xtask bench report` runs this.
//!
//! The events come from real runs: a search with two objectives, a property with labels and
//! `cover!` targets, and one that fails.

#![expect(clippy::print_stdout, reason = "a program that shows something")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use rebut::settings::EventLevel;
use rebut::{Check, cover, integers, label, maximize_as, minimize_as, permutations, vecs};
use rebut_report::Report;

/// The minimum number of events.
const EVENTS: usize = 100_000;
/// The number of measurements, of which the median counts.
const RUNS: usize = 5;
/// The goal for writing and for opening, in seconds.
const GOAL: f64 = 2.0;

fn main() -> Result<(), String> {
    let is_checked = std::env::args().any(|argument| argument == "--check");
    let events = events()?;
    let lines = events.lines().count();
    let written = median(|| {
        let before = cpu()?;
        let html = Report::read([events.as_str()]).to_html(None);
        assert!(html.len() > 1000, "there is a page");
        Ok(cpu()? - before)
    })?;
    let html = Report::read([events.as_str()]).to_html(None);
    println!("Medians of {RUNS} measurements.\n");
    println!("| what | |\n| --- | ---: |");
    println!("| events | {lines} |");
    println!("| bytes of events | {} |", events.len());
    println!("| bytes of the page | {} |", html.len());
    println!("| CPU to read events and write the page | {written:.3} s |");
    let opened = match Browser::find() {
        Some(browser) => Some(browser.measure(&html)?),
        None => None,
    };
    println!();
    let is_met = written < GOAL && opened.is_none_or(|opened| opened < GOAL);
    let verdict = if is_met { "goal met" } else { "goal missed" };
    match opened {
        Some(opened) => println!(
            "report: {lines} events written in {written:.2} CPU s, opened in {opened:.2} s, at most {GOAL} s each: {verdict}"
        ),
        None => println!(
            "report: {lines} events written in {written:.2} CPU s, at most {GOAL} s, and not opened for want of Chromium: {verdict}"
        ),
    }
    if is_checked && !is_met { Err("the goal is missed".to_owned()) } else { Ok(()) }
}

/// Returns the median of several measurements.
fn median(mut measure: impl FnMut() -> Result<f64, String>) -> Result<f64, String> {
    let mut times = Vec::new();
    for _ in 0..RUNS {
        times.push(measure()?);
    }
    times.sort_unstable_by(f64::total_cmp);
    Ok(times[RUNS / 2])
}

/// Runs properties until there are enough events, and returns the events.
fn events() -> Result<String, String> {
    let check = |name: &str, cases: u64| {
        let check = Check::new(name).seed(1).cases(cases);
        check.configure(|settings| settings.events = EventLevel::All)
    };
    let _ = check("a search with two objectives", 34_000).run(|case| {
        let list = case.draw_as("list", permutations(0..24u8));
        let inversions = (1..list.len()).filter(|&n| list[n - 1] > list[n]).count();
        let first: u32 = list.iter().take(8).map(|&n| u32::from(n)).sum();
        label!("{} inversions", inversions);
        maximize_as("inversions", inversions as u32);
        minimize_as("first", first);
    });
    let _ = check("a property with labels and covers", 34_000).run(|case| {
        let list = case.draw_as("list", vecs(integers::<u16>()));
        label!("{} elements", list.len());
        cover!("with zero", list.contains(&0), at_least 1 %);
        let mut sorted = list.clone();
        sorted.sort_unstable();
        assert_eq!(sorted.len(), list.len());
    });
    let _ = check("a property that fails", 20_000).run(|case| {
        let list = case.draw_as("list", vecs(integers::<u16>()));
        assert!(list.iter().map(|&n| u32::from(n)).sum::<u32>() < 100_000);
    });
    let path = own_events()?;
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let lines = text.lines().count();
    if lines < EVENTS { Err(format!("there are only {lines} events")) } else { Ok(text) }
}

/// Returns the event file of this process.
fn own_events() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let runs = program
        .ancestors()
        .map(|directory| directory.join("rebut/runs"))
        .find(|runs| runs.is_dir());
    let entries = std::fs::read_dir(runs.ok_or("no folder of runs")?);
    let ours = format!("{}.jsonl", std::process::id());
    let mut names = entries.map_err(|error| error.to_string())?.flatten();
    let path = names.find_map(|group| Some(group.path().join(&ours)).filter(|path| path.exists()));
    path.ok_or("no events of this run".to_owned())
}

/// Returns the CPU time of this thread in seconds.
fn cpu() -> Result<f64, String> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat");
    let text = text.map_err(|error| format!("CPU time is read from Linux: {error}"))?;
    let nanoseconds = text.split(' ').next().and_then(|first| first.parse::<f64>().ok());
    nanoseconds.map(|nanoseconds| nanoseconds / 1e9).ok_or("no CPU time".to_owned())
}

struct Browser {
    program: &'static str,
    directory: PathBuf,
}

impl Browser {
    fn find() -> Option<Browser> {
        let is_there = |program: &&str| {
            let mut command = Command::new(program);
            command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        };
        let program =
            ["chromium", "chromium-browser", "google-chrome"].into_iter().find(is_there)?;
        let name = format!("rebut-measure-{}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&directory).ok()?;
        Some(Browser { program, directory })
    }

    /// Returns the time to open a page in a window of 1280 by 1000 pixels: until the browser
    /// reports that it is loaded, or until there is a screenshot, less the time for a page of one
    /// word. The longer of the two counts.
    fn measure(&self, html: &str) -> Result<f64, String> {
        let empty = "<!DOCTYPE html><title>t</title><p>word";
        let of_empty = median(|| self.painted(empty))?;
        let of_page = median(|| self.painted(html))?;
        let loaded = median(|| self.loaded(html))?;
        println!(
            "| a picture of a page of one word, start of Chromium included | {of_empty:.2} s |"
        );
        println!("| a picture of the report, likewise | {of_page:.2} s |");
        println!("| until the report is loaded, as Chromium says | {loaded:.2} s |");
        let _ = std::fs::remove_dir_all(&self.directory);
        Ok(loaded.max(of_page - of_empty))
    }

    fn open(&self, html: &str, arguments: &[String]) -> Result<String, String> {
        let page = self.directory.join("report.html");
        std::fs::write(&page, html).map_err(|error| error.to_string())?;
        let mut command = Command::new(self.program);
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1280,1000"]);
        command.arg(format!("--user-data-dir={}", self.directory.join("profile").display()));
        command.args(arguments).arg(address(&page)).stdin(Stdio::null());
        let output = command.output().map_err(|error| error.to_string())?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn painted(&self, html: &str) -> Result<f64, String> {
        let picture = self.directory.join("picture.png");
        let began = Instant::now();
        self.open(html, &[format!("--screenshot={}", picture.display())])?;
        let took = began.elapsed().as_secs_f64();
        std::fs::remove_file(&picture).map_err(|error| format!("no picture: {error}"))?;
        Ok(took)
    }

    fn loaded(&self, html: &str) -> Result<f64, String> {
        let (before, rest) = html.split_once("<meta http-equiv").ok_or("no policy")?;
        let (_, after) = rest.split_once(">\n").ok_or("no end of it")?;
        let script = "<script>addEventListener('load', () => setTimeout(() => { document.title = 'loaded ' + performance.getEntriesByType('navigation')[0].loadEventEnd + ' ms'; }));</script></body>";
        let page = format!("{before}{after}").replace("</body>", script);
        let dom = self.open(&page, &["--timeout=20000".to_owned(), "--dump-dom".to_owned()])?;
        let said = dom.split_once("<title>loaded ").and_then(|(_, rest)| rest.split_once(" ms"));
        let ms = said.and_then(|(number, _)| number.parse::<f64>().ok());
        ms.map(|ms| ms / 1e3).ok_or("the page did not say when it was loaded".to_owned())
    }
}

fn address(page: &Path) -> String {
    format!("file://{}", page.display())
}
