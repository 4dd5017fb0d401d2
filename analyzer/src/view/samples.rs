//! Reports for tests of the presenters, made by hand: LeakBot's Figure 5, a run that waits, and a healthy program.

use crate::view::report::{
    ChangeProxy, Child, HeapGrowth, Jvm, LeakRoot, OwnerProxy, Pauses, Region, RegionRoot, Report, SCHEMA, Snapshot,
    Stop, Updates, Verdict,
};

/// Nobody has connected yet.
pub(crate) fn waiting() -> Report {
    Report {
        schema: SCHEMA,
        jvm: None,
        duration_s: 0.0,
        status: "waiting for a JVM on unix:/run/user/1000/rootbound.sock".to_owned(),
        snapshots: Vec::new(),
        pauses: Pauses::default(),
        forecast: None,
        tags_standing: None,
        member_tags: None,
        heap: HeapGrowth::default(),
        leak_roots: Vec::new(),
        regions: Vec::new(),
        verdict: Verdict::default(),
        dropped_events: 0,
        problems: Vec::new(),
    }
}

/// A program in which nothing grows.
pub(crate) fn healthy() -> Report {
    Report {
        verdict: Verdict { leaking: Some(false), summary: "No structure grows without bound.".to_owned() },
        regions: vec![region(0.587, "java.util.Vector", "flags", "java.lang.Boolean", 900, "flatliner")],
        ..watched()
    }
}

/// The screenshot of the paper, in the words of today.
pub(crate) fn figure_5() -> Report {
    let list = "java.util.LinkedList$Entry";
    let mut integers = region(10.554, "java.util.Vector", "integers", "java.lang.Integer", 8100, "grower");
    integers.rate_low = Some(471.0);
    integers.rate_high = Some(489.0);
    integers.rate_per_min = Some(480.0);
    integers.bytes_per_hour = Some(460_800.0);
    integers.time_to_full_s = Some(32_400.0);
    integers.confidence = Some(0.98);
    integers.history = (0..30).map(|at| (60.0 + f64::from(at), 7800.0 + 10.0 * f64::from(at))).collect();
    integers.updates = Updates { additions: 41, removals: 0, relinks: 2, quiet: 3 };
    let mut characters = region(3.28, "java.util.Vector", "characters", "java.lang.Character", 151, "grower");
    characters.rate_per_min = Some(9.0);
    let mut lost = region(1.129, list, "second", list, 4, "grower");
    lost.trend = None;
    lost.tick = None;
    lost.untracked = Some("its owner was collected".to_owned());
    Report {
        verdict: Verdict { leaking: Some(true), summary: "3 structures grow without bound.".to_owned() },
        leak_roots: vec![LeakRoot {
            class: "com.example.leaky.SimpleLeaker".to_owned(),
            kind: "class",
            reached_from: vec!["system class loader".to_owned()],
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
            region(1.379, list, "first", list, 5, "grower"),
            lost,
            region(0.587, "java.util.Vector", "flags", "java.lang.Boolean", 900, "flatliner"),
        ],
        problems: vec!["a capture was thrown away: the analyzer read too slowly".to_owned()],
        ..watched()
    }
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
        status: "tracking 5 structures, one visit a second".to_owned(),
        snapshots: snapshots(),
        pauses: Pauses {
            count: 2,
            total_ms: 32.0,
            max_ms: 17.0,
            stops: vec![Stop { at_s: 20.1, what: "fork", ms: 15.0 }, Stop { at_s: 50.3, what: "fork", ms: 17.0 }],
        },
        tags_standing: Some(0),
        member_tags: Some(320),
        heap: HeapGrowth {
            live_bytes: Some(139_890_120),
            max_bytes: Some(4 << 30),
            growth_bytes_per_hour: Some(5_000_000.0),
            explained: Some(0.93),
        },
        dropped_events: 12,
        ..waiting()
    }
}

fn snapshots() -> Vec<Snapshot> {
    let child =
        Child { lifetime_ms: 1_400.0, cpu_ms: 1_100.0, private_bytes: Some(44 << 20), parent_faults: Some(2_100) };
    let mark = Snapshot {
        at_s: 20.1,
        method: Some("paths"),
        objects: Some(5_025_606),
        marked: Some(19_800),
        missed: Some(12),
        pause_ms: 15.0,
        child: Some(child),
        ..Snapshot::new("mark")
    };
    let capture = Snapshot {
        at_s: 50.3,
        method: Some("fork"),
        identity: Some("address"),
        objects: Some(5_025_295),
        references: Some(10_982_660),
        heap_bytes: Some(139_890_120),
        pause_ms: 17.0,
        forecast_ms: Some(21.0),
        child: Some(child),
        agent_bytes: Some(12 << 20),
        analysis_ms: Some(2100.0),
        ..Snapshot::new("capture")
    };
    vec![mark, capture]
}

fn region(rank: f64, owner: &str, field: &str, change: &str, size: u64, trend: &'static str) -> Region {
    let root = "com.example.leaky.SimpleLeaker";
    Region {
        rank,
        fingerprint: format!("{size:016x}"),
        leak_root: RegionRoot { class: root.to_owned(), kind: "class" },
        owner_proxy: OwnerProxy { class: owner.to_owned(), kind: "object", path: format!("static {root}.{field}") },
        change_proxy: ChangeProxy { class: change.to_owned() },
        path: vec![
            format!("class {root}"),
            format!(".{field}: {owner}"),
            ".elementData: java.lang.Object[]".to_owned(),
            format!("[*]: {change}"),
        ],
        owner_at: 1,
        reached_from: vec!["application class loader".to_owned(), format!("class {root}")],
        proxy_size: size,
        dump_bytes: size * 16,
        members: Vec::new(),
        trend: Some(trend),
        tick: Some(trend),
        updates: Updates::default(),
        rate_per_min: None,
        rate_low: None,
        rate_high: None,
        bytes_per_hour: None,
        time_to_full_s: None,
        confidence: None,
        probe: Some("full"),
        untracked: None,
        sample_bias: Some(0.81),
        history: Vec::new(),
        allocation_sites: Vec::new(),
    }
}
