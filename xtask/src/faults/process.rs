//! Processes with limits: time, memory, files, and none that is left behind.
//!
//! Each command is a session of its own. Whatever its processes start stays in the session, also
//! where a test runner makes process groups, so that all of them can be found and killed. If this
//! process is interrupted, a guard kills the sessions that are left.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::target;

/// The limits of each process: memory in KiB, CPU time in seconds, size of a file in KiB, number
/// of processes of the user. A build is done before, so that nothing here needs more.
const LIMITS: &str = "ulimit -v 8388608; ulimit -t 300; ulimit -f 1048576; ulimit -u 8192";
/// The time between two looks at a process.
const TICK: Duration = Duration::from_millis(5);
/// The time between two looks at a file whose first line matters.
const MOMENT: Duration = Duration::from_micros(50);
/// Processes may outlive the command that started them for this long. Arbitrary: a child of a test
/// ends when it notices that its parent is gone.
const GRACE: Duration = Duration::from_secs(2);

/// A process that kills all sessions when this process ends without having ended them.
pub(crate) struct Guard {
    child: Child,
}

/// Its input ends with this process. `$4` is the session of a process, after its name in
/// parentheses.
const GUARD: &str = r#"cat > /dev/null
sessions=$1
for file in "$sessions"/*; do
    for process in /proc/[0-9]*; do
        stat=$(cat "$process/stat" 2> /dev/null)
        set -- ${stat##*) }
        if [ "$4" = "${file##*/}" ]; then kill -KILL "${process##*/}"; fi
    done
    rm -f "$file"
done"#;

impl Guard {
    pub(crate) fn start() -> Result<Guard, String> {
        let sessions = sessions();
        let _ = fs::remove_dir_all(&sessions);
        let created = fs::create_dir_all(&sessions);
        created.map_err(|error| format!("cannot create {}: {error}", sessions.display()))?;
        let mut command = Command::new("setsid");
        command.args(["bash", "-c", GUARD, "faults"]).arg(&sessions).stdin(Stdio::piped());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().map_err(|error| format!("cannot start setsid: {error}"))?;
        Ok(Guard { child })
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

/// The directory with an empty file for each running session.
fn sessions() -> PathBuf {
    target().join("faults").join("sessions")
}

/// A command that has ended or was ended.
#[derive(Debug, Default)]
pub(crate) struct Ended {
    /// The exit code; `None` after a signal.
    pub(crate) code: Option<i32>,
    /// Whether it did not end in time.
    pub(crate) is_late: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// The processes that it left behind, or that did not end in time.
    pub(crate) left: Vec<String>,
    pub(crate) time: Duration,
}

/// A running command.
pub(crate) struct Session<'a> {
    child: Child,
    begun: Instant,
    home: &'a Path,
}

impl Session<'_> {
    /// Starts a command with limits. `home` gets files with its output.
    pub(crate) fn start<'a>(command: &Command, home: &'a Path) -> Result<Session<'a>, String> {
        Session::start_within(LIMITS, command, home)
    }

    /// Starts a command with other limits: statements of a shell.
    pub(crate) fn start_within<'a>(
        limits: &str,
        command: &Command,
        home: &'a Path,
    ) -> Result<Session<'a>, String> {
        let file = |name: &str| {
            let file = File::create(home.join(name));
            file.map_err(|error| format!("cannot create {name} in {}: {error}", home.display()))
        };
        let script = format!("{limits}; exec \"$@\"");
        let mut limited = Command::new("setsid");
        limited.args(["bash", "-c", &script, "faults"]);
        limited.arg(command.get_program()).args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => limited.env(name, value),
                None => limited.env_remove(name),
            };
        }
        if let Some(directory) = command.get_current_dir() {
            limited.current_dir(directory);
        }
        limited.stdin(Stdio::null()).stdout(file("stdout")?).stderr(file("stderr")?);
        let begun = Instant::now();
        let child = limited.spawn().map_err(|error| format!("cannot start setsid: {error}"))?;
        let session = Session { child, begun, home };
        // Without a guard there is no directory.
        let _ = File::create(session.mark());
        Ok(session)
    }

    /// The id of the process that was started, which is also that of its session.
    fn id(&self) -> u32 {
        self.child.id()
    }

    fn mark(&self) -> PathBuf {
        sessions().join(self.id().to_string())
    }

    /// Waits until the command ends, at most until `limit` after its start. Returns whether it has
    /// ended.
    pub(crate) fn wait_until(&mut self, limit: Duration) -> bool {
        loop {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return true;
            }
            let left = limit.saturating_sub(self.begun.elapsed());
            if left.is_zero() {
                return false;
            }
            thread::sleep(TICK.min(left));
        }
    }

    /// Waits until a file exists or the command ends, at most until `limit` after its start.
    pub(crate) fn wait_for(&mut self, file: &Path, limit: Duration) {
        while !file.exists()
            && self.begun.elapsed() < limit
            && matches!(self.child.try_wait(), Ok(None))
        {
            thread::sleep(MOMENT);
        }
    }

    /// Counts limits from now on.
    pub(crate) fn begin_again(&mut self) {
        self.begun = Instant::now();
    }

    /// Its living processes, the oldest first.
    pub(crate) fn members(&self) -> Vec<Member> {
        members(self.id())
    }

    /// Kills the program of the command, without another process that does it. Shells and limits
    /// have become that program.
    pub(crate) fn kill_program(&mut self) {
        let _ = self.child.kill();
    }

    /// Kills the first process of the session whose program is below this directory, or else all
    /// of them: none has become that program yet, or it has ended.
    pub(crate) fn kill_first_below(&self, directory: &Path) {
        let members = members(self.id());
        let first = members.iter().find(|member| {
            fs::read_link(format!("/proc/{}/exe", member.id))
                .is_ok_and(|program| program.starts_with(directory))
        });
        match first {
            Some(first) => kill(&[first.id]),
            None => self.kill_all(),
        }
    }

    /// Kills all processes of the session.
    pub(crate) fn kill_all(&self) {
        // A process may start another one while the others are being killed.
        for _ in 0..100 {
            let ids: Vec<u32> = members(self.id()).iter().map(|member| member.id).collect();
            if ids.is_empty() {
                return;
            }
            kill(&ids);
            thread::sleep(TICK);
        }
    }

    /// Waits for the end of the command, at most until `limit` after its start, and then kills what
    /// is left of it.
    pub(crate) fn end(mut self, limit: Duration) -> Ended {
        let is_late = !self.wait_until(limit);
        let time = self.begun.elapsed();
        let over = Instant::now();
        while !is_late && over.elapsed() < GRACE && !members(self.id()).is_empty() {
            thread::sleep(TICK);
        }
        let left = members(self.id()).iter().map(ToString::to_string).collect();
        self.kill_all();
        let _ = fs::remove_file(self.mark());
        let code = self.child.wait().ok().and_then(|status| status.code());
        let read = |name: &str| {
            let bytes = fs::read(self.home.join(name)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        Ended { code, is_late, stdout: read("stdout"), stderr: read("stderr"), left, time }
    }
}

/// A process of a session.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) id: u32,
    /// When it was started, in ticks of the system. Together with it, an id is unique.
    pub(crate) start: u64,
    state: String,
    /// In ticks of the system.
    cpu_time: u64,
    command: String,
}

impl Member {
    /// The calls of the system in which its threads wait, and the pipes and files that it has
    /// open.
    fn waits(&self) -> String {
        let below = |name: &str| {
            let entries = fs::read_dir(format!("/proc/{}/{name}", self.id)).into_iter().flatten();
            entries.flatten().map(|entry| entry.path())
        };
        let threads = below("task").map(|thread| {
            let place = |name: &str| fs::read_to_string(thread.join(name)).unwrap_or_default();
            let number = |text: String| text.split(' ').take(2).collect::<Vec<_>>().join(" ");
            format!("{} in call {}", place("wchan"), number(place("syscall")))
        });
        let files = below("fd").filter_map(|file| {
            let target = fs::read_link(&file).ok()?;
            Some(format!("{}={}", file.file_name()?.display(), target.display()))
        });
        let (threads, files): (Vec<_>, Vec<_>) = (threads.collect(), files.collect());
        format!("waits: {}; files: {}", threads.join(", "), files.join(" "))
    }
}

impl std::fmt::Display for Member {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Member { id, state, cpu_time, command, .. } = self;
        write!(f, "{id} {state} {cpu_time} ticks: {command}({})", self.waits())
    }
}

/// The living processes of a session, the oldest first.
fn members(session: u32) -> Vec<Member> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let mut members: Vec<Member> = ids.filter_map(|id| member(id, session)).collect();
    members.sort_by_key(|member| (member.start, member.id));
    members
}

fn member(id: u32, session: u32) -> Option<Member> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name of the program, in parentheses, may have spaces. The fields after it start with
    // number 3.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let field = |nth: usize| fields.get(nth - 3).copied();
    let number = |nth: usize| field(nth).and_then(|field| field.parse::<u64>().ok());
    let state = field(3)?;
    if number(6) != Some(u64::from(session)) || ["Z", "X"].contains(&state) {
        return None;
    }
    let command = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    let command = String::from_utf8_lossy(&command).replace('\0', " ");
    let cpu_time = number(14).unwrap_or(0) + number(15).unwrap_or(0);
    let start = number(22).unwrap_or(0);
    Some(Member { id, start, state: state.to_owned(), cpu_time, command })
}

fn kill(ids: &[u32]) {
    if !ids.is_empty() {
        let mut command = Command::new("kill");
        command.arg("-KILL").args(ids.iter().map(ToString::to_string));
        let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn ended(name: &str, script: &str, limit: Duration) -> Ended {
        let home = std::env::temp_dir().join(format!("faults-{name}-{}", std::process::id()));
        fs::create_dir_all(&home).expect("a directory");
        let mut command = Command::new("bash");
        command.args(["-c", script]);
        let ended = Session::start(&command, &home).expect("a session").end(limit);
        fs::remove_dir_all(home).expect("our directory");
        ended
    }

    const LATE: Duration = Duration::from_secs(60);

    #[test]
    fn commands_end_with_their_code_and_output() {
        let ended = ended("code", "echo a; echo b >&2; exit 3", LATE);
        assert_eq!((ended.code, ended.is_late), (Some(3), false));
        assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("a\n", "b\n"));
        assert!(ended.left.is_empty(), "{ended:?}");
    }

    #[test]
    fn commands_that_are_late_are_killed_with_all_that_they_started() {
        let ended = ended("late", "sleep 1000 & sleep 1000", Duration::from_millis(300));
        assert!(ended.is_late && ended.code.is_none() && ended.left.len() >= 2, "{ended:?}");
    }

    #[test]
    fn processes_that_are_left_behind_are_found_and_killed() {
        let ended = ended("left", "sleep 1000 & exit 0", LATE);
        assert_eq!((ended.code, ended.left.len()), (Some(0), 1), "{ended:?}");
    }
}
