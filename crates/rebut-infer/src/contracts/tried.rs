//! Puts contracts where they belong, in the copy of the sources that is built natively, and calls
//! the functions. A clause that does not compile there, or is broken, is taken out.

use super::Contract;
use crate::checked;
use crate::explored::request;
use crate::subject::{Home, Subject};
use crate::words;
use rebut_build::{NativePackage, TestPrograms};
use rebut_cli::arguments::Infer;
use rebut_cli::exit::{Exit, Failure};
use rebut_explore::problem;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The name of the module of tests that call the functions.
const MODULE: &str = "rebut_contracts";

/// A clause: the place of its contract, and its own in that.
type Place = (usize, usize);

/// A clause that is taken out, and why.
type Wrong = (Place, String);

/// Takes out what does not compile or hold; in words, what that is.
pub(crate) fn check(
    arguments: &Infer,
    package: &str,
    subject: &Subject,
    contracts: &mut Vec<Contract<'_>>,
) -> Result<Vec<String>, Failure> {
    let mut notes = Vec::new();
    // Each round takes out a clause at least.
    while !contracts.is_empty() {
        let written = Written::new(subject, contracts);
        let mut request = request(arguments, package, subject, "");
        request.overlay.files = written.files.clone();
        let native = NativePackage::prepare(&request).map_err(problem)?;
        let built = native.build(&mut |_| {}).map_err(problem)?;
        let wrong = if built.errors.is_empty() {
            broken(&native, &built, contracts)?
        } else {
            written.errors(&built)?
        };
        if wrong.is_empty() {
            break;
        }
        take_out(contracts, wrong, &mut notes);
    }
    Ok(notes)
}

/// Files with contracts in them.
struct Written {
    files: BTreeMap<PathBuf, String>,
    /// The clauses, by the lines they are in.
    lines: BTreeMap<(PathBuf, usize), Place>,
}

/// What is put into a file at a place; a clause has a line of its own.
struct Edit {
    at: usize,
    text: String,
    clause: Option<Place>,
}

impl Written {
    fn new(subject: &Subject, contracts: &[Contract<'_>]) -> Written {
        let mut edits: BTreeMap<PathBuf, (Rc<str>, Vec<Edit>)> = BTreeMap::new();
        let module = &subject.module;
        let calls = Edit { at: module.end, text: calls(subject, contracts), clause: None };
        edits.insert(module.file.clone(), (Rc::clone(&module.text), vec![calls]));
        for (nth, contract) in contracts.iter().enumerate() {
            let Some(home) = &contract.probe.method.home else { continue };
            let (_, own) = edits
                .entry(home.file.clone())
                .or_insert_with(|| (Rc::clone(&home.text), Vec::new()));
            own.extend(edits_of(home, nth, contract));
        }
        let mut written = Written { files: BTreeMap::new(), lines: BTreeMap::new() };
        for (file, (text, edits)) in edits {
            written.write(file, &text, edits);
        }
        written
    }

    fn write(&mut self, file: PathBuf, text: &str, mut edits: Vec<Edit>) {
        edits.sort_by_key(|edit| edit.at);
        edits.dedup_by(|b, a| a.at == b.at && a.text == b.text && b.clause.is_none());
        let (mut whole, mut begin) = (String::new(), 0);
        for Edit { at, text: added, clause } in edits {
            whole.push_str(text.get(begin..at).unwrap_or_default());
            begin = at;
            if let Some(clause) = clause {
                let line = whole.matches('\n').count() + 1;
                self.lines.insert((file.clone(), line), clause);
            }
            whole.push_str(&added);
        }
        whole.push_str(text.get(begin..).unwrap_or_default());
        self.files.insert(file, whole);
    }

    /// The clause in a line of a file, of whose path only the end is known.
    fn clause(&self, file: &Path, line: usize) -> Option<Place> {
        let is_it = |known: &Path| known.file_name() == file.file_name();
        let mut all = self.lines.iter().filter(|((known, at), _)| *at == line && is_it(known));
        all.next().map(|(_, place)| *place)
    }

    /// The clauses that do not compile.
    fn errors(&self, built: &TestPrograms) -> Result<Vec<Wrong>, Failure> {
        let mut wrong = Vec::new();
        for error in &built.errors {
            let mut spans = error.spans.iter();
            let Some(place) = spans.find_map(|span| self.clause(&span.file, span.line)) else {
                let message = format!("{}\n{}", error.rendered, words::contracts_not_built());
                return Err(Failure::new(Exit::Build, message));
            };
            wrong.push((place, format!("it does not compile: {}", error.message)));
        }
        Ok(wrong)
    }
}

/// The clauses that are broken. A call that panics otherwise breaks none.
fn broken(
    native: &NativePackage,
    built: &TestPrograms,
    contracts: &[Contract<'_>],
) -> Result<Vec<Wrong>, Failure> {
    let mut wrong = Vec::new();
    for program in built.programs.values() {
        let said = checked::run(native, program, &[format!("{MODULE}::")], false)?;
        for report in checked::reports(&said).values() {
            if let Some(place) = named(report, contracts) {
                wrong.push((place, checked::reason(report)));
            }
        }
    }
    Ok(wrong)
}

/// The clause that a report says is broken. What is said is compared without spaces, which a macro
/// does not see.
fn named(report: &str, contracts: &[Contract<'_>]) -> Option<Place> {
    let dense = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let report = dense(report);
    contracts.iter().enumerate().find_map(|(nth, contract)| {
        let is_broken = |clause: &String| {
            let said = clause.strip_prefix("#[ensures(").and_then(|rest| rest.strip_suffix(")]"));
            let name = &contract.probe.method.name;
            said.is_some_and(|said| report.contains(&dense(&format!("::{name}`ensures`{said}`"))))
        };
        Some((nth, contract.clauses.iter().position(is_broken)?))
    })
}

/// The clauses, before the function, and what makes them clauses, before the block.
fn edits_of(home: &Home, nth: usize, contract: &Contract<'_>) -> Vec<Edit> {
    let clauses = contract.clauses.iter().enumerate();
    let mut edits: Vec<Edit> = clauses
        .map(|(number, clause)| Edit {
            at: home.function,
            text: format!("{}\n", clause.replace('\n', " ")),
            clause: Some((nth, number)),
        })
        .collect();
    if !home.has_contracts {
        let text = "#[rebut::contract]\n".to_owned();
        edits.push(Edit { at: home.block, text, clause: None });
    }
    edits
}

/// Tests that call each function as it may be called, and check nothing themselves.
fn calls(subject: &Subject, contracts: &[Contract<'_>]) -> String {
    let mut text = format!(
        "\n#[cfg(test)]\n#[allow(unused, clippy::all)]\nmod {MODULE} {{\n{}\n{}",
        subject.module.seen(),
        subject.state_items()
    );
    let own = format!("{}.", subject.variable());
    for (nth, contract) in contracts.iter().enumerate() {
        let probe = contract.probe;
        let mut parameters = Vec::new();
        let mut lines = String::new();
        if !probe.is_constructor() {
            parameters.extend(subject.state_parameters());
            lines.push_str(&subject.state_lines());
        }
        parameters.extend(probe.given_parameters());
        for condition in contract.clauses.iter().filter_map(|clause| required(clause)) {
            let _ = writeln!(lines, "rebut::assume!({});", condition.replace("self.", &own));
        }
        let (parameters, call) = (parameters.join(", "), probe.call_text(subject));
        let _ = writeln!(
            text,
            "#[rebut::test]\nfn call_{nth}({parameters}) {{\n{lines}let _ = {call};\n}}\n"
        );
    }
    text.push_str("}\n");
    text
}

/// What a clause requires, if it is one that does.
fn required(clause: &str) -> Option<&str> {
    clause.strip_prefix("#[requires(")?.strip_suffix(")]")
}

fn take_out(contracts: &mut Vec<Contract<'_>>, mut wrong: Vec<Wrong>, notes: &mut Vec<String>) {
    wrong.sort();
    wrong.dedup_by_key(|(place, _)| *place);
    for ((nth, number), why) in wrong.into_iter().rev() {
        let Some(contract) = contracts.get_mut(nth) else { continue };
        if number < contract.clauses.len() {
            let clause = contract.clauses.remove(number);
            notes.push(words::clause_left_out(&contract.probe.method.name, &clause, &why));
        }
    }
    contracts.retain(|contract| !contract.clauses.is_empty());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_stand_before_their_functions_and_are_found_by_their_lines() {
        let text = "struct A;\nimpl A {\n    fn f(&mut self) {}\n    fn g(&mut self) {}\n}\n";
        let clause = |at: usize, text: &str, number: usize| Edit {
            at,
            text: format!("{text}\n"),
            clause: Some((0, number)),
        };
        let block = || Edit { at: 10, text: "#[rebut::contract]\n".to_owned(), clause: None };
        let (f, g) = (text.find("fn f").unwrap_or(0), text.find("fn g").unwrap_or(0));
        let edits = vec![
            clause(g, "#[ensures(two)]", 1),
            block(),
            clause(f, "#[ensures(one)]", 0),
            block(),
        ];
        let mut written = Written { files: BTreeMap::new(), lines: BTreeMap::new() };
        written.write(PathBuf::from("/home/me/src/lib.rs"), text, edits);
        let whole: Vec<&String> = written.files.values().collect();
        assert_eq!(
            whole,
            [
                "struct A;\n#[rebut::contract]\nimpl A {\n    #[ensures(one)]\nfn f(&mut self) {}\n    \
              #[ensures(two)]\nfn g(&mut self) {}\n}\n"
            ]
        );
        assert_eq!(written.clause(Path::new("src/lib.rs"), 4), Some((0, 0)));
        assert_eq!(written.clause(Path::new("src/lib.rs"), 6), Some((0, 1)));
        assert_eq!(written.clause(Path::new("src/other.rs"), 6), None);
    }
}
