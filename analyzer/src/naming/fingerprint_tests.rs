//! Parts that do and do not belong to the name of a structure.

use super::*;
use crate::naming::samples::{map_of, route, statics, thread};

#[test]
fn how_a_collection_or_a_thread_is_built_is_no_part_of_a_name() {
    let other_fields = route(
        statics("com.example.Shop"),
        &[
            "sessions@com.example.Shop: java.util.HashMap",
            "buckets@java.util.AbstractMap: java.util.HashMap$Bin[]",
            "[*]: java.util.HashMap$Bin",
        ],
        1,
        &["com.example.Session"],
    );
    assert_eq!(Fingerprint::of(&other_fields), Fingerprint::of(&map_of(&[], 1, &["com.example.Session"])));
    let job = "jobs@com.example.Worker: com.example.Job";
    let direct = route(thread("w"), &["target@java.lang.Thread: com.example.Worker", job], 1, &[]);
    let hops = [
        "holder@java.lang.Thread: java.lang.Thread$FieldHolder",
        "task@java.lang.Thread$FieldHolder: com.example.Worker",
        job,
    ];
    assert_eq!(Fingerprint::of(&direct), Fingerprint::of(&route(thread("w"), &hops, 2, &[])));
}

#[test]
fn the_depth_of_a_tree_is_no_part_of_a_name() {
    let tree = |depth: usize| {
        let mut hops = vec!["root@com.example.Index: com.example.Node"];
        for _ in 0..depth {
            hops.extend(["kids@com.example.Node: com.example.Node[]", "[*]: com.example.Node"]);
        }
        Fingerprint::of(&route(statics("com.example.Index"), &hops, 0, &[]))
    };
    assert_eq!(tree(1), tree(4));
}

#[test]
fn the_length_of_a_chain_is_no_part_of_a_name_but_its_place_and_its_members_are() {
    let chain = |count: usize| {
        let mut hops = vec!["head@com.example.Log: com.example.Node"];
        hops.extend(std::iter::repeat_n("next@com.example.Node: com.example.Node", count));
        Fingerprint::of(&route(statics("com.example.Log"), &hops, count, &[]))
    };
    assert_eq!([chain(1), chain(2)], [chain(0), chain(40)]);
    let [one, other] =
        ["com.example.Session", "com.example.Basket"].map(|held| Fingerprint::of(&map_of(&[], 1, &[held])));
    assert_ne!(one, other);
    let elsewhere = Route { origin: statics("com.example.Bank"), ..map_of(&[], 1, &["com.example.Session"]) };
    assert_ne!(Fingerprint::of(&elsewhere), one);
}

fn of(words: &[&str]) -> Fingerprint {
    Fingerprint::of_words(&words.iter().map(ToString::to_string).collect::<Vec<_>>())
}

#[test]
fn numbers_of_generated_classes_are_left_out() {
    for (one, other) in [
        ("shop.Main$$Lambda$14/0x0000000800066840", "shop.Main$$Lambda/0x00007f3a0c01aa00"),
        ("shop.Main$$Lambda$14/356573597", "shop.Main$$Lambda$15/99"),
        ("jdk.proxy2.$Proxy12", "jdk.proxy3.$Proxy7"),
        ("jdk.internal.reflect.GeneratedMethodAccessor7", "jdk.internal.reflect.GeneratedMethodAccessor12"),
        ("shop.Cart$$EnhancerBySpringCGLIB$$3f2a1b0c", "shop.Cart$$EnhancerBySpringCGLIB$$99d"),
        ("thread \"pool-1-thread-7\"", "thread \"pool-2-thread-11\""),
        (
            "local variable of shop.Main$$Lambda/0x01ab.run (thread \"w-1\")",
            "local variable of shop.Main$$Lambda.0x9.run (thread \"w-2\")",
        ),
    ] {
        assert_eq!(lasting(one), lasting(other));
    }
    assert_eq!(lasting("shop.Main$$Lambda$14/0x0000000800066840"), "shop.Main$$Lambda");
}

#[test]
fn names_that_people_gave_stay_apart() {
    let names = ["shop.Main$Add", "shop.Main$Bad", "shop.Main", "static shop.Main", "shop.bed", "a/b", "shop.Cafe"];
    for (at, one) in names.iter().enumerate() {
        assert_eq!(lasting(one), *one);
        assert!(names[at + 1..].iter().all(|other| of(&[one]) != of(&[other])));
    }
}

#[test]
fn words_do_not_run_into_one_another() {
    assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
}
