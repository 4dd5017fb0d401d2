//! From root records, stack traces and frames to the outline's roots and threads.

use super::super::names::source_name;
use super::records::Records;
use super::texts::Texts;
use super::walk::{self, RawRoot};
use crate::heap::{DumpedRoot, DumpedThread, RootKind};
use std::collections::HashMap;
use std::sync::Arc;

/// Ids of the strings that are needed to name the frames of roots.
pub(super) fn wanted_strings(records: &Records) -> impl Iterator<Item = u64> + '_ {
    let methods = records.frames.iter().map(|frame| frame.method);
    methods.chain(records.started.iter().map(|started| started.name))
}

/// The threads of roots, without a name where no record holds it.
pub(super) fn threads(records: &Records, roots: &[RawRoot], texts: &Texts) -> Vec<DumpedThread> {
    let started: HashMap<u64, u64> = records.started.iter().map(|started| (started.object, started.name)).collect();
    let name = |id: u64| started.get(&id).map_or(String::new(), |&name| texts.get(name).to_owned());
    let alive = roots.iter().filter(|root| root.tag == walk::ROOT_THREAD && root.id != 0);
    let mut threads: Vec<DumpedThread> = alive.map(|root| DumpedThread { id: root.id, name: name(root.id) }).collect();
    threads.sort_by_key(|thread| thread.id);
    threads.dedup_by_key(|thread| thread.id);
    threads
}

/// All roots; `threads` are ascending by id.
pub(super) fn roots(records: &Records, roots: &[RawRoot], texts: &Texts, threads: &[DumpedThread]) -> Vec<DumpedRoot> {
    let stacks = Stacks::new(records, roots, texts, threads);
    let mut methods = HashMap::new();
    let kept = roots.iter().filter(|root| root.tag != walk::ROOT_UNREACHABLE);
    kept.map(|root| stacks.root(root, &mut methods)).collect()
}

struct Stacks<'a> {
    texts: &'a Texts,
    /// By serial number of the thread: its index, and the serial number of its trace.
    threads: HashMap<u32, (Option<u32>, u32)>,
    /// Frames by serial number of the trace.
    traces: HashMap<u32, &'a [u64]>,
    /// Method and serial number of its class, by id.
    frames: HashMap<u64, (u64, u32)>,
    /// Names of classes by their serial numbers.
    classes: HashMap<u32, u64>,
}

impl<'a> Stacks<'a> {
    fn new(records: &'a Records, roots: &[RawRoot], texts: &'a Texts, threads: &[DumpedThread]) -> Self {
        let place = |id: u64| threads.binary_search_by_key(&id, |thread| thread.id).ok().map(|at| at as u32);
        // Among HotSpot's roots, a thread's own root names its trace; other traces name their thread.
        let mut of_threads: HashMap<u32, (Option<u32>, u32)> =
            records.traces.iter().map(|trace| (trace.thread, (None, trace.serial))).collect();
        for root in roots.iter().filter(|root| root.tag == walk::ROOT_THREAD) {
            of_threads.insert(root.thread, (place(root.id), root.number));
        }
        Self {
            texts,
            threads: of_threads,
            traces: records.traces.iter().map(|trace| (trace.serial, trace.frames.as_slice())).collect(),
            frames: records.frames.iter().map(|frame| (frame.id, (frame.method, frame.class_serial))).collect(),
            classes: records.loads.iter().map(|load| (load.serial, load.name)).collect(),
        }
    }

    fn root(&self, root: &RawRoot, methods: &mut HashMap<u64, Option<Arc<str>>>) -> DumpedRoot {
        let kind = kind(root.tag);
        if kind != RootKind::OnStack {
            return DumpedRoot { id: root.id, kind, thread: None, method: None, depth: 0 };
        }
        let (thread, trace) = self.threads.get(&root.thread).copied().unwrap_or((None, 0));
        let has_frame = matches!(root.tag, walk::ROOT_JAVA_FRAME | walk::ROOT_JNI_LOCAL);
        // The greatest number stands for a missing frame number.
        let depth = if has_frame && root.number < u32::MAX { root.number } else { 0 };
        let frame = self.traces.get(&trace).and_then(|frames| frames.get(root.number as usize)).filter(|_| has_frame);
        let method = frame.and_then(|&frame| methods.entry(frame).or_insert_with(|| self.method(frame)).clone());
        DumpedRoot { id: root.id, kind, thread, method, depth }
    }

    fn method(&self, frame: u64) -> Option<Arc<str>> {
        let &(method, class) = self.frames.get(&frame)?;
        let method = self.texts.get(method);
        let name = match self.classes.get(&class) {
            Some(&class) => format!("{}.{method}", source_name(self.texts.get(class))),
            None => method.to_owned(),
        };
        Some(Arc::from(name))
    }
}

fn kind(tag: u8) -> RootKind {
    match tag {
        walk::ROOT_JNI_GLOBAL => RootKind::JniGlobal,
        walk::ROOT_JNI_LOCAL | walk::ROOT_JAVA_FRAME | walk::ROOT_NATIVE_STACK | walk::ROOT_THREAD_BLOCK => {
            RootKind::OnStack
        }
        walk::ROOT_STICKY_CLASS => RootKind::Class,
        walk::ROOT_MONITOR | walk::ROOT_JNI_MONITOR => RootKind::Monitor,
        walk::ROOT_THREAD => RootKind::Thread,
        _ => RootKind::Other,
    }
}
