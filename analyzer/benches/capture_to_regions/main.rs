//! From the last message of a capture to regions: time and memory, whether both stay linear in the heap, and whether
//! memory stays below its goal. Each heap is told in two ways: by records, as a capture by tags does, and by address.
//!
//! `cargo bench -p rootbound --bench capture_to_regions` measures 1, 3 and 10 million objects, or the numbers given
//! after `--`. One process makes the capture, another takes it in, so that its peak memory is its own. `cargo test
//! --benches` only sees that it works, on a tiny heap.

mod feed;
mod generator;
mod measure;
mod records;

use feed::Way;
use std::io;
use std::process::{Command, Stdio};

/// Objects in the heaps that are measured.
const SIZES: [usize; 3] = [1_000_000, 3_000_000, 10_000_000];
/// Objects in the heap of a mere test run.
const TEST_SIZES: [usize; 1] = [20_000];
/// Says to the process it is passed to: write the capture of a heap of this number of objects to standard output.
const TELL: &str = "--tell";
/// Says to the process it is passed to: measure the capture that comes in, and print one row.
const MEASURE: &str = "--measure";

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<usize> = arguments.iter().filter_map(|argument| argument.parse().ok()).collect();
    let way = if arguments.iter().any(|argument| argument == Way::Records.name()) { Way::Records } else { Way::Stream };
    match arguments.first().map(String::as_str) {
        Some(TELL) => return numbers.iter().try_for_each(|&objects| feed::emit(objects, way)),
        Some(MEASURE) => {
            println!("{}", measure::measure(feed::listen(io::stdin().lock())));
            return Ok(());
        }
        _ => {}
    }
    // Cargo passes `--bench` to a benchmark, and nothing when it only tests it.
    let is_test = !arguments.iter().any(|argument| argument == "--bench");
    let sizes: &[usize] = if is_test { &TEST_SIZES } else { &SIZES };
    measure_in_processes(if numbers.is_empty() { sizes } else { &numbers })
}

fn measure_in_processes(sizes: &[usize]) -> io::Result<()> {
    println!("{}", measure::Row::HEADINGS);
    let mut smallest: Vec<measure::Row> = Vec::new();
    for objects in sizes {
        for (at, way) in [Way::Records, Way::Stream].into_iter().enumerate() {
            let row = measure_in_process(*objects, way)?;
            if smallest.len() == at {
                smallest.push(row.clone());
            }
            println!("{:>8}  {}", way.name(), row.against(&smallest[at]));
        }
    }
    println!("{}", measure::Row::FOOTNOTE);
    Ok(())
}

fn measure_in_process(objects: usize, way: Way) -> io::Result<measure::Row> {
    let myself = || std::env::current_exe().map(Command::new);
    let mut teller = myself()?.args([TELL, &objects.to_string(), way.name()]).stdout(Stdio::piped()).spawn()?;
    let reported = teller.stdout.take().ok_or_else(|| io::Error::other("the teller has no output"))?;
    let output = myself()?.arg(MEASURE).stdin(reported).output()?;
    teller.wait()?;
    String::from_utf8_lossy(&output.stdout)
        .parse::<measure::Row>()
        .map_err(|()| io::Error::other(format!("{objects} objects: {}", String::from_utf8_lossy(&output.stderr))))
}
