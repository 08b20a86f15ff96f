//! Checks the links of documents, and the table of contents of the guide.

use crate::page::{Page, root};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// The path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => _ = plain.pop(),
            other => plain.push(other),
        }
    }
    plain
}

/// The text without code blocks and code in backticks.
fn prose(page: &Page) -> String {
    let without_blocks = page.with_consoles(|_| Ok::<_, String>(String::new()));
    let text = without_blocks.expect("nothing can go wrong");
    let parts = text.split('`').zip([true, false].into_iter().cycle());
    parts.filter(|(_, is_prose)| *is_prose).map(|(part, _)| part).collect()
}

/// The targets of links and pictures.
fn links(page: &Page) -> Vec<String> {
    let text = prose(page);
    let ends = |begin: &str, end: char| -> Vec<String> {
        let parts = text.split(begin).skip(1);
        parts.filter_map(|part| Some(part.split_once(end)?.0.to_owned())).collect()
    };
    [ends("](", ')'), ends("src=\"", '"'), ends("srcset=\"", '"')].concat()
}

/// The anchors of a page: its headings, as GitHub and mdBook name them.
fn anchors(page: &Page) -> BTreeSet<String> {
    let without_blocks = page.with_consoles(|_| Ok::<_, String>(String::new()));
    let text = without_blocks.expect("nothing can go wrong");
    let headings = text.lines().filter_map(|line| line.trim_start_matches('#').strip_prefix(' '));
    let kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
    let anchor = |heading: &str| {
        heading.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")
    };
    headings.map(anchor).collect()
}

/// The problems with the links of a page; `read` returns the text of other pages.
fn complaints(page: &Page, read: impl Fn(&Path) -> Option<String>) -> Vec<String> {
    let folder = Path::new(&page.name).parent().unwrap_or(Path::new(""));
    let mut complaints = Vec::new();
    for link in links(page) {
        if link.starts_with("http") {
            continue;
        }
        let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
        let path =
            if file.is_empty() { PathBuf::from(&page.name) } else { plain(&folder.join(file)) };
        let leads_out = page.name.starts_with("docs/guide") && !path.starts_with("docs/guide");
        let why = match read(&path) {
            _ if leads_out => "leaves the guide, and would be broken in the book; name the path",
            None => "is not there",
            Some(text)
                if !anchor.is_empty() && !anchors(&Page::new("", &text)).contains(anchor) =>
            {
                "has no such heading"
            }
            Some(_) => continue,
        };
        complaints.push(format!("{} has a link to {link}, which {why}", page.name));
    }
    complaints
}

/// The text of a file, empty for a picture; `None` if the file does not exist.
fn on_disk(path: &Path) -> Option<String> {
    let path = root().join(path);
    path.exists().then(|| std::fs::read_to_string(path).unwrap_or_default())
}

#[test]
fn links_have_targets() {
    let others =
        ["ARCHITECTURE.md", "CHANGELOG.md", "bench/README.md", "examples/explore/README.md"];
    let pages = crate::page::all_pages().into_iter().chain(others.map(Page::read));
    let complaints: Vec<String> = pages.flat_map(|page| complaints(&page, on_disk)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn the_table_of_contents_lists_every_page() {
    let listed: BTreeSet<String> =
        links(&Page::read("docs/guide/SUMMARY.md")).into_iter().collect();
    let pages = crate::page::all_pages()
        .into_iter()
        .filter_map(|page| Some(page.name.strip_prefix("docs/guide/")?.to_owned()));
    let pages: BTreeSet<String> = pages.filter(|name| name != "SUMMARY.md").collect();
    assert_eq!(listed, pages);
}

#[test]
fn every_picture_is_used() {
    let pages = crate::page::all_pages();
    let shown: BTreeSet<String> = pages.iter().flat_map(links).collect();
    for entry in std::fs::read_dir(root().join("docs/guide/images")).expect("pictures") {
        let name = entry.expect("a picture").file_name().to_string_lossy().into_owned();
        let is_shown = shown.iter().any(|link| link.ends_with(&format!("images/{name}")));
        assert!(is_shown, "no page shows {name}");
    }
}

#[test]
fn links_without_a_target_are_reported() {
    let text = "\
[a](other.md) [b](other.md#a-heading-with-code) [c](#here) [d](https://example.org)
`[e](in-code.md)`
[f](gone.md) [g](other.md#gone) ![h](images/gone.png) [i](../../README.md)

## Here

```text
[j](in-a-block.md)
```
";
    let other = "# Other\n\n## A heading, with `code`!\n";
    let page = Page::new("docs/guide/page.md", text);
    let read = |path: &Path| match path.to_str() {
        Some("docs/guide/other.md") => Some(other.to_owned()),
        Some("docs/guide/page.md") => Some(text.to_owned()),
        Some("README.md") => Some(String::new()),
        _ => None,
    };
    let told =
        |link: &str, why: &str| format!("docs/guide/page.md has a link to {link}, which {why}");
    assert_eq!(
        complaints(&page, read),
        [
            told("gone.md", "is not there"),
            told("other.md#gone", "has no such heading"),
            told("images/gone.png", "is not there"),
            told(
                "../../README.md",
                "leaves the guide, and would be broken in the book; name the path"
            ),
        ]
    );
}
