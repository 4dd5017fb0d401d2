//! The code that adds to a structure: the sites sampled for the regions that belong to it.

use crate::naming::class::simple_name;
use crate::report::{Region, Report};
use crate::units;
use crate::view::holder;

/// `Order: Shop.java:8 (Shop.add, 41 of 47 samples)` for each region of the structure at this place of the report.
pub(super) fn adding(report: &Report, structure: usize) -> Vec<String> {
    let regions = report.regions.iter().filter(|region| region.structure == Some(structure));
    regions.filter_map(site).collect()
}

fn site(region: &Region) -> Option<String> {
    let site = region.allocation_sites.first()?;
    let frame = site.frames.first()?;
    let all = region.allocation_samples.unwrap_or(site.samples);
    let samples = format!("{} of {}", units::count(site.samples), units::counted(all, "sample"));
    let (element, method) = (simple_name(region.counted_class()), holder::method(frame));
    Some(format!("{element}: {} ({method}, {samples})", frame.place()))
}
