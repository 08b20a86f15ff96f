//! Checks what Rebut printed about the properties of one file.
//!
//! Each artifact is used as a reader would use it: an emitted test is pasted below its property and
//! run, a `keep:` attribute is pasted above it, a replay line is pasted into a shell.

mod marked;

use std::collections::BTreeMap;

use serde_json::Value;

use super::canary::Canary;
use super::description::{Description, Property, Suite, SuiteSource};
use super::package::{Built, CommandOutput, CompilerMessage, Package};
use super::parts::Definitions;
use super::printed::{PrintedFailure, failures, normalized};
use super::{draws, reached};

/// The kinds of artifacts, in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ArtifactKind {
    /// The verdict of a property.
    Verdict,
    /// The file of a `test:` line.
    EmittedTest,
    /// A `keep:` line.
    Keep,
    /// A `replay:` line.
    Replay,
    /// A failure in `.rebut`.
    SavedFailure,
    /// A mark, or all marks of a failure together.
    Mark,
    /// A number of inputs of a proof.
    Proof,
    /// A pass whose assertions were counted.
    Pass,
    /// Two runs with one seed.
    SameBytes,
}

/// The number of checked artifacts, and the wrong ones.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) counts: BTreeMap<ArtifactKind, usize>,
    /// Artifacts that are wrong, each with its reason.
    pub(super) wrong: Vec<(ArtifactKind, String)>,
    /// Artifacts that could not be checked, each with its reason.
    pub(super) unchecked: Vec<String>,
    /// Parts without a mark for which no other value passed.
    pub(super) without_mark: usize,
}

impl Findings {
    fn right(&mut self, kind: ArtifactKind) {
        *self.counts.entry(kind).or_default() += 1;
    }

    pub(super) fn wrong(&mut self, kind: ArtifactKind, reason: String) {
        self.right(kind);
        self.wrong.push((kind, reason));
    }

    fn judge(&mut self, kind: ArtifactKind, result: Result<(), String>) {
        match result {
            Ok(()) => self.right(kind),
            Err(reason) => self.wrong(kind, reason),
        }
    }

    pub(super) fn add(&mut self, other: Findings) {
        for (kind, count) in other.counts {
            *self.counts.entry(kind).or_default() += count;
        }
        self.wrong.extend(other.wrong);
        self.unchecked.extend(other.unchecked);
        self.without_mark += other.without_mark;
    }
}

/// Runs all checks of a suite.
pub(super) fn check(
    package: &Package,
    description: &Description,
    suite: Suite,
    canary: Option<Canary>,
) -> Result<Findings, String> {
    let path = description.home.join(suite.source());
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{path:?}: {error}"))?;
    let source = SuiteSource::parse(&text).map_err(|why| format!("{} {why}", path.display()))?;
    let mut checks = Checks {
        package,
        description,
        suite,
        definitions: Definitions::of(&source.items),
        source,
        canary,
        warnings: Vec::new(),
        failures: Vec::new(),
        emitted: BTreeMap::new(),
        findings: Findings::default(),
    };
    checks.run()?;
    Ok(checks.findings)
}

struct Checks<'a> {
    package: &'a Package,
    description: &'a Description,
    suite: Suite,
    source: SuiteSource,
    definitions: Definitions,
    /// The output to falsify before it is checked.
    canary: Option<Canary>,
    /// The warnings of the compiler before anything is pasted.
    warnings: Vec<String>,
    failures: Vec<PrintedFailure>,
    /// The files of `test:` lines after the first run, by their paths. Later runs replace them.
    emitted: BTreeMap<String, std::io::Result<String>>,
    findings: Findings,
}

impl Checks<'_> {
    fn run(&mut self) -> Result<(), String> {
        let built = self.build()?;
        if built.executable.is_none() {
            let errors: Vec<&str> = built.messages.iter().map(|m| m.text.as_str()).collect();
            let reason =
                format!("{} does not compile:\n{}", self.suite.source(), errors.join("\n"));
            self.findings.wrong(ArtifactKind::Verdict, reason);
            return Ok(());
        }
        self.warnings = built.messages.into_iter().map(|message| message.text).collect();
        self.package.forget_failures();
        let first = self.cargo_test()?;
        self.failures = failures(&first.stdout);
        for path in self.failures.iter().filter_map(|failure| failure.label("test")) {
            let text = std::fs::read_to_string(self.package.work.join(path));
            self.emitted.insert(path.to_owned(), text);
        }
        if let Some(canary) = self.canary {
            canary.falsify_failures(&mut self.failures);
        }
        self.check_verdicts()?;
        self.check_saved_failures()?;
        self.check_same_bytes(&first)?;
        self.check_replays()?;
        self.check_emitted_tests()?;
        self.check_kept_examples()?;
        self.check_marks()?;
        self.check_reached()?;
        self.restore()
    }

    fn build(&self) -> Result<Built, String> {
        self.package.build(self.suite, &self.description.features)
    }

    fn cargo_test(&self) -> Result<CommandOutput, String> {
        let mut arguments = vec!["test"];
        arguments.extend(self.suite.selection());
        arguments.extend(["--", "--test-threads=1"]);
        if self.suite == Suite::Unit {
            arguments.push("corpus::");
        }
        self.package.cargo(&arguments, &self.description.features)
    }

    /// Writes the file of the suite with other contents.
    fn write(&self, text: &str) -> Result<(), String> {
        self.package.write_in_package(self.suite.path(), text)
    }

    fn restore(&self) -> Result<(), String> {
        self.write(&self.source.text)
    }

    fn property(&self, failure: &PrintedFailure) -> Option<&Property> {
        let name = failure.name.rsplit("::").next().unwrap_or_default();
        self.source.properties.iter().find(|property| property.name == name)
    }

    /// Compares the verdicts with the expected ones.
    fn check_verdicts(&mut self) -> Result<(), String> {
        let report = self.package.cargo(&["rebut", "report", "--format", "json"], &[])?;
        let report: Value = serde_json::from_str(&report.stdout)
            .map_err(|error| format!("`cargo rebut report` prints no JSON: {error}"))?;
        let mut findings = Findings::default();
        for property in &self.source.properties {
            let properties = report["properties"].as_array().into_iter().flatten();
            let mut found = properties.filter(|entry| {
                let path = entry["property"].as_str().unwrap_or_default();
                let place = entry["place"].as_str().unwrap_or_default();
                path.rsplit("::").next() == Some(&property.name)
                    && place.starts_with(&self.package.printed_path(self.suite.path()))
            });
            let result = match found.next() {
                None => Err(format!("`{}` is not in the report", property.name)),
                Some(entry) => self.check_verdict(property, entry, &mut findings),
            };
            findings.judge(ArtifactKind::Verdict, result);
        }
        self.findings.add(findings);
        Ok(())
    }

    fn check_verdict(
        &self,
        property: &Property,
        entry: &Value,
        findings: &mut Findings,
    ) -> Result<(), String> {
        let Property { name, verdict, detail, .. } = property;
        let checked: Vec<&str> =
            entry["checked"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let is = match verdict_word(entry["verdict"].as_str().unwrap_or_default()) {
            "passed" if verdict == "rarely checked" && checked.iter().any(|line| is_rare(line)) => {
                "rarely checked"
            }
            word => word,
        };
        if is != verdict {
            let reason = entry["reason"].as_str().unwrap_or_default();
            return Err(format!("`{name}`: the verdict is {is}, expected {verdict} ({reason})"));
        }
        match is {
            "failed" => {
                let texts = self
                    .failures
                    .iter()
                    .filter(|failure| failure.name == self.suite.test_name(name));
                let texts: Vec<String> = texts
                    .map(|failure| format!("{}\n{}", failure.outcome, failure.message))
                    .collect();
                if texts.is_empty() {
                    return Err(format!("`{name}`: failed, but no report is printed"));
                }
                match texts.iter().any(|text| text.contains(detail.as_str())) {
                    true => Ok(()),
                    false => Err(format!("`{name}`: no message contains `{detail}`: {texts:?}")),
                }
            }
            "passed" | "rarely checked" | "proved" if checked.is_empty() => {
                Err(format!("`{name}`: {is}, and the report does not say what was checked"))
            }
            "proved" => {
                let inputs = entry["cases"].as_u64().unwrap_or(0);
                findings.judge(ArtifactKind::Proof, self.check_proof(property, inputs));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Counts the inputs of a proof by the types of the parameters, or by hand.
    fn check_proof(&self, property: &Property, inputs: u64) -> Result<(), String> {
        let by_hand = property.detail.parse::<u128>().ok();
        let of_parameters =
            property.function.sig.inputs.iter().try_fold(1_u128, |product, input| match input {
                syn::FnArg::Typed(input) if input.attrs.is_empty() => {
                    product.checked_mul(draws::count(&input.ty, &self.definitions)?)
                }
                _ => None,
            });
        let Some(counted) = by_hand.or(of_parameters) else {
            return Err(format!(
                "`{}`: the number of inputs, {inputs}, cannot be counted; write \
                 `// expect: proved: N`",
                property.name
            ));
        };
        match counted == u128::from(inputs) {
            true => Ok(()),
            false => Err(format!("`{}`: proved for {inputs} inputs of {counted}", property.name)),
        }
    }

    /// Runs the tests again: each failure is found in its file.
    fn check_saved_failures(&mut self) -> Result<(), String> {
        let again = failures(&self.cargo_test()?.stdout);
        for failure in &self.failures {
            // Examples and unstable failures are not saved.
            if failure.label("saved to").is_none() {
                continue;
            }
            let same = again.iter().find(|other| is_replayed_failure(failure, other));
            let result = match same {
                Some(other)
                    if other.label("found by").is_some_and(|by| {
                        by.starts_with("saved failure") || by.starts_with("saved input")
                    }) =>
                {
                    Ok(())
                }
                Some(other) => Err(format!(
                    "`{}`: the saved failure is found by {:?}",
                    failure.name,
                    other.label("found by")
                )),
                None => Err(format!("`{}`: the saved failure does not fail", failure.name)),
            };
            self.findings.judge(ArtifactKind::SavedFailure, result);
        }
        Ok(())
    }

    fn check_same_bytes(&mut self, first: &CommandOutput) -> Result<(), String> {
        self.package.forget_failures();
        let second = self.cargo_test()?;
        let (first, second) = (normalized(&first.stdout), normalized(&second.stdout));
        let differs = first.lines().zip(second.lines()).find(|(one, two)| one != two);
        let result = match differs {
            Some((one, two)) => Err(format!("two runs differ:\n  {one}\n  {two}")),
            None if first.lines().count() != second.lines().count() => {
                Err("two runs print different numbers of lines".to_owned())
            }
            None => Ok(()),
        };
        self.findings.judge(ArtifactKind::SameBytes, result);
        Ok(())
    }

    /// Runs each replay line without any saved failure.
    fn check_replays(&mut self) -> Result<(), String> {
        for nth in 0..self.failures.len() {
            let failure = &self.failures[nth];
            let Some(line) = failure.label("replay") else { continue };
            self.package.forget_failures();
            // Features are part of the line, if it needs any.
            let output = self.package.bash(line)?;
            let again = failures(&output.stdout);
            let same = again.iter().any(|other| is_replayed_failure(failure, other));
            let result = match (output.code, same) {
                (0, _) => Err(format!("`{line}` passes")),
                (_, true) => Ok(()),
                (_, false) => Err(format!(
                    "`{line}` does not print the same failure:\n{}",
                    tail(&format!("{}{}", output.stderr, output.stdout))
                )),
            };
            self.findings.judge(ArtifactKind::Replay, result);
        }
        Ok(())
    }

    /// Pastes all emitted tests, and runs each.
    fn check_emitted_tests(&mut self) -> Result<(), String> {
        let mut pasted = Pasted::new(&self.source.text);
        let mut files: Vec<&str> = Vec::new();
        for failure in &self.failures {
            let Some(path) = failure.label("test") else { continue };
            if files.contains(&path) {
                continue;
            }
            files.push(path);
            match self.emitted.get(path) {
                Some(Ok(text)) => pasted.append(path, text),
                missing => {
                    let reason = format!("`{}`: {path}: {missing:?}", failure.name);
                    self.findings.wrong(ArtifactKind::EmittedTest, reason);
                }
            }
        }
        if let Some(canary) = self.canary {
            canary.falsify_pasted(&mut pasted);
        }
        let mut broken = Vec::new();
        let built = loop {
            self.write(&pasted.text())?;
            let built = self.build()?;
            let new = self.new_messages(&built.messages);
            let file = self.package.printed_path(self.suite.path());
            let blamed: Vec<(usize, String)> = new
                .iter()
                .filter_map(|message| Some((pasted.at(message.place.as_ref(), &file)?, message)))
                .map(|(nth, message)| (nth, message.text.clone()))
                .collect();
            let culprit = blamed.into_iter().next();
            match culprit {
                Some((nth, text)) => {
                    let removed = pasted.remove(nth);
                    broken.push((removed, text));
                }
                None if built.executable.is_none() => {
                    let texts: Vec<&str> =
                        new.iter().map(|message| message.text.as_str()).collect();
                    return Err(format!("pasted tests do not compile:\n{}", texts.join("\n")));
                }
                None => break built,
            }
        };
        for (name, text) in broken {
            let reason = format!("{name}: the compiler complains:\n{text}");
            self.findings.wrong(ArtifactKind::EmittedTest, reason);
        }
        let Some(executable) = built.executable else { return Ok(()) };
        let all = self.failures.clone();
        for failure in &all {
            let Some(path) = failure.label("test") else { continue };
            let Some(snippet) = pasted.snippet(path) else { continue };
            let of_file = all.iter().filter(|other| other.label("test") == Some(path));
            let nth = of_file.take_while(|other| !std::ptr::eq(*other, failure)).count();
            let Some(name) = snippet.test_name(nth) else {
                let reason = format!("`{}`: {path} has no test number {}", failure.name, nth + 1);
                self.findings.wrong(ArtifactKind::EmittedTest, reason);
                continue;
            };
            let test = self.suite.test_name(&name);
            let output = match failure.outcome.contains("did not end within its deadline") {
                true => self.package.test_that_hangs(&executable, &test)?,
                false => self.package.test(&executable, &test, &[])?,
            };
            let result = self.compare_emitted(failure, &name, &output, snippet);
            self.findings.judge(ArtifactKind::EmittedTest, result);
        }
        self.restore()
    }

    fn new_messages(&self, messages: &[CompilerMessage]) -> Vec<CompilerMessage> {
        // A pasted copy of the code has the same warnings in other lines. Only the first warning
        // says that its lint is on by default.
        let plain = |text: &str| -> String {
            let is_place = |line: &str| line.trim_start().starts_with("-->");
            let is_default = |line: &str| line.ends_with("on by default");
            let lines = text.lines().filter(|line| !is_place(line) && !is_default(line));
            lines
                .flat_map(str::chars)
                .filter(|c| !c.is_ascii_digit() && !" |".contains(*c))
                .collect()
        };
        let known: Vec<String> = self.warnings.iter().map(|text| plain(text)).collect();
        let is_new =
            |message: &&CompilerMessage| message.is_error || !known.contains(&plain(&message.text));
        messages.iter().filter(is_new).cloned().collect()
    }

    /// Compares the failure of an emitted test with that of its property.
    fn compare_emitted(
        &self,
        failure: &PrintedFailure,
        name: &str,
        output: &CommandOutput,
        snippet: &Snippet,
    ) -> Result<(), String> {
        let text = format!("{}{}", output.stdout, output.stderr);
        if text.contains("running 0 tests") {
            return Err(format!("{name} is not a test"));
        }
        if output.code == 0 {
            return Err(format!("{name} passes"));
        }
        let Some((file, line)) = failure.panic_place() else {
            return self.compare_other_emitted(failure, name, &text);
        };
        let own = self.package.printed_path(self.suite.path());
        let panics = panics(&text);
        let is_same = |panic: &Panic| {
            if let Some(model) = failure.message.strip_prefix("broken model: ") {
                return is_same_model_failure(model, panic, snippet);
            }
            if normalized(&panic.message).trim_end() != normalized(&failure.message).trim_end() {
                return false;
            }
            if !is_same_file(file, &panic.file) {
                return false;
            }
            if file != own || panic.line == line {
                return panic.line == line;
            }
            // The pasted test has a copy of the line that failed.
            let original = self.source.text.lines().nth(line - 1).map(str::trim);
            original == snippet.line(panic.line).map(str::trim)
                || original
                    .is_some_and(|o| snippet.line(panic.line).is_some_and(|l| o.contains(l.trim())))
        };
        match panics.iter().any(is_same) {
            true => Ok(()),
            false => Err(format!(
                "{name} fails in another way; expected at {file}:{line}:\n{}\nbut it prints:\n{}",
                failure.message,
                tail(&text)
            )),
        }
    }

    /// Compares failures that are not panics: a false result, an error, a dead process.
    fn compare_other_emitted(
        &self,
        failure: &PrintedFailure,
        name: &str,
        text: &str,
    ) -> Result<(), String> {
        let message = failure.message.lines().next().unwrap_or_default();
        let is_same = match failure.outcome.as_str() {
            "returned false" => text.contains("panicked at"),
            outcome if outcome.starts_with("returned an error") => text.contains(message),
            outcome if outcome.contains("overflowed its stack") => {
                text.contains("has overflowed its stack")
            }
            _ => true,
        };
        match is_same {
            true => Ok(()),
            false => Err(format!("{name} fails in another way:\n{}", tail(text))),
        }
    }

    /// Pastes each `keep:` attribute above its property.
    fn check_kept_examples(&mut self) -> Result<(), String> {
        let mut kept: Vec<(usize, String, PrintedFailure)> = Vec::new();
        for failure in &self.failures {
            let (Some(keep), Some(property)) = (failure.label("keep"), self.property(failure))
            else {
                continue;
            };
            if keep.starts_with("#[") {
                kept.push((property.first_line, keep.to_owned(), failure.clone()));
            }
        }
        kept.sort_by_key(|(line, ..)| *line);
        let mut wrong: Vec<(usize, String)> = Vec::new();
        loop {
            let (text, lines) = self.with_attributes(&kept, &wrong);
            self.write(&text)?;
            let built = self.build()?;
            let new = self.new_messages(&built.messages);
            let first = new.iter().find_map(|message| {
                let (_, line) = message.place.as_ref()?;
                let nth = lines.iter().position(|at| at == line)?;
                (!wrong.iter().any(|(known, _)| *known == nth)).then(|| (nth, message.text.clone()))
            });
            match first {
                Some(first) => wrong.push(first),
                None if built.executable.is_none() => {
                    let texts: Vec<&str> =
                        new.iter().map(|message| message.text.as_str()).collect();
                    return Err(format!("kept examples do not compile:\n{}", texts.join("\n")));
                }
                None => break,
            }
        }
        self.package.forget_failures();
        let again = failures(&self.cargo_test()?.stdout);
        for (nth, (_, keep, failure)) in kept.iter().enumerate() {
            let complaint = wrong.iter().find(|(at, _)| *at == nth);
            let fails = again.iter().any(|other| {
                other.name == failure.name
                    && other.label("found by").is_some_and(|by| by.starts_with("example "))
                    && is_same_message(failure, other)
            });
            let result = match complaint {
                Some((_, text)) => Err(format!("`{}`: {keep}:\n{text}", failure.name)),
                None if fails => Ok(()),
                None => Err(format!("`{}`: {keep} does not fail in the same way", failure.name)),
            };
            self.findings.judge(ArtifactKind::Keep, result);
        }
        self.restore()
    }

    /// Returns the file with attributes, and the line of each.
    fn with_attributes(
        &self,
        kept: &[(usize, String, PrintedFailure)],
        without: &[(usize, String)],
    ) -> (String, Vec<usize>) {
        let mut text = String::new();
        let mut lines = vec![0; kept.len()];
        let mut count = 0;
        for (nth, line) in self.source.text.lines().enumerate() {
            for (n, (first, keep, failure)) in kept.iter().enumerate() {
                // It goes below the attribute of the test, as an example usually does.
                let is_left_out = without.iter().any(|(at, _)| *at == n);
                let property = self.property(failure);
                let last = property.map_or(*first, |property| {
                    use syn::spanned::Spanned as _;
                    property.function.sig.fn_token.span().start().line
                });
                if last == nth + 1 && !is_left_out {
                    text.push_str(keep);
                    text.push('\n');
                    count += 1;
                    lines[n] = count;
                }
            }
            text.push_str(line);
            text.push('\n');
            count += 1;
        }
        (text, lines)
    }

    /// Runs each passing property with assertions that leave a mark in a file.
    fn check_reached(&mut self) -> Result<(), String> {
        let passes = |property: &&Property| {
            matches!(property.verdict.as_str(), "passed" | "rarely checked" | "proved")
                && property.has_assertion()
        };
        let names: Vec<String> = self
            .source
            .properties
            .iter()
            .filter(passes)
            .map(|property| property.name.clone())
            .collect();
        if names.is_empty() {
            return Ok(());
        }
        self.write(&reached::with_counted_assertions(&self.source.text))?;
        let built = self.build()?;
        let Some(executable) = built.executable else {
            let error = built.messages.iter().find(|message| message.is_error);
            let error = error.map_or("", |message| message.text.as_str());
            self.findings.unchecked.push(format!("assertions are not counted:\n{error}"));
            return self.restore();
        };
        for name in names {
            let file = self.package.work.join("corpus-reached");
            let _ = std::fs::remove_file(&file);
            let path = file.to_string_lossy();
            let test = self.suite.test_name(&name);
            self.package.test(&executable, &test, &[(reached::VARIABLE, &path)])?;
            let is_reached = file.is_file() && self.canary != Some(Canary::VacuousPass);
            let result = match is_reached {
                true => Ok(()),
                false => Err(format!("`{name}` passes, but none of its assertions ran")),
            };
            self.findings.judge(ArtifactKind::Pass, result);
        }
        self.restore()
    }
}

/// Returns whether an assertion of an emitted test is the one about a model that failed. The test
/// compares the object with its model itself.
fn is_same_model_failure(message: &str, panic: &Panic, snippet: &Snippet) -> bool {
    let Some(line) = snippet.line(panic.line) else { return false };
    let mut quoted = message.split('`').skip(1).step_by(2);
    let (called, condition) = (quoted.next().unwrap_or_default(), quoted.next());
    let function = called.rsplit("::").next().unwrap_or_default();
    match message.starts_with("after ") {
        // The condition is written with the names of the test: `self` is a variable there.
        true => {
            let calls = |text: &str| -> Vec<String> {
                text.split('(')
                    .filter_map(|part| Some(part.rsplit_once('.')?.1.to_owned()))
                    .collect()
            };
            line.trim().starts_with("assert!(")
                && calls(line) == calls(condition.unwrap_or_default())
        }
        false => {
            let before: Vec<&str> =
                snippet.text.lines().take_while(|other| !std::ptr::eq(*other, line)).collect();
            let is_call = |line: &str| {
                line.contains(&format!(".{function}(")) || line.contains(&format!("::{function}("))
            };
            line.trim().starts_with("assert_eq!(")
                && (is_call(line) || before.last().is_some_and(|line| is_call(line)))
        }
    }
}

/// Returns whether a report says that fewer than one case in 100 checked something: `.. ran in 2 of
/// 1000 cases`.
fn is_rare(line: &str) -> bool {
    let Some((_, counts)) = line.split_once(" in ") else { return false };
    let mut words = counts.split(' ');
    let (few, of, all) = (words.next(), words.next(), words.next());
    let number = |word: Option<&str>| word.and_then(|word| word.parse::<u64>().ok());
    of == Some("of")
        && number(few).zip(number(all)).is_some_and(|(few, all)| few.saturating_mul(100) < all)
}

/// Returns the word for a verdict. The guide lists the codes.
fn verdict_word(code: &str) -> &str {
    match code {
        "R001" => "failed",
        "R002" => "flaky",
        "R003" => "vacuous",
        "R004" => "too many rejected",
        "R005" => "too slow",
        "R006" => "misuse",
        "R007" => "not covered",
        "R008" => "not found",
        "R009" => "not panicked",
        "R999" => "internal error",
        word => word,
    }
}

/// Returns whether two reports are about the same failure of the same input.
fn is_same_failure(one: &PrintedFailure, other: &PrintedFailure) -> bool {
    one.name == other.name && one.values == other.values && is_same_message(one, other)
}

/// Returns whether a report is about the failure that was replayed. If shrinking had stopped early,
/// it continues, and ends at a simpler input with the same failure.
fn is_replayed_failure(replayed: &PrintedFailure, shown: &PrintedFailure) -> bool {
    let has_stopped = replayed.label("found by").is_some_and(|by| by.contains("shrinking stopped"));
    is_same_failure(replayed, shown)
        || (has_stopped && replayed.name == shown.name && is_same_message(replayed, shown))
}

fn is_same_message(one: &PrintedFailure, other: &PrintedFailure) -> bool {
    let place = |failure: &PrintedFailure| {
        failure
            .panic_place()
            .map(|(file, _)| file.to_owned())
            .unwrap_or_else(|| failure.outcome.clone())
    };
    place(one) == place(other) && normalized(&one.message) == normalized(&other.message)
}

/// A panic that the standard library printed.
#[derive(Debug, PartialEq, Eq)]
struct Panic {
    file: String,
    line: usize,
    message: String,
}

fn panics(output: &str) -> Vec<Panic> {
    let lines: Vec<&str> = output.lines().collect();
    let mut panics = Vec::new();
    for (nth, line) in lines.iter().enumerate() {
        let Some((before, place)) = line.split_once(" panicked at ") else { continue };
        if !before.contains("thread '") {
            continue;
        }
        let place = place.trim_end_matches(':');
        let Some((place, _column)) = place.rsplit_once(':') else { continue };
        let Some((file, line)) = place.rsplit_once(':') else { continue };
        let is_end = |line: &&&str| {
            line.starts_with("note: run with")
                || line.starts_with("stack backtrace:")
                || line.contains(" panicked at ")
                || line.starts_with("test ")
        };
        let message: Vec<&str> =
            lines[nth + 1..].iter().take_while(|l| !is_end(l)).copied().collect();
        let Ok(line) = line.parse() else { continue };
        let message = message.join("\n").trim_end().to_owned();
        panics.push(Panic { file: file.to_owned(), line, message });
    }
    panics
}

/// Compares paths. A report may write the home directory as `~`.
fn is_same_file(printed: &str, actual: &str) -> bool {
    let printed = printed.trim_start_matches("~/").trim_start_matches("./");
    actual == printed || actual.ends_with(&format!("/{printed}"))
}

fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let from = lines.len().saturating_sub(12);
    lines[from..].iter().map(|line| format!("  | {line}")).collect::<Vec<_>>().join("\n")
}

/// A file with code pasted at its end.
pub(super) struct Pasted {
    before: String,
    pub(super) snippets: Vec<Snippet>,
}

/// Pasted code.
#[derive(Clone, Debug)]
pub(super) struct Snippet {
    /// The path of the file that it comes from.
    pub(super) path: String,
    pub(super) text: String,
    /// The number of the line before it.
    after_line: usize,
}

impl Snippet {
    /// Returns a line of the file, if it is in this snippet.
    fn line(&self, number: usize) -> Option<&str> {
        self.text.lines().nth(number.checked_sub(self.after_line + 1)?)
    }

    /// Returns the name of a test function of the snippet.
    fn test_name(&self, nth: usize) -> Option<String> {
        let lines: Vec<&str> = self.text.lines().collect();
        let tests = (0..lines.len()).filter(|&at| lines[at].trim() == "#[test]");
        let at = tests.collect::<Vec<_>>().get(nth).copied()?;
        let function = lines[at..].iter().find_map(|line| {
            let line = line.trim().trim_start_matches("pub ").trim_start_matches("async ");
            line.strip_prefix("fn ")
        })?;
        function.split('(').next().map(str::to_owned)
    }
}

impl Pasted {
    fn new(text: &str) -> Pasted {
        let before = if text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") };
        Pasted { before, snippets: Vec::new() }
    }

    fn append(&mut self, path: &str, text: &str) {
        let (path, text) = (path.to_owned(), text.to_owned());
        self.snippets.push(Snippet { path, text, after_line: 0 });
        self.number();
    }

    fn number(&mut self) {
        let mut line = self.before.lines().count();
        for snippet in &mut self.snippets {
            // A blank line separates snippets.
            line += 1;
            snippet.after_line = line;
            line += snippet.text.lines().count();
        }
    }

    fn text(&self) -> String {
        let mut text = self.before.clone();
        for snippet in &self.snippets {
            text.push('\n');
            text.push_str(&snippet.text);
            if !snippet.text.ends_with('\n') {
                text.push('\n');
            }
        }
        text
    }

    /// Returns the snippet at the location of a message.
    fn at(&self, place: Option<&(String, usize)>, own: &str) -> Option<usize> {
        let (file, line) = place?;
        if file != own {
            return None;
        }
        self.snippets.iter().position(|snippet| snippet.line(*line).is_some())
    }

    fn remove(&mut self, nth: usize) -> String {
        let snippet = self.snippets.remove(nth);
        self.number();
        snippet.path
    }

    fn snippet(&self, path: &str) -> Option<&Snippet> {
        self.snippets.iter().find(|snippet| snippet.path == path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pasted_code_knows_its_lines() {
        let mut pasted = Pasted::new("a\nb\n");
        pasted.append("one", "#[test]\nfn x_regression() {\n}\n");
        pasted.append("two", "c\n");
        assert_eq!(pasted.text(), "a\nb\n\n#[test]\nfn x_regression() {\n}\n\nc\n");
        assert_eq!(pasted.snippets[0].line(4), Some("#[test]"));
        assert_eq!(pasted.snippets[1].line(8), Some("c"));
        assert_eq!(pasted.snippets[0].test_name(0).as_deref(), Some("x_regression"));
        let place = ("f".to_owned(), 8);
        assert_eq!(pasted.at(Some(&place), "f"), Some(1));
        pasted.remove(0);
        assert_eq!(pasted.snippets[0].line(4), Some("c"));
    }

    #[test]
    fn panics_are_read_from_the_output_of_the_standard_library() {
        let output = "\nthread 'x' (12) panicked at tests/a.rs:3:5:\nassertion failed: a\n  b\n\
                      note: run with `RUST_BACKTRACE=1`\ntest x ... FAILED\n";
        let message = "assertion failed: a\n  b".to_owned();
        assert_eq!(panics(output), [Panic { file: "tests/a.rs".to_owned(), line: 3, message }]);
    }

    #[test]
    fn the_home_directory_may_be_abbreviated() {
        assert!(is_same_file("~/.cargo/a.rs", "/home/me/.cargo/a.rs"));
        assert!(is_same_file("src/a.rs", "src/a.rs"));
        assert!(!is_same_file("src/a.rs", "src/b.rs"));
    }
}
