//! Calibration of the patterns of growth: generated programs whose structures grow in known ways, before and after.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use crate::random::Random;
use rootbound::growing::{Growing, GrowthOrder, GrowthWanted, NamedHeap};
use rootbound::heap::dsl::{HeapSketch, OLD};
use rootbound::heap::{Heap, ObjectIdx};
use rootbound::naming::growth::Pattern;
use rootbound::report::growth::{GrowthReport, Item};
use rootbound::structures::language::parse;
use rootbound::structures::{Language, LayoutOptions};
use std::collections::BTreeMap;

const PROGRAMS: u64 = 300;
/// Portion of the heap's growth that no structure may have that does not grow.
const MOST_WITHOUT_GROWTH: f64 = 5.0;

const COLLECTIONS: &str = "namespace java.util {
    DS ArrayList { java.lang.Object[]; }
    DS HashMap { HashMap$Node[]; }
    HashMap$Node { HashMap$Node; (*); }
}";

const KINDS: [Pattern; 5] = [
    Pattern::SingleOwnershipContainer,
    Pattern::SharedOwnershipContainer,
    Pattern::SingleOwnershipData,
    Pattern::SharedOwnershipData,
    Pattern::NonGrowth,
];

/// One structure of a program.
struct Structure {
    kind: Pattern,
    /// Number of lists within it, or none if it holds its elements itself.
    lists: Option<usize>,
    elements: usize,
    /// Bytes of one thing that comes: an element's contents, or a part of them.
    part_bytes: u64,
    /// Number of things that come.
    coming: usize,
}

impl Structure {
    fn random(random: &mut Random, kind: Pattern) -> Self {
        let part_bytes = 1_000 + random.below(3_000) as u64;
        let growth_bytes = 300_000 * (1 + random.below(3)) as u64;
        // Some structures change a little all the time.
        let coming = if kind == Pattern::NonGrowth { random.below(4) } else { (growth_bytes / part_bytes) as usize };
        let lists = random.percent(50).then(|| 2 + random.below(8));
        Self { kind, lists, elements: 20 + random.below(200), part_bytes, coming }
    }

    fn is_container(&self) -> bool {
        matches!(self.kind, Pattern::SingleOwnershipContainer | Pattern::SharedOwnershipContainer | Pattern::NonGrowth)
    }

    fn is_shared(&self) -> bool {
        matches!(self.kind, Pattern::SharedOwnershipContainer | Pattern::SharedOwnershipData)
    }
}

/// Writes the heap of a program.
struct Writer {
    sketch: HeapSketch,
    /// Objects that keep what is shared, and are no structure.
    registry: ObjectIdx,
}

impl Writer {
    fn new() -> Self {
        let mut sketch = HeapSketch::new();
        let registry = sketch.old("Registered[]");
        sketch.static_field("Registry", "all", registry);
        Self { sketch, registry }
    }

    fn structure(&mut self, structure: &Structure, field: &str, is_after: bool) {
        let coming = if is_after { structure.coming } else { 0 };
        let added = if structure.is_container() { coming } else { 0 };
        let holders = self.holders(structure, field);
        for element in 0..structure.elements + added {
            let object = self.sketch.object("Element", 24, OLD);
            let contents = self.sketch.object("byte[]", structure.part_bytes, OLD);
            self.sketch.refer(object, "contents", contents);
            self.sketch.element(holders[element % holders.len()], object);
            if structure.is_shared() {
                self.sketch.element(self.registry, object);
            }
            // The parts by which contents grow are spread over the elements.
            let parts = if structure.is_container() { 0 } else { coming };
            for _ in (element..parts).step_by(structure.elements) {
                let part = self.sketch.object("byte[]", structure.part_bytes, OLD);
                self.sketch.refer(object, "more", part);
            }
        }
    }

    /// The arrays that hold the elements of a structure.
    fn holders(&mut self, structure: &Structure, field: &str) -> Vec<ObjectIdx> {
        let Some(lists) = structure.lists else {
            let (list, array) = self.list();
            self.sketch.static_field("Main", field, list);
            return vec![array];
        };
        let (map, table) = (self.sketch.old("java.util.HashMap"), self.sketch.old("java.util.HashMap$Node[]"));
        self.sketch.refer(map, "table", table);
        self.sketch.static_field("Main", field, map);
        let within = |writer: &mut Self| {
            let (node, (list, array)) = (writer.sketch.old("java.util.HashMap$Node"), writer.list());
            writer.sketch.element(table, node);
            writer.sketch.refer(node, "value", list);
            array
        };
        (0..lists).map(|_| within(self)).collect()
    }

    fn list(&mut self) -> (ObjectIdx, ObjectIdx) {
        let (list, array) = (self.sketch.old("java.util.ArrayList"), self.sketch.old("java.lang.Object[]"));
        self.sketch.refer(list, "elementData", array);
        (list, array)
    }
}

fn heap(structures: &[Structure], is_after: bool) -> Heap {
    let mut writer = Writer::new();
    for (at, structure) in structures.iter().enumerate() {
        writer.structure(structure, &format!("s{at}"), is_after);
    }
    writer.sketch.build()
}

fn report(before: Heap, after: Heap) -> GrowthReport {
    let mut language = Language::new();
    language.add(parse("test.ds", COLLECTIONS).unwrap());
    let (sort, layout) = (GrowthOrder::Retained, LayoutOptions::default());
    let wanted = GrowthWanted { sort, limit: 100, with_contained: false, layout, by: None };
    let mut growing = Growing::new(&language, wanted);
    let named = |name: &str, heap| NamedHeap { name: name.to_owned(), heap, taken_ms: None };
    let compared = growing.compare(named("before", before), named("after", after), &mut |_| {});
    growing.report(&compared, &[])
}

fn item(report: &GrowthReport, at: usize) -> Option<&Item> {
    report.items.iter().find(|item| item.place == format!("static Main.s{at}"))
}

/// True kind and reported pattern of each structure of all programs; and portions of those that do not grow.
fn confusion() -> (BTreeMap<(Pattern, Pattern), usize>, Vec<f64>) {
    let (mut table, mut portions) = (BTreeMap::new(), Vec::new());
    for seed in 0..PROGRAMS {
        let mut random = Random::new(seed);
        // One structure at least grows.
        let mut kinds = vec![KINDS[seed as usize % 4]];
        kinds.extend((0..1 + random.below(4)).map(|_| KINDS[random.below(KINDS.len())]));
        let structures: Vec<Structure> = kinds.into_iter().map(|kind| Structure::random(&mut random, kind)).collect();
        let report = report(heap(&structures, false), heap(&structures, true));
        assert!(report.window.is_long_enough, "program {seed}");
        for (at, structure) in structures.iter().enumerate() {
            let item = item(&report, at);
            // A structure without any portion is not listed.
            let pattern = item.map_or(Some(Pattern::NonGrowth), |item| item.pattern);
            let pattern = pattern.unwrap_or_else(|| panic!("program {seed}: s{at} has no pattern"));
            *table.entry((structure.kind, pattern)).or_insert(0) += 1;
            if structure.kind == Pattern::NonGrowth {
                portions.extend(item.and_then(|item| item.hgp.retained).map(|hgp| hgp.bytes));
            }
        }
    }
    (table, portions)
}

/// The rows of the table, as docs/structures.md has them.
fn rows(table: &BTreeMap<(Pattern, Pattern), usize>) -> Vec<String> {
    let count = |kind, pattern| table.get(&(kind, pattern)).copied().unwrap_or(0).to_string();
    let row = |&kind: &Pattern| {
        let counts: Vec<String> = KINDS.iter().map(|&pattern| count(kind, pattern)).collect();
        format!("| {kind} | {} |", counts.join(" | "))
    };
    KINDS.iter().map(row).collect()
}

#[test]
fn generated_programs_grow_as_their_patterns_say() {
    let (table, portions) = confusion();
    let rows = rows(&table);
    println!("{}", rows.join("\n"));
    let all: usize = table.values().sum();
    let right: usize = table.iter().filter(|((kind, pattern), _)| kind == pattern).map(|(_, count)| count).sum();
    assert!(right * 100 >= all * 95, "{right} of {all}\n{}", rows.join("\n"));
    let largest = portions.into_iter().fold(0.0, f64::max);
    assert!(largest <= MOST_WITHOUT_GROWTH, "a structure that does not grow has {largest} %");
    let documented = include_str!("../../docs/structures.md");
    rows.iter().for_each(|row| assert!(documented.contains(row.as_str()), "docs/structures.md lacks {row}"));
}

#[test]
fn the_papers_portions_of_a_growth() {
    use rootbound::structures::growth::{Delta, Portion};
    let portion = |part: i64, whole: i64| {
        let delta = |megabytes: i64| Delta { objects: 0, bytes: megabytes << 20 };
        Portion::of(delta(part), delta(whole)).map(|portion| portion.bytes.round())
    };
    assert_eq!((portion(700, 1000), portion(115, 100), portion(5, 0)), (Some(70.0), Some(115.0), None));
}

#[test]
fn a_heap_that_hardly_grew_is_not_judged() {
    let structure = Structure { kind: KINDS[0], lists: None, elements: 400, part_bytes: 1_000, coming: 100 };
    let structures = [structure];
    let report = report(heap(&structures, false), heap(&structures, true));
    assert!(!report.window.is_long_enough && report.items.iter().all(|item| item.pattern.is_none()));
    assert!(report.verdict.contains("too short"), "{}", report.verdict);
}
