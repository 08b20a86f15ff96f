//! Files for services and editors.

use rebut_manifest::Origin;

/// A workflow for GitHub that runs the properties.
///
/// Rebut is not published yet, so the workflow installs it from where this command comes from.
pub(super) fn workflow(origin: &Origin) -> String {
    let install = match origin.git() {
        Some(url) => format!("      - run: cargo install --locked --git {url} cargo-rebut\n"),
        None => concat!(
            "      # Replace REBUT_URL with the Git address of rebut, here and as the dependency\n",
            "      # in Cargo.toml: `rebut = { git = \"REBUT_URL\" }`.\n",
            "      - run: cargo install --locked --git REBUT_URL cargo-rebut\n",
        )
        .to_owned(),
    };
    let note = match origin {
        Origin::Folder(_) if origin.git().is_some() => concat!(
            "      # A path in Cargo.toml does not exist here; use the same Git address there:\n",
            "      # `rebut = { git = \"..\" }`.\n",
        ),
        _ => "",
    };
    format!("{BEFORE}{note}{install}{BEHIND}")
}

const BEFORE: &str = "\
name: rebut
on: [push, pull_request]
permissions:
  contents: read
  security-events: write
jobs:
  properties:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      # The next run tries the failures of this one first.
      - uses: actions/cache/restore@v4
        with:
          path: |
            .rebut
            target
          key: rebut-${{ github.run_id }}
          restore-keys: rebut-
";

const BEHIND: &str = "      - run: cargo rebut test --time 30s
      # `actions/cache` alone would save nothing of a run that found a failure.
      - if: always()
        uses: actions/cache/save@v4
        with:
          path: |
            .rebut
            target
          key: rebut-${{ github.run_id }}
      - if: always()
        run: cargo rebut report --format sarif --out rebut.sarif
      - if: always()
        uses: github/codeql-action/upload-sarif@v3
        with: { sarif_file: rebut.sarif }
      - if: always()
        uses: actions/upload-artifact@v4
        with: { name: report, path: target/rebut/report.html }
";

/// Tasks of VS Code; failures become problems at their lines. The two lines have the form of
/// rustc's, but the matcher for rustc comes with rust-analyzer, which may not be there.
pub(super) const TASKS: &str = r#"{
  "version": "2.0.0",
  "tasks": [{
    "label": "cargo rebut test", "type": "shell", "command": "cargo rebut test", "group": "test",
    "problemMatcher": {
      "owner": "rebut", "fileLocation": ["relative", "${workspaceFolder}"],
      "pattern": [
        { "regexp": "^(error)\\[(R\\d+)\\]: (.*)$", "severity": 1, "code": 2, "message": 3 },
        { "regexp": "^  --> (.+):(\\d+):(\\d+)$", "file": 1, "line": 2, "column": 3 }
      ]
    }
  }]
}
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workflow_installs_from_git_and_never_from_a_registry() {
        let git = Origin::Git { url: "https://example.org/rebut".to_owned(), rev: None };
        let text = workflow(&git);
        assert!(text.contains("--git https://example.org/rebut cargo-rebut\n"), "{text}");
        let text = workflow(&Origin::Folder("/nowhere/rebut".into()));
        assert!(text.contains("# Replace REBUT_URL"), "{text}");
        assert!(!text.contains("install --locked cargo-rebut"), "{text}");
    }
}
