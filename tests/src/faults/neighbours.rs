//! Other agents, to be loaded next to ours: two small ones of our own (`tests/neighbours/`), and JaCoCo as packed by
//! Debian. Each is built once for each state of its source.

use crate::java;
use crate::places;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// Path of JaCoCo's agent in Debian's package; `jacoco.manifest` names its other parts.
const JACOCO: &str = "/usr/share/java/org.jacoco.agent.rt.jar";

/// The switch that loads a profiler that interrupts the program's threads a thousand times a second; `None`, with a
/// message, where there is no C compiler.
pub fn profiler() -> Option<String> {
    let source = neighbour("profiler.c");
    let library = made_from(&[&source], "profiler.so", |library| {
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O2", "-Wall", "-o"]).arg(library).arg(&source);
        compiler
    });
    library.map(|library| format!("-agentpath:{}", library.display()))
}

/// The switch that loads an agent that retransforms the program's classes ten times a second; `None` where there is no
/// `jar`.
pub fn retransformer() -> Option<String> {
    let source = neighbour("Retransformer.java");
    let classes = java::compile("retransformer", &source);
    javaagent("retransformer", &[&source], &["-C".into(), classes, ".".into()])
}

/// The switch that loads JaCoCo; `None`, with a message, where it is not installed.
pub fn jacoco(report: &Path) -> Option<String> {
    if !Path::new(JACOCO).is_file() {
        println!("skipped: there is no {JACOCO}; scripts/setup --neighbours installs it");
        return None;
    }
    let switch = javaagent("jacoco", &[], &[])?;
    // Not shaded as in its releases, it would cover itself as well.
    Some(format!("{switch}=destfile={},includes=Subject*", report.display()))
}

/// Packs an agent with the manifest of that name, and returns the switch that loads it.
fn javaagent(name: &str, sources: &[&Path], content: &[PathBuf]) -> Option<String> {
    let manifest = neighbour(&format!("{name}.manifest"));
    let sources: Vec<&Path> = std::iter::once(manifest.as_path()).chain(sources.iter().copied()).collect();
    let jar = made_from(&sources, &format!("{name}.jar"), |jar| {
        let mut packer = Command::new(places::jar());
        packer.arg("--create").arg("--file").arg(jar).arg("--manifest").arg(&manifest).args(content);
        packer
    });
    jar.map(|jar| format!("-javaagent:{}", jar.display()))
}

fn neighbour(file: &str) -> PathBuf {
    places::workspace().join("tests/neighbours").join(file)
}

/// Makes a file once for each state of its sources; `None` when the tool is not installed. Panics when it fails.
fn made_from(sources: &[&Path], name: &str, tool: impl FnOnce(&Path) -> Command) -> Option<PathBuf> {
    // Two tests of one process must not make the same file at the same time.
    static MAKING: Mutex<()> = Mutex::new(());
    let _alone = MAKING.lock().expect("nothing made here panicked");
    let folder = places::target().join("e2e").join(format!("{name}-{:016x}", java::fingerprint(sources)));
    let made = folder.join(name);
    if made.is_file() {
        return Some(made);
    }
    fs::create_dir_all(&folder).expect("the target folder can be written");
    let fresh = folder.join(format!("{}-{name}", std::process::id()));
    let mut tool = tool(&fresh);
    let Ok(output) = tool.output() else {
        println!("skipped: {:?} does not start; scripts/setup installs it", tool.get_program());
        return None;
    };
    assert!(output.status.success(), "{tool:?}: {}", String::from_utf8_lossy(&output.stderr));
    fs::rename(&fresh, &made).expect("what was just made can be moved");
    Some(made)
}
