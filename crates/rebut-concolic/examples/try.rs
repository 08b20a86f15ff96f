//! Explores each test of a module.
#![allow(clippy::print_stdout, clippy::unwrap_used)]
use rebut_concolic::{Budget, Machine, Scout, explore, tests};
fn main() {
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(run).unwrap();
    thread.join().unwrap();
}
fn run() {
    let path = std::env::args().nth(1).unwrap();
    let wanted = std::env::args().nth(2).unwrap_or_default();
    let wasm = std::fs::read(path).unwrap();
    let start = std::time::Instant::now();
    let scout = std::sync::Arc::new(Scout::new(wasm.clone().into(), |_| None).unwrap());
    println!("scout {:?}", start.elapsed());
    for test in tests(&wasm).unwrap() {
        if !test.contains(&wanted) {
            continue;
        }
        let start = std::time::Instant::now();
        let mut machine = Machine::scouted(scout.clone(), &test).unwrap();
        let description = machine.describe().unwrap();
        let built = start.elapsed();
        let start = std::time::Instant::now();
        let result = explore(
            &mut machine,
            &Budget {
                runs: std::env::var("RUNS").map_or(2000, |r| r.parse().unwrap()),
                ..Budget::default()
            },
            &[],
        );
        println!(
            "{} ({}:{}) built {:?}, explored {:?}: {} runs, {} leaves, {} nodes, {} divergences\n  {:?}\n  {:?}",
            description.path,
            description.file,
            description.line,
            built,
            start.elapsed(),
            result.runs,
            result.leaves.len(),
            result.tree.nodes().len(),
            result.divergences,
            result.verdict,
            result.solver
        );
        if std::env::var_os("DUMP").is_some() {
            for n in result.tree.nodes().iter().take(40) {
                println!(
                    "   {:?} site {} depth {}: {}",
                    n.kind,
                    n.site,
                    n.depth,
                    rebut_smt::smtlib::print_term(&result.pool, n.condition)
                );
            }
        }
        if let rebut_concolic::Verdict::Fails(f) = &result.verdict {
            for n in f {
                println!("   {:?} {}", result.leaves[*n].outcome, result.leaves[*n].tape.to_text());
            }
        }
    }
}
