//! The container's memory limit, in words.

use crate::report::Report;
use crate::units;

/// `312 MB of 512 MB used, 150 MB of it beside the heap`; and whether the heap has room for what it may take.
#[must_use]
pub fn line(report: &Report) -> Option<String> {
    let container = report.container?;
    let bytes = |bytes: u64| units::bytes(bytes as f64);
    let beside = container.beside_heap_bytes.map(|beside| format!(", {} of it beside the heap", bytes(beside)));
    let nearer = room(report).map(|(room, max)| {
        format!("; full before the heap: {} are left of the {} it may take", bytes(room), bytes(max))
    });
    let used = format!("{} of {} used", bytes(container.used_bytes), bytes(container.limit_bytes));
    Some(format!("{used}{}{}", beside.unwrap_or_default(), nearer.unwrap_or_default()))
}

/// The warning that a heap without a leak may still end the container.
#[must_use]
pub fn warning(report: &Report) -> Option<String> {
    let (room, max) = room(report)?;
    let bytes = |bytes: u64| units::bytes(bytes as f64);
    let limit = bytes(report.container?.limit_bytes);
    Some(format!(
        "But the heap may take {}, and the container's limit of {limit} leaves it {}: the kernel may end the program.",
        bytes(max),
        bytes(room)
    ))
}

/// Bytes that the container leaves to the heap, and bytes that the heap may take, where the first are fewer.
fn room(report: &Report) -> Option<(u64, u64)> {
    let (container, max) = (report.container?, report.heap.max_bytes?);
    container.heap_room_bytes().filter(|_| container.is_nearer_than(max)).map(|room| (room, max))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::{figure_5, healthy};
    use crate::report::{Container, NearerLimit};
    use crate::view::{headline, verdict};

    const MB: u64 = 1 << 20;

    fn within(report: Report, limit_mb: u64) -> Report {
        let container =
            Container { limit_bytes: limit_mb * MB, used_bytes: 200 * MB, beside_heap_bytes: Some(120 * MB) };
        let mut report = Report { container: Some(container), ..report };
        report.heap.max_bytes = Some(256 * MB);
        report
    }

    fn shown(report: &Report) -> Option<String> {
        headline::lines(report).into_iter().find(|line| line.label == "Container").map(|line| line.text)
    }

    #[test]
    fn the_limit_is_shown_with_what_is_used() {
        assert_eq!(shown(&healthy()), None);
        let text = shown(&within(healthy(), 512)).expect("a line");
        assert_eq!(text, "200 MB of 512 MB used, 120 MB of it beside the heap");
        assert_eq!(warning(&within(healthy(), 512)), None);
    }

    #[test]
    fn a_heap_that_does_not_fit_is_a_warning_without_any_leak() {
        let report = within(healthy(), 300);
        assert!(
            shown(&report)
                .expect("a line")
                .ends_with("full before the heap: 180 MB are left of the 256 MB it may take")
        );
        assert!(verdict::text(&report).contains("the container's limit of 300 MB leaves it 180 MB"));
    }

    #[test]
    fn what_is_full_first_is_named() {
        let mut report = within(figure_5(), 300);
        report.regions.iter_mut().for_each(|region| region.full_by = NearerLimit::Container);
        assert!(verdict::text(&report).contains("Container full in about"), "{}", verdict::text(&report));
    }
}
