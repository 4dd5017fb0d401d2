//! The composition root: three threads of the agent (work, write, read), the JVM's events, and the one switch that
//! makes the agent dormant.
//!
//! Reading order: this file, [`loading`] (the load into a JVM, and those after it), [`work`] (the work thread),
//! [`ration`] (limits on pauses by orders), [`snapshots`] (the tags), [`learned`], [`marks`], [`survey`], [`captures`],
//! [`by_address`] and [`forked`] (captures), [`order_error`], [`heads`] (heads of data structures), [`collections`]
//! (the JVM's own pauses), [`vm`] (the JVM's identity).

pub mod by_address;
pub mod captures;
pub mod collections;
pub mod forked;
pub mod heads;
pub mod learned;
pub mod loading;
pub mod marks;
pub mod order_error;
pub mod ration;
pub mod snapshots;
pub mod survey;
pub mod vm;
pub mod work;

use crate::faults::Place;
use crate::guard::own_threads::OwnThread;
use crate::guard::panics::Panicked;
use crate::guard::{log, panics};
use crate::jvmti::allocations::SampledAllocation;
use crate::jvmti::env::Env;
use crate::jvmti::host::Host;
use crate::jvmti::jni::Vm;
use crate::link::destination::Destination;
use crate::link::outbox::Outbox;
use crate::link::{connector, recording};
use crate::options::{Options, Target};
use crate::sampling::owner::Owner;
use crate::sampling::samples::Samples;
use collections::Collections;
use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;
use rootbound_wire::message::{FromAgent, GoodbyeReason};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Longest time that the JVM's end may wait for the last messages.
const FAREWELL: Duration = Duration::from_millis(300);
const EVENTS_QUEUED: usize = 64;

static SESSION: OnceLock<Session> = OnceLock::new();

/// The agent inside one JVM.
pub struct Session {
    pub(crate) vm: Vm,
    /// The environment of the events; it never sets a tag.
    pub(crate) env: Env,
    pub(crate) options: Options,
    /// The target since the last load.
    target: Mutex<Target>,
    /// Where an analyzer is looked for.
    destination: Destination,
    pub(crate) incapable: Option<String>,
    pub(crate) begun: Instant,
    pub(crate) collections: Collections,
    pub(crate) dormant: AtomicBool,
    pub(crate) outbox: Mutex<Option<Outbox>>,
    pub(crate) gc: (Sender<()>, Receiver<()>),
    /// Samples of allocating threads while a sampling window is open.
    pub(crate) samples: Samples,
    /// Test hook: an environment that holds the JVM's sampler, as another agent would.
    _other_sampler: Option<Env>,
    started: AtomicBool,
    /// Threads of the agent that have not ended.
    threads: AtomicU32,
    /// After a panic the agent never wakes.
    is_broken: AtomicBool,
}

/// Runs `work` on the session, if there is one that is awake. A panic ends here, and makes the agent dormant.
pub fn contained(work: impl FnOnce(&'static Session)) {
    let Some(session) = SESSION.get() else { return };
    if session.is_dormant() {
        return;
    }
    if let Err(panicked) = panics::contain(|| work(session)) {
        session.give_up(&panicked);
    }
}

/// A thread that has not ended.
struct Counted<'a>(&'a AtomicU32);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Session {
    fn spawn(&'static self, name: &str, body: impl FnOnce(&'static Self) + Send + 'static) {
        self.threads.fetch_add(1, Ordering::AcqRel);
        let body = || {
            let _counted = Counted(&self.threads);
            let _own = OwnThread::enter();
            contained(body);
        };
        if let Err(error) = thread::Builder::new().name(name.to_owned()).spawn(body) {
            self.threads.fetch_sub(1, Ordering::AcqRel);
            self.sleep();
            log::error(&format!("no thread for {name}: {error}"));
        }
    }

    /// Collections finished since the agent was loaded.
    pub fn collections(&self) -> u64 {
        self.collections.count()
    }

    /// Milliseconds since the agent was loaded.
    pub fn at_ms(&self) -> u64 {
        self.begun.elapsed().as_millis() as u64
    }

    /// Whether the agent does nothing any more.
    pub fn is_dormant(&self) -> bool {
        self.dormant.load(Ordering::Relaxed)
    }

    /// From now on every event returns immediately, and the threads end. Only another load wakes the agent.
    pub fn sleep(&self) {
        self.dormant.store(true, Ordering::Relaxed);
    }

    /// Reports a contained panic, once, and makes the agent dormant.
    pub fn give_up(&self, panicked: &Panicked) {
        self.is_broken.store(true, Ordering::Relaxed);
        self.sleep();
        let text = format!("the agent panicked and is dormant from now on: {}", panicked.0);
        log::error(&text);
        if let Some(outbox) = self.outbox.try_lock_for(FAREWELL).and_then(|mut outbox| outbox.take()) {
            outbox.offer(FromAgent::Problem { at_ms: self.at_ms(), text });
        }
    }
}

impl Host for Session {
    fn is_awake(&self) -> bool {
        !self.is_dormant()
    }

    /// The VM is live: start the threads.
    fn on_vm_init(&'static self) {
        self.options.faults.panic_at(Place::VmInit).go_off();
        if self.started.swap(true, Ordering::AcqRel) {
            return;
        }
        let (sender, events) = bounded(EVENTS_QUEUED);
        let hello = vm::hello(&self.env, self.at_ms(), self.incapable.clone());
        self.spawn("rootbound-work", move |session| {
            // None only when the JVM is going down.
            let _ended = session.vm.attached("rootbound-work", |jni| work::run(session, jni, &events));
        });
        let target = self.target.lock().clone();
        self.spawn("rootbound-read", move |session| match target {
            Target::Analyzer { .. } => connector::run(&session.destination, &hello, &sender),
            Target::Recording(asked) => {
                if let Err(error) = recording::run(&asked, &hello, &sender) {
                    log::error(&format!("record={}: {error}", asked.file.display()));
                }
            }
        });
    }

    /// The VM is going down: reports it, and waits a moment for the message to be written.
    fn on_vm_death(&self) {
        let outbox = self.outbox.try_lock_for(FAREWELL).and_then(|mut outbox| outbox.take());
        self.sleep();
        if let Some(outbox) = outbox {
            outbox.hand_over(FromAgent::Goodbye { at_ms: self.at_ms(), reason: GoodbyeReason::VmDeath });
            outbox.flush(FAREWELL);
        }
    }

    /// A collection begins; the world is stopped.
    fn on_gc_start(&self) {
        self.collections.begin();
    }

    /// A collection has finished. The world is stopped: count, wake the work thread, nothing else.
    fn on_gc_finish(&self) {
        self.options.faults.panic_at(Place::Gc).go_off();
        self.collections.end();
        // A full channel means that the work thread has a wake-up already.
        let _is_full = self.gc.0.try_send(());
    }

    /// A thread of the program allocates, and a sampling window is open. Bounded work, no waiting.
    fn on_allocation(&self, event: &SampledAllocation<'_>) {
        self.options.faults.panic_at(Place::Allocation).go_off();
        self.samples.on_allocation(event, self.at_ms(), self.collections());
    }

    fn on_panic(&self, panicked: &Panicked) {
        self.give_up(panicked);
    }
}

impl Owner for Session {
    fn vm(&self) -> Vm {
        self.vm
    }

    fn samples(&self) -> &Samples {
        &self.samples
    }

    fn at_ms(&self) -> u64 {
        self.at_ms()
    }

    fn collections(&self) -> u64 {
        self.collections()
    }
}
