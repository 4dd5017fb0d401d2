//! The forecast cost of a capture, and the obstacles to it. Pauses nothing; refuses only methods that would harm the
//! program.

use super::Session;
use super::forked::LONGEST_WAIT;
use super::snapshots::Snapshots;
use crate::capture::left_out;
use crate::jvmti::jni::Jni;
use crate::os::fork;
use crate::platform::collector;
use crate::platform::hotspot::HotSpot;
use crate::platform::{huge, process};
use crate::room::files::{Files, of_system, own};
use crate::room::need::Heap;
use crate::room::system::System;
use crate::room::{direct_io, headroom, processes};
use rootbound_wire::message::{MethodSurvey, Survey};
use std::fs;
use std::ops::Range;

/// Surveys all methods.
pub fn survey(snapshots: &Snapshots, session: &Session, jni: &Jni) -> Survey {
    let files = &of_system;
    let (used_bytes, committed_bytes, max_bytes) = jni.heap_bytes().unwrap_or_default();
    let resident_bytes = own(files, "VmRSS:");
    let free_bytes = snapshots.leaves_out().then(|| left_out::check(jni, huge::are_possible()).ok()).flatten();
    let free_bytes = free_bytes.map(|checked| checked.free_bytes);
    let heap = Heap {
        used: used_bytes,
        used_behind: session.collections.used_behind(LONGEST_WAIT).map_or(used_bytes, |used| used.min(used_bytes)),
        max: max_bytes,
        resident: own(files, "RssAnon:").map_or(committed_bytes, |anonymous| anonymous.min(committed_bytes)),
        widest_array: snapshots.learned.widest_array,
        leaves_out: free_bytes.is_some(),
    };
    let system = System::find(files);
    let address_obstacle = address_obstacle(&session.env.system_property("java.vm.name").unwrap_or_default());
    let fork_obstacle = address_obstacle
        .clone()
        .or_else(fork::obstacle)
        .or_else(|| collector_obstacle(collector::gc()))
        .or_else(|| system.obstacle("a forked child", heap.fork()))
        .or_else(|| promise_obstacle(files, free_bytes.unwrap_or_default()))
        .or_else(|| processes::obstacle(files, tasks_of_user))
        .or_else(|| direct_io_obstacle(files))
        .or_else(|| sharing_obstacle(files, &HotSpot::of_this_jvm().heap));
    let in_program = |name: &str, need: u64, obstacle: Option<String>| {
        let obstacle = obstacle.or_else(|| snapshots.learned.canary.clone()).or_else(|| system.obstacle(name, need));
        MethodSurvey { need_bytes: need, obstacle }
    };
    Survey {
        at_ms: session.at_ms(),
        used_bytes,
        committed_bytes,
        max_bytes,
        resident_bytes,
        page_table_bytes: own(files, "VmPTE:"),
        forked_bytes: free_bytes
            .zip(resident_bytes)
            .map(|(free, resident)| resident.saturating_sub(free).max(used_bytes.min(resident))),
        headroom_bytes: system.left_bytes(),
        fork: MethodSurvey { need_bytes: heap.fork(), obstacle: fork_obstacle },
        in_process: in_program("a walk in the program", heap.in_process(), address_obstacle),
        tags: in_program("a walk that tags every object", heap.tags(), None),
        iteration: in_program("an iteration over the heap", heap.iteration(), None),
    }
}

/// Addresses of objects are known only in a HotSpot of 64 bits.
pub fn address_obstacle(vm: &str) -> Option<String> {
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

fn promise_obstacle(files: &impl Files, spared: u64) -> Option<String> {
    let lacking = headroom::lacking_promise(files, spared)?;
    Some(format!("the kernel overcommits no memory (vm.overcommit_memory=2), and a child lacks {} MB", lacking >> 20))
}

fn direct_io_obstacle(files: &impl Files) -> Option<String> {
    let release = files.text("/proc/sys/kernel/osrelease").unwrap_or_default();
    let open = fs::read_dir("/proc/self/fdinfo").into_iter().flatten().flatten();
    direct_io::obstacle(&release, open.filter_map(|entry| direct_io::flags(&fs::read_to_string(entry.path()).ok()?)))
}

/// Threads of all processes of a user; a process that ends meanwhile does not count.
fn tasks_of_user(user: u32) -> u64 {
    let tasks = |entry: fs::DirEntry| processes::tasks(&fs::read_to_string(entry.path().join("status")).ok()?, user);
    fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(tasks).sum()
}

/// The proof that all of the heap is copied on write: with some options it lies, or a generation of it, in a file or
/// in System V shared memory.
fn sharing_obstacle(files: &impl Files, heap: &Range<u64>) -> Option<String> {
    let mapped = files.text("/proc/self/maps").filter(|_| !heap.is_empty()).map(|maps| process::mapped(&maps, heap));
    match mapped {
        Some(mapped) if mapped.is_heap_shared => {
            Some("the heap is shared memory, of which a fork makes no copy".to_owned())
        }
        Some(mapped) if !mapped.within.is_empty() => None,
        _ => Some("it cannot be proved that a fork would copy the heap".to_owned()),
    }
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
    fn a_heap_of_which_any_part_is_shared_is_no_ground_for_a_fork() {
        let files = |path: &str| {
            (path == "/proc/self/maps")
                .then(|| "1000-2000 rw-p 0 00:00 0 \n3000-4000 rw-s 0 fe:01 7 /mnt/old (deleted)\n".to_owned())
        };
        assert_eq!(sharing_obstacle(&files, &(0x1000..0x2000)), None);
        assert!(sharing_obstacle(&files, &(0x1000..0x4000)).is_some_and(|text| text.contains("shared")));
        assert!(sharing_obstacle(&files, &(0x5000..0x6000)).is_some());
        assert!(sharing_obstacle(&files, &(0..0)).is_some());
    }
}
