//! The agent's own threads and what they cost. Each says when it begins and ends: the program may have thousands of threads,
//! and to look at all of them for a few costs more than the few do.

use parking_lot::Mutex;
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

/// Those that run, by their numbers at the kernel.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());
/// Processor time of those that have ended.
static ENDED_MS: AtomicU64 = AtomicU64::new(0);

const MS_A_TICK: u64 = 10; // USER_HZ is 100 on every Linux that runs a JVM

/// A thread of the agent, for as long as it holds this.
pub struct OwnThread {
    task: u32,
}

impl OwnThread {
    /// The thread that calls.
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
        ENDED_MS.fetch_add(cpu_ms(self.task), Ordering::Relaxed);
    }
}

/// The number of the thread that calls, at the kernel.
pub fn this_task() -> u32 {
    rustix::thread::gettid().as_raw_nonzero().get().unsigned_abs()
}

/// Processor time of the agent's own threads so far.
pub fn all_cpu_ms() -> u64 {
    let running = RUNNING.lock();
    ENDED_MS.load(Ordering::Relaxed) + running.iter().map(|&task| cpu_ms(task)).sum::<u64>()
}

fn cpu_ms(task: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/self/task/{task}/stat")).unwrap_or_default();
    ticks(&stat).unwrap_or(0) * MS_A_TICK
}

fn ticks(stat: &str) -> Option<u64> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// Keeps the processor busy until the thread has used so much of it.
    fn burn(ms: u64) {
        while cpu_ms(this_task()) < ms {
            std::hint::black_box((0..10_000_u64).sum::<u64>());
        }
    }

    #[test]
    fn what_own_threads_use_is_counted_beyond_their_end_and_nobody_elses_is() {
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
