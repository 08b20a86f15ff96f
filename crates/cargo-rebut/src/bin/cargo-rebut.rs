//! `cargo rebut`.

fn main() -> std::process::ExitCode {
    cargo_rebut::main()
}
