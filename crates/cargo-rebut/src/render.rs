//! Formats diagnostics with the source line and a caret.

use ariadne::{CharSet, Config, IndexType, Label, Report, ReportKind, Source};
use rebut_spec::{Diagnostic, Sources};

/// Formats one diagnostic.
pub(crate) fn render(sources: &Sources, diagnostic: &Diagnostic, color: bool) -> String {
    let Some(file) = sources.file(diagnostic.span.file) else {
        return sources.in_one_line(diagnostic);
    };
    let length = file.text.len();
    let start = (diagnostic.span.start as usize).min(length);
    // A location at the end of the file still needs a character to point at.
    let end = (diagnostic.span.end as usize).clamp((start + 1).min(length), length);
    let range = floor(&file.text, start)..floor(&file.text, end);
    let kind = if diagnostic.is_error() { ReportKind::Error } else { ReportKind::Warning };
    let config = Config::default()
        .with_color(color)
        .with_index_type(IndexType::Byte)
        .with_char_set(CharSet::Ascii);
    let path = rebut_report::one_line(&file.path);
    let location = (path.as_str(), range);
    let mut report =
        Report::build(kind, location.clone()).with_config(config).with_message(&diagnostic.message);
    let text = diagnostic.label.as_deref().or(diagnostic.help.as_deref()).unwrap_or("here");
    report = report.with_label(Label::new(location).with_message(text));
    if let (Some(_), Some(help)) = (&diagnostic.label, &diagnostic.help) {
        report = report.with_help(help);
    }
    let mut bytes = Vec::new();
    match report.finish().write((path.as_str(), Source::from(file.text.as_str())), &mut bytes) {
        Ok(()) => {
            let shown = String::from_utf8_lossy(&bytes);
            shown.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
        }
        Err(_) => sources.in_one_line(diagnostic),
    }
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
