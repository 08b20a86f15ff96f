//! Writes HTML and XML.
//!
//! Invariant: only `&'static str` is written without escaping, so it is part of our source. Strings
//! from events enter only through `text` and `attribute`, which make them inert: markup is escaped,
//! and so are characters that are invisible or change how others are displayed.

use std::fmt::{Display, Write as _};

use rebut_protocol::terminal::is_invisible;

/// A document that is being written.
#[derive(Debug, Default)]
pub(crate) struct Markup {
    out: String,
    is_xml: bool,
}

/// The maximum number of characters of a string.
///
/// Arbitrary; it keeps pages small if a test prints megabytes. Longer strings are cut, and a notice
/// gives their size.
pub(crate) const SHOWN_MAX: usize = 4000;

impl Markup {
    pub(crate) fn html() -> Self {
        Self::default()
    }

    pub(crate) fn xml() -> Self {
        Self { is_xml: true, ..Self::default() }
    }

    pub(crate) fn finish(self) -> String {
        self.out
    }

    /// Writes markup from our source, without escaping.
    pub(crate) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.out.push_str(markup);
        self
    }

    /// Writes a number. Its characters have no meaning in markup.
    pub(crate) fn number(&mut self, number: impl Into<Num>) -> &mut Self {
        let _ = match number.into() {
            Num::Whole(number) => write!(self.out, "{number}"),
            Num::Float(number) => write!(self.out, "{number}"),
        };
        self
    }

    /// Writes a coordinate, with at most one decimal.
    pub(crate) fn at(&mut self, number: f64) -> &mut Self {
        let tenths = (number * 10.0).round() / 10.0;
        let _ = write!(self.out, "{}", if tenths == 0.0 { 0.0 } else { tenths });
        self
    }

    /// Writes any string as text, cut at [`SHOWN_MAX`].
    pub(crate) fn text(&mut self, text: impl AsRef<str>) -> &mut Self {
        let text = text.as_ref();
        let (shown, is_cut) = cut(text, SHOWN_MAX);
        self.escaped(shown, false);
        if is_cut {
            self.cut_notice(text.len());
        }
        self
    }

    /// Writes the notice that a string of this size was cut.
    pub(crate) fn cut_notice(&mut self, bytes: usize) {
        if self.is_xml {
            let _ = write!(self.out, " [cut; {bytes} bytes in total]");
        } else {
            self.raw("<span class=\"cut\"> … cut, ")
                .number(bytes as u64)
                .raw(" bytes in total</span>");
        }
    }

    /// Writes any string as the value of an attribute. The caller writes the quotes.
    pub(crate) fn attribute(&mut self, text: impl AsRef<str>) -> &mut Self {
        let (shown, is_cut) = cut(text.as_ref(), SHOWN_MAX);
        self.escaped(shown, true);
        if is_cut {
            self.out.push_str(" [cut]");
        }
        self
    }

    /// Writes a displayable value as text.
    pub(crate) fn display(&mut self, shown: impl Display) -> &mut Self {
        self.text(shown.to_string())
    }

    fn escaped(&mut self, text: &str, is_attribute: bool) {
        for c in text.chars() {
            match c {
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '&' => self.out.push_str("&amp;"),
                '"' => self.out.push_str("&quot;"),
                '\'' => self.out.push_str("&#39;"),
                '\n' if is_attribute => self.out.push_str("&#10;"),
                '\n' | '\t' => self.out.push(c),
                c if is_invisible(c) && (is_attribute || self.is_xml) => {
                    let _ = write!(self.out, "{}", c.escape_unicode());
                }
                c if is_invisible(c) => {
                    let _ = write!(self.out, "<span class=\"esc\">{}</span>", c.escape_unicode());
                }
                c => self.out.push(c),
            }
        }
    }
}

/// An integer or a float.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Num {
    Whole(u64),
    Float(f64),
}

impl From<u64> for Num {
    fn from(number: u64) -> Self {
        Self::Whole(number)
    }
}

impl From<usize> for Num {
    fn from(number: usize) -> Self {
        Self::Whole(number as u64)
    }
}

impl From<f64> for Num {
    fn from(number: f64) -> Self {
        Self::Float(number)
    }
}

/// Returns the first characters of a string, and whether there are more.
pub(crate) fn cut(text: &str, length_max: usize) -> (&str, bool) {
    match text.char_indices().nth(length_max) {
        Some((end, _)) => (&text[..end], true),
        None => (text, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_text_is_inert() {
        let mut html = Markup::html();
        html.text("<script>a && \"b\"'</script>\u{202E}\u{0}\n");
        assert_eq!(
            html.finish(),
            "&lt;script&gt;a &amp;&amp; &quot;b&quot;&#39;&lt;/script&gt;<span class=\"esc\">\\u{202e}</span><span class=\"esc\">\\u{0}</span>\n"
        );
        let mut html = Markup::html();
        html.raw("<a title=\"").attribute("\" onclick=\"x\u{7}\n").raw("\">");
        assert_eq!(html.finish(), "<a title=\"&quot; onclick=&quot;x\\u{7}&#10;\">");
    }

    #[test]
    fn long_strings_are_cut_with_a_notice() {
        let mut html = Markup::html();
        html.text("é".repeat(1 << 20));
        let html = html.finish();
        assert!(html.len() < 10_000, "{}", html.len());
        assert!(html.contains("2097152 bytes in total"), "{}", &html[8000..]);
    }
}
