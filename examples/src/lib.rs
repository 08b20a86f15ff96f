//! Small programs with mistakes in them, for the stories in the folders beside this one.

/// The first `max` bytes of a text, or all of it.
///
/// The mistake: a byte is not a character.
#[must_use]
pub fn shorten(text: &str, max: usize) -> &str {
    if text.len() <= max { text } else { &text[..max] }
}

/// Joins runs of equal letters: `aab` becomes `2a1b`.
#[must_use]
pub fn compress(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        let mut count = 1;
        while rest.next_if_eq(&letter).is_some() {
            count += 1;
        }
        result.push_str(&format!("{count}{letter}"));
    }
    result
}

/// Undoes [`compress`].
///
/// The mistake: digits of the text are taken for counts.
#[must_use]
pub fn expand(text: &str) -> String {
    let mut result = String::new();
    let mut count = 0;
    for letter in text.chars() {
        match letter.to_digit(10) {
            Some(digit) => count = count * 10 + digit as usize,
            None => {
                result.extend(std::iter::repeat_n(letter, count));
                count = 0;
            }
        }
    }
    result
}

/// The greatest common divisor.
///
/// The mistake: there are inputs for which it never ends, or never returns.
#[must_use]
pub fn common_divisor(a: u64, b: u64) -> u64 {
    if a == b {
        a
    } else if a > b {
        common_divisor(a - b, b)
    } else {
        common_divisor(a, b - a)
    }
}

/// The inputs of an outline of a specification, which may import the other files.
///
/// # Panics
/// If the specification has errors; a story has none.
#[must_use]
pub fn inputs(text: &str, files: &[(&str, &str)], outline: &str) -> Vec<serde_json::Value> {
    let read = |path: &std::path::Path| {
        let file = files.iter().find(|(name, _)| path.ends_with(name));
        file.map(|(_, text)| (*text).to_owned()).ok_or_else(|| "it is not there".to_owned())
    };
    let program = rebut_spec::Program::load_with("story.rebut".as_ref(), text, &read);
    let environment = program.environment(outline).expect("an outline without errors");
    let outcome = rebut_spec::generate(environment, &rebut_spec::Options::default());
    let models = outcome.expect("models that the judge accepts").models;
    models.iter().map(|model| rebut_spec::output::json(environment, model)).collect()
}
