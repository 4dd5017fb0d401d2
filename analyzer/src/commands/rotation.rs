//! Old reports and recordings are removed where the user wants to keep a number of them: a watch over days must not
//! fill the disk.

use crate::commands::naming::{Naming, is_plain_target};
use rustix::process::geteuid;
use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Most files of earlier runs that are taken over.
const MOST_FOUND: usize = 100_000;

/// The files of a JVM that has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Files {
    pub(crate) report: Option<PathBuf>,
    pub(crate) recording: Option<PathBuf>,
}

/// The files that are kept, the oldest first.
#[derive(Debug)]
pub(crate) struct Rotation {
    limit: usize,
    kept: VecDeque<Files>,
}

impl Rotation {
    /// Keeps the files of this number of JVMs. Those of earlier runs that `reports` and `recordings` could have named
    /// come first.
    pub(crate) fn keeping(limit: usize, reports: Option<&mut Naming>, recordings: Option<&mut Naming>) -> Self {
        let mut found: Vec<(SystemTime, Files)> = Vec::new();
        if let Some(naming) = reports {
            found.extend(earlier(naming).map(|(time, path)| (time, Files { report: Some(path), recording: None })));
        }
        if let Some(naming) = recordings {
            found.extend(earlier(naming).map(|(time, path)| (time, Files { report: None, recording: Some(path) })));
        }
        found.sort_by_key(|(time, _)| *time);
        Self { limit, kept: found.into_iter().map(|(_, files)| files).collect() }
    }

    /// Takes in the files of a JVM that has ended; returns those that were removed for it.
    pub(crate) fn keep(&mut self, files: Files) -> Vec<Files> {
        if files == Files::default() {
            return Vec::new();
        }
        self.kept.push_back(files);
        let excess = self.kept.len().saturating_sub(self.limit);
        let removed: Vec<Files> = self.kept.drain(..excess).collect();
        removed.iter().flat_map(|files| [&files.report, &files.recording]).flatten().for_each(|path| remove(path));
        removed
    }
}

/// Removes one file of ours; a pipe or a device stays.
fn remove(path: &Path) {
    if is_plain_target(path)
        && let Err(error) = fs::remove_file(path)
    {
        tracing::debug!("{} was gone already: {error}", path.display());
    }
}

/// Files of this user that an earlier run has named by the same pattern, with their times.
fn earlier(naming: &mut Naming) -> impl Iterator<Item = (SystemTime, PathBuf)> + use<> {
    let folder = naming.folder().to_owned();
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().take(MOST_FOUND);
    let mut found = Vec::new();
    for entry in entries {
        let Ok(facts) = entry.metadata() else { continue };
        let is_ours = facts.is_file() && facts.uid() == geteuid().as_raw();
        if is_ours && is_named(naming.pattern(), &entry.file_name()) {
            let path = naming.folder().join(entry.file_name());
            naming.take(path.clone());
            found.push((facts.modified().unwrap_or(SystemTime::UNIX_EPOCH), path));
        }
    }
    found.into_iter()
}

/// Whether the pattern leads to this name for some process id: `r-{pid}.json` to `r-4711.json` and `r-4711-2.json`.
fn is_named(pattern: Option<(&str, &str)>, name: &OsStr) -> bool {
    let Some(((before, behind), name)) = pattern.zip(name.to_str()) else { return false };
    let Some(label) = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(behind)) else { return false };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match label.split_once('-') {
        Some((pid, turn)) => is_number(pid) && is_number(turn),
        None => is_number(label),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn written(naming: &mut Naming, pid: u32) -> Files {
        let path = naming.next(pid);
        fs::write(&path, "{}").unwrap();
        Files { report: Some(path), recording: None }
    }

    #[test]
    fn the_last_reports_are_kept_over_runs_and_other_files_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let asked = folder.path().join("r-{pid}.json");
        fs::write(folder.path().join("r-mine.json"), "").unwrap();
        for run in 0..2 {
            let mut naming = Naming::of(&asked);
            let mut rotation = Rotation::keeping(3, Some(&mut naming), None);
            for pid in [7, 8, 9, 10, 11] {
                let files = written(&mut naming, pid + run * 100);
                for removed in rotation.keep(files) {
                    naming.free(removed.report.as_deref().unwrap());
                }
            }
            let freed = folder.path().join(format!("r-{}.json", 7 + run * 100));
            assert_eq!(naming.next(7 + run * 100), freed, "names of removed files are free again");
        }
        assert_eq!(names(folder.path()), ["r-109.json", "r-110.json", "r-111.json", "r-mine.json"]);
    }

    #[test]
    fn a_process_id_that_comes_again_overwrites_no_kept_report() {
        let folder = tempfile::tempdir().unwrap();
        let asked = folder.path().join("r-{pid}.json");
        fs::write(folder.path().join("r-7.json"), "earlier").unwrap();
        let mut naming = Naming::of(&asked);
        Rotation::keeping(3, Some(&mut naming), None);
        assert_eq!(naming.next(7), folder.path().join("r-7-2.json"));
    }

    #[test]
    fn a_name_without_a_pattern_takes_over_nothing_and_is_used_again() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("r.4711.json"), "somebody else's").unwrap();
        let mut naming = Naming::of(&folder.path().join("r.json"));
        let mut rotation = Rotation::keeping(1, Some(&mut naming), None);
        let first = written(&mut naming, 1);
        assert_eq!(rotation.keep(first.clone()), []);
        let second = written(&mut naming, 2);
        assert_eq!(rotation.keep(second), std::slice::from_ref(&first));
        assert_eq!(names(folder.path()), ["r.2.json", "r.4711.json"]);
        naming.free(first.report.as_deref().unwrap());
        assert_eq!(Some(naming.next(3)), first.report);
    }

    #[test]
    fn a_device_is_never_removed() {
        let mut rotation = Rotation::keeping(1, None, None);
        for _ in 0..3 {
            rotation.keep(Files { report: Some("/dev/null".into()), recording: None });
        }
        assert!(Path::new("/dev/null").exists());
    }
}
