//! Bounds on the time that a walk by address may take and wait. Inside heap callbacks: no allocation, no lock, no call
//! to the JVM.

use super::failure::Failure;
use crate::os::ring::RingWriter;
use crate::stop::StopBound;
use std::time::{Duration, Instant};

/// Most time that a walk that pauses the program may wait for room, in total.
const PATIENCE: Duration = Duration::from_millis(500);
const NAP: Duration = Duration::from_millis(1);

/// The bounds of one walk.
pub struct Bounds {
    /// `None` in a child, which waits as long as its parent lets it.
    patience: Option<Duration>,
    stop: StopBound,
}

impl Bounds {
    /// Bounds of a walk that pauses the program, from now on.
    pub fn in_process(stop: StopBound) -> Self {
        Self { patience: Some(stop.left().map_or(PATIENCE, |left| left.min(PATIENCE))), stop }
    }

    /// Bounds of a walk in a child, which its parent ends.
    pub fn in_child() -> Self {
        Self { patience: None, stop: StopBound::none() }
    }

    /// Whether the walk may go on.
    ///
    /// # Errors
    /// It has taken too long.
    #[inline]
    pub fn check(&mut self) -> Result<(), Failure> {
        if self.stop.is_over() { Err(Failure::TooLong) } else { Ok(()) }
    }

    /// Opens the next slot as soon as it is free.
    ///
    /// # Errors
    /// None came free in time.
    pub fn wait_for_slot(&mut self, writer: &mut RingWriter<'_>) -> Result<(), Failure> {
        if writer.open() {
            return Ok(());
        }
        writer.set_waiting(true);
        let begun = Instant::now();
        while !writer.open() {
            if self.patience.is_some_and(|patience| begun.elapsed() >= patience) {
                return Err(Failure::Overflow);
            }
            std::thread::sleep(NAP);
        }
        self.patience = self.patience.map(|patience| patience.saturating_sub(begun.elapsed()));
        writer.set_waiting(false);
        Ok(())
    }
}
