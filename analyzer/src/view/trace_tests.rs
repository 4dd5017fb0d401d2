//! Traces of structures as programs build them, as they were looked at and approved.

use super::*;

const MAP: &str = "java.util.HashMap";
const SHOP: &str = "com.example.Shop";

/// `field@declaring: class`; an element of an array is `[*]: class`.
fn hop(text: &str) -> Hop {
    let (reference, class) = text.split_once(": ").unwrap();
    let class = class.to_owned();
    match reference.split_once('@') {
        Some((field, declared_by)) => Hop { field: Some(field.to_owned()), declared_by: declared_by.to_owned(), class },
        None => Hop { class, ..Hop::default() },
    }
}

fn route(origin: &str, hops: &[&str], owner_at: usize, carried: &[&str]) -> Route {
    let carried = carried.iter().map(ToString::to_string).collect();
    Route { origin: origin.to_owned(), hops: hops.iter().map(|text| hop(text)).collect(), owner_at, carried }
}

/// What every map is built of.
fn through_table(field: &str) -> Vec<String> {
    vec![format!("{field}@{SHOP}: {MAP}"), format!("table@{MAP}: {MAP}$Node[]"), format!("[*]: {MAP}$Node")]
}

fn map_of(more: &[&str], owner_at: usize, carried: &[&str]) -> Route {
    let hops = through_table("sessions");
    let hops: Vec<&str> = hops.iter().map(String::as_str).chain(more.iter().copied()).collect();
    route(&format!("static {SHOP}"), &hops, owner_at, carried)
}

fn text(route: &Route) -> String {
    Trace::new(route).lines().join("\n")
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
fn a_set_is_told_without_the_map_that_it_is_built_upon() {
    let hops = [
        "seen@com.example.Shop: java.util.HashSet",
        "map@java.util.HashSet: java.util.HashMap",
        "table@java.util.HashMap: java.util.HashMap$Node[]",
        "[*]: java.util.HashMap$Node",
    ];
    insta::assert_snapshot!(text(&route("static com.example.Shop", &hops, 2, &["java.lang.Long"])));
}

#[test]
fn a_chain_of_the_programs_own_nodes() {
    let hops = [
        "head@com.example.Log: com.example.Node",
        "next@com.example.Node: com.example.Node",
        "next@com.example.Node: com.example.Node",
        "next@com.example.Node: com.example.Node",
    ];
    insta::assert_snapshot!(text(&route("static com.example.Log", &hops, 3, &[])));
}

#[test]
fn a_class_of_the_program_that_is_a_map() {
    let hops = [
        "cache@com.example.Shop: com.example.Cache",
        "table@java.util.HashMap: java.util.HashMap$Node[]",
        "[*]: java.util.LinkedHashMap$Entry",
    ];
    insta::assert_snapshot!(text(&route("static com.example.Shop", &hops, 1, &["com.example.Page"])));
}

#[test]
fn a_collection_that_only_a_thread_holds() {
    let hops = [
        "target@java.lang.Thread: com.example.Worker",
        "done@com.example.Worker: java.util.LinkedList",
        "last@java.util.LinkedList: java.util.LinkedList$Node",
    ];
    insta::assert_snapshot!(text(&route("thread \"worker-3\"", &hops, 2, &["com.example.Job"])));
}

#[test]
fn a_collection_at_a_local_variable() {
    let hops = ["elementData@java.util.ArrayList: java.lang.Object[]", "[*]: byte[]"];
    let origin = "local variable of com.example.Main.main (thread \"main\") → ArrayList";
    insta::assert_snapshot!(text(&route(origin, &hops, 0, &[])));
}

#[test]
fn an_underline_of_the_report_is_found_again() {
    let lines = Trace::new(&map_of(&[], 1, &[])).lines();
    let found = underlined(&lines);
    assert_eq!(found.len(), 2);
    let (from, to) = found[0].1.unwrap();
    assert_eq!(found[0].0.chars().skip(from).take(to - from).collect::<String>(), "entries");
    assert_eq!(found[1].1, None);
}

fn words(route: &Route) -> Vec<String> {
    Trace::new(route).words().into_iter().map(str::to_owned).collect()
}

#[test]
fn how_a_collection_or_a_thread_is_built_is_no_part_of_a_name() {
    let other_fields = route(
        "static com.example.Shop",
        &[
            "sessions@com.example.Shop: java.util.HashMap",
            "buckets@java.util.AbstractMap: java.util.HashMap$Bin[]",
            "[*]: java.util.HashMap$Bin",
        ],
        1,
        &["com.example.Session"],
    );
    assert_eq!(words(&other_fields), words(&map_of(&[], 1, &["com.example.Session"])));
    let job = "jobs@com.example.Worker: com.example.Job";
    let direct = route("thread \"w\"", &["target@java.lang.Thread: com.example.Worker", job], 1, &[]);
    let hops = [
        "holder@java.lang.Thread: java.lang.Thread$FieldHolder",
        "task@java.lang.Thread$FieldHolder: com.example.Worker",
        job,
    ];
    assert_eq!(words(&direct), words(&route("thread \"w\"", &hops, 2, &[])));
}

#[test]
fn the_depth_of_a_tree_is_no_part_of_a_name() {
    let tree = |depth: usize| {
        let mut hops = vec!["root@com.example.Index: com.example.Node"];
        for _ in 0..depth {
            hops.extend(["kids@com.example.Node: com.example.Node[]", "[*]: com.example.Node"]);
        }
        words(&route("static com.example.Index", &hops, 0, &[]))
    };
    assert_eq!(tree(1), tree(4));
}

#[test]
fn the_length_of_a_chain_is_no_part_of_a_name_but_its_place_and_its_members_are() {
    let chain = |count: usize| {
        let mut hops = vec!["head@com.example.Log: com.example.Node"];
        hops.extend(std::iter::repeat_n("next@com.example.Node: com.example.Node", count));
        words(&route("static com.example.Log", &hops, count, &[]))
    };
    assert_eq!([chain(1), chain(2)], [chain(0), chain(40)]);
    let [one, other] = ["com.example.Session", "com.example.Basket"].map(|held| words(&map_of(&[], 1, &[held])));
    assert_ne!(one, other);
    let elsewhere = Route { origin: "static com.example.Bank".to_owned(), ..map_of(&[], 1, &["com.example.Session"]) };
    assert_ne!(words(&elsewhere), one);
}
