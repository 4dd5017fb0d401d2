//! What is known of growing regions, for the text on structures: the code that adds to a structure, and the regions
//! that belong to none.

use crate::naming::class::simple_name;
use crate::report::{Region, Report};
use crate::units;
use crate::view::holder;

/// `Order: Shop.java:8 (Shop.add, 41 of 47 samples)` for each region of the structure at this place of the report.
pub(super) fn adding(report: &Report, structure: usize) -> Vec<String> {
    let regions = report.regions.iter().filter(|region| region.structure == Some(structure));
    regions.filter_map(site).collect()
}

/// Most regions that are named.
const NAMED: usize = 3;

/// `Shop.index (Tree) grows and is part of no listed structure; …`: regions that nobody has described.
pub(super) fn undescribed(report: &Report) -> Option<String> {
    let is_loose =
        |region: &&Region| region.is_grower() && region.structure.is_none() && region.contained_in().is_none();
    let names: Vec<String> = report.regions.iter().filter(is_loose).map(holder::structure).collect();
    let verb = if names.len() == 1 { "grows and is" } else { "grow and are" };
    let all = match names.len() {
        0 => return None,
        count if count > NAMED => format!("{} and {} more", names[..NAMED].join(", "), count - NAMED),
        _ => names.join(", "),
    };
    Some(format!(
        "{all} {verb} part of no listed structure: --infer prints a description to begin with, --dsl takes it"
    ))
}

fn site(region: &Region) -> Option<String> {
    let site = region.allocation_sites.first()?;
    let frame = site.frames.first()?;
    let all = region.allocation_samples.unwrap_or(site.samples);
    let samples = format!("{} of {}", units::count(site.samples), units::counted(all, "sample"));
    let (element, method) = (simple_name(region.counted_class()), holder::method(frame));
    Some(format!("{element}: {} ({method}, {samples})", frame.place()))
}
