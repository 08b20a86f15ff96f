struct Plain;

trait Observer {
    fn seen(&self);
}

struct Watched;

#[rebut::contract]
impl Watched {
    pub fn watch(&mut self, observer: Box<dyn Observer>) {
        observer.seen();
    }
}

fn programs_about<S: rebut::Contracted>(_: S) {}

fn main() {
    programs_about(Plain);
}
