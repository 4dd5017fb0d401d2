//! The composition root: three threads of the agent (work, write, read), the JVM's events, and the one switch that
//! makes the agent dormant.
//!
//! Reading order: this file, [`work`] (the work thread), [`ration`] (limits on pauses by orders), [`snapshots`] (the
//! tags), [`learned`], [`marks`], [`survey`], [`captures`], [`by_address`] and [`forked`] (captures), [`order_error`],
//! [`collections`] (the JVM's own pauses), [`vm`] (the JVM's identity).

pub mod by_address;
pub mod captures;
pub mod collections;
pub mod forked;
pub mod learned;
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
use crate::jvmti::abi;
use crate::jvmti::allocations::SampledAllocation;
use crate::jvmti::env::Env;
use crate::jvmti::host::{self, Host};
use crate::jvmti::jni::Vm;
use crate::link::outbox::Outbox;
use crate::link::{connector, recorder};
use crate::options::{Options, Target};
use crate::sampling::owner::Owner;
use crate::sampling::samples::Samples;
use collections::Collections;
use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;
use rootbound_wire::message::{FromAgent, GoodbyeReason};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
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
}

/// Sets the agent up; called once for each load of the library.
pub fn load(vm: Vm, options: &str, is_live: bool) {
    let options = match options.parse::<Options>() {
        Ok(options) => options,
        Err(error) => return log::always(&error.to_string()),
    };
    log::set_level(options.log);
    panics::install_hook();
    let Some(session) = new_session(vm, options) else { return };
    if SESSION.set(session).is_err() || !SESSION.get().is_some_and(|session| host::set(session)) {
        return log::always("the agent is loaded already; this load changes nothing");
    }
    contained(|session| {
        let can_generate_gc_events = session.env.add_capability(abi::CAN_GENERATE_GC_EVENTS_BIT).is_ok();
        if let Err(error) = session.env.listen(can_generate_gc_events) {
            session.sleep_for_good();
            log::error(&error.to_string());
        } else if is_live {
            session.on_vm_init();
        }
    });
}

fn new_session(vm: Vm, options: Options) -> Option<Session> {
    let env = Env::new(vm).map_err(|error| log::always(&error.to_string())).ok()?;
    let other_sampler = if options.faults.holds_sampler() { Env::sampler(vm).ok() } else { None };
    let incapable = Env::tagging(vm).err().map(|error| format!("the JVM lets no agent tag objects ({error})"));
    Some(Session {
        vm,
        env,
        options,
        incapable,
        begun: Instant::now(),
        collections: Collections::new(),
        dormant: AtomicBool::new(false),
        outbox: Mutex::new(None),
        gc: bounded(1),
        samples: Samples::default(),
        _other_sampler: other_sampler,
        started: AtomicBool::new(false),
    })
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

impl Session {
    fn spawn(&'static self, name: &str, body: impl FnOnce(&'static Self) + Send + 'static) {
        let body = || {
            let _own = OwnThread::enter();
            contained(body);
        };
        if let Err(error) = thread::Builder::new().name(name.to_owned()).spawn(body) {
            self.sleep_for_good();
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

    /// From now on every event returns immediately, and the threads end.
    pub fn sleep_for_good(&self) {
        self.dormant.store(true, Ordering::Relaxed);
    }

    /// Reports a contained panic, once, and makes the agent dormant.
    pub fn give_up(&self, panicked: &Panicked) {
        self.sleep_for_good();
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
        let hello = vm::hello(self);
        self.spawn("rootbound-work", move |session| {
            // None only when the JVM is going down.
            let _ended = session.vm.attached("rootbound-work", |jni| work::run(session, jni, &events));
        });
        self.spawn("rootbound-read", move |session| match &session.options.target {
            Target::Analyzer(endpoint) => connector::run(endpoint, &hello, &sender),
            Target::Recording { file, mark_after, capture_after, method, max_pause } => {
                let timer = (*mark_after, *capture_after);
                if let Err(error) = recorder::run(file, timer, (*method, *max_pause), &hello, &sender) {
                    log::error(&format!("record={}: {error}", file.display()));
                }
            }
        });
    }

    /// The VM is going down: reports it, and waits a moment for the message to be written.
    fn on_vm_death(&self) {
        let outbox = self.outbox.try_lock_for(FAREWELL).and_then(|mut outbox| outbox.take());
        self.sleep_for_good();
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
