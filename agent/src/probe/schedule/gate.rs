//! Keeps visits away while the collector marks concurrently. A visit then would keep objects alive that the program
//! has dropped, and the classes and loaders that they hang from, cycle after cycle.
//!
//! A visit may be under way when a cycle begins, and then keeps what it reads. So no visit is made for a while behind that
//! cycle: a close next one begins without a visit. Otherwise close cycles on a busy machine would each meet one. Cycles
//! that are further apart meet one by chance; where it happens again all the same, that while is longer each time.
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
/// all the same, and growing structures are visited. No longer are visits kept away between two cycles.
const LONG: Duration = Duration::from_secs(20);
/// Visits are kept away for this long behind a cycle that met one, and for twice as long behind each further one in a
/// row.
const SHUT: Duration = Duration::from_secs(2);

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

    /// Visits have been made since [`Self::is_open`] agreed.
    pub fn has_visited(&self) {
        self.rhythm.set(self.rhythm.get().visited(self.is_marking(), Instant::now()));
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

/// What the collector does, as it was seen last.
#[derive(Clone, Copy)]
enum State {
    /// It does not mark. No visit is made before this time, unless a cycle begins sooner.
    Rests { shut_until: Option<Instant> },
    /// It has marked since `since`.
    Marks {
        since: Instant,
        /// Whether visits are made all the same.
        is_open: bool,
        /// Whether a visit was made since it began, or was under way when it began.
        met_visit: bool,
    },
}

/// One cycle after the other.
#[derive(Clone, Copy)]
struct Rhythm {
    state: State,
    /// Whether visits are made in the next cycle all the same.
    spares_next: bool,
    /// The time for which visits are kept away behind a cycle that meets one.
    shut: Duration,
}

impl Default for Rhythm {
    fn default() -> Self {
        Self { state: State::Rests { shut_until: None }, spares_next: false, shut: SHUT }
    }
}

impl Rhythm {
    /// Whether a visit may be made now.
    fn look(self, marks: bool, now: Instant) -> (bool, Self) {
        let next = match (marks, self.state) {
            (false, State::Marks { since, is_open, met_visit }) => Self {
                state: State::Rests { shut_until: met_visit.then(|| now + self.shut) },
                spares_next: !is_open && now.duration_since(since) > LONG,
                shut: if met_visit { (self.shut * 2).min(LONG) } else { SHUT },
            },
            (true, State::Rests { .. }) => self.begin_cycle(false, now),
            _ => self,
        };
        let is_open = match next.state {
            State::Rests { shut_until } => shut_until.is_none_or(|until| now >= until),
            State::Marks { is_open, .. } => is_open,
        };
        (is_open, next)
    }

    /// After a visit: whether the collector marks now.
    fn visited(mut self, marks: bool, now: Instant) -> Self {
        match &mut self.state {
            State::Rests { .. } if marks => self.begin_cycle(true, now),
            State::Rests { .. } => self,
            State::Marks { met_visit, .. } => {
                *met_visit = true;
                self
            }
        }
    }

    fn begin_cycle(self, met_visit: bool, since: Instant) -> Self {
        Self { state: State::Marks { since, is_open: self.spares_next, met_visit }, spares_next: false, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes the seconds from one check to the next, and whether the collector marks then; returns whether the gate was
    /// open. Each time that it is, a visit is made, at whose end the collector marks if the third says so.
    fn visits(all: &[(u64, bool, bool)]) -> Vec<bool> {
        let (mut rhythm, mut now) = (Rhythm::default(), Instant::now());
        let look = |&(seconds, marks, marks_then): &(u64, bool, bool)| {
            now += Duration::from_secs(seconds);
            let (is_open, next) = rhythm.look(marks, now);
            rhythm = if is_open { next.visited(marks_then, now) } else { next };
            is_open
        };
        all.iter().map(look).collect()
    }

    /// As [`visits`], each of which ends in the state in which it began.
    fn looks(all: &[(u64, bool)]) -> Vec<bool> {
        visits(&all.iter().map(|&(seconds, marks)| (seconds, marks, marks)).collect::<Vec<_>>())
    }

    #[test]
    fn no_visit_is_made_while_the_collector_marks() {
        let open = looks(&[(0, false), (1, true), (5, true), (1, false), (1, true), (1, true), (1, false)]);
        assert_eq!(open, [true, false, false, true, false, false, true]);
    }

    #[test]
    fn after_a_long_cycle_the_next_one_keeps_no_visit_away_and_the_one_after_it_does() {
        let open =
            looks(&[(0, true), (30, true), (1, false), (1, true), (30, true), (1, false), (1, true), (1, false)]);
        assert_eq!(open, [false, false, true, true, true, false, false, true]);
    }

    #[test]
    fn a_cycle_that_meets_a_visit_is_followed_by_one_that_meets_none() {
        let open = visits(&[
            (0, false, true),
            (1, true, true),
            (1, false, false),
            (1, true, true),
            (1, false, false),
            (1, false, true),
            (1, false, false),
        ]);
        assert_eq!(open, [true, false, false, false, true, true, false]);
    }

    #[test]
    fn between_cycles_that_are_far_apart_visits_go_on() {
        let open = visits(&[(0, false, true), (1, false, false), (1, false, false), (1, false, false)]);
        assert_eq!(open, [true, false, false, true]);
    }

    #[test]
    fn cycles_that_meet_visits_one_after_the_other_keep_them_away_for_longer_each_time() {
        let met = |shut: u64| [(0, true, true), (1, false, false), (shut - 1, false, false), (1, false, true)];
        let mut all = [2, 4, 8, 16, 20, 20].map(met).concat();
        // The last one begins without a visit.
        all.extend([(0, true, true), (1, false, false), (20, true, true), (1, false, true), (0, true, true)]);
        all.extend([(1, false, false), (2, false, false)]);
        let (open, last) = (visits(&[&[(0, false, true)][..], &all].concat()), [false, false, false, true, false]);
        for cycle in open[1..25].chunks(4) {
            assert_eq!(cycle, [false, false, false, true]);
        }
        assert_eq!(open[25..], [&last[..], &[false, true]].concat(), "2 s again");
    }
}
