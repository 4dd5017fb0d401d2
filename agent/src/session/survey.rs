//! What a capture would cost and what stands in its way. Stops nothing, decides nothing but what would harm the program.

use super::{Session, vm};
use crate::capture::memory::{self, Files};
use crate::capture::processes;
use crate::jvmti::jni::Jni;
use crate::jvmti::maps;
use crate::jvmti::sentinels::Sentinels;
use rootbound_wire::graph::Address;
use rootbound_wire::message::Survey;
use std::fs;

/// What the agent itself holds during a capture, and a little for the program.
const MARGIN_BYTES: u64 = 128 << 20;
/// Local references of the planted objects.
const ROOM: usize = 40;

/// Looks around.
pub fn survey(session: &Session, jni: &Jni) -> Survey {
    let files = |path: &str| fs::read_to_string(path).ok();
    let (used_bytes, committed_bytes, max_bytes) = jni.heap_bytes().unwrap_or_default();
    let headroom_bytes = memory::headroom(&files);
    let address_obstacle = address_obstacle(&session.env.system_property("java.vm.name").unwrap_or_default());
    let fork_obstacle = address_obstacle
        .clone()
        .or_else(|| collector_obstacle(vm::gc()))
        .or_else(|| room_obstacle(headroom_bytes, used_bytes))
        .or_else(|| promise_obstacle(&files))
        .or_else(|| processes::obstacle(&files, tasks_of_user))
        .or_else(|| sharing_obstacle(&files, somewhere(jni)));
    Survey {
        at_ms: session.at_ms(),
        used_bytes,
        committed_bytes,
        max_bytes,
        resident_bytes: memory::own(&files, "VmRSS:"),
        page_table_bytes: memory::own(&files, "VmPTE:"),
        headroom_bytes,
        fork_obstacle,
        address_obstacle,
    }
}

/// Only in a HotSpot of 64 bits is it known where addresses are.
fn address_obstacle(vm: &str) -> Option<String> {
    let is_hotspot = ["HotSpot", "Server VM", "Client VM"].iter().any(|word| vm.contains(word));
    (!is_hotspot || !vm.contains("64-Bit"))
        .then(|| format!("it is not known where this JVM ({vm}) keeps addresses; it is of HotSpot with 64 bits only"))
}

fn collector_obstacle(gc: &str) -> Option<String> {
    match gc {
        "ZGC" => Some("the heap of ZGC is shared memory, of which a fork makes no copy".to_owned()),
        "unknown" => Some("the collector is not known".to_owned()),
        _ => None,
    }
}

fn room_obstacle(headroom: Option<u64>, used: u64) -> Option<String> {
    let Some(headroom) = headroom else { return Some("it is not known how much memory is left".to_owned()) };
    let needed = used + MARGIN_BYTES;
    (headroom < needed).then(|| {
        format!("a child may need {} MB of copies of the heap, and only {} MB are left", needed >> 20, headroom >> 20)
    })
}

fn promise_obstacle(files: &impl Files) -> Option<String> {
    let lacking = memory::lacking_promise(files)?;
    Some(format!("the kernel overcommits no memory (vm.overcommit_memory=2), and a child lacks {} MB", lacking >> 20))
}

/// Threads of all processes of a user; a process that ends meanwhile does not count.
fn tasks_of_user(user: u32) -> u64 {
    let tasks = |entry: fs::DirEntry| processes::tasks(&fs::read_to_string(entry.path().join("status")).ok()?, user);
    fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(tasks).sum()
}

/// The proof that the heap itself is copied on write: with some options it lies in a file or in System V shared memory.
fn sharing_obstacle(files: &impl Files, somewhere: Option<Address>) -> Option<String> {
    let held = somewhere.zip(files.text("/proc/self/maps")).and_then(|(address, maps)| maps::holding(&maps, address.0));
    match held {
        Some(mapping) if mapping.is_shared => {
            Some("the heap is shared memory, of which a fork makes no copy".to_owned())
        }
        Some(_) => None,
        None => Some("it cannot be proved that a fork would copy the heap".to_owned()),
    }
}

/// An address in the heap.
fn somewhere(jni: &Jni) -> Option<Address> {
    jni.frame(ROOM, || Sentinels::plant(jni).map(|planted| planted.somewhere())).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hotspot_of_64_bits_shows_addresses() {
        for (vm, is_known) in [
            ("OpenJDK 64-Bit Server VM", true),
            ("Java HotSpot(TM) 64-Bit Server VM", true),
            ("Eclipse OpenJ9 VM", false),
            ("OpenJDK Server VM", false),
            ("", false),
        ] {
            assert_eq!(address_obstacle(vm).is_none(), is_known, "{vm}");
        }
    }

    #[test]
    fn a_child_needs_room_for_the_live_heap() {
        assert_eq!(room_obstacle(Some(1 << 30), 500 << 20), None);
        assert!(room_obstacle(Some(1 << 30), 1 << 30).is_some_and(|text| text.contains("1152 MB")));
        assert!(room_obstacle(None, 0).is_some());
    }

    #[test]
    fn a_heap_in_shared_memory_is_no_ground_for_a_fork() {
        let files = |path: &str| {
            (path == "/proc/self/maps")
                .then(|| "1000-2000 rw-p 0 00:00 0 \n3000-4000 rw-s 0 fe:01 7 /mnt/heap (deleted)\n".to_owned())
        };
        assert_eq!(sharing_obstacle(&files, Some(Address(0x1008))), None);
        assert!(sharing_obstacle(&files, Some(Address(0x3008))).is_some_and(|text| text.contains("shared")));
        assert!(sharing_obstacle(&files, Some(Address(0x5008))).is_some());
        assert!(sharing_obstacle(&files, None).is_some());
    }
}
