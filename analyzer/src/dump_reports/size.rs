//! The size of a structure.

use super::words::Words;
use crate::heap::Heap;
use crate::report::dump::{DumpFile, SCHEMA, SizeLine, SizeReport};
use crate::structure_size::{Skipped, Target, TargetError, measure};

/// The measurement that is wanted.
#[derive(Clone, Debug, Default)]
pub struct SizeWanted {
    /// Starts: classes, static fields, object ids.
    pub from: Vec<String>,
    /// Objects whose references count as null.
    pub skip: Vec<String>,
    /// Whether class mirrors are measured like any other object.
    pub with_classes: bool,
    /// Order of the classes: by instances instead of bytes.
    pub by_instances: bool,
    /// Most classes that are reported.
    pub limit: usize,
}

/// Measures the structure.
///
/// # Errors
/// [`TargetError`]: a pattern matches nothing.
pub fn size(heap: &Heap, dump: DumpFile, wanted: &SizeWanted) -> Result<SizeReport, TargetError> {
    let mut skipped = Skipped::new(heap, !wanted.with_classes);
    for text in &wanted.skip {
        skipped.add(&Target::find(heap, text)?);
    }
    let mut starts = Vec::new();
    for text in &wanted.from {
        starts.extend(Target::find(heap, text)?.objects(heap, text)?);
    }
    starts.sort_unstable();
    starts.dedup();
    let mut closure = measure(heap, &starts, &skipped);
    let key = |row: &crate::structure_size::ClosureRow| match wanted.by_instances {
        true => (row.instance_count, row.bytes),
        false => (row.bytes, row.instance_count),
    };
    closure.rows.sort_by_key(|row| (std::cmp::Reverse(key(row)), row.class));
    let words = Words::new(heap);
    let line = |row: &crate::structure_size::ClosureRow| SizeLine {
        class: words.class(row.class),
        instance_count: row.instance_count,
        bytes: row.bytes,
    };
    Ok(SizeReport {
        schema: SCHEMA,
        report: "size",
        dump,
        from: wanted.from.clone(),
        skip: wanted.skip.clone(),
        skips_class_mirrors: !wanted.with_classes,
        start_count: starts.len() as u64,
        object_count: closure.object_count,
        bytes: closure.bytes,
        skipped_count: closure.skipped_count,
        classes: closure.rows.iter().take(wanted.limit).map(line).collect(),
        class_count: closure.rows.len(),
    })
}
