//! Recordings of programs with nested structures, with two captures each.

use e2e::java::Program;
use e2e::places;
use e2e::process::Scratch;
use e2e::watching::rootbound;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// A program.
pub struct Kind {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its heap, for people.
    pub heap: &'static str,
    /// Number of its outer structures.
    outer: &'static str,
}

impl Kind {
    /// All programs.
    pub const ALL: [Self; 2] = [
        Self { name: "lists", heap: "150 static lists of 40 lists of 330 arrays", outer: "150" },
        Self { name: "maps", heap: "400 maps of 300 lists of eight arrays", outer: "400" },
    ];
}

/// A recording; gone on drop.
pub struct Recorded {
    file: PathBuf,
    _scratch: Scratch,
}

impl Recorded {
    /// Runs the program until its second capture is analysed.
    pub fn new(kind: &Kind) -> Self {
        let source = places::workspace().join("tests/benches/structures/java/Nested.java");
        let program = Program::compiled("bench-nested", &source, "Nested");
        let scratch = Scratch::new();
        let file = scratch.file("recording.rb");
        let status =
            rootbound(["run", "--for", "30s", "--mark-after", "6s", "--capture-after", "10s", "-q", "--record"])
                .arg(&file)
                .arg("--")
                .arg(&program.launcher)
                .args(["-Xmx1g", "-XX:+UseParallelGC", "-cp"])
                .arg(&program.classes)
                .args([&program.main, kind.name, kind.outer])
                .stdout(Stdio::null())
                .status()
                .expect("rootbound starts");
        assert!(status.success(), "no recording: {status}");
        Self { file, _scratch: scratch }
    }

    /// The recording.
    pub fn file(&self) -> &Path {
        &self.file
    }
}
