//! The analysis of one dump: totals, suspects, largest retainers, big drops, classes ([`classes`]), and the verdict.

use super::OnPhase;
use super::advice;
use super::classes;
use super::held::{Describer, Facts};
use super::verdict;
use super::words::Words;
use crate::graph::{Dominated, Ownership, RootPaths};
use crate::heap::Heap;
use crate::report::dump::{AnalysisReport, DumpFile, SCHEMA, SuspectRow, Totals};
use crate::suspects::{self, Forest, Relation, Structure, Subject, Suspect, Suspects, Thresholds};

/// Limits and order of the analysis.
#[derive(Clone, Copy, Debug)]
pub struct AnalysisWanted {
    /// Most entries of each list.
    pub limit: usize,
    /// Order of the classes.
    pub sort: ClassOrder,
    /// Whether the exact retained sizes of classes are wanted, which take a pass over the heap.
    pub with_classes: bool,
}

/// Orders of classes; the largest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassOrder {
    /// By retained size.
    Retained,
    /// By shallow size.
    Shallow,
    /// By number of instances.
    Instances,
}

/// Analyses a heap; all suspects are reported.
pub fn analysis(heap: &Heap, dump: DumpFile, wanted: AnalysisWanted, on_phase: OnPhase<'_>) -> AnalysisReport {
    on_phase("finding out who owns what");
    let ownership = Ownership::new(heap);
    on_phase("looking for suspects");
    let Search { found, facts, verdict, relations } = search(&ownership, wanted.limit);
    let classes = classes::Chosen::of(&ownership, &found.census, wanted, on_phase);
    on_phase("finding the ways from the GC roots");
    let words = Words::new(heap);
    let paths = RootPaths::to(heap, &facts.objects());
    let describer = Describer { ownership: &ownership, words: &words, paths: &paths, facts: &facts };
    let held = |structures: &[Structure]| structures.iter().filter_map(|each| describer.held(each.head)).collect();
    let mut report = AnalysisReport {
        schema: SCHEMA,
        report: "analysis",
        dump,
        verdict_suspect: verdict,
        totals: totals(heap, &ownership),
        suspects: found
            .suspects
            .iter()
            .zip(&relations)
            .map(|(found, relation)| row(&describer, found, relation))
            .collect(),
        largest_retainers: held(&found.retainers),
        big_drops: held(&found.drops),
        classes: classes.lines(&describer),
        class_count: found.census.rows.len(),
        ..AnalysisReport::default()
    };
    report.verdict = verdict::sentence(&report);
    report
}

/// Results from the dominator tree. The tree is dropped before the paths are searched, which take as much memory.
struct Search {
    found: Suspects,
    facts: Facts,
    verdict: Option<usize>,
    relations: Vec<Relation>,
}

fn search(ownership: &Ownership<'_>, limit: usize) -> Search {
    let dominated = Dominated::new(ownership);
    let forest = Forest::new(ownership, &dominated);
    let thresholds = Thresholds::default();
    let mut found = suspects::find(&forest, &thresholds);
    found.retainers.truncate(limit);
    found.drops.truncate(limit);
    let mut facts = Facts::default();
    found.retainers.iter().chain(&found.drops).for_each(|&structure| facts.learn(&forest, structure));
    for suspect in &found.suspects {
        match suspect.subject {
            Subject::Loader { loader, accumulation, .. } => {
                [loader, accumulation].into_iter().for_each(|object| facts.learn_of(&forest, object));
            }
            Subject::Object(structure) | Subject::Statics(structure) => facts.learn(&forest, structure),
            Subject::Class { example, .. } => {
                example.into_iter().for_each(|object| facts.learn_of(&forest, object));
            }
        }
    }
    let verdict = suspects::verdict(&forest, &found.suspects, &thresholds);
    let relations = suspects::relations(&forest, &found.suspects);
    Search { found, facts, verdict, relations }
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

fn row(describer: &Describer<'_>, suspect: &Suspect, relation: &Relation) -> SuspectRow {
    let mut row = SuspectRow {
        phase: 3,
        severity: suspect.severity.name(),
        retained_bytes: suspect.retained_bytes,
        share: suspect.share,
        within: relation.within,
        group: relation.group,
        ..SuspectRow::default()
    };
    match suspect.subject {
        Subject::Loader { loader, is_built_in, accumulation } => {
            (row.phase, row.is_built_in) = (1, is_built_in);
            (row.object, row.accumulation) = (describer.held(loader), describer.held(accumulation));
        }
        Subject::Object(structure) | Subject::Statics(structure) => row.object = describer.held(structure.head),
        Subject::Class { class, instance_count, beyond_bytes, example } => {
            row.example = example.and_then(|object| describer.held(object));
            row.phase = 4;
            (row.class, row.instance_count) = (Some(describer.words.class(class)), Some(instance_count));
            row.beyond_bytes = Some(beyond_bytes);
        }
    }
    row.kind = advice::kind(&row);
    row.advice = advice::sentence(&row);
    row
}
