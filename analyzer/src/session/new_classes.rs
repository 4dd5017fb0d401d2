//! Classes that a program keeps loading: proxies, scripts, accessors that a library generates into a loader that lasts.
//! Each has another number in its name. No structure of the heap shows them, for such classes are roots themselves.

use crate::graph::ObjectGraph;
use crate::heap::Heap;
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
    let mut counts: BTreeMap<(String, String), u64> = BTreeMap::new();
    for ((name, loader), count) in by_name(graph) {
        *counts.entry((without_numbers(&name), loader)).or_default() += count;
    }
    let many = counts.into_iter().filter(|&(_, count)| count >= LEAST);
    let mut found: Vec<NewClasses> = many.map(|((name, loader), count)| NewClasses { name, loader, count }).collect();
    found.sort_by_key(|each| Reverse(each.count));
    found.truncate(MOST);
    found
}

/// The same by name, numbers included. Where mirrors bear no marks, there are as many new classes of a name as there
/// are more than at the mark: a program that is deployed again brings each of its classes once more.
fn by_name(graph: &ObjectGraph<'_>) -> BTreeMap<(String, String), u64> {
    let heap = graph.heap;
    let table = heap.marks().filter(|table| !table.marks_mirrors);
    let mut counts: BTreeMap<(String, String), u64> = BTreeMap::new();
    for (_, class) in heap.classes().iter().filter(|(_, class)| heap.is_held(class)) {
        if table.is_some() || class.mirror.is_some_and(|mirror| graph.ages.is_new(mirror)) {
            let loader = class.loader.map(|loader| heap.classes().get(heap.class_of(loader)).name.clone());
            *counts.entry((class.name.clone(), loader.unwrap_or_else(|| BOOT.to_owned()))).or_default() += 1;
        }
    }
    let Some(table) = table else { return counts };
    let mut known: BTreeMap<String, u64> = BTreeMap::new();
    for ((name, _), count) in &mut counts {
        let left = known.entry(name.clone()).or_insert_with(|| u64::from(table.held_classes(name)));
        let old = (*left).min(*count);
        (*left, *count) = (*left - old, *count - old);
    }
    counts
}

/// Number of classes that the collector would not unload, arrays and most interfaces left out.
pub(super) fn live_classes(heap: &Heap) -> u64 {
    heap.classes().iter().filter(|(_, class)| heap.is_held(class)).count() as u64
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
    #[test]
    fn classes_of_a_known_name_are_new_where_there_are_more_of_it_than_before() {
        let mut heap = HeapSketch::new();
        for deployed in 0..12 {
            if deployed > 0 {
                heap.load_again("shop.Rules");
            }
            let loader = heap.old("PluginLoader");
            heap.static_field("Main", &format!("loader{deployed}"), loader);
            heap.loaded_by("shop.Rules", loader);
        }
        let classes = ["Main", "PluginLoader", "shop.Rules"].map(str::to_owned).to_vec();
        let table = MarkTable {
            first_seen: OLD,
            classes,
            held_classes: vec![1, 1, 3],
            leaves_inherit: false,
            ..MarkTable::default()
        };
        let heap = heap.build_marked(table, &[]);
        let found = new_classes(&ObjectGraph::new(&heap));
        let (name, loader) = ("shop.Rules".to_owned(), "PluginLoader".to_owned());
        assert_eq!(found, [NewClasses { name, loader, count: 9 }]);
    }
}
