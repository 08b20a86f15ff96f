//! Prints how many branches of each validator are reached, and by how many inputs.

#![expect(clippy::print_stdout, reason = "an example")]

use rebut_validators_example::{Study, VALIDATORS, WAYS, inputs};

fn main() -> Result<(), String> {
    for validator in VALIDATORS {
        println!("{}: {}, {} branches", validator.name, validator.about, validator.branches());
        for way in WAYS {
            let inputs = inputs(&validator, way, 1)?;
            let study = Study::new(&validator, &inputs);
            let reached = study.reached();
            let needed = study.needed(reached).unwrap_or_default();
            println!(
                "  {:<22} {reached:>3} after {needed:>3} of {} inputs",
                way.heading,
                inputs.len()
            );
        }
    }
    Ok(())
}
