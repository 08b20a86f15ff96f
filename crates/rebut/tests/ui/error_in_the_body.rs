#[rebut::test]
fn property(n: u8) -> Result<(), String> {
    let text: String = n;
    Ok(())
}

fn main() {}
