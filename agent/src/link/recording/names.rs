//! The files of one recording: `FILE` is being written, `FILE.1` is the one before it, `FILE.2` that before. The oldest
//! go, so that the disk is bounded.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The file that is `age` files older.
pub fn older(file: &Path, age: u32) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(format!(".{age}"));
    PathBuf::from(name)
}

/// The name of a file that is not whole yet.
pub fn unfinished(file: &Path) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(".thinning");
    PathBuf::from(name)
}

/// Makes the name free: the file of this name becomes the first of at most `kept` older ones.
///
/// # Errors
/// When a file cannot be renamed; then the newest ones are as they were.
pub fn make_room(file: &Path, kept: u32) -> io::Result<()> {
    if kept == 0 {
        return fs::remove_file(file);
    }
    // Only names without a gap are in use, so a short chain costs few calls.
    let used = (1..=kept).take_while(|&age| older(file, age).exists()).last().unwrap_or(0);
    for age in (1..=used.min(kept - 1)).rev() {
        fs::rename(older(file, age), older(file, age + 1))?;
    }
    fs::rename(file, older(file, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_file_goes_and_the_others_keep_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("shop.rb");
        for content in ["one", "two", "three", "four"] {
            fs::write(&file, content).unwrap();
            make_room(&file, 2).unwrap();
        }
        let read = |age| fs::read_to_string(older(&file, age)).ok();
        assert_eq!((read(1).as_deref(), read(2).as_deref(), read(3)), (Some("four"), Some("three"), None));
        assert!(!file.exists());
    }

    #[test]
    fn none_is_kept_where_none_is_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("shop.rb");
        fs::write(&file, "one").unwrap();
        make_room(&file, 0).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
