#[rebut::test]
fn pretty(mut list: Vec<u16>) {
    let before = list.clone();
    list.dedup();
    pretty_assertions::assert_eq!(list, before);
}

#[rebut::test]
fn eyre_with_colors(number: u8) -> color_eyre::Result<()> {
    let _ = color_eyre::install();
    if number < 200 { Ok(()) } else { Err(color_eyre::eyre::eyre!("too large").wrap_err("cannot parse")) }
}

#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("bad byte")]
#[diagnostic(code(bytes::bad), help("use a smaller byte"), url("https://example.com/bad"))]
struct Bad {
    #[source_code]
    text: String,
    #[label("here")]
    at: miette::SourceSpan,
}

#[rebut::test]
fn miette_with_colors(number: u8) -> miette::Result<()> {
    let _ = miette::set_hook(Box::new(|_| {
        Box::new(miette::MietteHandlerOpts::new().color(true).unicode(true).build())
    }));
    if number < 200 {
        return Ok(());
    }
    Err(Bad { text: "0123456789".to_owned(), at: (2, 3).into() }.into())
}
