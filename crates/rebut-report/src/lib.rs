//! Reports of Rebut runs, for people and for other programs.
//!
//! [`Report::read`] reads events (`docs/guide/events.md`). A report is written as an HTML page
//! ([`Report::to_html`]), as a table for a terminal ([`Report::to_text`]), as JSON
//! ([`Report::to_json`]), and in two formats for continuous integration ([`Report::to_junit`],
//! [`Report::to_sarif`]). [`observations`] turns events into the observations that Hypothesis
//! defined and Tyche shows.
//!
//! This crate never reads or writes a file, reads a clock or starts a process: its output is a
//! function of the events. A line that cannot be read is counted and reported; the rest of the
//! file is read anyway.
//!
//! # Examples
//!
//! ```
//! let events = r#"{"event":"run","version":1,"rebut":"0.1.0","group":"p1","process":2}
//! {"event":"begin","id":0,"property":"demo::sorts","place":"src/lib.rs:3","seed":1}
//! {"event":"end","id":0,"verdict":"passed","success":true,"cases":1000,"ms":12.5}
//! "#;
//! let report = rebut_report::Report::read([events]);
//! assert_eq!(report.properties[0].verdict(), "passed");
//! assert!(report.to_html(None).contains("demo::sorts"));
//! ```

mod codes;
mod compare;
mod contract;
mod front;
mod html;
mod json;
mod junit;
mod latest;
mod lines;
mod markup;
mod model;
mod observe;
mod read;
mod sarif;
mod text;
mod time;
mod totals;
mod words;
mod write;

pub use codes::{Code, codes, explain};
pub use latest::{Identity, StartedProperty};
pub use lines::{
    BeginLine, DecisionLine, EndLine, ExploredLine, InputLine, Label, Number, PathKind, PathLine,
    Rate, ReplayedInput, RunLine,
};
pub use model::{
    BranchTarget, CodeLine, Cover, Decision, Explored, ExploredPath, FileLines, FreePart,
    FrontCase, Objective, Property, PropertyEnd, Rejected, Report, ReportedInput, Run, Settings,
    SourceLocation, Step, Value, ViolatedContract,
};
pub use observe::observations;
pub use text::{one_line, printable};
pub use time::{compact_time, rfc3339};
pub use totals::Totals;
pub use write::Event;
