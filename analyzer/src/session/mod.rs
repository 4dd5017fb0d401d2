//! One JVM from its Hello to its Goodbye: the engine between messages and report.
//!
//! No input or output, no clock: messages and the agent's own time come in, commands go out, and
//! [`Session::report`] tells at any moment what is known. A recording fed through it gives the same report.

mod analysis;
mod evidence;
mod findings;
mod schedule;
mod summary;

use crate::heap::HeapBuilder;
use crate::tracking::bias_for;
use crate::view::report::{Jvm, Report, Snapshot};
use analysis::Findings;
use evidence::Evidence;
use rootbound_wire::ids::{ProbeId, SnapshotId};
use rootbound_wire::message::{
    CaptureDone, FromAgent, GoodbyeReason, MarkDone, ProbeInstalled, ProbeReport, ProbeSpec, ToAgent,
};
use schedule::{Due, Schedule};
use std::collections::HashMap;
use std::time::Duration;

/// What the user asked for; `None` means the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// T1 after the agent's start.
    pub mark_after: Option<Duration>,
    /// T2 after T1.
    pub capture_after: Option<Duration>,
    /// Time between two visits of any probes.
    pub tick: Option<Duration>,
    /// How long the JVM is watched.
    pub run_for: Option<Duration>,
    /// Fill in the explanations of leak roots.
    pub explain: bool,
    /// Keep soft references as edges.
    pub keep_soft: bool,
}

/// How the session stands.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Ending {
    Running,
    Goodbye(GoodbyeReason),
    Lost,
}

/// The watching of one JVM.
#[derive(Debug)]
pub struct Session {
    settings: Settings,
    schedule: Schedule,
    evidence: Evidence,
    capturing: Option<HeapBuilder>,
    findings: Option<Findings>,
    /// Probe ids of a recording, when its analyzer numbered otherwise than we do.
    recorded_probes: HashMap<ProbeId, ProbeId>,
    ending: Ending,
}

impl Session {
    /// Nothing has been seen yet.
    pub fn new(settings: Settings) -> Self {
        let schedule = Schedule::new(&settings);
        Self {
            settings,
            schedule,
            evidence: Evidence::default(),
            capturing: None,
            findings: None,
            recorded_probes: HashMap::new(),
            ending: Ending::Running,
        }
    }

    /// Feeds one message of the agent; answers with commands to send, in order.
    pub fn receive(&mut self, message: FromAgent) -> Vec<ToAgent> {
        match message {
            FromAgent::Hello(hello) => {
                self.schedule.capable = hello.incapable.is_none();
                if let Some(reason) = hello.incapable {
                    self.problem(format!("this JVM cannot be captured: {reason}"));
                }
                self.evidence.jvm = Some(Jvm { pid: hello.pid, vm: hello.vm, gc: hello.gc, main: hello.main });
            }
            FromAgent::MarkDone(done) => self.mark_done(&done),
            FromAgent::CaptureStarted { at_ms, .. } => {
                self.evidence.pass(at_ms);
                self.capturing = Some(self.new_heap());
            }
            FromAgent::Survey(survey) => self.evidence.pass(survey.at_ms),
            FromAgent::Graph(_) => {}
            FromAgent::Objects(records) => self.build(|heap| heap.objects(&records)),
            FromAgent::References(records) => self.build(|heap| heap.references(&records)),
            FromAgent::Roots(records) => self.build(|heap| heap.roots(&records)),
            FromAgent::Classes(records) => self.build(|heap| heap.classes(records)),
            FromAgent::Threads(records) => self.build(|heap| heap.threads(records)),
            FromAgent::Methods(records) => self.build(|heap| heap.methods(records)),
            FromAgent::CaptureDone(done) => return self.capture_done(&done),
            FromAgent::GcFinished(gc) => {
                self.evidence.pass(gc.at_ms);
                self.evidence.heap.observe(gc.at_ms, gc.used_bytes, gc.max_bytes);
            }
            FromAgent::ProbesInstalled { at_ms, results } => {
                self.evidence.pass(at_ms);
                self.probes_installed(&results);
            }
            FromAgent::ProbeReport(report) => return self.probe_report(&report),
            FromAgent::Heartbeat(beat) => {
                self.evidence.pass(beat.at_ms);
                self.evidence.dropped_events = beat.dropped_events;
            }
            FromAgent::Problem { at_ms, text } => {
                self.evidence.pass(at_ms);
                self.problem(format!("agent: {text}"));
            }
            FromAgent::Goodbye { at_ms, reason } => {
                self.evidence.pass(at_ms);
                self.ending = Ending::Goodbye(reason);
            }
        }
        Vec::new()
    }

    /// Lets time pass: asks for the mark and the capture when they are due. `agent_now_ms` is the agent's time.
    pub fn advance(&mut self, agent_now_ms: u64) -> Vec<ToAgent> {
        if self.evidence.jvm.is_none() || self.ending != Ending::Running {
            return Vec::new();
        }
        self.evidence.pass(agent_now_ms);
        match self.schedule.due(agent_now_ms) {
            Some(Due::Mark(snapshot)) => vec![ToAgent::Mark { snapshot, budget: None }],
            Some(Due::Capture(snapshot)) => vec![ToAgent::capture_by_tags(snapshot)],
            None => Vec::new(),
        }
    }

    /// In replay: a command that the recorded analyzer had sent. Its probes may have borne other numbers than ours.
    pub fn recorded_command(&mut self, command: ToAgent) {
        if let (ToAgent::InstallProbes { probes, .. }, Some(findings)) = (command, &self.findings) {
            self.recorded_probes = match_probes(&probes, &findings.probes);
        }
    }

    /// The live loop measured how long the analysis of the last capture took.
    pub fn note_analysis_time(&mut self, ms: f64) {
        if let Some(last) = self.evidence.snapshots.last_mut().filter(|last| last.kind == "capture") {
            last.analysis_ms = Some(ms);
        }
    }

    /// The JVM or its agent vanished without Goodbye.
    pub fn connection_lost(&mut self) {
        if self.ending == Ending::Running {
            self.ending = Ending::Lost;
            self.problem("the connection to the JVM broke: it was killed, or its agent failed".to_owned());
        }
    }

    /// Adds something that people should know to the report.
    pub fn problem(&mut self, text: String) {
        self.evidence.add_problem(text);
    }

    /// Whether the agent has said Goodbye or the connection is lost.
    pub fn is_over(&self) -> bool {
        self.ending != Ending::Running
    }

    /// What is known now.
    pub fn report(&self) -> Report {
        summary::report(self)
    }

    fn new_heap(&self) -> HeapBuilder {
        let mut heap = HeapBuilder::new();
        if self.settings.keep_soft {
            heap.keep_soft_references();
        }
        heap
    }

    fn build(&mut self, add: impl FnOnce(&mut HeapBuilder)) {
        if let Some(heap) = &mut self.capturing {
            add(heap);
        }
    }

    fn mark_done(&mut self, done: &MarkDone) {
        self.evidence.pass(done.at_ms);
        self.schedule.marked(done.at_ms);
        self.evidence.add_snapshot(Snapshot {
            at_s: done.at_ms as f64 / 1000.0,
            kind: "mark",
            method: None,
            identity: None,
            objects: Some(done.objects),
            marked: Some(done.marked),
            references: None,
            heap_bytes: None,
            pause_ms: done.pause_ms,
            analysis_ms: None,
            failure: None,
        });
    }

    /// The capture is whole: from records to regions and probes.
    fn capture_done(&mut self, done: &CaptureDone) -> Vec<ToAgent> {
        self.evidence.pass(done.at_ms);
        let builder = self.capturing.take().unwrap_or_default();
        let counts = (builder.object_count() as u64, builder.reference_count() as u64);
        let analysed = match &done.failure {
            Some(reason) => Err(reason.clone()),
            None => builder.finish().map_err(|error| error.to_string()),
        }
        .map(|heap| (heap.total_bytes(), analysis::analyse(&heap, self.settings.explain)));
        self.evidence.add_snapshot(Snapshot {
            at_s: done.at_ms as f64 / 1000.0,
            kind: "capture",
            method: Some("tags"),
            identity: Some("tag"),
            objects: Some(counts.0),
            marked: None,
            references: Some(counts.1),
            heap_bytes: analysed.as_ref().ok().map(|(bytes, _)| *bytes),
            pause_ms: done.pause_ms,
            analysis_ms: None,
            failure: analysed.as_ref().err().cloned(),
        });
        match analysed {
            Ok((_, findings)) => {
                self.schedule.captured();
                let install = self.install(done.snapshot, &findings);
                self.findings = Some(findings);
                vec![install]
            }
            Err(reason) => {
                self.schedule.capture_failed(done.at_ms);
                self.problem(format!("a capture was thrown away: {reason}"));
                Vec::new()
            }
        }
    }

    fn install(&self, snapshot: SnapshotId, findings: &Findings) -> ToAgent {
        ToAgent::InstallProbes {
            snapshot,
            tick_ms: self.schedule.tick_ms,
            probes: findings.probes.clone(),
            keep_tags: false,
        }
    }

    fn probes_installed(&mut self, results: &[ProbeInstalled]) {
        for result in results {
            let probe = self.our_probe(result.probe);
            if let Some(region) = self.findings.as_mut().and_then(|findings| findings.region_of(probe)) {
                region.tracked.fate = match &result.failure {
                    None => crate::tracking::Fate::Followed,
                    Some(reason) => crate::tracking::Fate::Untracked(reason.clone()),
                };
            }
        }
    }

    /// Takes in a visit; a new trend changes the sample bias.
    fn probe_report(&mut self, report: &ProbeReport) -> Vec<ToAgent> {
        self.evidence.pass(report.at_ms);
        let probe = self.our_probe(report.probe);
        let Some(region) = self.findings.as_mut().and_then(|findings| findings.region_of(probe)) else {
            return Vec::new();
        };
        let changed = region.tracked.observe(report);
        match region.tracked.trend().filter(|_| changed) {
            Some(trend) => vec![ToAgent::SetBias { biases: vec![(probe, bias_for(trend))] }],
            None => Vec::new(),
        }
    }

    fn our_probe(&self, probe: ProbeId) -> ProbeId {
        self.recorded_probes.get(&probe).copied().unwrap_or(probe)
    }
}

/// Which of our probes each recorded probe is: the one with the same owner that counts the same class.
fn match_probes(recorded: &[ProbeSpec], ours: &[ProbeSpec]) -> HashMap<ProbeId, ProbeId> {
    let counted = |spec: &ProbeSpec| spec.places.iter().find(|place| place.counts).map(|place| place.class);
    let same = |theirs: &ProbeSpec| {
        ours.iter().find(|own| own.owner == theirs.owner && counted(own) == counted(theirs)).map(|own| own.probe)
    };
    // A recorded probe that we have no region for must not be taken for another: it maps to a number we never use.
    recorded.iter().map(|theirs| (theirs.probe, same(theirs).unwrap_or(ProbeId(u32::MAX)))).collect()
}
