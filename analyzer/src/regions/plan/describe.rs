//! The shape of a followed region as descriptions of data structures (AntTracks §3.1, inferred as its §6 wishes): a
//! line for each type, for people to correct.

use super::{Hop, Region};
use crate::heap::{ClassIdx, Heap};
use crate::naming::class::without_hidden_suffix;

/// `DS com.example.Table { com.example.Entry[]; }`, `com.example.Entry { com.example.Entry; (*); }`: the owner is the
/// head, the classes between it and the members are inner types, and what a member refers to besides are leaves.
pub(super) fn of(heap: &Heap, region: &Region, hops: &[Hop]) -> Vec<String> {
    let owner = heap.class_shown_by(region.owner);
    let mut types = vec![owner];
    let mut at = 0;
    while let Some(&from) = types.get(at) {
        at += 1;
        let next = hops.iter().filter(|hop| hop.from == from).map(|hop| hop.to);
        next.for_each(|to| types.extend((!types.contains(&to)).then_some(to)));
    }
    let is_mirror = heap.class_of_mirror(region.owner).is_some();
    let line = |&of: &ClassIdx| {
        let pointed_to = pointed_to(heap, region, hops, of);
        let name = name(heap, of);
        // The elements of arrays are followed without a description.
        let is_described = of == owner || !pointed_to.is_empty() && !heap.classes().get(of).is_array();
        let head = match of == owner {
            true if is_mirror => format!("DS java.lang.Class<{name}>"),
            true => format!("DS {name}"),
            false => name,
        };
        (is_described && !heap.classes().get(of).is_array()).then(|| format!("{head} {{{pointed_to} }}"))
    };
    types.iter().filter_map(line).collect()
}

/// ` com.example.Entry; (*);`
fn pointed_to(heap: &Heap, region: &Region, hops: &[Hop], from: ClassIdx) -> String {
    let mut names: Vec<String> = hops.iter().filter(|hop| hop.from == from).map(|hop| name(heap, hop.to)).collect();
    names.sort_unstable();
    names.dedup();
    let mut text: String = names.iter().map(|name| format!(" {name};")).collect();
    // A member with contents of other classes is a node: they are what people put in.
    let has_contents = region.members.iter().any(|member| member.0 != region.change_class);
    if from == region.change_class && has_contents {
        text.push_str(" (*);");
    }
    text
}

/// Without the suffix of hidden classes, which no description can name.
fn name(heap: &Heap, class: ClassIdx) -> String {
    without_hidden_suffix(&heap.classes().get(class).name)
}
