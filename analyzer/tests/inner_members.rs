//! What members hold may be of the members' own type: the entries of the map that each session holds, in a map of
//! sessions.
#![allow(clippy::expect_used)] // Helpers of tests may panic as tests do.

use rootbound::graph::ObjectGraph;
use rootbound::heap::dsl::{HeapSketch, OLD};
use rootbound::heap::{Container, Heap, MarkTable, ObjectIdx, Stratum, TableMark};
use rootbound::marking::OwnerPaths;
use rootbound::ranking;
use rootbound::regions::path::class_name;
use rootbound::regions::plan::{self, Effort, SelfReferences};
use rootbound::regions::{self, Region};

const SESSIONS: usize = 300;
/// Of them, from the beginning.
const OLD_SESSIONS: usize = 200;
/// Of the old nodes one in this number is known to be old; of other objects all are.
const KNOWN: usize = 5;

/// A static map of sessions, each with a map of two attributes.
struct Sessions {
    heap: Heap,
    outer: Vec<ObjectIdx>,
}

impl Sessions {
    /// With the marks of a sample, each for as many as it stands for.
    fn sampled() -> Self {
        let mut heap = HeapSketch::new();
        let (map, table) = (heap.fresh("Map"), heap.fresh("Node[]"));
        heap.static_field("Main", "sessions", map);
        heap.refer(map, "table", table);
        let classes = ["Main", "Map", "Node", "Node[]", "Session"].map(str::to_owned).to_vec();
        let (main, of_table) = (Container::Mirror(0), Container::Marked(2));
        let chosen = TableMark { weight: 1.0, ..TableMark::default() };
        let sample = TableMark { weight: KNOWN as f64, stratum: Some(0), ..TableMark::default() };
        let container = |below| TableMark { container_below: Some(below), ..chosen };
        let mut known = vec![(map, container(main)), (table, container(Container::Marked(1)))];
        let mut outer = Vec::new();
        for number in 0..SESSIONS {
            let nodes = ["Node"; 3].map(|class| heap.fresh(class));
            let rest = ["Session", "Map", "Node[]"].map(|class| heap.fresh(class));
            let [session, attributes, inner] = rest;
            heap.element(table, nodes[0]);
            heap.refer(nodes[0], "value", session);
            heap.refer(session, "attributes", attributes);
            heap.refer(attributes, "table", inner);
            nodes[1..].iter().for_each(|&attribute| heap.element(inner, attribute));
            outer.push(nodes[0]);
            if number < OLD_SESSIONS {
                known.extend(rest.map(|object| (object, chosen)));
                let is_known = |at: &usize| (3 * number + at).is_multiple_of(KNOWN);
                known.extend((0..3).filter(is_known).map(|at| (nodes[at], sample)));
            }
        }
        let (count, marked) = (3 * OLD_SESSIONS, 3 * OLD_SESSIONS / KNOWN);
        let marks: Vec<(ObjectIdx, u32)> = known.iter().map(|known| known.0).zip(1..).collect();
        let table = MarkTable {
            first_seen: OLD,
            marks: known.into_iter().map(|known| known.1).collect(),
            strata: vec![Stratum { below: of_table, class: 2, count: count as u32, marked: marked as u32 }],
            classes,
            ..MarkTable::default()
        };
        Self { heap: heap.build_marked(table, &marks), outer }
    }

    /// The regions of nodes below the outer map.
    fn regions(&self, graph: &ObjectGraph<'_>) -> Vec<Region> {
        let nodes = |region: &Region| self.heap.classes().get(region.change_class).name == "Node";
        let is_outer = |region: &Region| class_name(&self.heap, region.owner) == "Map";
        let all = regions::find(graph, &ranking::rank(graph));
        all.into_iter().filter(|region| nodes(region) && is_outer(region)).collect()
    }
}

#[test]
fn what_members_hold_of_their_own_type_is_followed_apart() {
    let sessions = Sessions::sampled();
    let graph = ObjectGraph::new(&sessions.heap);
    let regions = sessions.regions(&graph);
    let (outer, inner): (Vec<&Region>, Vec<&Region>) =
        regions.iter().partition(|region| region.changes.iter().all(|change| sessions.outer.contains(change)));
    let ([outer], [inner]) = (&outer[..], &inner[..]) else { panic!("{regions:#?}") };
    assert!(inner.changes.iter().all(|change| !sessions.outer.contains(change)));
    assert_eq!(outer.owner, inner.owner);
    let size = |region: &Region| {
        plan::plan(&graph, &SelfReferences::new(&sessions.heap), &OwnerPaths::new(true), &Effort::default(), region)
            .expect("the structure can be followed")
            .size_at_capture
    };
    assert_eq!((size(outer), size(inner)), (Some(SESSIONS as u64), Some(3 * SESSIONS as u64)));
}
