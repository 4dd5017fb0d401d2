//! A selection: the plan, and the future meaning of its marks.

use super::strata::{Name, Strata};
use crate::heap::{Container, MarkTable, ObjectIdx, Stratum, TableMark};
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::MarkPlan;
use std::collections::HashMap;

/// The objects to mark, and the meaning of the marks.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// The plan for the agent.
    pub plan: MarkPlan,
    /// The objects of the capture that the plan marks; the index is the number minus one. They have a meaning only with
    /// their heap.
    pub objects: Vec<ObjectIdx>,
    /// The table as if every mark had been set.
    table: MarkTable,
}

impl Selection {
    /// The meaning of the marks, after the agent has reported the `missed` ones.
    ///
    /// A missed object counts as gone: the marks of a stratum stand for what they would have stood for with it. In a
    /// structure under heavy flux most objects go between snapshot and mark. A container that was missed becomes a
    /// member that is gone: the root of a structure that is copied on change is replaced many times a second.
    pub fn table(&self, missed: &[u32]) -> MarkTable {
        let mut table = self.table.clone();
        for &number in missed {
            let at = (number as usize).wrapping_sub(1);
            let Some(mark) = table.marks.get_mut(at).filter(|mark| mark.weight > 0.0) else { continue };
            mark.weight = 0.0;
            if let (None, Some(below)) = (mark.stratum, mark.container_below) {
                let gone = Stratum { below, class: mark.class, count: 1, marked: 1 };
                add_members(&mut table.strata, gone);
            }
        }
        weigh(&mut table);
        table
    }
}

/// Combines the chosen objects (`strata`, `sampled`: strata of the sampled) and the planned part of them.
pub(super) fn assemble(
    strata: &Strata<'_>,
    sampled: &HashMap<ObjectIdx, u32>,
    (plan, objects): (MarkPlan, Vec<ObjectIdx>),
    (first_seen, marks_mirrors): (SnapshotId, bool),
) -> Selection {
    let number: HashMap<ObjectIdx, u32> = objects.iter().copied().zip(1..).collect();
    let resolve = |name| resolve(strata, &number, name);
    let mut table = MarkTable {
        first_seen,
        marks: Vec::with_capacity(objects.len()),
        strata: strata
            .groups
            .iter()
            .map(|group| Stratum {
                below: resolve(group.below),
                class: group.class,
                count: group.count as u32,
                marked: 0,
            })
            .collect(),
        classes: strata.names.clone(),
        held_classes: strata.held_classes.clone(),
        marks_mirrors,
        leaves_inherit: strata.leaves_inherit,
    };
    for object in &objects {
        let stratum = sampled.get(object).copied();
        if let Some(stratum) = stratum {
            table.strata[stratum as usize].marked += 1;
        }
        let container_below = strata.below.get(object).map(|&name| resolve(name));
        table.marks.push(TableMark { weight: 1.0, stratum, container_below, class: strata.class_name(*object) });
    }
    let mut unplanned: Vec<ObjectIdx> =
        strata.below.keys().copied().filter(|object| !number.contains_key(object)).collect();
    unplanned.sort_unstable();
    for object in unplanned {
        let below = resolve(strata.below[&object]);
        add_members(&mut table.strata, Stratum { below, class: strata.class_name(object), count: 1, marked: 0 });
    }
    weigh(&mut table);
    Selection { plan, objects, table }
}

/// The container by its number; one without a number is represented by the container that it is below.
fn resolve(strata: &Strata<'_>, number: &HashMap<ObjectIdx, u32>, mut name: Name) -> Container {
    loop {
        match name {
            Name::Roots => return Container::Roots,
            Name::Mirror(class) => return Container::Mirror(class),
            Name::Object(object) => match (number.get(&object), strata.below.get(&object)) {
                (Some(&number), _) => return Container::Marked(number),
                (None, Some(&above)) => name = above,
                (None, None) => return Container::Roots,
            },
        }
    }
}

fn add_members(strata: &mut Vec<Stratum>, added: Stratum) {
    let is_same = |stratum: &&mut Stratum| stratum.below == added.below && stratum.class == added.class;
    match strata.iter_mut().find(is_same) {
        Some(stratum) => {
            stratum.count += added.count;
            stratum.marked += added.marked;
        }
        None => strata.push(added),
    }
}

/// Divides the count of each stratum among its marks.
fn weigh(table: &mut MarkTable) {
    let strata = &table.strata;
    for mark in table.marks.iter_mut().filter(|mark| mark.weight > 0.0) {
        if let Some(stratum) = mark.stratum.map(|at| strata[at as usize]) {
            mark.weight = f64::from(stratum.count) / f64::from(stratum.marked.max(1));
        }
    }
}
