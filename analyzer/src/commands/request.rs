//! `rootbound mark` and `rootbound capture`: a snapshot now, by the analyzer that watches the JVM.

use crate::args::RequestArgs;
use anyhow::{Context, bail};
use rootbound::ingest::control::{self, Answer, Request, Session};
use rootbound_wire::message::SnapshotRequest;
use std::io::Write;
use std::process::ExitCode;

/// Asks, waits until the snapshot is made, and prints its costs.
pub(crate) fn request(kind: SnapshotRequest, args: &RequestArgs) -> anyhow::Result<ExitCode> {
    let sessions = control::sessions(&control::folder())?;
    let (session, pid) = chosen(&sessions, args.pid)?;
    match control::ask(&session.socket, Request::Snapshot { kind, pid })? {
        Answer::Done(text) => {
            writeln!(std::io::stdout().lock(), "{text}").context("cannot write to standard output")?;
            Ok(ExitCode::SUCCESS)
        }
        Answer::Refused(reason) => bail!("process {pid}: refused: {reason}"),
        Answer::Failed(reason) => bail!("process {pid}: {reason}"),
        Answer::Jvms(_) => bail!("process {pid}: the analyzer gave an answer to another question"),
    }
}

/// The analyzer that watches this JVM, or the only JVM that is watched.
fn chosen(sessions: &[Session], pid: Option<u32>) -> anyhow::Result<(&Session, u32)> {
    let all = || sessions.iter().flat_map(|session| session.jvms.iter().map(move |&jvm| (session, jvm)));
    let watched = || all().map(|(_, jvm)| jvm.to_string()).collect::<Vec<_>>().join(", ");
    match (pid, all().collect::<Vec<_>>().as_slice()) {
        (_, []) => bail!(
            "no JVM is watched by this user; start `rootbound attach PID`, `rootbound watch` or `rootbound run` first"
        ),
        (None, &[only]) => Ok(only),
        (None, _) => bail!("name the JVM: watched are {}", watched()),
        (Some(pid), found) => match found.iter().find(|(_, jvm)| *jvm == pid) {
            Some(&found) => Ok(found),
            None => bail!("process {pid} is not watched; watched are {}", watched()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(jvms: &[u32]) -> Session {
        Session { socket: "/tmp/x.sock".into(), jvms: jvms.to_vec() }
    }

    #[test]
    fn the_only_jvm_needs_no_name_and_others_are_listed() {
        let pid = |sessions: &[Session], asked| chosen(sessions, asked).map(|(_, pid)| pid).map_err(|e| e.to_string());
        assert_eq!(pid(&[session(&[]), session(&[5])], None), Ok(5));
        assert_eq!(pid(&[session(&[5, 6])], Some(6)), Ok(6));
        assert!(pid(&[session(&[5]), session(&[6])], None).unwrap_err().ends_with("watched are 5, 6"));
        assert!(pid(&[session(&[5])], Some(7)).unwrap_err().contains("7 is not watched; watched are 5"));
        assert!(pid(&[session(&[])], None).unwrap_err().contains("no JVM is watched"));
    }
}
