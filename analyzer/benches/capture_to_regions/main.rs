//! From the last record of a capture to regions: time and memory, and whether both stay linear in the heap.
//!
//! `cargo bench -p rootbound --bench capture_to_regions` measures 1, 3 and 10 million objects, or the numbers given
//! after `--`. Each size runs in a process of its own, so that its peak memory is its own. `cargo test --benches` only
//! sees that it works, on a tiny heap.

mod generator;
mod measure;
mod records;

use std::io;
use std::process::Command;

/// Objects in the heaps that are measured.
const SIZES: [usize; 3] = [1_000_000, 3_000_000, 10_000_000];
/// Objects in the heap of a mere test run.
const TEST_SIZES: [usize; 1] = [20_000];
/// Says to the process it is passed to: measure one heap of so many objects and print one row.
const ONE: &str = "--one";

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<usize> = arguments.iter().filter_map(|argument| argument.parse().ok()).collect();
    if arguments.first().is_some_and(|first| first == ONE) {
        for &objects in &numbers {
            println!("{}", measure::measure(objects));
        }
        return Ok(());
    }
    // Cargo passes `--bench` to a benchmark, and nothing when it only tests it.
    let is_test = !arguments.iter().any(|argument| argument == "--bench");
    let sizes: &[usize] = if is_test { &TEST_SIZES } else { &SIZES };
    measure_in_processes(if numbers.is_empty() { sizes } else { &numbers })
}

fn measure_in_processes(sizes: &[usize]) -> io::Result<()> {
    println!("{}", measure::Row::HEADINGS);
    let mut smallest: Option<measure::Row> = None;
    for objects in sizes {
        let output = Command::new(std::env::current_exe()?).args([ONE, &objects.to_string()]).output()?;
        let row = String::from_utf8_lossy(&output.stdout)
            .parse::<measure::Row>()
            .map_err(|_| io::Error::other(format!("{objects} objects: {}", String::from_utf8_lossy(&output.stderr))))?;
        let smallest = smallest.get_or_insert_with(|| row.clone());
        println!("{}", row.against(smallest));
    }
    Ok(())
}
