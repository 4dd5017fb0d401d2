//! All probes of one connection, and the tick that visits one of them, or several while they read little.

use super::bias;
use super::gate::Gate;
use super::install::{Installed, install};
use super::install_error::InstallError;
use super::names::{self, Names};
use crate::faults::Panic;
use crate::identity::named::Ids;
use crate::jvmti::env::Env;
use crate::jvmti::jni::{Jni, NoReferences, Weak};
use crate::probe::budget::{Budget, Grant, VISIT_READS};
use crate::probe::failure::VisitFailure;
use crate::probe::reading::live::LiveReader;
use crate::probe::route::traversal::DEPTH;
use crate::probe::structure::planner::SizeProbe;
use crate::probe::structure::reporter::failed;
use crate::random::Random;
use rootbound_wire::ids::ProbeId;
use rootbound_wire::message::{
    CounterDropped, MOST_TANGLED_READS, ProbeInstalled, ProbeReport, ProbeShape, ProbeSpec, VisitOutcome,
};
use std::time::{Duration, Instant};

/// References that a visit holds in addition to those of its traversal.
const FEW: usize = 256;
/// Visits of a tick, of different probes that are not gone.
const VISITS_A_TICK: usize = 6;
/// A visit this cheap is made on credit: a counter costs two or three reads.
const CHEAP_READS: u32 = 64;

struct Probe {
    id: ProbeId,
    installed: Installed,
    visits: SizeProbe<Weak>,
    bias: f32,
    /// Reads of the last visit; more than any bound before the first.
    last_reads: u32,
}

/// The probes of one connection.
pub struct Tracker {
    probes: Vec<Probe>,
    /// The environment of the members' marks: disposing it clears them all.
    marks: Option<Env>,
    /// The environment of the objects that a count has entered, without tags between visits. Exists while there are
    /// tangled structures to count.
    entered: Option<Env>,
    /// Found with the first probes.
    gate: Option<Gate>,
    tick: Duration,
    next_tick: Option<Instant>,
    turn: usize,
    /// The probe that went on counting last.
    counting: usize,
    budget: Budget,
    random: Random,
    panic: Panic,
}

impl Default for Tracker {
    fn default() -> Self {
        Self {
            probes: Vec::new(),
            marks: None,
            entered: None,
            gate: None,
            tick: Duration::from_secs(1),
            next_tick: None,
            turn: 0,
            counting: 0,
            budget: Budget::new(Instant::now()),
            random: Random::new(1),
            panic: Panic::default(),
        }
    }
}

impl Tracker {
    /// Ends all probes; every mark and weak reference goes with them.
    pub fn clear(&mut self) {
        *self = Self { gate: self.gate.take(), ..Self::default() };
    }

    /// Tags that the probes set: one for each member remembered.
    pub fn tags_standing(&self) -> u64 {
        self.probes.iter().map(|probe| probe.visits.marks()).sum()
    }

    /// When the next visit is due.
    pub fn next_tick(&self) -> Option<Instant> {
        self.next_tick
    }

    /// Ends all probes but those to be kept; their members are forgotten.
    pub fn retain(&mut self, jni: &Jni, keep: &[ProbeId]) {
        if keep.is_empty() {
            return self.clear();
        }
        let marks = self.marks.as_ref();
        self.probes.retain_mut(|probe| {
            let stays = keep.contains(&probe.id);
            if !stays && let Some(reader) = LiveReader::new(jni, marks, &probe.installed.places, &[]) {
                probe.visits.forget(&reader);
            }
            stays
        });
        if !self.probes.iter().any(|probe| probe.installed.is_tangled()) {
            self.entered = None;
        }
    }

    /// Adds probes after a capture that read `walked` references. Without `marks`, the environment of the members'
    /// marks, no member is remembered; while probes have one, they keep it. Returns the result of each, and the time
    /// for which the program was paused.
    pub fn install(
        &mut self,
        jni: &Jni,
        (ids, walked): (Option<Ids<'_>>, u64),
        marks: Option<Env>,
        specs: &[ProbeSpec],
    ) -> (Vec<ProbeInstalled>, Duration) {
        self.marks = self.marks.take().or(marks);
        self.gate = self.gate.take().or_else(|| self.marks.as_ref().map(|env| Gate::find(env, jni)));
        if self.entered.is_none() && specs.iter().any(|spec| spec.shape == ProbeShape::Tangled) {
            self.entered = Env::tagging(jni.vm()).ok();
        }
        if !specs.is_empty() {
            self.budget.begin_to_learn(Instant::now(), walked);
        }
        let done = jni.frame(names::room(specs), || self.install_all(jni, ids, specs));
        let none = || (vec![Some(NoReferences.into()); specs.len()], Duration::ZERO);
        let (failures, pause) = done.unwrap_or_else(none);
        let results = specs.iter().zip(failures);
        (results.map(|(spec, error)| installed(spec, error.as_ref())).collect(), pause)
    }

    /// The error of each probe, if it failed, and the time for which the program was paused.
    fn install_all(
        &mut self,
        jni: &Jni,
        ids: Option<Ids<'_>>,
        specs: &[ProbeSpec],
    ) -> (Vec<Option<InstallError>>, Duration) {
        let names = ids.ok_or(InstallError::NoCapture).and_then(|ids| Names::find(jni, ids, specs));
        let install_one = |spec: &ProbeSpec| {
            let installed = install(names.as_ref().map_err(Clone::clone)?, spec)?;
            // Probe numbers are never used twice on a connection, so marks of members never mix.
            self.probes.push(Probe::new(spec, installed, spec.probe.0));
            Ok::<(), InstallError>(())
        };
        let failures = specs.iter().map(install_one).map(Result::err).collect();
        (failures, names.map_or(Duration::ZERO, |names| names.pause()))
    }

    /// The weak references of a probe to its structure, if it runs.
    pub fn installed(&self, probe: ProbeId) -> Option<&Installed> {
        self.probes.iter().find(|each| each.id == probe).map(|each| &each.installed)
    }

    /// The environment of the objects that a count has entered, while there are tangled structures. A count that marks
    /// there removes all its marks.
    pub fn entered(&self) -> Option<&Env> {
        self.entered.as_ref()
    }

    /// Whether structures may be visited now: not while that would keep objects alive that the program has dropped.
    pub fn may_look(&self, now: Instant) -> bool {
        self.gate.as_ref().is_none_or(|gate| gate.is_open(now))
    }

    /// Structures have been visited since [`Self::may_look`] agreed.
    pub fn has_looked(&self) {
        if let Some(gate) = &self.gate {
            gate.has_visited();
        }
    }

    /// Starts the visits, one or a few cheap ones each `tick`.
    pub fn start(&mut self, tick: Duration, panic: Panic) {
        (self.tick, self.panic) = (tick, panic);
        self.next_tick = (!self.probes.is_empty()).then(|| Instant::now() + tick);
    }

    /// Sets the bias that the analyzer chose.
    pub fn set_biases(&mut self, biases: &[(ProbeId, f32)]) {
        for &(id, bias) in biases {
            for probe in self.probes.iter_mut().filter(|probe| probe.id == id) {
                probe.bias = bias::clamped(bias);
            }
        }
    }

    /// Visits the next probe whose draw succeeds, and five more while they read no more than the budget has for a tick;
    /// while it is used up, only those that were cheap last time. The rest of the budget goes to counts that are under way.
    /// Returns the visits, and the counters that were dropped.
    pub fn tick(&mut self, jni: &Jni, now: Instant, at_ms: u64) -> (Vec<ProbeReport>, Vec<CounterDropped>) {
        self.panic.go_off();
        self.next_tick = (!self.probes.is_empty()).then(|| now + self.tick);
        if !self.may_look(now) {
            return (Vec::new(), Vec::new());
        }
        self.budget.refill(now);
        let reports = self.visit_some(jni, at_ms);
        self.go_on(jni);
        self.has_looked();
        (reports, self.take_dropped(at_ms))
    }

    fn visit_some(&mut self, jni: &Jni, at_ms: u64) -> Vec<ProbeReport> {
        let mut reports: Vec<ProbeReport> = Vec::new();
        let tick_reads = self.budget.tick_reads(self.tick);
        while has_room(&reports, tick_reads) {
            let most = if self.budget.is_used_up() { CHEAP_READS } else { u32::MAX };
            let Some(chosen) = self.choose(most) else { break };
            let id = self.probes[chosen].id;
            if reports.iter().any(|report| report.probe == id) {
                break;
            }
            let Some(report) = self.visit(jni, chosen, at_ms) else { break };
            reports.push(report);
        }
        reports
    }

    fn visit(&mut self, jni: &Jni, chosen: usize, at_ms: u64) -> Option<ProbeReport> {
        let began = Instant::now();
        let probe = &mut self.probes[chosen];
        let envs = (self.marks.as_ref(), self.entered.as_ref());
        let grant = self.budget.grant();
        let room = FEW + if probe.installed.is_tangled() { MOST_TANGLED_READS as usize } else { DEPTH };
        let (outcome, reads) = jni.frame(room, || probe.visit(jni, envs, grant))?;
        probe.last_reads = reads;
        self.budget.spend_visit(reads, began.elapsed());
        // A count that is still under way has found nothing yet that justifies fewer visits.
        if let VisitOutcome::Seen(seen) = &outcome
            && seen.size_error.is_finite()
        {
            probe.bias = bias::after_visit(probe.bias, seen.additions, seen.removals);
        }
        let micros = began.elapsed().as_micros().min(u128::from(u32::MAX)) as u32;
        let report = ProbeReport { probe: probe.id, at_ms, outcome, bias: probe.bias, reads, micros };
        if report.outcome == VisitOutcome::OwnerGone {
            self.probes.remove(chosen);
        }
        Some(report)
    }

    /// Lets the next probe that counts over several visits go on.
    fn go_on(&mut self, jni: &Jni) {
        let Some(budget) = self.budget.to_go_on() else { return };
        let count = self.probes.len();
        let Some(next) =
            (1..=count).map(|step| (self.counting + step) % count).find(|&at| self.probes[at].visits.wants_to_go_on())
        else {
            return;
        };
        self.counting = next;
        let (probe, marks) = (&mut self.probes[next], self.marks.as_ref());
        let reads = jni.frame(DEPTH + FEW, || probe.go_on(jni, marks, budget)).unwrap_or(0);
        self.budget.spend(reads);
    }

    fn take_dropped(&mut self, at_ms: u64) -> Vec<CounterDropped> {
        let mut all = Vec::new();
        for probe in &mut self.probes {
            let dropped = probe.visits.take_dropped().into_iter();
            all.extend(dropped.filter(|dropped| dropped.was_trusted).map(|dropped| CounterDropped {
                probe: probe.id,
                at_ms,
                counter: dropped.counter as u16,
                was_trusted: dropped.was_trusted,
            }));
        }
        all
    }

    /// The next probe whose draw succeeds, and whose last visit read no more than this.
    fn choose(&mut self, most: u32) -> Option<usize> {
        for _ in 0..self.probes.len() {
            let chosen = self.turn % self.probes.len();
            self.turn = chosen + 1;
            let probe = &self.probes[chosen];
            if probe.last_reads <= most && self.random.unit() < f64::from(probe.bias) {
                return Some(chosen);
            }
        }
        None
    }
}

/// Whether a tick with these visits has room for another one, where they may read this many references. To find a
/// structure gone reads nothing.
fn has_room(reports: &[ProbeReport], most: u32) -> bool {
    let seen = reports.iter().filter(|report| report.outcome != VisitOutcome::OwnerGone);
    seen.count() < VISITS_A_TICK && reports.iter().map(|report| report.reads).sum::<u32>() <= most
}

fn installed(spec: &ProbeSpec, error: Option<&InstallError>) -> ProbeInstalled {
    ProbeInstalled { probe: spec.probe, failure: error.map(InstallError::to_string) }
}

impl Probe {
    fn new(spec: &ProbeSpec, installed: Installed, number: u32) -> Self {
        let budget = spec.budget.clamp(1, VISIT_READS);
        let (route, counters) = (installed.route.clone(), installed.counters.len());
        let visits = match spec.shape {
            ProbeShape::Plain | ProbeShape::Tangled => {
                SizeProbe::new(route, counters, budget, number).summing(installed.sums())
            }
            ProbeShape::Buffer { length_before } => SizeProbe::of_buffer(route, counters, length_before, number),
        };
        Self { id: spec.probe, installed, visits, bias: bias::clamped(spec.bias), last_reads: u32::MAX }
    }

    /// With the environments of the members' marks and of the objects that a count has entered.
    fn visit(
        &mut self,
        jni: &Jni,
        (marks, entered): (Option<&Env>, Option<&Env>),
        grant: Grant,
    ) -> (VisitOutcome, u32) {
        let reader = LiveReader::new(jni, marks, &self.installed.places, &self.installed.counters);
        let reader = reader.map(|reader| reader.entering_by(entered));
        match (jni.upgrade(&self.installed.owner), reader) {
            (Some(owner), Some(reader)) => {
                self.visits.grant(grant);
                self.visits.visit(&reader, &owner)
            }
            (None, reader) => {
                // Members may outlive their owner; their marks need not.
                if let Some(reader) = reader {
                    self.visits.forget(&reader);
                }
                (VisitOutcome::OwnerGone, 0)
            }
            (_, None) => (failed(VisitFailure::Unloaded), 0),
        }
    }

    fn go_on(&mut self, jni: &Jni, marks: Option<&Env>, budget: u32) -> u32 {
        let reader = LiveReader::new(jni, marks, &self.installed.places, &self.installed.counters);
        let owner = jni.upgrade(&self.installed.owner);
        owner.zip(reader).map_or(0, |(owner, reader)| self.visits.go_on(&reader, &owner, budget))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_gone_takes_no_room_in_a_tick() {
        let report = |outcome, reads| ProbeReport { probe: ProbeId(1), at_ms: 0, outcome, bias: 1.0, reads, micros: 0 };
        let gone = || report(VisitOutcome::OwnerGone, 0);
        let unreadable = |reads| report(VisitOutcome::Failed("no path".to_owned()), reads);
        let visits = |read: usize| (0..20).map(|_| gone()).chain((0..read).map(|_| unreadable(1))).collect::<Vec<_>>();
        assert!(has_room(&visits(VISITS_A_TICK - 1), 256));
        assert!(!has_room(&visits(VISITS_A_TICK), 256));
        assert!(has_room(&[unreadable(256)], 256));
        assert!(!has_room(&[unreadable(257)], 256));
    }
}
