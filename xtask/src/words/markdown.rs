//! The prose of a Markdown text: everything outside of code, comments and addresses.

/// Stands for a character of inline code, which is a part of the sentence but has no words.
pub(super) const CODE: char = '¤';

/// Blanks fenced blocks, HTML comments and addresses, and replaces inline code by [`CODE`].
/// All lines stay where they are.
pub(super) fn prose(text: &str) -> String {
    let mut prose = String::new();
    let mut fence: Option<String> = None;
    for line in text.split_inclusive('\n') {
        let begin = fence_of(line);
        match (&fence, begin) {
            (None, None) if is_definition(line) => prose.push('\n'),
            (None, None) => prose.push_str(line),
            (None, Some(begin)) => {
                fence = Some(begin.to_owned());
                prose.push('\n');
            }
            (Some(open), Some(end)) if end.starts_with(open.as_str()) => {
                fence = None;
                prose.push('\n');
            }
            (Some(_), _) => prose.push('\n'),
        }
    }
    without_addresses(&without_code(&without_between(&prose, "<!--", "-->")))
}

/// The characters that open or close a fenced block.
fn fence_of(line: &str) -> Option<&str> {
    let line = line.trim_start().trim_start_matches("> ");
    ['`', '~'].into_iter().find_map(|mark| {
        let length = line.len() - line.trim_start_matches(mark).len();
        // "``` a ``` b" is inline code.
        let is_fence = length >= 3 && !line[length..].contains('`');
        is_fence.then(|| &line[..length])
    })
}

/// Whether a line says where a link leads: `[name]: address`.
fn is_definition(line: &str) -> bool {
    line.trim_start().starts_with('[') && line.contains("]: ")
}

/// Replaces inline code, which is between two runs of equally many backticks of one paragraph.
pub(super) fn without_code(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('`') {
        let (before, code) = rest.split_at(start);
        result.push_str(before);
        let inside = code.trim_start_matches('`');
        let ticks = &code[..code.len() - inside.len()];
        let paragraph = inside.find("\n\n").unwrap_or(inside.len());
        match closing(&inside[..paragraph], ticks) {
            Some(length) => {
                let (code, after) = inside.split_at(length);
                result.extend(code.chars().map(|char| if char == '\n' { '\n' } else { CODE }));
                rest = &after[ticks.len()..];
            }
            None => {
                result.push_str(ticks);
                rest = inside;
            }
        }
    }
    result + rest
}

fn closing(inside: &str, ticks: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = inside[from..].find('`') {
        let after = inside[from + at..].trim_start_matches('`');
        let length = inside.len() - from - at - after.len();
        if length == ticks.len() {
            return Some(from + at);
        }
        from += at + length;
    }
    None
}

/// Blanks the targets of links and whatever is in angle brackets without a space.
fn without_addresses(text: &str) -> String {
    let mut result = without_between(text, "](", ")");
    let mut from = 0;
    while let Some(start) = result[from..].find('<').map(|at| from + at) {
        let inside = result[start + 1..].find(['>', '<', ' ', '\n']);
        from = match inside.filter(|length| result[start + 1 + length..].starts_with('>')) {
            Some(length) => {
                result.replace_range(start..start + length + 2, " ");
                start + 1
            }
            None => start + 1,
        };
    }
    result
}

/// Blanks everything from `start` to `end`, these included.
fn without_between(text: &str, start: &str, end: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once(start) {
        result.push_str(before);
        let length = inside.find(end);
        result.push(' ');
        result.extend(inside[..length.unwrap_or(inside.len())].chars().filter(|&c| c == '\n'));
        rest = length.map_or("", |length| &inside[length + end.len()..]);
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::prose;

    #[test]
    fn code_is_not_prose() {
        assert_eq!(prose("a\n```rust\ncode\n```\nb\n"), "a\n\n\n\nb\n");
        assert_eq!(prose("a\n````\n```\ncode\n````\nb\n"), "a\n\n\n\n\nb\n");
        assert_eq!(prose("a `cd` b ``e`f`` g"), "a ¤¤ b ¤¤¤ g");
        assert_eq!(prose("a `c\nd` b"), "a ¤\n¤ b");
    }

    #[test]
    fn backtick_without_another_is_prose() {
        assert_eq!(prose("a ` b"), "a ` b");
        assert_eq!(prose("a ` b\n\nc ` d"), "a ` b\n\nc ` d");
    }

    #[test]
    fn comments_and_addresses_are_not_prose() {
        assert_eq!(prose("a <!-- b\nc --> d"), "a  \n d");
        assert_eq!(prose("[a](folder/b.md) c"), "[a  c");
        assert_eq!(prose("<https://folder.example> c <d e>"), "  c <d e>");
        assert_eq!(prose("[a]: https://folder.example\nb"), "\nb");
    }
}
