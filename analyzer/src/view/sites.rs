//! Who adds: allocation sites, and what their sampling cost, as lines of text.

use crate::report::{AllocationSampling, AllocationSite, Basis, Frame, Region};
use crate::units;

/// `added at Checkout.java:88 (87 %) by com.example.Checkout.buy ← com.example.Shop.serve`, the most frequent first; the
/// first line says of how many samples.
#[must_use]
pub fn lines(region: &Region) -> Vec<String> {
    let mut lines: Vec<String> = region.allocation_sites.iter().map(line).collect();
    if let (Some(first), Some(samples)) = (lines.first_mut(), region.allocation_samples) {
        let of = if samples == 1 { "1 sample".to_owned() } else { format!("{} samples", units::count(samples)) };
        let how = match region.allocation_basis {
            Some(Basis::Survived) => "that survived",
            Some(Basis::Found) | None => "found inside",
        };
        first.push_str(&format!("; {of} {how}"));
    }
    lines
}

fn line(site: &AllocationSite) -> String {
    let place = site.frames.first().map_or_else(|| "an unknown place".to_owned(), Frame::place);
    let methods: Vec<String> = site.frames.iter().map(|frame| format!("{}.{}", frame.class, frame.method)).collect();
    format!("added at {place} ({}) by {}", units::percent(site.share), methods.join(" ← "))
}

/// `1 window of 60 s: 91.0k events, 412 stacks, 3 dropped, 19 ms on the program's threads`.
#[must_use]
pub fn receipt(sampling: &AllocationSampling) -> String {
    if let Some(reason) = &sampling.refusal {
        return format!("of allocations not possible: {reason}");
    }
    let windows = if sampling.windows == 1 { "1 window".to_owned() } else { format!("{} windows", sampling.windows) };
    format!(
        "{windows} of {}{}: {} allocations told, {} stacks, {} dropped, {} on the program's threads",
        units::duration_s(sampling.window_s),
        if sampling.is_on { " so far" } else { "" },
        units::count(sampling.events),
        units::count(sampling.samples),
        units::count(sampling.dropped),
        units::milliseconds(sampling.callback_ms)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::frame;

    fn site(frames: &[(&str, &str, u32)]) -> AllocationSite {
        let frames =
            frames.iter().map(|&(class, method, line)| frame(&format!("shop.{class}"), method, line)).collect();
        AllocationSite { share: 0.874, samples: 7, frames, through: Vec::new() }
    }

    #[test]
    fn the_place_comes_first() {
        let text = line(&site(&[("Checkout", "buy", 88), ("Main", "main", 3)]));
        assert_eq!(text, "added at Checkout.java:88 (87 %) by shop.Checkout.buy ← shop.Main.main");
        assert_eq!(line(&site(&[])), "added at an unknown place (87 %) by ");
    }

    #[test]
    fn a_refusal_is_all_that_is_said() {
        let refusal = Some("another agent holds it".to_owned());
        let text = receipt(&AllocationSampling { refusal, ..AllocationSampling::default() });
        assert_eq!(text, "of allocations not possible: another agent holds it");
    }
}
