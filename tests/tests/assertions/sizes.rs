//! assertSize, assertCount, measure and increasedMemory.

use super::{assert_said, jvms, run};
use e2e::process::Scratch;

/// Each case of `tests/java/assertions/Sizes.java` and its text.
const SAID: &[(&str, &str)] = &[
    ("int[10]", "ints: leak 56 bytes over limit of 0 bytes\n  int[]: 1, 56B"),
    ("boxed", "boxed: leak 80 bytes over limit of 0 bytes\n  java.lang.Integer: 3, 48B\n  java.lang.Integer[]: 1, 32B"),
    (
        "list of three",
        "list: leak 136 bytes over limit of 0 bytes\n  java.util.LinkedList$Node: 3, 72B\n  \
         java.lang.Character: 2, 32B\n  java.util.LinkedList: 1, 32B",
    ),
    ("cycle", "cycle: leak 32 bytes over limit of 0 bytes\n  Sizes$Node: 2, 32B"),
    ("a class is neither counted nor entered", "class: leak 24 bytes over limit of 0 bytes\n  Sizes$OfClass: 1, 24B"),
    ("a class as root", "passes"),
    (
        "enum map",
        "map: leak 12 objects over limit of 3 objects\n  Sizes$Day: 3, 72B\n  byte[]: 3, 72B\n  \
         java.lang.String: 3, 72B\n  java.util.EnumMap: 1, 40B\n  Sizes$Day[]: 1, 32B\n  java.lang.Object[]: 1, 32B",
    ),
    ("null", "passes"),
    ("the collection is no root", "both: leak 32 bytes over limit of 0 bytes\n  Sizes$Node: 2, 32B"),
    ("exact", "passes"),
    ("exact - 1", "ints: leak 56 bytes over limit of 55 bytes\n  int[]: 1, 56B"),
    ("count", "ints: leak 2 objects over limit of 0 objects\n  int[]: 1, 56B\n  java.lang.Object[]: 1, 24B"),
    ("returned", "56 1"),
    ("json", r#"{"bytes":56,"count":1,"classes":[{"class":"int[]","count":1,"bytes":56}]}"#),
    ("text", "56 bytes in 1 object\n  int[]: 1, 56B"),
    (
        "skip",
        "holder: leak 3 objects over limit of 0 objects\n  int[]: 1, 416B\n  Sizes$Holder: 1, 24B\n  \
         Sizes$Cache: 1, 16B",
    ),
    (
        "skip of bytes",
        "holder: leak 456 bytes over limit of 0 bytes\n  int[]: 1, 416B\n  Sizes$Holder: 1, 24B\n  \
         Sizes$Cache: 1, 16B",
    ),
    ("skipped root", "java.lang.IllegalArgumentException: root 1 is skipped"),
    ("skipped classes", "holder: leak 24 bytes over limit of 0 bytes\n  Sizes$Holder: 1, 24B"),
    ("root of a skipped class", "java.lang.IllegalArgumentException: root 0 is skipped"),
    (
        "skipped field",
        "holder: leak 3 objects over limit of 0 objects\n  int[]: 1, 416B\n  Sizes$Holder: 1, 24B\n  \
         Sizes$Cache: 1, 16B",
    ),
    (
        "skipped field of a superclass",
        "derived: leak 96 bytes over limit of 0 bytes\n  int[]: 2, 72B\n  Sizes$Derived: 1, 24B",
    ),
    (
        "skipped field behind an interface's",
        "derived: leak 88 bytes over limit of 0 bytes\n  int[]: 2, 64B\n  Sizes$Derived: 1, 24B",
    ),
    (
        "no such field",
        "java.lang.IllegalArgumentException: the class Sizes$Derived declares no instance field inherited",
    ),
    ("predicate", "holder: leak 1 object over limit of 0 objects\n  Sizes$Holder: 1, 24B"),
    ("predicate that throws", "java.lang.IllegalStateException: the predicate's own"),
    (
        "strong only",
        "weak: leak 80 bytes over limit of 0 bytes\n  java.lang.ref.WeakReference: 1, 32B\n  byte[]: 1, 24B\n  \
         java.lang.String: 1, 24B",
    ),
    ("with referents", "1, 216B null"),
    (
        "the line about references",
        "N objects were reached through java.lang.ref.Reference; SizeFilter.strongOnly() leaves them out",
    ),
    (
        "a million",
        "large: leak 500002 objects over limit of 0 objects\n  int[]: 500000, 12000000B\n  \
         java.lang.Object[]: 2, 4000032B",
    ),
    ("a list of 500,000 nodes", "list: leak 500000 objects over limit of 0 objects\n  Sizes$Node: 500000, 8000000B"),
    ("increase", "1000, 16000B"),
    ("increase without the list", "null"),
];

#[test]
fn sizes_and_their_texts_are_the_same_in_every_jvm() {
    for jvm in jvms() {
        let ended = run(&jvm, &Scratch::new(), &[], "Sizes", &[]);
        assert_said(&jvm, &ended.stdout, SAID);
    }
}

/// JVMs without compressed pointers have larger objects, and as many.
#[test]
fn counts_do_not_change_with_the_layout_of_objects() {
    for jvm in jvms() {
        let ended = run(&jvm, &Scratch::new(), &["-XX:-UseCompressedOops"], "Sizes", &[]);
        let found = super::said(&ended.stdout);
        assert!(found["skip"].starts_with("holder: leak 3 objects over limit of 0 objects\n"), "{}", found["skip"]);
        assert!(found["boxed"].contains("java.lang.Integer: 3, "), "{}", found["boxed"]);
        assert!(!found["boxed"].contains("leak 80 bytes"), "{}", found["boxed"]);
    }
}
