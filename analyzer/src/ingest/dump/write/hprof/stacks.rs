//! Roots with their threads and methods, for an HPROF file. Each thread gets a stack trace with one frame for every
//! depth at which it has a root.

use super::super::ids::Ids;
use super::records::Records;
use crate::heap::{Heap, Root, RootKind, ThreadIdx};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

const FRAME: u8 = 0x04;
const TRACE: u8 = 0x05;
const START_THREAD: u8 = 0x0A;
const NO_FRAME: u32 = u32::MAX;

/// Stack traces of threads, and an artificial thread for stacks that have none.
pub(super) struct Stacks {
    /// By serial number of the thread minus one: methods by depth.
    methods: Vec<BTreeMap<u32, Arc<str>>>,
}

impl Stacks {
    pub(super) fn new(heap: &Heap) -> Self {
        let mut methods = vec![BTreeMap::new(); heap.threads().len() + 1];
        for root in heap.roots().iter().filter(|root| root.kind == RootKind::OnStack) {
            if let Some(method) = &root.method {
                methods[serial(heap, root.thread) as usize - 1].entry(root.depth).or_insert_with(|| method.clone());
            }
        }
        Self { methods }
    }

    /// Writes frames, traces and the names of threads. `serial_of_class` returns the serial number under which a class
    /// is loaded.
    pub(super) fn write<W: Write>(
        &self,
        heap: &Heap,
        ids: &Ids,
        records: &mut Records<'_, W>,
        serial_of_class: impl Fn(&str) -> Option<u32>,
    ) -> io::Result<()> {
        let mut next_frame: u64 = 1;
        for (methods, thread) in self.methods.iter().zip(1u32..) {
            let deepest = methods.keys().last().map_or(0, |depth| (depth + 1).min(100_000));
            let mut frames = Vec::new();
            for depth in 0..deepest {
                let method = methods.get(&depth).map_or("?", |method| method);
                let (class, name) = method.rsplit_once('.').unwrap_or(("", method));
                // A method of a class that is not in the heap keeps its whole name.
                let (serial, name) = serial_of_class(class).map_or((0, method), |serial| (serial, name));
                let name = records.string(name)?;
                let body = [next_frame, name, 0, 0].map(u64::to_be_bytes).concat();
                records.record(FRAME, &[&body, &serial.to_be_bytes(), &0u32.to_be_bytes()])?;
                frames.extend_from_slice(&next_frame.to_be_bytes());
                next_frame += 1;
            }
            let head = [thread, thread, deepest].map(u32::to_be_bytes).concat();
            records.record(TRACE, &[&head, &frames])?;
        }
        for (thread, serial) in heap.threads().iter().zip(1u32..) {
            let (serial, object) = (serial.to_be_bytes(), ids.get(thread.object).to_be_bytes());
            let names = [records.string(&thread.name)?, 0, 0].map(u64::to_be_bytes).concat();
            records.record(START_THREAD, &[&serial, &object, &serial, &names])?;
        }
        Ok(())
    }

    /// Writes one root.
    pub(super) fn root<W: Write>(
        &self,
        heap: &Heap,
        ids: &Ids,
        root: &Root,
        records: &mut Records<'_, W>,
    ) -> io::Result<()> {
        let id = ids.get(root.object).to_be_bytes();
        let of_object = || heap.threads().iter().position(|thread| thread.object == root.object);
        match root.kind {
            RootKind::Class => records.sub_record(&[&[0x05], &id]),
            RootKind::JniGlobal => records.sub_record(&[&[0x01], &id, &id]),
            RootKind::Monitor => records.sub_record(&[&[0x07], &id]),
            RootKind::Other => records.sub_record(&[&[0xFF], &id]),
            RootKind::Thread => {
                let serial = of_object().map_or(heap.threads().len() as u32 + 2, |at| at as u32 + 1).to_be_bytes();
                records.sub_record(&[&[0x08], &id, &serial, &serial])
            }
            RootKind::OnStack => {
                let serial = serial(heap, root.thread);
                let frame = if root.method.is_some() { root.depth } else { NO_FRAME };
                records.sub_record(&[&[0x03], &id, &serial.to_be_bytes(), &frame.to_be_bytes()])
            }
        }
    }
}

/// The serial number of a thread; roots without one share the number after all others.
fn serial(heap: &Heap, thread: Option<ThreadIdx>) -> u32 {
    thread.map_or(heap.threads().len() as u32, |thread| thread.0) + 1
}
