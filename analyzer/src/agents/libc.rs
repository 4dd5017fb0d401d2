//! The C library of a program: a JVM loads only an agent that is linked with its own.

use super::elf;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// More of a program is not read: its headers and its interpreter's name stand at its beginning.
const HEAD_BYTES: u64 = 64 * 1024;

/// A C library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Libc {
    /// Of GNU.
    Glibc,
    /// Of Alpine and others.
    Musl,
}

impl Libc {
    /// All, in the order in which they are listed.
    pub const ALL: [Self; 2] = [Self::Glibc, Self::Musl];

    /// The file name of the agent's library for it.
    #[must_use]
    pub fn library(self) -> &'static str {
        match self {
            Self::Glibc => "librootbound_agent.so",
            Self::Musl => "librootbound_agent-musl.so",
        }
    }

    /// The C library among the files that are mapped into a process, and its file. A program for glibc that runs on
    /// musl (gcompat) has musl.
    pub fn among(files: &[PathBuf]) -> Option<(Self, &PathBuf)> {
        let named = |is_it: fn(&str) -> bool| {
            files.iter().find(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(is_it))
        };
        let musl = named(|name| name.starts_with("ld-musl-") || name.starts_with("libc.musl-"));
        let glibc = named(|name| name == "libc.so.6" || (name.starts_with("libc-2.") && name.ends_with(".so")));
        musl.map(|file| (Self::Musl, file)).or_else(|| glibc.map(|file| (Self::Glibc, file)))
    }

    /// The C library of a program that is to be started: that of its ELF interpreter, or of the interpreter of its
    /// script. `None` when it cannot be read, or is linked statically.
    #[must_use]
    pub fn of_program(program: &Path) -> Option<Self> {
        let head = head(program)?;
        match script_interpreter(&head) {
            // One step suffices: the kernel allows few more, and no launcher uses them.
            Some(interpreter) => Self::of_interpreter(&elf::interpreter(&self::head(&interpreter)?)?),
            None => Self::of_interpreter(&elf::interpreter(&head)?),
        }
    }

    fn of_interpreter(path: &str) -> Option<Self> {
        let name = Path::new(path).file_name()?.to_str()?;
        Some(if name.starts_with("ld-musl-") { Self::Musl } else { Self::Glibc })
    }

    /// The C library of this system's own programs; glibc where there are none.
    #[must_use]
    pub fn of_system() -> Self {
        Self::of_program(Path::new("/bin/sh")).unwrap_or(Self::Glibc)
    }
}

impl fmt::Display for Libc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Glibc => "glibc",
            Self::Musl => "musl",
        })
    }
}

fn head(program: &Path) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    File::open(program).ok()?.take(HEAD_BYTES).read_to_end(&mut head).ok()?;
    Some(head)
}

/// `#!/bin/sh -e` names `/bin/sh`; `#!/usr/bin/env bash` names `env`, which has the same C library.
fn script_interpreter(head: &[u8]) -> Option<PathBuf> {
    let line = head.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    Some(PathBuf::from(std::str::from_utf8(line).ok()?.split_whitespace().next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn among(files: &[&str]) -> Option<(Libc, PathBuf)> {
        let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
        Libc::among(&files).map(|(libc, file)| (libc, file.clone()))
    }

    #[test]
    fn the_c_library_is_found_among_the_mapped_files() {
        let of = |files| among(files).map(|found| found.0);
        assert_eq!(of(&["/lib/x86_64-linux-gnu/libc.so.6"]), Some(Libc::Glibc));
        assert_eq!(of(&["/lib64/libc-2.17.so"]), Some(Libc::Glibc));
        assert_eq!(of(&["/lib/ld-musl-x86_64.so.1"]), Some(Libc::Musl));
        assert_eq!(of(&["/lib/ld-musl-x86_64.so.1", "/lib/libc.so.6"]), Some(Libc::Musl), "gcompat");
        assert_eq!(of(&["/opt/libcache.so", "/lib/libcrypt.so.1"]), None);
    }

    #[test]
    fn a_script_has_the_c_library_of_its_interpreter() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("mvn");
        std::fs::write(&script, "#! /bin/sh -e\nexec java\n").unwrap();
        assert_eq!(Libc::of_program(&script), Libc::of_program(Path::new("/bin/sh")));
        std::fs::write(&script, "no program").unwrap();
        assert_eq!(Libc::of_program(&script), None);
        assert_eq!(Libc::of_program(Path::new("/nowhere")), None);
    }
}
