//! The bytes printed in `docs/wire-protocol.md` are a frame of this version, and the message that the page names.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use rootbound_wire::PROTOCOL_VERSION;
use rootbound_wire::frame::{self, FrameReader, HEADER_BYTES, MAX_PAYLOAD_BYTES};
use rootbound_wire::message::ToAgent;
use std::fs;

fn page() -> String {
    fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/wire-protocol.md")).unwrap()
}

/// The bytes of the example: pairs of hex digits on the first line of the first block.
fn example(page: &str) -> Vec<u8> {
    let line = page.split("```").nth(1).unwrap().trim().lines().next().unwrap();
    line.split_whitespace().map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
}

#[test]
fn the_example_frame_of_the_page_is_a_detach_of_this_version() {
    let page = page();
    let bytes = example(&page);
    assert!(page.contains("the command `Detach`"), "the page names the message");
    let frame = FrameReader::new(bytes.as_slice()).next_frame().unwrap().expect("the bytes are a whole, sound frame");
    assert_eq!(frame.message::<ToAgent>().unwrap(), Some(ToAgent::Detach));
    let mut written = Vec::new();
    frame::append(&ToAgent::Detach, &mut written).unwrap();
    assert_eq!(bytes, written, "a writer makes the bytes of the page");
}

#[test]
fn the_page_states_the_version_and_the_limits_of_a_frame() {
    let page = page();
    assert!(page.contains(&format!("protocol version {PROTOCOL_VERSION}.")));
    assert_eq!(MAX_PAYLOAD_BYTES, 4_194_304);
    assert!(page.contains("at most 4,194,304 (4 MiB)"));
    assert!(page.contains(&format!("| {HEADER_BYTES} | length | payload")));
}
