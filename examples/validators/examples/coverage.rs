//! Prints how many branches of each validator are reached, and by how many inputs.

#![expect(clippy::print_stdout, reason = "an example")]

use rebut_validators_example::{APPROACHES, Study, VALIDATORS, inputs};

fn main() -> Result<(), String> {
    for validator in VALIDATORS {
        println!("{}: {}, {} branches", validator.name, validator.about, validator.branches());
        for approach in APPROACHES {
            let inputs = inputs(&validator, approach, 1)?;
            let study = Study::new(&validator, &inputs);
            let reached = study.reached();
            let needed = study.needed(reached).unwrap_or_default();
            println!(
                "  {:<22} {reached:>3} after {needed:>3} of {} inputs",
                approach.heading,
                inputs.len()
            );
        }
    }
    Ok(())
}
