//! Retained sizes against another implementation: the heap library of VisualVM (Debian package `visualvm`), object by
//! object on the dump of a real JVM. Skipped with a message where the package is not installed.
//!
//! Two things differ by intent, and the comparison adjusts for both (docs/dump-reports.md). First, VisualVM reaches
//! nothing by a `referent`, as we do, yet an object to which one refers has it as a second owner. So the dump is read
//! once in the normal way, and once more with all referents but without the objects that only these reach. For
//! VisualVM, objects that only referents reach are sometimes still second owners of their referees; then its sizes are
//! too small. Where the two differ, exactly this must be the case. Second, VisualVM does not include fields that the
//! JVM injects into a few classes, so its own sizes are added up over our dominators.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use e2e::dumps::dump_of;
use e2e::java::Program;
use e2e::places;
use e2e::process::Scratch;
use rootbound::graph::{Dominated, Ownership, Visitor};
use rootbound::heap::{DumpRules, DumpSink, DumpSource, DumpedObject, Heap, Label, ObjectIdx, Outline, of_dump};
use rootbound::ingest::dump::Dump;
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Path of the library in the package.
const LIBRARY: &str = "/usr/share/visualvm/visualvm/modules/org-graalvm-visualvm-lib-jfluid-heap.jar";

/// Results of VisualVM for an object.
#[derive(Clone, Copy)]
struct Theirs {
    shallow_bytes: u64,
    retained_bytes: u64,
    is_reachable: bool,
}

/// A dump without unreachable objects.
struct Reachable<'a> {
    dump: &'a Dump,
    heap: &'a Heap,
    ownership: &'a Ownership<'a>,
}

impl Reachable<'_> {
    fn has(&self, id: u64) -> bool {
        self.heap.of_dump_id(id).is_some_and(|object| self.ownership.is_reachable(object))
    }
}

impl DumpSource for Reachable<'_> {
    type Error = io::Error;

    fn outline(&self) -> &Outline {
        self.dump.outline()
    }

    fn byte_len(&self) -> u64 {
        self.dump.byte_len()
    }

    fn part_count(&self) -> usize {
        self.dump.part_count()
    }

    fn read_part(&self, part: usize, sink: &mut impl DumpSink) -> io::Result<()> {
        self.dump.read_part(part, &mut Sieve { source: self, sink, is_reported: false })
    }
}

/// Passes on the reachable objects.
struct Sieve<'a, S> {
    source: &'a Reachable<'a>,
    sink: &'a mut S,
    is_reported: bool,
}

impl<S: DumpSink> DumpSink for Sieve<'_, S> {
    const TAKES_REFERENCES: bool = S::TAKES_REFERENCES;

    fn object(&mut self, object: DumpedObject) {
        self.is_reported = self.source.has(object.id);
        if self.is_reported {
            self.sink.object(object);
        }
    }

    fn reference(&mut self, label: Label, referee: u64) {
        if self.is_reported && self.source.has(referee) {
            self.sink.reference(label, referee);
        }
    }
}

fn library() -> Option<PathBuf> {
    let named = std::env::var_os("ROOTBOUND_VISUALVM_HEAP_JAR").map(PathBuf::from);
    named.or_else(|| Some(PathBuf::from(LIBRARY))).filter(|file| file.is_file())
}

/// Asks VisualVM about every instance of the dump.
fn theirs(library: &Path, dump: &Path, scratch: &Scratch) -> HashMap<u64, Theirs> {
    let source = places::workspace().join("tests/java/RetainedSizes.java");
    let answers = scratch.file("retained.txt");
    let compiled =
        Command::new(places::javac()).arg("-cp").arg(library).arg("-d").arg(scratch.folder()).arg(source).output();
    let compiled = compiled.expect("javac starts");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let path = format!("{}:{}", library.display(), scratch.folder().display());
    let mut java = Command::new(places::java());
    java.arg(format!("-Djava.io.tmpdir={}", scratch.folder().display())).args(["-cp", &path, "RetainedSizes"]);
    let output = java.arg(dump).arg(&answers).output().expect("java starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read_to_string(answers).unwrap().lines().map(answer).collect()
}

fn answer(line: &str) -> (u64, Theirs) {
    let words: Vec<&str> = line.split(' ').collect();
    let number = |at: usize| words[at].parse().unwrap();
    let id = u64::from_str_radix(words[0], 16).unwrap();
    (id, Theirs { shallow_bytes: number(1), retained_bytes: number(2), is_reachable: words[3] == "true" })
}

/// Adds VisualVM's own sizes up over our dominators. Class mirrors have none there.
struct Sums<'a> {
    heap: &'a Heap,
    theirs: &'a HashMap<u64, Theirs>,
    open: Vec<u64>,
    retained: HashMap<ObjectIdx, u64>,
}

impl Visitor for Sums<'_> {
    fn enter(&mut self, object: ObjectIdx) {
        let theirs = self.heap.dump_id(object).and_then(|id| self.theirs.get(&id));
        self.open.push(theirs.map_or(0, |theirs| theirs.shallow_bytes));
    }

    fn leave(&mut self, object: ObjectIdx) {
        let sum = self.open.pop().unwrap();
        self.retained.insert(object, sum);
        if let Some(above) = self.open.last_mut() {
            *above += sum;
        }
    }
}

#[test]
fn every_object_retains_what_visualvm_says() {
    let Some(library) = library() else {
        eprintln!(
            "skipped: VisualVM's heap library is not here (Debian package visualvm, or ROOTBOUND_VISUALVM_HEAP_JAR)"
        );
        return;
    };
    let scratch = Scratch::new();
    let source = places::workspace().join("tests/java/HeldHeap.java");
    let file = dump_of(&Program::compiled("held-heap", &source, "HeldHeap"), &["10"], &scratch);
    let theirs = theirs(&library, &file, &scratch);

    let dump = Dump::open(&file).unwrap();
    let strong = of_dump(&dump, DumpRules::default()).unwrap().heap;
    let ownership = Ownership::new(&strong);
    for (&id, answer) in &theirs {
        let object = strong.of_dump_id(id).unwrap_or_else(|| panic!("0x{id:x} is not in our heap"));
        assert_eq!(ownership.is_reachable(object), answer.is_reachable, "whether a root reaches 0x{id:x}");
    }
    assert_shallow_sizes(&strong, &theirs);

    let reachable = Reachable { dump: &dump, heap: &strong, ownership: &ownership };
    let whole = of_dump(&reachable, DumpRules { keeps_all: true, ..DumpRules::default() }).unwrap().heap;
    let owners = Ownership::new(&whole);
    let mut sums = Sums { heap: &whole, theirs: &theirs, open: Vec::new(), retained: HashMap::new() };
    Dominated::new(&owners).walk(None, &mut sums);
    let excused = above_what_garbage_refers_to(&dump, &reachable, &whole, &owners);
    let (mut compared, mut excused_count) = (0, 0);
    let mut wrong = Vec::new();
    for (&id, answer) in theirs.iter().filter(|(_, answer)| answer.is_reachable) {
        let object = whole.of_dump_id(id).unwrap();
        let ours = sums.retained[&object];
        compared += 1;
        if ours > answer.retained_bytes && excused.contains(&object) {
            excused_count += 1;
        } else if ours != answer.retained_bytes {
            let class = &whole.classes().get(whole.class_of(object)).name;
            wrong.push(format!("0x{id:x} {class}: {ours} here, {} there", answer.retained_bytes));
        }
    }
    eprintln!("{compared} objects compared, {} differ, {excused_count} where garbage counts there", wrong.len());
    assert!(compared > 20_000, "{compared}");
    assert!(200 * excused_count < compared, "{excused_count} of {compared}");
    assert!(wrong.is_empty(), "{} of {compared} differ:\n{}", wrong.len(), wrong[..wrong.len().min(30)].join("\n"));
}

/// Objects that dominate a referee of an object that is reached only by referents.
fn above_what_garbage_refers_to(
    dump: &Dump,
    reachable: &Reachable<'_>,
    whole: &Heap,
    owners: &Ownership<'_>,
) -> HashSet<ObjectIdx> {
    let all = of_dump(dump, DumpRules { keeps_all: true, ..DumpRules::default() }).unwrap().heap;
    let id = |object| all.dump_id(object).unwrap();
    let garbage = all.objects().filter(|&object| !reachable.has(id(object)));
    let referred = garbage.flat_map(|object| all.references().of(object));
    let mut above = HashSet::new();
    for object in referred.filter_map(|&object| whole.of_dump_id(id(object))) {
        let mut at = Some(object);
        while let Some(object) = at.filter(|&object| above.insert(object)) {
            at = owners.immediate_dominator(object);
        }
    }
    above
}

/// Asserts that both have the same shallow sizes, except for classes into which the JVM injects fields that no dump
/// has.
fn assert_shallow_sizes(heap: &Heap, theirs: &HashMap<u64, Theirs>) {
    const INJECTED: [&str; 8] = [
        "java.lang.invoke.MemberName",
        "java.lang.invoke.ResolvedMethodName",
        "java.lang.invoke.MethodHandleNatives$CallSiteContext",
        "java.lang.StackFrameInfo",
        "java.lang.Module",
        "java.lang.Class",
        "java.lang.ClassLoader",
        "java.lang.Thread",
    ];
    for (&id, answer) in theirs {
        let object = heap.of_dump_id(id).unwrap();
        let name = |class| heap.classes().get(class).name.as_str();
        let class = heap.class_of(object);
        if !heap.classes().ancestors(class).any(|above| INJECTED.contains(&name(above))) {
            assert_eq!(heap.shallow_bytes(object), answer.shallow_bytes, "0x{id:x} {}", name(class));
        }
    }
}
