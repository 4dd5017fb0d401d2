//! The program that `rootbound run` started. Dropping it ends it, so that no exit path leaves a JVM behind.

use crate::commands::family;
use crate::commands::held_process::HeldProcess;
use crate::commands::interrupt::Interrupt;
use crate::commands::launch::Launch;
use crate::commands::program_output::HeldOutput;
use anyhow::Context;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Time that a program gets to end by itself before it is killed.
const GRACE: Duration = Duration::from_secs(10);

const POLL: Duration = Duration::from_millis(20);

/// Owner of the terminal that the program would read and write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Streams {
    /// The program: it inherits all three.
    Inherited,
    /// The live table: the program reads nothing, and its output is held back.
    Held,
    /// The program, except for standard output, which is the JSON's: its output goes to standard error.
    BesideJson,
}

/// A started program.
pub(crate) struct Program {
    child: Child,
    /// Whether it leads a process group of its own, which is ended as a whole: scripts start JVMs as children.
    leads_group: bool,
    /// Its descendants when it was asked to end, if there is no group: orphans are not found again.
    descendants: Vec<HeldProcess>,
    ended: Option<ExitStatus>,
    held: Option<(HeldOutput, HeldOutput)>,
    released: bool,
}

impl Program {
    /// Starts it.
    pub(crate) fn start(launch: &Launch, streams: Streams) -> anyhow::Result<Self> {
        let mut command = Command::new(&launch.program);
        command.args(&launch.arguments).envs(launch.variable.iter().map(|(name, value)| (name, value)));
        // A program in a group of its own is stopped when it reads from the terminal; one that may do so shares our
        // group.
        let leads_group = streams == Streams::Held || !rustix::termios::isatty(io::stdin());
        if leads_group {
            command.process_group(0);
        }
        if streams == Streams::Held {
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        }
        if streams == Streams::BesideJson {
            let stderr = rustix::io::dup(io::stderr()).context("standard error is closed")?;
            command.stdout(Stdio::from(stderr));
        }
        let child = command.spawn().with_context(|| format!("cannot start {}", launch.program.to_string_lossy()))?;
        let mut program =
            Self { child, leads_group, descendants: Vec::new(), ended: None, held: None, released: false };
        if let (Some(out), Some(err)) = (program.child.stdout.take(), program.child.stderr.take()) {
            program.held = Some((HeldOutput::of(out)?, HeldOutput::of(err)?));
        }
        Ok(program)
    }

    /// Its exit status; `None` while it runs.
    pub(crate) fn poll(&mut self) -> Option<ExitStatus> {
        if self.ended.is_none() {
            self.ended = self.child.try_wait().unwrap_or_else(|error| {
                tracing::warn!("the program's state is unknown: {error}");
                None
            });
        }
        self.ended
    }

    /// Asks it to end, waits, and kills it when it does not end or when the user does not want to wait.
    pub(crate) fn end(&mut self, interrupt: Option<&Interrupt>) {
        self.signal(Signal::TERM);
        let deadline = Instant::now() + GRACE;
        let hurry = || interrupt.is_some_and(Interrupt::is_urgent);
        while self.poll().is_none() && Instant::now() < deadline && !hurry() {
            thread::sleep(POLL);
        }
        self.kill();
    }

    /// Lets it continue after this process ends.
    pub(crate) fn release(&mut self) {
        self.released = true;
    }

    /// Prints the output that was held back, once.
    pub(crate) fn print_held(&mut self) {
        let complete = self.ended.is_some() && !self.released;
        if let Some((out, err)) = self.held.take() {
            let printed = out.print(complete, io::stdout()).and_then(|()| err.print(complete, io::stderr()));
            if let Err(error) = printed {
                tracing::debug!("the program's output could not be printed: {error}");
            }
        }
    }

    /// Kills its remaining processes: its whole group, because an ended script may have left a JVM there.
    fn kill(&mut self) {
        self.signal(Signal::KILL);
        if self.ended.is_none() {
            self.ended = self.child.wait().ok();
        }
    }

    /// A process that is gone already needs no signal.
    fn signal(&mut self, signal: Signal) {
        let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) else { return };
        if self.leads_group {
            report_missed(signal, kill_process_group(pid, signal));
            return;
        }
        if self.ended.is_none() {
            self.descendants.extend(family::descendants(pid).into_iter().filter_map(HeldProcess::of));
            report_missed(signal, kill_process(pid, signal));
        }
        for descendant in &self.descendants {
            report_missed(signal, descendant.signal(signal));
        }
    }
}

fn report_missed(signal: Signal, sent: rustix::io::Result<()>) {
    if let Err(error) = sent {
        tracing::trace!("signal {signal:?} found nobody: {error}");
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if !self.released {
            self.kill();
        }
    }
}

/// The exit status to pass on, as shells do: 128 and the signal for a program that was killed.
pub(crate) fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1);
    ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn shell(script: &str) -> Program {
        let arguments = ["-c", script].map(Into::into).to_vec();
        Program::start(&Launch { program: "sh".into(), arguments, variable: None }, Streams::Held).unwrap()
    }

    fn ended(program: &mut Program) -> ExitStatus {
        let deadline = Instant::now() + GRACE;
        while program.poll().is_none() && Instant::now() < deadline {
            thread::sleep(POLL);
        }
        program.poll().unwrap()
    }

    #[test]
    fn the_exit_status_is_the_program_s_own() {
        assert_eq!(exit_code(ended(&mut shell("exit 7"))), ExitCode::from(7));
        assert_eq!(exit_code(ended(&mut shell("kill -9 $$"))), ExitCode::from(137));
    }

    #[test]
    fn a_dropped_program_is_gone_with_everything_it_started() {
        let directory = tempfile::tempdir().unwrap();
        let note = directory.path().join("pid");
        let program = shell(&format!("sleep 60 & echo $! > {}; wait", note.display()));
        let deadline = Instant::now() + GRACE;
        let grandchild = loop {
            match std::fs::read_to_string(&note) {
                Ok(text) if text.ends_with('\n') => break text.trim().to_owned(),
                _ => assert!(Instant::now() < deadline, "the script never started"),
            }
            thread::sleep(POLL);
        };
        drop(program);
        let state = || std::fs::read_to_string(Path::new("/proc").join(&grandchild).join("stat")).unwrap_or_default();
        // Its new parent may not reap it immediately.
        while !state().is_empty() && !state().contains(") Z ") {
            assert!(Instant::now() < deadline, "the grandchild still runs: {}", state());
            thread::sleep(POLL);
        }
    }

    #[test]
    fn a_program_that_ends_when_asked_is_not_killed() {
        let mut program = shell("trap 'exit 5' TERM; echo ready; while :; do sleep 0.05; done");
        thread::sleep(Duration::from_millis(300));
        program.end(None);
        assert_eq!(exit_code(ended(&mut program)), ExitCode::from(5));
    }
}
