//! Requests a heap dump from a JVM.

use e2e::java::Program;
use e2e::places;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A dump on disk; gone on drop.
pub struct Written {
    path: PathBuf,
    _folder: tempfile::TempDir,
}

impl Written {
    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The dump of a program with about this number of objects.
pub fn written(objects: u64) -> Written {
    let source = places::workspace().join("tests/benches/dumps/java/Shapes.java");
    let program = Program::compiled("bench-shapes", &source, "Shapes");
    let folder = tempfile::tempdir_in(places::target()).expect("the target folder can be written");
    let path = folder.path().join("shapes.hprof");
    // About 27 bytes an object are live, and as many again while lists and maps grow.
    let heap_megabytes = 400 + objects / 12_000;
    let status = Command::new(&program.launcher)
        .args(["-XX:+UseParallelGC", &format!("-Xmx{heap_megabytes}m"), "-cp"])
        .arg(&program.classes)
        .args([&program.main, &objects.to_string()])
        .arg(&path)
        .status()
        .expect("the JVM starts");
    assert!(status.success(), "the JVM wrote no dump: {status}");
    Written { path, _folder: folder }
}
