//! The platform's counters of a real JVM: each is told and in a sensible relation to the others, and what the JVM does not
//! keep is not made up.
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
    let program = scene.start_program_connected("", options, &["Still", "7"]);
    let mut analyzer = Analyzer::accept(&listener);
    sample(&mut analyzer);
    let platform = sample(&mut analyzer);
    drop(analyzer);
    ends_well(program);
    Some(platform)
}

#[test]
fn every_counter_is_told_and_fits_the_others() {
    let Some(told) = sampled(&["-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch"]) else { return };
    let known = |figure: Option<u64>| figure.unwrap_or_else(|| panic!("a counter is not told: {told:?}"));
    let heap = known(told.heap_resident_bytes);
    assert!((64 * MB..=65 * MB).contains(&heap), "all of the heap was touched: {told:?}");
    assert!(known(told.anonymous_bytes) > heap && known(told.resident_bytes) > heap, "{told:?}");
    assert!((1..500).contains(&known(told.threads)) && (300..5_000).contains(&known(told.classes)), "{told:?}");
    assert!((MB / 64..100 * MB).contains(&known(told.metaspace_bytes)), "{told:?}");
    assert!((MB..100 * MB).contains(&known(told.code_bytes)), "{told:?}");
    assert!(known(told.direct_bytes) < MB && known(told.mapped_bytes) > MB, "{told:?}");
}

#[test]
fn a_heap_that_is_committed_and_not_touched_is_not_in_memory() {
    let Some(told) = sampled(&["-Xms256m", "-Xmx256m"]) else { return };
    assert!(told.heap_resident_bytes.is_some_and(|heap| (MB..128 * MB).contains(&heap)), "{told:?}");
}

#[test]
fn without_the_jvms_counters_the_kernels_remain() {
    let Some(told) = sampled(&["-Xmx64m", "-XX:-UsePerfData"]) else { return };
    assert_eq!((told.metaspace_bytes, told.classes), (None, None));
    assert!(told.threads.is_some_and(|threads| threads > 1) && told.heap_resident_bytes.is_some(), "{told:?}");
}
