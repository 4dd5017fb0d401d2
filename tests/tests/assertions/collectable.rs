//! assertGC, assertNotCollectable, memoryTest and paths.

use super::{assert_said, jvms, run, said};
use e2e::jvms::Jvm;
use e2e::places;
use e2e::process::Scratch;
use std::process::Command;

/// Each case of `tests/java/assertions/Collectable.java` and its text. Slots of arrays are `[…]` here: hash codes of
/// thread locals differ between releases.
const SAID: &[(&str, &str)] = &[
    ("local gone", "passes"),
    ("key of a WeakHashMap", "passes"),
    ("thread local removed", "passes"),
    ("cleared before", "passes"),
    ("not collectable", "passes"),
    ("not collectable, but is", "gone: it was collected"),
    ("phantom", "java.lang.IllegalArgumentException: a PhantomReference never returns its object: use a WeakReference"),
    (
        "static map",
        "Session leaks:\n  class of the program\n  class Collectable\n  .SESSIONS: java.util.HashMap\n  \
         [*]: Collectable$Session",
    ),
    (
        "listener in a list",
        "listener:\n  class of the program\n  class Collectable\n  .window: Collectable$Window\n  \
         .listeners: java.util.ArrayList\n  [*]: Collectable$Session",
    ),
    (
        "inner class",
        "outer:\n  class of the program\n  class Collectable\n  .inner: Collectable$Inner\n  .this$0: Collectable",
    ),
    (
        "thread local of a pool's thread",
        "context:\n  live thread\n  thread \"pool-thread\"\n  .threadLocals: java.lang.ThreadLocal$ThreadLocalMap\n  \
         .table: java.lang.ThreadLocal$ThreadLocalMap$Entry[]\n  […]: java.lang.ThreadLocal$ThreadLocalMap$Entry\n  \
         .value: Collectable$Session",
    ),
    ("hint", "hinted:\n  rootsHint[0] java.util.HashMap\n  [*]: Collectable$Session"),
    (
        "local variable",
        "used afterwards:\n  local variable of Collectable.usesAfterwards (Collectable.java:LINE)\n  \
         Collectable$Session",
    ),
    (
        "local variable of another thread",
        "other thread:\n  local variable of Collectable.waits (Collectable.java:LINE, thread \"waiter\")\n  \
         Collectable$Session",
    ),
    ("paths", "class of the program\nclass Collectable\n.SESSIONS: java.util.HashMap\n[*]: Collectable$Session"),
    ("paths of nothing", "[]"),
    ("soft", "passes"),
    (
        "soft that fails",
        "soft: only softly reachable\n  class of the program\n  class Collectable\n  \
         .soft: java.lang.ref.SoftReference\n  .referent: Collectable$Session",
    ),
    // The JVM clears weak references before it finalizes.
    ("finalizer that resurrects", "passes"),
    ("rounds", "java.lang.IllegalArgumentException: rootbound.gc.rounds is a number from 1 to 1000, not many"),
    ("memory test", "passes"),
    (
        "memory test that fails",
        "assertNotCollectable(Collectable$Session): it was collected\n\nassertCollectable(Collectable$Window):\n  \
         kept[0] Collectable$Session\n  .more: Collectable$Window\n\nassertCollectable(Collectable$Session):\n  \
         class of the program\n  class Collectable\n  .SESSIONS: java.util.HashMap\n  [*]: Collectable$Session",
    ),
];

const SESSIONS: &str = "class of the program\n  class Collectable\n  .SESSIONS: java.util.HashMap\n  \
                        [*]: Collectable$Session";
const ENTRIES: &str = "class of the program\n  class Collectable$Cache\n  .ENTRIES: java.util.LinkedHashMap\n  \
                       [*]: Collectable$Session";

/// A call's line in a test program, as the failure must name it.
fn line_of(code: &str) -> String {
    let source = std::fs::read_to_string(places::workspace().join("tests/java/assertions/Collectable.java")).unwrap();
    let at = source.lines().position(|line| line.contains(code)).expect("the call is there");
    format!("Collectable.java:{}", at + 1)
}

/// The text with the places replaced that are not the same everywhere, once they have been checked.
fn settled(stdout: &str) -> String {
    let slots = stdout.split('[').map(|part| match part.split_once(']') {
        Some((slot, rest))
            if !slot.is_empty()
                && slot.bytes().all(|byte| byte.is_ascii_digit())
                && rest.starts_with(": java.lang.Thread") =>
        {
            format!("…]{rest}")
        }
        _ => part.to_owned(),
    });
    let text = slots.collect::<Vec<_>>().join("[");
    let (own, other) = (line_of("assertGC(\"used afterwards\""), line_of("Thread.sleep(600_000)"));
    text.replace(&own, "Collectable.java:LINE").replace(&other, "Collectable.java:LINE")
}

/// Shenandoah clears soft references at a collection that is asked for.
fn clears_soft(more: &[&str]) -> bool {
    more.contains(&"-XX:+UseShenandoahGC")
}

fn assert_texts(jvm: &Jvm, more: &[&str]) {
    let ended = run(jvm, &Scratch::new(), more, "Collectable", &[]);
    let text = settled(&ended.stdout);
    let cases = said(&text);
    // Both are equally near; which comes first is nobody's business.
    let two = cases["two paths"].strip_prefix("two:\n  ").expect("it fails");
    let orders = [format!("{SESSIONS}\n\n  {ENTRIES}"), format!("{ENTRIES}\n\n  {SESSIONS}")];
    assert!(orders.iter().any(|order| order == two), "{two}");
    let one = cases["more holders"].strip_prefix("one of two:\n  ").expect("it fails");
    let one = one.strip_suffix("\n\n  and 1 more way").expect("the other holder is counted");
    assert!([SESSIONS, ENTRIES].contains(&one), "{one}");
    let is_soft = |name: &str| clears_soft(more) && name == "soft that fails";
    let is_other = |name: &str| !["two paths", "more holders"].contains(&name) && !is_soft(name);
    let others = cases.iter().filter(|(name, _)| is_other(name));
    let others: String = others.map(|(name, text)| format!("== {name}\n{text}\n")).collect();
    let expected: Vec<_> = SAID.iter().copied().filter(|(name, _)| !is_soft(name)).collect();
    assert_said(jvm, &others, &expected);
    let soft = "rootbound: an object that should be collected is only softly reachable\n  class of the program";
    assert_eq!(ended.stderr.matches(soft).count(), usize::from(!clears_soft(more)), "{}", ended.stderr);
}

#[test]
fn what_passes_passes_and_what_is_held_names_its_path_in_every_jvm() {
    for jvm in jvms() {
        assert_texts(&jvm, &[]);
    }
}

#[test]
fn every_collector_gives_the_same_texts() {
    let jvm = jvms().pop().expect("a JVM");
    for collector in jvm.collectors() {
        assert_texts(&jvm, collector.switches);
    }
}

#[test]
fn a_jvm_that_ignores_explicit_collections_collects_all_the_same() {
    assert_texts(&jvms()[0], &["-XX:+DisableExplicitGC"]);
}

/// A native library that forgets a global reference.
#[test]
fn a_jni_global_reference_is_named() {
    let scratch = Scratch::new();
    let library = scratch.file("libhold.so");
    let home = std::fs::canonicalize(which(&places::javac())).expect("a JDK");
    let include = home.parent().unwrap().parent().unwrap().join("include");
    if !include.is_dir() {
        println!("skipped: the JDK has no headers in {}", include.display());
        return;
    }
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg(format!("-I{}", include.display()))
        .arg(format!("-I{}", include.join("linux").display()))
        .arg(places::workspace().join("tests/java/assertions/hold.c"))
        .status()
        .expect("`scripts/setup` installs a C compiler");
    assert!(compiled.success());
    let ended = run(&jvms()[0], &scratch, &[], "Collectable", &[&library.display().to_string()]);
    assert_eq!(said(&ended.stdout)["jni global"], "native:\n  JNI global reference\n  Collectable$Session");
}

/// The path of a tool that may be named without one.
fn which(tool: &std::path::Path) -> std::path::PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    if tool.components().count() > 1 {
        return tool.to_owned();
    }
    std::env::split_paths(&path).map(|folder| folder.join(tool)).find(|file| file.is_file()).expect("it is on the PATH")
}
