//! Where the analyzer listens. It may change while the agent waits for one: the library is loaded again with another
//! endpoint.

use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;
use rootbound_wire::endpoint::Endpoint;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// An endpoint, and the time without an analyzer there after which the agent leaves.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where the analyzer listens.
    pub endpoint: Endpoint,
    /// `None`: the agent tries for ever.
    pub patience: Option<Duration>,
}

/// The present place, and the analyzer that was met there.
pub struct Destination {
    place: Mutex<Place>,
    changed: (Sender<()>, Receiver<()>),
    /// Process id of the last analyzer; 0 where the system does not say.
    analyzer: AtomicU32,
}

impl Destination {
    /// The first place.
    pub fn new(place: Place) -> Self {
        Self { place: Mutex::new(place), changed: bounded(1), analyzer: AtomicU32::new(0) }
    }

    /// The present place.
    pub fn place(&self) -> Place {
        self.place.lock().clone()
    }

    /// Sets another place; a reader that waits tries it at once.
    pub fn change(&self, place: Place) {
        *self.place.lock() = place;
        // A full channel means that the reader has a wake-up already.
        let _is_full = self.changed.0.try_send(());
    }

    /// Waits, but not beyond a change.
    pub fn wait(&self, most: Duration) {
        // Both ends have the same effect: the reader looks at the place again.
        let _changed_or_not = self.changed.1.recv_timeout(most);
    }

    /// Process id of the analyzer that was met last; 0 where the system does not say.
    pub fn analyzer(&self) -> u32 {
        self.analyzer.load(Ordering::Relaxed)
    }

    /// Notes the analyzer that was met.
    pub fn met(&self, process: u32) {
        self.analyzer.store(process, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;
    use std::time::Instant;

    fn place(path: &str) -> Place {
        Place { endpoint: Endpoint::Unix(PathBuf::from(path)), patience: None }
    }

    #[test]
    fn a_change_ends_the_wait() {
        let destination = Destination::new(place("/a"));
        destination.change(place("/b"));
        let begun = Instant::now();
        destination.wait(Duration::from_secs(60));
        assert!(begun.elapsed() < Duration::from_secs(30));
        assert_eq!(destination.place().endpoint, place("/b").endpoint);
    }
}
