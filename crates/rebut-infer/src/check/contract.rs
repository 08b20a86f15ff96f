//! Adds contracts to a copy of the sources, builds it natively, and calls the functions. Clauses
//! that do not compile there, or that a call violates, are dropped.

use crate::check::native_run::{RejectionLimit, drop_reason, failing_tests, failure};
use crate::explore::request;
use crate::note::{DropReason, Note};
use crate::read::subject::{FunctionSource, Subject};
use crate::words;
use crate::write::contract::{Contract, required_condition};
use rebut_build::{NativePackage, TestPrograms};
use rebut_cli::arguments::Infer;
use rebut_cli::exit::{Exit, Failure};
use rebut_explore::problem;
use rebut_report::ViolatedContract;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The name of the module of tests that call the functions.
const MODULE: &str = "rebut_contracts";

/// A clause: the index of its contract, and its own index in that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ClauseIndex {
    contract: usize,
    clause: usize,
}

/// Drops the clauses that do not compile or hold, and returns notes about them.
///
/// # Errors
/// If the package does not build with contracts for another reason.
pub(crate) fn check_contracts(
    arguments: &Infer,
    package: &str,
    subject: &Subject,
    contracts: &mut Vec<Contract<'_>>,
) -> Result<Vec<Note>, Failure> {
    let mut notes = Vec::new();
    // Each round drops at least one clause.
    while !contracts.is_empty() {
        let sources = EditedSources::new(subject, contracts);
        let mut request = request(arguments, package, subject, "");
        request.overlay.files = sources.files.clone();
        let native = NativePackage::prepare(&request).map_err(problem)?;
        let built = native.build(&mut |_| {}).map_err(problem)?;
        let wrong = if built.errors.is_empty() {
            violated_clauses(&native, &built, contracts)?
        } else {
            sources.compile_errors(&built)?
        };
        if wrong.is_empty() {
            break;
        }
        drop_clauses(contracts, wrong, &mut notes);
    }
    Ok(notes)
}

/// Source files with contracts.
#[derive(Default)]
struct EditedSources {
    files: BTreeMap<PathBuf, String>,
    /// The clauses, by their lines.
    lines: BTreeMap<(PathBuf, usize), ClauseIndex>,
}

/// Text that is inserted into a file. A clause has a line of its own.
struct Insertion {
    /// The byte offset.
    at: usize,
    text: String,
    clause: Option<ClauseIndex>,
}

impl EditedSources {
    fn new(subject: &Subject, contracts: &[Contract<'_>]) -> EditedSources {
        let mut insertions: BTreeMap<PathBuf, (Rc<str>, Vec<Insertion>)> = BTreeMap::new();
        let module = &subject.module;
        let calls = Insertion { at: module.end, text: calls(subject, contracts), clause: None };
        insertions.insert(module.file.clone(), (Rc::clone(&module.text), vec![calls]));
        for (nth, contract) in contracts.iter().enumerate() {
            let Some(source) = &contract.probe.method.source else { continue };
            let (_, in_file) = insertions
                .entry(source.file.clone())
                .or_insert_with(|| (Rc::clone(&source.text), Vec::new()));
            in_file.extend(contract_insertions(source, nth, contract));
        }
        let mut sources = EditedSources::default();
        for (file, (text, insertions)) in insertions {
            sources.edit(file, &text, insertions);
        }
        sources
    }

    fn edit(&mut self, file: PathBuf, text: &str, mut insertions: Vec<Insertion>) {
        insertions.sort_by_key(|insertion| insertion.at);
        // All contracts of a block add the same attribute to it.
        insertions.dedup_by(|b, a| a.at == b.at && a.text == b.text && b.clause.is_none());
        let (mut edited, mut start) = (String::new(), 0);
        for Insertion { at, text: added, clause } in insertions {
            edited.push_str(text.get(start..at).unwrap_or_default());
            start = at;
            if let Some(clause) = clause {
                let line = edited.matches('\n').count() + 1;
                self.lines.insert((file.clone(), line), clause);
            }
            edited.push_str(&added);
        }
        edited.push_str(text.get(start..).unwrap_or_default());
        self.files.insert(file, edited);
    }

    /// Returns the clause in a line of a file. The compiler knows the file by another path, so only
    /// the names of files are compared.
    fn clause_at(&self, file: &Path, line: usize) -> Option<ClauseIndex> {
        let is_file = |known: &Path| known.file_name() == file.file_name();
        let mut lines = self.lines.iter();
        lines.find(|((known, at), _)| *at == line && is_file(known)).map(|(_, clause)| *clause)
    }

    fn compile_errors(
        &self,
        built: &TestPrograms,
    ) -> Result<Vec<(ClauseIndex, DropReason)>, Failure> {
        let mut wrong = Vec::new();
        for error in &built.errors {
            let mut spans = error.spans.iter();
            let Some(clause) = spans.find_map(|span| self.clause_at(&span.file, span.line)) else {
                let message = format!("{}\n{}", error.rendered, words::contracts_not_built());
                return Err(Failure::new(Exit::Build, message));
            };
            wrong.push((clause, DropReason::NotCompiled(error.message.clone())));
        }
        Ok(wrong)
    }
}

/// Returns the clauses that a call violates. A call that panics for another reason violates none.
fn violated_clauses(
    native: &NativePackage,
    built: &TestPrograms,
    contracts: &[Contract<'_>],
) -> Result<Vec<(ClauseIndex, DropReason)>, Failure> {
    let mut wrong = Vec::new();
    let names = [format!("{MODULE}::")];
    for program in built.programs.values() {
        let failing = failing_tests(native, program, &names, RejectionLimit::OfTest)?;
        for result in failing.values() {
            let inputs = failure(result).map(|failure| failure.inputs.as_slice());
            let violated =
                inputs.unwrap_or_default().iter().filter_map(|one| one.contract.as_ref());
            let clause = violated.filter_map(|one| violated_clause(one, contracts)).next();
            if let Some(clause) = clause {
                wrong.push((clause, drop_reason(result)));
            }
        }
    }
    Ok(wrong)
}

/// Returns the clause that is violated. Conditions are compared without spaces: the library knows
/// the tokens of a clause, and these have none.
fn violated_clause(violated: &ViolatedContract, contracts: &[Contract<'_>]) -> Option<ClauseIndex> {
    if violated.clause != "ensures" {
        return None;
    }
    let dense = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let (_, function) = violated.function.rsplit_once("::")?;
    let condition = dense(&violated.condition);
    contracts.iter().enumerate().find_map(|(nth, contract)| {
        if contract.probe.method.name != function {
            return None;
        }
        let is_violated = |clause: &String| {
            let ensured =
                clause.strip_prefix("#[ensures(").and_then(|rest| rest.strip_suffix(")]"));
            ensured.is_some_and(|ensured| dense(ensured) == condition)
        };
        let clause = contract.clauses.iter().position(is_violated)?;
        Some(ClauseIndex { contract: nth, clause })
    })
}

/// Returns the insertions of a contract: the clauses before the function, and the attribute that
/// enables them before the block.
fn contract_insertions(
    source: &FunctionSource,
    nth: usize,
    contract: &Contract<'_>,
) -> Vec<Insertion> {
    let clauses = contract.clauses.iter().enumerate();
    let mut insertions: Vec<Insertion> = clauses
        .map(|(number, clause)| Insertion {
            at: source.function_start,
            text: format!("{}\n", clause.replace('\n', " ")),
            clause: Some(ClauseIndex { contract: nth, clause: number }),
        })
        .collect();
    if !source.has_contracts {
        let text = "#[rebut::contract]\n".to_owned();
        insertions.push(Insertion { at: source.block_start, text, clause: None });
    }
    insertions
}

/// Returns tests that call each function as its contract allows, and check nothing themselves.
fn calls(subject: &Subject, contracts: &[Contract<'_>]) -> String {
    let mut text = format!(
        "\n#[cfg(test)]\n#[allow(unused, clippy::all)]\nmod {MODULE} {{\n{}\n{}",
        subject.module.test_imports(),
        subject.state_items()
    );
    let variable = format!("{}.", subject.variable());
    for (nth, contract) in contracts.iter().enumerate() {
        let probe = contract.probe;
        let mut parameters = Vec::new();
        let mut lines = String::new();
        if !probe.is_constructor() {
            parameters.extend(subject.state_parameters());
            lines.push_str(&subject.state_lines());
        }
        parameters.extend(probe.call_parameters());
        for condition in contract.clauses.iter().filter_map(|clause| required_condition(clause)) {
            let condition = condition.replace("self.", &variable);
            let _ = writeln!(lines, "rebut::assume!({condition});");
        }
        let (parameters, call) = (parameters.join(", "), probe.call_code(subject));
        let _ = writeln!(
            text,
            "#[rebut::test]\nfn call_{nth}({parameters}) {{\n{lines}let _ = {call};\n}}\n"
        );
    }
    text.push_str("}\n");
    text
}

fn drop_clauses(
    contracts: &mut Vec<Contract<'_>>,
    mut wrong: Vec<(ClauseIndex, DropReason)>,
    notes: &mut Vec<Note>,
) {
    wrong.sort();
    wrong.dedup_by_key(|(clause, _)| *clause);
    // Backward, so that indices stay valid.
    for (ClauseIndex { contract, clause }, why) in wrong.into_iter().rev() {
        let Some(contract) = contracts.get_mut(contract) else { continue };
        if clause < contract.clauses.len() {
            let clause = contract.clauses.remove(clause);
            let function = contract.probe.method.name.clone();
            notes.push(Note::DroppedClause { function, clause, why });
        }
    }
    contracts.retain(|contract| !contract.clauses.is_empty());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_inserted_before_functions_and_found_by_line() {
        let text = "struct A;\nimpl A {\n    fn f(&mut self) {}\n    fn g(&mut self) {}\n}\n";
        let clause = |at: usize, text: &str, number: usize| Insertion {
            at,
            text: format!("{text}\n"),
            clause: Some(ClauseIndex { contract: 0, clause: number }),
        };
        let block = || Insertion { at: 10, text: "#[rebut::contract]\n".to_owned(), clause: None };
        let (f, g) = (text.find("fn f").unwrap_or(0), text.find("fn g").unwrap_or(0));
        let insertions = vec![
            clause(g, "#[ensures(two)]", 1),
            block(),
            clause(f, "#[ensures(one)]", 0),
            block(),
        ];
        let mut sources = EditedSources::default();
        sources.edit(PathBuf::from("/home/me/src/lib.rs"), text, insertions);
        let edited: Vec<&String> = sources.files.values().collect();
        assert_eq!(
            edited,
            [
                "struct A;\n#[rebut::contract]\nimpl A {\n    #[ensures(one)]\nfn f(&mut self) {}\n    \
              #[ensures(two)]\nfn g(&mut self) {}\n}\n"
            ]
        );
        assert_eq!(
            sources.clause_at(Path::new("src/lib.rs"), 4),
            Some(ClauseIndex { contract: 0, clause: 0 })
        );
        assert_eq!(
            sources.clause_at(Path::new("src/lib.rs"), 6),
            Some(ClauseIndex { contract: 0, clause: 1 })
        );
        assert_eq!(sources.clause_at(Path::new("src/other.rs"), 6), None);
    }
}
