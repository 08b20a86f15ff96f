#[rebut::mock]
trait Port {
    fn a(&self, #[drawn] buffer: &[u8]);

    fn b(&self, #[drawn(3)] buffer: &mut u8);

    fn c(&self, #[drawn = 3] buffer: &mut [u8]);

    #[pure]
    fn d(&self, #[drawn] buffer: &mut u8);
}

fn main() {}
