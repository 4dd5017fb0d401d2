//! Places of the workspace, of the files that cargo built, and of the JDK.

#[path = "../../agent/tests/jvm/faulty.rs"]
pub mod faulty;

use std::env;
use std::path::{Path, PathBuf};

/// The workspace's folder.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of the workspace").to_owned()
}

/// Cargo's target folder: the one that this test was built into (`TARGET/PROFILE/deps/TEST`).
pub fn target() -> PathBuf {
    let test = env::current_exe().expect("a process knows its executable");
    test.ancestors().nth(3).expect("a test lies three folders deep in the target folder").to_owned()
}

/// The analyzer's binary.
pub fn rootbound() -> PathBuf {
    built("rootbound")
}

/// The agent's library.
pub fn agent() -> PathBuf {
    built("librootbound_agent.so")
}

/// The agent's library for these options: the one with faults, if they inject one.
pub fn agent_for(options: &str) -> PathBuf {
    if faulty::is_asked_for(options) { faulty::library(&target()) } else { agent() }
}

/// Finds a built file: in `ROOTBOUND_BIN_DIR` if that is set, otherwise among cargo's release and debug builds.
fn built(name: &str) -> PathBuf {
    let folders = match env::var_os("ROOTBOUND_BIN_DIR") {
        Some(folder) => vec![PathBuf::from(folder)],
        None => vec![target().join("release"), target().join("debug")],
    };
    let found = folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file());
    found.unwrap_or_else(|| {
        panic!(
            "no {name} in {folders:?}: build it with `cargo build --release`, or set ROOTBOUND_BIN_DIR to its folder"
        )
    })
}

/// The folder of the runtimes that `scripts/jdks` fetches: `ROOTBOUND_JDKS`, otherwise one in the target folder.
pub fn jdks() -> PathBuf {
    env::var_os("ROOTBOUND_JDKS").map_or_else(|| target().join("jdks"), PathBuf::from)
}

/// The Java launcher: `JAVA`, otherwise the one of `JAVA_HOME`, otherwise that on the PATH.
pub fn java() -> PathBuf {
    tool("JAVA", "java")
}

/// The Java compiler: `JAVAC`, otherwise the one of `JAVA_HOME`, otherwise that on the PATH.
pub fn javac() -> PathBuf {
    tool("JAVAC", "javac")
}

/// The JDK's tool that sends commands to a running JVM: `JCMD`, otherwise as above.
pub fn jcmd() -> PathBuf {
    tool("JCMD", "jcmd")
}

/// The JDK's tool that packs classes: `JAR`, otherwise as above.
pub fn jar() -> PathBuf {
    tool("JAR", "jar")
}

fn tool(variable: &str, name: &str) -> PathBuf {
    let named = env::var_os(variable).map(PathBuf::from);
    let of_home = env::var_os("JAVA_HOME").map(|home| Path::new(&home).join("bin").join(name));
    named.or(of_home.filter(|file| file.is_file())).unwrap_or_else(|| PathBuf::from(name))
}
