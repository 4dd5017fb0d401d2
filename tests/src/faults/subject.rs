//! The program of the fault matrix (`tests/java/Subject.java`): its work, and the check of its final output.

use crate::java::Program;
use crate::places;
use std::path::Path;

/// The exit status of the program.
pub const EXIT_CODE: i32 = 7;
/// Cells of one round of a worker, as in the program.
const CELLS: u64 = 128;

/// Seconds after which a program that was not ended leaves: its test has failed by then.
const MOST_SECONDS: u32 = 240;

/// Work of the program until its end is requested.
#[derive(Clone, Debug)]
pub struct Subject {
    properties: Vec<String>,
}

impl Default for Subject {
    fn default() -> Self {
        Self::new()
    }
}

impl Subject {
    /// A program that leaks twenty entries a second, and nothing else.
    pub fn new() -> Self {
        Self { properties: vec![format!("-Drun.seconds={MOST_SECONDS}"), format!("-Dexit.code={EXIT_CODE}")] }
    }

    /// Millions of objects that stay, in chains of a hundred.
    #[must_use]
    pub fn keeping(self, millions: f64) -> Self {
        self.with("live", millions)
    }

    /// One array of `length` objects that stay.
    #[must_use]
    pub fn with_wide_array(self, length: u64) -> Self {
        self.with("wide", length)
    }

    /// Two arrays of `length` objects, of which a walk meets one before the chains and one after them.
    #[must_use]
    pub fn with_wide_arrays(self, length: u64) -> Self {
        self.with_wide_array(length).with("wide.again", length)
    }

    /// Threads that allocate `megabytes_a_second` each, and verify their results.
    #[must_use]
    pub fn with_workers(self, threads: u32, megabytes_a_second: u32) -> Self {
        self.with("alloc", threads).with("alloc.mb", megabytes_a_second)
    }

    /// Files of 4 MB without content, mapped from that folder.
    #[must_use]
    pub fn with_mapped_files(self, count: u32, folder: &Path) -> Self {
        self.with("maps", count).with("maps.folder", folder.display())
    }

    /// Threads that wait.
    #[must_use]
    pub fn with_threads(self, count: u32) -> Self {
        self.with("threads", count)
    }

    /// Virtual threads that wait; only from release 21 on.
    #[must_use]
    pub fn with_virtual_threads(self, count: u32) -> Self {
        self.with("virtual", count)
    }

    /// Threads that start processes one after the other.
    #[must_use]
    pub fn with_spawners(self, threads: u32) -> Self {
        self.with("spawn", threads)
    }

    fn with(mut self, key: &str, value: impl std::fmt::Display) -> Self {
        self.properties.push(format!("-D{key}={value}"));
        self
    }

    /// The properties that configure it.
    pub fn properties(&self) -> &[String] {
        &self.properties
    }

    /// The program, compiled.
    pub fn program() -> Program {
        Program::compiled("subject", &places::workspace().join("tests/java/Subject.java"), "Subject")
    }
}

/// Mistakes in the program's output about its work; empty when all is well.
pub fn mistakes(stdout: &str) -> Vec<String> {
    let mut found: Vec<String> = lines_of(stdout, "CORRUPT").map(str::to_owned).collect();
    found.extend(lines_of(stdout, "work ").filter(|line| !is_right(line)).map(|line| format!("wrong: {line}")));
    // The JVM may report on another agent's thread after it.
    if !stdout.lines().any(|line| line == "the last line") {
        found.push("it did not come to its last line".to_owned());
    }
    found
}

/// The longest delay of the program's wake-up, by its own clock, in milliseconds.
pub fn longest_gap_ms(stdout: &str) -> Option<u64> {
    lines_of(stdout, "longest gap ").next()?.split(' ').nth(2)?.parse().ok()
}

fn lines_of<'a>(text: &'a str, beginning: &'a str) -> impl Iterator<Item = &'a str> {
    text.lines().filter(move |line| line.starts_with(beginning))
}

/// Whether the sum of a number of rounds is right: `work WORKER ROUNDS SUM`.
fn is_right(line: &str) -> bool {
    let numbers: Vec<i64> = line.split(' ').skip(1).filter_map(|word| word.parse().ok()).collect();
    let [worker, rounds, sum] = numbers[..] else { return false };
    (0..rounds).map(|round| round_of((worker << 40) + round)).fold(0, i64::wrapping_add) == sum
}

fn round_of(seed: i64) -> i64 {
    let first = seed.cast_unsigned().wrapping_mul(CELLS);
    (0..CELLS).map(|at| mix(first.wrapping_add(at))).fold(0, u64::wrapping_add).cast_signed()
}

/// splitmix64, as in the program.
fn mix(seed: u64) -> u64 {
    let mixed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::{is_right, mistakes};

    #[test]
    fn the_sum_of_the_rounds_is_known() {
        assert!(is_right("work 0 0 0"));
        assert!(is_right("work 0 7329 6282603848360860466") && is_right("work 1 7290 -3525445123276598290"));
        assert!(!is_right("work 0 7330 6282603848360860466") && !is_right("work 0 7329"));
    }

    #[test]
    fn a_corrupted_word_and_a_missing_end_are_mistakes() {
        assert_eq!(mistakes("READY\nthe last line\n"), [""; 0]);
        assert_eq!(mistakes("READY\nCORRUPT entry 5\n").len(), 2);
    }
}
