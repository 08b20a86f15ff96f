#[rebut::mock]
struct Reader;

fn main() {}
