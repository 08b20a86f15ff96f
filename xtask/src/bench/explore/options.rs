//! The arguments of the benchmarks of verdicts.

/// The number of random cases that stand for all inputs: what the goal asks for.
const CASES: u64 = 1_000_000;

/// The same in a slice. It is arbitrary: so few take no time.
const CASES_OF_SLICE: u64 = 1_000;

/// The parsed arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Options {
    /// Whether a missed goal is an error.
    pub(super) checks: bool,
    /// Whether only a few properties are explored, with a debug build of the command.
    pub(super) is_slice: bool,
    /// Chooses the properties of the slice.
    pub(super) seed: u64,
    /// Another build of the command, instead of the one from here.
    pub(super) engine: Option<String>,
    /// Whether nothing is explored, and only the truth of the properties is checked natively.
    pub(super) only_native: bool,
    /// The number of random cases that a property must pass if its mark says that it is true.
    pub(super) cases: u64,
    /// The files of properties; all if there are none.
    pub(super) names: Vec<String>,
}

impl Options {
    pub(super) fn parse(arguments: &[&str]) -> Result<Options, String> {
        let mut options = Options {
            checks: false,
            is_slice: false,
            seed: 0,
            engine: None,
            only_native: false,
            cases: CASES,
            names: Vec::new(),
        };
        let mut cases = None;
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("`{word}` needs a value"));
            match *word {
                "--check" => options.checks = true,
                "--slice" => options.is_slice = true,
                "--native" => options.only_native = true,
                "--cases" => {
                    let count = value()?;
                    cases = Some(count.parse().map_err(|error| format!("{count}: {error}"))?);
                }
                "--engine" => options.engine = Some((*value()?).to_owned()),
                "--seed" => {
                    let seed = value()?;
                    options.seed = seed.parse().map_err(|error| format!("{seed}: {error}"))?;
                }
                flag if flag.starts_with('-') => {
                    return Err(format!(
                        "it takes `--check`, `--slice`, `--seed N`, `--cases N`, `--engine PROGRAM`, \
                         `--native` and names of files, not `{flag}`"
                    ));
                }
                name => options.names.push(name.to_owned()),
            }
        }
        let usual = if options.is_slice { CASES_OF_SLICE } else { CASES };
        options.cases = cases.unwrap_or(usual);
        Ok(options)
    }

    /// Whether a file of properties is part of the run.
    pub(super) fn selects(&self, file: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|name| name == file)
    }

    /// Whether the results are those of the whole set, and are written.
    pub(super) fn is_whole(&self) -> bool {
        !self.is_slice && !self.only_native && self.names.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_options_and_names() {
        let options = Options::parse(&["--slice", "--seed", "7", "width"]).expect("options");
        assert!(options.is_slice && !options.is_whole() && options.seed == 7);
        assert!(options.selects("width") && !options.selects("state"));
        assert!(Options::parse(&["--seed"]).is_err());
        assert!(Options::parse(&["--chekc"]).is_err());
    }
}
