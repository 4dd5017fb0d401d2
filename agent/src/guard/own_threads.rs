//! The agent's own threads and their cost. Each registers at its beginning and end: the program may have thousands of
//! threads, and to read all of them for a few costs more than the few do.

use parking_lot::Mutex;
use std::fs;
use std::ops::Add;

/// Those of the agent.
static OWN: Threads = Threads::new();

const MS_A_TICK: u64 = 10; // USER_HZ is 100 on every Linux that runs a JVM

/// Threads, and what they cost.
struct Threads(Mutex<Known>);

struct Known {
    /// Those that run, by their numbers at the kernel.
    running: Vec<u32>,
    /// The cost of those that have ended.
    ended: Cost,
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
        let mut known = self.among.0.lock();
        known.running.retain(|&task| task != self.task);
        known.ended = known.ended + cost(self.task);
    }
}

impl Threads {
    const fn new() -> Self {
        Self(Mutex::new(Known { running: Vec::new(), ended: Cost { cpu_ms: 0, faults: 0 } }))
    }

    /// Counts the calling thread among them.
    fn enter(&'static self) -> OwnThread {
        let task = this_task();
        self.0.lock().running.push(task);
        OwnThread { task, among: self }
    }

    /// The cost of all of them so far.
    fn cost(&self) -> Cost {
        let known = self.0.lock();
        known.running.iter().map(|&task| cost(task)).fold(known.ended, Cost::add)
    }
}

/// The number of the calling thread, at the kernel.
pub fn this_task() -> u32 {
    rustix::thread::gettid().as_raw_nonzero().get().unsigned_abs()
}

/// Processor time of the agent's own threads so far.
pub fn all_cpu_ms() -> u64 {
    OWN.cost().cpu_ms
}

/// Page faults of the agent's own threads so far: pages that they touched for the first time, or copied.
pub fn all_faults() -> u64 {
    OWN.cost().faults
}

/// The cost of a thread, or of several.
#[derive(Clone, Copy, Default)]
struct Cost {
    cpu_ms: u64,
    faults: u64,
}

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { cpu_ms: self.cpu_ms + other.cpu_ms, faults: self.faults + other.faults }
    }
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
        assert!(THREADS.cost().faults >= PAGES / 2);
    }

    #[test]
    fn time_of_threads_that_entered_is_counted_beyond_their_end() {
        static THREADS: Threads = Threads::new();
        thread::spawn(|| burn(100)).join().expect("burns");
        assert_eq!(THREADS.cost().cpu_ms, 0, "a thread of the program");
        let one = thread::spawn(|| {
            let _entered = THREADS.enter();
            burn(100);
            THREADS.cost().cpu_ms
        });
        let while_it_ran = one.join().expect("burns");
        assert!(while_it_ran >= 100, "{while_it_ran}");
        assert!(THREADS.cost().cpu_ms >= while_it_ran);
    }

    #[test]
    fn threads_of_the_agent_enter_its_own() {
        let entered = OwnThread::enter();
        assert!(OWN.0.lock().running.contains(&entered.task));
        burn(100);
        touch();
        assert!(all_cpu_ms() >= 100);
        assert!(all_faults() >= PAGES / 2);
    }
}
