//! Files that the program maps, as databases do: a child must neither copy them nor fill their holes.

use super::unharmed::{is_captured_unharmed, reported};
use e2e::faults::disks;
use e2e::faults::subject::Subject;
use e2e::faults::trial::Trial;
use e2e::process::Scratch;
use e2e::slots;
use std::path::Path;

const MB: u64 = 1 << 20;
const FILES: u32 = 60;

fn are_left_alone(folder: &Path, scratch: Scratch) {
    let _slot = slots::take_busy();
    std::fs::create_dir_all(folder).unwrap();
    let trial = Trial::within(scratch, Subject::new().keeping(0.5).with_mapped_files(FILES, folder));
    let report = is_captured_unharmed(&trial);
    let taken = disks::taken(folder);
    assert!(taken <= MB, "files without content take {taken} bytes after captures");
    let children = report.snapshots.iter().filter_map(|snapshot| snapshot.child.as_ref()?.private_bytes);
    let largest = children.max().unwrap_or(0);
    assert!(largest < u64::from(FILES) * MB, "a child copied {} MB\n{}", largest / MB, reported(&report));
}

#[test]
fn sparse_files_in_memory_are_neither_copied_nor_filled() {
    let folder = tempfile::Builder::new().prefix("rb-e2e-maps").tempdir_in("/dev/shm").unwrap();
    are_left_alone(folder.path(), Scratch::new());
}

#[test]
fn sparse_files_on_disk_are_neither_copied_nor_filled() {
    let scratch = Scratch::new();
    are_left_alone(&scratch.file("maps"), scratch);
}
