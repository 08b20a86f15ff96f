//! z3 over a pipe, fed with text.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// What z3 says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    Sat,
    Unsat,
    Unknown,
}

pub(crate) struct Z3 {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    work_max: u64,
}

impl Z3 {
    /// A process, if there is a z3; it gives up a question after so much work (in units of its
    /// own, not in time).
    pub(crate) fn start(work_max: u64) -> Option<Z3> {
        let mut command = Command::new("z3");
        command.args(["-in", "-smt2"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().ok()?;
        let (input, output) = (child.stdin.take()?, BufReader::new(child.stdout.take()?));
        Some(Z3 { child, input, output, work_max })
    }

    /// The answer to a script that ends with its only `(check-sat)`.
    pub(crate) fn ask(&mut self, script: &str) -> Said {
        // A question of its own each time: what z3 does beforehand is then as thorough as it
        // can be, and nothing is left over from the last one.
        let text = format!("(reset)\n(set-option :rlimit {})\n{script}", self.work_max);
        self.input.write_all(text.as_bytes()).expect("z3 listens");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("z3 answers");
        match line.trim() {
            "sat" => Said::Sat,
            "unsat" => Said::Unsat,
            "unknown" => Said::Unknown,
            other => panic!("z3 says {other:?} to\n{script}"),
        }
    }
}

impl Drop for Z3 {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
