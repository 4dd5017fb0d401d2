//! Compiles the Java test programs, each once for each state of its sources.

use crate::jvms::Jvm;
use crate::places;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// A compiled program and the JVM that runs it.
#[derive(Clone, Debug)]
pub struct Program {
    /// The `java` that starts it.
    pub launcher: PathBuf,
    /// Folder of its classes.
    pub classes: PathBuf,
    /// Its main class.
    pub main: String,
}

impl Program {
    /// Compiles the program, to run in the default JVM.
    pub fn compiled(name: &str, source: &Path, main: &str) -> Self {
        Self { launcher: places::java(), classes: compile(name, source), main: main.to_owned() }
    }

    /// Compiles a program that uses these libraries.
    pub fn compiled_with(name: &str, source: &Path, main: &str, libraries: &[&Path]) -> Self {
        Self { launcher: places::java(), classes: compile_with(name, source, libraries), main: main.to_owned() }
    }

    /// The same program in another JVM.
    #[must_use]
    pub fn in_jvm(self, jvm: &Jvm) -> Self {
        Self { launcher: jvm.launcher.clone(), ..self }
    }
}

/// The program of the fault tests: prints a line a second and ends with `-Dexit.code`, 7 by default.
pub fn exits() -> Program {
    Program::compiled("exits", &places::workspace().join("tests/java/Exits.java"), "Exits")
}

/// Compiles `source` and returns the folder of its classes.
pub fn compile(name: &str, source: &Path) -> PathBuf {
    compile_with(name, source, &[])
}

/// The same for a source that uses these libraries.
pub fn compile_with(name: &str, source: &Path, libraries: &[&Path]) -> PathBuf {
    // Two tests of one process must not compile the same program at the same time.
    static COMPILING: Mutex<()> = Mutex::new(());
    let _alone = COMPILING.lock().expect("no compilation panicked");
    let shared = places::workspace().join("java-test-apps/shared");
    let classes = places::target().join("e2e").join(format!("{name}-{:016x}", fingerprint(&sources(source, &shared))));
    if !classes.is_dir() {
        javac(source, &shared, &classes, libraries);
    }
    classes
}

/// A program and all that it may share with others.
fn sources(source: &Path, shared: &Path) -> Vec<PathBuf> {
    const SHARED: [&str; 4] = ["pace/Pace.java", "contents/Dumps.java", "contents/Element.java", "contents/Key.java"];
    std::iter::once(source.to_owned()).chain(SHARED.map(|file| shared.join(file))).collect()
}

/// Compiles next to the final place and moves the result there as a whole, so that no other process reads half of it.
fn javac(source: &Path, shared: &Path, classes: &Path, libraries: &[&Path]) {
    let folder = classes.parent().expect("the classes have a folder above them");
    fs::create_dir_all(folder).expect("the target folder can be written");
    let fresh = tempfile::tempdir_in(folder).expect("the target folder can be written");
    let compiler = places::javac();
    let output = Command::new(&compiler)
        .args(["--release", "11", "-nowarn", "-sourcepath"])
        .arg(shared)
        .arg("-classpath")
        .arg(std::env::join_paths(libraries).expect("paths have no colon"))
        .arg("-d")
        .arg(fresh.path())
        .arg(source)
        .output()
        .unwrap_or_else(|error| panic!("cannot start {compiler:?} ({error}): `scripts/setup` installs a JDK"));
    assert!(output.status.success(), "{source:?} does not compile: {}", String::from_utf8_lossy(&output.stderr));
    let fresh = fresh.keep();
    if fs::rename(&fresh, classes).is_err() {
        // Another process was faster, with the same sources.
        assert!(classes.is_dir(), "cannot move classes to {classes:?}");
        fs::remove_dir_all(fresh).expect("what was just written can be removed");
    }
}

/// A number that changes with the content of the files.
pub(crate) fn fingerprint(sources: &[impl AsRef<Path>]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for source in sources {
        let source = source.as_ref();
        fs::read(source).unwrap_or_else(|error| panic!("cannot read {source:?}: {error}")).hash(&mut hasher);
    }
    hasher.finish()
}
