//! A panic of the agent, wherever it is injected, stays within the agent.

use super::exits::{is_unharmed, seconds, start_jvm, start_watch};
use e2e::process::Scratch;
use e2e::slots;
use e2e::watching::GRACE;

fn survives_a_panic_in(place: &str) {
    let _slot = slots::take_busy();
    let scratch = Scratch::new();
    let _watch = start_watch(&scratch, "watch");
    is_unharmed(&start_jvm(&scratch, &format!(",test-panic={place}"), 14).wait(seconds(14) + GRACE));
}

#[test]
fn a_panic_while_marking_stays_within_the_agent() {
    survives_a_panic_in("mark");
}

#[test]
fn a_panic_while_capturing_stays_within_the_agent() {
    survives_a_panic_in("capture");
}

#[test]
fn a_panic_while_probing_stays_within_the_agent() {
    survives_a_panic_in("probe");
}

#[test]
fn a_panic_after_a_collection_stays_within_the_agent() {
    survives_a_panic_in("gc");
}
