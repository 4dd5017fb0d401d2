//! Sentences of each kind, read back.

use super::*;
use crate::naming::Place;
use crate::report::samples::static_field;
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// Writes a value, reads it, and returns the value that was read, after writing it again as the same text.
fn read_back<T: Serialize + DeserializeOwned + Debug>(written: &T) -> T {
    let text = serde_json::to_string(written).unwrap();
    let read: T = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    read
}

fn same<T: Serialize + DeserializeOwned + Debug + PartialEq>(values: impl IntoIterator<Item = T>) {
    values.into_iter().for_each(|value| assert_eq!(read_back(&value), value));
}

#[test]
fn a_status_is_read_as_what_it_was_or_as_its_sentence() {
    same([
        Status::AwaitingJvm,
        Status::AwaitingProgram,
        Status::Surveying,
        Status::Marking,
        Status::Settling { due_s: 12 },
        Status::AwaitingRequest { due_s: 540 },
        Status::Capturing,
        Status::AwaitingTurn,
        Status::Tracking,
        Status::GivenUp,
        Status::Incapable,
        Status::DryRun,
        Status::Compared { dumps: 2 },
        Status::Compared { dumps: 3 },
    ]);
    let how = ["exit status: 0", "signal: 9 (SIGKILL)", ""].map(|how| End::ProgramEnded(how.to_owned()));
    same([End::JvmEnded, End::Detached, End::Lost, End::Interrupted, End::Failed].map(Status::Ended));
    same(how.map(Status::Ended));
    let (endpoint, option) = ("unix:/run/rootbound.sock".to_owned(), "-agentpath:agent.so".to_owned());
    let part = [
        Status::Warming { due_s: 6, gap_s: 15 },
        Status::AwaitingAgent { endpoint, option },
        Status::Ended(End::TimeUp { asked_s: 60.0 }),
    ];
    part.iter().for_each(|status| assert_eq!(read_back(status), Status::AsRead(status.to_string())));
}

#[test]
fn a_note_is_read_as_what_it_was_or_as_its_text() {
    same([Note::FillsArray { filled: 610, slots: 1200 }, Note::FullLikeOthers { filled: 467, most: 1028 }]);
    same([Note::DroppedBefore { filled: 131, most: 143 }]);
    same([Note::InOneArray { slots: 9_999 }, Note::RepeatsInOneArray { slots: 9_999 }]);
    same([Note::SomeOfMany { followed: 3, all: 5_000 }, Note::Counted { captures: 4 }]);
    let place: Place = static_field("com.example.Shop", "sessions");
    let part = [
        Note::FillsArray { filled: 81_000, slots: 100_000 },
        Note::InOneArray { slots: 5_030_000 },
        Note::WaitsForCollector { share: 0.5 },
        Note::MayWaitForCollector,
        Note::GrowsWithin { class: "com.example.Shop".to_owned() },
        Note::SharesWith { class: "com.example.Shop".to_owned(), place: place.clone() },
        Note::GrowsBeside { class: "com.example.Shop".to_owned() },
        Note::EachGains { class: "com.example.Shop".to_owned() },
        Note::EachConstant { class: "com.example.Shop".to_owned() },
        Note::GrowsWithKeeper { class: "com.example.Shop".to_owned(), place },
    ];
    part.iter().for_each(|note| assert_eq!(read_back(note), Note::AsRead(note.to_string())));
}

#[test]
fn why_a_region_is_not_followed_is_read_as_it_was() {
    same([
        Untracked::RanksTooLow { most: 20 },
        Untracked::OneOfMany { count: 60 },
        Untracked::Part,
        Untracked::InsideMember,
        Untracked::OwnerGone,
        Untracked::NoSizeYet,
        Untracked::SizeTooRough,
        Untracked::Unreadable("one of 99999999999999999999 things".to_owned()),
        Untracked::Unreadable(String::new()),
    ]);
}

fn frame_of(file: Option<&str>, line: Option<u32>) -> Frame {
    Frame { class: "com.example.Shop".to_owned(), method: "<init>".to_owned(), file: file.map(str::to_owned), line }
}

#[test]
fn a_frame_is_read_as_java_prints_it() {
    same([
        frame_of(Some("Shop.java"), Some(88)),
        frame_of(Some("Shop.java"), None),
        frame_of(Some("Shop.java:088"), None),
        frame_of(None, None),
    ]);
    for wrong in ["", "Shop.add", "add(Shop.java:1)", "Shop.add(Shop.java:1", ")("] {
        assert!(serde_json::from_value::<Frame>(serde_json::json!(wrong)).is_err(), "{wrong}");
    }
}

#[test]
fn underlines_of_a_trace_are_those_of_the_line_above() {
    let lines: Vec<String> = ["^", "Shop.orders", "     ^^^^^^", "  ^", "   ", "Order"].map(str::to_owned).to_vec();
    let read: LeakTrace = serde_json::from_value(serde_json::json!(lines)).unwrap();
    let marks: Vec<_> = read.lines().into_iter().map(|line| line.marked).collect();
    assert_eq!(marks, [None, Some((5, 11)), None, None, None]);
    assert_eq!(serde_json::to_value(&read).unwrap(), serde_json::json!(lines));
}

/// Words of sentences, frames and paths, and other words, in any order.
fn text() -> impl Strategy<Value = String> {
    let words = prop_oneof![
        Just("the program ended"),
        Just("("),
        Just(")"),
        Just("."),
        Just(":"),
        Just(": "),
        Just("12"),
        Just("^"),
        Just(" "),
        Just(" ×"),
        Just("[*]"),
        Just("class "),
        Just("thread \""),
        Just("\""),
        Just("local variable"),
        Just(" of "),
        Just("a"),
        Just("漢"),
        Just("0"),
        Just("\u{1b}"),
    ];
    proptest::collection::vec(words, 0..9).prop_map(|words| words.concat())
}

proptest! {
    #[test]
    fn whatever_the_names_are_the_same_is_written_again(class in text(), how in text(), line: Option<u32>) {
        read_back(&Status::AsRead(how.clone()));
        read_back(&Status::Ended(End::ProgramEnded(how.clone())));
        read_back(&Note::GrowsWithin { class: class.clone() });
        read_back(&Untracked::Unreadable(how.clone()));
        read_back(&LeakTrace::AsRead(trace_lines(vec![class.clone(), how.clone()])));
        read_back(&crate::naming::PathStep::AsRead(class.clone()));
        let file = Some(how).filter(|_| line.is_none_or(|line| line % 3 > 0));
        read_back(&Frame { class: class.clone(), method: class, file, line });
    }
}
