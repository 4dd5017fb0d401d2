//! File names where there are several JVMs: FILE for the first, FILE with the process id before its extension for
//! further ones; or `{pid}` in the name, which is filled in for every JVM.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// Stands for the process id.
const PLACEHOLDER: &str = "{pid}";

/// Hands out names, each only once.
#[derive(Debug)]
pub(crate) struct Naming {
    asked: PathBuf,
    taken: HashSet<PathBuf>,
}

impl Naming {
    /// Names made from the requested one.
    pub(crate) fn of(asked: &Path) -> Self {
        Self { asked: asked.to_owned(), taken: HashSet::new() }
    }

    /// The name for the JVM with this process id. Standard output, a pipe or a device is the same for all.
    pub(crate) fn next(&mut self, pid: u32) -> PathBuf {
        if !is_plain_target(&self.asked) {
            return self.asked.clone();
        }
        let first = (!is_pattern(&self.asked)).then(|| self.asked.clone());
        // Process ids are reused, and in containers every program may be process 1.
        let numbered = (1..).map(|turn: u32| if turn == 1 { pid.to_string() } else { format!("{pid}-{turn}") });
        let names = first.into_iter().chain(numbered.map(|label| labelled(&self.asked, &label)));
        let name = names.into_iter().find(|name| !self.taken.contains(name)).unwrap_or_else(|| self.asked.clone());
        self.taken.insert(name.clone());
        name
    }

    /// The folder of the files.
    pub(crate) fn folder(&self) -> &Path {
        self.asked.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    /// The name before and behind the process id, where every name holds one.
    pub(crate) fn pattern(&self) -> Option<(&str, &str)> {
        self.asked.file_name()?.to_str()?.split_once(PLACEHOLDER)
    }

    /// Marks a name as taken: there is a file of an earlier run.
    pub(crate) fn take(&mut self, name: PathBuf) {
        self.taken.insert(name);
    }

    /// Releases a name: its former file does not count any more.
    pub(crate) fn free(&mut self, name: &Path) {
        self.taken.remove(name);
    }
}

/// Whether the name has a placeholder for the process id, so that it is no file's name itself.
pub(crate) fn is_pattern(asked: &Path) -> bool {
    asked.file_name().and_then(OsStr::to_str).is_some_and(|name| name.contains(PLACEHOLDER))
}

/// A pipe or a device cannot be replaced by renaming, and has no name to change; it is written to as it is.
pub(crate) fn is_plain_target(path: &Path) -> bool {
    path != Path::new("-") && fs::metadata(path).map_or(true, |found| found.is_file() || found.is_dir())
}

fn labelled(asked: &Path, label: &str) -> PathBuf {
    if let Some(name) = asked.file_name().and_then(OsStr::to_str).filter(|name| name.contains(PLACEHOLDER)) {
        return asked.with_file_name(name.replace(PLACEHOLDER, label));
    }
    let mut name = OsString::from(asked.file_stem().unwrap_or_default());
    name.push(".");
    name.push(label);
    if let Some(extension) = asked.extension() {
        name.push(".");
        name.push(extension);
    }
    asked.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(asked: &str, pids: &[u32]) -> Vec<String> {
        let mut naming = Naming::of(Path::new(asked));
        pids.iter().map(|&pid| naming.next(pid).display().to_string()).collect()
    }

    #[test]
    fn the_first_jvm_gets_the_file_and_further_ones_their_process_id_before_the_extension() {
        assert_eq!(names("out/a.b.json", &[7, 8, 9]), ["out/a.b.json", "out/a.b.8.json", "out/a.b.9.json"]);
        assert_eq!(names("report", &[7, 8]), ["report", "report.8"]);
    }

    #[test]
    fn a_placeholder_is_filled_in_for_every_jvm() {
        assert_eq!(names("{pid}-shop.json", &[7, 8]), ["7-shop.json", "8-shop.json"]);
    }

    #[test]
    fn no_name_is_given_twice() {
        assert_eq!(names("r.json", &[1, 1, 1]), ["r.json", "r.1.json", "r.1-2.json"]);
        assert_eq!(names("{pid}.json", &[1, 1]), ["1.json", "1-2.json"]);
    }

    #[test]
    fn a_freed_name_is_given_again() {
        let mut naming = Naming::of(Path::new("r.json"));
        let first = naming.next(1);
        naming.free(&first);
        assert_eq!(naming.next(2), first);
    }

    #[test]
    fn standard_output_and_devices_are_the_same_for_all() {
        assert_eq!(names("-", &[1, 2]), ["-", "-"]);
        assert_eq!(names("/dev/null", &[1, 2]), ["/dev/null", "/dev/null"]);
    }
}
