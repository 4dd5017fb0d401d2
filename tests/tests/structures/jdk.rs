//! The JDK's collections, on every JVM at hand.

use super::filled::{COUNTS, Field, differences, dumps};
use e2e::java::Program;
use e2e::{jvms, places};

/// The shared value of a set's map.
const PRESENT: &[&str] = &["java.lang.Object"];
const TRUE: &[&str] = &["java.lang.Boolean"];

const fn list(name: &'static str) -> Field {
    Field::of(name, 0, 1, 1)
}

const fn map(name: &'static str) -> Field {
    Field::of(name, 1, 1, 1)
}

/// A collection around another one.
const fn around(field: Field) -> Field {
    Field { heads: field.heads + 1, ..field }
}

/// In the order of `tests/java/Filled.java`.
const FIELDS: [Field; 43] = [
    list("arrayList"),
    list("vector"),
    list("stack"),
    list("linkedList"),
    list("copyOnWriteList"),
    around(list("synchronizedList")),
    around(list("unmodifiableList")),
    around(list("checkedList")),
    list("asList"),
    // Its second slot has a shared object where there is no element.
    list("listOf").beside(PRESENT),
    around(list("subList")),
    list("arrayDeque"),
    list("priorityQueue"),
    list("concurrentQueue"),
    list("concurrentDeque"),
    list("blockingQueue"),
    list("blockingDeque"),
    list("transferQueue"),
    list("arrayBlockingQueue"),
    list("priorityBlockingQueue"),
    around(list("lifoQueue")),
    around(list("delayQueue")),
    around(list("hashSet")).beside(PRESENT),
    around(list("linkedHashSet")).beside(PRESENT),
    around(list("treeSet")).beside(PRESENT),
    around(list("skipListSet")).beside(TRUE),
    around(list("keySetView")).beside(TRUE),
    around(list("copyOnWriteSet")),
    around(list("setFromMap")).beside(TRUE),
    list("setOf").beside(PRESENT),
    around(around(list("subSet"))).beside(PRESENT),
    map("hashMap"),
    map("linkedHashMap"),
    map("ownMap"),
    map("treeMap"),
    map("hashtable"),
    map("identityMap"),
    // Its keys are weak references.
    list("weakMap"),
    map("concurrentMap"),
    map("skipListMap"),
    around(map("synchronizedMap")),
    around(map("unmodifiableMap")),
    around(map("checkedMap")),
];
/// Further ones, of which not each has all elements.
const OTHERS: [Field; 3] = [map("mapOf"), around(map("properties")), Field { most: 3, ..list("enumMap") }];

#[test]
fn every_collection_of_the_jdk_is_found_with_its_elements() {
    let source = places::workspace().join("tests/java/Filled.java");
    let program = Program::compiled("filled", &source, "Filled");
    let fields = [FIELDS.as_slice(), &OTHERS].concat();
    let mut wrong = Vec::new();
    for jvm in jvms::at_hand() {
        let scratch = dumps(&program, &jvm, &[]);
        for count in COUNTS {
            let found = differences(&scratch, "Filled", count, &fields, false);
            wrong.extend(found.into_iter().map(|fault| format!("JDK {}: {fault}", jvm.version)));
        }
        // Every class of the JDK has a description of its own; only the program's map inherits one.
        let exact: Vec<Field> = fields.iter().filter(|field| field.name != "ownMap").copied().collect();
        let found = differences(&scratch, "Filled", 1000, &exact, true);
        wrong.extend(found.into_iter().map(|fault| format!("JDK {}, exact types: {fault}", jvm.version)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
