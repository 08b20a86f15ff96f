#[rebut::mock]
trait Names {
    fn name(&self) -> &str;
    fn find(&self, id: u8) -> Option<&String>;
}

fn main() {}
