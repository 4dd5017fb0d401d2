//! Classes that a program keeps loading: proxies, scripts, accessors that a library generates into a loader that lasts.
//! Each has another number in its name. No structure of the heap shows them, for such classes are roots themselves.

use crate::graph::ObjectGraph;
use crate::heap::{Class, Heap};
use crate::naming::class::without_numbers;
use crate::report::NewClasses;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Kinds of names that are reported.
const MOST: usize = 5;
/// Fewer classes of one kind of name are none that a program keeps generating.
const LEAST: u64 = 8;
/// The loader that has no object.
const BOOT: &str = "boot loader";

/// The classes that came since the mark, by loader and by name without numbers, the most first.
pub(super) fn new_classes(graph: &ObjectGraph<'_>) -> Vec<NewClasses> {
    let heap = graph.heap;
    let mut counts: BTreeMap<(String, String), u64> = BTreeMap::new();
    for (_, class) in heap.classes().iter() {
        if !is_live(heap, class) || !is_new(graph, class) {
            continue;
        }
        let loader = class.loader.map(|loader| heap.classes().get(heap.class_of(loader)).name.clone());
        let kind = (without_numbers(&class.name), loader.unwrap_or_else(|| BOOT.to_owned()));
        *counts.entry(kind).or_default() += 1;
    }
    let many = counts.into_iter().filter(|&(_, count)| count >= LEAST);
    let mut found: Vec<NewClasses> = many.map(|((name, loader), count)| NewClasses { name, loader, count }).collect();
    found.sort_by_key(|each| Reverse(each.count));
    found.truncate(MOST);
    found
}

/// Number of classes that the collector would not unload, arrays and most interfaces left out.
pub(super) fn live_classes(heap: &Heap) -> u64 {
    heap.classes().iter().filter(|(_, class)| is_live(heap, class)).count() as u64
}

/// Whether references were found in the class's mirror: a capture names all loaded classes, and enters the mirrors of
/// those that something holds.
fn is_live(heap: &Heap, class: &Class) -> bool {
    class.mirror.is_some_and(|mirror| !heap.references().of(mirror).is_empty())
}

/// Whether the class came since the mark. Where mirrors bear no marks, its name shows it.
fn is_new(graph: &ObjectGraph<'_>, class: &Class) -> bool {
    match graph.heap.marks().filter(|table| !table.marks_mirrors) {
        Some(table) => table.class(&class.name).is_none(),
        None => class.mirror.is_some_and(|mirror| graph.ages.is_new(mirror)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::MarkTable;
    use crate::heap::dsl::{HeapSketch, OLD};

    #[test]
    fn classes_whose_names_are_new_are_counted_by_their_names_without_numbers() {
        let mut heap = HeapSketch::new();
        let loader = heap.old("AppLoader");
        heap.static_field("Main", "loader", loader);
        for number in 10..30 {
            heap.class(&format!("shop.Old{number}"));
            let rule = format!("shop.Rule{number}");
            heap.class(&rule);
            heap.loaded_by(&rule, loader);
        }
        heap.class("shop.Once1");
        let mut known: Vec<String> = (10..30).map(|number| format!("shop.Old{number}")).collect();
        known.extend(["AppLoader".to_owned(), "Main".to_owned()]);
        known.sort();
        let table = MarkTable { first_seen: OLD, classes: known, leaves_inherit: false, ..MarkTable::default() };
        let heap = heap.build_marked(table, &[]);
        let (name, loader) = ("shop.Rule#".to_owned(), "AppLoader".to_owned());
        assert_eq!(new_classes(&ObjectGraph::new(&heap)), [NewClasses { name, loader, count: 20 }]);
    }
}
