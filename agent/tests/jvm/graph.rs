//! A capture as the listener receives it, and probes built from it.

use super::Analyzer;
use rootbound_wire::ids::{ObjectId, ProbeId, SnapshotId};
use rootbound_wire::message::*;
use std::collections::HashMap;

/// A capture.
#[derive(Default)]
pub struct Graph {
    pub objects: HashMap<ObjectId, ObjectRecord>,
    pub references: Vec<ReferenceRecord>,
    pub classes: Vec<ClassRecord>,
}

/// Asks for a mark, and returns the number of marked objects.
pub fn mark(analyzer: &mut Analyzer, snapshot: u32) -> u64 {
    analyzer.say(&ToAgent::Mark { snapshot: SnapshotId(snapshot), budget: None, abort_after_ms: 0 });
    analyzer.until(|message| match message {
        FromAgent::MarkDone(done) => Some(done.marked),
        _ => None,
    })
}

/// Asks for a capture; returns it, or the reason why it failed.
pub fn try_capture(analyzer: &mut Analyzer, snapshot: u32) -> Result<Graph, String> {
    analyzer.say(&ToAgent::capture_by_tags(SnapshotId(snapshot)));
    let mut graph = Graph::default();
    loop {
        match analyzer.next() {
            FromAgent::Objects(objects) => {
                graph.objects.extend(objects.into_iter().map(|object| (object.id, object)));
            }
            FromAgent::References(references) => graph.references.extend(references),
            FromAgent::Classes(classes) => graph.classes.extend(classes),
            FromAgent::CaptureDone(done) => return done.failure.map_or(Ok(graph), Err),
            _ => {}
        }
    }
}

/// Asks for a capture that is complete.
pub fn capture(analyzer: &mut Analyzer, snapshot: u32) -> Graph {
    try_capture(analyzer, snapshot).expect("complete")
}

/// Installs probes, all of which must be accepted.
pub fn install(analyzer: &mut Analyzer, snapshot: u32, probes: Vec<ProbeSpec>) {
    analyzer.say(&ToAgent::InstallProbes {
        snapshot: SnapshotId(snapshot),
        tick_ms: 50,
        probes,
        keep: Vec::new(),
        keep_tags: false,
        most_stop_ms: 0,
    });
    let results = analyzer.until(|message| match message {
        FromAgent::ProbesInstalled { results, .. } => Some(results),
        _ => None,
    });
    assert!(results.iter().all(|result| result.failure.is_none()), "{results:?}");
}

impl Graph {
    /// Objects first seen by this snapshot.
    pub fn first_seen_by(&self, snapshot: u32) -> usize {
        self.objects.values().filter(|object| object.first_seen == SnapshotId(snapshot)).count()
    }

    pub fn class(&self, name: &str) -> ObjectId {
        self.classes.iter().find(|class| class.name == name).map(|class| class.object).expect(name)
    }

    pub fn instance(&self, class: &str) -> ObjectId {
        let class = self.class(class);
        let is_class = |edge: &&ReferenceRecord| edge.label == ReferenceLabel::Class && edge.referee == class;
        self.references.iter().find(is_class).map(|edge| edge.referrer).expect("an instance")
    }

    fn field(&self, class: &str, name: &str, descriptor: &str) -> RouteVia {
        RouteVia::Field { declaring: self.class(class), name: name.to_owned(), descriptor: descriptor.to_owned() }
    }

    fn place(&self, class: &str, counts: bool, steps: Vec<RouteStep>) -> RoutePlace {
        RoutePlace { class: self.class(class), counts, steps }
    }

    /// The program whose members are probed.
    fn program(&self) -> &'static str {
        let is_loaded = |name: &&str| self.classes.iter().any(|class| class.name == **name);
        ["Growing", "Sites"].into_iter().find(is_loaded).expect("a program with members")
    }

    /// A probe from the class of the program by a static field to a collection, and on by `via`.
    fn collection(&self, id: u32, name: &str, collection: &str, via: RouteVia, rest: Vec<RoutePlace>) -> ProbeSpec {
        let owner = self.class(self.program());
        let descriptor = format!("L{};", collection.replace('.', "/"));
        let from_class = step(RouteVia::StaticField { name: name.to_owned(), descriptor }, 1);
        let mut places = vec![
            RoutePlace { class: owner, counts: false, steps: vec![from_class] },
            self.place(collection, false, vec![step(via, 2)]),
        ];
        places.extend(rest);
        ProbeSpec {
            probe: ProbeId(id),
            owner: OwnerRef::Id(owner),
            places,
            budget: 65_536,
            bias: 1.0,
            counters: Vec::new(),
            shape: ProbeShape::Plain,
        }
    }

    fn array_of_members(&self, array: &str) -> Vec<RoutePlace> {
        vec![
            self.place(array, false, vec![step(RouteVia::ArrayElement, 3)]),
            self.place(&format!("{}$Member", self.program()), true, vec![]),
        ]
    }

    pub fn map_probe(&self) -> ProbeSpec {
        let node = "Ljava/util/HashMap$Node;";
        let next = self.field("java.util.HashMap$Node", "next", node);
        let rest = vec![
            self.place("java.util.HashMap$Node[]", false, vec![step(RouteVia::ArrayElement, 3)]),
            self.place("java.util.HashMap$Node", true, vec![step(next, 3)]),
        ];
        let table = self.field("java.util.HashMap", "table", &format!("[{node}"));
        self.collection(1, "map", "java.util.HashMap", table, rest)
    }

    pub fn list_probe(&self) -> ProbeSpec {
        let array = self.field("java.util.ArrayList", "elementData", "[Ljava/lang/Object;");
        self.collection(2, "list", "java.util.ArrayList", array, self.array_of_members("java.lang.Object[]"))
    }

    /// The budget decides whether the chain is counted as a whole or as a frontier.
    pub fn chain_probe(&self, budget: u32) -> ProbeSpec {
        let link = "Ljava/util/LinkedList$Node;";
        let next = self.field("java.util.LinkedList$Node", "next", link);
        let rest = vec![self.place("java.util.LinkedList$Node", true, vec![step(next, 2)])];
        let first = self.field("java.util.LinkedList", "first", link);
        ProbeSpec { budget, ..self.collection(3, "chain", "java.util.LinkedList", first, rest) }
    }

    pub fn ring_probe(&self) -> ProbeSpec {
        let array = self.field("java.util.ArrayDeque", "elements", "[Ljava/lang/Object;");
        self.collection(4, "ring", "java.util.ArrayDeque", array, self.array_of_members("java.lang.Object[]"))
    }

    pub fn holder_probe(&self) -> ProbeSpec {
        let members = self.field("Growing$Holder", "members", "[LGrowing$Member;");
        let places = vec![
            self.place("Growing$Holder", false, vec![step(members, 1)]),
            self.place("Growing$Member[]", false, vec![step(RouteVia::ArrayElement, 2)]),
            self.place("Growing$Member", true, vec![]),
        ];
        ProbeSpec {
            probe: ProbeId(5),
            owner: OwnerRef::Id(self.instance("Growing$Holder")),
            places,
            budget: 65_536,
            bias: 1.0,
            counters: Vec::new(),
            shape: ProbeShape::Plain,
        }
    }
}

fn step(via: RouteVia, to: u16) -> RouteStep {
    RouteStep { via, to: vec![to] }
}
