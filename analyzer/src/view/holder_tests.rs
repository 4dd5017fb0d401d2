//! Holders of structures as programs build them.

use super::*;
use crate::naming::samples::{local, map_of, route, statics, thread};
use crate::report::LeakTrace;
use crate::report::samples::figure_5;

fn holder(route: Route) -> Holder {
    let mut region = figure_5().regions.remove(0);
    region.route = LeakTrace::Of(route);
    Holder::of(&region)
}

fn reported(route: Route) -> String {
    let holder = holder(route);
    let kind = holder.kind.clone().map_or_else(String::new, |kind| format!(" ({kind})"));
    let way = holder.way().map_or_else(String::new, |way| format!(" in {way}"));
    format!("{}{kind}{way}", holder.name)
}

#[test]
fn a_map_is_called_by_its_field() {
    assert_eq!(reported(map_of(&[], 1, &["com.example.Session"])), "Shop.sessions (HashMap)");
}

#[test]
fn of_a_map_of_lists_the_lists_grow() {
    let list = [
        "value@java.util.HashMap$Node: java.util.ArrayList",
        "elementData@java.util.ArrayList: java.lang.Object[]",
        "[*]: com.example.Order",
    ];
    assert_eq!(reported(map_of(&list, 4, &[])), "Shop.sessions[*] (ArrayList)");
}

#[test]
fn a_way_through_services_has_their_fields_and_no_tables() {
    let hops = [
        "context@com.example.Shop: com.example.Context",
        "singletons@com.example.Context: java.util.HashMap",
        "table@java.util.HashMap: java.util.HashMap$Node[]",
        "[*]: java.util.HashMap$Node",
        "value@java.util.HashMap$Node: com.example.Shop$SessionService",
        "sessions@com.example.Shop$SessionService: java.util.concurrent.ConcurrentHashMap",
        "table@java.util.concurrent.ConcurrentHashMap: java.util.concurrent.ConcurrentHashMap$Node[]",
        "[*]: java.util.concurrent.ConcurrentHashMap$Node",
    ];
    assert_eq!(
        reported(route(statics("com.example.Shop"), &hops, 6, &[])),
        "SessionService.sessions (ConcurrentHashMap) in static Shop.context → Context.singletons[*] → \
         SessionService.sessions"
    );
}

#[test]
fn a_set_is_not_called_by_the_map_that_it_is_built_upon() {
    let hops = [
        "seen@com.example.Shop: java.util.HashSet",
        "map@java.util.HashSet: java.util.HashMap",
        "table@java.util.HashMap: java.util.HashMap$Node[]",
        "[*]: java.util.HashMap$Node",
    ];
    assert_eq!(reported(route(statics("com.example.Shop"), &hops, 2, &[])), "Shop.seen (HashSet)");
}

#[test]
fn a_tree_of_nodes_with_arrays_is_called_by_the_field_that_holds_its_root() {
    let level = ["kids@com.example.Node: java.lang.Object[]", "[*]: com.example.Node"];
    let root = ["index@com.example.Shop: com.example.Index", "root@com.example.Index: com.example.Node"];
    let deep = [&root[..], &level, &level, &["kids@com.example.Node: java.lang.Object[]", "[*]: com.example.Order"]];
    assert_eq!(
        reported(route(statics("com.example.Shop"), &deep.concat(), 2, &[])),
        "Index.root (tree of Node) in static Shop.index → Index.root"
    );
    let flat = [&root[..], &["kids@com.example.Node: java.lang.Object[]", "[*]: com.example.Order"]];
    assert_eq!(
        reported(route(statics("com.example.Shop"), &flat.concat(), 2, &[])),
        "Node.kids (Object[]) in static Shop.index → Index.root → Node.kids"
    );
}

#[test]
fn a_tree_of_two_kinds_of_nodes_is_called_by_the_field_that_holds_its_root() {
    let level = [
        "main@com.example.Indirection: com.example.Branch",
        "array@com.example.Branch: com.example.Basic[]",
        "[*]: com.example.Indirection",
    ];
    let last = [level[0], level[1], "[*]: com.example.Entry"];
    let hops = [&["root@com.example.Shop: com.example.Indirection"][..], &level, &last].concat();
    assert_eq!(reported(route(statics("com.example.Shop"), &hops, 1, &[])), "Shop.root (tree of Indirection)");
}

#[test]
fn an_array_and_a_chain_of_the_program_are_called_by_their_fields() {
    let history = ["history@com.example.Session: com.example.Event[]", "[*]: com.example.Event"];
    assert_eq!(reported(route(statics("com.example.Session"), &history, 1, &[])), "Session.history (Event[])");
    let chain = [
        "head@com.example.Log: com.example.Node",
        "next@com.example.Node: com.example.Node",
        "next@com.example.Node: com.example.Node",
    ];
    assert_eq!(reported(route(statics("com.example.Log"), &chain, 2, &[])), "Log.head (chain of Node)");
}

#[test]
fn a_field_with_many_objects_behind_it_holds_a_chain() {
    let mut region = figure_5().regions.remove(0);
    let last = ["last@com.example.Editor: com.example.Step"];
    region.route = LeakTrace::Of(route(statics("com.example.Editor"), &last, 0, &[]));
    let mut named = |members, alike| {
        (region.proxy_size, region.alike) = (members, alike);
        structure(&region)
    };
    assert_eq!(named(4_278, 1), "Editor.last (chain of Step)");
    assert_eq!(named(1, 1), "Editor.last (Step)");
    assert_eq!(named(3, 3), "Editor.last (3 × Step)");
    let map = ["map@com.example.Shop: java.util.TreeMap"];
    region.route = LeakTrace::Of(route(statics("com.example.Shop"), &map, 0, &[]));
    (region.proxy_size, region.alike) = (4_278, 1);
    assert_eq!(structure(&region), "Shop.map (TreeMap)");
}

#[test]
fn what_only_a_thread_or_a_variable_holds_says_so() {
    let hops = [
        "target@java.lang.Thread: com.example.Worker",
        "done@com.example.Worker: java.util.LinkedList",
        "last@java.util.LinkedList: java.util.LinkedList$Node",
    ];
    assert_eq!(
        reported(route(thread("worker-3"), &hops, 2, &[])),
        "Worker.done (LinkedList) in thread \"worker-3\" → Worker.done"
    );
    let list = ["elementData@java.util.ArrayList: java.lang.Object[]", "[*]: byte[]"];
    assert_eq!(
        reported(route(local("java.util.ArrayList"), &list, 0, &[])),
        "local variable of Main.main (thread \"main\") (ArrayList)"
    );
    let local = [
        "threadLocals@java.lang.Thread: java.lang.ThreadLocal$ThreadLocalMap",
        "table@java.lang.ThreadLocal$ThreadLocalMap: java.lang.ThreadLocal$ThreadLocalMap$Entry[]",
        "[*]: java.lang.ThreadLocal$ThreadLocalMap$Entry",
        "value@java.lang.ThreadLocal$ThreadLocalMap$Entry: com.example.Request",
        "parts@com.example.Request: java.util.ArrayList",
        "elementData@java.util.ArrayList: java.lang.Object[]",
        "[*]: com.example.Part",
    ];
    assert_eq!(
        reported(route(thread("http-1"), &local, 5, &[])),
        "Request.parts (ArrayList) in thread \"http-1\" → thread locals → Request.parts"
    );
}

#[test]
fn thread_locals_that_grow_are_called_by_their_thread() {
    let hops = [
        "threadLocals@java.lang.Thread: java.lang.ThreadLocal$ThreadLocalMap",
        "table@java.lang.ThreadLocal$ThreadLocalMap: java.lang.ThreadLocal$ThreadLocalMap$Entry[]",
        "[*]: java.lang.ThreadLocal$ThreadLocalMap$Entry",
    ];
    assert_eq!(reported(route(thread("http-1"), &hops, 1, &[])), "thread \"http-1\" → thread locals");
}

#[test]
fn what_the_program_puts_in_is_named_and_not_the_node() {
    let mut region = figure_5().regions.remove(0);
    region.change_proxy.class = "java.util.HashMap$Node".to_owned();
    let carrying = |carried: &[&str]| LeakTrace::Of(map_of(&[], 1, carried));
    region.route = carrying(&["java.lang.String", "com.example.Session"]);
    assert_eq!(element(&region), "Session");
    region.route = carrying(&["java.lang.Long"]);
    assert_eq!(element(&region), "Long");
    region.route = carrying(&["java.lang.String", "java.lang.ref.SoftReference"]);
    assert_eq!(element(&region), "entries of String and SoftReference");
    region.route = carrying(&[]);
    region.members = vec!["byte[]".to_owned(), "com.example.Page".to_owned()];
    assert_eq!(element(&region), "Page");
    region.route = carrying(&["java.lang.String", "java.util.ArrayList"]);
    assert_eq!(element(&region), "ArrayList of Page");
    region.route = carrying(&[]);
    region.members.clear();
    assert_eq!(element(&region), "entries");
}

#[test]
fn structures_of_one_name_are_told_apart_by_their_elements_and_then_by_their_holders() {
    let map = |statics_of: &str, member: &str| {
        let mut region = figure_5().regions.remove(0);
        let hops = ["cache@com.example.Caches: com.example.Cache", "data@com.example.Cache: java.util.HashMap"];
        region.route = LeakTrace::Of(route(statics(statics_of), &hops, 1, &[]));
        (region.entry, region.members, region.alike, region.proxy_size) = (None, vec![member.to_owned()], 1, 1);
        member.clone_into(&mut region.change_proxy.class);
        region
    };
    let regions = [
        map("com.example.Shop", "com.example.Order"),
        map("com.example.Shop", "com.example.Price"),
        map("com.example.Bank", "com.example.Price"),
    ];
    let names = structures(&regions.iter().collect::<Vec<_>>());
    assert_eq!(names[0], "Cache.data (HashMap) of Order");
    assert_eq!(names[1], "Cache.data (HashMap) of Price in Shop.cache");
    assert_eq!(names[2], "Cache.data (HashMap) of Price in Bank.cache");
    assert_eq!(structures(&[&regions[0]]), ["Cache.data (HashMap)"]);
}
