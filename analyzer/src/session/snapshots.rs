//! Marks and captures, from the survey to regions: asks for them by the least felt method, proves and analyses the
//! records, and falls back with the reason kept.

use super::analysis::{self, Analysed, Beside, Choice, Findings, Wish};
use super::contained::{Panicked, contained};
use super::counts::Counted;
use super::cycle::Incoming;
use super::earlier::Followed;
use super::new_classes::live_classes;
use super::schedule::Purpose;
use super::weakly_held::Looks;
use super::{Session, methods, receipts};
use crate::graph::Owned;
use crate::heap::{Heap, HeapError, MarkTable};
use crate::marking::{Limits, Selection};
use crate::report::{Forecast, MethodForecast, Snapshot};
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{CaptureDone, CaptureFault, CaptureMethod, MarkDone, Survey, ToAgent};

/// Marks by paths: each costs the program's young collections some nanoseconds while it stands. A heap of few objects
/// is marked wholly, so that all ages are exact.
const PATH_MARKS: usize = 8_000;
const WHOLE_HEAP: usize = 150_000;
/// Chosen objects of which a larger share was not found again make no marks: few objects are collected or move within
/// seconds.
const MOST_MISSED: f64 = 0.5;
/// A pause is given up at twice its forecast, but not before this number of milliseconds unless less is allowed.
const LEAST_ABORT_MS: f64 = 250.0;
/// A child is given ten times its forecast, but not less than this.
const LEAST_DEADLINE_MS: f64 = 30_000.0;
/// The choice of marks is random, and the same in every replay.
const SEED: u64 = 1;

/// Marks in the JVM that distinguish old objects from new ones.
#[derive(Debug, Default)]
pub(super) enum Marks {
    /// None: marks are chosen from the next capture.
    #[default]
    None,
    /// Chosen, and being set.
    Chosen(Box<Chosen>),
    /// Set: by paths, with the weights of the marks; or by an iteration, where each mark has its weight itself.
    Standing(Option<MarkTable>),
}

/// A choice of marks that the agent has been asked to set.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) selection: Selection,
    /// The capture from which it was made, for the report.
    made_from: Snapshot,
    /// Whether regions were found in that capture, too.
    is_also_regions: bool,
}

impl Marks {
    pub(super) fn stand(&self) -> bool {
        matches!(self, Self::Standing(_))
    }

    /// Whether marks are set or about to be set, so that another capture is to come.
    pub(super) fn are_wanted(&self) -> bool {
        !matches!(self, Self::None)
    }

    fn table(&self) -> Option<&MarkTable> {
        match self {
            Self::Standing(table) => table.as_ref(),
            Self::None | Self::Chosen(_) => None,
        }
    }
}

impl Session {
    /// Takes in a survey: determines the obstacle of each method, and the advice.
    pub(super) fn surveyed(&mut self, survey: Survey) -> Vec<ToAgent> {
        self.evidence.pass(survey.at_ms);
        self.evidence.heap.survey(survey.max_bytes);
        let Some(purpose) = self.schedule.surveyed() else { return Vec::new() };
        let candidates = methods::candidates(&self.settings, &survey, &self.costs);
        self.evidence.forecast = Some(forecast(&survey, &candidates, self.costs.objects(&survey)));
        self.cycle.begin(survey, &candidates);
        if self.settings.dry_run {
            self.schedule.end_dry_run();
            return Vec::new();
        }
        if self.cycle.first().is_none() {
            self.problem(methods::advice(&candidates));
            self.schedule.give_up();
            return Vec::new();
        }
        match purpose {
            Purpose::Mark if !self.marks_by_capture() => self.mark_by_iteration(),
            Purpose::State if !self.may_capture_state() => {
                self.state_failed();
                Vec::new()
            }
            Purpose::Mark | Purpose::Regions | Purpose::State => self.try_next(purpose),
        }
    }

    /// Whether marks are chosen from a capture; too expensive unless it is made by a fork.
    fn marks_by_capture(&self) -> bool {
        self.settings.mark_budget.is_none() && self.cycle.first() == Some(CaptureMethod::Fork)
    }

    fn mark_by_iteration(&mut self) -> Vec<ToAgent> {
        let budget = methods::iteration_marks(&self.settings);
        let pause_ms = self.costs.iteration_ms(budget, &self.cycle.survey);
        let impossible = self.cycle.survey.iteration.obstacle.clone();
        if let Some(obstacle) = impossible.or_else(|| methods::too_long(&self.settings, pause_ms)) {
            let forks = match &self.cycle.reasons[..] {
                [] => String::new(),
                reasons => format!(", or remove what stands in the way of a fork ({})", reasons.join("; ")),
            };
            self.problem(format!(
                "the objects that exist may not be marked by an iteration: {obstacle}; allow a longer stop{forks}"
            ));
            self.schedule.give_up();
            return Vec::new();
        }
        self.schedule.marking(self.evidence.now_ms);
        let abort_after_ms = self.abort_after_ms(pause_ms);
        vec![ToAgent::Mark { snapshot: self.schedule.name_snapshot(), budget, abort_after_ms }]
    }

    /// Marks by an iteration what could not be marked by paths. Where that is refused the paths are tried again later:
    /// a program that has just replaced most of its objects need not do so each time.
    fn mark_otherwise(&mut self) -> Vec<ToAgent> {
        let commands = self.mark_by_iteration();
        if commands.is_empty() {
            self.schedule.failed(Purpose::Mark, self.evidence.now_ms);
        }
        commands
    }

    /// Asks for a capture by the next method.
    fn try_next(&mut self, purpose: Purpose) -> Vec<ToAgent> {
        let Some(forecast) = self.cycle.next() else {
            self.problem(format!("a capture was thrown away: {}", self.cycle.reasons.join("; ")));
            self.schedule.failed(purpose, self.evidence.now_ms);
            return Vec::new();
        };
        self.schedule.capturing(purpose);
        let forks = forecast.method == CaptureMethod::Fork;
        vec![ToAgent::Capture {
            snapshot: self.schedule.name_snapshot(),
            method: forecast.method,
            abort_after_ms: if forks { 0 } else { self.abort_after_ms(forecast.pause_ms) },
            deadline_ms: whole_ms((10.0 * forecast.duration_ms).max(LEAST_DEADLINE_MS)),
            leave_out: !self.forks_whole,
        }]
    }

    /// Milliseconds at which a pause of that forecast is given up: twice the forecast, and never beyond the allowed
    /// pause.
    fn abort_after_ms(&self, forecast_ms: f64) -> u32 {
        let twice = whole_ms((2.0 * forecast_ms).max(LEAST_ABORT_MS));
        match self.most_stop_ms() {
            0 => twice,
            most => most.min(twice),
        }
    }

    /// The longest allowed pause in milliseconds; 0: any.
    pub(super) fn most_stop_ms(&self) -> u32 {
        self.settings.max_pause.map_or(0, |most| whole_ms(most.as_secs_f64() * 1e3).max(1))
    }

    /// Records of a capture are about to come.
    pub(super) fn capture_started(&mut self, snapshot: SnapshotId, at_ms: u64, method: CaptureMethod) {
        self.evidence.pass(at_ms);
        let mut heap = self.new_heap();
        if let Some(table) = self.marks.table() {
            heap.marked_by(table.clone());
        }
        self.incoming = Some(Incoming { snapshot, at_ms, method, heap });
    }

    /// Ends the capture: from records to marks, or to regions and probes.
    pub(super) fn capture_done(&mut self, done: &CaptureDone) -> Vec<ToAgent> {
        self.evidence.pass(done.at_ms);
        let Some(incoming) = self.incoming.take().filter(|incoming| incoming.snapshot == done.snapshot) else {
            return Vec::new();
        };
        let method = incoming.method;
        self.evidence.add_stop(receipts::stop_of_capture(done, method));
        if done.fault == Some(CaptureFault::Thinned) {
            return Vec::new();
        }
        let references = incoming.heap.reference_count() as u64;
        let begun_s = incoming.at_ms as f64 / 1000.0;
        self.counts.begin(begun_s);
        match whole(incoming, done) {
            Ok(heap) => {
                self.costs.learn(method, &self.cycle.survey, done, heap.object_count() as u64);
                let references = if done.references > 0 { done.references } else { references };
                let entry = Snapshot { references: Some(references), ..receipts::capture(done, method) };
                let snapshot = self.described(entry, &heap);
                if self.schedule.captured() == Some(Purpose::State) {
                    return self.add_state((done.snapshot, snapshot.at_s), &heap, snapshot);
                }
                // Not in a state: a capture may enter no mirror of a class that only its loader holds. Over the long
                // time that counts take, live classes would seem too few.
                self.evidence.native.captured(snapshot.at_s, live_classes(&heap));
                if self.unattended.is_some() {
                    self.keep_capture(begun_s, heap, snapshot);
                    Vec::new()
                } else if self.marks.stand() {
                    self.find_regions(done, &heap, snapshot)
                } else {
                    self.choose_marks(&heap, snapshot, done)
                }
            }
            Err(error) => self.capture_failed(done, method, &error.to_string()),
        }
    }

    fn described(&self, snapshot: Snapshot, heap: &Heap) -> Snapshot {
        Snapshot {
            objects: Some(heap.object_count() as u64),
            heap_bytes: Some(heap.total_bytes()),
            forecast_ms: self.cycle.tried.map(|forecast| forecast.pause_ms),
            reason: self.cycle.reason(),
            on_request: self.cycle.is_on_request(),
            ..snapshot
        }
    }

    fn capture_failed(&mut self, done: &CaptureDone, method: CaptureMethod, reason: &str) -> Vec<ToAgent> {
        let (failure, on_request) = (Some(reason.to_owned()), self.cycle.is_on_request());
        self.evidence.add_snapshot(Snapshot { failure, on_request, ..receipts::capture(done, method) });
        self.cycle.failed(reason, done.fault);
        if done.fault == Some(CaptureFault::TooLong) {
            self.costs.give_up();
        }
        // A child that left out parts of the heap and failed, or did not prove itself, may have left out too much.
        let was_at_fault = matches!(done.fault, None | Some(CaptureFault::ChildDied));
        self.forks_whole |= was_at_fault && done.child.is_some_and(|child| child.left_out_bytes > 0);
        match self.schedule.captured() {
            Some(Purpose::Mark) if self.marks_by_capture() => self.try_next(Purpose::Mark),
            Some(Purpose::Mark) => {
                self.problem(format!("marks are set by an iteration, since a capture was thrown away: {reason}"));
                self.mark_by_iteration()
            }
            Some(Purpose::Regions) => self.try_next(Purpose::Regions),
            Some(Purpose::State) if self.may_capture_state() => self.try_next(Purpose::State),
            Some(Purpose::State) => {
                self.state_failed();
                Vec::new()
            }
            None => {
                self.problem(format!("a capture was thrown away: {reason}"));
                Vec::new()
            }
        }
    }

    /// Limits of marks. Even an iteration that reports next to nothing is a pause, the shortest that there is.
    fn limits(&self, heap: &Heap) -> Limits {
        let budget = if heap.object_count() <= WHOLE_HEAP { WHOLE_HEAP } else { PATH_MARKS };
        let pause_ms = self.costs.iteration_ms(Some(0), &self.cycle.survey);
        let may_iterate = methods::too_long(&self.settings, pause_ms).is_none();
        Limits { budget, seed: SEED, may_iterate }
    }

    fn choose_marks(&mut self, heap: &Heap, made_from: Snapshot, done: &CaptureDone) -> Vec<ToAgent> {
        let limits = self.limits(heap);
        let (state, mut failure) = ((done.snapshot, made_from.at_s), None);
        let (known_growers, asked) = (self.known_growers(), self.weakly_held());
        let (structures, counts) = (&mut self.structures, &mut self.counts);
        let (mut counted, mut looks) = (Ok(Counted::default()), Ok(Looks::default()));
        let choice = analysis::choose(heap, done.snapshot, limits, |owned, selection| {
            let take = || structures.as_mut().map(|structures| structures.take(heap, owned, state, &selection.objects));
            failure = contained(take).err();
            counted = contained(|| counts.take(heap, owned, &known_growers, false));
            looks = contained(|| Looks::new(owned.of(heap), &asked));
        });
        self.take_counted(counted);
        self.take_looks(looks);
        if let Some(panic) = failure {
            self.structures_failed(&panic.to_string());
        }
        let Choice { selection, paths, lengths, reached_bytes } = choice;
        self.lengths = lengths;
        self.evidence.heap.begin_capture(made_from.at_s, reached_bytes);
        let plan = selection.plan.clone();
        self.marks = Marks::Chosen(Box::new(Chosen { selection, made_from, is_also_regions: false }));
        self.schedule.marking(self.evidence.now_ms);
        let mark = ToAgent::MarkPaths { snapshot: done.snapshot, plan, most_stop_ms: self.most_stop_ms() };
        self.hold_heads(heap, done.snapshot, Some(&paths)).into_iter().chain([mark]).collect()
    }

    fn find_regions(&mut self, done: &CaptureDone, heap: &Heap, snapshot: Snapshot) -> Vec<ToAgent> {
        // A replay learns only later whether marks were chosen from this capture, too.
        let again = self.recapture.is_regular() && snapshot.is_forked() || self.settings.replays;
        let limits = self.limits(heap);
        let growers = self.findings.as_ref().map(Findings::growing).unwrap_or_default();
        let followed = self.findings.as_ref().map(|known| Followed::owners(&known.regions)).unwrap_or_default();
        let weakly_held = self.weakly_held();
        let wish = Wish {
            explain: self.settings.explain,
            first_probe: self.next_probe,
            marks: again.then_some((done.snapshot, limits)),
            keeps_paths: self.structures.is_some(),
            may_iterate: limits.may_iterate,
            lengths: &self.lengths,
            growers: &growers,
            followed: &followed,
            weakly_held: &weakly_held,
        };
        let (mut structures, state) = (self.structures.take(), (done.snapshot, snapshot.at_s));
        let mut counted = Ok(Counted::default());
        let known_growers = self.known_growers();
        let counts = &mut self.counts;
        // Where all objects are marked, every one that is new is known.
        let is_sampled = heap.object_count() > limits.budget;
        let take = |owned: &Owned| {
            counted = contained(|| counts.take(heap, owned, &known_growers, is_sampled));
            let rising = counted.as_mut().ok().and_then(|counted| counted.rising.take());
            let owners = structures.as_mut().and_then(|structures| structures.take(heap, owned, state, &[]));
            Beside { owners, rising }
        };
        let analysed = contained(|| analysis::analyse(heap, &wish, take));
        self.structures = structures;
        let Analysed { findings, selection, paths, lengths, reached_bytes, gained } = match analysed {
            Ok(analysed) => analysed,
            Err(panic) => return self.analysis_failed(done, snapshot, &panic),
        };
        self.lengths = lengths;
        self.next_probe += findings.probes.len() as u32;
        self.evidence.add_snapshot(snapshot.clone());
        self.evidence.heap.end_capture(snapshot.at_s, reached_bytes, gained);
        self.schedule.tracking();
        self.recapture.captured(done.at_ms);
        let (findings, keep) = match self.findings.take() {
            Some(known) => known.renewed_by(findings),
            None => (findings, Vec::new()),
        };
        let probes = findings.probes.clone();
        self.findings = Some(findings);
        self.take_counted(counted);
        let tick_ms = self.schedule.tick_ms;
        let keep_tags = selection.is_some();
        let (snapshot_of, most_stop_ms) = (done.snapshot, self.most_stop_ms());
        let mut commands: Vec<ToAgent> = self.hold_heads(heap, snapshot_of, paths.as_ref()).into_iter().collect();
        commands.push(ToAgent::InstallProbes { snapshot: snapshot_of, tick_ms, probes, keep, keep_tags, most_stop_ms });
        self.marks = match selection {
            None => Marks::None,
            Some(selection) => {
                self.evidence.heap.begin_capture(snapshot.at_s, reached_bytes);
                commands.push(ToAgent::MarkPaths { snapshot: snapshot_of, plan: selection.plan.clone(), most_stop_ms });
                Marks::Chosen(Box::new(Chosen { selection, made_from: snapshot, is_also_regions: true }))
            }
        };
        commands
    }

    /// Keeps only the regions that were followed before.
    fn analysis_failed(&mut self, done: &CaptureDone, snapshot: Snapshot, panic: &Panicked) -> Vec<ToAgent> {
        let failure = format!("the capture could not be analysed, which is a defect of rootbound: {panic}");
        self.evidence.add_snapshot(Snapshot { failure: Some(failure.clone()), ..snapshot });
        self.problem(failure);
        self.schedule.tracking();
        self.marks = Marks::None;
        let known = self.findings.iter().flat_map(|findings| &findings.regions);
        let (keep, tick_ms) = (known.filter_map(|region| region.probe).collect(), self.schedule.tick_ms);
        let most_stop_ms = self.most_stop_ms();
        let (snapshot, probes) = (done.snapshot, Vec::new());
        vec![ToAgent::InstallProbes { snapshot, tick_ms, probes, keep, keep_tags: false, most_stop_ms }]
    }

    /// Takes in the result of marking.
    pub(super) fn mark_done(&mut self, done: &MarkDone) -> Vec<ToAgent> {
        self.evidence.pass(done.at_ms);
        let chosen = match std::mem::take(&mut self.marks) {
            Marks::Chosen(chosen) => Some(chosen),
            Marks::None | Marks::Standing(_) => None,
        };
        self.evidence.add_stop(receipts::stop_of_mark(done, chosen.is_some()));
        let on_request = self.cycle.is_on_request();
        let entry = Snapshot { on_request, ..receipts::mark(done, chosen.is_some()) };
        let failure = done.failure.clone().or_else(|| too_few(chosen.as_deref()?, done));
        if let Some(reason) = failure {
            self.evidence.add_snapshot(Snapshot { failure: Some(reason.clone()), ..entry });
            self.problem(format!("marks were not set: {reason}"));
            let first_cycle = !self.schedule.is_tracking();
            return match chosen {
                Some(_) if first_cycle => self.mark_otherwise(),
                // An iteration is the last method.
                None => {
                    self.mark_failed(first_cycle, done.at_ms);
                    Vec::new()
                }
                Some(_) => Vec::new(),
            };
        }
        self.schedule.marked(done.at_ms);
        self.marks = Marks::Standing(chosen.as_ref().map(|chosen| chosen.selection.table(&done.missed)));
        self.evidence.add_snapshot(match chosen {
            Some(chosen) => of_chosen(entry, &chosen.made_from),
            None => Snapshot { reason: self.cycle.reason(), ..entry },
        });
        Vec::new()
    }

    /// Records that no method could mark: the first mark is tried again soon, one on request is answered.
    fn mark_failed(&mut self, is_first: bool, at_ms: u64) {
        if self.schedule.requested().is_some() {
            self.schedule.give_up();
        } else if is_first {
            self.schedule.failed(Purpose::Mark, at_ms);
        }
    }

    /// In replay: whether marks were chosen from the capture that led to these probes.
    pub(super) fn replayed_install(&mut self, keep_tags: bool) {
        if let Marks::Chosen(chosen) = &self.marks
            && !keep_tags
        {
            // Without marks and without regions the capture was made for the structures alone.
            if self.findings.is_some() && !chosen.is_also_regions {
                let entry = chosen.made_from.clone();
                self.evidence.add_snapshot(entry);
                self.schedule.tracking();
            }
            self.marks = Marks::None;
        }
    }
}

/// Message when most of the chosen objects were not found: a heap with hardly any marks looks new.
fn too_few(chosen: &Chosen, done: &MarkDone) -> Option<String> {
    let planned = chosen.selection.plan.steps.iter().filter(|step| step.mark != 0).count();
    let is_enough = done.missed.len() as f64 <= MOST_MISSED * planned as f64;
    (!is_enough).then(|| format!("of {planned} objects that were chosen {} were not found again", done.missed.len()))
}

/// Milliseconds as a whole number for a command.
fn whole_ms(ms: f64) -> u32 {
    ms.min(f64::from(u32::MAX)) as u32
}

/// The reason why a capture is no heap.
#[derive(Debug, thiserror::Error)]
enum CaptureError {
    /// The agent gave it up, for this reason.
    #[error("{0}")]
    Failed(String),
    #[error(transparent)]
    Heap(#[from] HeapError),
}

/// The heap of the records, once they are proven to be complete and right.
fn whole(incoming: Incoming, done: &CaptureDone) -> Result<Heap, CaptureError> {
    if let Some(reason) = &done.failure {
        return Err(CaptureError::Failed(reason.clone()));
    }
    let mut heap = incoming.heap;
    heap.done(done);
    Ok(heap.finish()?)
}

/// A mark by paths has the costs of the capture from which it was chosen.
fn of_chosen(entry: Snapshot, capture: &Snapshot) -> Snapshot {
    Snapshot {
        objects: capture.objects,
        references: capture.references,
        heap_bytes: capture.heap_bytes,
        pause_ms: capture.pause_ms,
        forecast_ms: capture.forecast_ms,
        child: capture.child,
        agent_bytes: capture.agent_bytes,
        identity: capture.identity,
        reason: capture.reason.clone(),
        on_request: capture.on_request,
        ..entry
    }
}

fn forecast(survey: &Survey, candidates: &[methods::Candidate], objects: f64) -> Forecast {
    let of = |each: &methods::Candidate| MethodForecast {
        method: methods::reported(each.forecast.method),
        pause_ms: each.forecast.pause_ms,
        duration_ms: each.forecast.duration_ms,
        memory_bytes: each.forecast.memory_bytes,
        obstacle: each.obstacle.clone(),
    };
    let usable = candidates.iter().find(|each| each.obstacle.is_none());
    Forecast {
        at_s: survey.at_ms as f64 / 1000.0,
        objects: objects.round() as u64,
        method: usable.map(|each| methods::reported(each.forecast.method)),
        methods: candidates.iter().map(of).collect(),
    }
}
