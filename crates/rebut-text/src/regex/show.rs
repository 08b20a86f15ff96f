//! Prints a regex as a pattern.

use std::fmt;

use super::{Class, Node, Regex};
use crate::order;
use crate::symbols::Symbols;

/// Prints a pattern that [`Regex::parse`] reads as the same language. If the regex was not parsed
/// from a pattern, adjacent parts of a character class may come back as one.
impl fmt::Display for Regex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.node() {
            Node::Empty => Ok(()),
            Node::Class(class) => write_class(class, f),
            Node::Concat(parts) => {
                for part in parts {
                    let grouped = matches!(part.node(), Node::Union(_));
                    write_grouped(part, grouped, f)?;
                }
                Ok(())
            }
            Node::Union(alternatives) if alternatives.is_empty() => write!(f, "[a&&b]"),
            Node::Union(alternatives) => {
                for (at, alternative) in alternatives.iter().enumerate() {
                    let bar = if at > 0 { "|" } else { "" };
                    write!(f, "{bar}{alternative}")?;
                }
                Ok(())
            }
            Node::Repeat { max: Some(max), min, .. } if max < min => write!(f, "[a&&b]"),
            Node::Repeat { inner, min, max } => {
                write_grouped(inner, !matches!(inner.node(), Node::Class(_)), f)?;
                match (min, max) {
                    (0, Some(1)) => write!(f, "?"),
                    (0, None) => write!(f, "*"),
                    (1, None) => write!(f, "+"),
                    (min, Some(max)) if min == max => write!(f, "{{{min}}}"),
                    (min, Some(max)) => write!(f, "{{{min},{max}}}"),
                    (min, None) => write!(f, "{{{min},}}"),
                }
            }
        }
    }
}

fn write_grouped(regex: &Regex, grouped: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if grouped { write!(f, "(?:{regex})") } else { write!(f, "{regex}") }
}

fn write_class(class: &Class, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let all = class.symbols();
    if all.is_empty() {
        return write!(f, "[a&&b]");
    }
    if all == order::all() {
        return write!(f, "(?s:.)");
    }
    if all.len() == 1 {
        let char = order::ranges_of(&all)[0].0;
        return write!(f, "{}", escaped(char));
    }
    let rest = all.complement(order::LAST);
    if class.parts.len() == 1 && rest.len() < all.len() {
        write!(f, "[^")?;
        write_ranges(&rest, f)?;
    } else {
        write!(f, "[")?;
        for part in &class.parts {
            write_ranges(part, f)?;
        }
    }
    write!(f, "]")
}

fn write_ranges(symbols: &Symbols, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (first, last) in order::ranges_of(symbols) {
        match u32::from(last) - u32::from(first) {
            0 => write!(f, "{}", escaped(first))?,
            1 => write!(f, "{}{}", escaped(first), escaped(last))?,
            _ => write!(f, "{}-{}", escaped(first), escaped(last))?,
        }
    }
    Ok(())
}

/// Escapes a character for use inside or outside of a character class.
fn escaped(char: char) -> String {
    if char.is_ascii_alphanumeric()
        || matches!(
            char,
            '_' | ' '
                | ':'
                | '/'
                | '@'
                | '\''
                | '"'
                | ','
                | ';'
                | '='
                | '!'
                | '%'
                | '<'
                | '>'
                | '`'
        )
    {
        char.to_string()
    } else if char.is_ascii_graphic() {
        format!("\\{char}")
    } else if char.is_alphanumeric() {
        char.to_string()
    } else {
        format!("\\u{{{:X}}}", u32::from(char))
    }
}
