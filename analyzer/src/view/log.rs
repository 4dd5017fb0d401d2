//! The log of the tracking, as in LeakBot's Figure 5: *Tracking grower in X; size estimate=151*, *Decreasing arm rate
//! of X to 0.81*.

use crate::report::{LogEntry, LogKind, Region, Report};
use crate::units;
use crate::view::holder;
use crate::view::plain::plain;

/// One line for each entry whose region the report still has, the latest last.
#[must_use]
pub fn lines(report: &Report) -> Vec<String> {
    report.log.iter().filter_map(|entry| line(report, entry)).collect()
}

/// `[2 min] grower in Shop.orders (Vector): size 151, +3`; `None` if the region is not reported.
#[must_use]
pub fn line(report: &Report, entry: &LogEntry) -> Option<String> {
    let region = report.regions.iter().find(|region| region.fingerprint == entry.region)?;
    let time = units::duration_s(entry.at_s);
    Some(plain(&format!("[{time}] {}", text(region, entry))).into_owned())
}

fn text(region: &Region, entry: &LogEntry) -> String {
    let place = holder::structure(region);
    match entry.kind {
        LogKind::Visit => {
            let trend = entry.trend.map_or_else(|| "visited".to_owned(), |trend| format!("tracking {trend} in"));
            let size = units::grouped(entry.size.unwrap_or(0.0).max(0.0).round() as u64);
            format!("{trend} {place}: size {size}{}", entry.change.map(change).unwrap_or_default())
        }
        LogKind::Bias => {
            let (bias, before) = (entry.bias.unwrap_or(0.0), entry.bias_before.unwrap_or(0.0));
            let moved = if bias > before { "raised" } else { "lowered" };
            format!("sample bias of {place} {moved} to {bias:.2}")
        }
        LogKind::Lost => format!("{place} could not be read"),
    }
}

fn change(by: f64) -> String {
    let count = units::grouped(by.abs().round() as u64);
    match by.round() {
        by if by > 0.0 => format!(", +{count}"),
        by if by < 0.0 => format!(", −{count}"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::figure_5;

    #[test]
    fn the_lines_below_the_table_of_leakbot() {
        let texts = lines(&figure_5());
        assert_eq!(texts.len(), 3, "{texts:?}");
        assert!(texts[0].contains("tracking grower in ") && texts[0].ends_with(": size 151, +3"), "{texts:?}");
        assert!(texts[1].contains("sample bias of ") && texts[1].ends_with(" lowered to 0.81"), "{texts:?}");
        assert!(texts[2].ends_with("could not be read"), "{texts:?}");
    }

    #[test]
    fn an_entry_of_a_region_that_is_no_longer_reported_is_left_out() {
        let mut report = figure_5();
        report.regions.clear();
        assert!(lines(&report).is_empty());
    }
}
