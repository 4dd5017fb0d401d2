//! Small disks, and the real disk usage of folders.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A disk of 64 KB, in memory; unmounted on drop.
#[derive(Debug)]
pub struct SmallDisk {
    folder: PathBuf,
}

impl SmallDisk {
    /// Mounts one in that folder; `None`, with a message, where that is not permitted.
    pub fn in_folder(folder: &Path) -> Option<Self> {
        fs::create_dir_all(folder).expect("the scratch folder can be written");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(folder).stderr(Stdio::null());
        if mount.status().is_ok_and(|status| status.success()) {
            return Some(Self { folder: folder.to_owned() });
        }
        println!("skipped: this machine lets us mount no disk");
        None
    }

    /// A file on it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: a process of the test may still have a file of it open.
        let _ = Command::new("umount").arg("-l").arg(&self.folder).status();
    }
}

/// Bytes that the files of a folder take on the disk, holes left out (`du`).
pub fn taken(folder: &Path) -> u64 {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|file| file.blocks() * 512).sum()
}
