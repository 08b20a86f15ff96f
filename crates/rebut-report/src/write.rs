//! Writes lines of event files for commands. Tests write theirs with code of their own.

use serde::Serialize;

use crate::lines::{
    BeginLine, DecisionLine, EndLine, ExploredLine, FileLines, InputLine, PathLine, RunLine,
};

/// An event that a command writes.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[expect(clippy::large_enum_variant, reason = "an event is written at once and not stored")]
pub enum Event {
    /// The process that writes the file; its first line.
    Run(RunLine),
    /// The start of a property.
    Begin(BeginLine),
    /// A decision of an explored test.
    Decision(DecisionLine),
    /// A path of an explored test.
    Path(PathLine),
    /// The lines of a file that an explored test may run.
    Lines(FileLines),
    /// The result of an exploration.
    Explored(ExploredLine),
    /// A failing input.
    Failure(InputLine),
    /// The end of a property.
    End(EndLine),
}

impl Event {
    /// Returns the line of the event, with its line break. `id` is the number of the property; a
    /// [`Run`](Event::Run) has none.
    ///
    /// ```
    /// use rebut_report::{BeginLine, Event};
    /// let begin = BeginLine {
    ///     property: "a::b".to_owned(),
    ///     place: "src/lib.rs:3".to_owned(),
    ///     ..BeginLine::default()
    /// };
    /// assert_eq!(
    ///     Event::Begin(begin).to_line(Some(7)),
    ///     "{\"event\":\"begin\",\"id\":7,\"property\":\"a::b\",\"place\":\"src/lib.rs:3\"}\n"
    /// );
    /// ```
    #[must_use]
    pub fn to_line(&self, id: Option<u64>) -> String {
        match self {
            Event::Run(fields) => line("run", id, fields),
            Event::Begin(fields) => line("begin", id, fields),
            Event::Decision(fields) => line("decision", id, fields),
            Event::Path(fields) => line("path", id, fields),
            Event::Lines(fields) => line("lines", id, fields),
            Event::Explored(fields) => line("explored", id, fields),
            Event::Failure(fields) => line("failure", id, fields),
            Event::End(fields) => line("end", id, fields),
        }
    }
}

/// The keys of every line, and those of its event.
#[derive(Serialize)]
struct Line<'a, T> {
    event: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    #[serde(flatten)]
    fields: &'a T,
}

fn line<T: Serialize>(event: &'static str, id: Option<u64>, fields: &T) -> String {
    // Strings, numbers and lists of them can always be written.
    let text = serde_json::to_string(&Line { event, id, fields }).unwrap_or_default();
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::{ExploredPath, Number, PathKind};
    use crate::model::Report;

    #[test]
    fn written_events_are_read_again() {
        let path = ExploredPath { kind: PathKind::InternalError, ..ExploredPath::default() };
        let events = [
            Event::Begin(BeginLine { property: "a::b".to_owned(), ..BeginLine::default() }),
            Event::Path(PathLine { path: 3, of: path }),
            Event::End(EndLine {
                verdict: "proved".to_owned(),
                success: true,
                ms: Some(Number(1.5)),
                at_ms: Some(Number(12.0)),
                ..EndLine::default()
            }),
        ];
        let run = Event::Run(RunLine::new("0.1.0")).to_line(None);
        let lines: String = events.iter().map(|event| event.to_line(Some(0))).collect();
        assert!(lines.contains("\"kind\":\"internal-error\""), "{lines}");
        assert!(lines.ends_with("\"cases\":0,\"ms\":1.5,\"at_ms\":12}\n"), "{lines}");
        let report = Report::read([format!("{run}{lines}").as_str()]);
        assert_eq!(report.unreadable, 0, "{:?}", report.first_unreadable);
        let property = &report.properties[0];
        assert_eq!(property.verdict(), "proved");
        let explored = property.explored.as_ref().expect("an exploration");
        assert_eq!(explored.paths[&3].kind, PathKind::InternalError);
    }
}
