//! Costs of weak handles of heads for young collections: with as many as the agent holds, and with none, in turns.

use crate::guest::{Guest, Start, switches};
use crate::options::Options;
use crate::young::young_pauses;
use e2e::measure::table::{self, ratio};
use rootbound_wire::ids::ObjectId;
use rootbound_wire::message::{ClassRecord, MOST_HEADS, MarkPlan, MarkStep, PathField, PathVia};
use std::thread;
use std::time::Duration;

const OBJECTS: u64 = 5_000_000;
const SECONDS: u64 = 6;
const ROUNDS: usize = 4;
/// Static array of the program with as many lists, its descriptor, and its class.
const HEADS: (&str, &str, &str) = ("HEADS", "[Ljava/lang/Object;", "java.lang.Object[]");

/// `captures -- handles`.
pub fn run(options: &Options) {
    let objects = options.objects.unwrap_or(OBJECTS);
    println!("{objects} objects, a young generation of 64 MB, garbage of 300 MB a second\n");
    table::head(&["JDK", "GC", "handles", "young collections", "median", "mean", "median against none", "mean"]);
    for jvm in options.jvms() {
        for collector in options.collectors(&jvm, &["G1"]) {
            let arguments = vec![objects.to_string(), "300".to_owned(), "0".to_owned()];
            let mut switches = switches(collector.switches, 1000 + objects / 1000);
            switches.push("-Xmn64m".to_owned());
            let mut guest = Start { jvm: &jvm, switches, program: "Heap", arguments, agent_options: "" }.ready();
            let name = format!("{} | {}", jvm.version, collector.name);
            let length = Duration::from_secs(options.seconds.unwrap_or(SECONDS));
            in_turns(&mut guest, &name, length, options.captures.unwrap_or(ROUNDS));
        }
    }
}

/// Each phase begins with a capture and an order, and ends without tags.
fn in_turns(guest: &mut Guest, name: &str, length: Duration, rounds: usize) {
    // The heap has just been built; its collections are not those of a program that runs.
    thread::sleep(Duration::from_secs(3));
    let (mut with, mut none, mut held) = (Vec::new(), Vec::new(), 0);
    for _ in 0..rounds {
        held = guest.hold_heads(plan).held;
        with.extend(young_pauses(guest, length));
        assert_eq!(guest.hold_heads(|_| MarkPlan::default()).held, 0, "all are let go");
        none.extend(young_pauses(guest, length));
    }
    let base = [table::median(none.clone()), mean(&none)];
    for (handles, pauses) in [(0, &none), (held, &with)] {
        let figures = [table::median(pauses.clone()), mean(pauses)];
        table::row(&[
            name.to_owned(),
            handles.to_string(),
            pauses.len().to_string(),
            format!("{:.3} ms", figures[0]),
            format!("{:.3} ms", figures[1]),
            ratio(figures[0], base[0]),
            ratio(figures[1], base[1]),
        ]);
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The plan to all lists of the static array.
fn plan(classes: &[ClassRecord]) -> MarkPlan {
    let class = |name: &str| classes.iter().find(|class| class.name == name).map_or(ObjectId(0), |class| class.object);
    let (name, descriptor, array) = HEADS;
    let step = |parent, via, class, mark| MarkStep { parent, via, class, mark };
    let mut steps = vec![step(0, PathVia::Class(0), 1, 0), step(0, PathVia::Field { field: 0, times: 1 }, 2, 0)];
    steps.extend((0..MOST_HEADS as u32).map(|at| step(1, PathVia::Element(at), 3, at + 1)));
    MarkPlan {
        classes: ["Heap", "java.lang.Class", array, "java.util.ArrayList"].map(class).to_vec(),
        fields: vec![PathField {
            declaring: 0,
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
            is_static: true,
        }],
        steps,
    }
}
