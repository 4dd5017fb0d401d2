//! Data structures of a heap dump for people: the answer, the heap, the descriptions, and a table by type and place.

use crate::report::growth::Size;
use crate::report::language::LanguageFile;
use crate::report::structures::{LeafRow, StructureItem, StructuresReport, TypeRow};
use crate::units;
use crate::view::dump::analysis::head;
use crate::view::dump::rows::{Table, labelled, line, wrapped};

/// Smallest share of the heap of a place that has a line of its own.
const LEAST_SHARE: f64 = 0.01;
/// Smallest share of the leaves of a place that is written out.
const LEAST_LEAVES: u64 = 20;

/// The whole text.
#[must_use]
pub fn text(report: &StructuresReport, columns: usize) -> String {
    let mut out = String::new();
    wrapped(&mut out, &report.verdict, columns);
    out.push('\n');
    head(&mut out, &report.dump, columns);
    labelled(&mut out, "Heap", &heap(report), columns);
    labelled(&mut out, "Language", &language(report), columns);
    report.notes.iter().for_each(|note| labelled(&mut out, "Note", note, columns));
    table(&mut out, report, columns);
    super::tree::write(&mut out, &report.tree, columns);
    out
}

fn heap(report: &StructuresReport) -> String {
    let counts = &report.counts;
    let share = counts.member_bytes as f64 / report.heap.bytes.max(1) as f64;
    let unmeasured = match counts.not_measured {
        0 => String::new(),
        count => format!(", {} not measured", units::count(count)),
    };
    format!(
        "reachable {} in {} · {}, {} of them top level{unmeasured}, {} inside them ({} of the heap)",
        units::bytes(report.heap.bytes as f64),
        units::counted(report.heap.objects, "object"),
        units::counted(counts.structures, "data structure"),
        units::count(counts.top_level),
        units::counted(counts.member_objects, "object"),
        units::percent(share)
    )
}

/// `jdk (71 of 96 types) + shop.ds (4 types, 1 not in this heap: shop.Legacy)`.
fn language(report: &StructuresReport) -> String {
    let files: Vec<String> =
        report.language.files.iter().filter(|file| file.matched > 0 || !file.is_shipped).map(file).collect();
    let unmatched = match report.language.unmatched.as_slice() {
        [] => String::new(),
        names => format!(", not in this heap: {}", names.join(", ")),
    };
    let inherited = match report.language.inherited {
        0 => String::new(),
        1 => " · 1 class inherits its description".to_owned(),
        count => format!(" · {} classes inherit their description", units::count(count)),
    };
    let files = if files.is_empty() { "no description fits a type of this heap".to_owned() } else { files.join(" + ") };
    format!("{files}{unmatched}{inherited}")
}

fn file(file: &LanguageFile) -> String {
    let types = match file.types {
        1 => "1 type".to_owned(),
        all if all == file.matched => format!("{all} types"),
        all => format!("{} of {all} types", file.matched),
    };
    format!("{} ({types})", file.name)
}

fn table(out: &mut String, report: &StructuresReport, columns: usize) {
    if report.types.is_empty() {
        return;
    }
    let headings = ["structures", "leaves", "structure", "deep structure", "retained", "share", "type · place"];
    let mut table = Table::new(&headings);
    for row in &report.types {
        table.row(type_cells(row));
        let shown = row.items.iter().map(|&at| &report.items[at]);
        for (at, item) in shown.enumerate().filter(|(at, item)| *at == 0 || item.share >= LEAST_SHARE) {
            let is_whole = at == 0 && row.place_count == 1;
            table.row(item_cells(item, is_whole));
            let leaves = leaves(item);
            if !leaves.is_empty() && item.share >= LEAST_SHARE {
                table.row([vec![String::new(); headings.len() - 1], vec![format!("    {leaves}")]].concat());
            }
        }
    }
    out.push('\n');
    table.write(out, columns);
    let more = report.type_count.saturating_sub(report.types.len());
    if more > 0 {
        line(out, &format!("and {} more types", units::count(more as u64)));
    }
}

fn type_cells(row: &TypeRow) -> Vec<String> {
    let sizes = &row.sizes;
    vec![
        units::count(row.structures),
        units::count(row.leaves),
        bytes(sizes.structure),
        bytes(sizes.deep_structure),
        bytes(sizes.retained),
        units::percent(row.share),
        row.class.clone(),
    ]
}

/// The figures of the only place are those of the type.
fn item_cells(item: &StructureItem, is_whole: bool) -> Vec<String> {
    let place = format!("  {}", item.place);
    if is_whole {
        return [vec![String::new(); 6], vec![place]].concat();
    }
    let sizes = &item.sizes;
    vec![
        units::count(item.alike),
        units::count(item.leaf_count),
        bytes(sizes.structure),
        bytes(sizes.deep_structure),
        bytes(sizes.retained),
        units::percent(item.share),
        place,
    ]
}

/// `leaves: 1.10M app.Order (keep 181 MB), 1.10M java.lang.Long`.
fn leaves(item: &StructureItem) -> String {
    let is_large = |leaf: &&LeafRow| leaf.count * LEAST_LEAVES >= item.leaf_count;
    let shown: Vec<String> = item.leaves.iter().filter(is_large).map(leaf).collect();
    if shown.is_empty() { String::new() } else { format!("leaves: {}", shown.join(", ")) }
}

fn leaf(leaf: &LeafRow) -> String {
    let kept = leaf.retained_bytes.map(|bytes| format!(" (keep {})", units::bytes(bytes as f64)));
    format!("{} {}{}", units::count(leaf.count), leaf.class, kept.unwrap_or_default())
}

fn bytes(size: Option<Size>) -> String {
    size.map_or_else(|| units::UNKNOWN.to_owned(), |size| units::bytes(size.bytes as f64))
}
