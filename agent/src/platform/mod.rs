//! The memory of the JVM's process other than its heap, by the platform's own counters. Pauses nothing, never touches
//! the management beans, and decides nothing.
//!
//! Reading order: this file, [`process`] (the kernel's texts), [`collector`] (the JVM's collector), [`own_memory`],
//! [`tables`], [`hotspot`] and [`counters`] (HotSpot's data for its tools), [`layout`] and [`free`] (the parts of the
//! heap without objects), [`marking`] (concurrent marking), [`touched`] (the part of the heap in memory), [`huge`]
//! (its huge pages).

pub mod collector;
pub mod counters;
pub mod free;
pub mod hotspot;
pub mod huge;
pub mod layout;
pub mod marking;
pub mod own_memory;
pub mod process;
pub mod tables;
pub mod touched;

use crate::jvmti::env::Env;
use crate::jvmti::jni::Jni;
use counters::Counters;
use hotspot::HotSpot;
use own_memory::OwnMemory;
use process::Mapped;
use rootbound_wire::message::Platform;
use std::fs;
use std::ops::Range;
use touched::{PageMap, Touched};

/// The common state of all samples.
#[derive(Default)]
pub struct Sampler {
    /// The address of HotSpot's counters; looked up once.
    counters: Option<Option<Counters>>,
    touched: Touched,
}

impl Sampler {
    /// Takes one sample: about a millisecond of the calling thread, more for the first.
    pub fn sample(&mut self, env: &Env, jni: &Jni, at_ms: u64) -> Platform {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let memory = OwnMemory::open();
        let known = HotSpot::of_this_jvm();
        let find = || Counters::find(memory.as_ref()?, known.counters?);
        let counters = (*self.counters.get_or_insert_with(find)).zip(memory.as_ref());
        let figure = |key| process::bytes(&status, key);
        let maps = fs::read_to_string("/proc/self/maps").ok();
        let mapped = maps.map(|maps| process::mapped(&maps, &known.heap));
        Platform {
            at_ms,
            resident_bytes: figure("VmRSS:"),
            anonymous_bytes: sum([figure("RssAnon:"), figure("RssShmem:"), figure("VmSwap:")]),
            heap_resident_bytes: match &mapped {
                Some(mapped) if mapped.is_heap_shared => figure("RssShmem:"),
                Some(mapped) => self.heap_resident(&known.heap, mapped),
                None => None,
            },
            metaspace_bytes: counters.as_ref().and_then(|(counters, memory)| counters.metaspace_bytes(*memory)),
            code_bytes: mapped.as_ref().map(|mapped| mapped.code_bytes),
            threads: counters
                .as_ref()
                .and_then(|(counters, memory)| counters.threads(*memory))
                .or_else(|| process::count(&status, "Threads:")),
            classes: counters.as_ref().and_then(|(counters, memory)| counters.classes(*memory)),
            direct_bytes: jni.direct_bytes(env),
            mapped_bytes: mapped.as_ref().map(|mapped| mapped.file_bytes),
            // The limits above the process are read by `room`, which stands above this folder.
            limit_bytes: None,
            limit_used_bytes: None,
        }
    }

    fn heap_resident(&mut self, heap: &Range<u64>, mapped: &Mapped) -> Option<u64> {
        if heap.is_empty() || mapped.within.is_empty() {
            return None;
        }
        self.touched.look(heap, &mapped.within, &PageMap::open()?)
    }
}

/// The sum of the kernel's figures; `None` without the first, which every kernel has that has any.
fn sum(parts: [Option<u64>; 3]) -> Option<u64> {
    parts[0].map(|_| parts.into_iter().flatten().sum())
}
