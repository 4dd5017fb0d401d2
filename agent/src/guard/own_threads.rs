//! The agent's own threads and their cost. Each registers at its beginning and end: the program may have thousands of
//! threads, and to read all of them for a few costs more than the few do.

use parking_lot::Mutex;
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

/// Those of the agent.
static OWN: Threads = Threads::new();

const MS_A_TICK: u64 = 10; // USER_HZ is 100 on every Linux that runs a JVM

/// Threads, and what they cost.
struct Threads {
    /// Those that run, by their numbers at the kernel.
    running: Mutex<Vec<u32>>,
    /// Processor time of those that have ended, and their page faults.
    ended_ms: AtomicU64,
    ended_faults: AtomicU64,
}

/// A thread of the agent, for as long as it holds this.
pub struct OwnThread {
    task: u32,
    among: &'static Threads,
}

impl OwnThread {
    /// The calling thread.
    pub fn enter() -> Self {
        OWN.enter()
    }
}

impl Drop for OwnThread {
    fn drop(&mut self) {
        let mut running = self.among.running.lock();
        running.retain(|&task| task != self.task);
        let cost = cost(self.task);
        self.among.ended_ms.fetch_add(cost.cpu_ms, Ordering::Relaxed);
        self.among.ended_faults.fetch_add(cost.faults, Ordering::Relaxed);
    }
}

impl Threads {
    const fn new() -> Self {
        Self { running: Mutex::new(Vec::new()), ended_ms: AtomicU64::new(0), ended_faults: AtomicU64::new(0) }
    }

    /// Counts the calling thread among them.
    fn enter(&'static self) -> OwnThread {
        let task = this_task();
        self.running.lock().push(task);
        OwnThread { task, among: self }
    }

    fn cpu_ms(&self) -> u64 {
        let running = self.running.lock();
        self.ended_ms.load(Ordering::Relaxed) + running.iter().map(|&task| cost(task).cpu_ms).sum::<u64>()
    }

    fn faults(&self) -> u64 {
        let running = self.running.lock();
        self.ended_faults.load(Ordering::Relaxed) + running.iter().map(|&task| cost(task).faults).sum::<u64>()
    }
}

/// The number of the calling thread, at the kernel.
pub fn this_task() -> u32 {
    rustix::thread::gettid().as_raw_nonzero().get().unsigned_abs()
}

/// Processor time of the agent's own threads so far.
pub fn all_cpu_ms() -> u64 {
    OWN.cpu_ms()
}

/// Page faults of the agent's own threads so far: pages that they touched for the first time, or copied.
pub fn all_faults() -> u64 {
    OWN.faults()
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

    const PAGES: u64 = 2_000;

    /// Touches this many pages for the first time.
    fn touch() {
        drop(std::hint::black_box(vec![1_u8; (PAGES * 4096) as usize]));
    }

    /// Keeps the processor busy until the thread has used this much of it.
    fn burn(ms: u64) {
        while cost(this_task()).cpu_ms < ms {
            std::hint::black_box((0..10_000_u64).sum::<u64>());
        }
    }

    // Each test has threads of its own: those of the agent run beside it.

    #[test]
    fn faults_are_counted_beyond_the_end_of_their_thread() {
        static THREADS: Threads = Threads::new();
        let one = thread::spawn(|| {
            let _entered = THREADS.enter();
            touch();
        });
        one.join().expect("touches");
        assert!(THREADS.faults() >= PAGES / 2);
    }

    #[test]
    fn time_of_threads_that_entered_is_counted_beyond_their_end() {
        static THREADS: Threads = Threads::new();
        thread::spawn(|| burn(100)).join().expect("burns");
        assert_eq!(THREADS.cpu_ms(), 0, "a thread of the program");
        let one = thread::spawn(|| {
            let _entered = THREADS.enter();
            burn(100);
            THREADS.cpu_ms()
        });
        let while_it_ran = one.join().expect("burns");
        assert!(while_it_ran >= 100, "{while_it_ran}");
        assert!(THREADS.cpu_ms() >= while_it_ran);
    }

    #[test]
    fn threads_of_the_agent_enter_its_own() {
        let entered = OwnThread::enter();
        assert!(OWN.running.lock().contains(&entered.task));
        burn(100);
        touch();
        assert!(all_cpu_ms() >= 100);
        assert!(all_faults() >= PAGES / 2);
    }
}
