//! Small code of every day.

/// The larger of two numbers.
pub fn larger(a: i32, b: i32) -> i32 {
    if a < b { b } else { a }
}

/// The rebate for a number of pieces, in percent.
pub fn rebate(pieces: u32) -> u32 {
    match pieces {
        0..10 => 0,
        10..100 => 5,
        _ => 12,
    }
}

/// Whether a year has a day more.
pub fn is_leap(year: u16) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// A line of a file with settings.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// An empty line, or a comment.
    Nothing,
    /// `[name]`
    Section(String),
    /// `key = value`, where the value may be in quotes.
    Setting(String, String),
}

/// Parses a line of a file with settings.
///
/// # Errors
/// If the line is none of them.
pub fn parse_line(line: &str) -> Result<Line, String> {
    let line = line.split('#').next().unwrap_or("").trim();
    if line.is_empty() {
        return Ok(Line::Nothing);
    }
    if let Some(rest) = line.strip_prefix('[') {
        let name = rest.strip_suffix(']').ok_or("the section does not end")?;
        return Ok(Line::Section(name.trim().to_owned()));
    }
    let (key, value) = line.split_once('=').ok_or_else(|| format!("no `=` in `{line}`"))?;
    let (key, value) = (key.trim(), value.trim());
    if key.is_empty() || !key.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return Err(format!("`{key}` is no name"));
    }
    let value = match value.strip_prefix('"') {
        Some(rest) => rest.strip_suffix('"').ok_or("the quote does not end")?,
        None => value,
    };
    Ok(Line::Setting(key.to_owned(), value.to_owned()))
}
