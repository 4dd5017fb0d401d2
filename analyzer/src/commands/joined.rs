//! Several recordings as one: whether they are of one program, and their order.

use anyhow::Context;
use rootbound::ingest::clock::at_ms;
use rootbound::ingest::recording::{RecordedMessage, RecordingError, RecordingReader};
use rootbound_wire::message::{FromAgent, Hello};
use std::path::{Path, PathBuf};

/// The process id, and the time at which the agent was loaded, in milliseconds since 1970.
pub(crate) type Life = (u32, u64);

/// One of several recordings.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) file: PathBuf,
    pub(crate) life: Life,
    main: String,
    /// Time of its first message in that life, in milliseconds.
    begins_ms: u64,
}

/// The reason why recordings are not joined.
#[derive(Debug, thiserror::Error)]
enum NotJoined {
    /// They are of several programs.
    #[error(
        "{} is a recording of {}, and {} one of {}: only recordings of one program are joined",
        one.file.display(), named(&one.main), other.file.display(), named(&other.main)
    )]
    Programs { one: Box<Part>, other: Box<Part> },
    /// A file does not begin like a recording.
    #[error("{} does not state its program: its beginning is damaged, so it cannot be joined with others", _0.display())]
    NoHello(PathBuf),
    /// A file is given twice.
    #[error("{} and {} are recordings of the same time of one process: give one of them", _0.display(), _1.display())]
    Twice(PathBuf, PathBuf),
}

/// The recordings in the order of time.
pub(crate) fn parts(files: &[PathBuf]) -> anyhow::Result<Vec<Part>> {
    let part = |file: &PathBuf| part(file).with_context(|| format!("cannot replay {}", file.display()));
    let mut parts = files.iter().map(part).collect::<anyhow::Result<Vec<_>>>()?;
    parts.sort_by_key(|part| (part.life.1, part.life.0, part.begins_ms));
    for pair in parts.windows(2) {
        let [one, other] = pair else { continue };
        if program(&one.main) != program(&other.main) {
            let (one, other) = (Box::new(one.clone()), Box::new(other.clone()));
            return Err(NotJoined::Programs { one, other }.into());
        }
        if one.life == other.life && one.begins_ms == other.begins_ms {
            return Err(NotJoined::Twice(one.file.clone(), other.file.clone()).into());
        }
    }
    Ok(parts)
}

/// Reads the beginning of a recording.
fn part(file: &Path) -> anyhow::Result<Part> {
    let mut recording = RecordingReader::open(file)?;
    let Hello { pid, loaded_unix_ms, main, .. } = match next(&mut recording)? {
        Some(FromAgent::Hello(hello)) => hello,
        _ => return Err(NotJoined::NoHello(file.to_owned()).into()),
    };
    let begins_ms = loop {
        match next(&mut recording)? {
            None => break 0,
            Some(message) => {
                if let Some(begins_ms) = at_ms(&message) {
                    break begins_ms;
                }
            }
        }
    };
    Ok(Part { file: file.to_owned(), life: (pid, loaded_unix_ms), main, begins_ms })
}

/// The agent's next message.
fn next<R: std::io::Read>(recording: &mut RecordingReader<R>) -> Result<Option<FromAgent>, RecordingError> {
    while let Some(message) = recording.next_message()? {
        if let RecordedMessage::FromAgent(reported) = message {
            return Ok(Some(reported));
        }
    }
    Ok(None)
}

/// The program of a main class or jar, whatever its release: `shop-1.2.jar` and `shop-1.3-SNAPSHOT.jar` are one.
fn program(main: &str) -> &str {
    let Some(name) = main.strip_suffix(".jar") else { return main };
    let begins_version = |at: &usize| name[at + 1..].starts_with(|letter: char| letter.is_ascii_digit());
    let version = name.match_indices(['-', '_']).map(|(at, _)| at).find(begins_version);
    version.map_or(name, |at| &name[..at])
}

fn named(main: &str) -> &str {
    if main.is_empty() { "an unnamed program" } else { main }
}

#[cfg(test)]
mod tests {
    use super::program;

    #[test]
    fn releases_of_one_jar_are_one_program() {
        assert_eq!(program("shop-1.2.jar"), program("shop-1.3-SNAPSHOT.jar"));
        assert_ne!(program("shop-1.2.jar"), program("billing-1.2.jar"));
        assert_ne!(program("shop-admin-1.2.jar"), program("shop-1.2.jar"));
        assert_eq!(program("com.example.Shop"), "com.example.Shop");
    }
}
