//! What services and editors need to know, as text to paste or to write.

/// Steps of a workflow.
pub(super) const STEPS: &str = concat!(
    "- run: cargo install --locked cargo-rebut@",
    env!("CARGO_PKG_VERSION"),
    "\n",
    "- run: cargo rebut test --time 30s\n",
    "- if: always()\n",
    "  run: cargo rebut report --format sarif --out rebut.sarif\n",
);

/// A whole workflow for GitHub.
pub(super) const WORKFLOW: &str = concat!(
    "name: rebut\n",
    "on: [push, pull_request]\n",
    "permissions:\n",
    "  contents: read\n",
    "  security-events: write\n",
    "jobs:\n",
    "  properties:\n",
    "    runs-on: ubuntu-latest\n",
    "    steps:\n",
    "      - uses: actions/checkout@v4\n",
    "      # Failures that were found are tried first in the next run.\n",
    "      - uses: actions/cache/restore@v4\n",
    "        with:\n",
    "          path: |\n",
    "            .rebut\n",
    "            target\n",
    "          key: rebut-${{ github.run_id }}\n",
    "          restore-keys: rebut-\n",
    "      - run: cargo install --locked cargo-rebut@",
    env!("CARGO_PKG_VERSION"),
    "\n",
    "      - run: cargo rebut test --time 30s\n",
    "      # `actions/cache` alone would keep nothing of a run that found something.\n",
    "      - if: always()\n",
    "        uses: actions/cache/save@v4\n",
    "        with:\n",
    "          path: |\n",
    "            .rebut\n",
    "            target\n",
    "          key: rebut-${{ github.run_id }}\n",
    "      - if: always()\n",
    "        run: cargo rebut report --format sarif --out rebut.sarif\n",
    "      - if: always()\n",
    "        uses: github/codeql-action/upload-sarif@v3\n",
    "        with: { sarif_file: rebut.sarif }\n",
    "      - if: always()\n",
    "        uses: actions/upload-artifact@v4\n",
    "        with: { name: report, path: target/rebut/report.html }\n",
);

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
