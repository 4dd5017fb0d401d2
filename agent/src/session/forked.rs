//! A capture in a forked child, as the parent sees it: the preparation before the pause, the moment to fork, the
//! child's run under its watchdog, and the receipt.

use super::Session;
use super::captures::Order;
use super::collections::{Collections, Meanwhile};
use super::learned::Learned;
use super::order_error::OrderError;
use crate::capture::ahead::Ahead;
use crate::capture::child::{Child, minor_faults};
use crate::capture::head_roll::HeadRoll;
use crate::capture::left_out::{self, LeftOut, Objection};
use crate::capture::recorder::Recorder;
use crate::capture::roots::Held;
use crate::capture::watchdog::{Fault, LONGEST, Watchdog};
use crate::guard::own_threads;
use crate::jvmti::env::Env;
use crate::jvmti::jni::Jni;
use crate::jvmti::peek::Walked;
use crate::os::cage;
use crate::os::fork::{ForkOrder, Forked, Spare};
use crate::os::locks::KnownLocks;
use crate::os::ring::RingCounters;
use crate::platform::hotspot::HotSpot;
use crate::platform::{huge, process};
use crate::room::files::{of_system, own};
use crate::room::headroom::Headroom;
use rootbound_wire::message::{CaptureDone, CaptureFault, ChildReceipt};
use std::fs;
use std::ops::Range;
use std::thread;
use std::time::{Duration, Instant};

/// Address space that the walk in the child may take: twice its forecast need at most, and this.
const ADDRESS_BYTES: u64 = 1 << 30;
/// A child ends itself this much later than its parent should have ended it.
const GRACE_S: u32 = 5;
/// Longest time that a fork waits for the end of a collection; a program that collects less often allocates too slowly
/// to be worth it.
pub const LONGEST_WAIT: Duration = Duration::from_secs(2);
const WAIT_STEP: Duration = Duration::from_micros(500);
/// The kernel's limit of mappings; captures use a half at most.
const MOST_MAPPINGS: &str = "/proc/sys/vm/max_map_count";

/// A fork that is about to be made, and the facts that it shows about the JVM.
pub struct Forking {
    most: Duration,
    leaves_out: bool,
    waited: Duration,
    /// Locks that children waited for.
    pub locks: KnownLocks,
    /// Whether the program was seen to write widely while a child ran.
    pub writes_widely: bool,
    /// Remarks for its receipt.
    pub remark: Option<String>,
}

impl Forking {
    /// Combines the order with the facts that were learned.
    pub fn prepare(order: Order, learned: &Learned) -> Self {
        let whole = learned.whole_forks.as_deref();
        let most = match order.deadline_ms {
            0 => LONGEST,
            bound => Duration::from_millis(u64::from(bound)).min(LONGEST),
        };
        let leaves_out = order.leave_out && whole.is_none();
        let remark = whole.map(|whole| format!("nothing was left out of the fork: {whole}"));
        let waited = Duration::ZERO;
        Self { most, leaves_out, waited, locks: learned.locks, writes_widely: learned.writes_widely, remark }
    }

    /// Waits for the end of a collection, where free memory is to be left out. Behind it eden is empty, and nearly all
    /// that will be allocated is left out. Classes are listed only after it: a program may load thousands meanwhile, and
    /// the capture knows no class of their objects.
    pub fn wait(&mut self, collections: &Collections) {
        if self.leaves_out {
            self.waited = wait_for_collection(collections);
        }
    }

    fn remark(&mut self, remark: impl FnOnce() -> String) {
        self.remark.get_or_insert_with(remark);
    }

    /// The parts that are left out, where they are known.
    fn left_out<'m>(&mut self, jni: &'m Jni, held: Held<'m>, may_be_huge: bool) -> Option<LeftOut<'m>> {
        if !self.leaves_out {
            return None;
        }
        let checked =
            if has_room_for_mappings() { left_out::check(jni, may_be_huge) } else { Err(Objection::Mappings) };
        match checked {
            Ok(checked) => Some(LeftOut::new(jni, checked, held.held_objects, held.planted)),
            Err(reason) => {
                self.remark(|| format!("nothing was left out of the fork: {reason}"));
                None
            }
        }
    }

    /// Forks, and watches the child until it has walked.
    ///
    /// # Errors
    /// The reason why its walk is worth nothing.
    #[allow(clippy::too_many_arguments)]
    pub fn walk(
        &mut self,
        session: &Session,
        env: &Env,
        jni: &Jni,
        (recorder, held): (&mut Recorder<'_>, Held<'_>),
        counters: RingCounters<'_>,
        why_leave: impl Fn() -> Option<Fault>,
        done: &mut CaptureDone,
    ) -> Result<(), Fault> {
        let headroom = Headroom::find(&of_system);
        let huge_before = huge::present();
        let mut spare = self.left_out(jni, held, huge_before.is_some_and(|bytes| bytes > 0));
        done.agent_bytes += spare.as_ref().map_or(0, LeftOut::bytes);
        let (faults, program_faults_before) = (minor_faults(), program_faults());
        let order = self.order(counters, spare.as_mut().map(|spare| spare as &mut dyn Spare));
        let collections = session.collections.watch();
        // From here to the fork they are kept alive.
        held.held_objects.heads().into_iter().for_each(HeadRoll::hold);
        let begun = Instant::now();
        let walked = env.follow_by_address(recorder, Some(order));
        done.pause_ms = begun.elapsed().as_secs_f64() * 1e3;
        held.held_objects.heads().into_iter().for_each(HeadRoll::release);
        if let Some(objection) = spare.as_ref().and_then(|spare| spare.objection) {
            self.remark(|| format!("nothing was left out of the fork: {objection}"));
        }
        let Walked::InChild(forked) = walked.map_err(OrderError::of_walk)? else {
            return Err("the walk was made here".into());
        };
        let mut child = Child::new(forked.pid, begun, faults).ok_or("fork gave no child")?;
        let dog = Watchdog::new(&of_system, &headroom, self.most, begun);
        // Huge pages are copied piece by piece, which would split the program's, too.
        let in_use = spare.as_ref().filter(|_| huge_before.is_none_or(|bytes| bytes == 0)).map(LeftOut::in_use);
        let mut ahead = Ahead::new(in_use.unwrap_or_default(), program_faults_before, self.writes_widely);
        let look = || {
            counters.let_copies_rest(session.collections.is_under_way());
            ahead.look(counters, begun.elapsed(), program_faults, || Some(headroom.left(&of_system)?.bytes));
            why_leave()
        };
        let watched = child.watch(counters, dog, look).and_then(|()| self.has_begun(&child, counters));
        self.writes_widely = ahead.writes_widely;
        let receipt = with_collections(child.end(), session.collections.since(collections));
        let (waited_ms, copied_ahead_bytes) = (self.waited.as_secs_f64() * 1e3, counters.copied());
        let receipt = ChildReceipt { waited_ms, copied_ahead_bytes, ..with_left_out(receipt, forked) };
        done.child = Some(with_huge_pages(receipt, huge_before, || why_leave().is_some()));
        watched
    }

    fn order<'s>(&self, counters: RingCounters<'_>, spare: Option<&'s mut dyn Spare>) -> ForkOrder<'s> {
        let seconds = u32::try_from(self.most.as_secs()).unwrap_or(u32::MAX).saturating_add(GRACE_S);
        let address_bytes = own(&of_system, "VmSize:").map_or(u64::MAX, |size| size + ADDRESS_BYTES);
        ForkOrder {
            keep: counters.range(),
            counters: HotSpot::of_this_jvm().counters.unwrap_or_default(),
            arguments: arguments().unwrap_or_default(),
            bounds: cage::Bounds { seconds, address_bytes },
            locks: self.locks,
            spare,
        }
    }

    /// A lock of the JVM may have been held by a thread that does not exist in the child. The child then waits for
    /// ever, and looks like one that has finished.
    fn has_begun(&mut self, child: &Child, counters: RingCounters<'_>) -> Result<(), Fault> {
        if counters.references() > 0 {
            return Ok(());
        }
        let is_new = child.waits_at().is_some_and(|address| self.locks.learn(address));
        let next = if is_new { "; the next fork will be made while the agent holds it" } else { "" };
        let text = format!("the child waits for a lock that was held when it was forked{next}");
        Err(Fault::new(CaptureFault::ChildStuck, text))
    }
}

/// Page faults of this process except the agent's own: its buffers are touched for the first time while a child runs.
fn program_faults() -> Option<u64> {
    Some(minor_faults()?.saturating_sub(own_threads::all_faults()))
}

/// The place of this process's arguments (`/proc/self/stat`, fields 48 and 49).
fn arguments() -> Option<Range<u64>> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(45).map(str::parse::<u64>);
    let (start, end) = (fields.next()?.ok()?, fields.next()?.ok()?);
    (start > 0 && start < end).then_some(start..end)
}

/// Waits for the end of the next collection, while the program runs, if it collects often. The time between two
/// collections may be a tenth of the next: G1 keeps the young generation small while it collects old regions.
fn wait_for_collection(collections: &Collections) -> Duration {
    let begun = Instant::now();
    if collections.distance().is_none_or(|distance| distance > LONGEST_WAIT) {
        return Duration::ZERO;
    }
    let before = collections.count();
    while collections.count() == before && begun.elapsed() < LONGEST_WAIT {
        thread::sleep(WAIT_STEP);
    }
    begun.elapsed()
}

fn has_room_for_mappings() -> bool {
    let most = fs::read_to_string(MOST_MAPPINGS).ok().and_then(|text| text.trim().parse::<usize>().ok());
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    most.is_some_and(|most| maps.lines().count() + 2 * crate::platform::free::MOST_RANGES <= most / 2)
}

/// The receipt with the time of the JVM's own pauses in the meantime.
fn with_collections(receipt: ChildReceipt, meanwhile: Meanwhile) -> ChildReceipt {
    ChildReceipt {
        collections: meanwhile.count,
        longest_collection_ms: meanwhile.longest_ms,
        usual_collection_ms: meanwhile.before_ms,
        ..receipt
    }
}

fn with_left_out(receipt: ChildReceipt, forked: Forked) -> ChildReceipt {
    let left_out = forked.left_out;
    ChildReceipt {
        left_out_bytes: left_out.bytes,
        left_out_ranges: left_out.ranges,
        left_out_ms: left_out.took.as_secs_f64() * 1e3,
        ..receipt
    }
}

/// The receipt with the huge pages that the program lost, when they have been put together again.
fn with_huge_pages(receipt: ChildReceipt, before: Option<u64>, is_leaving: impl Fn() -> bool) -> ChildReceipt {
    let Some(before) = before.filter(|&before| before > 0) else { return receipt };
    let split = before.saturating_sub(huge::present().unwrap_or(before));
    let restored = if split == 0 {
        0
    } else {
        let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
        let heap = process::mapped(&maps, &HotSpot::of_this_jvm().heap).within;
        huge::restore(&heap, split, is_leaving)
    };
    ChildReceipt { huge_pages_split_bytes: Some(split), huge_pages_restored_bytes: Some(restored), ..receipt }
}
