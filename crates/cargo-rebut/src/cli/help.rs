//! The text below the options in `--help`: examples, which a test parses, and exit codes.

use rebut_cli::exit::Exit;

pub(super) const FIRST_STEPS: &str = "\
Examples:
  cargo rebut init             add Rebut to a package, with a first test
  cargo rebut test --time 30s  run all properties, and write a report
  cargo rebut list             show the results, with a number for each failure
  cargo rebut replay 1         rerun the first failure
  cargo rebut explore          explore every path through the properties
  cargo rebut explain R004     explain a result code

`cargo rebut COMMAND --help` has examples for each command.";

pub(super) const INIT_EXAMPLES: &str = "\
Examples:
  cargo rebut init                  add the dependency and a test to the package here
  cargo rebut init -p my-crate      set up one package of a workspace
  cargo rebut init --ci github      also write a workflow for GitHub Actions
  cargo rebut init --editor vscode  also write tasks for Visual Studio Code

Existing files are never overwritten. Running it again changes nothing.

";

pub(super) const TEST_EXAMPLES: &str = "\
Examples:
  cargo rebut test                            ten seconds for all properties
  cargo rebut test --time 5m --open           longer, then open the report
  cargo rebut test -p my-crate --release parser::
  cargo rebut test --emit                     write failures as tests to `tests/`
  cargo rebut test -- --include-ignored       arguments for the test binaries
  cargo rebut test --format json > results.json

";

pub(super) const REPORT_EXAMPLES: &str = "\
Examples:
  cargo rebut report --open                      the latest runs as an HTML report
  cargo rebut report nightly --out nightly.html  the run of `REBUT_RUN=nightly cargo test`
  cargo rebut report --against before            what changed since another run
  cargo rebut report --format junit --out junit.xml
  cargo rebut report --format sarif --out rebut.sarif
  cargo rebut report --format tyche > observations.jsonl

";

pub(super) const LIST_EXAMPLES: &str = "\
Examples:
  cargo rebut list          properties and the results of their latest runs
  cargo rebut list nightly  those of the run of `REBUT_RUN=nightly cargo test`
  cargo rebut list --stale  stored failures of tests that no longer exist
  cargo rebut list --format json | jq '.properties[].property'

";

pub(super) const REPLAY_EXAMPLES: &str = "\
Examples:
  cargo rebut replay 1                         the first failure of `cargo rebut list`
  cargo rebut replay r1.FA parser::round_trip  a replay string from a report, and its test
  cargo rebut replay 1 --emit                  also write it as a test

";

pub(super) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  cargo rebut explain       list all codes
  cargo rebut explain R004  what one means, and what to do
  cargo rebut explain R004 --format json

";

pub(super) const GENERATE_EXAMPLES: &str = "\
Examples:
  cargo rebut generate meeting.rebut                       the inputs that the file asks for
  cargo rebut generate meeting.rebut -n 20 --format jsonl  twenty inputs, one object per line
  cargo rebut generate user.schema.json -n 5               from a JSON Schema or OpenAPI file
  cargo rebut generate meeting.rebut --explain-plan        how the inputs will be found
  cargo rebut generate meeting.rebut --format rust --out meetings.rs

";

pub(super) const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  cargo rebut completions bash > ~/.local/share/bash-completion/completions/rebut
  cargo rebut completions zsh > ~/.zfunc/_cargo-rebut      with `fpath+=~/.zfunc` before `compinit`
  cargo rebut completions fish > ~/.config/fish/completions/rebut.fish
  cargo rebut completions powershell >> $PROFILE
  cargo rebut completions elvish >> ~/.config/elvish/rc.elv

In zsh, the script also completes `cargo rebut`, because cargo's own completions look for it. In
bash and fish it does so if you load it at startup: add `source <(rebut completions bash)` to
`~/.bashrc`, or `rebut completions fish | source` to `~/.config/fish/config.fish`.

";

pub(super) const MAN_EXAMPLES: &str = "\
Examples:
  cargo rebut man ~/.local/share/man/man1     all pages; then `man cargo-rebut-test` shows one
  cargo rebut man | man -l -                  the first page alone

";

pub(super) const INIT_EXITS: [Exit; 7] = [
    Exit::Success,
    Exit::Internal,
    Exit::Usage,
    Exit::MissingTool,
    Exit::File,
    Exit::Build,
    Exit::Metadata,
];

pub(super) const TEST_EXITS: [Exit; 11] = [
    Exit::Success,
    Exit::Internal,
    Exit::Usage,
    Exit::Nothing,
    Exit::MissingTool,
    Exit::File,
    Exit::Failed,
    Exit::Build,
    Exit::Metadata,
    Exit::Interrupted,
    Exit::Terminated,
];

pub(super) const REPORT_EXITS: [Exit; 7] = [
    Exit::Success,
    Exit::Internal,
    Exit::Usage,
    Exit::Nothing,
    Exit::MissingTool,
    Exit::File,
    Exit::Metadata,
];

pub(super) const FILE_EXITS: [Exit; 3] = [Exit::Success, Exit::Usage, Exit::File];

pub(super) const GENERATE_EXITS: [Exit; 8] = [
    Exit::Success,
    Exit::Internal,
    Exit::Usage,
    Exit::Specification,
    Exit::Nothing,
    Exit::Inconclusive,
    Exit::MissingTool,
    Exit::File,
];
