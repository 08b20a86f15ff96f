//! The crate that `init` writes tests for: its interface, its documentation and its parsers.

use super::api::{Api, CallStyle, Function, Viewpoint};
use super::draft::TextConsumer;
use super::laws::{Claim, claims};
use super::package::Package;
use super::select::SelectedTest;
use super::source::{CfgConditions, Module, modules};
use super::texts::{Literals, TextSource};
use super::ty::Ty;
use std::collections::BTreeMap;
use std::fs;

/// The maximum number of parsers that are run on the literals of the package. Arbitrary: each takes
/// time. The others get random text.
const CONSUMERS_MAX: usize = 40;

/// The maximum number of strings from the documentation of a type. Arbitrary: they are listed in
/// the test.
const EXAMPLES_MAX: usize = 4;

/// The crate that `init` writes tests for.
#[derive(Debug)]
pub(super) struct CrateUnderTest {
    pub(super) api: Api,
    /// The documentation of the crate itself, and its README.
    pub(super) prose: String,
}

impl CrateUnderTest {
    /// Reads the sources and the documentation.
    pub(super) fn read(package: &Package) -> CrateUnderTest {
        let conditions = CfgConditions::for_host(&package.features);
        let (file, root, view) = match (&package.library, &package.program) {
            (Some(library), _) => (Some(&library.file), library.name.as_str(), Viewpoint::Outside),
            (None, program) => (program.as_ref(), "crate", Viewpoint::Inside),
        };
        let read: Vec<Module> = file.map(|file| modules(file, &conditions)).unwrap_or_default();
        let mut prose = read.first().map(|root| root.docs.clone()).unwrap_or_default();
        prose.push_str(&fs::read_to_string(package.folder.join("README.md")).unwrap_or_default());
        CrateUnderTest { api: Api::read(&read, &conditions, root, view), prose }
    }

    /// Whether neither the crate nor the subject of a claim has documentation. Then nothing limits
    /// the inputs of a function, so a panic is a finding.
    pub(super) fn is_undocumented(&self, claim: &Claim) -> bool {
        let name = claim.subject.rsplit("::").next().unwrap_or_default();
        let is_documented = |function: &Function| !function.docs.trim().is_empty();
        let mut all = self.api.functions.iter().filter(|function| function.name == name);
        self.prose.trim().is_empty() && !all.any(is_documented)
    }

    /// Everything that parses a string and can reject it, each with an expression that is true if
    /// it accepts `text`.
    pub(super) fn consumers(&self) -> Vec<(TextConsumer, String)> {
        let mut found: Vec<(TextConsumer, String)> = Vec::new();
        for item in self.api.types.keys() {
            let Some(ty) = self.api.instance(item) else { continue };
            let Some(code) = self.api.type_code(&ty) else { continue };
            if self.api.implements(&ty, "FromStr") {
                let expression = format!("text.parse::<{code}>().is_ok()");
                found.push((TextConsumer::Parse(item.clone()), expression));
            }
        }
        for function in &self.api.functions {
            found.extend(self.consumer(function));
        }
        found.truncate(CONSUMERS_MAX);
        found
    }

    fn consumer(&self, function: &Function) -> Option<(TextConsumer, String)> {
        let call = self.api.calls(function).into_iter().next()?;
        let [(_, ty)] = call.parameters.as_slice() else { return None };
        let method = match &call.output {
            Ty::Std("Result", _) => "is_ok",
            Ty::Std("Option", _) => "is_some",
            _ => return None,
        };
        let argument = match ty {
            Ty::Ref(of) if **of == Ty::Str => "text",
            Ty::Ref(_) if ty.is_bytes() => "text.as_bytes()",
            Ty::String => "text.to_owned()",
            _ => return None,
        };
        let path = match (&function.how, function.receiver) {
            (CallStyle::Free(path), _) => self.api.path(path),
            (CallStyle::Inherent, None) => {
                format!("{}::{}", self.api.path_code(call.owner.as_ref()?)?, function.name)
            }
            _ => return None,
        };
        let expression = format!("{path}({argument}).{method}()");
        Some((TextConsumer::Function(path), expression))
    }

    /// Strings from the documentation, for tests that are not built. No parser can be run then.
    fn documented_texts(&self) -> BTreeMap<TextConsumer, TextSource> {
        let mut found = BTreeMap::new();
        for (item, definition) in &self.api.types {
            let methods = self.api.functions.iter().filter(
                |function| matches!(&function.owner, Some(Ty::Own(owner, _)) if owner == item),
            );
            let docs: Vec<&str> = std::iter::once(definition.docs.as_str())
                .chain(methods.map(|function| function.docs.as_str()))
                .chain([self.prose.as_str()])
                .collect();
            let examples = Literals::in_examples_of(&docs.join("\n"), definition.name());
            let source = TextSource::Some {
                examples: examples.into_iter().take(EXAMPLES_MAX).collect(),
                patterns: Vec::new(),
            };
            if source.is_varied() {
                found.insert(TextConsumer::Parse(item.clone()), source);
            }
        }
        found
    }

    /// The best test by score alone, for `--no-build`.
    pub(super) fn untried_test(&self) -> Option<SelectedTest> {
        let texts = self.documented_texts();
        let claim = claims(&self.api, &texts, &self.prose).into_iter().next()?;
        let code = claim.variants.first()?.clone();
        Some(SelectedTest { claim, code, result: None })
    }
}
