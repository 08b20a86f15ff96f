//! Counts by other means than Rebut whether an assertion of a property ran.
//!
//! Macros with the names of the standard assertions are defined at the beginning of the file. They
//! create a file and then call the standard ones.

/// The variable with the path of the file.
pub(super) const VARIABLE: &str = "CORPUS_REACHED";

/// Returns the file with assertions that leave a trace.
pub(super) fn with_counted_assertions(source: &str) -> String {
    let is_head = |line: &str| {
        let line = line.trim();
        line.is_empty() || line.starts_with("#![") || line.starts_with("//")
    };
    let head = source.lines().take_while(|line| is_head(line)).count();
    // Comments above the first item belong to it, and a macro can be between them.
    let lines: Vec<&str> = source.lines().collect();
    let inner = lines[..head]
        .iter()
        .rposition(|line| line.trim().starts_with("#![") || line.trim().starts_with("//!"));
    let at = inner.map_or(0, |nth| nth + 1);
    let mut text = String::new();
    for line in &lines[..at] {
        text.push_str(line);
        text.push('\n');
    }
    for name in
        ["assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne"]
    {
        text.push_str(&format!(
            "#[allow(unused_macros)]\nmacro_rules! {name} {{ ($($corpus:tt)*) => {{{{ \
             extern crate std as corpus_std; \
             if let Ok(path) = corpus_std::env::var(\"{VARIABLE}\") {{ \
             let _ = corpus_std::fs::write(path, \"\"); }} \
             corpus_std::{name}!($($corpus)*) }}}} }}\n"
        ));
    }
    for line in &lines[at..] {
        text.push_str(line);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_follow_inner_attributes() {
        let text = with_counted_assertions("//! A.\n#![allow(x)]\n// B\nuse c;\n");
        let at = |part: &str| text.find(part).expect("it is there");
        assert!(at("#![allow(x)]") < at("macro_rules! assert {"));
        assert!(at("macro_rules! assert_ne") < at("use c;"));
    }
}
