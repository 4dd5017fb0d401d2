//! One JVM from its Hello to its Goodbye: the engine between messages and report.
//!
//! No input or output, no clock: messages and the agent's own time come in, commands go out, and [`Session::report`]
//! returns at any moment the known facts. A recording fed through it gives the same report.

mod analysis;
mod around;
mod contained;
mod counts;
mod cycle;
mod dropped;
mod dumps;
mod earlier;
mod evidence;
mod explained_growth;
mod findings;
mod followed;
mod forecast;
mod found_region;
mod heads;
#[cfg(test)]
mod heads_tests;
mod history;
mod log;
mod methods;
mod native;
mod new_classes;
mod peers;
mod ranked;
mod recapture;
mod receipts;
mod request;
mod rising;
mod room;
mod rows;
mod sampling;
mod schedule;
mod snapshots;
mod structures;
mod summary;
mod unattended;
mod weakly_held;

pub use dumps::{DumpFacts, Dumps};
pub use request::{RequestOutcome, RequestRefusal};
pub use structures::GrowthSettings;

use crate::heap::HeapBuilder;
use crate::regions::BufferLengths;
use crate::report::{Jvm, Report, SnapshotKind, StopKind};
use crate::tracking::{Fate, Untracked};
use analysis::Findings;
use counts::Counts;
use cycle::{Cycle, Incoming, Occasion};
use evidence::Evidence;
use forecast::Costs;
use log::{Log, Visited};
use recapture::{Recapture, Sight};
use rootbound_wire::ids::ProbeId;
use rootbound_wire::message::{
    AllocationSites, CaptureMethod, CounterDropped, FromAgent, GoodbyeReason, ProbeInstalled, ProbeReport, ProbeSpec,
    SnapshotRequest, ToAgent, VisitOutcome,
};
use sampling::Sampling;
use schedule::Schedule;
use snapshots::Marks;
use std::collections::HashMap;
use std::time::Duration;
use structures::StructureGrowth;
use unattended::Unattended;

/// Options of the user; `None` means the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Time of T1 after the agent's start.
    pub mark_after: Option<Duration>,
    /// Time of T2 after T1.
    pub capture_after: Option<Duration>,
    /// Time between two visits of any probes.
    pub tick: Option<Duration>,
    /// Duration of the run.
    pub run_for: Option<Duration>,
    /// Fill in the explanations of leak roots.
    pub explain: bool,
    /// Keep soft references as edges.
    pub keep_soft: bool,
    /// The one method of capture to use; `None`: the one that the program feels least.
    pub capture: Option<CaptureMethod>,
    /// Mark by an iteration over the heap, at most this number of objects.
    pub mark_budget: Option<u32>,
    /// Cause no pause that is forecast to be longer.
    pub max_pause: Option<Duration>,
    /// Capture again and again.
    pub recapture_every: Option<Duration>,
    /// Forecast what a capture costs, and capture nothing.
    pub dry_run: bool,
    /// Never sample the allocations of growers' members.
    pub no_allocation_sites: bool,
    /// Report the growth of data structures, too.
    pub growth: Option<GrowthSettings>,
    /// The messages come from a recording, and so do the commands that the recorded analyzer sent.
    pub replays: bool,
    /// Only captures count: those of several recordings are joined.
    pub joins: bool,
}

/// The least `run_for` that leaves time for a verdict with these settings, in whole seconds. The value of `run_for` in
/// `settings` does not matter.
#[must_use]
pub fn least_run_for(settings: &Settings) -> Duration {
    Schedule::least_run_for(settings, VERDICT_AFTER)
}

/// Time after the second snapshot at which there is a verdict, whatever is watched.
pub const VERDICT_AFTER: Duration = Duration::from_secs(20);

/// Milliseconds between two checks for a reason to capture again.
const LOOK_EVERY_MS: u64 = 1_000;
/// Milliseconds for which growth is doubted that a capture may show to wait for the collector: a mark, a capture and
/// its analysis take less.
const DOUBT_MS: u64 = 60_000;
/// Milliseconds for which the findings of a capture must be watched to mean anything.
const WORTH_WATCHING_MS: u64 = 8_000;

/// State of the end of the session.
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
    recapture: Recapture,
    sampling: Sampling,
    cycle: Cycle,
    costs: Costs,
    /// Whether forks leave nothing out any more, because one that did was at fault.
    forks_whole: bool,
    incoming: Option<Incoming>,
    marks: Marks,
    /// Lengths of buffers at the latest capture.
    lengths: BufferLengths,
    next_probe: u32,
    next_look_ms: u64,
    /// Time at which the JVM connected, by the agent's clock.
    met_ms: Option<u64>,
    findings: Option<Findings>,
    /// Counts by place in the captures so far.
    counts: Counts,
    /// Data structures, if their growth is wanted.
    structures: Option<StructureGrowth>,
    /// The last visits.
    log: Log,
    /// Probe ids of a recording whose analyzer numbered probes differently.
    recorded_probes: HashMap<ProbeId, ProbeId>,
    /// In replay: the snapshot on request to which the next survey leads.
    replayed: Option<SnapshotRequest>,
    ending: Ending,
    /// For a recording that no analyzer has given commands for.
    unattended: Option<Unattended>,
}

impl Session {
    /// Creates a session without any observation.
    pub fn new(settings: Settings) -> Self {
        let (schedule, recapture) = (Schedule::new(&settings), Recapture::new(&settings));
        let sampling = Sampling::new(settings.no_allocation_sites);
        let unattended = (settings.replays || settings.joins).then(|| Unattended::new(settings.explain));
        let structures = settings.growth.as_ref().map(StructureGrowth::new);
        Self {
            settings,
            unattended,
            schedule,
            evidence: Evidence::default(),
            recapture,
            sampling,
            cycle: Cycle::default(),
            costs: Costs::default(),
            forks_whole: false,
            incoming: None,
            marks: Marks::None,
            lengths: BufferLengths::default(),
            next_probe: 0,
            next_look_ms: 0,
            met_ms: None,
            findings: None,
            counts: Counts::default(),
            structures,
            log: Log::default(),
            recorded_probes: HashMap::new(),
            replayed: None,
            ending: Ending::Running,
        }
    }

    /// Processes one message of the agent; returns the commands to send, in order.
    pub fn receive(&mut self, message: FromAgent) -> Vec<ToAgent> {
        match message {
            FromAgent::Hello(hello) => {
                self.begin_life(&hello);
                self.costs = Costs::of_collector(&hello.gc);
                self.schedule.capable = hello.incapable.is_none();
                if let Some(reason) = hello.incapable {
                    self.problem(format!("this JVM cannot be captured: {reason}"));
                }
                self.evidence.jvm = Some(Jvm { pid: hello.pid, vm: hello.vm, gc: hello.gc, main: hello.main });
            }
            FromAgent::Survey(survey) => return self.surveyed(survey),
            FromAgent::MarkDone(done) => return self.mark_done(&done),
            FromAgent::CaptureStarted { snapshot, at_ms, method } => self.capture_started(snapshot, at_ms, method),
            FromAgent::Graph(chunk) => self.build(|heap| heap.graph(&chunk)),
            FromAgent::Objects(records) => self.build(|heap| heap.objects(&records)),
            FromAgent::References(records) => self.build(|heap| heap.references(&records)),
            FromAgent::Roots(records) => self.build(|heap| heap.roots(&records)),
            FromAgent::Classes(records) => self.build(|heap| heap.classes(records)),
            FromAgent::Threads(records) => self.build(|heap| heap.threads(records)),
            FromAgent::Methods(records) => self.build(|heap| heap.methods(records)),
            FromAgent::CaptureDone(done) => return self.capture_done(&done),
            FromAgent::GcFinished(gc) => {
                self.evidence.pass(gc.at_ms);
                self.evidence.native.collected();
                self.evidence.heap.observe(gc.at_ms, gc.used_bytes, gc.max_bytes);
            }
            FromAgent::ProbesInstalled { at_ms, results, pause_ms } => {
                self.evidence.pass(at_ms);
                self.evidence.add_stop(receipts::stop(at_ms, StopKind::Owners, pause_ms));
                self.probes_installed(&results);
            }
            FromAgent::ProbeReport(report) => return self.probe_report(&report),
            FromAgent::CounterDropped(dropped) => self.counter_dropped(&dropped),
            FromAgent::Heartbeat(beat) => {
                self.evidence.pass(beat.at_ms);
                self.evidence.dropped_events = beat.dropped_events;
                self.evidence.tags_standing = Some(beat.tags_standing);
                self.evidence.member_tags = Some(beat.member_tags);
            }
            FromAgent::Platform(sample) => {
                self.evidence.pass(sample.at_ms);
                let is_warm = self.evidence.captures().next().is_some();
                self.evidence.native.observe(&sample, is_warm);
            }
            FromAgent::AllocationSites(sites) => self.allocation_sites(&sites),
            FromAgent::HeadsHeld(held) => self.heads_held(&held),
            FromAgent::HeadsRead(read) => self.heads_read(read),
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

    /// Advances time: asks for a survey when a snapshot is due, or when another one seems worth it. `agent_now_ms` is
    /// the agent's time.
    pub fn advance(&mut self, agent_now_ms: u64) -> Vec<ToAgent> {
        if self.evidence.jvm.is_none() || self.ending != Ending::Running {
            return Vec::new();
        }
        self.met_ms.get_or_insert(agent_now_ms);
        self.evidence.pass(agent_now_ms);
        let is_survey_due = self.looks_again(agent_now_ms)
            || self.wants_state(agent_now_ms)
            || self.wants_count(agent_now_ms)
            || self.schedule.survey_due(agent_now_ms);
        let mut commands = if is_survey_due { self.begin_survey() } else { Vec::new() };
        commands.extend(self.sample_allocations(agent_now_ms));
        commands
    }

    /// In replay: takes in a command that the recorded analyzer had sent. Its probes may have had other numbers than
    /// ours.
    pub fn recorded_command(&mut self, command: ToAgent) {
        if self.settings.joins {
            return;
        }
        self.unattended = None;
        match command {
            ToAgent::InstallProbes { probes, keep_tags, .. } => {
                self.replayed_install(keep_tags);
                if let Some(findings) = &self.findings {
                    self.recorded_probes.extend(match_probes(&probes, &findings.probes));
                }
            }
            ToAgent::Requested(request) => self.replayed_request(request),
            ToAgent::Survey => self.replayed_survey(),
            ToAgent::HoldHeads { .. } => {
                self.structures.iter_mut().for_each(|structures| structures.heads.recorded(&command));
            }
            _ => {}
        }
    }

    /// Records how long the analysis of the last capture took, as measured by the live loop.
    pub fn note_analysis_time(&mut self, ms: f64) {
        if let Some(last) = self.evidence.snapshots.last_mut().filter(|last| last.kind == SnapshotKind::Capture) {
            last.analysis_ms = Some(ms);
        }
    }

    /// Records that the JVM or its agent vanished without Goodbye.
    pub fn connection_lost(&mut self) {
        if self.ending == Ending::Running {
            self.ending = Ending::Lost;
            let problem = match self.unattended {
                Some(_) => "the recording ends before the program did: it was killed, or went on",
                None => "the connection to the JVM broke: it was killed, or its agent failed",
            };
            self.problem(problem.to_owned());
        }
    }

    /// Adds a problem for people to read to the report.
    pub fn problem(&mut self, text: String) {
        self.evidence.add_problem(text);
    }

    /// Whether nothing more is to be waited for: a dry run has its forecast.
    pub fn is_done(&self) -> bool {
        self.schedule.is_dry_run_over()
    }

    /// Whether the agent has said Goodbye or the connection is lost.
    pub fn is_over(&self) -> bool {
        self.ending != Ending::Running
    }

    /// The report at this moment.
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
        if let Some(incoming) = &mut self.incoming {
            add(&mut incoming.heap);
        }
    }

    /// Whether there is a reason for another capture.
    fn looks_again(&mut self, now_ms: u64) -> bool {
        if !self.schedule.is_tracking() || now_ms < self.next_look_ms {
            return false;
        }
        self.next_look_ms = now_ms + LOOK_EVERY_MS;
        if let Some(findings) = &mut self.findings {
            findings.lapse(now_ms as f64 / 1000.0);
        }
        let latest = self.evidence.captures().next_back();
        let sight = Sight {
            explained: summary::explained(self),
            is_growth_unknown: self.evidence.heap.may_grow_unseen(),
            growers: self.findings.as_ref().map_or(0, |findings| findings.growers().len()),
            maybe_cleared: self.findings.as_ref().map_or(0, Findings::maybe_cleared),
            lost: self.findings.as_ref().map_or(0, Findings::lost),
            unfollowed: self.findings.as_ref().map_or(0, |findings| findings.unfollowed().len()),
            is_time_left: self.is_time_left(now_ms),
            was_being_built: self.evidence.heap.was_being_built(),
            fork_pause_ms: latest.filter(|snapshot| snapshot.is_forked()).map(|snapshot| snapshot.pause_ms),
        };
        let occasion = self.recapture.due(now_ms, sight);
        self.cycle.occasion = occasion.map(Occasion::Again).or(self.cycle.occasion);
        let is_begun = occasion.is_some() && self.schedule.begin_again(now_ms, self.marks.stand());
        if let Some(findings) = self.findings.as_mut().filter(|_| is_begun && occasion == Some(recapture::MAY_WAIT)) {
            findings.doubt_cleared((now_ms + DOUBT_MS) as f64 / 1000.0);
        }
        is_begun
    }

    fn run_for_ms(&self) -> Option<u64> {
        self.settings.run_for.map(|run_for| u64::try_from(run_for.as_millis()).unwrap_or(u64::MAX))
    }

    /// The end of the run by the agent's clock, if it is known.
    fn end_ms(&self) -> Option<u64> {
        Some(self.met_ms?.saturating_add(self.run_for_ms()?))
    }

    /// Whether a mark and a capture from now on, which take as long as the latest capture did, would leave time to
    /// watch their findings.
    fn is_time_left(&self, now_ms: u64) -> bool {
        let needed_ms = self.schedule.capture_after_ms + self.latest_capture_ms() as u64 + WORTH_WATCHING_MS;
        self.end_ms().is_none_or(|end_ms| now_ms + needed_ms <= end_ms)
    }

    /// Milliseconds that the latest capture took, from the fork to the findings; 0 before the first.
    fn latest_capture_ms(&self) -> f64 {
        self.evidence.captures().next_back().map_or(0.0, |capture| {
            capture.child.map_or(0.0, |child| child.lifetime_ms) + capture.analysis_ms.unwrap_or_default()
        })
    }

    /// Asks for the allocation sites of growers' members, when it is time.
    fn sample_allocations(&mut self, now_ms: u64) -> Option<ToAgent> {
        let findings = self.findings.as_ref().filter(|_| self.schedule.is_tracking())?;
        self.sampling.due(now_ms, findings.growers())
    }

    fn allocation_sites(&mut self, sites: &AllocationSites) {
        self.evidence.pass(sites.at_ms);
        if let Some(text) = self.sampling.reported(sites) {
            self.problem(text);
        }
        for reported in &sites.probes {
            let probe = self.our_probe(reported.probe);
            if let Some(region) = self.findings.as_mut().and_then(|findings| findings.region_of(probe)) {
                region.sites.take(reported, sites.is_over);
            }
        }
    }

    fn probes_installed(&mut self, results: &[ProbeInstalled]) {
        for result in results {
            let probe = self.our_probe(result.probe);
            if let Some(region) = self.findings.as_mut().and_then(|findings| findings.region_of(probe)) {
                region.tracked.fate = match &result.failure {
                    None => Fate::Followed,
                    Some(reason) => Fate::Untracked(Untracked::Unreadable(reason.clone())),
                };
            }
        }
        let unfollowed = self.findings.as_ref().map(Findings::unfollowed);
        unfollowed.into_iter().flatten().for_each(|text| self.problem(text));
    }

    /// Takes in a visit; a new trend changes the sample bias.
    fn probe_report(&mut self, report: &ProbeReport) -> Vec<ToAgent> {
        self.evidence.pass(report.at_ms);
        let probe = self.our_probe(report.probe);
        let Some(findings) = &mut self.findings else { return Vec::new() };
        let size_before = findings.region_of(probe).and_then(|region| region.tracked.latest_size());
        let bias = findings.observe(probe, report, self.evidence.heap.max_bytes());
        if let Some(region) = findings.region_of(probe) {
            let size = match &report.outcome {
                VisitOutcome::Seen(sighting) => Some(sighting.size).filter(|_| region.tracked.is_possible(sighting)),
                VisitOutcome::OwnerGone | VisitOutcome::Failed(_) => None,
            };
            self.log.note(&Visited {
                at_s: report.at_ms as f64 / 1000.0,
                probe,
                region: region.fingerprint,
                size,
                size_before,
                trend: region.trend(),
                bias: bias.unwrap_or(report.bias),
            });
        }
        bias.map(|bias| ToAgent::SetBias { biases: vec![(probe, bias)] }).into_iter().collect()
    }

    fn counter_dropped(&mut self, dropped: &CounterDropped) {
        self.evidence.pass(dropped.at_ms);
        let probe = self.our_probe(dropped.probe);
        if let Some(region) = self.findings.as_mut().and_then(|findings| findings.region_of(probe)) {
            region.plan.drop_counter(usize::from(dropped.counter));
        }
    }

    fn our_probe(&self, probe: ProbeId) -> ProbeId {
        self.recorded_probes.get(&probe).copied().unwrap_or(probe)
    }
}

/// Maps recorded probes to ours: the one with the same owner and route, otherwise one with the same owner that counts
/// the same class.
fn match_probes(recorded: &[ProbeSpec], ours: &[ProbeSpec]) -> HashMap<ProbeId, ProbeId> {
    let counted = |spec: &ProbeSpec| spec.places.iter().find(|place| place.counts).map(|place| place.class);
    let same = |theirs: &ProbeSpec| {
        let of_owner = || ours.iter().filter(|own| own.owner == theirs.owner);
        let by_route = of_owner().find(|own| own.places == theirs.places);
        by_route.or_else(|| of_owner().find(|own| counted(own) == counted(theirs))).map(|own| own.probe)
    };
    // A recorded probe without a region of ours must not be taken for another: it maps to a number that we never use.
    recorded.iter().map(|theirs| (theirs.probe, same(theirs).unwrap_or(ProbeId(u32::MAX)))).collect()
}
