//! The analysis of one dump: totals, suspects, largest retainers, big drops, classes, and the verdict.

use super::OnPhase;
use super::held::Describer;
use super::words::Words;
use crate::graph::{Dominated, Ownership, RootPaths};
use crate::heap::{Heap, ObjectIdx};
use crate::suspects::{self, Census, Forest, Structure, Subject, Suspect, Suspects, Thresholds};
use crate::view::dump::report::{AnalysisReport, ClassLine, DumpFile, SCHEMA, SuspectRow, Totals};
use crate::view::dump::verdict;

/// Analyses a heap; of every list the first `limit` entries are reported, of suspects all.
pub fn analysis(heap: &Heap, dump: DumpFile, limit: usize, on_phase: OnPhase<'_>) -> AnalysisReport {
    on_phase("finding out who owns what");
    let ownership = Ownership::new(heap);
    on_phase("looking for suspects");
    let dominated = Dominated::new(&ownership);
    let forest = Forest::new(&ownership, &dominated);
    let thresholds = Thresholds::default();
    let mut found = suspects::find(&forest, &thresholds);
    found.retainers.truncate(limit);
    found.drops.truncate(limit);
    on_phase("finding the ways from the GC roots");
    let words = Words::new(heap);
    let paths = RootPaths::to(heap, &shown(&found));
    let describer = Describer { forest: &forest, words: &words, paths: &paths };
    let mut report = AnalysisReport {
        schema: SCHEMA,
        report: "analysis",
        dump,
        verdict_suspect: suspects::verdict(&forest, &found.suspects, &thresholds),
        totals: totals(heap, &ownership),
        suspects: found.suspects.iter().map(|suspect| row(&describer, suspect)).collect(),
        largest_retainers: found.retainers.iter().map(|each| describer.held(each)).collect(),
        big_drops: found.drops.iter().map(|each| describer.held(each)).collect(),
        classes: classes(&describer, &found.census, limit),
        class_count: found.census.rows.len(),
        ..AnalysisReport::default()
    };
    report.verdict = verdict::sentence(&report);
    report
}

/// Objects whose ways are told.
fn shown(found: &Suspects) -> Vec<ObjectIdx> {
    let of_suspect = |suspect: &Suspect| match suspect.subject {
        Subject::Loader { loader, accumulation, .. } => vec![loader, accumulation],
        Subject::Object(structure) => vec![structure.head],
        Subject::Class { .. } => Vec::new(),
    };
    let structures = found.retainers.iter().chain(&found.drops).map(|each: &Structure| each.head);
    found.suspects.iter().flat_map(of_suspect).chain(structures).collect()
}

fn totals(heap: &Heap, ownership: &Ownership<'_>) -> Totals {
    let (object_count, total_bytes) = (heap.object_count() as u64, heap.total_bytes());
    let (reachable_count, reachable_bytes) = (ownership.reachable_count() as u64, ownership.reachable_bytes());
    Totals {
        object_count,
        total_bytes,
        reachable_count,
        reachable_bytes,
        unreachable_count: object_count - reachable_count,
        unreachable_bytes: total_bytes - reachable_bytes,
        reference_count: heap.references().len() as u64,
        class_count: heap.classes().len() as u64,
        root_count: heap.roots().len() as u64,
        thread_count: heap.threads().len() as u64,
    }
}

fn row(describer: &Describer<'_>, suspect: &Suspect) -> SuspectRow {
    let held = |object| describer.held(&suspects::structure(describer.forest, object));
    let mut row = SuspectRow {
        phase: 3,
        severity: suspect.severity.name(),
        retained_bytes: suspect.retained_bytes,
        share: suspect.share,
        ..SuspectRow::default()
    };
    match suspect.subject {
        Subject::Loader { loader, is_built_in, accumulation } => {
            (row.phase, row.is_built_in) = (1, is_built_in);
            (row.object, row.accumulation) = (Some(held(loader)), Some(held(accumulation)));
        }
        Subject::Object(structure) => row.object = Some(describer.held(&structure)),
        Subject::Class { class, instance_count, beyond_bytes } => {
            row.phase = 4;
            (row.class, row.instance_count) = (Some(describer.words.class(class)), Some(instance_count));
            row.beyond_bytes = Some(beyond_bytes);
        }
    }
    row
}

/// By what they retain.
fn classes(describer: &Describer<'_>, census: &Census, limit: usize) -> Vec<ClassLine> {
    let mut rows: Vec<_> = census.rows.iter().collect();
    rows.sort_by_key(|row| (std::cmp::Reverse(row.retained_bytes), row.class));
    let words = describer.words;
    let line = |row: &&suspects::ClassRow| ClassLine {
        class: words.class(row.class),
        loader: words.heap.classes().get(row.class).loader.map(|loader| words.class_name(loader)),
        instance_count: row.instance_count,
        shallow_bytes: row.shallow_bytes,
        retained_bytes: row.retained_bytes,
        share: describer.forest.share(row.retained_bytes),
    };
    rows.iter().take(limit).map(line).collect()
}
