//! z3 over a pipe. It shares no code with `rebut_smt::smtlib`.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The answer of z3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Z3Answer {
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
    /// Starts z3, if it is installed. It stops a query after `work_max` units of work, which do not
    /// depend on time.
    pub(crate) fn start(work_max: u64) -> Option<Z3> {
        let mut command = Command::new("z3");
        command.args(["-in", "-smt2"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().ok()?;
        let (input, output) = (child.stdin.take()?, BufReader::new(child.stdout.take()?));
        Some(Z3 { child, input, output, work_max })
    }

    /// Runs a script that ends with its only `(check-sat)`.
    pub(crate) fn ask(&mut self, script: &str) -> Z3Answer {
        // Reset, so that z3 preprocesses each query fully and nothing is left from the last one.
        let text = format!("(reset)\n(set-option :rlimit {})\n{script}", self.work_max);
        self.input.write_all(text.as_bytes()).expect("z3 listens");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("z3 answers");
        match line.trim() {
            "sat" => Z3Answer::Sat,
            "unsat" => Z3Answer::Unsat,
            "unknown" => Z3Answer::Unknown,
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
