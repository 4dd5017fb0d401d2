//! Written reports are read, and written again unchanged; other texts are refused with the reason.

use super::*;
use crate::naming::Place;
use crate::report::samples::{beside_the_heap, figure_5, healthy, static_field, waiting};
use crate::report::{CaptureMethod, End, Entry, Fingerprint, Forecast, LeakTrace, MethodForecast, Note, Status};
use crate::view::json::to_json;
use serde_json::{Value, json};

/// A report with all parts that the other samples do not have.
fn full() -> Report {
    let mut report = figure_5();
    report.forecast = Some(Forecast {
        at_s: 4.2,
        objects: 5_000_000,
        method: Some(CaptureMethod::Fork),
        methods: vec![MethodForecast {
            method: CaptureMethod::InProcess,
            pause_ms: 1_900.5,
            duration_ms: 2_000.25,
            memory_bytes: 90 << 20,
            obstacle: Some("it would pause the program for longer than --max-pause".to_owned()),
        }],
    });
    let region = &mut report.regions[0];
    region.entry = Some(Entry { class: "com.example.Order".to_owned(), per_change_proxy: 15.1 / 3.0, error: 1e-9 });
    region.within = Some(Fingerprint(u64::MAX));
    region.note = Some(Note::FillsArray { filled: 610, slots: 1200 });
    region.probe_plan = vec!["reads .elementCount".to_owned()];
    region.sizes = vec![100, 200, 400];
    report.status = Status::Ended(End::ProgramEnded("exit status: 0".to_owned()));
    report
}

fn samples() -> [Report; 5] {
    [waiting(), healthy(), beside_the_heap(), figure_5(), full()]
}

#[test]
fn what_is_read_is_written_again_to_the_byte() {
    for report in samples() {
        let written = to_json(&report).unwrap();
        let read = Report::from_json(&written).unwrap();
        assert_eq!(to_json(&read).unwrap(), written);
        assert_eq!(serde_json::from_str::<Report>(&written).unwrap(), read);
        assert_eq!(Report::from_json(&to_json(&read).unwrap()).unwrap(), read, "reading loses nothing twice");
    }
}

#[test]
fn what_is_read_equals_what_was_written_but_for_texts_that_do_not_show_all() {
    let mut written = full();
    let mut read = Report::from_json(&to_json(&written).unwrap()).unwrap();
    assert_eq!(read.leak_roots[0].reached_from[0].to_string(), "system class loader");
    read.leak_roots[0].reached_from = written.leak_roots[0].reached_from.clone();
    for (read, written) in read.regions.iter_mut().zip(&mut written.regions) {
        assert_eq!(read.route, LeakTrace::AsRead(written.route.lines()));
        assert_eq!(read.owner_proxy.path.to_string(), written.owner_proxy.path.to_string());
        assert_eq!(read.reached_from[0].to_string(), "application class loader");
        read.reached_from[0] = written.reached_from[0].clone();
        read.route = written.route.clone();
        read.owner_proxy.path = written.owner_proxy.path.clone();
    }
    assert_eq!(read, written);
}

#[test]
fn who_keeps_a_region_is_in_no_json() {
    let mut report = figure_5();
    let keeper: Place = static_field("com.example.Shop", "sessions");
    report.regions[0].kept_by = Some(keeper);
    assert_eq!(Report::from_json(&to_json(&report).unwrap()).unwrap().regions[0].kept_by, None);
}

#[test]
fn a_report_that_was_cut_is_refused_wherever_it_was() {
    let written = to_json(&healthy()).unwrap();
    let end = written.trim_end().len();
    for at in (0..end).filter(|&at| written.is_char_boundary(at)) {
        assert!(matches!(Report::from_json(&written[..at]), Err(ReadError::NotJson(_))), "{at}");
    }
}

#[test]
fn a_report_with_a_byte_of_something_else_is_read_or_refused() {
    let written = to_json(&healthy()).unwrap();
    for at in (0..written.len()).filter(|&at| written.as_bytes()[at].is_ascii()) {
        for other in ["", "0", "\"", "}", "^", "\u{1b}"] {
            let damaged = [&written[..at], other, &written[at + 1..]].concat();
            if let Ok(read) = Report::from_json(&damaged) {
                to_json(&read).unwrap();
            }
        }
    }
}

/// Reads a sample whose JSON is changed first.
fn changed(change: impl FnOnce(&mut Value)) -> Result<Report, ReadError> {
    let mut value = serde_json::to_value(figure_5()).unwrap();
    change(&mut value);
    Report::from_json(&value.to_string())
}

#[test]
fn fields_that_nobody_knows_are_passed_over() {
    let read = changed(|value| {
        value["later"] = json!({ "a": [1, 2] });
        value["regions"][0]["later"] = json!("b");
        value["snapshots"][0]["child"]["later"] = Value::Null;
        value["heap"]["later"] = json!(1.5);
    });
    assert_eq!(read.unwrap(), changed(|_| {}).unwrap());
}

#[test]
fn another_contract_is_named() {
    let error = changed(|value| value["schema"] = json!("rootbound.dump/1")).unwrap_err();
    assert!(matches!(&error, ReadError::OtherContract { found } if found == "rootbound.dump/1"));
    let text = "this is written by the contract `rootbound.dump/1`, and not by `rootbound.report/1`";
    assert_eq!(error.to_string(), text);
}

#[test]
fn a_json_without_a_contract_is_no_report() {
    let without = |value: &mut Value| drop(value.as_object_mut().unwrap().remove("schema"));
    assert!(matches!(changed(without), Err(ReadError::NoContract)));
    for schema in [Value::Null, json!(1), json!(["rootbound.report/1"])] {
        assert!(matches!(changed(|value| value["schema"] = schema), Err(ReadError::NoContract)));
    }
    assert!(matches!(Report::from_json("{}"), Err(ReadError::NoContract)));
}

#[test]
fn what_is_no_json_or_no_object_is_said() {
    for text in ["", "LEAK: Shop.sessions", "{", "{}}"] {
        assert!(matches!(Report::from_json(text), Err(ReadError::NotJson(_))), "{text}");
    }
    let error = Report::from_json("3").unwrap_err().to_string();
    assert!(error.contains("an object with a `schema`"), "{error}");
}

/// A change that makes the JSON wrong.
type Change = fn(&mut Value);

#[test]
fn a_field_that_does_not_fit_is_reported_with_its_place() {
    let wrong: [(Change, &str); 5] = [
        (|value| value["regions"][0]["trend"] = json!("riser"), "expected one of `grower`, `oscillator`"),
        (
            |value| value["snapshots"][0]["method"] = json!("magic"),
            "expected one of `fork`, `in-process`, `tags`, `paths`",
        ),
        (|value| value["duration_s"] = json!("long"), "expected f64"),
        (|value| value["regions"][0]["fingerprint"] = json!("beef"), "16 hexadecimal digits"),
        (|value| drop(value["verdict"].as_object_mut().unwrap().remove("summary")), "missing field `summary`"),
    ];
    for (change, expected) in wrong {
        let error = changed(change).unwrap_err();
        assert!(matches!(error, ReadError::Field(_)));
        let text = error.to_string();
        assert!(text.contains(expected) && text.contains(" at line 1 column "), "{text}");
    }
}
