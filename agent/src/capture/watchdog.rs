//! Ends a child for the program's sake: when memory becomes short, when the analyzer does not read, when the child
//! makes no progress, or when its time is over. A forecast may err; the watchdog checks many times a second.

use crate::room::files::Files;
use crate::room::headroom::Headroom;
use rootbound_wire::message::CaptureFault;
use std::time::{Duration, Instant};

/// The longest time that any child may run.
pub const LONGEST: Duration = Duration::from_secs(120);
/// A child that records nothing for this time is ended.
const SILENCE: Duration = Duration::from_secs(10);
/// Time between two checks of the memory that is left: at a gigabyte of copies a second, 25 MB.
const LOOK_EVERY: Duration = Duration::from_millis(25);

/// The reason why a capture is worth nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind, for decisions.
    pub kind: CaptureFault,
    /// The text, for people.
    pub text: String,
}

impl Fault {
    /// Creates a fault of this kind.
    pub fn new(kind: CaptureFault, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }
}

impl From<String> for Fault {
    fn from(text: String) -> Self {
        Self::new(CaptureFault::Other, text)
    }
}

impl From<&str> for Fault {
    fn from(text: &str) -> Self {
        Self::new(CaptureFault::Other, text)
    }
}

/// The progress of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Records written and bytes copied.
    pub done: u64,
    /// Whether it waits until its records are read.
    pub is_waiting: bool,
}

/// Watches one child.
pub struct Watchdog<'a, F> {
    files: &'a F,
    headroom: &'a Headroom,
    most: Duration,
    next_look: Instant,
    /// Time of the last progress, and the amount done by then.
    last: (Instant, u64),
}

impl<'a, F: Files> Watchdog<'a, F> {
    /// Creates a watchdog for a child that may run for this time, and never beyond [`LONGEST`].
    pub fn new(files: &'a F, headroom: &'a Headroom, most: Duration, now: Instant) -> Self {
        Self { files, headroom, most: most.min(LONGEST), next_look: now, last: (now, 0) }
    }

    /// The longest time that the child may run.
    pub fn most(&self) -> Duration {
        self.most
    }

    /// Checks the child, `lived` after its birth.
    ///
    /// # Errors
    /// The reason why the child must end.
    pub fn look(&mut self, now: Instant, lived: Duration, progress: Progress) -> Result<(), Fault> {
        if lived >= self.most {
            let text = format!("the forked child had not finished after {} s", self.most.as_secs_f64());
            return Err(Fault::new(CaptureFault::ChildEnded, text));
        }
        if progress.done != self.last.1 {
            self.last = (now, progress.done);
        }
        if now.duration_since(self.last.0) >= SILENCE {
            return Err(silent(progress));
        }
        if now >= self.next_look {
            self.next_look = now + LOOK_EVERY;
            if self.headroom.left(self.files).is_some_and(|left| left.is_short) {
                let text = "memory became short while the forked child lived; it was ended for the program's sake";
                return Err(Fault::new(CaptureFault::ChildEnded, text));
            }
        }
        Ok(())
    }
}

fn silent(progress: Progress) -> Fault {
    let seconds = SILENCE.as_secs();
    if progress.is_waiting {
        Fault::new(CaptureFault::NoReader, format!("nobody has read what the forked child wrote for {seconds} s"))
    } else {
        Fault::new(CaptureFault::ChildDied, format!("the forked child did not get on for {seconds} s"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    const MEMINFO: &str = "MemTotal: 9000000 kB\nMemAvailable:";

    fn at(done: u64) -> Progress {
        Progress { done, is_waiting: false }
    }

    fn fault(result: Result<(), Fault>) -> Option<CaptureFault> {
        result.err().map(|fault| fault.kind)
    }

    #[test]
    fn a_child_ends_when_memory_becomes_short() {
        let free = Cell::new(8_000_000);
        let files = |path: &str| (path == "/proc/meminfo").then(|| format!("{MEMINFO} {} kB\n", free.get()));
        let (headroom, begun) = (Headroom::find(&files), Instant::now());
        let mut dog = Watchdog::new(&files, &headroom, LONGEST, begun);
        assert_eq!(fault(dog.look(begun, Duration::ZERO, at(1))), None);
        free.set(100_000);
        let soon = begun + LOOK_EVERY / 2;
        assert_eq!(fault(dog.look(soon, LOOK_EVERY / 2, at(2))), None, "it does not look at every turn");
        let fault = dog.look(begun + LOOK_EVERY, LOOK_EVERY, at(2)).expect_err("short");
        assert!(fault.kind == CaptureFault::ChildEnded && fault.text.contains("memory became short"));
    }

    #[test]
    fn a_child_without_progress_or_without_a_reader_ends() {
        let (nothing, begun) = (|_: &str| None, Instant::now());
        let headroom = Headroom::default();
        let second = |count| Duration::from_secs(count);
        let mut dog = Watchdog::new(&nothing, &headroom, second(60), begun);
        assert_eq!(fault(dog.look(begun + second(9), second(9), at(0))), None);
        assert_eq!(fault(dog.look(begun + second(18), second(18), at(1))), None, "it got on");
        assert_eq!(fault(dog.look(begun + second(28), second(28), at(1))), Some(CaptureFault::ChildDied));
        let waits = Progress { done: 1, is_waiting: true };
        assert_eq!(fault(dog.look(begun + second(28), second(28), waits)), Some(CaptureFault::NoReader));
        assert_eq!(fault(dog.look(begun + second(60), second(60), at(2))), Some(CaptureFault::ChildEnded));
    }

    #[test]
    fn no_child_lives_longer_than_the_longest() {
        let (nothing, headroom) = (|_: &str| None, Headroom::default());
        assert_eq!(Watchdog::new(&nothing, &headroom, Duration::from_secs(4000), Instant::now()).most(), LONGEST);
    }
}
