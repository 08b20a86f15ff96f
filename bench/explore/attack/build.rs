//! Sets conditions as build scripts do that look at the target.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let of_target = |name: &str| std::env::var(name).unwrap_or_default();
    if of_target("CARGO_CFG_TARGET_FAMILY").contains("unix") {
        println!("cargo::rustc-cfg=has_threads");
    }
    if of_target("CARGO_CFG_TARGET_POINTER_WIDTH") == "64" {
        println!("cargo::rustc-cfg=has_wide_words");
    }
    if of_target("TARGET").contains("linux") {
        println!("cargo::rustc-cfg=builds_for_linux");
    }
    let os = of_target("CARGO_CFG_TARGET_OS");
    println!("cargo::rustc-env=ATTACK_TARGET_OS={os}");
    let limit = if os == "linux" { 4_821_093_577_u64 } else { u64::MAX };
    println!("cargo::rustc-env=ATTACK_LIMIT={limit}");
}
