#[rebut::mock]
trait Reader {
    #[assume]
    fn a(&self) -> u8;

    #[assume("nothing")]
    fn b(&self) -> u8;

    #[pure(yes)]
    fn c(&self) -> u8;

    #[pure]
    fn d(&self, other: &dyn Reader) -> u8;

    #[assume(earlier.is_empty())]
    fn e(&self, list: std::slice::Iter<'_, u8>) -> u8;

    #[from(rebut::integers())]
    #[generate(max_value = 3)]
    fn f(&self) -> u8;
}

fn main() {}
