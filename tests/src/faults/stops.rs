//! Pauses of the program, by two accounts: the report's receipt, and the JVM's own log of safepoints.

use crate::report::Report;

/// The longest allowed pause, in milliseconds: the agent's default limit (500 ms), and as much again for a machine on
/// which many JVMs share two processors.
pub const MOST_MS: f64 = 1_000.0;

/// Walks that paused the program itself, by their names in receipts.
const WALKS: [&str; 3] = ["capture in process", "capture by tags", "mark by iteration"];

/// The longest pause of a report, in milliseconds.
pub fn longest_ms(report: &Report) -> f64 {
    report.pauses.as_ref().and_then(|pauses| pauses.max_ms).unwrap_or(0.0)
}

/// Purpose of the longest pause of a report.
pub fn longest_kind(report: &Report) -> &str {
    let stops = report.pauses.iter().flat_map(|pauses| &pauses.stops);
    let longest = stops.max_by(|a, b| a.ms.unwrap_or(0.0).total_cmp(&b.ms.unwrap_or(0.0)));
    longest.and_then(|stop| stop.what.as_deref()).unwrap_or("none")
}

/// The pauses of a report in which the heap was walked in the program itself.
pub fn walks(report: &Report) -> Vec<String> {
    let stops = report.pauses.iter().flat_map(|pauses| &pauses.stops);
    let walks = stops.filter(|stop| stop.what.as_deref().is_some_and(|what| WALKS.contains(&what)));
    walks.map(|walk| format!("{} of {:.0} ms", walk.what.as_deref().unwrap_or("?"), walk.ms.unwrap_or(0.0))).collect()
}

/// A safepoint of a heap walk or an iteration over the heap, as the JVM logged it.
#[derive(Clone, Debug, PartialEq)]
pub struct Logged {
    /// A capture, or the fork for one; iterations look for objects.
    pub is_capture: bool,
    /// Duration in milliseconds.
    pub ms: f64,
    /// The line of the log. It also tells the time until all threads had stopped from the time after that.
    pub line: String,
}

/// Safepoints in a log of `-Xlog:safepoint`.
pub fn logged(log: &str) -> Vec<Logged> {
    let mut entered = "";
    let mut found = Vec::new();
    for line in log.lines() {
        if let Some((_, operation)) = line.split_once("Safepoint \"") {
            found.extend(total_ms(line).and_then(|ms| of_the_heap(operation, ms, line)));
        } else if let Some((_, operation)) = line.split_once("Entering safepoint region: ") {
            entered = operation;
        } else if let Some((_, seconds)) = line.split_once("application threads were stopped: ") {
            found.extend(first_number(seconds).and_then(|seconds| of_the_heap(entered, seconds * 1e3, line)));
            entered = "";
        }
    }
    found
}

fn of_the_heap(operation: &str, ms: f64, line: &str) -> Option<Logged> {
    let is_capture = operation.starts_with("HeapWalk");
    (is_capture || operation.starts_with("HeapIterate")).then(|| Logged { is_capture, ms, line: line.to_owned() })
}

/// From release 13 on: `Safepoint "HeapWalkOperation", …, Total: 1234 ns`.
fn total_ms(line: &str) -> Option<f64> {
    first_number(line.split_once("Total: ")?.1).map(|nanoseconds| nanoseconds / 1e6)
}

fn first_number(text: &str) -> Option<f64> {
    text.trim_start().split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::logged;

    #[test]
    fn walks_are_found_in_logs_of_old_and_new_releases() {
        let new = "[1s] Safepoint \"HeapWalkOperation\", Time since last: 5 ns, Reaching safepoint: 1 ns, At safepoint: 2 ns, Total: 2500000 ns\n\
                   [1s] Safepoint \"Cleanup\", Time since last: 5 ns, Total: 9000000 ns";
        assert_eq!(logged(new).iter().map(|stop| (stop.is_capture, stop.ms)).collect::<Vec<_>>(), [(true, 2.5)]);
        let old = "[1s] Entering safepoint region: HeapIterateOperation\n[1s] Leaving safepoint region\n\
                   [1s] Total time for which application threads were stopped: 0.0025000 seconds, Stopping threads took: 0 seconds\n\
                   [1s] Entering safepoint region: Cleanup\n\
                   [1s] Total time for which application threads were stopped: 0.5 seconds";
        assert_eq!(logged(old).iter().map(|stop| (stop.is_capture, stop.ms)).collect::<Vec<_>>(), [(false, 2.5)]);
    }
}
