//! Configuration files for CI services and editors.

use rebut_manifest::RebutSource;

/// A workflow for GitHub Actions that runs the properties.
///
/// Rebut may not be in a registry, so the workflow installs it from the repository of this command.
pub(super) fn workflow(source: &RebutSource) -> String {
    let url = source.git();
    let mut before = String::new();
    if let (RebutSource::Directory(_), Some(url)) = (source, &url) {
        before = format!(
            "      # The path to rebut in Cargo.toml does not exist here. Replace it with\n      \
             # `rebut = {{ git = \"{url}\" }}`.\n"
        );
    }
    if url.is_none() {
        before = "      # Replace REBUT_URL with the Git address of rebut, here and in Cargo.toml:\n      \
                  # `rebut = { git = \"REBUT_URL\" }`.\n"
            .to_owned();
    }
    let url = url.as_deref().unwrap_or("REBUT_URL");
    let install = format!("      - run: cargo install --locked --git {url} cargo-rebut\n");
    format!("{BEFORE}{before}{install}{BEHIND}")
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

/// Tasks of VS Code. A problem matcher shows failures at their lines. They have the format of
/// rustc, but VS Code has a matcher for rustc only with rust-analyzer installed.
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
        let git = RebutSource::Git { url: "https://example.org/rebut".to_owned(), rev: None };
        let text = workflow(&git);
        assert!(text.contains("--git https://example.org/rebut cargo-rebut\n"), "{text}");
        assert!(!text.contains("does not exist here"), "{text}");
        // A directory that is not a clone has no address.
        for source in [
            RebutSource::Directory("/nowhere/rebut".into()),
            RebutSource::Version("0.1.0".to_owned()),
        ] {
            let text = workflow(&source);
            assert!(text.contains("# Replace REBUT_URL"), "{text}");
            assert!(text.contains("--git REBUT_URL "), "{text}");
            assert!(!text.contains("install --locked cargo-rebut"), "{text}");
        }
    }
}
