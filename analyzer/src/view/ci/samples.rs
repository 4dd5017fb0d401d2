//! Checks of sample reports, one of them with names that no format must take for a part of itself.

use crate::gate::known::KnownLeaks;
use crate::gate::{Gate, SourceLine, Wanted};
use crate::naming::{Origin, Place};
use crate::report::Report;
use crate::report::samples::figure_5;
use chrono::NaiveDate;

/// Names that are orders in one of the formats.
pub(crate) mod named {
    /// Part of a class name: legal in a class file.
    pub(crate) const NAME: &str = "::error file=a,line=1::\n\r%0A]]><script>&\"'|`[x](http:y)\u{1b}[31m\u{0}\u{202e}";
}

const KNOWN: &str = "[[known]]\nplace = \"*.characters\"\nreason = \"SHOP-77, 100 %\"\nuntil = 2027-03-01\n";

/// The check of a report on 2027-02-01, with one known leak and sources for all frames.
pub(crate) fn gate(conditions: &[&str], report: &Report) -> Gate {
    let conditions = conditions.iter().map(|text| text.parse().unwrap()).collect();
    let today = NaiveDate::from_ymd_opt(2027, 2, 1).unwrap();
    let mut gate = Gate::new(conditions, KnownLeaks::from_toml(KNOWN).unwrap(), today);
    gate.add(report, None, &|wanted| match wanted {
        Wanted::Line(frame) => {
            let file = format!("src/main java/{}.java", frame.class.replace('.', "/"));
            Some(SourceLine { file, line: frame.line })
        }
        Wanted::Class(_) => None,
    });
    gate
}

/// Figure 5 with one structure, all of whose names are hostile.
pub(crate) fn hostile() -> Report {
    let mut report = figure_5();
    report.regions.truncate(1);
    let region = &mut report.regions[0];
    region.owner_proxy.class = format!("Owner{}", named::NAME);
    region.owner_proxy.path = Place::at(Origin::Static(format!("Place{}", named::NAME)));
    region.change_proxy.class = format!("Change{}", named::NAME);
    for frame in region.allocation_sites.iter_mut().flat_map(|site| &mut site.frames) {
        frame.class = format!("Class{}", named::NAME);
        frame.file = Some(format!("File{}", named::NAME));
    }
    report.jvm.as_mut().unwrap().main = format!("Main{}", named::NAME);
    report
}
