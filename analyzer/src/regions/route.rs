//! The way from a GC root to a change-proxy, hop by hop, with who declares each field: what a trace for people and a
//! fingerprint are made of.

use super::Region;
use crate::graph::DominatorTree;
use crate::heap::{ClassIdx, Heap, Label, ObjectIdx};
use std::collections::BTreeMap;

/// One reference of the way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hop {
    /// The field; `None` for an element of an array.
    pub field: Option<String>,
    /// The class that declares the field; empty for elements, and where no field is known.
    pub declared_by: String,
    /// Class of the object that it leads to.
    pub class: String,
}

/// From the last static, or else from the GC root, to a change-proxy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Route {
    /// Where it begins: `static com.example.Shop`, `thread "main"`, a local variable, or a class.
    pub origin: String,
    /// The references.
    pub hops: Vec<Hop>,
    /// How many of them lead to the owner-proxy.
    pub owner_at: usize,
    /// Classes of what the change-proxies hold of their own, by name; see [`carried`].
    pub carried: Vec<String>,
}

/// A reference as the heap knows it: label and where it leads.
pub(super) type Step = (Label, ObjectIdx);

/// Words a way that begins at `first`, which `origin` names; so many of its steps lead to the owner.
pub(super) fn route(heap: &Heap, first: ObjectIdx, origin: String, steps: &[Step], to_owner: usize) -> Route {
    // What lies before a static is how the JVM happens to reach the class.
    let begin = steps.iter().rposition(|step| heap.class_of_mirror(step.1).is_some()).map_or(0, |at| at + 1);
    let (start, origin) = match begin {
        0 => (first, origin),
        _ => (steps[begin - 1].1, super::path::begin_expression(heap, steps[begin - 1].1)),
    };
    let referrers = std::iter::once(start).chain(steps[begin..].iter().map(|step| step.1));
    let hops = referrers.zip(&steps[begin..]).map(|(referrer, &step)| hop(heap, referrer, step)).collect();
    Route { origin, hops, owner_at: to_owner.saturating_sub(begin), carried: Vec::new() }
}

fn hop(heap: &Heap, referrer: ObjectIdx, (label, object): Step) -> Hop {
    let class = super::path::class_name(heap, object).to_owned();
    if label.is_element() {
        return Hop { class, ..Hop::default() };
    }
    let of = if label.is_static_field() { heap.class_of_mirror(referrer) } else { Some(heap.class_of(referrer)) };
    let declared_by = of.and_then(|of| heap.classes().field(of, label)).map(|field| field.declaring);
    let name = super::path::reference_name(heap, referrer, label);
    Hop {
        field: Some(name.trim_start_matches('.').to_owned()),
        declared_by: declared_by.map_or_else(String::new, |class| heap.classes().get(class).name.clone()),
        class,
    }
}

/// Classes that at least half of the change-proxies hold an own object of: of a map's nodes, those of keys and values,
/// unless these live elsewhere, too. Nodes of the change-proxy's own kind are the structure, not what it carries.
pub(super) fn carried(heap: &Heap, dominators: &DominatorTree, region: &Region) -> Vec<String> {
    let mut holders: BTreeMap<ClassIdx, usize> = BTreeMap::new();
    for &change in &region.changes {
        let own = |&&held: &&ObjectIdx| dominators.immediate_dominator(held) == Some(change);
        let mut held: Vec<ClassIdx> =
            heap.references().of(change).iter().filter(own).map(|&held| heap.class_of(held)).collect();
        held.sort_unstable();
        held.dedup();
        for class in held {
            *holders.entry(class).or_default() += 1;
        }
    }
    let is_common = |&(&class, &count): &(&ClassIdx, &usize)| {
        2 * count >= region.changes.len() && !heap.classes().is_subclass(class, region.change_class)
    };
    let mut names: Vec<String> =
        holders.iter().filter(is_common).map(|(&class, _)| heap.classes().get(class).name.clone()).collect();
    names.sort_unstable();
    names.dedup();
    names
}
