struct Secret;

#[rebut::mock]
trait Vault {
    fn open(&self) -> Secret;
}

fn main() {}
