//! What generated code names. Not part of the public interface: it changes without notice.

pub use rebut_choice::{Constants, Label, Source};
pub use rebut_gen::*;
pub use rebut_run::{
    Answer, Case, Example, Isolate, Settings, Test, Verbosity, assume, cover, label, note, run_test,
};

/// Draws from a generator written in an attribute.
#[inline]
pub fn draw<G: Generator>(generator: G, source: &mut Source) -> G::Value {
    generator.draw(source)
}

/// Constants found in the code under test.
pub fn mined(integers: &[i128], floats: &[f64], texts: &[&str]) -> Constants {
    Constants {
        integers: integers.to_vec(),
        floats: floats.to_vec(),
        texts: texts.iter().map(|&text| text.to_owned()).collect(),
    }
}
