//! An accepted connection: one thread drains the socket into memory; the JVM's own thread takes frames from there and
//! sends commands.

pub use crate::ingest::backlog::IntakeMemory;
use crate::ingest::backlog::{BacklogReceiver, BacklogSender, Parcel, backlog};
use crate::ingest::stream::Stream;
use crossbeam_channel::Receiver;
use rootbound_wire::frame::{self, Frame, FrameError, FrameReader};
use rootbound_wire::message::{FromAgent, Hello, ToAgent};
use std::io::{self, Write};
use std::thread;

/// An entry from the reader, still coded.
#[derive(Debug)]
pub enum Delivery {
    /// A frame that arrived whole.
    Frame(Frame),
    /// The end: nothing follows.
    End(LinkEnd),
}

/// A delivery with the room that it takes up; [`Link::open`] opens it.
pub type LinkParcel = Parcel<Delivery>;

/// An event of a link.
#[derive(Debug)]
pub enum LinkEvent {
    /// A message of the agent.
    Message(Box<FromAgent>),
    /// A frame without a message; the link goes on.
    Damaged(String),
    /// The end: nothing follows.
    End(LinkEnd),
}

/// Reason why a link ended.
#[derive(Debug)]
pub enum LinkEnd {
    /// The agent closed it.
    Closed,
    /// The stream failed, or the agent changed to another version.
    Broken(String),
}

/// The connection to one watched JVM. Dropping it closes the connection.
pub struct Link {
    hello: Hello,
    deliveries: BacklogReceiver<Delivery>,
    writer: Stream,
}

impl Link {
    /// Starts to read into `memory`. The agent's Hello, read already, is kept for the caller.
    pub(crate) fn start(
        hello: Hello,
        reader: FrameReader<Stream>,
        writer: Stream,
        memory: &IntakeMemory,
    ) -> io::Result<Self> {
        reader.source().wait_without_deadline()?;
        let (sender, deliveries) = backlog(memory);
        thread::Builder::new().name("rootbound-reader".to_owned()).spawn(move || drain(reader, &sender))?;
        Ok(Self { hello, deliveries, writer })
    }

    /// The first message, which a session must process like all others.
    #[must_use]
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// The channel to wait on; a parcel from it is opened with [`Self::open`].
    #[must_use]
    pub fn parcels(&self) -> &Receiver<LinkParcel> {
        self.deliveries.ready()
    }

    /// Decodes a parcel and frees its room.
    #[must_use]
    pub fn open(&self, parcel: LinkParcel) -> LinkEvent {
        match self.deliveries.release(parcel) {
            Delivery::End(end) => LinkEvent::End(end),
            Delivery::Frame(frame) => match frame.message() {
                Ok(Some(message)) => LinkEvent::Message(Box::new(message)),
                Ok(None) => LinkEvent::Damaged(format!("a frame of kind {} is none of the agent's", frame.kind)),
                Err(error) => LinkEvent::Damaged(error.to_string()),
            },
        }
    }

    /// Sends one command.
    ///
    /// # Errors
    /// If the agent is gone or no longer reads.
    pub fn send(&mut self, command: &ToAgent) -> Result<(), FrameError> {
        frame::write(command, &mut self.writer)?;
        Ok(self.writer.flush()?)
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.writer.shut_down();
    }
}

/// Reads until the stream ends or the reading end is closed.
fn drain(mut reader: FrameReader<Stream>, sender: &BacklogSender<Delivery>) {
    let end = loop {
        match reader.next_frame() {
            Ok(Some(frame)) => {
                if !sender.send(frame.payload.len(), Delivery::Frame(frame)) {
                    return;
                }
            }
            Ok(None) if reader.torn_bytes() > 0 => break LinkEnd::Broken("the last message was cut off".to_owned()),
            Ok(None) => break LinkEnd::Closed,
            Err(error) => break LinkEnd::Broken(error.to_string()),
        }
    };
    sender.send(0, Delivery::End(end));
}
