struct NotOne;

#[derive(rebut::Generate)]
struct Field {
    #[generate(NotOne)]
    length: f64,
}

#[derive(rebut::Generate)]
struct SingleValue(#[generate(42)] u8);

#[derive(rebut::Generate)]
struct RangeWithoutBounds(#[generate(..)] u8);

#[derive(rebut::Generate)]
struct MappedRange(#[generate((1..10).map(|n| n * 2))] u8);

#[derive(Clone, Copy, Debug)]
struct Version(u32);

#[derive(rebut::Generate)]
struct RangeOfSomethingElse(#[generate(Version(1)..Version(3))] Version);

fn main() {}
