//! A region's data structure in one sentence: its pattern, its portion, and what to do.

use super::growth::percent;
use crate::naming::class::simple_name;
use crate::report::growth::Item;
use crate::report::{Region, Report};

/// `structure: single-ownership container growth, 80 % of the heap's growth; remove entries here: nothing else keeps
/// them`.
#[must_use]
pub fn sentence(report: &Report, region: &Region) -> Option<String> {
    let item = report.structures.as_ref()?.items.get(region.structure?)?;
    let pattern = item.pattern.filter(|pattern| pattern.is_growth())?;
    let portion = item.hgp.retained.map(|hgp| format!(", {} of the heap's growth", percent(hgp.bytes)));
    let advice = item.advice.map(|advice| format!("; {}", advice.name())).unwrap_or_default();
    Some(format!("structure: {}: {pattern}{}{advice}{}", name(item), portion.unwrap_or_default(), others(item)))
}

fn name(item: &Item) -> String {
    format!("{} {}", simple_name(&item.class), item.place)
}

fn others(item: &Item) -> String {
    match item.also_contained_in.as_slice() {
        [] => String::new(),
        others => format!(": {}", others.join(", ")),
    }
}
