//! Disturbances around the captures of one cell.

use e2e::faults::neighbours;
use e2e::faults::subject::Subject;
use e2e::faults::trial::Trial;
use e2e::jvms::Jvm;
use e2e::process::Scratch;

/// A scene.
#[derive(Debug)]
pub struct Scene {
    pub name: &'static str,
    /// Disturbance that is repeated.
    pub disturbance: Disturbance,
    /// The program on trial; `None` where the machine or the JVM lacks a requirement of the scene.
    pub arrange: fn(&Jvm) -> Option<Trial>,
}

/// Disturbance that is repeated while captures are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbance {
    /// Nothing.
    None,
    /// The program is stopped for a while during its child's run.
    ProgramStopped,
    /// The analyzer is stopped for a while.
    AnalyzerStopped,
    /// The analyzer is killed in a capture, and another one comes.
    AnalyzerKilled,
    /// The child is killed, and another analyzer comes.
    ChildKilled,
    /// The remaining address space changes between ample and next to none.
    AddressSpace,
}

/// Every scene.
pub const SCENES: [Scene; 14] = [
    Scene { name: "plain", disturbance: Disturbance::None, arrange: |_| Some(Trial::of(busy())) },
    Scene { name: "threads", disturbance: Disturbance::None, arrange: |_| Some(Trial::of(busy().with_threads(1_000))) },
    Scene { name: "virtual", disturbance: Disturbance::None, arrange: virtual_threads },
    Scene { name: "files", disturbance: Disturbance::None, arrange: files },
    Scene { name: "processes", disturbance: Disturbance::None, arrange: |_| Some(Trial::of(busy().with_spawners(2))) },
    Scene { name: "profiler", disturbance: Disturbance::None, arrange: |_| beside(neighbours::profiler()?) },
    Scene { name: "retransformer", disturbance: Disturbance::None, arrange: |_| beside(neighbours::retransformer()?) },
    Scene { name: "recorder", disturbance: Disturbance::None, arrange: recorder },
    Scene { name: "stopped-program", disturbance: Disturbance::ProgramStopped, arrange: |_| Some(Trial::of(slow())) },
    Scene { name: "stopped-analyzer", disturbance: Disturbance::AnalyzerStopped, arrange: |_| Some(Trial::of(slow())) },
    Scene { name: "killed-analyzer", disturbance: Disturbance::AnalyzerKilled, arrange: |_| Some(Trial::of(slow())) },
    Scene { name: "killed-child", disturbance: Disturbance::ChildKilled, arrange: |_| Some(Trial::of(slow())) },
    Scene { name: "address-space", disturbance: Disturbance::AddressSpace, arrange: wide },
    Scene { name: "full-disk", disturbance: Disturbance::None, arrange: |_| Some(full_disk()) },
];

fn busy() -> Subject {
    Subject::new().keeping(0.02).with_workers(1, 20)
}

/// A program with a heap for which a child needs some time.
fn slow() -> Subject {
    Subject::new().keeping(1.0).with_workers(1, 50)
}

fn virtual_threads(jvm: &Jvm) -> Option<Trial> {
    (jvm.version >= 21).then(|| Trial::of(busy().with_virtual_threads(20_000)))
}

fn files(_: &Jvm) -> Option<Trial> {
    let scratch = Scratch::new();
    let home = scratch.file("home");
    Some(Trial::within(scratch, busy().with_mapped_files(50, &home)))
}

fn beside(switch: String) -> Option<Trial> {
    Some(Trial::of(busy()).with(&[switch]))
}

fn recorder(_: &Jvm) -> Option<Trial> {
    let trial = Trial::of(busy());
    let flight = trial.file("flight.jfr");
    Some(trial.with(&[format!("-XX:StartFlightRecording=filename={},settings=profile", flight.display())]))
}

fn wide(_: &Jvm) -> Option<Trial> {
    Some(Trial::of(busy().with_wide_array(2_000_000)).with(&["-XX:TieredStopAtLevel=1"]))
}

/// A program whose analyzers each lose their recording, while the watching goes on.
fn full_disk() -> Trial {
    Trial::of(busy()).with_analyzer(&["--record", "/dev/full"])
}
