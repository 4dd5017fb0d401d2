//! The lines of the busy program: its operations in each tenth of a second.

use std::time::{SystemTime, UNIX_EPOCH};

/// A stretch of time, by the wall clock.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub from_ms: u64,
    pub to_ms: u64,
}

/// Milliseconds since 1970, as the program counts them.
pub fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// Operations a second in the lines that are entirely within the span.
pub fn throughput(output: &str, span: Span) -> f64 {
    let within = |line: &(u64, f64, f64)| {
        let begin = line.0.saturating_sub((line.1 / 1e3) as u64);
        span.from_ms <= begin && line.0 <= span.to_ms
    };
    let (micros, operations) = output
        .lines()
        .filter_map(read)
        .filter(within)
        .fold((0.0, 0.0), |(micros, operations), line| (micros + line.1, operations + line.2));
    operations / micros * 1e6
}

/// `AT endMillis elapsedMicros operations`.
fn read(line: &str) -> Option<(u64, f64, f64)> {
    let mut words = line.strip_prefix("AT ")?.split(' ');
    Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?, words.next()?.parse().ok()?))
}
