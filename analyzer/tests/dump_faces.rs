//! The reports on heap dumps as people see them, from sketched heaps to the text, as they were looked at and approved.
#![allow(clippy::unwrap_used)] // Helpers of tests may panic as tests do.

use rootbound::dump_reports::{
    AnalysisWanted, ClassOrder, Kinds, RootsWanted, SizeWanted, SortBy, TreeWanted, analysis, roots, size,
};
use rootbound::heap::dsl::{HeapSketch, OLD};
use rootbound::heap::{Heap, ObjectIdx};
use rootbound::report::dump::{AnalysisReport, DumpFile, RootsReport};
use rootbound::view::dump::analysis::Extent;
use rootbound::view::{dump, json, names};

const MB: u64 = 1 << 20;

fn file(name: &str) -> DumpFile {
    DumpFile { file: name.to_owned(), format: "HPROF".to_owned(), notes: Vec::new() }
}

/// A map with a number of values of a class, as `java.util.HashMap` builds it.
fn map(sketch: &mut HeapSketch, count: u64, class: &str, bytes: u64) -> ObjectIdx {
    let (map, table) = (sketch.old("java.util.HashMap"), sketch.old("java.util.HashMap$Node[]"));
    sketch.refer(map, "table", table);
    for _ in 0..count {
        let (node, key) = (sketch.old("java.util.HashMap$Node"), sketch.old("java.lang.String"));
        let value = sketch.object(class, bytes, OLD);
        sketch.element(table, node);
        sketch.refer(node, "key", key);
        sketch.refer(node, "value", value);
    }
    map
}

/// HeapLens's worked example in a program's clothes: 500 MB, a web application that was not let go, a log buffer,
/// arrays.
fn leaked_web_application() -> Heap {
    let mut sketch = HeapSketch::new();
    let loader = sketch.fresh("org.apache.catalina.loader.WebappClassLoader");
    let worker = sketch.old("java.lang.Thread");
    sketch.thread(worker, "http-worker-3");
    sketch.refer(worker, "contextClassLoader", loader);
    sketch.loaded_by("com.example.SessionManager", loader);
    let sessions = map(&mut sketch, 650, "com.example.Session", 340 * MB / 650);
    sketch.static_field("com.example.SessionManager", "sessions", sessions);
    let (buffer, pages) = (sketch.old("com.example.LogBuffer"), sketch.old("com.example.LogPage[]"));
    sketch.refer(buffer, "pages", pages);
    for _ in 0..85 {
        let page = sketch.object("com.example.LogPage", MB, OLD);
        sketch.element(pages, page);
    }
    sketch.static_field("com.example.Log", "buffer", buffer);
    let (first, second) = (sketch.old("java.lang.Object[]"), sketch.old("java.lang.Object[]"));
    for _ in 0..15_000 {
        let array = sketch.object("byte[]", 60 * MB / 15_000, OLD);
        sketch.element(first, array);
        sketch.element(second, array);
    }
    sketch.static_field("com.example.Reader", "pending", first);
    sketch.static_field("com.example.Cache", "decoded", second);
    let rest = sketch.object("com.example.Tables", 15 * MB, OLD);
    sketch.local(rest);
    sketch.object("byte[]", 20 * MB, OLD);
    sketch.build()
}

fn healthy_program() -> Heap {
    let mut sketch = HeapSketch::new();
    for at in 0..40 {
        let table = sketch.object(&format!("com.example.Table{at}"), 10_000 + at, OLD);
        sketch.static_field(&format!("com.example.Module{at}"), "table", table);
    }
    sketch.build()
}

fn analysed(heap: &Heap, name: &str) -> AnalysisReport {
    analysis(heap, file(name), AnalysisWanted { limit: 6, sort: ClassOrder::Retained, with_classes: true }, &mut |_| ())
}

fn whole(report: &AnalysisReport, columns: usize) -> String {
    dump::analysis::text(report, columns, Extent { rows: 6, is_whole: true, is_coloured: false })
}

fn rooted(heap: &Heap, tree: Option<TreeWanted>) -> RootsReport {
    let wanted = RootsWanted {
        kinds: Kinds::All,
        class: None,
        least_bytes: 0,
        sort: SortBy::Size,
        limit: 3,
        tree,
        from: None,
        follows_soft: false,
    };
    roots(heap, file("shop.hprof"), &wanted, &mut |_| ()).unwrap()
}

#[test]
fn a_leaked_web_application() {
    insta::assert_snapshot!(whole(&analysed(&leaked_web_application(), "shop.hprof"), 100));
}

#[test]
fn a_leaked_web_application_on_80_columns() {
    let report = analysed(&leaked_web_application(), "shop.hprof");
    insta::assert_snapshot!(dump::analysis::text(&report, 80, Extent { rows: 3, is_whole: false, is_coloured: false }));
}

#[test]
fn a_healthy_program() {
    insta::assert_snapshot!(whole(&analysed(&healthy_program(), "healthy.hprof"), 100));
}

#[test]
fn a_heap_that_no_root_reaches() {
    let heap = HeapSketch::new().build();
    insta::assert_snapshot!(whole(&analysed(&heap, "shape.txt"), 100));
}

#[test]
fn a_cut_dump_says_so() {
    let mut report = analysed(&healthy_program(), "cut.hprof");
    report.dump.notes.push("the dump is cut off: it was read up to byte 4711".to_owned());
    let text = whole(&report, 100);
    assert!(text.contains("Note      the dump is cut off: it was read up to byte 4711\n"), "{text}");
}

#[test]
fn the_analysis_as_json() {
    let mut sketch = HeapSketch::new();
    let orders = map(&mut sketch, 30, "com.example.Order", 100);
    sketch.static_field("com.example.Shop", "orders", orders);
    let report = analysis(
        &sketch.build(),
        file("small.hprof"),
        AnalysisWanted { limit: 1, sort: ClassOrder::Shallow, with_classes: true },
        &mut |_| (),
    );
    insta::assert_snapshot!(json::to_json(&report).unwrap());
}

#[test]
fn roots_in_a_table() {
    insta::assert_snapshot!(dump::roots::text(&rooted(&leaked_web_application(), None), 100));
}

#[test]
fn dump_from_roots() {
    let limits = TreeWanted { depth: 4, least_bytes: MB, lines: 8 };
    insta::assert_snapshot!(dump::roots::text(&rooted(&leaked_web_application(), Some(limits)), 100));
}

#[test]
fn the_size_of_a_structure() {
    let wanted = SizeWanted {
        from: vec!["com.example.SessionManager.sessions".to_owned()],
        skip: vec!["java.lang.String".to_owned()],
        limit: 3,
        ..SizeWanted::default()
    };
    let report = size(&leaked_web_application(), file("shop.hprof"), &wanted).unwrap();
    insta::assert_snapshot!(dump::size::text(&report, 100, 3));
}

#[test]
fn no_line_of_the_tables_is_wider_than_the_terminal() {
    let report = analysed(&leaked_web_application(), "shop.hprof");
    let heap = leaked_web_application();
    let limits = TreeWanted { depth: 4, least_bytes: 0, lines: 30 };
    let (table, tree) = (rooted(&heap, None), rooted(&heap, Some(limits)));
    for columns in 70..130 {
        let texts = [whole(&report, columns), dump::roots::text(&table, columns), dump::roots::text(&tree, columns)];
        for line in texts.iter().flat_map(|text| text.lines()) {
            assert!(names::width(line) <= columns, "{columns}: {line}");
        }
    }
}
