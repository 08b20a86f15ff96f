#[rebut::contract]
struct Point {
    x: u8,
}

#[rebut::contract]
#[requires(true)]
impl Point {
    #[requires(old(self.x) > 0)]
    pub fn a(&self) {}

    #[requires]
    pub fn b(&self) {}

    #[ensures(old() == 1)]
    pub fn c(&self) {}

    #[invariant(self.x > 0)]
    pub fn d(&self) {}

    #[program(twice)]
    pub fn e(&self) {}

    #[requires(self.x > 0)]
    pub async fn f(&self) {}

    pub fn g(&self, #[requires(_0 > 0)] n: u8) {}
}

#[rebut::contract(without(T))]
fn f() {}

fn main() {}
