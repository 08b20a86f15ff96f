//! Writes the section of one property: its inputs, results and distributions.

use crate::codes::explain;
use crate::markup::{Markup, SHOWN_MAX, cut};
use crate::model::{Property, Report, ReportedInput, Settings, Value, ViolatedContract};
use crate::words;

use super::overview::pill;
use super::{distribution, explored, search};

pub(super) fn write(page: &mut Markup, property: &Property, nth: usize, report: &Report) {
    page.raw("<article id=\"p").number(nth).raw("\" class=\"property\">\n<h2>");
    pill(page, property);
    page.raw(" <span class=\"name\">").text(&property.name).raw("</span></h2>\n");
    write_origin(page, property, report);
    write_verdict(page, property);
    for input in &property.failures {
        write_input(page, property, input, property.failures.len());
    }
    if let Some(witness) = &property.witness {
        write_input(page, property, witness, 1);
    }
    if let Some(explored) = &property.explored {
        explored::write(page, property, explored, nth);
    }
    search::write(page, property);
    distribution::write(page, property);
    write_samples(page, property);
    page.raw("<p class=\"back\"><a href=\"#properties\">All properties</a></p>\n</article>\n");
}

fn write_origin(page: &mut Markup, property: &Property, report: &Report) {
    page.raw("<p class=\"meta\"><code>").text(&property.location).raw("</code> · ");
    if property.explored.is_some() {
        page.raw("explored");
    } else {
        page.raw("seed ").number(property.seed);
    }
    let Settings { cases, search, isolate, deadline_ms, time_budget_ms } = &property.settings;
    if let Some(cases) = cases {
        page.raw(" · ").text(words::count(*cases)).raw(" cases requested");
    }
    if let Some(budget) = time_budget_ms {
        page.raw(" within ").text(words::time(*budget));
    }
    if let Some(deadline) = deadline_ms {
        page.raw(" · ").text(words::time(*deadline)).raw(" per case at most");
    }
    if let (Some(search), false) = (search, property.objectives.is_empty()) {
        page.raw(" · search ").text(search);
    }
    if let Some(isolate) = isolate.as_ref().filter(|isolate| *isolate != "auto") {
        page.raw(" · isolate ").text(isolate);
    }
    if let Some(selection) = property.selection() {
        page.raw(" · <code>").text(selection.join(" ")).raw("</code>");
    } else if let (true, Some(run)) = (report.runs.len() > 1, report.runs.get(property.run)) {
        let program = run.program.rsplit(['/', '\\']).next().unwrap_or_default();
        page.raw(" · <code>").text(program).raw("</code>");
    }
    if let (true, Some(run)) = (report.has_groups(), report.runs.get(property.run)) {
        page.raw(" · ").text(words::moment(&run.start));
    }
    page.raw("</p>\n");
}

/// Writes some generated inputs, one per row.
fn write_samples(page: &mut Markup, property: &Property) {
    let Some(first) = property.samples.first() else { return };
    page.raw("<section class=\"samples\">\n<h3>Sample inputs</h3>\n<div class=\"scroll\"><table>\n<thead><tr>");
    for value in first {
        page.raw("<th scope=\"col\"><code>").text(&value.name);
        if !value.type_name.is_empty() {
            page.raw(": <span class=\"ty\">").text(&value.type_name).raw("</span>");
        }
        page.raw("</code></th>");
    }
    page.raw("</tr></thead>\n<tbody>\n");
    for sample in property.samples.iter().take(SAMPLES_MAX) {
        page.raw("<tr>");
        for value in sample {
            page.raw("<td><code>").text(cut(&value.code, SHOWN_MAX).0).raw("</code></td>");
        }
        page.raw("</tr>\n");
    }
    page.raw("</tbody>\n</table></div>\n</section>\n");
}

/// The maximum number of sample inputs. Arbitrary; further samples are omitted.
const SAMPLES_MAX: usize = 10;

/// Writes the reason and the explanation of the verdict.
fn write_verdict(page: &mut Markup, property: &Property) {
    let verdict = property.verdict();
    if let Some(reason) = property.end.as_ref().and_then(|end| end.reason.as_ref()) {
        let is_fine = property.explored.is_some() && property.is_success();
        page.raw(if is_fine { "<p class=\"broke fine\">" } else { "<p class=\"broke\">" });
        page.text(reason).raw("</p>\n");
    }
    for line in property.end.iter().flat_map(|end| &end.checked) {
        page.raw("<p class=\"checked\">").text(line).raw("</p>\n");
    }
    let Some(code) = explain(verdict) else { return };
    page.raw("<details class=\"explain\"><summary>");
    if verdict.starts_with('R') {
        page.raw("<code>").raw(code.code).raw("</code> ");
    }
    page.raw(code.title).raw("</summary><p>").raw(code.meaning).raw("</p><p>");
    page.raw(code.advice).raw("</p></details>\n");
}

fn write_input(page: &mut Markup, property: &Property, input: &ReportedInput, of: usize) {
    page.raw("<section class=\"told\" id=\"f").number(input.number).raw("\">\n<h3>");
    if input.kind == "witness" {
        page.raw("Matching input");
    } else if property.witness.is_some() {
        page.raw("Expected failure");
    } else if of > 1 {
        page.raw("Failure ").number(input.number);
    } else {
        page.raw("Minimal example");
    }
    page.raw("</h3>\n");
    write_values(page, &input.values, Some(input));
    match &input.contract {
        Some(contract) => write_violation(page, input, contract),
        None => {
            page.raw("<p class=\"broke\">").text(words::describe_failure(input)).raw("</p>\n");
        }
    }
    page.raw("<dl>\n<dt>found by</dt><dd>");
    page.text(words::how_found(property, input));
    if let (Some(began), Some(found)) = (property.began_ms, property.found_ms)
        && found - began >= 1.0
    {
        page.raw("; first found after ").text(words::time(found - began));
    }
    page.raw("</dd>\n");
    if let Some((failed, runs)) = input.rate {
        page.raw("<dt>flaky</dt><dd>failed in ").number(failed).raw(" of ").number(runs);
        page.raw(" reruns of the same input</dd>\n");
    }
    write_replay(page, property, input);
    if let Some(example) = words::example(input) {
        page.raw("<dt>keep</dt><dd>");
        copyable(page, &example);
        page.raw("</dd>\n");
    }
    if let Some(test) = &input.test {
        page.raw("<dt>test</dt><dd><code>").text(test).raw("</code></dd>\n");
    }
    page.raw("</dl>\n</section>\n");
}

/// Writes a violated contract: the function at fault and the calls that led to it.
fn write_violation(page: &mut Markup, input: &ReportedInput, contract: &ViolatedContract) {
    page.raw("<p class=\"broke\">").text(contract.what());
    if let Some(location) = &input.location {
        page.raw(" (").text(location).raw(")");
    }
    page.raw("</p>\n<p>At fault: <strong class=\"fails\">").text(contract.blame());
    page.raw("</strong></p>\n<ol class=\"calls\">\n");
    let (blamed, last) = (contract.blamed_call(), contract.calls.len() - 1);
    for (nth, call) in contract.calls.iter().enumerate() {
        page.raw(if blamed == Some(nth) { "<li class=\"blamed\">" } else { "<li>" });
        page.raw("<code>").text(call).raw("</code>");
        if blamed == Some(nth) {
            page.raw(" <b>at fault</b>");
        }
        if nth == last {
            page.raw(if blamed == Some(nth) { "; " } else { " " });
            page.raw("<b>contract violated</b>");
        }
        page.raw("</li>\n");
    }
    page.raw("</ol>\n");
    if let Some(object) = &contract.object {
        page.raw("<p class=\"meta\">object: <code>").text(object).raw("</code></p>\n");
    }
}

fn write_replay(page: &mut Markup, property: &Property, input: &ReportedInput) {
    let Some(word) = &input.replay else { return };
    page.raw("<dt>replay</dt><dd>");
    match words::replay_command(property, input) {
        Some(command) if command.len() <= SHOWN_MAX => copyable(page, &command),
        Some(_) => {
            page.raw("<code>cargo rebut replay ").number(input.number);
            page.raw("</code> (");
            page.text(words::count(word.len() as u64)).raw(" bytes of choices)");
        }
        None if word.len() <= SHOWN_MAX && words::is_replay_word(word) => {
            copyable(page, &format!("Check::replay(\"{word}\")"));
        }
        None => {
            page.raw("<code>").text(word).raw("</code>");
        }
    }
    page.raw("</dd>\n");
}

/// Writes code with a copy button.
pub(super) fn copyable(page: &mut Markup, text: &str) {
    page.raw("<span class=\"copyable\"><code>").text(text).raw("</code></span>");
}

/// Writes values as lines of code. Marks the parts that can be replaced by other failing values.
pub(super) fn write_values(page: &mut Markup, values: &[Value], input: Option<&ReportedInput>) {
    let notes = input.map(|input| input.notes.as_slice()).unwrap_or_default();
    if values.is_empty() && notes.is_empty() {
        page.raw("<p class=\"meta\">No input is generated.</p>\n");
        return;
    }
    page.raw("<div class=\"copyable\"><pre><code>");
    // Code of several lines is already indented for the body of a function.
    let indent = if values.iter().any(|value| value.code.contains('\n')) { "    " } else { "" };
    let mut marked = Marked::default();
    for (nth, value) in values.iter().enumerate() {
        page.raw(indent).raw("<span class=\"kw\">let</span> ").text(&value.name);
        if !value.type_name.is_empty() {
            page.raw(": <span class=\"ty\">").text(&value.type_name).raw("</span>");
        }
        page.raw(" = ");
        let of_value = write_code(page, &value.code, input, nth);
        marked.free |= of_value.free;
        marked.called |= of_value.called;
        page.raw(";\n");
    }
    for note in notes {
        let continued = format!("\n{indent}// ");
        page.raw(indent)
            .raw("<span class=\"note\">// ")
            .text(note.replace('\n', &continued))
            .raw("</span>\n");
    }
    page.raw("</code></pre></div>\n");
    if marked.free {
        page.raw(
            "<p class=\"meta\"><mark>Marked</mark> parts: other values tried there fail too.</p>\n",
        );
    }
    if marked.called {
        page.raw("<p class=\"meta\"><span class=\"called\">Calls</span> that led to the violated contract.</p>\n");
    }
}

/// Writes the code of a value. Returns which marks it has.
fn write_code(page: &mut Markup, code: &str, input: Option<&ReportedInput>, nth: usize) -> Marked {
    let (shown, is_cut) = cut(code, SHOWN_MAX);
    let free = input.map(|input| input.free.as_slice()).unwrap_or_default();
    // Events may contain any offsets; ignore parts that are not within the code.
    let is_part = |begin, end| begin < end && shown.get(begin..end).is_some();
    let free: Vec<(usize, usize)> = free
        .iter()
        .filter(|part| part.value == nth && is_part(part.begin, part.end))
        .map(|part| (part.begin, part.end))
        .collect();
    let contract = input.and_then(|input| input.contract.as_ref());
    let called = contract.map(|contract| contract.lines(shown)).unwrap_or_default();
    let all = free.iter().chain(&called);
    let mut cuts: Vec<usize> = all.flat_map(|&(begin, end)| [begin, end]).collect();
    cuts.extend([0, shown.len()]);
    cuts.sort_unstable();
    cuts.dedup();
    let within = |parts: &[(usize, usize)], at: usize| {
        parts.iter().any(|&(begin, end)| begin <= at && at < end)
    };
    for pair in cuts.windows(2) {
        let (is_called, is_free) = (within(&called, pair[0]), within(&free, pair[0]));
        page.raw(if is_called {
            "<span class=\"called\" title=\"on the way to the violated contract\">"
        } else {
            ""
        });
        page.raw(if is_free { "<mark title=\"other values tried here fail too\">" } else { "" });
        page.text(&shown[pair[0]..pair[1]]);
        page.raw(if is_free { "</mark>" } else { "" });
        page.raw(if is_called { "</span>" } else { "" });
    }
    if is_cut {
        page.cut_notice(code.len());
    }
    Marked { free: !free.is_empty(), called: !called.is_empty() }
}

/// The kinds of marks in code, for the legend.
#[derive(Clone, Copy, Debug, Default)]
struct Marked {
    /// Parts that can be replaced by other failing values.
    free: bool,
    /// Lines that made the calls to a violated contract.
    called: bool,
}
