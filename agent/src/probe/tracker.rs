//! All probes: their installation, and the tick that visits at most one of them.

use super::bias;
use super::full::DEPTH;
use super::live::{LivePlace, LiveReader};
use super::memory::Memory;
use super::random::Random;
use super::route::{Place, Route, Step};
use crate::identity::tag::Tag;
use crate::jvmti::env::Env;
use crate::jvmti::jni::{Jni, Local, Weak};
use rootbound_wire::ids::{ObjectId, ProbeId, SnapshotId};
use rootbound_wire::message::{ProbeInstalled, ProbeReport, ProbeSpec, RoutePlace, RouteVia, VisitOutcome};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Reads a second that all probes may make together, on average.
const READS_A_SECOND: f64 = 65_536.0;

struct Probe {
    id: ProbeId,
    owner: Weak,
    places: Vec<LivePlace>,
    memory: Memory<Weak>,
    bias: f32,
}

/// The probes of one connection.
pub struct Tracker {
    probes: Vec<Probe>,
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

type Objects<'j> = HashMap<ObjectId, Local<'j>>;

impl Tracker {
    /// Ends all probes.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Tags that the probes set: none.
    pub fn tags_standing(&self) -> u64 {
        0
    }

    /// When the next visit is due.
    pub fn next_tick(&self) -> Option<Instant> {
        self.next_tick
    }

    /// Replaces all probes; reads the tags of the capture for the last time. `panics` is the test hook.
    pub fn install(
        &mut self,
        jni: &Jni,
        tags: Option<&Env>,
        snapshot: SnapshotId,
        tick: Duration,
        specs: Vec<ProbeSpec>,
        panics: bool,
    ) -> Vec<ProbeInstalled> {
        self.clear();
        (self.tick, self.panics) = (tick, panics);
        let objects = tags.map(|tags| objects_of(jni, tags, snapshot)(&specs)).unwrap_or_default();
        let mut results = Vec::new();
        for spec in specs {
            let probe = spec.probe;
            let built = tags.ok_or_else(|| "no capture stands".to_owned());
            let built = built.and_then(|tags| build(jni, tags, &objects, &spec)).map(|probe| self.probes.push(probe));
            results.push(ProbeInstalled { probe, failure: built.err() });
        }
        self.next_tick = (!self.probes.is_empty()).then(|| Instant::now() + tick);
        results
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
        let (outcome, reads) = jni.frame(DEPTH + 256, || probe.visit(jni))?;
        self.allowance -= f64::from(reads);
        if let VisitOutcome::Seen(seen) = &outcome {
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
    fn visit(&mut self, jni: &Jni) -> (VisitOutcome, u32) {
        let Some(owner) = jni.upgrade(&self.owner) else { return (VisitOutcome::OwnerGone, 0) };
        match LiveReader::new(jni, &self.places) {
            Some(reader) => self.memory.visit(&reader, &owner),
            None => (VisitOutcome::Failed("a class of the route has been unloaded".to_owned()), 0),
        }
    }
}

/// Finds all objects that the probes name, in one scan of the tag table.
fn objects_of<'j>(jni: &'j Jni, tags: &Env, snapshot: SnapshotId) -> impl Fn(&[ProbeSpec]) -> Objects<'j> {
    move |specs| {
        let mut ids: Vec<ObjectId> = specs.iter().flat_map(named).collect();
        ids.sort_unstable();
        ids.dedup();
        // A tag carries the first snapshot too, which the id does not tell: try each that there can be.
        let candidates: Vec<i64> = ids
            .iter()
            .flat_map(|id| {
                (1..=snapshot.0).map(|first_seen| Tag { id: id.0, first_seen, capture: snapshot.0 }.encode(0))
            })
            .collect();
        let found = tags.objects_with_tags(jni, &candidates).unwrap_or_default().into_iter();
        found.filter_map(|(tag, object)| Some((Tag::decode(tag).id_in(snapshot)?, object))).collect()
    }
}

fn named(spec: &ProbeSpec) -> Vec<ObjectId> {
    let declaring = spec.places.iter().flat_map(|place| &place.steps).filter_map(|step| match &step.via {
        RouteVia::Field { declaring, .. } => Some(*declaring),
        RouteVia::StaticField { .. } | RouteVia::ArrayElement => None,
    });
    spec.places.iter().map(|place| place.class).chain([spec.owner]).chain(declaring).collect()
}

fn build(jni: &Jni, tags: &Env, objects: &Objects<'_>, spec: &ProbeSpec) -> Result<Probe, String> {
    let weak = |object: &Local<'_>| jni.weaken(object).ok_or("the JVM is out of references");
    let owner = objects.get(&spec.owner).ok_or("the owner has been collected")?;
    let mut places = Vec::new();
    for (index, place) in spec.places.iter().enumerate() {
        let class = objects.get(&place.class).ok_or("a class of the route has been unloaded")?;
        let is_mirror = index == 0 && place.class == spec.owner;
        check_kinds(tags, class, place, is_mirror)?;
        let fields =
            place.steps.iter().map(|step| resolve(jni, objects, class, &step.via)).collect::<Result<_, _>>()?;
        places.push(LivePlace { class: weak(class)?, is_mirror, fields });
    }
    let route = route(&spec.places)?;
    let admitted =
        LiveReader::new(jni, &places).is_some_and(|reader| super::reader::HeapReader::admits(&reader, 0, owner));
    if !admitted {
        return Err("the owner is no instance of the class of place 0".to_owned());
    }
    let memory = Memory::new(route, spec.budget.max(1), u64::from(spec.probe.0) + 1);
    Ok(Probe { id: spec.probe, owner: weak(owner)?, places, memory, bias: bias::clamped(spec.bias) })
}

/// Array steps belong to arrays of references, static fields to a class itself: anything else would read wild memory.
fn check_kinds(tags: &Env, class: &Local<'_>, place: &RoutePlace, is_mirror: bool) -> Result<(), String> {
    let signature = tags.class_signature(class);
    let is_array = !is_mirror && (signature.starts_with("[L") || signature.starts_with("[["));
    let fits = |via: &RouteVia| match via {
        RouteVia::ArrayElement => is_array,
        RouteVia::StaticField { .. } => is_mirror,
        RouteVia::Field { .. } => true,
    };
    if place.steps.iter().all(|step| fits(&step.via)) {
        Ok(())
    } else {
        Err(format!("a step does not fit objects of {signature}"))
    }
}

fn resolve(
    jni: &Jni,
    objects: &Objects<'_>,
    class: &Local<'_>,
    via: &RouteVia,
) -> Result<Option<crate::jvmti::jni::FieldHandle>, String> {
    let missing = |name: &str| format!("no field {name} in the class");
    match via {
        RouteVia::ArrayElement => Ok(None),
        RouteVia::StaticField { name, descriptor } => {
            reference(name, descriptor)?;
            jni.field(class, name, descriptor, true).map(Some).ok_or_else(|| missing(name))
        }
        RouteVia::Field { declaring, name, descriptor } => {
            reference(name, descriptor)?;
            let declaring = objects.get(declaring).ok_or("a declaring class has been unloaded")?;
            if !jni.is_subclass(class, declaring) {
                return Err(format!("the class of the place does not inherit the field {name}"));
            }
            jni.field(declaring, name, descriptor, false).map(Some).ok_or_else(|| missing(name))
        }
    }
}

/// Only references are ever read: a primitive read as one would be a wild pointer.
fn reference(name: &str, descriptor: &str) -> Result<(), String> {
    if descriptor.starts_with(['L', '[']) { Ok(()) } else { Err(format!("the field {name} holds no reference")) }
}

fn route(places: &[RoutePlace]) -> Result<Route, String> {
    let step = |step: &rootbound_wire::message::RouteStep| {
        let to: Vec<usize> = step.to.iter().map(|&to| usize::from(to)).collect();
        let inside = to.iter().all(|&to| to < places.len());
        inside.then_some(Step { is_array: step.via == RouteVia::ArrayElement, to })
    };
    let place = |place: &RoutePlace| {
        let steps = place.steps.iter().map(step).collect::<Option<_>>()?;
        Some(Place { counts: place.counts, steps })
    };
    let places = places.iter().map(place).collect::<Option<_>>().ok_or("a step leads to a place that is not there")?;
    Ok(Route { places })
}
