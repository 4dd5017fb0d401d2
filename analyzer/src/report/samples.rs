//! Reports for tests of the presenters, made by hand: LeakBot's Figure 5, a run that waits, and a healthy program.

use crate::naming::class::simple_name;
use crate::naming::{Hop, Origin, PathStep, Place, Reference, Route, Start, Step, Turn};
use crate::report::ranking::OFF_LINE_THRESHOLD;
use crate::report::{
    AllocationSampling, AllocationSite, Basis, CaptureMethod, ChangeProxy, Child, Fingerprint, Frame, GrowthPlace,
    HeapGrowth, Identity, Jvm, Kind, LeakRoot, LeakTrace, LogEntry, LogKind, MarkMethod, Method, Native, NativeKind,
    OwnerProxy, Pauses, Ranking, Region, RegionRoot, Report, SCHEMA, SizeProbe, Snapshot, SnapshotKind, Status, Stop,
    StopKind, Survivors, Trend, Untracked, Updates, Verdict,
};

/// A report before any connection.
pub(crate) fn waiting() -> Report {
    Report {
        schema: SCHEMA,
        jvm: None,
        duration_s: 0.0,
        status: Status::AwaitingAgent {
            endpoint: "unix:/run/user/1000/rootbound.sock".to_owned(),
            option: "-agentpath:/opt/rootbound/librootbound_agent.so".to_owned(),
        },
        snapshots: Vec::new(),
        pauses: Pauses::default(),
        sampling: None,
        forecast: None,
        tags_standing: None,
        member_tags: None,
        heap: HeapGrowth::default(),
        native: None,
        container: None,
        new_classes: Vec::new(),
        ranking: None,
        leak_roots: Vec::new(),
        regions: Vec::new(),
        verdict: Verdict::default(),
        structures: None,
        log: Vec::new(),
        lives: Vec::new(),
        dropped_events: 0,
        problems: Vec::new(),
    }
}

/// A program in which nothing grows.
pub(crate) fn healthy() -> Report {
    Report {
        verdict: Verdict {
            leaking: Some(false),
            growth: Some(GrowthPlace::Nowhere),
            summary: "No structure grows without bound.".to_owned(),
        },
        ranking: Some(ranking()),
        regions: vec![region(0.587, "java.util.Vector", "flags", "java.lang.Boolean", 900, Trend::Flatliner)],
        ..watched()
    }
}

/// A program that leaks direct buffers, which the heap does not show.
pub(crate) fn beside_the_heap() -> Report {
    Report {
        native: Some(Native {
            resident_bytes: Some(412 << 20),
            resident_growth_bytes_per_hour: Some(120.0 * 1_048_576.0),
            beside_heap_growth_bytes_per_hour: Some(120.0 * 1_048_576.0),
            direct_bytes: Some(140 << 20),
            direct_growth_bytes_per_hour: Some(118.0 * 1_048_576.0),
            threads: Some(31),
            threads_growth_per_hour: Some(0.0),
            grows: Some(NativeKind::DirectBuffers),
            ..Native::default()
        }),
        verdict: Verdict {
            leaking: Some(false),
            growth: Some(GrowthPlace::Native),
            summary: "No structure of the Java heap was seen to grow without bound; what grows is beside it: memory of the process outside the heap +120 MB/h, direct buffers +118 MB/h".to_owned(),
        },
        ..healthy()
    }
}

/// The screenshot of the paper, in the words of this version.
pub(crate) fn figure_5() -> Report {
    let list = "java.util.LinkedList$Entry";
    let mut integers = region(10.554, "java.util.Vector", "integers", "java.lang.Integer", 8100, Trend::Grower);
    integers.rate_low = Some(471.0);
    integers.rate_high = Some(489.0);
    integers.rate_per_min = Some(480.0);
    integers.bytes_per_hour = Some(460_800.0);
    integers.bytes_per_hour_low = Some(450_000.0);
    integers.bytes_per_hour_high = Some(471_600.0);
    integers.time_to_full_s = Some(32_400.0);
    integers.time_to_full_low_s = Some(31_700.0);
    integers.time_to_full_high_s = Some(33_200.0);
    integers.confidence = Some(0.98);
    integers.history = (0..30).map(|at| (60.0 + f64::from(at), 7800.0 + 10.0 * f64::from(at))).collect();
    integers.allocation_samples = Some(47);
    integers.allocation_basis = Some(Basis::Found);
    integers.allocation_sites =
        vec![site(41, &[("Checkout", "buy", 88), ("Shop", "serve", 31)]), site(6, &[("Import", "read", 12)])];
    integers.updates = Updates { additions: 41, removals: 0, relinks: 2, quiet: 3 };
    let mut characters = region(3.28, "java.util.Vector", "characters", "java.lang.Character", 151, Trend::Grower);
    characters.rate_per_min = Some(9.0);
    let mut lost = region(1.129, list, "second", list, 4, Trend::Grower);
    lost.trend = None;
    lost.tick = None;
    lost.untracked = Some(Untracked::Unreadable("its owner was collected".to_owned()));
    Report {
        verdict: Verdict {
            leaking: Some(true),
            growth: Some(GrowthPlace::Heap),
            summary: "3 structures grow without bound.".to_owned(),
        },
        new_classes: vec![super::NewClasses {
            name: "shop.Rule#".to_owned(),
            loader: "shop.RuleLoader".to_owned(),
            count: 12,
        }],
        ranking: Some(ranking()),
        log: log(151.0, characters.fingerprint),
        leak_roots: vec![LeakRoot {
            class: "com.example.leaky.SimpleLeaker".to_owned(),
            kind: Kind::Class,
            reached_from: vec![start(Kind::Object, "system class loader")],
            rank: 0.83,
            owned_objects: 81_000,
            owned_bytes: 2_600_000,
            explanation: vec![
                "S1  is no array                1.00".to_owned(),
                "G3  fringe size      412  gate 0.94".to_owned(),
            ],
        }],
        regions: vec![
            integers,
            characters,
            region(1.379, list, "first", list, 5, Trend::Grower),
            lost,
            region(0.587, "java.util.Vector", "flags", "java.lang.Boolean", 900, Trend::Flatliner),
        ],
        problems: vec!["a capture was thrown away: the analyzer read too slowly".to_owned()],
        ..watched()
    }
}

fn ranking() -> Ranking {
    let survivors =
        Survivors { objects: 81_000, s1: 42_000, s2: 30_100, s3: 9_000, s4: 2_400, t1: 60, t2: 58, t3: 9, t4: 3 };
    Ranking { survivors, threshold: OFF_LINE_THRESHOLD, above_threshold: 0 }
}

/// A visit, the change of the bias after it, and a visit without a result.
fn log(size: f64, region: Fingerprint) -> Vec<LogEntry> {
    let entry = LogEntry {
        number: 0,
        at_s: 117.0,
        kind: LogKind::Lost,
        region,
        size: None,
        change: None,
        trend: None,
        bias: None,
        bias_before: None,
    };
    let visit =
        LogEntry { kind: LogKind::Visit, size: Some(size), change: Some(3.0), trend: Some(Trend::Grower), ..entry };
    let bias = LogEntry { number: 1, kind: LogKind::Bias, bias: Some(0.81), bias_before: Some(0.9), ..entry };
    vec![visit, bias, LogEntry { number: 2, ..entry }]
}

fn watched() -> Report {
    Report {
        jvm: Some(Jvm {
            pid: 4711,
            vm: "OpenJDK 64-Bit Server VM 17.0.15".to_owned(),
            gc: "G1".to_owned(),
            main: "com.example.leaky.SimpleLeaker".to_owned(),
        }),
        duration_s: 120.0,
        status: Status::Tracking,
        snapshots: snapshots(),
        pauses: Pauses {
            count: 2,
            total_ms: 32.0,
            max_ms: 17.0,
            stops: vec![
                Stop { at_s: 20.1, what: StopKind::Fork, ms: 15.0 },
                Stop { at_s: 50.3, what: StopKind::Fork, ms: 17.0 },
            ],
        },
        tags_standing: Some(0),
        member_tags: Some(320),
        heap: HeapGrowth {
            live_bytes: Some(139_890_120),
            reachable_bytes: Some(131_072_000),
            max_bytes: Some(4 << 30),
            growth_bytes_per_hour: Some(5_000_000.0),
            most_growth_bytes_per_hour: Some(6_000_000.0),
            explained: Some(0.93),
            ..HeapGrowth::default()
        },
        sampling: Some(AllocationSampling {
            windows: 1,
            window_s: 60.0,
            events: 91_000,
            samples: 412,
            dropped: 3,
            callback_ms: 19.4,
            search_ms: 31.0,
            least_interval_bytes: Some(50_000),
            ..AllocationSampling::default()
        }),
        dropped_events: 12,
        ..waiting()
    }
}

fn snapshots() -> Vec<Snapshot> {
    let child = Child {
        lifetime_ms: 1_400.0,
        cpu_ms: 1_100.0,
        private_bytes: Some(44 << 20),
        parent_faults: Some(2_100),
        collections: 3,
        longest_collection_ms: 41.0,
        usual_collection_ms: Some(6.0),
        left_out_bytes: 320_000_000,
        waited_ms: 120.0,
        copied_ahead_bytes: 0,
        huge_pages_split_bytes: None,
        huge_pages_restored_bytes: None,
    };
    let mark = Snapshot {
        at_s: 20.1,
        method: Some(Method::Mark(MarkMethod::Paths)),
        objects: Some(5_025_606),
        marked: Some(19_800),
        missed: Some(12),
        pause_ms: 15.0,
        child: Some(child),
        ..Snapshot::new(SnapshotKind::Mark)
    };
    let capture = Snapshot {
        at_s: 50.3,
        method: Some(Method::Capture(CaptureMethod::Fork)),
        identity: Some(Identity::Address),
        objects: Some(5_025_295),
        references: Some(10_982_660),
        heap_bytes: Some(139_890_120),
        pause_ms: 17.0,
        forecast_ms: Some(21.0),
        child: Some(child),
        agent_bytes: Some(12 << 20),
        analysis_ms: Some(2100.0),
        ..Snapshot::new(SnapshotKind::Capture)
    };
    vec![mark, capture]
}

/// A reference by a field, or by an element where the name is empty.
fn reference(field: &str) -> Reference {
    if field.is_empty() { Reference::Element } else { Reference::Field(field.to_owned()) }
}

pub(crate) fn step(field: &str, class: &str, times: usize) -> PathStep {
    PathStep::Step(Step { reference: reference(field), class: class.to_owned(), times })
}

pub(crate) fn start(kind: Kind, class: &str) -> PathStep {
    PathStep::Start(Start { kind, class: class.to_owned(), thread: String::new() })
}

pub(crate) fn static_field(class: &str, field: &str) -> Place {
    let turn = Turn { reference: reference(field), times: 1 };
    Place { turns: vec![turn], ..Place::at(Origin::Static(class.to_owned())) }
}

fn route(root: &str, field: &str, owner: &str, change: &str) -> Route {
    let hop = |field: &str, declared_by: &str, class: &str| Hop::new(reference(field), declared_by, class);
    let hops = vec![hop(field, root, owner), hop("elementData", owner, "java.lang.Object[]"), hop("", "", change)];
    Route { origin: Origin::Static(root.to_owned()), hops, owner_at: 1, carried: Vec::new() }
}

/// A frame in the source file that has the name of the class.
pub(crate) fn frame(class: &str, method: &str, line: u32) -> Frame {
    let file = Some(format!("{}.java", simple_name(class)));
    Frame { class: class.to_owned(), method: method.to_owned(), file, line: Some(line) }
}

fn site(samples: u64, frames: &[(&str, &str, u32)]) -> AllocationSite {
    let of_program =
        |&(class, method, line): &(&str, &str, u32)| frame(&format!("com.example.leaky.{class}"), method, line);
    AllocationSite {
        share: samples as f64 / 47.0,
        samples,
        frames: frames.iter().map(of_program).collect(),
        through: vec![frame("java.lang.Integer", "valueOf", 1059)],
    }
}

fn region(rank: f64, owner: &str, field: &str, change: &str, size: u64, trend: Trend) -> Region {
    let root = "com.example.leaky.SimpleLeaker";
    Region {
        rank,
        fingerprint: Fingerprint(size),
        leak_root: RegionRoot { class: root.to_owned(), kind: Kind::Class },
        owner_proxy: OwnerProxy { class: owner.to_owned(), kind: Kind::Object, path: static_field(root, field) },
        change_proxy: ChangeProxy { class: change.to_owned() },
        alike: 1,
        path: vec![
            start(Kind::Class, root),
            step(field, owner, 1),
            step("elementData", "java.lang.Object[]", 1),
            step("", change, 1),
        ],
        owner_at: 1,
        route: LeakTrace::Of(route(root, field, owner, change)),
        reached_from: vec![start(Kind::Object, "application class loader"), start(Kind::Class, root)],
        proxy_size: size,
        dump_bytes: size * 16,
        trend: Some(trend),
        tick: Some(trend),
        bytes_per_member: 16.0,
        probe: Some(SizeProbe::Full),
        sample_bias: Some(0.81),
        ..Region::default()
    }
}
