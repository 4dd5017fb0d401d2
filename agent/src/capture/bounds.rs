//! How long a walk by address may take and wait. Inside heap callbacks: no allocation, no lock, no call to the JVM.

use super::failure::Failure;
use crate::jvmti::ring::Pen;
use std::time::{Duration, Instant};

/// How long a walk that stops the program may wait for room, all told.
const PATIENCE: Duration = Duration::from_millis(500);
const NAP: Duration = Duration::from_millis(1);
/// The clock is read once in so many references.
const CHECK_EVERY: u64 = 1024;

/// The bounds of one walk.
pub struct Bounds {
    /// `None` in a child, which waits as long as its parent lets it.
    patience: Option<Duration>,
    most: Option<Duration>,
    deadline: Option<Instant>,
    /// So many references seen, and the clock is read again.
    next_look: u64,
}

impl Bounds {
    /// For a walk that stops the program; 0 is no bound.
    pub fn in_process(abort_after_ms: u32) -> Self {
        let most = (abort_after_ms != 0).then(|| Duration::from_millis(u64::from(abort_after_ms)));
        Self { patience: Some(PATIENCE), most, deadline: None, next_look: 0 }
    }

    /// For a walk in a child, which its parent ends.
    pub fn in_child() -> Self {
        Self { patience: None, most: None, deadline: None, next_look: 0 }
    }

    /// The walk begins.
    pub fn begin(&mut self) {
        self.deadline = self.most.map(|most| Instant::now() + most);
    }

    /// Whether the walk may go on.
    ///
    /// # Errors
    /// It has taken too long.
    #[inline]
    pub fn check(&mut self, references: u64) -> Result<(), Failure> {
        match self.deadline {
            Some(deadline) if references >= self.next_look => {
                self.next_look = references + CHECK_EVERY;
                if Instant::now() >= deadline { Err(Failure::TooLong) } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }

    /// Opens the next slot as soon as it is free.
    ///
    /// # Errors
    /// None came free in time.
    pub fn wait_for_slot(&mut self, pen: &mut Pen<'_>) -> Result<(), Failure> {
        if pen.open() {
            return Ok(());
        }
        pen.set_waiting(true);
        let begun = Instant::now();
        while !pen.open() {
            if self.patience.is_some_and(|patience| begun.elapsed() >= patience) {
                return Err(Failure::Overflow);
            }
            std::thread::sleep(NAP);
        }
        self.patience = self.patience.map(|patience| patience.saturating_sub(begun.elapsed()));
        pen.set_waiting(false);
        Ok(())
    }
}
