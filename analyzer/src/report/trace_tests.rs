//! Traces of structures as programs build them, reviewed and approved by hand.

use super::*;
use crate::naming::samples::{local, map_of, route, statics, thread};

fn reported(line: TraceLine) -> Vec<String> {
    let marked = line.marked.map(|(from, to)| format!("{}{}", " ".repeat(from), marks(to - from)));
    [line.text].into_iter().chain(marked).collect()
}

fn text(route: &Route) -> String {
    lines(route).into_iter().flat_map(reported).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_map_that_gets_entries() {
    insta::assert_snapshot!(text(&map_of(&[], 1, &["com.example.Session", "java.lang.Long"])));
}

#[test]
fn a_map_of_lists_of_which_the_lists_grow() {
    let list = [
        "value@java.util.HashMap$Node: java.util.ArrayList",
        "elementData@java.util.ArrayList: java.lang.Object[]",
        "[*]: com.example.Order",
    ];
    insta::assert_snapshot!(text(&map_of(&list, 4, &[])));
}

#[test]
fn an_object_in_a_map_that_keeps_an_array() {
    let history = [
        "value@java.util.HashMap$Node: com.example.Session",
        "history@com.example.Session: com.example.Event[]",
        "[*]: com.example.Event",
    ];
    insta::assert_snapshot!(text(&map_of(&history, 4, &[])));
}

#[test]
fn a_set_is_reported_without_the_map_that_it_is_built_upon() {
    let hops = [
        "seen@com.example.Shop: java.util.HashSet",
        "map@java.util.HashSet: java.util.HashMap",
        "table@java.util.HashMap: java.util.HashMap$Node[]",
        "[*]: java.util.HashMap$Node",
    ];
    insta::assert_snapshot!(text(&route(statics("com.example.Shop"), &hops, 2, &["java.lang.Long"])));
}

#[test]
fn a_chain_of_the_programs_own_nodes() {
    let hops = [
        "head@com.example.Log: com.example.Node",
        "next@com.example.Node: com.example.Node",
        "next@com.example.Node: com.example.Node",
        "next@com.example.Node: com.example.Node",
    ];
    insta::assert_snapshot!(text(&route(statics("com.example.Log"), &hops, 3, &[])));
}

#[test]
fn a_class_of_the_program_that_is_a_map() {
    let hops = [
        "cache@com.example.Shop: com.example.Cache",
        "table@java.util.HashMap: java.util.HashMap$Node[]",
        "[*]: java.util.LinkedHashMap$Entry",
    ];
    insta::assert_snapshot!(text(&route(statics("com.example.Shop"), &hops, 1, &["com.example.Page"])));
}

#[test]
fn a_collection_that_only_a_thread_holds() {
    let hops = [
        "target@java.lang.Thread: com.example.Worker",
        "done@com.example.Worker: java.util.LinkedList",
        "last@java.util.LinkedList: java.util.LinkedList$Node",
    ];
    insta::assert_snapshot!(text(&route(thread("worker-3"), &hops, 2, &["com.example.Job"])));
}

#[test]
fn a_collection_at_a_local_variable() {
    let hops = ["elementData@java.util.ArrayList: java.lang.Object[]", "[*]: byte[]"];
    insta::assert_snapshot!(text(&route(local("java.util.ArrayList"), &hops, 0, &[])));
}

#[test]
fn what_a_report_underlines_stands_on_a_line_of_its_own() {
    let route = map_of(&[], 1, &[]);
    let (all, [first, last]) = (serde_json::to_value(LeakTrace::Of(route.clone())).unwrap(), &lines(&route)[..]) else {
        panic!("two lines")
    };
    let (from, to) = first.marked.unwrap();
    assert_eq!(first.text.chars().skip(from).take(to - from).collect::<String>(), "entries");
    assert_eq!(last.marked, None);
    let underline = format!("{}{}", " ".repeat(from), "^".repeat(to - from));
    assert_eq!(all, serde_json::json!([first.text, underline, last.text]));
}
