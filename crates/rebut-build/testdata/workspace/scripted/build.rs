//! Stands for a library in C.

fn main() {
    if std::env::var("TARGET").is_ok_and(|target| target.starts_with("wasm")) {
        eprintln!("error: there is no C compiler for this target");
        std::process::exit(1);
    }
}
