//! An agent for tests: implements the other end of the protocol, and can misbehave.

use rootbound_wire::frame::{self, FrameReader};
use rootbound_wire::message::{FromAgent, Hello, ToAgent};
use std::io::Write;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

/// The other end of a connection.
pub(crate) struct FakeAgent {
    stream: UnixStream,
    answers: FrameReader<UnixStream>,
}

/// A Hello like a JVM's.
pub(crate) fn hello() -> Hello {
    Hello {
        pid: 4711,
        vm: "OpenJDK 64-Bit Server VM 17.0.15".to_owned(),
        gc: "G1".to_owned(),
        main: "simpleleaker".to_owned(),
        agent_version: "0.1.0".to_owned(),
        incapable: None,
        loaded_unix_ms: 0,
    }
}

/// The same frame, sealed again as if a build of `version` had written it. One frame only.
pub(crate) fn of_version(version: u16, frame: &[u8]) -> Vec<u8> {
    let mut bytes = frame.to_vec();
    bytes[4..6].copy_from_slice(&version.to_le_bytes());
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[4..12]);
    hasher.update(&bytes[frame::HEADER_BYTES..]);
    let checksum = hasher.finalize();
    bytes[12..16].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

impl FakeAgent {
    /// Connects and sends nothing yet.
    pub(crate) fn connect(path: &Path) -> Self {
        let stream = UnixStream::connect(path).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        let answers = FrameReader::new(stream.try_clone().unwrap());
        Self { stream, answers }
    }

    /// Connects and sends its Hello.
    pub(crate) fn greet(path: &Path) -> Self {
        let mut agent = Self::connect(path);
        agent.say(&FromAgent::Hello(hello()));
        agent
    }

    pub(crate) fn say(&mut self, message: &FromAgent) {
        frame::write(message, &mut self.stream).unwrap();
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    /// The next command; `None` if the analyzer closed the connection.
    pub(crate) fn hear(&mut self) -> Option<ToAgent> {
        let frame = self.answers.next_frame().ok().flatten()?;
        frame.message().unwrap()
    }
}
