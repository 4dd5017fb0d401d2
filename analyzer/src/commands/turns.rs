//! Captures take turns: the graph of one heap at a time fills the memory, and one analysis at a time has the
//! processors.
//!
//! A JVM that falls silent during its capture loses its turn, so that it does not delay the others for long.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A capture that has sent nothing for this time may be dead; others go ahead.
const PATIENCE: Duration = Duration::from_secs(60);

/// The order of the captures of all JVMs.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    holder: Mutex<Option<Holder>>,
    analysis: Mutex<()>,
}

#[derive(Debug)]
struct Holder {
    jvm: u32,
    /// `None` while its capture is analysed, which may take any time.
    silent_since: Option<Instant>,
}

/// One JVM's place in the order; dropping it returns the turn.
#[derive(Debug)]
pub(crate) struct Turn {
    turns: Arc<Turns>,
    jvm: u32,
}

impl Turns {
    fn holder(&self) -> MutexGuard<'_, Option<Holder>> {
        self.holder.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    /// The place of the JVM that this run knows by the number `jvm`.
    pub(crate) fn of(jvm: u32, turns: &Arc<Turns>) -> Self {
        Self { turns: Arc::clone(turns), jvm }
    }

    /// Takes the turn if it is free or was lost; `false` while another JVM is captured.
    pub(crate) fn take(&self, now: Instant) -> bool {
        let mut holder = self.turns.holder();
        let is_taken = holder.as_ref().is_some_and(|other| other.jvm != self.jvm && !other.has_lost_it(now));
        if !is_taken {
            *holder = Some(Holder { jvm: self.jvm, silent_since: Some(now) });
        }
        !is_taken
    }

    /// Records that the capture goes on.
    pub(crate) fn continues(&self, now: Instant) {
        self.set_silence(Some(now));
    }

    /// Returns the turn: the capture has ended, or will never come.
    pub(crate) fn give_back(&self) {
        let mut holder = self.turns.holder();
        if holder.as_ref().is_some_and(|holder| holder.jvm == self.jvm) {
            *holder = None;
        }
    }

    /// Runs an analysis while no other runs.
    pub(crate) fn analyse<T>(&self, analysis: impl FnOnce() -> T) -> T {
        self.set_silence(None);
        let _alone = self.turns.analysis.lock().unwrap_or_else(PoisonError::into_inner);
        analysis()
    }

    fn set_silence(&self, since: Option<Instant>) {
        if let Some(holder) = self.turns.holder().as_mut().filter(|holder| holder.jvm == self.jvm) {
            holder.silent_since = since;
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.give_back();
    }
}

impl Holder {
    fn has_lost_it(&self, now: Instant) -> bool {
        self.silent_since.is_some_and(|since| now.saturating_duration_since(since) >= PATIENCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    fn three() -> [Turn; 3] {
        let turns = Arc::new(Turns::default());
        [1, 2, 3].map(|jvm| Turn::of(jvm, &turns))
    }

    #[test]
    fn one_jvm_at_a_time_has_the_turn() {
        let now = Instant::now();
        let [first, second, _] = three();
        assert!(first.take(now) && first.take(now));
        assert!(!second.take(now));
        second.give_back();
        assert!(!second.take(now), "what another holds cannot be given back");
        first.give_back();
        assert!(second.take(now));
        drop(second);
        assert!(first.take(now));
    }

    #[test]
    fn a_capture_that_falls_silent_loses_its_turn_and_one_that_is_analysed_does_not() {
        let now = Instant::now();
        let [first, second, third] = three();
        assert!(first.take(now));
        first.continues(now + PATIENCE / 2);
        assert!(!second.take(now + PATIENCE));
        assert!(second.take(now + PATIENCE * 2));
        first.continues(now + PATIENCE * 2);
        second.analyse(|| assert!(!third.take(now + PATIENCE * 10)));
    }

    #[test]
    fn analyses_never_run_side_by_side() {
        let running = AtomicUsize::new(0);
        let jvms = three();
        thread::scope(|scope| {
            for jvm in &jvms {
                scope.spawn(|| {
                    jvm.analyse(|| {
                        assert_eq!(running.fetch_add(1, Ordering::SeqCst), 0);
                        thread::sleep(Duration::from_millis(5));
                        running.fetch_sub(1, Ordering::SeqCst);
                    });
                });
            }
        });
    }
}
