//! What stands below the options in `--help`: examples, which a test parses, and exit codes.

/// What a newcomer types first.
pub(super) const FIRST_STEPS: &str = "\
Examples:
  cargo rebut init                 adds Rebut to a crate, with a first property
  cargo rebut test --time 30s      tries to refute all properties, and writes a page
  cargo rebut list                 what came of it, with a number for each failure
  cargo rebut replay 1             runs the first failure again
  cargo rebut explore              takes every path through the properties
  cargo rebut explain R004         what a code means, and what to do

`cargo rebut COMMAND --help` has examples for each command.";

pub(super) const EXAMPLES_OF_INIT: &str = "\
Examples:
  cargo rebut init                 in a crate: the dependency, and a property in `tests`
  cargo rebut init -p my-crate     in a workspace: for one of its packages
  cargo rebut init --ci github     and a workflow for GitHub Actions
  cargo rebut init --editor vscode  and tasks for Visual Studio Code

Nothing that is there is overwritten; called again, it changes nothing.

";

pub(super) const INIT_EXIT_CODES: &str = "\
Exit codes:
  0   what was asked for was done, or was done before
  2   the command line is wrong, or it does not say which package is meant
  7   a file cannot be read or written
  10  cargo cannot be run, or the tests of the package do not build";

pub(super) const EXAMPLES_OF_TEST: &str = "\
Examples:
  cargo rebut test                                 ten seconds for all properties
  cargo rebut test --time 10min --open             longer, and the page in a browser
  cargo rebut test --emit                          writes failures as tests to the folder `tests`
  cargo rebut test -- -p my-crate -- parser::      what follows `--` is for `cargo test`
  cargo rebut test --format json > verdicts.json   for programs

";

pub(super) const EXAMPLES_OF_REPORT: &str = "\
Examples:
  cargo rebut report --open                      the latest run as a page
  cargo rebut report nightly --out nightly.html  the run of `REBUT_RUN=nightly cargo test`
  cargo rebut report --against before            what changed since another run
  cargo rebut report --format junit --out junit.xml
  cargo rebut report --format sarif --out rebut.sarif
  cargo rebut report --format tyche > observations.jsonl

";

pub(super) const EXAMPLES_OF_LIST: &str = "\
Examples:
  cargo rebut list                      properties and verdicts of the latest run
  cargo rebut list nightly              those of the run of `REBUT_RUN=nightly cargo test`
  cargo rebut list --format json | jq '.properties[].property'

";

pub(super) const EXAMPLES_OF_REPLAY: &str = "\
Examples:
  cargo rebut replay 1                        the first failure of `cargo rebut list`
  cargo rebut replay r1.FA parser::round_trip  a replay string of a report, and its test
  cargo rebut replay 1 --emit                 and keeps it as a test

";

pub(super) const EXAMPLES_OF_EXPLAIN: &str = "\
Examples:
  cargo rebut explain          all codes there are
  cargo rebut explain R004     what one means, and what to do
  cargo rebut explain R004 --format json

";

pub(super) const EXAMPLES_OF_EXPLORE: &str = "\
Examples:
  cargo rebut explore                      every property of the package or workspace
  cargo rebut explore -p my-crate parses   those of one package whose path has `parses` in it
  cargo rebut explore --runs 100000 --length 16
  cargo rebut explore sorts --coverage     which lines were reached, and why not the others
  cargo rebut explore sorts --report --open  the tree of paths as a page
  cargo rebut explore sorts --emit tests   the inputs that take all sides of decisions, as tests
  cargo rebut explore sorts --format dot | dot -Tsvg > paths.svg

A property is built for WebAssembly and runs there; whatever fails is run natively before it
is told. Collections longer than `--length` are left to `cargo test`.

";

pub(super) const EXAMPLES_OF_GENERATE: &str = "\
Examples:
  cargo rebut generate meeting.rebut                       the inputs that the file asks for
  cargo rebut generate meeting.rebut -n 20 --format jsonl  twenty of them, an object a line
  cargo rebut generate user.schema.json -n 5               from a JSON schema, or an OpenAPI file
  cargo rebut generate meeting.rebut --explain-plan        how they will be found
  cargo rebut generate meeting.rebut --format rust --out meetings.rs

";

pub(super) const EXAMPLES_OF_COMPLETIONS: &str = "\
Examples:
  cargo rebut completions bash > ~/.local/share/bash-completion/completions/rebut
  cargo rebut completions zsh > ~/.zfunc/_cargo-rebut      with `fpath+=~/.zfunc` before `compinit`
  cargo rebut completions fish > ~/.config/fish/completions/rebut.fish
  cargo rebut completions powershell >> $PROFILE
  cargo rebut completions elvish >> ~/.config/elvish/rc.elv

What completes `rebut test` completes `cargo rebut test` too in zsh, where cargo's own
completions look for it; in bash and fish, if the line `source <(rebut completions bash)` stands
in `~/.bashrc`, and `rebut completions fish | source` in `~/.config/fish/config.fish`.

";

pub(super) const EXAMPLES_OF_MAN: &str = "\
Examples:
  cargo rebut man ~/.local/share/man/man1     all pages; then `man cargo-rebut-test` shows one
  cargo rebut man | man -l -                  the first page alone

";

pub(super) const RUN_EXIT_CODES: &str = "\
Exit codes:
  0   what was asked for was done; of `test`, every property holds; of `replay`, the case passes
  1   an error of Rebut itself
  2   the command line is wrong
  7   a file cannot be read or written
  8   a property does not hold, or a test fails (`test`, `replay`)
  9   there are no events to report
  10  cargo cannot be run, or the tests do not build";

pub(super) const FILE_EXIT_CODES: &str = "\
Exit codes:
  0   what was asked for was done
  2   the command line is wrong
  7   a file cannot be read or written";

pub(super) const EXAMPLES_OF_INFER: &str = "\
Examples:
  cargo rebut infer Stack                  tests that say what a `Stack` does
  cargo rebut infer -p my-crate 'list::List<String>'
  cargo rebut infer Stack --modifiers push,pop --observers len
  cargo rebut infer Stack --as contracts   the same as `#[ensures(..)]`

The tests are those of the code as it is: whether that is what it should be is yours to say.
Nothing is written unless `--out` names a file.

";

pub(super) const INFER_EXIT_CODES: &str = "\
Exit codes:
  0   something was inferred
  1   an error of Rebut itself
  2   the command line is wrong, or there is no such type
  5   nothing can be said of the type
  6   no compiler for WebAssembly was found
  7   a file cannot be read or written
  10  cargo cannot be run, or the functions of the type cannot be called";

pub(super) const EXAMPLES_OF_GENERALIZE: &str = "\
Examples:
  cargo rebut generalize src/list.rs                  all tests of the file
  cargo rebut generalize src/list.rs::tests::adds     one of them
  cargo rebut generalize tests/ --format json         all tests below a folder, for programs
  cargo rebut generalize src/list.rs --apply          writes the file
  cargo rebut generalize src/list.rs | git apply      the same

The values in a test become parameters, and the test is explored. What is printed was built and
run, on copies of your files; these are not changed without `--apply`.

";

pub(super) const GENERALIZE_EXIT_CODES: &str = "\
Exit codes:
  0   what was asked for was done
  1   an error of Rebut itself
  2   the command line is wrong, or there is no such test
  6   no compiler for WebAssembly was found
  7   a file cannot be read or written
  8   the code under test has a mistake: an input of a test that makes it panic
  10  cargo cannot be run, or the tests do not build";

pub(super) const EXPLORE_EXIT_CODES: &str = "\
Exit codes:
  0   no property fails
  1   an error of Rebut itself
  2   the command line is wrong, or there is no such test
  6   no compiler for WebAssembly was found
  8   a property fails
  10  cargo cannot be run, or the tests do not build";

pub(super) const GENERATE_EXIT_CODES: &str = "\
Exit codes:
  0  as many models as were asked for, or provably all there are
  1  an error of Rebut itself
  2  the command line is wrong
  3  the specification has errors
  4  there is no model
  5  fewer models than were asked for, and it is not proved that there are no more
  6  a solver is needed and was not named
  7  a file cannot be read or written";
