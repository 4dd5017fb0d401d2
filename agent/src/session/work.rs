//! The work thread: executes commands, runs probes, reports collections and its own costs. The only thread of the
//! agent that touches the heap.

use super::Session;
use super::captures::Order;
use super::marks::MarkOrder;
use super::ration::{Ration, Refusal};
use super::snapshots::Snapshots;
use super::survey::survey;
use crate::faults::Place;
use crate::guard::{log, own_threads, panics};
use crate::jvmti::env::Env;
use crate::jvmti::jni::Jni;
use crate::link::LinkEvent;
use crate::link::outbox::Outbox;
use crate::link::recording::schedule::Spent;
use crate::platform::Sampler as PlatformSampler;
use crate::probe::schedule::tracker::Tracker;
use crate::room::files::of_system;
use crate::room::headroom::Headroom;
use crate::sampling::sampler::Sampler;
use crossbeam_channel::{Receiver, after, never, select};
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{
    CaptureDone, CaptureFault, CaptureMethod, FromAgent, GcFinished, GoodbyeReason, Heartbeat, MarkDone, Platform,
    ToAgent,
};
use std::time::{Duration, Instant};

const HEARTBEAT: Duration = Duration::from_secs(5);
/// Most reports of collections: four a second.
const GC_PAUSE: Duration = Duration::from_millis(250);
/// Local references of a turn outside of the frames of its own that a walk or a visit opens.
const ROOM: usize = 64;

struct Worker<'j> {
    session: &'static Session,
    jni: &'j Jni,
    outbox: Option<Outbox>,
    /// After Welcome.
    active: bool,
    /// Outlives connections: an order over a new one costs the program as much.
    ration: Ration,
    snapshots: Snapshots,
    tracker: Tracker,
    platform: PlatformSampler,
    sampler: Sampler,
    next_heartbeat: Instant,
    next_gc: Instant,
}

/// Works until the agent goes dormant. Afterwards the JVM holds nothing of the agent.
pub fn run(session: &'static Session, jni: &Jni, events: &Receiver<LinkEvent>) {
    let mut worker = Worker {
        session,
        jni,
        outbox: None,
        active: false,
        ration: Ration::default(),
        snapshots: Snapshots::default(),
        tracker: Tracker::default(),
        platform: PlatformSampler::default(),
        sampler: Sampler::default(),
        next_heartbeat: Instant::now(),
        next_gc: Instant::now(),
    };
    while !session.is_dormant() {
        if let Err(panicked) = panics::contain(|| worker.framed_turn(events)) {
            worker.sampler.clear();
            worker.snapshots.clear();
            worker.tracker.clear();
            session.give_up(&panicked);
        }
    }
}

impl Worker<'_> {
    /// A turn in a local frame: nothing that it or the JVM leaves behind in this thread piles up.
    fn framed_turn(&mut self, events: &Receiver<LinkEvent>) {
        let jni = self.jni;
        if jni.frame(ROOM, || self.turn(events)).is_none() {
            self.turn(events);
        }
    }

    fn turn(&mut self, events: &Receiver<LinkEvent>) {
        let now = Instant::now();
        let gc = if self.active && now >= self.next_gc { self.session.gc.1.clone() } else { never() };
        let tick = if self.active { after(self.wait(now)) } else { never() };
        select! {
            recv(events) -> event => match event {
                Ok(event) => self.on_event(event),
                Err(_) => self.leave(),
            },
            recv(gc) -> _ => self.emit_gc(),
            recv(tick) -> _ => {}
        }
        if self.active {
            self.periodic();
        }
    }

    fn wait(&self, now: Instant) -> Duration {
        let mut next = self.next_heartbeat;
        if let Some(tick) = self.tracker.next_tick() {
            next = next.min(tick);
        }
        if let Some(due) = self.sampler.due() {
            next = next.min(due);
        }
        if now < self.next_gc {
            next = next.min(self.next_gc);
        }
        next.saturating_duration_since(now)
    }

    fn on_event(&mut self, event: LinkEvent) {
        match event {
            LinkEvent::Up(outbox) => {
                *self.session.outbox.lock() = Some(outbox.clone());
                self.outbox = Some(outbox);
            }
            LinkEvent::Down => self.clear(),
            LinkEvent::Asked(ToAgent::Welcome) => self.active = true,
            LinkEvent::Asked(ToAgent::Refuse { reason }) => {
                log::error(&format!("the analyzer does not want this JVM: {reason}"));
                self.leave();
            }
            LinkEvent::Asked(ToAgent::Detach) => {
                self.send(|at_ms| FromAgent::Goodbye { at_ms, reason: GoodbyeReason::Detached });
                self.leave();
            }
            LinkEvent::Asked(command) if self.active => self.obey(command),
            LinkEvent::Asked(_) => {}
            LinkEvent::Unattended { snapshot, method, max_pause_ms, spent } => {
                self.capture_unattended(snapshot, method, max_pause_ms);
                let (pause_ms, worked_ms) = (self.snapshots.take_stopped_ms(), self.snapshots.take_worked_ms());
                self.ration.stopped(Instant::now(), pause_ms);
                let [pause, work] = [pause_ms, worked_ms].map(|ms| Duration::from_secs_f64(ms.max(0.0) / 1e3));
                // A timer that has gone needs no answer.
                let _unheard = spent.send(Spent { pause, work });
            }
        }
    }

    /// Captures without an analyzer's decision: by the asked method, or by the first that has no obstacle. Where a fork
    /// fails, no method that pauses the program for longer takes its place: the timer comes again. No tag outlasts it.
    fn capture_unattended(&mut self, snapshot: SnapshotId, method: Option<CaptureMethod>, max_pause_ms: u32) {
        let is_heard = |outbox: &Outbox| self.active && !outbox.is_over();
        let Some(outbox) = self.outbox.clone().filter(is_heard) else { return };
        let survey = survey(&self.snapshots, self.session, self.jni);
        let least_felt = [CaptureMethod::Fork, CaptureMethod::InProcess, CaptureMethod::Tags];
        let usable = least_felt.into_iter().find(|&way| survey.of(way).obstacle.is_none());
        outbox.send(FromAgent::Survey(survey));
        let Some(method) = method.or(usable) else { return };
        if method != CaptureMethod::Fork
            && let Err(refusal) = self.ration.take(Instant::now())
        {
            outbox.offer(FromAgent::Problem { at_ms: self.session.at_ms(), text: refusal.to_string() });
            return;
        }
        // A fault has been reported.
        let order = Order::unattended(snapshot, method, max_pause_ms);
        let _reported = self.snapshots.capture(self.session, self.jni, &outbox, order);
        self.snapshots.clear();
    }

    fn obey(&mut self, command: ToAgent) {
        // A message without a reader must not cost anything.
        let Some(outbox) = self.outbox.clone().filter(|outbox| !outbox.is_over()) else { return };
        if stops_the_program(&command)
            && let Err(refusal) = self.ration.take(Instant::now())
        {
            return self.refuse(&outbox, &command, refusal);
        }
        self.carry_out(&outbox, command);
        self.ration.stopped(Instant::now(), self.snapshots.take_stopped_ms());
    }

    /// Reports that an order was not carried out, as the end for which the analyzer waits.
    fn refuse(&self, outbox: &Outbox, command: &ToAgent, refusal: Refusal) {
        let (at_ms, failure) = (self.session.at_ms(), Some(refusal.to_string()));
        match *command {
            ToAgent::Mark { snapshot, .. } => {
                outbox.send(FromAgent::MarkDone(MarkDone { snapshot, at_ms, failure, ..MarkDone::default() }));
            }
            ToAgent::Capture { snapshot, method, .. } => {
                outbox.send(FromAgent::CaptureStarted { snapshot, at_ms, method });
                outbox.send(FromAgent::CaptureDone(CaptureDone {
                    snapshot,
                    at_ms,
                    failure,
                    fault: Some(CaptureFault::Refused),
                    ..CaptureDone::default()
                }));
            }
            _ => {}
        }
    }

    fn carry_out(&mut self, outbox: &Outbox, command: ToAgent) {
        match command {
            ToAgent::Mark { snapshot, budget, abort_after_ms } => {
                let order = MarkOrder { snapshot, budget, abort_after_ms };
                self.snapshots.mark(self.session, self.jni, outbox, order);
            }
            ToAgent::MarkPaths { snapshot, plan, most_stop_ms } => {
                self.snapshots.mark_paths(self.session, self.jni, outbox, (snapshot, &plan), most_stop_ms);
            }
            ToAgent::HoldHeads { snapshot, keep, plan } => {
                self.snapshots.hold_heads(self.session, self.jni, outbox, (snapshot, &keep, &plan));
            }
            ToAgent::Survey => {
                outbox.send(FromAgent::Survey(survey(&self.snapshots, self.session, self.jni)));
            }
            ToAgent::Capture { snapshot, method, abort_after_ms, deadline_ms, leave_out } => {
                let order = Order { snapshot, method, abort_after_ms, deadline_ms, leave_out };
                // The fault has been reported.
                let _reported = self.snapshots.capture(self.session, self.jni, outbox, order);
            }
            ToAgent::InstallProbes { snapshot, tick_ms, probes, keep, keep_tags, most_stop_ms } => {
                self.tracker.retain(self.jni, &keep);
                let tick = Duration::from_millis(u64::from(tick_ms.max(1)));
                let panic = self.session.options.faults.panic_at(Place::Probe);
                // Without an environment of their own the probes run all the same, and report net changes only.
                let marks = Env::tagging(self.session.vm).ok();
                let walked = self.snapshots.learned.walked;
                let ids = self.snapshots.ids(snapshot, most_stop_ms);
                let (results, pause) = self.tracker.install(self.jni, (ids, walked), marks, &probes);
                self.tracker.start(tick, panic);
                if !keep_tags {
                    self.snapshots.clear();
                }
                let pause_ms = pause.as_secs_f64() * 1e3;
                self.ration.stopped(Instant::now(), pause_ms);
                outbox.send(FromAgent::ProbesInstalled { at_ms: self.session.at_ms(), results, pause_ms });
                self.emit_heartbeat();
            }
            ToAgent::SampleAllocations(order) => {
                if let Some(refused) = self.sampler.order(self.session, self.jni, &self.tracker, &order) {
                    outbox.send(FromAgent::AllocationSites(refused));
                }
            }
            ToAgent::SetBias { biases } => self.tracker.set_biases(&biases),
            // `Requested` is written into recordings only.
            ToAgent::Welcome | ToAgent::Refuse { .. } | ToAgent::Detach | ToAgent::Requested(_) => {}
        }
    }

    fn periodic(&mut self) {
        let now = Instant::now();
        if self.tracker.next_tick().is_some_and(|tick| tick <= now) {
            let (reports, dropped) = self.tracker.tick(self.jni, now, self.session.at_ms());
            dropped.into_iter().for_each(|dropped| self.send(|_| FromAgent::CounterDropped(dropped)));
            reports.into_iter().for_each(|report| self.send(|_| FromAgent::ProbeReport(report)));
        }
        if let Some(sites) = self.sampler.turn(self.jni, &self.tracker, now) {
            self.send(|_| FromAgent::AllocationSites(sites));
        }
        if now >= self.next_heartbeat {
            self.next_heartbeat = now + HEARTBEAT;
            self.emit_heartbeat();
            let sample = self.platform.sample(&self.session.env, self.jni, self.session.at_ms());
            self.send(|_| FromAgent::Platform(within_limits(sample)));
        }
    }

    fn send(&self, message: impl FnOnce(u64) -> FromAgent) {
        if let Some(outbox) = &self.outbox {
            outbox.offer(message(self.session.at_ms()));
        }
    }

    fn emit_gc(&mut self) {
        self.next_gc = Instant::now() + GC_PAUSE;
        if let Some((used_bytes, committed_bytes, max_bytes)) = self.jni.heap_bytes() {
            self.session.collections.note_used(used_bytes);
            let collections = self.session.collections.count();
            self.send(|at_ms| {
                FromAgent::GcFinished(GcFinished { at_ms, collections, used_bytes, committed_bytes, max_bytes })
            });
        }
    }

    fn emit_heartbeat(&self) {
        let dropped_events = self.outbox.as_ref().map_or(0, Outbox::dropped);
        let (tags_standing, member_tags) =
            (self.snapshots.standing(), self.tracker.tags_standing() + self.sampler.tags());
        self.send(|at_ms| {
            FromAgent::Heartbeat(Heartbeat {
                at_ms,
                dropped_events,
                agent_cpu_ms: own_threads::all_cpu_ms(),
                tags_standing,
                member_tags,
            })
        });
    }

    /// Drops probes, tags, weak references and the queue.
    fn clear(&mut self) {
        self.active = false;
        self.sampler.clear();
        self.snapshots.clear_all();
        self.tracker.clear();
        self.outbox = None;
        *self.session.outbox.lock() = None;
    }

    fn leave(&mut self) {
        if let Some(outbox) = &self.outbox {
            outbox.flush(GC_PAUSE);
        }
        self.clear();
        self.session.sleep();
    }
}

/// Orders that pause the program for as long as a walk over its heap takes; a fork pauses it for milliseconds.
fn stops_the_program(command: &ToAgent) -> bool {
    match command {
        ToAgent::Mark { .. } => true,
        ToAgent::Capture { method, .. } => *method != CaptureMethod::Fork,
        _ => false,
    }
}

/// The sample with the limit of the container. Limits are looked up each time: a container may be resized.
fn within_limits(sample: Platform) -> Platform {
    let container = Headroom::find(&of_system).container(&of_system);
    Platform {
        limit_bytes: container.map(|container| container.limit_bytes),
        limit_used_bytes: container.map(|container| container.used_bytes),
        ..sample
    }
}
