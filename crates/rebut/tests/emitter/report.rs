//! Reads the reports that a failing test prints.

/// What one report offers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Offer {
    /// What broke, without its location.
    pub(crate) failure: String,
    pub(crate) keep: Option<String>,
    pub(crate) test: Option<String>,
    pub(crate) replay: Option<String>,
}

/// Returns the offers in the output of a test.
pub(crate) fn offers(output: &str) -> Vec<Offer> {
    let mut offers = Vec::new();
    for block in output.split("error[R001]").skip(1) {
        let label = |name: &str| {
            let prefix = format!("  {name:9} ");
            let line = block.lines().find_map(|line| line.strip_prefix(prefix.as_str()));
            line.map(str::to_owned)
        };
        offers.push(Offer {
            failure: failure(block),
            keep: label("keep:"),
            test: label("test:"),
            replay: label("replay:"),
        });
    }
    offers
}

/// Returns what the same failure prints elsewhere.
fn failure(block: &str) -> String {
    let mut lines = block.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("  panicked at") || line.starts_with("  returned an error") {
            return lines.next().unwrap_or_default().trim().to_owned();
        }
        if line.starts_with("  returned ") {
            return "assertion failed".to_owned();
        }
    }
    String::new()
}
