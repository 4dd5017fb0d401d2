//! Keeps visits away while the collector marks concurrently. A visit then would keep objects alive that the program
//! has dropped, and the classes and loaders that they hang from, cycle after cycle.
//!
//! Where it cannot be known whether the collector marks, visits are always made.

use crate::guard::own_threads;
use crate::jvmti::checked::HeldClass;
use crate::jvmti::env::Env;
use crate::jvmti::jni::Jni;
use crate::platform::collector;
use crate::platform::hotspot::HotSpot;
use crate::platform::marking::{Kind, Marking, OwnThread};
use crate::platform::own_memory::OwnMemory;
use std::cell::Cell;
use std::time::{Duration, Instant};

/// After a cycle that kept visits away for longer, the next one does not. Dropped objects are gone within two cycles
/// all the same, and growing structures are visited.
const LONG: Duration = Duration::from_secs(20);

/// The feature release of the JVM.
const RELEASE: &str = "java.vm.specification.version";

/// Decides whether a visit may be made now.
pub struct Gate {
    known: Option<(Marking, OwnMemory)>,
    rhythm: Cell<Rhythm>,
}

impl Gate {
    /// A gate for the calling thread, which is the one that visits.
    pub fn find(env: &Env, jni: &Jni) -> Self {
        let known = OwnMemory::open().and_then(|memory| {
            let thread = own_thread(env, jni)?;
            let jvm = Kind { release: env.system_property(RELEASE)?.parse().ok()?, gc: collector::gc() };
            let marking = Marking::find(&memory, HotSpot::of_this_jvm().threads?, jvm, thread)?;
            Some((marking, memory))
        });
        Self { known, rhythm: Cell::default() }
    }

    /// Whether the collector marks now, as far as that can be known.
    pub fn is_marking(&self) -> bool {
        self.known.as_ref().and_then(|(marking, memory)| marking.is_on(memory)).unwrap_or(false)
    }

    /// Whether a visit may be made.
    pub fn is_open(&self, now: Instant) -> bool {
        let (is_open, next) = self.rhythm.get().look(self.is_marking(), now);
        self.rhythm.set(next);
        is_open
    }
}

/// The place where HotSpot keeps the thread, behind the thread's own object.
fn own_thread(env: &Env, jni: &Jni) -> Option<OwnThread> {
    let thread = env.this_thread(jni).ok()?;
    let class = HeldClass::new(env, jni.class_of(&thread)?);
    let place = class.number_field(env, "eetop", "J", false)?;
    let address = u64::try_from(class.number(jni, &thread, place)?).ok().filter(|&address| address > 0)?;
    Some(OwnThread { address, task: own_threads::this_task() })
}

/// One cycle after the other.
#[derive(Clone, Copy, Default)]
struct Rhythm {
    /// Since when the collector marks, and whether visits are made all the same.
    marks_since: Option<(Instant, bool)>,
    /// Whether they will be in the next cycle.
    spares_next: bool,
}

impl Rhythm {
    fn look(self, marks: bool, now: Instant) -> (bool, Self) {
        match (marks, self.marks_since) {
            (false, None) => (true, self),
            (false, Some((since, was_open))) => {
                (true, Self { marks_since: None, spares_next: !was_open && now.duration_since(since) > LONG })
            }
            (true, None) => (self.spares_next, Self { marks_since: Some((now, self.spares_next)), spares_next: false }),
            (true, Some((_, is_open))) => (is_open, self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes the seconds from one check to the next, and whether the collector marks; returns whether the gate was
    /// open.
    fn looks(all: &[(u64, bool)]) -> Vec<bool> {
        let (mut rhythm, mut now) = (Rhythm::default(), Instant::now());
        let look = |&(seconds, marks): &(u64, bool)| {
            now += Duration::from_secs(seconds);
            let (is_open, next) = rhythm.look(marks, now);
            rhythm = next;
            is_open
        };
        all.iter().map(look).collect()
    }

    #[test]
    fn no_visit_is_made_while_the_collector_marks() {
        let open = looks(&[(0, false), (1, true), (5, true), (1, false), (1, true), (1, true), (1, false)]);
        assert_eq!(open, [true, false, false, true, false, false, true]);
    }

    #[test]
    fn after_a_long_cycle_the_next_one_keeps_no_visit_away_and_the_one_after_it_does() {
        let open = looks(&[(0, true), (30, true), (1, false), (1, true), (30, true), (1, false), (1, true)]);
        assert_eq!(open, [false, false, true, true, true, true, false]);
    }
}
