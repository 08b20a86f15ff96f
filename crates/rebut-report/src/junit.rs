//! Writes JUnit XML, which most continuous integration systems read.

use rebut_protocol::verdicts::VerdictCode;

use crate::markup::Markup;
use crate::model::{Property, Report};
use crate::words;

impl Report {
    /// Returns a test suite for each run, with a test case for each property.
    #[must_use]
    pub fn to_junit(&self) -> String {
        let mut xml = Markup::xml();
        xml.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"rebut\"");
        counts(&mut xml, &self.properties.iter().collect::<Vec<_>>());
        xml.raw(">\n");
        for (nth, run) in self.runs.iter().enumerate() {
            let here: Vec<_> = self.properties.iter().filter(|one| one.run == nth).collect();
            // Later rounds of a campaign have no properties; these belong to the first round.
            if here.is_empty() && self.runs.len() > 1 {
                continue;
            }
            let name = match here.first() {
                Some(property) if !property.package.is_empty() => suite(property),
                _ => run.program.rsplit(['/', '\\']).next().unwrap_or_default().to_owned(),
            };
            xml.raw("  <testsuite name=\"").attribute(&name).raw("\"");
            counts(&mut xml, &here);
            if !run.start.is_empty() {
                xml.raw(" timestamp=\"").attribute(&run.start).raw("\"");
            }
            xml.raw(">\n");
            for property in here {
                test_case(&mut xml, property);
            }
            xml.raw("  </testsuite>\n");
        }
        xml.raw("</testsuites>\n");
        xml.finish()
    }
}

/// Returns the name of a test binary as nextest writes it: `demo`, `demo::it`, `demo::bin/tool`.
fn suite(property: &Property) -> String {
    let package = &property.package;
    match property.target.split_once(' ') {
        Some(("test", name)) => format!("{package}::{name}"),
        Some((kind, name)) => format!("{package}::{kind}/{name}"),
        None => package.clone(),
    }
}

/// Returns whether a property neither passed nor failed, so that it is not a statement about the code.
fn is_error(property: &Property) -> bool {
    matches!(
        property.code(),
        Some(VerdictCode::Misuse | VerdictCode::InternalError | VerdictCode::Unfinished)
    )
}

fn seconds(property: &Property) -> f64 {
    property.end.as_ref().map_or(0.0, |end| end.ms / 1e3)
}

fn counts(xml: &mut Markup, properties: &[&Property]) {
    let errors = properties.iter().filter(|one| is_error(one)).count();
    let failures = properties.iter().filter(|one| !one.is_success() && !is_error(one)).count();
    let time: f64 = properties.iter().map(|one| seconds(one)).sum();
    xml.raw(" tests=\"").number(properties.len());
    xml.raw("\" failures=\"").number(failures).raw("\" errors=\"").number(errors);
    xml.raw("\" time=\"").display(format_args!("{time:.3}")).raw("\"");
}

fn test_case(xml: &mut Markup, property: &Property) {
    let (class, name) = property.name.rsplit_once("::").unwrap_or(("", &property.name));
    xml.raw("    <testcase classname=\"").attribute(class);
    xml.raw("\" name=\"").attribute(name);
    if let Some((file, line)) = file_and_line(&property.location) {
        xml.raw("\" file=\"").attribute(file).raw("\" line=\"").number(line);
    }
    xml.raw("\" time=\"").display(format_args!("{:.3}", seconds(property))).raw("\"");
    if property.is_success() {
        xml.raw("/>\n");
        return;
    }
    xml.raw(">\n");
    let element = if is_error(property) {
        ("      <error", "</error>\n")
    } else {
        ("      <failure", "</failure>\n")
    };
    let verdict = property.verdict();
    if property.failures.is_empty() {
        let reason = property.end.as_ref().and_then(|end| end.reason.as_deref());
        xml.raw(element.0).raw(" type=\"").attribute(verdict).raw("\" message=\"");
        let word =
            words::complaint(property.code()).unwrap_or_else(|| words::verdict(property.code()));
        xml.attribute(word).raw("\">").text(reason.unwrap_or_default());
        xml.raw(element.1);
    }
    for input in &property.failures {
        let broke = words::describe_failure(input);
        xml.raw(element.0).raw(" type=\"").attribute(verdict).raw("\" message=\"");
        xml.attribute(&broke).raw("\">").text(words::let_lines(input)).raw("\n").text(&broke);
        xml.raw("\nfound by: ").text(words::how_found(property, input));
        if let Some(command) = words::replay_command(property, input) {
            xml.raw("\nreplay: ").text(command);
        }
        xml.raw(element.1);
    }
    xml.raw("    </testcase>\n");
}

/// Splits a location such as `src/lib.rs:3` into file and line.
pub(crate) fn file_and_line(place: &str) -> Option<(&str, u64)> {
    let (file, line) = place.rsplit_once(':')?;
    Some((file, line.parse().ok()?))
}
