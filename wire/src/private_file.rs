//! Recordings are readable only for their user, whichever program writes them: they hold names, call sites and the
//! graph.

use std::fs::{File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

const MODE: u32 = 0o600;

/// Creates the file, or empties it. An existing file gets the new mode; a device or a pipe keeps its mode.
///
/// # Errors
/// If it cannot be written.
pub fn create(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().write(true).create(true).truncate(true).mode(MODE).open(path)?;
    if file.metadata()?.is_file() {
        file.set_permissions(Permissions::from_mode(MODE))?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_is_for_its_user_alone_even_where_another_was() {
        let folder = tempfile::tempdir().unwrap();
        let (new, old) = (folder.path().join("new"), folder.path().join("old"));
        fs::write(&old, "old").unwrap();
        fs::set_permissions(&old, Permissions::from_mode(0o644)).unwrap();
        for path in [new, old] {
            create(&path).unwrap();
            let found = fs::metadata(&path).unwrap();
            assert_eq!((found.permissions().mode() & 0o777, found.len()), (0o600, 0));
        }
    }

    #[test]
    fn a_device_keeps_its_mode() {
        let mode = || fs::metadata("/dev/null").unwrap().permissions().mode();
        let before = mode();
        create(Path::new("/dev/null")).unwrap();
        assert_eq!(mode(), before);
    }
}
