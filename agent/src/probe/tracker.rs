//! All probes of one connection, and the tick that visits at most one of them.

use super::bias;
use super::full::DEPTH;
use super::install::{Installed, install};
use super::live::LiveReader;
use super::memory::Memory;
use super::names::{self, Names};
use super::random::Random;
use crate::identity::named::Ids;
use crate::jvmti::env::Env;
use crate::jvmti::jni::{Jni, Weak};
use rootbound_wire::ids::ProbeId;
use rootbound_wire::message::{ProbeInstalled, ProbeReport, ProbeSpec, VisitOutcome};
use std::time::{Duration, Instant};

/// Reads a second that all probes may make together, on average.
const READS_A_SECOND: f64 = 65_536.0;

struct Probe {
    id: ProbeId,
    installed: Installed,
    memory: Memory<Weak>,
    bias: f32,
}

/// The probes of one connection.
pub struct Tracker {
    probes: Vec<Probe>,
    /// The environment of the members' marks: disposing it clears them all.
    marks: Option<Env>,
    tick: Duration,
    next_tick: Option<Instant>,
    turn: usize,
    allowance: f64,
    refilled: Instant,
    random: Random,
    panics: bool,
}

impl Default for Tracker {
    fn default() -> Self {
        Self {
            probes: Vec::new(),
            marks: None,
            tick: Duration::from_secs(1),
            next_tick: None,
            turn: 0,
            allowance: READS_A_SECOND,
            refilled: Instant::now(),
            random: Random::new(1),
            panics: false,
        }
    }
}

impl Tracker {
    /// Ends all probes; every mark and weak reference goes with them.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Tags that the probes set: one for each member remembered.
    pub fn tags_standing(&self) -> u64 {
        self.probes.iter().map(|probe| probe.memory.marks()).sum()
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
            if !stays && let Some(reader) = LiveReader::new(jni, marks, &probe.installed.places) {
                probe.memory.forget(&reader);
            }
            stays
        });
    }

    /// Adds probes. Without `marks`, the environment of the members' marks, no member is remembered; while probes have
    /// one, they keep it. Gives what became of each, and how long the program stood still.
    pub fn install(
        &mut self,
        jni: &Jni,
        ids: Option<Ids<'_>>,
        marks: Option<Env>,
        specs: &[ProbeSpec],
    ) -> (Vec<ProbeInstalled>, Duration) {
        self.marks = self.marks.take().or(marks);
        let done = jni.frame(names::room(specs), || self.install_all(jni, ids, specs));
        let none = || (vec![Some("the JVM is out of references".to_owned()); specs.len()], Duration::ZERO);
        let (failures, pause) = done.unwrap_or_else(none);
        let results = specs.iter().zip(failures);
        (results.map(|(spec, failure)| ProbeInstalled { probe: spec.probe, failure }).collect(), pause)
    }

    /// What each probe failed with, if it did, and how long the program stood still.
    fn install_all(&mut self, jni: &Jni, ids: Option<Ids<'_>>, specs: &[ProbeSpec]) -> (Vec<Option<String>>, Duration) {
        let names = ids.ok_or_else(|| "no capture stands".to_owned()).and_then(|ids| Names::find(jni, ids, specs));
        let install_one = |spec: &ProbeSpec| {
            let installed = install(names.as_ref().map_err(Clone::clone)?, spec)?;
            // Probe numbers are never given twice on a connection, so marks of members never mix.
            self.probes.push(Probe::new(spec, installed, spec.probe.0));
            Ok::<(), String>(())
        };
        let failures = specs.iter().map(install_one).map(Result::err).collect();
        (failures, names.map_or(Duration::ZERO, |names| names.pause()))
    }

    /// Starts the visits, one each `tick`. `panics` is the test hook.
    pub fn start(&mut self, tick: Duration, panics: bool) {
        (self.tick, self.panics) = (tick, panics);
        self.next_tick = (!self.probes.is_empty()).then(|| Instant::now() + tick);
    }

    /// The analyzer's opinion.
    pub fn set_biases(&mut self, biases: &[(ProbeId, f32)]) {
        for &(id, bias) in biases {
            for probe in self.probes.iter_mut().filter(|probe| probe.id == id) {
                probe.bias = bias::clamped(bias);
            }
        }
    }

    /// Visits the next probe whose draw succeeds, if the allowance of reads is not used up.
    pub fn tick(&mut self, jni: &Jni, now: Instant, at_ms: u64) -> Option<ProbeReport> {
        assert!(!self.panics, "planted panic: probe");
        self.next_tick = (!self.probes.is_empty()).then(|| now + self.tick);
        let earned = now.duration_since(self.refilled).as_secs_f64() * READS_A_SECOND;
        self.refilled = now;
        self.allowance = (self.allowance + earned).min(READS_A_SECOND);
        if self.allowance <= 0.0 {
            return None;
        }
        let chosen = self.choose()?;
        let probe = &mut self.probes[chosen];
        let (outcome, reads) = jni.frame(DEPTH + 256, || probe.visit(jni, self.marks.as_ref()))?;
        self.allowance -= f64::from(reads);
        // A count that is still under way has seen nothing yet that speaks for looking less often.
        if let VisitOutcome::Seen(seen) = &outcome
            && seen.size_error.is_finite()
        {
            probe.bias = bias::after_visit(probe.bias, seen.additions, seen.removals);
        }
        let micros = now.elapsed().as_micros().min(u128::from(u32::MAX)) as u32;
        let report = ProbeReport { probe: probe.id, at_ms, outcome, bias: probe.bias, reads, micros };
        if report.outcome == VisitOutcome::OwnerGone {
            self.probes.remove(chosen);
        }
        Some(report)
    }

    fn choose(&mut self) -> Option<usize> {
        for _ in 0..self.probes.len() {
            let chosen = self.turn % self.probes.len();
            self.turn = chosen + 1;
            if self.random.unit() < f64::from(self.probes[chosen].bias) {
                return Some(chosen);
            }
        }
        None
    }
}

impl Probe {
    fn new(spec: &ProbeSpec, installed: Installed, number: u32) -> Self {
        let memory = Memory::new(installed.route.clone(), spec.budget.max(1), number);
        Self { id: spec.probe, installed, memory, bias: bias::clamped(spec.bias) }
    }

    fn visit(&mut self, jni: &Jni, marks: Option<&Env>) -> (VisitOutcome, u32) {
        let reader = LiveReader::new(jni, marks, &self.installed.places);
        match (jni.upgrade(&self.installed.owner), reader) {
            (Some(owner), Some(reader)) => self.memory.visit(&reader, &owner),
            (None, reader) => {
                // Members may outlive their owner; their marks need not.
                if let Some(reader) = reader {
                    self.memory.forget(&reader);
                }
                (VisitOutcome::OwnerGone, 0)
            }
            (_, None) => (VisitOutcome::Failed("a class of the route has been unloaded".to_owned()), 0),
        }
    }
}
