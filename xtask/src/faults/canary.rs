//! Cells whose deadly test is written so that the judge must find a flaw.

use super::judge::Flaw;
use super::sites::Site;

const DIES: &[&str] = &["dies"];

/// The canaries. Their tests do not use Rebut.
pub(super) const SITES: &[Site] = &[
    Site {
        name: "canary: silent",
        module: "at_canary_silent",
        deadly: DIES,
        code: "\n#[test]\nfn dies() {}\n",
    },
    Site {
        name: "canary: hangs",
        module: "at_canary_hangs",
        deadly: DIES,
        code: "\n#[test]\nfn dies() {\n    std::thread::sleep(std::time::Duration::from_secs(3600));\n}\n",
    },
    Site {
        name: "canary: neighbors",
        module: "at_canary_neighbors",
        deadly: DIES,
        code: "\n#[test]\nfn dies() {\n    std::process::exit(101);\n}\n",
    },
    Site {
        name: "canary: unnamed",
        module: "at_canary_unnamed",
        deadly: DIES,
        code: "\n#[test]\nfn dies() {\n    panic!(\"no report of Rebut\");\n}\n",
    },
];

/// The flaw that must be found in the cell of a canary.
pub(super) fn flaw_of(site: &Site) -> Flaw {
    match site.module {
        "at_canary_silent" => Flaw::Silent,
        "at_canary_hangs" => Flaw::Hangs,
        "at_canary_neighbors" => Flaw::Neighbors,
        _ => Flaw::Unnamed,
    }
}
