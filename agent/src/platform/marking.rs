//! Whether the collector marks concurrently at this moment (G1, Shenandoah). It keeps this in each thread's own data,
//! for the barriers of compiled code. The offset follows from the table for HotSpot's debugger. Reads memory, decides
//! nothing.
//!
//! While it marks, a weak reference that is taken up keeps its object alive until the cycle after this one.

use super::own_memory::Memory;
use super::tables::Tables;

/// The data of the collector begin with the first word behind the last field of the part that every thread begins with
/// (`thread.hpp`: `_gc_data` is the first field of `Thread`, which extends `ThreadShadow`). Later releases have a few
/// words before it. Each number here is the one that the release passes to its compilers
/// (`satb_mark_queue_active_offset` in the table of JVMCI, which it does not export). Other releases are unknown.
const LAST_BEFORE: (&str, &str) = ("ThreadShadow", "_exception_line");
const WORDS_BETWEEN: [(u32, u64); 4] = [(11, 0), (17, 0), (21, 1), (25, 3)];
/// G1 has a queue of overwritten references there first, and it is active while the collector marks.
/// (In `PtrQueue` until 13.)
const ACTIVE: [&str; 2] = ["SATBMarkQueue", "PtrQueue"];
/// The number of the kernel's thread distinguishes a thread from other data. (In `JavaThread` until 21.)
const OS_THREAD: [&str; 2] = ["Thread", "JavaThread"];
/// Shenandoah has a byte of bits there first: one for marking, and one for that of the old generation
/// (`ShenandoahHeap::GCState`).
const SHENANDOAH_MARKS: u8 = 1 << 1 | 1 << 5;
const G1_MARKS: u8 = 1;

/// A thread of the JVM.
#[derive(Clone, Copy, Debug)]
pub struct OwnThread {
    /// The address at which HotSpot keeps it.
    pub address: u64,
    /// Its number at the kernel.
    pub task: u32,
}

/// The JVM's release and collector.
#[derive(Clone, Copy, Debug)]
pub struct Kind<'a> {
    /// The feature release.
    pub release: u32,
    /// The collector.
    pub gc: &'a str,
}

/// The address of the flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marking {
    place: u64,
    bits: u8,
}

/// The offsets of these fields in threads, by the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadFields {
    last_before: u64,
    active: Option<u64>,
    os_thread: u64,
    id: u64,
}

impl ThreadFields {
    /// `None` where the table has no entry.
    pub fn find(tables: &Tables) -> Option<Self> {
        Some(Self {
            last_before: tables.offset(&[LAST_BEFORE.0], LAST_BEFORE.1, "")?,
            active: tables.offset(&ACTIVE, "_active", ""),
            os_thread: tables.offset(&OS_THREAD, "_osthread", "")?,
            id: tables.offset(&["OSThread"], "_thread_id", "")?,
        })
    }
}

impl Marking {
    /// Looks for it in the data of a thread. `None` where the table does not lead there, and with collectors that do
    /// not mark concurrently, or do not publish it.
    pub fn find(memory: &impl Memory, fields: ThreadFields, jvm: Kind<'_>, thread: OwnThread) -> Option<Self> {
        let os_thread = memory.word(thread.address + fields.os_thread)?;
        if memory.half(os_thread + fields.id)? != thread.task {
            return None;
        }
        let (_, between) = WORDS_BETWEEN.into_iter().find(|(release, _)| *release == jvm.release)?;
        let data = (thread.address + fields.last_before + 4).next_multiple_of(8) + between * 8;
        let marking = match jvm.gc {
            "G1" => Self { place: data + fields.active?, bits: G1_MARKS },
            "Shenandoah" => Self { place: data, bits: SHENANDOAH_MARKS },
            _ => return None,
        };
        marking.is_on(memory).map(|_| marking)
    }

    /// Whether it marks; `None` where that cannot be read.
    pub fn is_on(&self, memory: &impl Memory) -> Option<bool> {
        let mut state = [0];
        memory.read(self.place, &mut state)?;
        Some(state[0] & self.bits != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::own_memory::Stretches;
    use super::*;

    const THREAD: OwnThread = OwnThread { address: 0x8000, task: 4711 };

    const OF_17: Kind<'_> = Kind { release: 17, gc: "G1" };

    /// A thread whose data begin with these words in 17, and with all but the first in 21.
    fn thread(data: [u64; 5]) -> (Stretches, ThreadFields) {
        let fields = [
            ("SATBMarkQueue", "_active", "bool", false, 24),
            ("ThreadShadow", "_exception_line", "int", false, 24),
            ("JavaThread", "_osthread", "OSThread*", false, 72),
            ("OSThread", "_thread_id", "pid_t", false, 16),
        ];
        let bytes = |words: &[u64]| words.iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<u8>>();
        let words = [&[0; 4], data.as_slice(), &[0x9000]].concat();
        let memory = Stretches(vec![(0x8000, bytes(&words)), (0x9010, bytes(&[4711]))]);
        (memory, ThreadFields::find(&Tables::of_test(&fields, &[])).expect("all fields"))
    }

    #[test]
    fn g1_marks_while_the_threads_queue_is_active() {
        for (active, is_on) in [(0, false), (1, true)] {
            for (release, data) in [(17, [u64::MAX, 0, 0, active, 7]), (21, [7, u64::MAX, 0, 0, active])] {
                let (memory, fields) = thread(data);
                let marking = Marking::find(&memory, fields, Kind { release, ..OF_17 }, THREAD).expect("found");
                assert_eq!(marking.is_on(&memory), Some(is_on));
            }
        }
    }

    #[test]
    fn shenandoah_marks_while_its_state_says_so() {
        for (state, is_on) in [(0, false), (0b1, false), (0b11, true), (0b1100, false), (0b10_0000, true)] {
            let (memory, fields) = thread([state, 1, 1, 1, 1]);
            let jvm = Kind { gc: "Shenandoah", ..OF_17 };
            let marking = Marking::find(&memory, fields, jvm, THREAD).expect("found");
            assert_eq!(marking.is_on(&memory), Some(is_on), "{state:b}");
        }
    }

    #[test]
    fn data_of_no_thread_or_of_another_jvm_prove_nothing() {
        let (memory, fields) = thread([0; 5]);
        for jvm in [Kind { gc: "Parallel", ..OF_17 }, Kind { release: 8, ..OF_17 }, Kind { release: 99, ..OF_17 }] {
            assert_eq!(Marking::find(&memory, fields, jvm, THREAD), None);
        }
        for thread in [OwnThread { task: 4712, ..THREAD }, OwnThread { address: 0x7000, ..THREAD }] {
            assert_eq!(Marking::find(&memory, fields, OF_17, thread), None);
        }
    }
}
