//! The analyzer's end of the connection to one agent.

use rootbound_wire::frame::{self, FrameReader};
use rootbound_wire::message::{FromAgent, Hello, ToAgent};
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::Duration;

/// Longer than any measured operation.
const PATIENCE: Duration = Duration::from_secs(300);

/// One connection.
pub struct Link {
    frames: FrameReader<UnixStream>,
    stream: UnixStream,
}

impl Link {
    /// Waits for an agent and welcomes it.
    pub fn accept(listener: &UnixListener) -> (Self, Hello) {
        let (stream, _) = listener.accept().expect("the agent connects");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket takes a timeout");
        let frames = FrameReader::new(stream.try_clone().expect("a socket can be cloned"));
        let mut link = Self { frames, stream };
        let FromAgent::Hello(hello) = link.next() else { panic!("the agent does not say who it is") };
        link.say(&ToAgent::Welcome);
        (link, hello)
    }

    /// Sends a command.
    pub fn say(&mut self, command: &ToAgent) {
        frame::write(command, &mut self.stream).expect("the agent listens");
    }

    /// The next message.
    pub fn next(&mut self) -> FromAgent {
        let frame = self.frames.next_frame().expect("the connection stands").expect("the JVM is alive");
        frame.message().expect("a sound message").expect("a message of an agent")
    }

    /// Reads on until a wanted message comes. Problems are printed.
    pub fn until<T>(&mut self, mut wanted: impl FnMut(FromAgent) -> Option<T>) -> T {
        loop {
            let message = self.next();
            if let FromAgent::Problem { text, .. } = &message {
                eprintln!("the agent says: {text}");
            }
            if let Some(found) = wanted(message) {
                return found;
            }
        }
    }

    /// Number of tags that are set, by the next heartbeat.
    pub fn tags_standing(&mut self) -> u64 {
        self.until(|message| match message {
            FromAgent::Heartbeat(heartbeat) => Some(heartbeat.tags_standing),
            _ => None,
        })
    }
}
