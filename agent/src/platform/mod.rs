//! What the JVM's process holds beside its heap, by the platform's own counters. Stops nothing, never touches the
//! management beans, and decides nothing.
//!
//! Reading order: this file, [`process`] (what the kernel says), [`own_memory`], [`hotspot`] and [`counters`] (what HotSpot
//! keeps for its tools), [`touched`] (how much of the heap is in memory).

pub mod counters;
pub mod hotspot;
pub mod own_memory;
pub mod process;
pub mod touched;

use crate::jvmti::env::Env;
use crate::jvmti::jni::Jni;
use counters::Counters;
use hotspot::{Places, Symbols};
use own_memory::OwnMemory;
use process::Mapped;
use rootbound_wire::message::Platform;
use std::fs;
use touched::{PageMap, Touched};

/// What samples have in common.
#[derive(Default)]
pub struct Sampler {
    /// Where HotSpot keeps things; looked up once.
    known: Option<Known>,
    touched: Touched,
}

#[derive(Clone, Copy, Default)]
struct Known {
    places: Places,
    counters: Option<Counters>,
}

impl Sampler {
    /// Takes one sample: about a millisecond of the calling thread, more for the first.
    pub fn sample(&mut self, env: &Env, jni: &Jni, at_ms: u64) -> Platform {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let memory = OwnMemory::open();
        let known = *self.known.get_or_insert_with(|| memory.as_ref().map(look_up).unwrap_or_default());
        let counters = known.counters.zip(memory);
        let told = |key| process::bytes(&status, key);
        let maps = fs::read_to_string("/proc/self/maps").ok();
        let mapped = maps.map(|maps| process::mapped(&maps, &known.places.heap()));
        Platform {
            at_ms,
            resident_bytes: told("VmRSS:"),
            anonymous_bytes: sum([told("RssAnon:"), told("RssShmem:"), told("VmSwap:")]),
            heap_resident_bytes: match &mapped {
                Some(mapped) if mapped.is_heap_shared => told("RssShmem:"),
                Some(mapped) => self.heap_resident(&known.places, mapped),
                None => None,
            },
            metaspace_bytes: counters.as_ref().and_then(|(counters, memory)| counters.metaspace_bytes(memory)),
            code_bytes: mapped.as_ref().map(|mapped| mapped.code_bytes),
            threads: counters
                .as_ref()
                .and_then(|(counters, memory)| counters.threads(memory))
                .or_else(|| process::count(&status, "Threads:")),
            classes: counters.as_ref().and_then(|(counters, memory)| counters.classes(memory)),
            direct_bytes: jni.direct_bytes(env),
            mapped_bytes: mapped.as_ref().map(|mapped| mapped.file_bytes),
        }
    }

    fn heap_resident(&mut self, places: &Places, mapped: &Mapped) -> Option<u64> {
        let heap = places.heap();
        if heap.is_empty() || mapped.within.is_empty() {
            return None;
        }
        self.touched.look(&heap, &mapped.within, &PageMap::open()?)
    }
}

/// The sum of what the kernel tells; `None` without the first, which every kernel tells that tells any.
fn sum(parts: [Option<u64>; 3]) -> Option<u64> {
    parts[0].map(|_| parts.into_iter().flatten().sum())
}

fn look_up(memory: &OwnMemory) -> Known {
    let places = Symbols::of_this_jvm().and_then(|symbols| Places::find(memory, &symbols)).unwrap_or_default();
    Known { places, counters: places.counters.and_then(|table| Counters::find(memory, table)) }
}
