//! How often the bugs of the bounded stack are found, and how fast programs run.
//! `cargo run --release --features contracts --example rates`

#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use rebut::choice::{Drive, Random};
use rebut::{Generate, Program, Source, Subject};
use rebut_contract_examples::stack::{capacity, observer, reentrant, repaired};

const PROGRAMS: u64 = 20_000;

fn rate<S: Subject + ?Sized + 'static>(name: &str) {
    let begun = Instant::now();
    let mut failures = 0;
    let mut random = Box::new(Random::new(1));
    let mut source = Source::new(Drive::Simplest);
    for case in 0..PROGRAMS {
        random.reset(1, case + 1000);
        source.begin(Drive::Random(random));
        let program = Program::<S>::generate(&mut source);
        if catch_unwind(AssertUnwindSafe(|| program.run())).is_err() {
            failures += 1;
        }
        let Drive::Random(back) = source.finish() else { return };
        random = back;
    }
    let seconds = begun.elapsed().as_secs_f64();
    let one_in = PROGRAMS as f64 / f64::from(failures);
    println!("{name}: 1 in {one_in:.1}, {:.0} programs/s", PROGRAMS as f64 / seconds);
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    rate::<capacity::BoundedStack>("bug 1");
    rate::<observer::BoundedStack>("bug 2");
    rate::<reentrant::BoundedStack>("bug 3");
    rate::<repaired::BoundedStack>("repaired");
}
