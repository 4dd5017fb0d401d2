//! The command that loads a library, and the JVM's reply. HotSpot's attach protocol, version 1: five texts, each ended
//! by a zero byte; the reply is a number on a line of its own, and text.

use super::error::AttachError;
use super::handshake;
use super::jvm::Jvm;
use rootbound_wire::loading;
use std::io::{Read, Write};
use std::path::Path;

/// Longest argument.
const MOST_BYTES: usize = 1024;
/// More of a reply is not read.
const MOST_REPLY: u64 = 64 * 1024;
const RETURNED: &str = "return code: ";

/// Loads the agent's library with these options. Success says that the agent took them, not that it has connected.
///
/// # Errors
/// When the JVM does not load it, or the agent refuses.
pub fn load(jvm: &Jvm, library: &Path, options: &str) -> Result<(), AttachError> {
    let library = library.to_string_lossy();
    let command = command(&["load", &library, "true", options])?;
    let mut stream = handshake::connect(jvm)?;
    let failed = |source| AttachError::Socket { pid: jvm.pid, source };
    stream.write_all(&command).map_err(failed)?;
    let mut reply = Vec::new();
    stream.take(MOST_REPLY).read_to_end(&mut reply).map_err(failed)?;
    judge(&String::from_utf8_lossy(&reply), &library)
}

fn command(texts: &[&str]) -> Result<Vec<u8>, AttachError> {
    let mut bytes = b"1\0".to_vec();
    for text in texts {
        if text.len() > MOST_BYTES {
            return Err(AttachError::TooLong(text.len(), MOST_BYTES));
        }
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(0);
    }
    Ok(bytes)
}

/// From 21 on the number of the reply is 0 even where the library was not loaded: the text alone counts.
fn judge(reply: &str, library: &str) -> Result<(), AttachError> {
    let text = reply.split_once('\n').map_or("", |(_, text)| text).trim();
    let code = text.lines().find_map(|line| line.strip_prefix(RETURNED)?.trim().parse::<i32>().ok());
    match code {
        Some(0) => Ok(()),
        Some(loading::BAD_OPTIONS) => Err(AttachError::OtherVersion(library.to_owned())),
        Some(loading::NO_ENVIRONMENT) => {
            Err(AttachError::NotLoaded("it gives no agent an environment; see the program's standard error".to_owned()))
        }
        Some(loading::RECORDS) => Err(AttachError::Records),
        Some(loading::LEAVING) => Err(AttachError::Leaving),
        Some(loading::BROKEN) => Err(AttachError::Broken),
        Some(code) => Err(loading::watcher(code).map_or(AttachError::Refused(code), AttachError::Watched)),
        None if text.is_empty() => Err(AttachError::NotLoaded(format!("it answered {:?}", reply.trim()))),
        None => Err(AttachError::NotLoaded(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(reply: &str) -> String {
        judge(reply, "/a.so").map_or_else(|error| error.to_string(), |()| "loaded".to_owned())
    }

    #[test]
    fn replies_are_read_by_their_text() {
        assert_eq!(judged("0\nreturn code: 0\n"), "loaded");
        assert!(judged("0\nreturn code: 104\n").ends_with("process 4"));
        assert!(judged("0\nreturn code: 100\n").ends_with("already"));
        assert!(judged("0\nreturn code: 4\n").contains("in a moment"));
        assert!(judged("0\nreturn code: -1\n").contains("number -1"));
        assert!(judged("0\n/a.so was not loaded.\nversion `GLIBC_9' not found\n").contains("GLIBC_9"));
        assert!(judged("102\nDynamic agent loading is not enabled\n").contains("not enabled"));
        assert!(judged("100\n").contains("100") && judged("").contains("answered"));
    }

    #[test]
    fn texts_are_ended_by_zero_and_bounded() {
        assert_eq!(command(&["load", "/a", "true", ""]).unwrap(), b"1\0load\0/a\0true\0\0");
        assert!(matches!(command(&["load", &"x".repeat(1025)]), Err(AttachError::TooLong(1025, 1024))));
    }
}
