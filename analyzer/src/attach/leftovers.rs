//! Folders of analyzers that were killed while they were attached, and so could not remove their own. The next `attach`
//! or `ps` of the same user does.
//!
//! An analyzer holds a lock on its folder as long as it lives, and the mode that counts is set when it has the lock. A
//! folder goes only if it is this user's, nobody holds it, and it has nothing but the two files that we put there. No
//! link is followed: everything is named by handles.

use super::files::{Files, Folder, Held};
use super::listing;
use super::place::{LIBRARY, MODE, PREFIX, SOCKET, USUAL};
use rustix::fs::{AtFlags, Dir, Mode, OFlags, fstat, openat, unlinkat};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// More names of a folder are not looked at: anybody may fill `/tmp`.
const MOST_NAMES: usize = 100_000;

/// Removes what is left in the usual folders of this machine, and in those of containers with a JVM of this user's.
pub fn remove_all() {
    let jvms = listing::jvms().unwrap_or_default();
    let theirs = jvms.iter().filter(|jvm| !jvm.shares_files).filter_map(|jvm| jvm.files().ok());
    for files in Files::own().into_iter().chain(theirs) {
        for folder in USUAL {
            remove_from(&files, Path::new(folder));
        }
    }
}

/// Removes what is left in one folder.
pub fn remove_from(files: &Files, folder: &Path) {
    let Ok(above) = files.folder(folder) else { return };
    for name in above.readable().and_then(|folder| Ok(names(&folder)?)).unwrap_or_default() {
        if !name.as_bytes().starts_with(PREFIX.as_bytes()) {
            continue;
        }
        if let Err(error) = remove(&above, &name, is_loaded_from) {
            tracing::debug!("{}: not removed: {error}", folder.join(&name).display());
        }
    }
}

/// Removes a folder if it is left; otherwise the reason why it is not.
fn remove(above: &Folder, name: &OsStr, is_loaded_from: impl Fn(&OsStr) -> bool) -> Result<(), Stays> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = openat(above.handle(), name, flags, Mode::empty())?;
    let found = fstat(&folder)?;
    if found.st_uid != rustix::process::geteuid().as_raw() || found.st_mode & 0o7777 != MODE {
        return Err(Stays::Foreign);
    }
    let held = Held::lock(folder).map_err(|_held| Stays::InUse)?;
    let files = names(held.handle())?;
    if files.iter().any(|file| file != LIBRARY && file != SOCKET) {
        return Err(Stays::Foreign);
    }
    // Musl needs the file of a library that is loaded.
    if files.iter().any(|file| file == LIBRARY) && is_loaded_from(name) {
        return Err(Stays::InUse);
    }
    for file in &files {
        unlinkat(held.handle(), file, AtFlags::empty())?;
    }
    Ok(unlinkat(above.handle(), name, AtFlags::REMOVEDIR)?)
}

/// Whether a JVM has loaded a library from a folder of this name. Names are random, so they are the same nowhere else.
fn is_loaded_from(name: &OsStr) -> bool {
    let folder = |agent: &PathBuf| agent.parent().and_then(Path::file_name).is_some_and(|folder| folder == name);
    listing::jvms().map_or(true, |jvms| jvms.iter().filter_map(|jvm| jvm.agent.as_ref()).any(folder))
}

fn names(folder: &OwnedFd) -> Result<Vec<OsString>, Errno> {
    let listed = Dir::read_from(folder)?.take(MOST_NAMES);
    let names = listed.map(|entry| Ok(OsString::from_vec(entry?.file_name().to_bytes().to_vec())));
    names.filter(|name| !name.as_ref().is_ok_and(|name| name == "." || name == "..")).collect()
}

/// Reasons why a folder stays.
#[derive(Debug, thiserror::Error)]
enum Stays {
    #[error("it is not ours")]
    Foreign,
    #[error("it is in use")]
    InUse,
    #[error(transparent)]
    System(#[from] Errno),
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    struct Scene {
        outside: tempfile::TempDir,
        above: Folder,
    }

    fn scene() -> Scene {
        let outside = tempfile::tempdir().unwrap();
        let above = Files::own().unwrap().folder(outside.path()).unwrap();
        Scene { outside, above }
    }

    impl Scene {
        fn path(&self, name: &str) -> PathBuf {
            self.outside.path().join(name)
        }

        fn left(&self, name: &str, files: &[&str]) -> PathBuf {
            let folder = self.path(name);
            fs::create_dir(&folder).unwrap();
            files.iter().for_each(|file| fs::write(folder.join(file), "").unwrap());
            fs::set_permissions(&folder, Permissions::from_mode(0o711)).unwrap();
            folder
        }

        fn remove(&self, name: &str) -> Result<(), Stays> {
            remove(&self.above, OsStr::new(name), |name| name == ".rootbound-loaded")
        }
    }

    #[test]
    fn a_folder_that_nobody_holds_goes_with_its_files() {
        let scene = scene();
        let folder = scene.left(".rootbound-gone", &[LIBRARY, SOCKET]);
        scene.remove(".rootbound-gone").unwrap();
        assert!(!folder.exists() && scene.outside.path().exists());
    }

    #[test]
    fn a_folder_in_use_stays() {
        let scene = scene();
        let folder = scene.left(".rootbound-held", &[SOCKET]);
        let held = scene.above.own(Path::new(".rootbound-held")).unwrap().hold().unwrap();
        assert!(matches!(scene.remove(".rootbound-held"), Err(Stays::InUse)));
        assert!(folder.join(SOCKET).exists());
        drop(held);
        scene.remove(".rootbound-held").unwrap();
        let loaded = scene.left(".rootbound-loaded", &[LIBRARY]);
        assert!(matches!(scene.remove(".rootbound-loaded"), Err(Stays::InUse)));
        assert!(loaded.join(LIBRARY).exists());
    }

    #[test]
    fn what_is_not_ours_stays_and_no_link_is_followed() {
        let scene = scene();
        let with_more = scene.left(".rootbound-more", &[SOCKET, "letter"]);
        assert!(matches!(scene.remove(".rootbound-more"), Err(Stays::Foreign)));
        assert!(with_more.join(SOCKET).exists() && with_more.join("letter").exists());
        let private = scene.left(".rootbound-private", &[SOCKET]);
        fs::set_permissions(&private, Permissions::from_mode(0o700)).unwrap();
        assert!(matches!(scene.remove(".rootbound-private"), Err(Stays::Foreign)), "it is just being made");
        let elsewhere = scene.left("elsewhere", &[SOCKET]);
        symlink(&elsewhere, scene.path(".rootbound-link")).unwrap();
        assert!(matches!(scene.remove(".rootbound-link"), Err(Stays::System(_))));
        assert!(elsewhere.join(SOCKET).exists());
    }

    #[test]
    fn only_folders_of_our_name_are_looked_at() {
        let scene = scene();
        let (ours, others) = (scene.left(".rootbound-a", &[SOCKET]), scene.left("rootbound-a", &[SOCKET]));
        remove_from(&Files::own().unwrap(), scene.outside.path());
        assert!(!ours.exists() && others.exists());
    }
}
