//! A scripted agent beside its session: it answers every command at once, visits every probe each second, and keeps
//! what it was asked for. A test says what goes otherwise.

use super::program::{Shop, Structure, capture_done};
use rootbound::report::{Region, Report};
use rootbound::session::{Session, Settings};
use rootbound::view::json;
use rootbound_wire::ids::{ObjectId, ProbeId, SnapshotId};
use rootbound_wire::message::{
    CaptureMethod, FromAgent, GcFinished, Hello, MarkDone, MethodSurvey, OwnerRef, ProbeInstalled, ProbeReport,
    ProbeSpec, Sighting, Survey, ToAgent, VisitMethod, VisitOutcome,
};

/// How long the program stands still for a mark.
pub const MARK_PAUSE_MS: f64 = 3.0;
/// Time between two looks at the clock.
const STEP_MS: u64 = 100;
const VISIT_EVERY_MS: u64 = 1_000;
const COLLECTION_EVERY_MS: u64 = 5_000;

/// What a visit sees, by seconds since the installation.
type Sight = fn(f64) -> VisitOutcome;

/// The agent, the program it sits in, and the session it talks to.
#[derive(Debug)]
pub struct Agent {
    pub session: Session,
    pub now_ms: u64,
    /// Commands, and when they came.
    pub asked: Vec<(u64, ToAgent)>,
    /// Whether a mark ever ends.
    pub marks: bool,
    /// Why each mark fails, if it does.
    pub mark_fails: Option<&'static str>,
    /// What it tells of sizes and limits.
    pub survey: Survey,
    /// Whether captures by a fork succeed.
    pub forks: bool,
    /// Whether the collector works, which finds the heap as large as ever.
    pub collects: bool,
    /// Why each capture by address fails.
    pub address_fails: &'static str,
    /// Why each capture fails, if it does.
    pub capture_fails: Option<&'static str>,
    /// Whether captures refer to an object that they do not tell of.
    pub refers_to_nowhere: bool,
    /// The structure whose probe cannot be installed, and why.
    pub refuses: Option<(Structure, &'static str)>,
    /// What the visits of the orders and of the products see.
    pub orders: Sight,
    pub products: Sight,
    /// How a recording numbers its probes, when it is one.
    pub recorded_number: Option<fn(&ProbeSpec) -> ProbeId>,
    shop: Option<Shop>,
    visited: Vec<(ProbeId, Structure)>,
    installed_ms: u64,
}

impl Agent {
    /// An agent that has said Hello; everything stands still.
    pub fn new(settings: Settings) -> Self {
        Self::saying(settings, hello())
    }

    /// An agent that has said this.
    pub fn saying(settings: Settings, hello: Hello) -> Self {
        let mut agent = Self {
            session: Session::new(settings),
            now_ms: 0,
            asked: Vec::new(),
            marks: true,
            mark_fails: None,
            survey: survey(),
            forks: false,
            collects: false,
            address_fails: "no address was found",
            capture_fails: None,
            refers_to_nowhere: false,
            refuses: None,
            orders: |_| seen(50.0),
            products: |_| seen(50.0),
            recorded_number: None,
            shop: None,
            visited: Vec::new(),
            installed_ms: 0,
        };
        agent.say(FromAgent::Hello(hello));
        agent
    }

    /// An agent by the default settings whose orders are seen so.
    pub fn with_orders(orders: Sight) -> Self {
        Self { orders, ..Self::new(Settings::default()) }
    }

    /// An agent whose captures cost the program next to nothing, and whose orders are seen so.
    pub fn forking(orders: Sight) -> Self {
        // Marks by an iteration: those by paths would need captures by address in earnest.
        let settings = Settings { mark_budget: Some(1_000), ..Settings::default() };
        let survey = Survey { fork: MethodSurvey::default(), in_process: MethodSurvey::default(), ..survey() };
        Self { orders, forks: true, collects: true, survey, ..Self::new(settings) }
    }

    /// Lets seconds pass.
    pub fn pass(&mut self, seconds: u64) -> &mut Self {
        let until = self.now_ms + seconds * 1000;
        while self.now_ms < until {
            self.now_ms += STEP_MS;
            let commands = self.session.advance(self.now_ms);
            self.obey(commands);
            if self.now_ms.is_multiple_of(VISIT_EVERY_MS) {
                self.visit();
            }
            if self.collects && self.now_ms.is_multiple_of(COLLECTION_EVERY_MS) {
                self.say(FromAgent::GcFinished(collection(self.now_ms)));
            }
        }
        self
    }

    /// Lets time pass until the probes are installed.
    pub fn capture(&mut self) -> &mut Self {
        self.pass(25)
    }

    /// Says something, and obeys the answer.
    pub fn say(&mut self, message: FromAgent) {
        let commands = self.session.receive(message);
        self.obey(commands);
    }

    /// The report as it is now, which can be read back from its JSON.
    pub fn report(&self) -> Report {
        let report = self.session.report();
        let written = json::to_json(&report).expect("a report has a JSON");
        let read = Report::from_json(&written).expect("a report is read");
        assert_eq!(json::to_json(&read).expect("what was read has a JSON"), written);
        report
    }

    /// The region of a structure, as reported now.
    pub fn region(&self, structure: Structure) -> Region {
        let class = match structure {
            Structure::Orders => "com.example.Order",
            Structure::Products => "java.util.HashMap$Node",
        };
        let region = self.report().regions.into_iter().find(|region| region.change_proxy.class == class);
        region.expect("the structure is a region")
    }

    /// The program as the last capture saw it.
    pub fn shop(&self) -> &Shop {
        self.shop.as_ref().expect("there was a capture")
    }

    /// The probes that it was asked to install.
    pub fn probes(&self) -> Vec<ProbeSpec> {
        self.asked.iter().flat_map(|(_, command)| probes_of(command)).collect()
    }

    /// The biases that it was asked to set, each with its structure.
    pub fn biases(&self) -> Vec<(Structure, f32)> {
        let of = |command: &ToAgent| match command {
            ToAgent::SetBias { biases } => biases.clone(),
            _ => Vec::new(),
        };
        let asked = self.asked.iter().flat_map(|(_, command)| of(command));
        asked.map(|(probe, bias)| (self.structure_of(probe), bias)).collect()
    }

    /// When it was asked for a mark, and when for captures.
    pub fn snapshots_asked(&self) -> Vec<(u64, &'static str)> {
        let name = |command: &ToAgent| match command {
            ToAgent::Mark { .. } => Some("mark"),
            ToAgent::Capture { .. } => Some("capture"),
            _ => None,
        };
        self.asked.iter().filter_map(|(at_ms, command)| Some((*at_ms, name(command)?))).collect()
    }

    fn structure_of(&self, probe: ProbeId) -> Structure {
        let probes = self.probes();
        let spec = probes.iter().find(|spec| spec.probe == probe).expect("biases are for installed probes");
        self.shop().structure_of(owner_of(spec))
    }

    fn marked(&self, snapshot: SnapshotId) -> FromAgent {
        match (mark_done(snapshot, self.now_ms), self.mark_fails) {
            (FromAgent::MarkDone(done), Some(why)) => {
                FromAgent::MarkDone(MarkDone { failure: Some(why.to_owned()), ..done })
            }
            (done, _) => done,
        }
    }

    fn obey(&mut self, commands: Vec<ToAgent>) {
        for command in commands {
            self.asked.push((self.now_ms, command.clone()));
            match command {
                ToAgent::Survey => self.say(FromAgent::Survey(Survey { at_ms: self.now_ms, ..self.survey.clone() })),
                ToAgent::Mark { snapshot, .. } if self.marks => self.say(self.marked(snapshot)),
                ToAgent::Capture { snapshot, method: CaptureMethod::Tags, .. } => self.send_capture(snapshot),
                ToAgent::Capture { snapshot, method: CaptureMethod::Fork, .. } if self.forks => {
                    self.send_capture_of(snapshot, CaptureMethod::Fork);
                }
                ToAgent::Capture { snapshot, method, .. } => self.fail_capture(snapshot, method, self.address_fails),
                ToAgent::InstallProbes { snapshot, tick_ms, probes, keep, .. } => {
                    self.visited.retain(|(probe, _)| keep.contains(probe));
                    self.install(snapshot, tick_ms, probes);
                }
                _ => {}
            }
        }
    }

    fn fail_capture(&mut self, snapshot: SnapshotId, method: CaptureMethod, reason: &str) {
        self.say(FromAgent::CaptureStarted { snapshot, at_ms: self.now_ms, method });
        self.say(capture_done(snapshot, self.now_ms, Some(reason)));
    }

    fn send_capture(&mut self, snapshot: SnapshotId) {
        self.send_capture_of(snapshot, CaptureMethod::Tags);
    }

    fn send_capture_of(&mut self, snapshot: SnapshotId, method: CaptureMethod) {
        if let Some(reason) = self.capture_fails {
            return self.fail_capture(snapshot, CaptureMethod::Tags, reason);
        }
        let mut shop = Shop::seen_by(snapshot);
        if self.refers_to_nowhere {
            shop.refer_to_nowhere();
        }
        let messages = shop.capture(self.now_ms, method);
        self.shop = Some(shop);
        messages.into_iter().for_each(|message| self.say(message));
    }

    fn install(&mut self, snapshot: SnapshotId, tick_ms: u32, mut probes: Vec<ProbeSpec>) {
        if let Some(number) = self.recorded_number {
            probes.iter_mut().for_each(|spec| spec.probe = number(spec));
            self.session.recorded_command(ToAgent::InstallProbes {
                snapshot,
                tick_ms,
                probes: probes.clone(),
                keep: Vec::new(),
                keep_tags: false,
                most_stop_ms: 0,
            });
        }
        let of_structure = |spec: &ProbeSpec| (spec.probe, self.shop().structure_of(owner_of(spec)));
        let (refused, visited): (Vec<_>, Vec<_>) =
            probes.iter().map(of_structure).partition(|&(_, structure)| self.refusal(structure).is_some());
        let all = refused.iter().chain(&visited);
        let results =
            all.map(|&(probe, structure)| ProbeInstalled { probe, failure: self.refusal(structure) }).collect();
        if self.visited.is_empty() {
            self.installed_ms = self.now_ms;
        }
        self.visited.extend(visited);
        self.say(FromAgent::ProbesInstalled { at_ms: self.now_ms, results, pause_ms: 0.0 });
    }

    fn refusal(&self, structure: Structure) -> Option<String> {
        self.refuses.filter(|refused| refused.0 == structure).map(|refused| refused.1.to_owned())
    }

    fn visit(&mut self) {
        let seconds = (self.now_ms - self.installed_ms) as f64 / 1000.0;
        for (probe, structure) in self.visited.clone() {
            let outcome = match structure {
                Structure::Orders => (self.orders)(seconds),
                Structure::Products => (self.products)(seconds),
            };
            self.say(probe_report(probe, self.now_ms, outcome));
        }
    }
}

fn probes_of(command: &ToAgent) -> Vec<ProbeSpec> {
    match command {
        ToAgent::InstallProbes { probes, .. } => probes.clone(),
        _ => Vec::new(),
    }
}

/// A collection that finds the heap as large as ever.
fn collection(at_ms: u64) -> GcFinished {
    let collections = at_ms / COLLECTION_EVERY_MS;
    GcFinished { at_ms, collections, used_bytes: 40_000, committed_bytes: 90_000, max_bytes: 100_000 }
}

/// A JVM that can be captured.
pub fn hello() -> Hello {
    Hello {
        pid: 4711,
        vm: "OpenJDK 64-Bit Server VM 21".to_owned(),
        gc: "G1".to_owned(),
        main: "com.example.Shop".to_owned(),
        agent_version: "0.1.0".to_owned(),
        incapable: None,
        loaded_unix_ms: 0,
    }
}

/// A JVM of which captures can be made by tags alone.
pub fn survey() -> Survey {
    let not_here = MethodSurvey { need_bytes: 0, obstacle: Some("not here".to_owned()) };
    Survey { used_bytes: 64 << 20, fork: not_here.clone(), in_process: not_here, ..Survey::default() }
}

/// The owner of a probe, in captures by tags.
pub fn owner_of(spec: &ProbeSpec) -> ObjectId {
    match spec.owner {
        OwnerRef::Id(id) => id,
        _ => panic!("captures by tags give every owner an id"),
    }
}

/// The end of a mark.
pub fn mark_done(snapshot: SnapshotId, at_ms: u64) -> FromAgent {
    FromAgent::MarkDone(MarkDone {
        snapshot,
        at_ms,
        objects: 60,
        marked: 50,
        pause_ms: MARK_PAUSE_MS,
        ..MarkDone::default()
    })
}

/// One visit.
pub fn probe_report(probe: ProbeId, at_ms: u64, outcome: VisitOutcome) -> FromAgent {
    FromAgent::ProbeReport(ProbeReport { probe, at_ms, outcome, bias: 0.5, reads: 50, micros: 10 })
}

/// A structure of this size, counted one by one.
pub fn seen(size: f64) -> VisitOutcome {
    VisitOutcome::Seen(Sighting {
        size,
        size_error: 0.0,
        additions: 0.0,
        removals: 0.0,
        relinked: false,
        slots: None,
        method: VisitMethod::Full,
    })
}
