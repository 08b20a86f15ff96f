//! The command line.

use std::fmt;

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bench {
    /// CPU time per generated case.
    Generate,
    /// Executions after the first failure, and whether the end is normal.
    Shrink,
    /// Cases to the first failure.
    Find,
    /// CPU time of builds.
    Build,
    /// Tests to a failure, and what is reached, on the problems of targeted search.
    Search,
    /// CPU time and coverage of inputs that the input language makes.
    Solve,
}

impl Bench {
    const ALL: [Self; 6] =
        [Self::Generate, Self::Shrink, Self::Find, Self::Build, Self::Search, Self::Solve];

    /// The name on the command line and in file names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Generate => "generate",
            Self::Shrink => "shrink",
            Self::Find => "find",
            Self::Build => "build",
            Self::Search => "search",
            Self::Solve => "solve",
        }
    }
}

impl fmt::Display for Bench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What the build bench measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildPart {
    /// A crate that only adds the library.
    Dependency,
    /// A suite of properties.
    Suite,
    /// The commands that are installed.
    Commands,
}

/// What a run is asked to do.
#[derive(Debug)]
pub struct Options {
    /// The benches to run, in order.
    pub benches: Vec<Bench>,
    /// How many seeds each problem runs under, if that was said.
    pub seeds: Option<u64>,
    /// Whether kept figures of peers are measured again.
    pub is_fresh: bool,
    /// Whether a missed goal is a failure.
    pub is_check: bool,
    /// Whether the search bench also runs PropEr, which it otherwise only quotes.
    pub runs_proper: bool,
    /// The only part of the build bench to run, if one was named.
    pub part: Option<BuildPart>,
}

impl Options {
    /// How many seeds a bench runs under.
    pub fn seeds(&self, bench: Bench) -> u64 {
        self.seeds.unwrap_or(if bench == Bench::Search { 30 } else { 100 })
    }

    /// Whether a part of the build bench is to be run.
    pub fn wants(&self, part: BuildPart) -> bool {
        self.part.is_none_or(|only| only == part)
    }

    /// Reads the command line.
    ///
    /// # Errors
    ///
    /// When an argument is unknown or no bench is named.
    pub fn parse(args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            benches: Vec::new(),
            seeds: None,
            is_fresh: false,
            is_check: false,
            runs_proper: false,
            part: None,
        };
        let mut args = args;
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--fresh" => options.is_fresh = true,
                "--check" => options.is_check = true,
                "--seeds" => options.seeds = Some(parse_seeds(args.next())?),
                "--peer" => options.runs_proper = parse_peer(args.next())?,
                "--part" => options.part = Some(parse_part(args.next())?),
                "all" => options.benches.extend(Bench::ALL),
                name => options.benches.push(parse_bench(name)?),
            }
        }
        if options.benches.is_empty() {
            return Err(format!("no bench named; {}", usage()));
        }
        Ok(options)
    }
}

fn parse_bench(name: &str) -> Result<Bench, String> {
    let bench = Bench::ALL.into_iter().find(|bench| bench.name() == name);
    bench.ok_or_else(|| format!("unknown argument `{name}`; {}", usage()))
}

fn parse_seeds(value: Option<String>) -> Result<u64, String> {
    let seeds = value.and_then(|value| value.parse().ok()).filter(|seeds| *seeds > 0);
    seeds.ok_or_else(|| "`--seeds` takes a number of at least 1".to_owned())
}

fn parse_peer(value: Option<String>) -> Result<bool, String> {
    match value.as_deref() {
        Some("proper") => Ok(true),
        _ => Err("`--peer` takes `proper`; the other peers are always measured".to_owned()),
    }
}

fn parse_part(value: Option<String>) -> Result<BuildPart, String> {
    match value.as_deref() {
        Some("dependency") => Ok(BuildPart::Dependency),
        Some("suite") => Ok(BuildPart::Suite),
        Some("commands") => Ok(BuildPart::Commands),
        _ => Err("`--part` takes a part of `build`: dependency, suite or commands".to_owned()),
    }
}

fn usage() -> &'static str {
    "accepted are generate, shrink, find, build, search, solve, all, --seeds N, --fresh, --check, \
     --peer proper and --part NAME of build"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(args: &[&str]) -> Result<Options, String> {
        Options::parse(args.iter().map(|arg| arg.to_string()))
    }

    #[test]
    fn names_benches_and_flags() {
        let options = parse(&["find", "--seeds", "7", "--check"]).expect("is accepted");
        assert_eq!(options.benches, [Bench::Find]);
        assert_eq!(
            (options.seeds(Bench::Find), options.is_check, options.is_fresh),
            (7, true, false)
        );
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        assert!(parse(&["speed"]).is_err());
        assert!(parse(&["find", "--seeds", "0"]).is_err());
        assert!(parse(&["--check"]).is_err());
        assert!(parse(&["search", "--peer", "proptest"]).is_err());
        assert!(parse(&["build", "--part", "half"]).is_err());
    }
}
