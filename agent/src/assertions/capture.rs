//! One capture of the whole heap by the calling thread to a recording, in the program. The program is paused for the
//! walk. A recording that is not whole is removed.

use crate::capture::assigned_ids::AssignedIds;
use crate::capture::drained::{Setting, walk_here, with_drain};
use crate::capture::names;
use crate::capture::roll::HeldObjects;
use crate::capture::roots::Held;
use crate::capture::watchdog::Fault;
use crate::faults::{Corruption, Panic};
use crate::identity::ages::Ages;
use crate::identity::tag::Tag;
use crate::jvmti::env::{Env, JvmtiError};
use crate::jvmti::jni::{Jni, Local};
use crate::jvmti::natives::NativeError;
use crate::jvmti::sentinels::Sentinels;
use crate::link::outbox::{Outbox, queue};
use crate::link::writer;
use crate::room::files::{Files, of_system, own};
use crate::room::need::Heap;
use crate::room::system::System;
use crate::session::survey::address_obstacle;
use crate::session::vm::hello;
use crate::stop::StopBound;
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{CaptureDone, CaptureMethod, FromAgent};
use rootbound_wire::private_file;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use std::{fs, io, thread};

/// The snapshot of the marks, and that of the capture.
const MARKS: SnapshotId = SnapshotId(1);
const CAPTURE: SnapshotId = SnapshotId(2);
/// Longest pause of the program, in milliseconds: a capture of 600 million references takes that long.
const LONGEST_PAUSE_MS: u32 = 30_000;
/// The package of the Java library, as signatures of its classes begin.
const LIBRARY: &str = "Lrootbound/junit/";

/// The reason why there is no recording.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// The file cannot be written.
    #[error("the recording {file} cannot be written: {error}")]
    File {
        /// The file.
        file: String,
        /// The reason.
        error: io::Error,
    },
    /// The JVM refuses.
    #[error("the heap cannot be captured: {0}")]
    Jvmti(#[from] JvmtiError),
    /// No thread can be started.
    #[error("the heap cannot be captured: no thread can be started ({0})")]
    Thread(io::Error),
    /// The walk is worth nothing.
    #[error("the heap cannot be captured: {0}")]
    Walk(String),
}

impl From<CaptureError> for NativeError {
    fn from(error: CaptureError) -> Self {
        Self::State(error.to_string())
    }
}

/// Captures. The objects bear the planned marks 1, 2, 3 … in the recording; no reference of this thread to them counts.
///
/// # Errors
/// [`CaptureError`]; then there is no recording.
pub fn capture(jni: &Jni, file: &Path, marked: &[Local<'_>]) -> Result<(), CaptureError> {
    let captured = record(jni, file, marked);
    if captured.is_err() && fs::symlink_metadata(file).is_ok_and(|there| there.is_file()) {
        // A file that cannot be removed is of no use to anybody, but does no harm either.
        drop(fs::remove_file(file));
    }
    captured
}

fn record(jni: &Jni, file: &Path, marked: &[Local<'_>]) -> Result<(), CaptureError> {
    let env = Env::tagging(jni.vm())?;
    if let Some(obstacle) = obstacle(&env, jni, &of_system) {
        return Err(CaptureError::Walk(obstacle));
    }
    for (number, object) in (1..).zip(marked) {
        env.set_tag(object, Tag::planned(MARKS, number).encode(0))?;
    }
    let of_file = |error| CaptureError::File { file: file.display().to_string(), error };
    let mut sink = private_file::create(file).map_err(of_file)?;
    let (outbox, receiver, counts) = queue();
    let pool = outbox.pool.clone();
    thread::scope(|scope| {
        let writer = thread::Builder::new()
            .name("rootbound-write".to_owned())
            .spawn_scoped(scope, move || writer::drain(&receiver, &mut sink, &pool, &counts, &AtomicBool::new(false)))
            .map_err(CaptureError::Thread)?;
        let captured = send(&env, jni, &outbox);
        // The writer ends when nobody can send any more.
        drop(outbox);
        let panicked = || io::Error::other("the writer panicked");
        writer.join().map_err(|_| panicked()).flatten().map_err(of_file)?;
        captured.map_err(|fault| CaptureError::Walk(fault.text))
    })
}

/// The reason why a walk must not be begun: the JVM, or too little memory.
fn obstacle(env: &Env, jni: &Jni, files: &impl Files) -> Option<String> {
    let vm = env.system_property("java.vm.name").unwrap_or_default();
    let (used, committed, max) = jni.heap_bytes().unwrap_or_default();
    let resident = own(files, "RssAnon:").unwrap_or(committed);
    let heap = Heap { used, used_behind: used, max, resident, ..Heap::default() };
    address_obstacle(&vm).or_else(|| System::find(files).obstacle("a walk in the program", heap.in_process()))
}

/// Sends all messages of a recording with one capture.
fn send(env: &Env, jni: &Jni, outbox: &Outbox) -> Result<(), Fault> {
    let begun = Instant::now();
    let gone = || Fault::from("the recording could not be written");
    let method = CaptureMethod::InProcess;
    for message in
        [FromAgent::Hello(hello(env, 0, None)), FromAgent::CaptureStarted { snapshot: CAPTURE, at_ms: 0, method }]
    {
        outbox.send(message).then_some(()).ok_or_else(gone)?;
    }
    let mut done = CaptureDone { snapshot: CAPTURE, ..CaptureDone::default() };
    walk(env, jni, outbox, &mut done)?;
    outbox.pool.drain();
    done.at_ms = begun.elapsed().as_millis() as u64;
    outbox.send(FromAgent::CaptureDone(done)).then_some(()).ok_or_else(gone)
}

fn walk(env: &Env, jni: &Jni, outbox: &Outbox, done: &mut CaptureDone) -> Result<(), Fault> {
    let refused = |error: JvmtiError| Fault::from(error.to_string());
    let own_frames = own_frames(env, jni);
    let held_objects =
        HeldObjects::acquire(env, jni, CAPTURE, &Ages::default(), &mut AssignedIds::default()).map_err(refused)?;
    let planted = Sentinels::plant(jni).ok_or("the program has no memory left")?;
    let held = Held { held_objects: &held_objects, planted: &planted, own_frames };
    let setting = Setting { in_process: true, overflows: false };
    let walked = with_drain(outbox, setting, done, |ends, _is_broken, done| {
        let hooks = (StopBound::from_now(LONGEST_PAUSE_MS), Corruption::default(), Panic::default());
        walk_here(env, held, ends, hooks, |error| error.to_string().into(), done)
    })?;
    AssignedIds::assign(env, CAPTURE, &held_objects);
    let sent = names::send(env, jni, CAPTURE, &walked.methods, outbox);
    sent.then_some(()).ok_or_else(|| "the recording stopped, or the JVM would not list its classes".into())
}

/// The frames at the top of this thread's stack that are calls within the Java library: no test is in them.
fn own_frames(env: &Env, jni: &Jni) -> u32 {
    let of_library = |method: &u64| {
        let class = env.method_name(jni, *method).map(|(class, _)| class);
        class.as_deref().and_then(|class| class.strip_prefix(LIBRARY)).is_some_and(|rest| !rest.contains('/'))
    };
    env.own_methods().unwrap_or_default().iter().take_while(|&method| of_library(method)).count() as u32
}
