//! Structures by the types of their heads, and the sentence above them.

use super::StructuresWanted;
use super::groups::Group;
use super::measure::{Measured, Measurer, key};
use crate::dump_reports::words::Words;
use crate::graph::{Dominance, Intervals};
use crate::heap::Heap;
use crate::naming::Pattern;
use crate::report::structures::{Sizes, StructuresReport, TypeRow};
use crate::structures::{Layout, Structures};
use crate::units;
use std::cmp::Reverse;

/// Groups that are measured before the order is final: their bounds may be wrong by what their members share.
const CANDIDATES: usize = 64;

/// The structures of one heap.
pub(super) struct Found<'a> {
    pub(super) heap: &'a Heap,
    pub(super) words: &'a Words<'a>,
    pub(super) layout: &'a Layout,
    pub(super) structures: &'a Structures,
    pub(super) tree: &'a Intervals<'a>,
}

impl Found<'_> {
    /// The wanted heads by their types.
    pub(super) fn by_type(&self, wanted: &StructuresWanted) -> Vec<Group> {
        let heads = self.structures.heads.iter();
        let wanted_heads = heads.filter(|&(head, object)| {
            let fits = |of: &Pattern| of.fits(&self.words.class_name(object));
            (wanted.all || self.structures.is_top_level(head)) && wanted.of.as_ref().is_none_or(fits)
        });
        let of_type = |object| self.layout.type_of(self.heap, object);
        self.grouped(wanted_heads.map(|(_, object)| object), of_type, wanted.sort)
    }

    /// A row for each of the largest groups, and these groups.
    pub(super) fn types(
        &self,
        mut groups: Vec<Group>,
        measurer: &mut Measurer<'_>,
        wanted: &StructuresWanted,
    ) -> (Vec<TypeRow>, Vec<Group>) {
        groups.truncate(wanted.limit.max(CANDIDATES));
        let measured = measurer.each(&groups, wanted.sort);
        let mut measured: Vec<_> = groups.into_iter().zip(measured).collect();
        measured.sort_by_key(|(group, measured)| (Reverse(key(&measured.sizes, wanted.sort)), group.heads[0]));
        measured.truncate(wanted.limit);
        let row = |group: &Group, measured: Measured| TypeRow {
            class: self.words.name(group.heads[0]),
            structures: group.heads.len() as u64,
            leaves: measured.leaves,
            share: self.share(&measured.sizes),
            sizes: measured.sizes,
            ..TypeRow::default()
        };
        measured.into_iter().map(|(group, measured)| (row(&group, measured), group)).unzip()
    }

    /// The retained size as a share of the reachable heap.
    pub(super) fn share(&self, sizes: &Sizes) -> f64 {
        sizes.retained.map_or(0.0, |size| size.bytes as f64 / self.tree.reachable().bytes.max(1) as f64)
    }
}

/// `one kind of structure keeps 47 % of the reachable heap: 12 java.util.HashMap; the largest at static app.Main.index
/// (47 %)`.
pub(super) fn sentence(report: &StructuresReport) -> String {
    let Some(most) = report.types.iter().max_by(|one, other| one.share.total_cmp(&other.share)) else {
        return "no data structure was found".to_owned();
    };
    let share = units::percent(most.share);
    let kind = format!("{} {}", units::count(most.structures), most.class);
    let largest = most.items.first().map(|&at| &report.items[at]);
    let at = largest.map(|item| format!("; the largest at {} ({})", item.place, units::percent(item.share)));
    format!("one kind of structure keeps {share} of the reachable heap: {kind}{}", at.unwrap_or_default())
}
