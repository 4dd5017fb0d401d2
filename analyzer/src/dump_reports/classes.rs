//! The classes of a dump in their order, with their retained sizes: the lower bound of the census, and where it is
//! wanted the exact size, which counts what several instances keep together (AntTracks §2.2.3, *GC closure*).

use super::OnPhase;
use super::analysis::{AnalysisWanted, ClassOrder};
use super::held::Describer;
use crate::graph::{Entries, Intervals, Ownership};
use crate::heap::ClassIdx;
use crate::report::dump::ClassLine;
use crate::structures::retained_by_classes;
use crate::suspects::{Census, ClassRow};
use std::cmp::Reverse;

/// Classes that are measured exactly before their order is final: one pass.
const CANDIDATES: usize = 64;

/// The classes that are reported, in their order.
pub(super) struct Chosen(Vec<(ClassRow, Option<u64>)>);

impl Chosen {
    pub(super) fn of(
        ownership: &Ownership<'_>,
        census: &Census,
        wanted: AnalysisWanted,
        on_phase: OnPhase<'_>,
    ) -> Self {
        let key = |row: &ClassRow, exact: Option<u64>| match wanted.sort {
            ClassOrder::Retained => exact.unwrap_or(row.retained_bytes),
            ClassOrder::Shallow => row.shallow_bytes,
            ClassOrder::Instances => row.instance_count,
        };
        let mut rows: Vec<(ClassRow, Option<u64>)> = census.rows.iter().map(|&row| (row, None)).collect();
        let sort = |rows: &mut Vec<(ClassRow, Option<u64>)>| {
            rows.sort_by_key(|(row, exact)| (Reverse(key(row, *exact)), row.class));
        };
        sort(&mut rows);
        if wanted.with_classes {
            on_phase("measuring classes");
            rows.truncate(wanted.limit.max(CANDIDATES));
            measure(ownership, &mut rows);
            sort(&mut rows);
        }
        rows.truncate(wanted.limit);
        Self(rows)
    }

    pub(super) fn lines(&self, describer: &Describer<'_>) -> Vec<ClassLine> {
        let words = describer.words;
        let line = |(row, exact): &(ClassRow, Option<u64>)| {
            let loader = words.heap.classes().get(row.class).loader;
            ClassLine {
                class: words.class(row.class),
                loader: loader.map(|loader| words.class_name(loader)),
                loader_id: loader.and_then(|loader| words.id(loader)),
                instance_count: row.instance_count,
                shallow_bytes: row.shallow_bytes,
                retained_bytes: row.retained_bytes,
                retained_together_bytes: *exact,
                share: describer.share(exact.unwrap_or(row.retained_bytes)),
            }
        };
        self.0.iter().map(line).collect()
    }
}

fn measure(ownership: &Ownership<'_>, rows: &mut [(ClassRow, Option<u64>)]) {
    let classes: Vec<ClassIdx> = rows.iter().map(|(row, _)| row.class).collect();
    let entries = Entries::all(ownership.heap());
    let sizes = retained_by_classes(&Intervals::new(ownership), &entries, &classes);
    rows.iter_mut().zip(sizes).for_each(|((_, exact), size)| *exact = Some(size.bytes));
}
