//! The agent in a real JVM, under `-Xcheck:jni`, against a listener that plays the analyzer's part.
#![allow(clippy::expect_used)]

use rootbound_wire::frame::{self, FrameReader};
use rootbound_wire::ids::{ObjectId, ProbeId, SnapshotId};
use rootbound_wire::message::*;
use std::collections::{HashMap, HashSet};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const EXIT_OF_THE_PROGRAM: i32 = 7;

fn java_home() -> Option<PathBuf> {
    let homes = [std::env::var_os("JAVA_HOME").map(PathBuf::from), Some("/usr/lib/jvm/java-17-openjdk-amd64".into())];
    let found = homes.into_iter().flatten().find(|home| home.join("bin/javac").exists());
    if found.is_none() {
        println!("skipped: no JDK (set JAVA_HOME)");
    }
    found
}

fn library() -> PathBuf {
    let test = std::env::current_exe().expect("own path");
    test.ancestors()
        .map(|folder| folder.join("librootbound_agent.so"))
        .find(|file| file.exists())
        .expect("cdylib built")
}

fn start(home: &Path, folder: &Path, options: &str, seconds: &str) -> Child {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Growing.java");
    let compiled = Command::new(home.join("bin/javac")).arg("-d").arg(folder).arg(source).status();
    assert!(compiled.expect("javac starts").success());
    Command::new(home.join("bin/java"))
        .args(["-Xcheck:jni", "-Xmx64m"])
        .arg(format!("-agentpath:{}={options}", library().display()))
        .arg("-cp")
        .arg(folder)
        .args(["Growing", seconds])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("java starts")
}

/// The program's end is its own, and the JVM found no fault with the agent.
fn ends_well(program: Child) {
    let output = program.wait_with_output().expect("java ends");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(EXIT_OF_THE_PROGRAM), "{said}");
    assert!(!said.contains("WARNING") && !said.contains("FATAL"), "{said}");
}

struct Analyzer {
    frames: FrameReader<UnixStream>,
    stream: UnixStream,
}

impl Analyzer {
    fn accept(listener: &UnixListener) -> Self {
        let (stream, _) = listener.accept().expect("the agent connects");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("timeout");
        let mut analyzer = Self { frames: FrameReader::new(stream.try_clone().expect("clone")), stream };
        assert!(matches!(analyzer.next(), FromAgent::Hello(hello) if hello.main == "Growing" && hello.gc != "unknown"));
        analyzer.say(&ToAgent::Welcome);
        analyzer
    }

    fn say(&mut self, command: &ToAgent) {
        frame::write(command, &mut self.stream).expect("the agent listens");
    }

    fn next(&mut self) -> FromAgent {
        self.frames.next_frame().expect("frames").expect("not the end").message().expect("sound").expect("for us")
    }

    fn until<T>(&mut self, wanted: impl Fn(FromAgent) -> Option<T>) -> T {
        loop {
            if let Some(found) = wanted(self.next()) {
                return found;
            }
        }
    }
}

#[derive(Default)]
struct Graph {
    objects: HashMap<ObjectId, ObjectRecord>,
    references: Vec<ReferenceRecord>,
    classes: Vec<ClassRecord>,
}

impl Graph {
    fn receive(analyzer: &mut Analyzer) -> Self {
        let mut graph = Self::default();
        loop {
            match analyzer.next() {
                FromAgent::Objects(objects) => {
                    graph.objects.extend(objects.into_iter().map(|object| (object.id, object)));
                }
                FromAgent::References(references) => graph.references.extend(references),
                FromAgent::Classes(classes) => graph.classes.extend(classes),
                FromAgent::CaptureDone(done) => {
                    assert_eq!(done.failure, None);
                    return graph;
                }
                _ => {}
            }
        }
    }

    fn class(&self, name: &str) -> ObjectId {
        self.classes.iter().find(|class| class.name == name).map(|class| class.object).expect(name)
    }
}

fn field(graph: &Graph, class: &str, name: &str, descriptor: &str) -> RouteVia {
    RouteVia::Field { declaring: graph.class(class), name: name.to_owned(), descriptor: descriptor.to_owned() }
}

/// From the class `Growing` by a static field to a collection, and on by `steps`.
fn probe(
    graph: &Graph,
    id: u32,
    name: &str,
    collection: &str,
    steps: Vec<RouteStep>,
    rest: Vec<RoutePlace>,
) -> ProbeSpec {
    let owner = graph.class("Growing");
    let descriptor = format!("L{};", collection.replace('.', "/"));
    let via = RouteVia::StaticField { name: name.to_owned(), descriptor };
    let mut places = vec![
        RoutePlace { class: owner, counts: false, steps: vec![RouteStep { via, to: vec![1] }] },
        RoutePlace { class: graph.class(collection), counts: false, steps },
    ];
    places.extend(rest);
    ProbeSpec { probe: ProbeId(id), owner, places, budget: 65_536, bias: 1.0 }
}

fn probes(graph: &Graph) -> Vec<ProbeSpec> {
    let step = |via, to| RouteStep { via, to: vec![to] };
    let place = |class: &str, counts, steps| RoutePlace { class: graph.class(class), counts, steps };
    let node = "Ljava/util/HashMap$Node;";
    let link = "Ljava/util/LinkedList$Node;";
    vec![
        probe(
            graph,
            1,
            "map",
            "java.util.HashMap",
            vec![step(field(graph, "java.util.HashMap", "table", &format!("[{node}")), 2)],
            vec![
                place("java.util.HashMap$Node[]", false, vec![step(RouteVia::ArrayElement, 3)]),
                place(
                    "java.util.HashMap$Node",
                    true,
                    vec![step(field(graph, "java.util.HashMap$Node", "next", node), 3)],
                ),
            ],
        ),
        probe(
            graph,
            2,
            "list",
            "java.util.ArrayList",
            vec![step(field(graph, "java.util.ArrayList", "elementData", "[Ljava/lang/Object;"), 2)],
            vec![
                place("java.lang.Object[]", false, vec![step(RouteVia::ArrayElement, 3)]),
                place("Growing$Member", true, vec![]),
            ],
        ),
        probe(
            graph,
            3,
            "chain",
            "java.util.LinkedList",
            vec![step(field(graph, "java.util.LinkedList", "first", link), 2)],
            vec![place(
                "java.util.LinkedList$Node",
                true,
                vec![step(field(graph, "java.util.LinkedList$Node", "next", link), 2)],
            )],
        ),
    ]
}

#[test]
fn a_capture_is_closed_and_probes_see_growth() {
    let Some(home) = java_home() else { return };
    let folder = tempfile::tempdir().expect("folder");
    let socket = folder.path().join("s");
    let listener = UnixListener::bind(&socket).expect("listens");
    let program = start(&home, folder.path(), &format!("connect=unix:{}", socket.display()), "8");
    let mut analyzer = Analyzer::accept(&listener);
    std::thread::sleep(Duration::from_millis(500));
    analyzer.say(&ToAgent::Mark { snapshot: SnapshotId(1) });
    let marked = analyzer.until(|message| match message {
        FromAgent::MarkDone(done) => Some(done.marked),
        _ => None,
    });
    assert!(marked > 1000);
    std::thread::sleep(Duration::from_millis(500));
    analyzer.say(&ToAgent::Capture { snapshot: SnapshotId(2) });
    let graph = Graph::receive(&mut analyzer);

    let known: HashSet<ObjectId> = graph.objects.keys().copied().collect();
    assert!(graph.references.iter().all(|edge| known.contains(&edge.referrer) && known.contains(&edge.referee)));
    let old = graph.objects.values().filter(|object| object.first_seen == SnapshotId(1)).count();
    assert!(old * 10 > known.len() * 9 && old < known.len(), "{old} of {} are old", known.len());

    analyzer.say(&ToAgent::InstallProbes { snapshot: SnapshotId(2), tick_ms: 50, probes: probes(&graph) });
    let results = analyzer.until(|message| match message {
        FromAgent::ProbesInstalled { results, .. } => Some(results),
        _ => None,
    });
    assert!(results.iter().all(|result| result.failure.is_none()), "{results:?}");
    let mut sizes: HashMap<ProbeId, Vec<(u64, f64)>> = HashMap::new();
    while sizes.len() < 3 || sizes.values().any(|seen| seen.len() < 12) {
        let report = analyzer.until(|message| match message {
            FromAgent::ProbeReport(report) => Some(report),
            _ => None,
        });
        let VisitOutcome::Seen(seen) = report.outcome else { panic!("{report:?}") };
        sizes.entry(report.probe).or_default().push((report.at_ms, seen.size));
    }
    for (probe, seen) in &sizes {
        let ((t0, n0), (t1, n1)) = (seen[0], seen[seen.len() - 1]);
        let per_second = (n1 - n0) / (t1 - t0) as f64 * 1e3;
        assert!((30.0..130.0).contains(&per_second), "{probe:?} grows by {per_second} a second: {seen:?}");
    }
    // The analyzer vanishes; the program must not notice.
    drop(analyzer);
    drop(listener);
    ends_well(program);
}

#[test]
fn planted_panics_and_wrong_options_leave_the_program_alone() {
    let Some(home) = java_home() else { return };
    let folder = tempfile::tempdir().expect("folder");
    let record = format!("record={},mark-after=200ms,capture-after=200ms", folder.path().join("r").display());
    for place in ["vm-init", "mark", "capture", "gc"] {
        ends_well(start(&home, folder.path(), &format!("{record},test-panic={place}"), "1.5"));
    }
    ends_well(start(&home, folder.path(), "colour=red", "0.2"));
}
