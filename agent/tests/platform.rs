//! The platform's counters of a real JVM: each is reported and in a sensible relation to the others, and counters that
//! the JVM does not keep are not invented.
#![allow(clippy::expect_used)]

use crate::jvm;

use jvm::{Analyzer, Scene, ends_well};
use rootbound_wire::message::{FromAgent, Platform};

const MB: u64 = 1 << 20;

fn sample(analyzer: &mut Analyzer) -> Platform {
    analyzer.until(|message| match message {
        FromAgent::Platform(platform) => Some(platform),
        _ => None,
    })
}

/// The second sample: by then the program has collected once.
fn sampled(options: &[&str]) -> Option<Platform> {
    let scene = Scene::new()?;
    let listener = scene.listen();
    let program = scene.start_program_connected("", options, &["Still"]);
    let mut analyzer = Analyzer::accept(&listener);
    sample(&mut analyzer);
    let platform = sample(&mut analyzer);
    drop(analyzer);
    ends_well(program);
    Some(platform)
}

#[test]
fn every_counter_is_reported_and_fits_the_others() {
    let Some(sample) = sampled(&["-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch"]) else { return };
    let known = |figure: Option<u64>| figure.unwrap_or_else(|| panic!("a counter is missing: {sample:?}"));
    let heap = known(sample.heap_resident_bytes);
    assert!((64 * MB..=65 * MB).contains(&heap), "all of the heap was touched: {sample:?}");
    assert!(known(sample.anonymous_bytes) > heap && known(sample.resident_bytes) > heap, "{sample:?}");
    assert!((1..500).contains(&known(sample.threads)) && (300..5_000).contains(&known(sample.classes)), "{sample:?}");
    assert!((MB / 64..100 * MB).contains(&known(sample.metaspace_bytes)), "{sample:?}");
    assert!((MB..100 * MB).contains(&known(sample.code_bytes)), "{sample:?}");
    assert!(known(sample.direct_bytes) < MB && known(sample.mapped_bytes) > MB, "{sample:?}");
}

#[test]
fn a_heap_that_is_committed_and_not_touched_is_not_in_memory() {
    let Some(sample) = sampled(&["-Xms256m", "-Xmx256m"]) else { return };
    assert!(sample.heap_resident_bytes.is_some_and(|heap| (MB..128 * MB).contains(&heap)), "{sample:?}");
}

#[test]
fn without_the_jvms_counters_the_kernels_remain() {
    let Some(sample) = sampled(&["-Xmx64m", "-XX:-UsePerfData"]) else { return };
    assert_eq!((sample.metaspace_bytes, sample.classes), (None, None));
    assert!(sample.threads.is_some_and(|threads| threads > 1) && sample.heap_resident_bytes.is_some(), "{sample:?}");
}
