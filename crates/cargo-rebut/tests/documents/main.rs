//! Tests README.md and the guide in `docs/guide`.
//!
//! Every block of code is tested, or has a comment with the reason why not. The kind of test
//! depends on the language and on the comment in the line before:
//!
//! | comment | meaning |
//! |---|---|
//! | `<!-- story: shorten -->` | the code is a file `src/shorten.rs` of a crate `demo`, which is built |
//! | `<!-- file: shift.rebut -->` | a file of that crate, while the page is tested |
//! | `<!-- tested by: crates/.. -->` | another test reads the block: it has to name the page |
//! | `<!-- part of: compat/.. -->` | the lines of the block are in a file that is built and run elsewhere |
//! | `<!-- untested: it needs a network -->` | why it cannot be tested |
//!
//! A block of `console` needs no comment. Its commands run in the crate, and must print what the
//! page shows under them. A line `...` stands for any number of omitted lines. Of the output of
//! `cargo test`, a page shows only the reports. `cargo test` with nothing under it must pass;
//! other commands without output do not run, but must exist. A story whose command the page does
//! not show must pass.
//!
//! A page that begins with `cargo new` is a tutorial. The test follows it from top to bottom, as
//! a reader would: it writes the files in order and runs every command. `cargo add --git ..`
//! takes the library from this checkout.
//!
//! Write the current output into the pages, then look at what changed:
//!
//! ```console
//! $ UPDATE_EXPECT=1 cargo test -p cargo-rebut --test documents
//! $ DOCUMENTS=README.md,docs/guide/search.md cargo test -p cargo-rebut --test documents pages
//! ```

#![cfg(unix)]

mod commands;
mod demo;
mod elision;
mod followed;
mod links;
mod page;
mod shell;

use demo::Demo;
use page::{Page, root};

#[test]
fn pages_show_the_output_of_their_commands() {
    let mut pages = page::selected();
    pages.push(page_with_mistakes());
    let complaints: Vec<String> = pages.iter().flat_map(Page::complaints).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    let demo = Demo::build("demo", &pages).expect("the stories can be built");
    let mistakes = pages.pop().expect("a page");
    let told = demo.check(&mistakes).expect_err("a page with mistakes is refused");
    assert!(told.contains("says\n  it prints something else\nwhere it should say"), "{told}");
    let complaints: Vec<String> = pages.iter().filter_map(|page| test(&demo, page).err()).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

/// Runs the commands of a page. With `UPDATE_EXPECT`, writes the current output to the page.
fn test(demo: &Demo, page: &Page) -> Result<(), String> {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let updated = updated(demo, page)?;
        std::fs::write(root().join(&page.name), updated).expect("a page can be written");
        return Ok(());
    }
    match updated(demo, page)? {
        updated if updated == page.text => Ok(()),
        updated => Err(page.difference(&updated)),
    }
}

fn updated(demo: &Demo, page: &Page) -> Result<String, String> {
    if page.is_followed() { followed::updated(page) } else { demo.updated(page) }
}

/// A page with mistakes that the tests must find.
fn page_with_mistakes() -> Page {
    let text = "\
<!-- story: mistaken -->
```rust
#[rebut::test]
fn numbers_are_small(number: u8) {
    assert!(number < 100);
}
```

```console
$ REBUT_SEED=1 cargo test mistaken
it prints something else
```
";
    Page::new("mistaken.md", text)
}

#[test]
fn a_story_that_fails_and_shows_no_command_is_refused() {
    let text = page_with_mistakes().text;
    let (story, _) = text.split_once("```console").expect("a command");
    let page = Page::new("silent.md", story);
    let demo = Demo::build("silent", std::slice::from_ref(&page)).expect("it can be built");
    let told = demo.updated(&page).expect_err("its story fails");
    assert!(told.contains("the story `mistaken` of silent.md fails"), "{told}");
}

#[test]
fn a_story_that_is_not_rust_is_refused() {
    let page =
        Page::new("wrong.md", "<!-- story: wrong -->\n```rust\nfn f() -> u8 { \"\" }\n```\n");
    let told = Demo::build("wrong", &[page]).expect_err("it cannot be built");
    assert!(told.contains("mismatched types"), "{told}");
}

#[test]
fn an_untested_block_is_refused() {
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let complaints = Page::new("page.md", text).complaints();
        assert_eq!(complaints, [format!("page.md:{expected}")]);
    }
    let advice = "is not tested; put `<!-- story: .. -->` or another comment before it (see tests/documents/main.rs)";
    check("# Title\n\n```rust\nfn f() {}\n```\n", &format!("3: a block of rust {advice}"));
    check("```toml\ncases = 1\n```\n", &format!("1: a block of toml {advice}"));
    check("```\nno language\n```\n", &format!("1: a block of no language {advice}"));
    check("<!-- untested: -->\n```sh\nls\n```\n", "2: `untested` wants a reason");
    check("<!-- tested by: no/such.rs -->\n```sh\nls\n```\n", "2: there is no no/such.rs");
    check(
        "<!-- tested by: crates/cargo-rebut/tests/generate.rs -->\n```sh\nls\n```\n",
        "2: crates/cargo-rebut/tests/generate.rs does not name page.md",
    );
    check(
        "<!-- part of: crates/cargo-rebut/src/bin/rebut.rs -->\n```rust\nfn main() { no }\n```\n",
        "2: crates/cargo-rebut/src/bin/rebut.rs lacks `fn main() { no }`",
    );
    check("```console\nls\n```\n", "1: a block of console begins with `$ ` and a command");
    check(
        "- item\n  ```rust\n  fn f() {}\n  ```\n",
        "2: a fence that is not at the beginning of its line is not seen by tests",
    );
    check("```rust\nfn f() {}\n", "1: the block has no end");
}
