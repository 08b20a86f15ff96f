//! Counts the properties that failed, passed and were proved, for the terminal and the HTML report.

use std::fmt;

use crate::model::Report;
use crate::words::{count, counted, verdict};

/// The number of properties by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Totals {
    /// The number of all properties.
    pub properties: u64,
    /// Properties with a failure, or without the matching input that must exist.
    pub failed: u64,
    /// Properties that fail in some runs of the same input and pass in others.
    pub flaky: u64,
    /// Properties that tested too little: they reject their inputs, miss their `cover!` targets, or
    /// are too slow.
    pub vacuous: u64,
    /// Properties that ended in an error: misuse, or an internal error.
    pub errors: u64,
    /// Properties without a result: not finished, or not fully explored.
    pub unknown: u64,
    /// Properties that passed in all cases.
    pub passed: u64,
    /// Properties that passed for every possible input.
    pub proved: u64,
    /// The number of cases of all properties.
    pub cases: u64,
}

impl Report {
    /// Counts the properties by result.
    #[must_use]
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for property in &self.properties {
            totals.properties += 1;
            totals.cases += property.cases();
            let count = match verdict(property.code()) {
                "PROVED" => &mut totals.proved,
                "PASS" => &mut totals.passed,
                "FAIL" => &mut totals.failed,
                "FLAKY" => &mut totals.flaky,
                "VACUOUS" => &mut totals.vacuous,
                "ERROR" => &mut totals.errors,
                _ => &mut totals.unknown,
            };
            *count += 1;
        }
        totals
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", counted(self.properties, "property", "properties"))?;
        let errors = if self.errors == 1 { "error" } else { "errors" };
        let parts = [
            (self.failed, "failed"),
            (self.flaky, "flaky"),
            (self.vacuous, "vacuous"),
            (self.errors, errors),
            (self.unknown, "unknown"),
            (self.passed, "passed"),
            (self.proved, "proved"),
        ];
        // Without any property, print "0 passed".
        let shown = parts
            .iter()
            .filter(|(number, word)| *number > 0 || (self.properties == 0 && *word == "passed"));
        for (nth, (number, word)) in shown.enumerate() {
            write!(f, "{} {} {word}", if nth == 0 { "" } else { "," }, count(*number))?;
        }
        write!(f, "; {}", counted(self.cases, "case", "cases"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_print_only_nonzero_counts() {
        let totals = Totals {
            properties: 7,
            failed: 1,
            passed: 5,
            proved: 1,
            cases: 182_340,
            ..Totals::default()
        };
        let text = "7 properties: 1 failed, 5 passed, 1 proved; 182,340 cases";
        assert_eq!(totals.to_string(), text);
        assert_eq!(Totals::default().to_string(), "0 properties: 0 passed; 0 cases");
        let one = Totals { properties: 1, errors: 1, cases: 1, ..Totals::default() };
        assert_eq!(one.to_string(), "1 property: 1 error; 1 case");
    }

    #[test]
    fn every_property_is_counted_once() {
        let report = Report::read([include_str!("../testdata/sample.jsonl")]);
        let totals = report.totals();
        let sum = totals.failed + totals.flaky + totals.vacuous + totals.errors;
        assert_eq!(sum + totals.unknown + totals.passed + totals.proved, totals.properties);
        assert_eq!(totals.properties, report.properties.len() as u64);
    }
}
