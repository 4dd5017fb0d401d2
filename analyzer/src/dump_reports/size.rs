//! The size of a structure.

use super::words::Words;
use crate::heap::{DumpRules, Heap, WeakFields};
use crate::report::dump::{DumpFile, SCHEMA, SizeLine, SizeReport};
use crate::structure_size::{ClosureRow, InstanceFields, Skipped, Target, TargetError, measure};

/// The measurement that is wanted.
#[derive(Clone, Debug, Default)]
pub struct SizeWanted {
    /// Starts: classes, static fields, object ids.
    pub from: Vec<String>,
    /// Objects and fields whose references count as null.
    pub skip: Vec<String>,
    /// The references of `java.lang.ref` that are followed.
    pub follow: DumpRules,
    /// Whether class mirrors are measured like any other object.
    pub with_classes: bool,
    /// Order of the classes: by instances instead of bytes.
    pub by_instances: bool,
    /// Most classes that are reported.
    pub limit: usize,
}

/// Measures the structure in a heap that was read with [`DumpRules::ALL`], following what `wanted.follow` allows.
///
/// # Errors
/// [`TargetError`]: a pattern matches nothing.
pub fn size(heap: &Heap, dump: DumpFile, wanted: &SizeWanted) -> Result<SizeReport, TargetError> {
    let mut skipped = Skipped::new(heap, !wanted.with_classes);
    for text in &wanted.skip {
        skip(heap, text, &mut skipped)?;
    }
    let mut starts = Vec::new();
    for text in &wanted.from {
        starts.extend(Target::find(heap, text)?.objects(heap, text)?);
    }
    starts.sort_unstable();
    starts.dedup();
    skipped.set_weak(Some(WeakFields::new(heap.classes(), wanted.follow)));
    let mut closure = measure(heap, &starts, &skipped);
    skipped.set_weak(None);
    let all = if wanted.follow.keeps_all { None } else { Some(measure(heap, &starts, &skipped)) };
    let key = |row: &ClosureRow| match wanted.by_instances {
        true => (row.instance_count, row.bytes),
        false => (row.bytes, row.instance_count),
    };
    closure.rows.sort_by_key(|row| (std::cmp::Reverse(key(row)), row.class));
    let words = Words::new(heap);
    let line = |row: &ClosureRow| SizeLine {
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
        unfollowed_count: all.as_ref().map_or(0, |all| all.object_count - closure.object_count),
        unfollowed_bytes: all.as_ref().map_or(0, |all| all.bytes - closure.bytes),
        skipped_count: closure.skipped_count,
        classes: closure.rows.iter().take(wanted.limit).map(line).collect(),
        class_count: closure.rows.len(),
    })
}

/// Adds a pattern of `--skip`: an instance field, or what [`Target::find`] finds. A pattern may fit both.
fn skip(heap: &Heap, text: &str, skipped: &mut Skipped<'_>) -> Result<(), TargetError> {
    let fields = InstanceFields::find(heap, text);
    match Target::find(heap, text) {
        Err(_) if !fields.is_empty() => {}
        target => skipped.add(&target?),
    }
    skipped.add_fields(fields);
    Ok(())
}
