//! What a run of Rebut went through, shown to people and to other programs.
//!
//! Events (`docs/guide/events.md`) are read into a [`Report`], and a report is written as a page
//! ([`Report::to_html`]), as a table for a terminal ([`Report::to_text`]), as JSON
//! ([`Report::to_json`]), and as what continuous integration reads ([`Report::to_junit`],
//! [`Report::to_sarif`]). [`observations`] turns events into the observations that Hypothesis
//! defined and Tyche shows.
//!
//! It never reads or writes a file, has no clock, and starts nothing: what it makes is a function
//! of the events. A line that cannot be read is counted and said, and is no reason to stop.
//!
//! # Example
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

pub use codes::{Code, codes, explain};
pub use latest::{Begun, Identity};
pub use model::{
    CodeLine, Cover, Decision, Explored, FileLines, Free, FrontCase, Objective, PathOf, Place,
    Property, Rejected, Report, Run, Settings, Shown, Step, Told, Value, Way,
};
pub use observe::observations;
pub use text::printable;
pub use time::rfc3339;
pub use totals::Totals;
