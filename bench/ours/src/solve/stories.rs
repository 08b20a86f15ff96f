//! The stories of `examples/`: the colon path, and the validators.

use std::panic::{catch_unwind, set_hook};

use rebut_colon_path_example::{paths, resolve, resolve_later};
use rebut_validators_example::{APPROACHES, Study, VALIDATORS, inputs};
use serde_json::json;

/// At which input each of the bugs is found, seed by seed.
pub(crate) fn colon_path(seeds: u64) -> Result<(), String> {
    set_hook(Box::new(|_| ()));
    for seed in 0..seeds {
        for outline in ["covering", "different"] {
            let paths = paths(outline, seed)?;
            let found = |service: fn(&str) -> Vec<String>| {
                let crashes = |path: &String| catch_unwind(|| service(path)).is_err();
                paths.iter().position(crashes).map(|at| at + 1)
            };
            let line = json!({
                "part": "colon",
                "outline": outline,
                "seed": seed,
                "a": found(resolve),
                "b": found(resolve_later),
            });
            println!("{line}");
        }
    }
    let _ = std::panic::take_hook();
    Ok(())
}

/// How many branches of each validator each approach reaches, input by input.
pub(crate) fn validators() -> Result<(), String> {
    for validator in VALIDATORS {
        for approach in APPROACHES {
            let inputs = inputs(&validator, approach, 1)?;
            let study = Study::new(&validator, &inputs);
            let line = json!({
                "part": "validators",
                "validator": validator.name,
                "way": approach.outline,
                "all": study.all,
                "taken": study.taken,
            });
            println!("{line}");
        }
    }
    Ok(())
}
