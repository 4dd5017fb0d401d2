//! What NetBeans' `NbTestCase` promises of `assertSize` and `assertGC` in its documentation and checks in its own
//! tests, as cases of ours. Where it cannot see, as in local variables, we say more.

use super::{assert_said, jvms, run};
use e2e::places;
use e2e::process::Scratch;

/// Each case of `tests/java/assertions/NetBeans.java` and its text; `LINE` is the line of the call.
const SAID: &[(&str, &str)] = &[
    ("a local variable that is gone", "passes"),
    ("a static field", "held:\n  class of the program\n  class NetBeans\n  .first: java.lang.Object"),
    // There the text is `Not found!!!`.
    (
        "a local variable in use",
        "in use:\n  local variable of NetBeans.lambda$collectable$2 (NetBeans.java:LINE)\n  java.lang.Object",
    ),
    (
        "logged and held",
        "assertCollectable(java.lang.String):\n  class of the program\n  class NetBeans\n  .hold: java.lang.String",
    ),
    ("logged and free", "passes"),
    ("a handler that is removed", "passes"),
    ("one root", "link: leak 40 bytes over limit of 0 bytes\n  int[]: 1, 24B\n  NetBeans$Link: 1, 16B"),
    ("a list of this root", "link: leak 40 bytes over limit of 0 bytes\n  int[]: 1, 24B\n  NetBeans$Link: 1, 16B"),
    ("what two roots share", "links: leak 56 bytes over limit of 0 bytes\n  NetBeans$Link: 2, 32B\n  int[]: 1, 24B"),
    ("a root within another", "links: leak 56 bytes over limit of 0 bytes\n  NetBeans$Link: 2, 32B\n  int[]: 1, 24B"),
    ("as large as the limit", "passes"),
    ("no root", "passes"),
    ("null among roots", "null: leak 40 bytes over limit of 0 bytes\n  int[]: 1, 24B\n  NetBeans$Link: 1, 16B"),
    (
        "nothing skipped",
        "both: leak 64 bytes over limit of 0 bytes\n  NetBeans$LongLink: 1, 24B\n  int[]: 1, 24B\n  NetBeans$Link: 1, 16B",
    ),
    (
        "what is behind a skipped object is counted by another path",
        "both: leak 48 bytes over limit of 0 bytes\n  NetBeans$LongLink: 1, 24B\n  int[]: 1, 24B",
    ),
    (
        "skipped objects are the same, not equal",
        "text: leak 40 bytes over limit of 0 bytes\n  byte[]: 1, 24B\n  NetBeans$Link: 1, 16B",
    ),
    ("what a filter rejects", "40 bytes"),
    (
        "fields of all superclasses",
        "long: leak 72 bytes over limit of 0 bytes\n  NetBeans$LongLink: 1, 24B\n  long[]: 1, 24B\n  short[]: 1, 24B",
    ),
    ("elements of arrays of arrays", "arrays: leak 88 bytes over limit of 0 bytes\n  int[]: 2, 64B\n  int[][]: 1, 24B"),
    ("no class", "class: leak 16 bytes over limit of 0 bytes\n  NetBeans$Link: 1, 16B"),
    ("what a weak reference refers to", "is counted"),
];

const CHAINS: [&str; 2] = ["first", "second"];

#[test]
fn what_nbtestcase_promises_holds_in_every_jvm() {
    let source = std::fs::read_to_string(places::workspace().join("tests/java/assertions/NetBeans.java")).unwrap();
    let line = source.lines().position(|line| line.contains("assertGC(\"in use\"")).expect("the call is there") + 1;
    for jvm in jvms() {
        let ended = run(&jvm, &Scratch::new(), &[], "NetBeans", &[]);
        let text = ended.stdout.replace(&format!("NetBeans.java:{line}"), "NetBeans.java:LINE");
        let (before, rest) = text.split_once("== two chains to one object\n").expect("the case is there");
        let (two, behind) = rest.split_once("== ").expect("another follows");
        for field in CHAINS {
            let chain = format!(
                "class NetBeans\n  .{field}: NetBeans$Link\n  .next: NetBeans$Link ×2\n  .next: java.lang.Object"
            );
            assert!(two.contains(&chain), "{field}: {two}");
        }
        assert_said(&jvm, &format!("{before}== {behind}"), SAID);
    }
}
