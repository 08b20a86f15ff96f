//! `rebut`: the same command under a name that needs no cargo.

fn main() -> std::process::ExitCode {
    cargo_rebut::main()
}
