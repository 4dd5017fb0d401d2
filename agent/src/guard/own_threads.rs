//! The agent's own threads and their cost. Each registers at its beginning and end: the program may have thousands of
//! threads, and to read all of them for a few costs more than the few do.

use parking_lot::Mutex;
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

/// Those that run, by their numbers at the kernel.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());
/// Processor time of those that have ended, and their page faults.
static ENDED_MS: AtomicU64 = AtomicU64::new(0);
static ENDED_FAULTS: AtomicU64 = AtomicU64::new(0);

const MS_A_TICK: u64 = 10; // USER_HZ is 100 on every Linux that runs a JVM

/// A thread of the agent, for as long as it holds this.
pub struct OwnThread {
    task: u32,
}

impl OwnThread {
    /// The calling thread.
    pub fn enter() -> Self {
        let task = this_task();
        RUNNING.lock().push(task);
        Self { task }
    }
}

impl Drop for OwnThread {
    fn drop(&mut self) {
        let mut running = RUNNING.lock();
        running.retain(|&task| task != self.task);
        let cost = cost(self.task);
        ENDED_MS.fetch_add(cost.cpu_ms, Ordering::Relaxed);
        ENDED_FAULTS.fetch_add(cost.faults, Ordering::Relaxed);
    }
}

/// The number of the calling thread, at the kernel.
pub fn this_task() -> u32 {
    rustix::thread::gettid().as_raw_nonzero().get().unsigned_abs()
}

/// Processor time of the agent's own threads so far.
pub fn all_cpu_ms() -> u64 {
    let running = RUNNING.lock();
    ENDED_MS.load(Ordering::Relaxed) + running.iter().map(|&task| cost(task).cpu_ms).sum::<u64>()
}

/// Page faults of the agent's own threads so far: pages that they touched for the first time, or copied.
pub fn all_faults() -> u64 {
    let running = RUNNING.lock();
    ENDED_FAULTS.load(Ordering::Relaxed) + running.iter().map(|&task| cost(task).faults).sum::<u64>()
}

/// The cost of a thread.
#[derive(Default)]
struct Cost {
    cpu_ms: u64,
    faults: u64,
}

fn cost(task: u32) -> Cost {
    let stat = fs::read_to_string(format!("/proc/self/task/{task}/stat")).unwrap_or_default();
    parse(&stat).unwrap_or_default()
}

fn parse(stat: &str) -> Option<Cost> {
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
    Some(Cost { faults: number(7)?, cpu_ms: (number(11)? + number(12)?) * MS_A_TICK })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// Keeps the processor busy until the thread has used this much of it.
    fn burn(ms: u64) {
        while cost(this_task()).cpu_ms < ms {
            std::hint::black_box((0..10_000_u64).sum::<u64>());
        }
    }

    #[test]
    fn own_faults_are_counted_beyond_the_end_of_their_thread() {
        const PAGES: u64 = 2_000;
        let touch = || drop(std::hint::black_box(vec![1_u8; (PAGES * 4096) as usize]));
        let before = all_faults();
        let own = thread::spawn(move || {
            let _own = OwnThread::enter();
            touch();
        });
        own.join().expect("touches");
        assert!(all_faults() >= before + PAGES / 2);
    }

    #[test]
    fn time_of_own_threads_alone_is_counted_beyond_their_end() {
        let before = all_cpu_ms();
        thread::spawn(|| burn(100)).join().expect("burns");
        assert_eq!(all_cpu_ms(), before, "a thread of the program");
        let own = thread::spawn(|| {
            let _own = OwnThread::enter();
            burn(100);
            all_cpu_ms()
        });
        let while_it_ran = own.join().expect("burns");
        assert!(while_it_ran >= before + 100, "{before} {while_it_ran}");
        assert!(all_cpu_ms() >= while_it_ran);
    }
}
