//! Things that a capture must not leave behind: a child, a crash report, a core file, memory with a name.

use super::children;
use crate::process::wait_for;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The kernel ends a child whose parent has ended, but not immediately.
const AT_ONCE: Duration = Duration::from_secs(5);

/// All things that were left behind when the program had ended; `home` is the folder in which it worked.
pub fn of(home: &Path) -> Vec<String> {
    let mut found = reports_of_crashes(home);
    if wait_for(AT_ONCE, || children::working_in(home).is_empty().then_some(())).is_none() {
        found.push(format!("children: {:?}", children::working_in(home)));
    }
    found.extend(names(Path::new("/dev/shm")).into_iter().filter(|name| is_of_a_capture(name)));
    found
}

/// Memory of ours; the folder of an analyzer that attaches to another JVM meanwhile is none.
fn is_of_a_capture(name: &str) -> bool {
    name.contains("rootbound") && !name.starts_with(".rootbound-")
}

/// Crash reports and core files in that folder.
pub fn reports_of_crashes(home: &Path) -> Vec<String> {
    let is_trace = |name: &String| name.starts_with("hs_err") || name.starts_with("core");
    names(home).into_iter().filter(is_trace).collect()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}
