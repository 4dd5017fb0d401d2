//! Files of the kernel as texts, so that tests can provide them; and the figures that most of them contain.

use std::fs;

/// Reads a file; `None` when there is none.
pub trait Files {
    /// The text of the file.
    fn text(&self, path: &str) -> Option<String>;
}

impl<F: Fn(&str) -> Option<String>> Files for F {
    fn text(&self, path: &str) -> Option<String> {
        self(path)
    }
}

/// The files of this system.
pub fn of_system(path: &str) -> Option<String> {
    fs::read_to_string(path).ok()
}

/// A figure of `/proc/self/status`, in bytes.
pub fn own(files: &impl Files, key: &str) -> Option<u64> {
    kilobytes(&files.text("/proc/self/status")?, key)
}

/// The figure behind `key` in lines like `VmRSS:  1744 kB`, in bytes.
pub fn kilobytes(text: &str, key: &str) -> Option<u64> {
    let figure = text.lines().find_map(|line| line.strip_prefix(key))?;
    Some(figure.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}
