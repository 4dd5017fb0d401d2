//! The meaning of objects' marks: the snapshot that first saw them, and the number of objects that they stand for.

use super::{Generation, MarkTable, ObjectIdx};
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::Mark;
use rustc_hash::FxHashMap;

/// The snapshot that first saw the object, and the number of objects that it stands for.
fn meaning(table: Option<&MarkTable>, seen: Seen) -> (SnapshotId, f64) {
    let weight = match seen.mark {
        Some(Mark::StandsFor(objects)) => f64::from(objects.max(1)),
        Some(Mark::Planned(number)) => {
            let planned = table.filter(|table| table.first_seen == seen.first_seen);
            planned.and_then(|table| table.weight(number)).map_or(1.0, |(_, weight)| weight)
        }
        None => 1.0,
    };
    (seen.first_seen, weight)
}

/// An object with the snapshot of its mark, and the mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) object: ObjectIdx,
    pub(super) first_seen: SnapshotId,
    pub(super) mark: Option<Mark>,
}

/// Generations of all objects, and the rarer data of few of them.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// Generation by object; empty if all objects are of the latest.
    pub(super) generation: Vec<Generation>,
    pub(super) latest: Generation,
    /// Objects that stand for more or less than one.
    weights: FxHashMap<ObjectIdx, f64>,
    /// Objects with planned marks: snapshot of the plan, and number.
    planned: FxHashMap<ObjectIdx, (SnapshotId, u32)>,
    /// The meaning of planned marks.
    pub(super) table: Option<MarkTable>,
}

impl Marks {
    /// Takes all objects that may be old, in ascending order; the others belong to the capture's own snapshot. If that
    /// is not known, it is the latest that any object carries.
    pub(super) fn new(
        object_count: usize,
        seen: impl Iterator<Item = Seen> + Clone,
        own: Option<SnapshotId>,
        table: Option<MarkTable>,
    ) -> Self {
        let meaning = |seen: Seen| {
            let (first_seen, weight) = meaning(table.as_ref(), seen);
            (own.map_or(first_seen, |own| first_seen.min(own)), weight)
        };
        let mut snapshots: Vec<SnapshotId> = own.into_iter().collect();
        for snapshot in seen.clone().map(|each| meaning(each).0) {
            if !snapshots.contains(&snapshot) && snapshots.len() < usize::from(Generation::MAX) {
                snapshots.push(snapshot);
            }
        }
        snapshots.sort_unstable();
        let latest = snapshots.len().saturating_sub(1) as Generation;
        let mut marks = Self { generation: vec![latest; object_count], latest, ..Self::default() };
        for each in seen {
            let (first_seen, weight) = meaning(each);
            let generation = snapshots.binary_search(&first_seen).map_or(latest, |at| at as Generation);
            marks.generation[each.object.at()] = generation;
            marks.add(each, weight);
        }
        marks.table = table;
        marks
    }

    /// Marks with a given age for every object.
    pub(super) fn of(generation: Vec<Generation>) -> Self {
        let latest = generation.iter().copied().max().unwrap_or(0);
        Self { generation, latest, ..Self::default() }
    }

    fn add(&mut self, seen: Seen, weight: f64) {
        if weight != 1.0 {
            self.weights.insert(seen.object, weight);
        }
        if let Some(Mark::Planned(number)) = seen.mark {
            self.planned.insert(seen.object, (seen.first_seen, number));
        }
    }

    #[inline]
    pub(super) fn generation(&self, object: ObjectIdx) -> Generation {
        self.generation.get(object.at()).copied().unwrap_or(self.latest)
    }

    pub(super) fn weight(&self, object: ObjectIdx) -> f64 {
        self.weights.get(&object).copied().unwrap_or(1.0)
    }

    pub(super) fn planned(&self, object: ObjectIdx) -> Option<(SnapshotId, u32)> {
        self.planned.get(&object).copied()
    }
}
