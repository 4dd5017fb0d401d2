//! Ways from GC roots to objects of one's choice.

use super::OnPhase;
use super::ways::path_way;
use super::words::Words;
use crate::graph::BitSet;
use crate::heap::Heap;
use crate::report::dump::{DumpFile, PathsReport, SCHEMA, WayLine};
use crate::structure_size::{Target, TargetError};
use crate::ways;

/// The ways that are wanted.
#[derive(Clone, Debug, Default)]
pub struct PathsWanted {
    /// Their ends: a class, a static field, an object's id, or a mark.
    pub to: String,
    /// Objects that they do not pass.
    pub avoid: Vec<String>,
    /// Most ways.
    pub limit: usize,
}

/// Finds the ways.
///
/// # Errors
/// [`TargetError`]: a pattern matches nothing.
pub fn paths(
    heap: &Heap,
    dump: DumpFile,
    wanted: &PathsWanted,
    on_phase: OnPhase<'_>,
) -> Result<PathsReport, TargetError> {
    let to = Target::find(heap, &wanted.to)?.objects(heap, &wanted.to)?;
    let mut avoided = BitSet::new(heap.object_count());
    for text in &wanted.avoid {
        avoid(heap, text, &mut avoided)?;
    }
    on_phase("finding the ways from the GC roots");
    let found = ways::find(heap, &to, &avoided, wanted.limit);
    let words = Words::new(heap);
    let line = |way: &ways::Way| WayLine {
        object_count: way.object_count,
        bytes: way.bytes,
        root_path: path_way(&words, &way.path),
    };
    Ok(PathsReport {
        schema: SCHEMA,
        report: "paths",
        dump,
        to: wanted.to.clone(),
        avoid: wanted.avoid.clone(),
        object_count: to.len() as u64,
        reached_count: found.reached_count,
        reached_bytes: found.reached_bytes,
        way_count: found.way_count,
        ways: found.ways.iter().map(line).collect(),
    })
}

/// Adds the objects of a pattern; a class without instances has none.
fn avoid(heap: &Heap, text: &str, avoided: &mut BitSet) -> Result<(), TargetError> {
    let objects = match Target::find(heap, text)?.objects(heap, text) {
        Err(TargetError::NoInstances(_)) => Vec::new(),
        objects => objects?,
    };
    for object in objects {
        avoided.insert(object.at());
    }
    Ok(())
}
