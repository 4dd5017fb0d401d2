//! Allocation sites: the stacks at which members are allocated, as Java prints them, so that terminals and editors link
//! them.

use crate::naming::class::is_platform;
use crate::report::{AllocationSite, Basis, Frame, Region};
use crate::units;

/// The stacks, the most frequent first, each under a line with its share.
///
/// ```text
/// added by (41 of 47 samples found inside)
///   at com.example.Checkout.buy(Checkout.java:88)
///   at com.example.Shop.serve(Shop.java:31)
///   … 6 frames of the JDK
/// ```
#[must_use]
pub fn lines(region: &Region) -> Vec<String> {
    let all = region.allocation_samples;
    region.allocation_sites.iter().flat_map(|site| stack(site, all, region.allocation_basis)).collect()
}

fn stack(site: &AllocationSite, all: Option<u64>, basis: Option<Basis>) -> Vec<String> {
    let how = match basis {
        Some(Basis::Survived) => "that survived",
        Some(Basis::Found) | None => "found inside",
    };
    let samples = units::grouped(site.samples);
    let of = all.map_or_else(String::new, |all| format!(" of {}", units::counted(all, "sample")));
    let mut lines = vec![format!("added by ({samples}{of} {how})")];
    if site.frames.is_empty() {
        lines.push("  at an unknown place".to_owned());
    }
    for run in site.frames.chunk_by(|a, b| is_folded(a) == is_folded(b)) {
        match run {
            [first, ..] if is_folded(first) => {
                lines.push(format!("  … {} of the JDK", units::counted(run.len() as u64, "frame")));
            }
            _ => lines.extend(run.iter().map(|frame| format!("  at {frame}"))),
        }
    }
    lines
}

/// Whether the frame belongs to a thread pool, a stream, or code that the JVM generates for lambdas.
fn is_folded(frame: &Frame) -> bool {
    is_platform(&frame.class) || frame.class.contains("$$Lambda")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::frame;

    fn site(frames: &[(&str, &str, u32)]) -> AllocationSite {
        let frames = frames.iter().map(|&(class, method, line)| frame(class, method, line)).collect();
        AllocationSite { share: 0.874, samples: 41, frames, through: Vec::new() }
    }

    #[test]
    fn a_stack_is_printed_as_java_does_and_frames_of_the_jdk_are_folded() {
        let stacked = site(&[
            ("shop.Checkout", "buy", 88),
            ("shop.Main$$Lambda/0x1", "run", 1),
            ("java.util.concurrent.ThreadPoolExecutor", "runWorker", 1136),
            ("java.lang.Thread", "run", 840),
        ]);
        let expected = [
            "added by (41 of 47 samples found inside)",
            "  at shop.Checkout.buy(Checkout.java:88)",
            "  … 3 frames of the JDK",
        ];
        assert_eq!(stack(&stacked, Some(47), Some(Basis::Found)), expected);
    }

    #[test]
    fn a_stack_without_frames_says_so() {
        let expected = ["added by (41 that survived)", "  at an unknown place"];
        assert_eq!(stack(&site(&[]), None, Some(Basis::Survived)), expected);
    }
}
