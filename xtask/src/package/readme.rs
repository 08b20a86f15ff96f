//! The readmes that readers of a registry see.
//!
//! A registry resolves links relative to an address that the repository does not have, so links of
//! these pages are absolute. Their examples are also in README.md of the repository, whose commands
//! and outputs are tested.

use std::path::{Path, PathBuf};

use crate::root;
use crate::workspace::Package;

/// Problems of the readmes of all packages, and of addresses in all documents.
pub(super) fn complaints(published: &[&Package]) -> Result<Vec<String>, String> {
    let mut complaints = Vec::new();
    let tested = read(&root().join("README.md"))?;
    let repository = published.first().map_or("", |package| package.text("repository"));
    for package in published {
        let manifest = Path::new(package.text("manifest_path"));
        let path = manifest.with_file_name(package.text("readme"));
        let text = read(&path)?;
        let found = page_complaints(&text, &tested).into_iter().chain(addresses(&text, repository));
        complaints.extend(found.map(|complaint| format!("{}: {complaint}", shown(&path))));
    }
    for path in documents()? {
        let text = read(&path)?;
        let found = addresses(&text, repository).into_iter();
        complaints.extend(found.map(|complaint| format!("{}: {complaint}", shown(&path))));
    }
    Ok(complaints)
}

/// README.md and the pages of the guide.
fn documents() -> Result<Vec<PathBuf>, String> {
    let guide = root().join("docs").join("guide");
    let entries =
        std::fs::read_dir(&guide).map_err(|error| format!("{}: {error}", shown(&guide)))?;
    let pages = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_page = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    let mut pages: Vec<PathBuf> = pages.filter(is_page).collect();
    pages.push(root().join("README.md"));
    pages.sort();
    Ok(pages)
}

fn page_complaints(text: &str, tested: &str) -> Vec<String> {
    let links = text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
    let relative = links.filter(|link| !link.starts_with("https://"));
    let mut complaints: Vec<String> = relative
        .map(|link| format!("the link `{link}` leads nowhere on a registry page"))
        .collect();
    let blocks = text.split("\n```").skip(1).step_by(2);
    let untested = blocks.filter(|block| !tested.contains(block.trim_end()));
    complaints.extend(untested.map(|block| {
        let first = block.lines().nth(1).unwrap_or_default();
        format!("the block that begins with `{first}` is not in README.md of the repository")
    }));
    complaints
}

/// Addresses of this project that differ from the one in the manifests.
fn addresses(text: &str, repository: &str) -> Vec<String> {
    const HOST: &str = "https://github.com/";
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let mut complaints = Vec::new();
    for (at, _) in text.match_indices(HOST) {
        let rest = &text[at + HOST.len()..];
        let mut parts = rest.split(|c: char| !is_name(c));
        let (owner, name) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        let address =
            format!("{HOST}{owner}/{}", name.trim_end_matches('.').trim_end_matches(".git"));
        let is_ours = address.ends_with("/rebut") && rest[owner.len()..].starts_with('/');
        if is_ours && address != repository {
            complaints.push(format!("{address} is not the repository, {repository}"));
        }
    }
    complaints
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", shown(path)))
}

fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_links_are_named() {
        let page = "[a](https://docs.rs/rebut) [b](docs/guide/start.md)";
        let complaint = "the link `docs/guide/start.md` leads nowhere on a registry page";
        assert_eq!(page_complaints(page, ""), [complaint]);
    }

    #[test]
    fn blocks_that_no_test_runs_are_named() {
        let page = "a\n```rust\nlet a = 1;\n```\nb\n```console\n$ ls\n```\n";
        let complaint = "the block that begins with `$ ls` is not in README.md of the repository";
        assert_eq!(page_complaints(page, "x\n```rust\nlet a = 1;\n```\n"), [complaint]);
    }

    #[test]
    fn other_addresses_of_the_project_are_named() {
        let ours = "https://github.com/us/rebut";
        let text = "https://github.com/us/rebut/tree/main https://github.com/other/thing \
                    https://github.com/us/rebut.git";
        assert_eq!(addresses(text, ours), Vec::<String>::new());
        let complaint =
            "https://github.com/them/rebut is not the repository, https://github.com/us/rebut";
        assert_eq!(addresses("see https://github.com/them/rebut.", ours), [complaint]);
        assert_eq!(addresses("(https://github.com/them/rebut)", ours), [complaint]);
    }
}
