//! `cargo rebut completions`: scripts that let a shell complete the command.
//!
//! `clap_complete` generates a script for the program `cargo-rebut`. Cargo's own completions handle
//! `cargo rebut`; for shells that allow it, the script ends with code that connects the two.

use crate::cli::{self, Completions};
use clap_complete::Shell;
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::output::to_stdout;

pub(crate) fn run(arguments: &Completions) -> Result<Exit, Failure> {
    to_stdout(&script(arguments.shell))?;
    Ok(Exit::Success)
}

fn script(shell: Shell) -> String {
    match shell {
        Shell::Bash => made(shell, "rebut") + IN_BASH,
        Shell::Fish => made(shell, "rebut") + IN_FISH,
        // Cargo's completions look for a function of this name.
        Shell::Zsh => made(shell, "cargo-rebut")
            .replacen("#compdef cargo-rebut", "#compdef cargo-rebut rebut", 1)
            .replace("compdef _cargo-rebut cargo-rebut", "compdef _cargo-rebut cargo-rebut rebut"),
        shell => made(shell, "rebut"),
    }
}

fn made(shell: Shell, name: &str) -> String {
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut cli::command("rebut"), name, &mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Bash selects a completion by the first word. This function therefore replaces cargo's own, and
/// calls it for all other subcommands.
const IN_BASH: &str = r#"
_rebut_or_cargo() {
    if [[ "${COMP_WORDS[1]}" == rebut && "${COMP_CWORD}" -gt 1 ]]; then
        COMP_WORDS=("${COMP_WORDS[@]:1}")
        COMP_CWORD=$((COMP_CWORD - 1))
        _rebut rebut "$2" "$3"
        return
    fi
    if ! declare -F _cargo > /dev/null && declare -F _completion_loader > /dev/null; then
        _completion_loader cargo
        complete -F _rebut_or_cargo -o bashdefault -o default cargo
    fi
    if declare -F _cargo > /dev/null; then
        _cargo "$@"
    fi
}
complete -F _rebut_or_cargo -o bashdefault -o default cargo
"#;

/// Fish combines all completions that are registered for `cargo`.
const IN_FISH: &str = r#"
function __rebut_under_cargo
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    complete -C (string join ' ' -- rebut $words[3..-1] "$current")
end
complete -c cargo -n "__fish_seen_subcommand_from rebut" -f -a "(__rebut_under_cargo)"
"#;

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum as _;

    #[test]
    fn every_shell_is_told_of_every_command() {
        for shell in Shell::value_variants() {
            let script = script(*shell);
            for command in cli::command("rebut").get_subcommands() {
                assert!(script.contains(command.get_name()), "{shell}: {}", command.get_name());
            }
            assert!(script.contains("against"), "{shell} is not told of options");
        }
    }

    #[test]
    fn cargo_is_told_where_to_look() {
        assert!(script(Shell::Zsh).starts_with("#compdef cargo-rebut rebut\n"));
        assert!(script(Shell::Zsh).contains("compdef _cargo-rebut cargo-rebut rebut\n"));
        assert!(script(Shell::Bash).contains("_rebut_or_cargo -o bashdefault -o default cargo"));
    }
}
