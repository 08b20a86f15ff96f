#[rebut::test]
fn anyhow_chain(number: u8) -> anyhow::Result<()> {
    use anyhow::Context as _;
    if number < 200 { Ok(()) } else { Err(anyhow::anyhow!("too large")).context("cannot parse") }
}

#[rebut::test]
fn eyre_chain(number: u8) -> eyre::Result<()> {
    use eyre::WrapErr as _;
    if number < 200 { Ok(()) } else { Err(eyre::eyre!("too large")).wrap_err("cannot parse") }
}

#[rebut::test]
fn io_result(number: u8) -> std::io::Result<()> {
    if number < 200 { Ok(()) } else { Err(std::io::Error::other("too large")) }
}
