//! PropEr: its figures as they were measured, and how to measure it here.

use std::process::Command;

use super::figure::Figures;
use super::lines;
use crate::place::{self, Place};

/// Where the constants come from.
pub(super) const SOURCE: &str = "PropEr at commit 21de0224 on Erlang/OTP 25 with its JIT, on a \
     2-core machine; CPU time of the VM";

/// What PropEr took to find a failure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer {
    pub(super) problem: &'static str,
    pub(super) random: &'static str,
    /// Annealing with neighbors written by hand.
    pub(super) by_hand: &'static str,
    /// Annealing with constructed neighbors.
    pub(super) constructed: &'static str,
}

/// Runs that found it, mean tests, mean CPU milliseconds.
pub(super) const FOUND: [Peer; 10] = [
    peer(
        "graph(42)",
        "4/30 within 100,000, 5,000 ms",
        "30/30 1,353, 662 ms",
        "30/30 4,293, 5,929 ms",
    ),
    peer("graph()", "-", "-", "5/5 10,861, 29,794 ms"),
    peer("graph_no_caching()", "-", "-", "0/5 within 10,000, 10,764 ms"),
    peer("graph_no_matching()", "-", "-", "5/5 2,373, 46,000 ms"),
    peer("ADD", "478, 93 ms", "342, 46 ms", "205, 65 ms"),
    peer("PUSH", "9, 2 ms", "38, 7 ms", "47, 7 ms"),
    peer("LOAD", "20,725, 4,217 ms", "3,316, 474 ms", "9,635, 3,304 ms"),
    peer("STORE A", "6/8 >= 83,011, 17,009 ms", "10/10 54,090, 8,042 ms", "2/10 within 50,000"),
    peer("STORE B", "15, 4 ms", "45, 7 ms", "78, 11 ms"),
    peer("STORE C", "28, 6 ms", "103, 15 ms", "78, 15 ms"),
];

const fn peer(
    problem: &'static str,
    random: &'static str,
    by_hand: &'static str,
    constructed: &'static str,
) -> Peer {
    Peer { problem, random, by_hand, constructed }
}

/// The least, median and most that runs of 1,000 tests reached on the routing tree, random and
/// with constructed neighbors.
pub(super) const REACHED: [(&str, &str, &str); 2] = [
    ("highest", "364.4 / 417.0 / 475.9", "383.0 / 477.2 / 571.8"),
    ("lowest", "91.9 / 101.7 / 110.7", "63.1 / 78.6 / 98.2"),
];

/// Mean tests on the longest path, annealing with neighbors written by hand.
pub(super) const GRAPH_TESTS: f64 = 1353.0;

/// The best column for the bugs that are hard to find: mean tests and CPU milliseconds.
pub(super) const HARD_BUGS: [(&str, f64, f64); 3] =
    [("ADD", 205.0, 65.0), ("LOAD", 3316.0, 474.0), ("STORE A", 54_090.0, 8042.0)];

/// Runs PropEr itself, with the programs of `bench/proper/`.
pub(super) fn measure(place: &Place) -> Result<Figures, String> {
    let missing = "PropEr is not installed: `apt-get install erlang-base erlang-dev erlang-proper \
                   erlang-proper-dev` has it on Debian";
    let probe = "case code:which(proper) of non_existing -> halt(1); _ -> halt(0) end.";
    place::output(Command::new("erl").args(["-noshell", "-eval", probe]))
        .map_err(|error| format!("{missing} ({error})"))?;
    eprintln!("    Measuring search of PropEr");
    let folder = place.target().join("proper");
    std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make {folder:?}: {error}"))?;
    let source = place.join("proper/search.erl");
    place::output(Command::new("erlc").arg("-o").arg(&folder).arg(source))?;
    let run = ["-noshell", "-eval", "search:main(), halt()."];
    Figures::read(&lines(Command::new("erl").arg("-pa").arg(&folder).args(run))?)
}
