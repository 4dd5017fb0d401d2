//! Facts that captures have taught about this JVM, for as long as it runs. Tags come and go, these stay.

use crate::capture::watchdog::Fault;
use crate::os::locks::KnownLocks;
use rootbound_wire::message::CaptureFault;

/// The facts.
#[derive(Clone, Debug, Default)]
pub struct Learned {
    /// References that the latest capture read.
    pub walked: u64,
    /// Elements of the widest array that a walk has seen.
    pub widest_array: Option<u64>,
    /// The fault that ended a child that had been forked whole. It would end the program if it were made there.
    pub canary: Option<String>,
    /// The reason why forks leave nothing out any more.
    pub whole_forks: Option<String>,
    /// Locks that children waited for.
    pub locks: KnownLocks,
    /// Whether the program wrote widely while the last child ran.
    pub writes_widely: bool,
}

impl Learned {
    /// Learns from a fork that failed. `left_out`: whether its child lacked parts of the heap.
    pub fn from_fault(&mut self, fault: &Fault, left_out: bool) {
        let text = &fault.text;
        match fault.kind {
            CaptureFault::ChildDied if left_out => {
                self.whole_forks = Some(format!("a child that lacked free parts of the heap had failed: {text}"));
            }
            CaptureFault::ChildDied | CaptureFault::ChildKilled => {
                self.canary = Some(format!("what happened to a forked child would happen to the program: {text}"));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_that_died_whole_vetoes_and_one_that_lacked_something_is_forked_whole_next() {
        let mut learned = Learned::default();
        let died = Fault::new(CaptureFault::ChildDied, "signal 11");
        learned.from_fault(&died, true);
        assert!(learned.canary.is_none() && learned.whole_forks.is_some());
        learned.from_fault(&died, false);
        assert!(learned.canary.is_some_and(|text| text.contains("signal 11")));
    }

    #[test]
    fn a_fork_refused_or_stuck_teaches_nothing_of_the_walk() {
        let mut learned = Learned::default();
        for kind in [CaptureFault::Refused, CaptureFault::ChildStuck, CaptureFault::ChildEnded, CaptureFault::NoReader]
        {
            learned.from_fault(&Fault::new(kind, ""), false);
        }
        assert!(learned.canary.is_none() && learned.whole_forks.is_none());
    }
}
